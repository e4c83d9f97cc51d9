// SPDX-License-Identifier: GPL-3.0-or-later
#include "parallax/engine/plugin.hpp"
#include "parallax/gpu/backend.hpp"

namespace {
parallax::Backend* createBackend() { return new parallax::gpu::CudaBackend; }
}  // namespace

PARALLAX_PLUGIN_ENTRY(createBackend)
