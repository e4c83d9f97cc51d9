// SPDX-License-Identifier: GPL-3.0-or-later
// The curve that a run of tone mapping applied, to be drawn.
#pragma once

#include "core/engine/backend/implementation.hpp"
#include "core/operations/tone_mapping/histogram_adjustment.hpp"
#include "core/operations/tone_mapping/plan.hpp"

namespace parallax {

/// From the luminance of a grey pixel of the image to the light of the display that it became, from `smallest` to `largest`, in equal
/// ratios or at the edges of the bins. Of the local operator: where the surround is as bright as the pixel. With `encoding` (the samples as
/// they are then). Empty where there is nothing to draw: no range, or an output that is no light. `curve`: of histogram adjustment, else
/// null.
TransferCurve toneTransferCurve(const ToneMappingPlan& plan, const ToneConstants& constants, const AdjustmentCurve* curve, double smallest,
                                double largest);

}  // namespace parallax
