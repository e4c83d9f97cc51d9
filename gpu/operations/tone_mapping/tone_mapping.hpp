// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/engine/backend/implementation.hpp"
#include "gpu/operations/tone_mapping/tuning.hpp"
#include "gpu/solvers/solver.hpp"

namespace parallax::gpu {

/// How statistics are gathered. The mapping and the Gaussians of the local operator are the same in all variants.
enum class ToneVariant {
    fused,       ///< one pass over the image for all statistics of the next one
    textbook,    ///< textbook primitives: tree, global-atomics, blelloch
    primitives,  ///< tuned primitives: warp, privatised, and blelloch
    cub          ///< CUB's primitives
};

/// `bandBytes`: memory of the local operator for a band of the image; does not change the result.
std::unique_ptr<Implementation> makeToneMapping(ToneVariant variant, std::uint64_t bandBytes = kToneBandBytes);
/// The gradient operator, whose variants are methods of gpu/solvers: multigrid, dct.
std::unique_ptr<Implementation> makeGradientToneMapping(SolverMethod method);

}  // namespace parallax::gpu
