// SPDX-License-Identifier: GPL-3.0-or-later
// Entries of the command palette beside the menus: choices of every operation, such as kernels, and presets.
#pragma once

#include <vector>

#include "ui/window/shell/action_list.hpp"

namespace parallax::ui {

class PipelineModel;

/// Returns actions that `owner` owns. They change the last step of their operation, or add one.
std::vector<ActionEntry> pipelineEntries(PipelineModel& model, QObject& owner);

}  // namespace parallax::ui
