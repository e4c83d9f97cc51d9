// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/engine/backend/implementation.hpp"
#include "core/operations/tone_mapping/plan.hpp"

namespace parallax {

/// The gradient operator in double, for the reference of tone mapping.
/// `ofPart`: without workspace for the whole image.
std::unique_ptr<Execution> makeReferenceGradient(const Problem& problem, bool ofPart);
std::uint64_t referenceGradientBytes(const ToneMappingPlan& plan, const Shape& shape);

}  // namespace parallax
