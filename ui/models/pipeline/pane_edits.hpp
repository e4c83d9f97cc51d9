// SPDX-License-Identifier: GPL-3.0-or-later
// Edits of the compared panes, each one step of the history.
#pragma once

#include <QStringList>

#include "ui/models/pipeline/pipeline_model.hpp"

namespace parallax::ui {

/// Adds a pane after the last one and makes it active: a copy of another, or one with an input of its own that otherwise is as A. Does
/// nothing if there are kMaxSides.
void duplicatePane(PipelineModel& model, Side of);
void addPane(PipelineModel& model, const QString& input = {});
/// Two panes always remain.
void removePane(PipelineModel& model, Side side);
void swapPanes(PipelineModel& model, Side a, Side b);
void setReference(PipelineModel& model, Side side);
void setTarget(PipelineModel& model, Side side, const Target& target);
/// Empty: the open document.
void setInput(PipelineModel& model, Side side, const QString& input);
/// Makes these the inputs of a pane and the next ones, as one edit; panes that are missing are added as by addPane(). Activates the first
/// of them. Returns the number of inputs for which there is room.
int setInputs(PipelineModel& model, int first, const QStringList& inputs);
/// Whether the steps work on colours as encoded values instead of linear light.
void setEncoded(PipelineModel& model, Side side, bool encoded);
/// Own steps begin as a copy of the shared ones.
void setOwnSteps(PipelineModel& model, Side side, bool own);
void useStepsOf(PipelineModel& model, Side side, Side from);

/// What becomes of samples of the input that are NaN or infinite.
enum class NonFinitePolicy { keep, zero, clamp, fill };
/// Makes the steps of all panes begin with the one that a policy stands for, in place of that of another policy. `low` and `high`: the
/// range of the finite samples, to which `clamp` limits the others; NaN becomes the number in it that is nearest to 0.
void setNonFinitePolicy(PipelineModel& model, NonFinitePolicy policy, double low = 0, double high = 0);
/// The policy that the steps of the active pane begin with, whatever its numbers are.
NonFinitePolicy nonFinitePolicy(const PipelineModel& model);

/// Shows panes that differ only in their steps, with the input and target of the active one.
void showSheet(PipelineModel& model, std::vector<Pipeline> steps, const QString& name);
/// Restores the panes from before the contact sheet; the one that it varied gets the steps of this pane. Without a contact sheet, the steps
/// become the shared ones.
void adoptSteps(PipelineModel& model, Side side);
/// Restores the panes from before the contact sheet.
void closeSheet(PipelineModel& model);

}  // namespace parallax::ui
