// SPDX-License-Identifier: GPL-3.0-or-later
// Finds backends that support a pipeline by asking the catalog; nothing is run.
#pragma once

#include "core/engine/backend/catalog.hpp"
#include "core/engine/pipeline/pipeline.hpp"
#include "core/image/image.hpp"

namespace parallax::ui {

/// Returns whether the target supports every enabled step for an image of this shape. Errors in parameters or image count as supported,
/// since they occur on every backend. Ignores image statistics.
bool canRun(const Catalog& catalog, const Pipeline& pipeline, const Image& input, const Target& target);

/// Returns the target that A starts with: the backend and device of the settings, or if none is set or it cannot be used the first
/// available backend besides the reference.
Target initialTarget(const Catalog& catalog);

/// Returns the default target of B: the first available backend besides that of `other` which supports the pipeline, the reference after
/// all others. If none can, or without an image, the first besides `other`; `other` itself if there is no second. If only the reference
/// is left and would take too long (reference_cost.hpp): another variant of the backend of `other`, or `other` itself.
Target comparisonTarget(const Catalog& catalog, const Pipeline& pipeline, const Image* input, const Target& other);

/// Returns the flops of the reference for the enabled steps on an image of this shape: see EstimatesReference. Steps after one that does
/// not accept the image do not count.
double referenceFlops(const Pipeline& pipeline, const Image& input);

}  // namespace parallax::ui
