// SPDX-License-Identifier: GPL-3.0-or-later
// The compared panes, each with its input, steps and backend. A value, of which the history of edits keeps snapshots.
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "core/engine/backend/catalog.hpp"
#include "core/engine/pipeline/pipeline.hpp"
#include "ui/models/pipeline/side.hpp"

namespace parallax::ui {

struct PaneSetup {
    QString input;                  ///< empty: the open document
    std::optional<Pipeline> steps;  ///< of this pane only; none: the shared steps
    Target target;
    bool encoded = false;    ///< the steps work on colours as encoded values instead of linear light
    bool automatic = false;  ///< the target is chosen for the user: another backend than that of A which can run the steps
};

struct CompareSetup {
    Pipeline shared;
    std::vector<PaneSetup> panes{{}, {.input = {}, .steps = {}, .target = {}, .automatic = true}};  ///< 2 to kMaxSides
    Side reference = Side::a;                                                                       ///< of differences
    std::vector<PaneSetup> beforeSheet;  ///< panes that the contact sheet replaced; empty if there is none
    Side sheetOf = Side::a;              ///< pane of those whose steps the contact sheet varies
    Side referenceBeforeSheet = Side::a;

    bool has(Side side) const { return indexOf(side) < panes.size(); }
    PaneSetup& pane(Side side) { return panes.at(indexOf(side)); }
    const PaneSetup& pane(Side side) const { return panes.at(indexOf(side)); }
    const Pipeline& stepsOf(Side side) const { return pane(side).steps ? *pane(side).steps : shared; }
    /// The steps that an edit of this pane changes.
    Pipeline& stepsOf(Side side) { return pane(side).steps ? *pane(side).steps : shared; }
};

bool sameSteps(const Pipeline& a, const Pipeline& b);
/// Ignores targets that are automatic in both.
bool sameSetup(const CompareSetup& a, const CompareSetup& b);
/// Returns whether every pane computes with the same steps in both.
bool sameStepsEverywhere(const CompareSetup& a, const CompareSetup& b);
/// Approximate size of a snapshot; only texts can be large.
std::size_t bytesOf(const CompareSetup& setup);

/// Describes in a few words how steps differ from others: "Sigma 1.5", or the titles of the steps. Empty if they are the same.
QString stepsNote(const Pipeline& from, const Pipeline& steps);
/// Formats a value of a parameter for people: "7", "on", "Gaussian".
QString valueText(const ParameterInfo& info, const ParameterValue& value);

}  // namespace parallax::ui
