// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/pipeline/compare_setup.hpp"

#include <QStringList>
#include <algorithm>

#include "ui/models/pipeline/catalog_text.hpp"
#include "ui/models/pipeline/pipeline_model.hpp"
#include "ui/models/pipeline/step_text.hpp"

namespace parallax::ui {
namespace {

constexpr qsizetype kLongestValue = 24;

bool samePane(const PaneSetup& a, const PaneSetup& b) {
    return a.input == b.input && a.encoded == b.encoded && a.steps.has_value() == b.steps.has_value() &&
           (!a.steps || sameSteps(*a.steps, *b.steps)) && a.automatic == b.automatic && (a.automatic || a.target == b.target);
}

std::size_t bytesOf(const Pipeline& pipeline) {
    std::size_t bytes = sizeof(Pipeline);
    for (const Step& step : pipeline.steps) {
        bytes += sizeof(Step);
        for (const ParameterInfo& info : step.parameters.table().infos()) {
            bytes += sizeof(ParameterValue);
            const ParameterValue value = step.parameters.get(info.key);
            if (const auto* text = std::get_if<std::string>(&value)) bytes += text->size();
        }
    }
    return bytes;
}

std::vector<const Step*> enabledSteps(const Pipeline& pipeline) {
    std::vector<const Step*> steps;
    for (const Step& step : pipeline.steps)
        if (step.enabled) steps.push_back(&step);
    return steps;
}

QString titlesOf(const std::vector<const Step*>& steps) {
    QStringList titles;
    for (const Step* step : steps) titles << catalogText(step->operation->title());
    return titles.isEmpty() ? PipelineModel::tr("all steps off") : titles.join(QStringLiteral(" → "));
}

}  // namespace

bool sameSteps(const Pipeline& a, const Pipeline& b) {
    return std::equal(a.steps.begin(), a.steps.end(), b.steps.begin(), b.steps.end(), [](const Step& x, const Step& y) {
        return x.operation == y.operation && x.enabled == y.enabled && x.parameters == y.parameters;
    });
}

bool sameSetup(const CompareSetup& a, const CompareSetup& b) {
    return a.reference == b.reference && sameSteps(a.shared, b.shared) && a.beforeSheet.empty() == b.beforeSheet.empty() &&
           std::equal(a.panes.begin(), a.panes.end(), b.panes.begin(), b.panes.end(), samePane);
}

bool sameStepsEverywhere(const CompareSetup& a, const CompareSetup& b) {
    return sameSteps(a.shared, b.shared) &&
           std::equal(a.panes.begin(), a.panes.end(), b.panes.begin(), b.panes.end(), [](const PaneSetup& x, const PaneSetup& y) {
               return x.steps.has_value() == y.steps.has_value() && (!x.steps || sameSteps(*x.steps, *y.steps));
           });
}

std::size_t bytesOf(const CompareSetup& setup) {
    std::size_t bytes = sizeof(CompareSetup) + bytesOf(setup.shared);
    for (const auto* panes : {&setup.panes, &setup.beforeSheet})
        for (const PaneSetup& pane : *panes) bytes += sizeof(PaneSetup) + (pane.steps ? bytesOf(*pane.steps) : 0);
    return bytes;
}

QString valueText(const ParameterInfo& info, const ParameterValue& value) {
    if (info.kind == ParameterKind::boolean) return std::get<bool>(value) ? PipelineModel::tr("on") : PipelineModel::tr("off");
    for (const ParameterChoice& choice : info.choices)
        if (ParameterValue(choice.key) == value) return catalogText(choice.title);
    if (!info.minimumMeans.empty() &&
        (value == ParameterValue(info.minimum) || value == ParameterValue(static_cast<std::int64_t>(info.minimum))))
        return catalogText(info.minimumMeans);
    if (info.kind == ParameterKind::real) return numberText(std::get<double>(value), 4);
    return QString::fromStdString(toText(value)).simplified();
}

QString stepsNote(const Pipeline& from, const Pipeline& steps) {
    const std::vector<const Step*> before = enabledSteps(from), after = enabledSteps(steps);
    const bool sameOperations = std::equal(before.begin(), before.end(), after.begin(), after.end(),
                                           [](const Step* x, const Step* y) { return x->operation == y->operation; });
    if (!sameOperations) return titlesOf(after);
    QStringList changes;
    for (std::size_t i = 0; i < after.size(); ++i) {
        for (const ParameterInfo& info : after[i]->parameters.table().infos()) {
            const ParameterValue value = after[i]->parameters.get(info.key);
            if (value == before[i]->parameters.get(info.key) || !after[i]->parameters.isShown(info.key)) continue;
            const QString name = catalogText(info.title), text = valueText(info, value);
            changes << (info.multiline || text.isEmpty() || text.size() > kLongestValue ? name : name + QLatin1Char(' ') + text);
        }
    }
    return changes.join(QStringLiteral(", "));
}

}  // namespace parallax::ui
