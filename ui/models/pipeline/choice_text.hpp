// SPDX-License-Identifier: GPL-3.0-or-later
// Which implementations ran, and why these.
#pragma once

#include <QStringList>
#include <vector>

#include "core/engine/run/engine.hpp"
#include "core/engine/run/run_record.hpp"

namespace parallax::ui {

/// A line a step, in the language of the window as far as the reason is a general one: "convolve / cuda / separable: rank 1, ...".
/// Records of older versions give no reasons; empty if nothing ran.
QStringList choiceTexts(const RunEntry& entry);
QStringList choiceTexts(const std::vector<StepPlan>& plan);

}  // namespace parallax::ui
