// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/backend/plugin.hpp"
#include "gpu/backend.hpp"

namespace {
parallax::Backend* createBackend() { return new parallax::gpu::CudaBackend; }
}  // namespace

PARALLAX_PLUGIN_ENTRY(createBackend)
