// SPDX-License-Identifier: GPL-3.0-or-later
// Variants that ran, and why they were chosen.
#pragma once

#include <QStringList>
#include <vector>

#include "core/engine/run/engine.hpp"
#include "core/engine/run/run_record.hpp"

namespace parallax::ui {

/// Returns a line per step: "convolve / cuda / separable: rank 1, ...". General reasons are translated. Records of older versions have no
/// reasons; empty if nothing ran.
QStringList choiceTexts(const RunEntry& entry);
QStringList choiceTexts(const std::vector<StepPlan>& plan);

}  // namespace parallax::ui
