// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/pipeline/compare_setup.hpp"

#include <QJsonArray>
#include <QStringList>
#include <algorithm>

#include "core/image/error.hpp"
#include "core/measure/sampling/sampler.hpp"
#include "core/report/record/recipe_json.hpp"
#include "ui/models/pipeline/catalog_text.hpp"
#include "ui/models/pipeline/pipeline_model.hpp"

namespace parallax::ui {
namespace {

constexpr qsizetype kLongestValue = 24;

bool samePane(const PaneSetup& a, const PaneSetup& b) {
    return a.input == b.input && a.steps.has_value() == b.steps.has_value() && (!a.steps || sameSteps(*a.steps, *b.steps)) &&
           a.automatic == b.automatic && (a.automatic || a.target == b.target);
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

/// A target of this machine, or nothing.
std::optional<Target> knownTarget(const Catalog& catalog, const QString& label) {
    try {
        Target target = targetOfLabel(label.toStdString());
        (void)catalog.backend(target.backend);
        catalog.checkModes(target);
        return target;
    } catch (const Error&) {
        return {};
    }
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
    if (info.kind == ParameterKind::real) return QString::number(std::get<double>(value), 'g', 4);
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

QJsonObject toJson(const CompareSetup& setup) {
    // Recipes as text: Qt's JSON would turn 3.0 into the integer 3.
    const auto recipe = [](const Pipeline& steps) { return QString::fromStdString(recipeToJson(steps)); };
    QJsonArray panes;
    for (const PaneSetup& pane : setup.panes) {
        QJsonObject o;
        if (!pane.input.isEmpty()) o["input"] = pane.input;
        if (pane.steps) o["recipe"] = recipe(*pane.steps);
        if (!pane.automatic) o["backend"] = QString::fromStdString(entryLabel(pane.target));
        panes << o;
    }
    return {{"recipe", recipe(setup.shared)}, {"panes", panes}, {"reference", letterOf(setup.reference)}};
}

std::optional<CompareSetup> compareSetupFromJson(const Catalog& catalog, const QJsonObject& json) {
    CompareSetup setup;
    try {
        const auto recipe = [&](const QJsonValue& text) { return recipeFromJson(catalog, text.toString().toStdString(), "session"); };
        setup.shared = recipe(json["recipe"]);
        setup.panes.clear();
        for (const QJsonValue& value : json["panes"].toArray()) {
            const QJsonObject o = value.toObject();
            PaneSetup pane;
            pane.input = o["input"].toString();
            if (o.contains("recipe")) pane.steps = recipe(o["recipe"]);
            const std::optional<Target> target = knownTarget(catalog, o["backend"].toString());
            pane.automatic = !target;
            if (target) pane.target = *target;
            setup.panes.push_back(std::move(pane));
        }
    } catch (const Error&) {
        return {};
    }
    if (setup.panes.size() < 2 || setup.panes.size() > static_cast<std::size_t>(kMaxSides)) return {};
    const QString reference = json["reference"].toString();
    for (int i = 0; i < static_cast<int>(setup.panes.size()); ++i)
        if (letterOf(static_cast<Side>(i)) == reference) setup.reference = static_cast<Side>(i);
    return setup;
}

}  // namespace parallax::ui
