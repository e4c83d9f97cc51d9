// SPDX-License-Identifier: GPL-3.0-or-later
// A plug-in with the stamp of another build.
#define PARALLAX_BUILD_STAMP "another build"
#include "core/engine/backend/plugin.hpp"

namespace {

parallax::Backend* create() { return nullptr; }

}  // namespace

PARALLAX_PLUGIN_ENTRY(create)
