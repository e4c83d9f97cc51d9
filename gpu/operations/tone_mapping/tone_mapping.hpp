// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/engine/backend/implementation.hpp"
#include "gpu/operations/tone_mapping/tuning.hpp"

namespace parallax::gpu {

/// How the statistics are found; the mapping and the Gaussians of the local operator are the same in all variants.
enum class ToneVariant {
    fused,       ///< one pass over the image for all statistics that the next one needs
    textbook,    ///< gpu/primitives as textbooks have them: tree, global-atomics, blelloch
    primitives,  ///< gpu/primitives, the tuned ones: warp, privatised, and blelloch
    cub          ///< CUB's
};

/// `bandBytes`: that the local operator may take for a band of the image. The result is the same for any.
std::unique_ptr<Implementation> makeToneMapping(ToneVariant variant, std::uint64_t bandBytes = kToneBandBytes);

}  // namespace parallax::gpu
