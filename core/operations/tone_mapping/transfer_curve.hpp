// SPDX-License-Identifier: GPL-3.0-or-later
// The curve that a run of tone mapping applied, to be drawn.
#pragma once

#include "core/engine/backend/implementation.hpp"
#include "core/operations/tone_mapping/histogram_adjustment.hpp"
#include "core/operations/tone_mapping/plan.hpp"

namespace parallax {

/// Returns the encoded output for the luminance of grey pixels from `smallest` to `largest`, in equal ratios or at the edges of the bins;
/// for the local operator, of pixels as bright as their surround. Empty without a range, if the output is the chosen scale, and for the
/// gradient operator, which gives pixels of one luminance many. `curve`: of histogram adjustment, else null.
TransferCurve toneTransferCurve(const ToneMappingPlan& plan, const ToneConstants& constants, const AdjustmentCurve* curve, double smallest,
                                double largest);

}  // namespace parallax
