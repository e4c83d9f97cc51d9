// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/pipeline/pane_edits.hpp"

#include <algorithm>
#include <utility>

#include "core/measure/sampling/sampler.hpp"

namespace parallax::ui {
namespace {

bool full(const PipelineModel& model) { return model.setup().panes.size() >= static_cast<std::size_t>(kMaxSides); }

void append(PipelineModel& model, PaneSetup pane, const QString& name) {
    CompareSetup setup = model.setup();
    // An automatic target is for B, which would otherwise repeat A.
    pane.automatic = false;
    setup.panes.push_back(std::move(pane));
    const auto added = static_cast<Side>(setup.panes.size() - 1);
    model.replaceSetup(std::move(setup), name);
    model.setActive(added);
}

/// Makes the steps of A the shared ones; panes that had other shared steps keep them as their own.
void shareStepsOfA(CompareSetup& setup) {
    if (!setup.panes.front().steps) return;
    for (PaneSetup& pane : setup.panes)
        if (!pane.steps) pane.steps = setup.shared;
    setup.shared = *std::exchange(setup.panes.front().steps, {});
}

/// The policy that a step stands for; keep: none.
NonFinitePolicy policyOf(const Step& step) {
    const std::string id = step.operation->id();
    if (id == "fill" && step.parameters.get("missing") == ParameterValue(std::string("non-finite"))) return NonFinitePolicy::fill;
    if (id != "repair") return NonFinitePolicy::keep;
    const ParameterValue zero(0.0);
    const bool zeros = step.parameters.get("low") == zero && step.parameters.get("high") == zero;
    return zeros ? NonFinitePolicy::zero : NonFinitePolicy::clamp;
}

Step stepOf(const Catalog& catalog, NonFinitePolicy policy, double low, double high) {
    const Operation& operation = catalog.operation(policy == NonFinitePolicy::fill ? "fill" : "repair");
    Step step{&operation, ParameterBlock(operation.parameters()), true};
    if (policy == NonFinitePolicy::fill) step.parameters.set("missing", std::string("non-finite"));
    if (policy != NonFinitePolicy::clamp) return step;
    step.parameters.set("nan", std::clamp(0.0, low, high));
    step.parameters.set("low", low);
    step.parameters.set("high", high);
    return step;
}

void restorePanes(CompareSetup& setup) {
    setup.panes = std::exchange(setup.beforeSheet, {});
    setup.reference = setup.referenceBeforeSheet;
}

}  // namespace

void duplicatePane(PipelineModel& model, Side of) {
    if (!full(model)) append(model, model.setup().pane(of), PipelineModel::tr("Duplicate pane %1").arg(letterOf(of)));
}

void addPane(PipelineModel& model, const QString& input) {
    if (full(model)) return;
    PaneSetup pane = model.setup().pane(Side::a);
    if (!input.isEmpty()) pane.input = input;
    append(model, std::move(pane), PipelineModel::tr("Add a pane"));
}

void removePane(PipelineModel& model, Side side) {
    CompareSetup setup = model.setup();
    if (setup.panes.size() <= 2 || !setup.has(side)) return;
    setup.panes.erase(setup.panes.begin() + static_cast<std::ptrdiff_t>(indexOf(side)));
    if (setup.beforeSheet.empty()) shareStepsOfA(setup);
    if (setup.reference == side) setup.reference = Side::a;
    else if (setup.reference > side) setup.reference = static_cast<Side>(static_cast<int>(setup.reference) - 1);
    model.replaceSetup(std::move(setup), PipelineModel::tr("Remove pane %1").arg(letterOf(side)));
}

void swapPanes(PipelineModel& model, Side a, Side b) {
    CompareSetup setup = model.setup();
    if (!setup.has(a) || !setup.has(b)) return;
    for (const Side side : {a, b}) setup.pane(side).automatic = false;
    std::swap(setup.pane(a), setup.pane(b));
    if (setup.beforeSheet.empty()) shareStepsOfA(setup);
    model.replaceSetup(std::move(setup), PipelineModel::tr("Swap %1 and %2").arg(letterOf(a), letterOf(b)));
}

void setReference(PipelineModel& model, Side side) {
    CompareSetup setup = model.setup();
    if (!setup.has(side)) return;
    setup.reference = side;
    model.replaceSetup(std::move(setup), PipelineModel::tr("Use %1 as reference").arg(letterOf(side)));
}

void setTarget(PipelineModel& model, Side side, const Target& target) {
    CompareSetup setup = model.setup();
    PaneSetup& pane = setup.pane(side);
    if (pane.target == target) return model.setTargetSilently(side, target, false);
    pane.target = target;
    pane.automatic = false;
    model.replaceSetup(std::move(setup),
                       PipelineModel::tr("Backend of %1 → %2").arg(letterOf(side), QString::fromStdString(entryLabel(target))));
}

void setInput(PipelineModel& model, Side side, const QString& input) {
    CompareSetup setup = model.setup();
    if (!setup.has(side)) return;
    setup.pane(side).input = input;
    // Without the name of the file, which may identify a patient.
    model.replaceSetup(std::move(setup), PipelineModel::tr("Input of %1").arg(letterOf(side)));
}

void setEncoded(PipelineModel& model, Side side, bool encoded) {
    CompareSetup setup = model.setup();
    if (!setup.has(side) || setup.pane(side).encoded == encoded) return;
    setup.pane(side).encoded = encoded;
    model.replaceSetup(std::move(setup),
                       (encoded ? PipelineModel::tr("Encoded values in %1") : PipelineModel::tr("Linear light in %1")).arg(letterOf(side)));
}

int setInputs(PipelineModel& model, int first, const QStringList& inputs) {
    CompareSetup setup = model.setup();
    first = std::min(first, static_cast<int>(setup.panes.size()));
    const int count = std::min(static_cast<int>(inputs.size()), kMaxSides - first);
    if (count <= 0) return 0;
    for (int i = 0; i < count; ++i) {
        const auto at = static_cast<std::size_t>(first + i);
        if (at >= setup.panes.size()) {
            setup.panes.push_back(setup.pane(Side::a));
            setup.panes.back().automatic = false;
        }
        setup.panes[at].input = inputs[i];
    }
    const QString letter = letterOf(static_cast<Side>(first));
    model.replaceSetup(std::move(setup),
                       count == 1 ? PipelineModel::tr("Input of %1").arg(letter)
                                  : PipelineModel::tr("Inputs of %1 to %2").arg(letter, letterOf(static_cast<Side>(first + count - 1))));
    model.setActive(static_cast<Side>(first));
    return count;
}

void setOwnSteps(PipelineModel& model, Side side, bool own) {
    CompareSetup setup = model.setup();
    PaneSetup& pane = setup.pane(side);
    if (own == pane.steps.has_value()) return;
    if (own) pane.steps = setup.shared;
    else pane.steps.reset();
    model.replaceSetup(std::move(setup),
                       (own ? PipelineModel::tr("Own steps for %1") : PipelineModel::tr("Shared steps for %1")).arg(letterOf(side)));
}

void useStepsOf(PipelineModel& model, Side side, Side from) {
    CompareSetup setup = model.setup();
    setup.pane(side).steps = setup.pane(from).steps;
    model.replaceSetup(std::move(setup), PipelineModel::tr("Steps of %1 as %2").arg(letterOf(side), letterOf(from)));
}

void setNonFinitePolicy(PipelineModel& model, NonFinitePolicy policy, double low, double high) {
    CompareSetup setup = model.setup();
    const auto apply = [&](Pipeline& pipeline) {
        std::vector<Step>& steps = pipeline.steps;
        if (!steps.empty() && policyOf(steps.front()) != NonFinitePolicy::keep) steps.erase(steps.begin());
        if (policy != NonFinitePolicy::keep) steps.insert(steps.begin(), stepOf(model.catalog(), policy, low, high));
    };
    apply(setup.shared);
    for (PaneSetup& pane : setup.panes)
        if (pane.steps) apply(*pane.steps);
    model.replaceSetup(std::move(setup), policy == NonFinitePolicy::keep ? PipelineModel::tr("Keep NaN and infinity")
                                                                         : PipelineModel::tr("Replace NaN and infinity"));
}

NonFinitePolicy nonFinitePolicy(const PipelineModel& model) {
    const std::vector<Step>& steps = model.pipeline().steps;
    return steps.empty() || !steps.front().enabled ? NonFinitePolicy::keep : policyOf(steps.front());
}

void showSheet(PipelineModel& model, std::vector<Pipeline> steps, const QString& name) {
    CompareSetup setup = model.setup();
    if (setup.beforeSheet.empty()) {
        setup.beforeSheet = setup.panes;
        setup.sheetOf = model.active();
        setup.referenceBeforeSheet = setup.reference;
    }
    const PaneSetup first = setup.pane(model.active());
    setup.panes.clear();
    for (Pipeline& each : steps)
        setup.panes.push_back({.input = first.input, .steps = std::move(each), .target = first.target, .encoded = first.encoded});
    setup.reference = Side::a;
    model.replaceSetup(std::move(setup), name);
}

void adoptSteps(PipelineModel& model, Side side) {
    CompareSetup setup = model.setup();
    const bool sheet = !setup.beforeSheet.empty();
    Pipeline steps = setup.stepsOf(side);
    const Side changed = sheet ? setup.sheetOf : side;
    if (sheet) restorePanes(setup);
    else setup.pane(side).steps.reset();
    const QString note = stepsNote(setup.stepsOf(changed), steps);
    setup.stepsOf(changed) = std::move(steps);
    model.replaceSetup(std::move(setup), note.isEmpty() ? PipelineModel::tr("Use the steps of %1").arg(letterOf(side))
                                                        : PipelineModel::tr("Use %1").arg(note));
    if (sheet) model.setActive(changed);
}

void closeSheet(PipelineModel& model) {
    CompareSetup setup = model.setup();
    if (setup.beforeSheet.empty()) return;
    const Side before = setup.sheetOf;
    restorePanes(setup);
    model.replaceSetup(std::move(setup), PipelineModel::tr("Close the contact sheet"));
    model.setActive(before);
}

}  // namespace parallax::ui
