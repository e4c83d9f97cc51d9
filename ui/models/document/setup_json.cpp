// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/document/setup_json.hpp"

#include <QJsonArray>
#include <QJsonDocument>
#include <optional>

#include "core/image/error.hpp"
#include "core/measure/sampling/sampler.hpp"
#include "core/report/record/recipe_json.hpp"

namespace parallax::ui {
namespace {

[[noreturn]] void refuse(const std::string& why, const std::string& whatToDo = {}) {
    throw Error(ErrorCode::input, "Cannot read the panes of a session", why, whatToDo);
}

QJsonObject recipeJson(const Pipeline& steps) { return QJsonDocument::fromJson(QByteArray::fromStdString(recipeToJson(steps))).object(); }

Pipeline recipeFrom(const Catalog& catalog, const QJsonValue& json, const std::string& owner) {
    if (!json.isObject()) refuse("the recipe of " + owner + " is not an object");
    try {
        const QByteArray text = QJsonDocument(json.toObject()).toJson(QJsonDocument::Compact);
        return recipeFromJson(catalog, text.toStdString(), owner);
    } catch (const Error& e) {
        refuse("the recipe of " + owner + " cannot be used: " + e.why(), e.whatToDo());
    }
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

QJsonArray panesJson(const std::vector<PaneSetup>& panes, const InputRule& stored) {
    QJsonArray list;
    for (const PaneSetup& pane : panes) {
        QJsonObject o;
        if (!pane.input.isEmpty()) o["input"] = stored(pane.input);
        if (pane.encoded) o["light"] = QStringLiteral("encoded");
        if (pane.steps) o["recipe"] = recipeJson(*pane.steps);
        if (!pane.automatic) o["target"] = QString::fromStdString(entryLabel(pane.target));
        list << o;
    }
    return list;
}

PaneSetup paneFrom(const Catalog& catalog, const QJsonValue& json, const std::string& name, const InputRule& opened) {
    if (!json.isObject()) refuse(name + " is not an object");
    const QJsonObject o = json.toObject();
    PaneSetup pane;
    if (o.contains("input")) {
        if (!o["input"].isString()) refuse("the input of " + name + " is not text");
        if (const QString input = o["input"].toString(); !input.isEmpty()) pane.input = opened(input);
    }
    if (o.contains("light")) {
        const QString light = o["light"].toString();
        if (light != QLatin1String("linear") && light != QLatin1String("encoded"))
            refuse("the light of " + name + " is neither linear nor encoded");
        pane.encoded = light == QLatin1String("encoded");
    }
    if (o.contains("recipe")) pane.steps = recipeFrom(catalog, o["recipe"], name);
    const std::optional<Target> target = knownTarget(catalog, o["target"].toString());
    pane.automatic = !target;
    if (target) pane.target = *target;
    return pane;
}

std::vector<PaneSetup> panesFrom(const Catalog& catalog, const QJsonValue& json, const InputRule& opened) {
    if (!json.isArray()) refuse("its panes are not a list");
    const QJsonArray list = json.toArray();
    if (list.size() > kMaxSides)
        refuse("it has " + std::to_string(list.size()) + " panes, and at most " + std::to_string(kMaxSides) + " can be compared");
    std::vector<PaneSetup> panes;
    for (const QJsonValue& each : list) {
        const QString name = QStringLiteral("pane ") + letterOf(static_cast<Side>(panes.size()));
        panes.push_back(paneFrom(catalog, each, name.toStdString(), opened));
    }
    while (panes.size() < 2) panes.push_back({.input = {}, .steps = {}, .target = {}, .automatic = true});
    return panes;
}

}  // namespace

QJsonObject toJson(const CompareSetup& setup, const InputRule& stored) {
    QJsonObject o{
        {"recipe", recipeJson(setup.shared)}, {"panes", panesJson(setup.panes, stored)}, {"reference", letterOf(setup.reference)}};
    if (!setup.beforeSheet.empty()) {
        o["panes_before_sheet"] = panesJson(setup.beforeSheet, stored);
        o["reference_before_sheet"] = letterOf(setup.referenceBeforeSheet);
        o["sheet_of"] = letterOf(setup.sheetOf);
    }
    return o;
}

CompareSetup compareSetupFromJson(const Catalog& catalog, const QJsonObject& json, const InputRule& opened) {
    CompareSetup setup;
    setup.shared = recipeFrom(catalog, json["recipe"], "the session");
    setup.panes = panesFrom(catalog, json.contains("panes") ? json["panes"] : QJsonArray(), opened);
    if (json.contains("panes_before_sheet")) {
        setup.beforeSheet = panesFrom(catalog, json["panes_before_sheet"], opened);
        setup.referenceBeforeSheet = sideNamed(json["reference_before_sheet"].toString(), setup.beforeSheet);
        setup.sheetOf = sideNamed(json["sheet_of"].toString(), setup.beforeSheet);
    }
    setup.reference = sideNamed(json["reference"].toString(), setup.panes);
    return setup;
}

Side sideNamed(const QString& letter, const std::vector<PaneSetup>& panes) {
    for (int i = 0; i < static_cast<int>(panes.size()); ++i)
        if (letterOf(static_cast<Side>(i)) == letter) return static_cast<Side>(i);
    return Side::a;
}

}  // namespace parallax::ui
