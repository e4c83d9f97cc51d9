// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/operation/operation.hpp"
#include "core/operations/render/parameters.hpp"
#include "core/operations/render/rays.hpp"
#include "core/operations/render/transfer_curve.hpp"

namespace parallax {

/// Everything that follows from a problem, for all implementations.
struct RenderPlan {
    RenderParameters parameters;
    Shape output;
    render::RayFrame frame{};
    double finestSpacing = 1;      ///< mm
    std::int64_t mostSamples = 1;  ///< of a ray
    render::TransferTable table;   ///< of transfer
    bool isProjection() const { return parameters.mode < RenderMode::surface; }
};
/// Throws Error(usage) as Operation::check() does.
RenderPlan planRender(const Problem& problem);

}  // namespace parallax
