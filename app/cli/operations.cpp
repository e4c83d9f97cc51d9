// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "app/cli/arguments.hpp"
#include "app/cli/console.hpp"
#include "app/cli/output.hpp"
#include "core/engine/operation/capabilities.hpp"
#include "core/image/synthetic.hpp"
#include "core/image/texts.hpp"

namespace parallax::cli {
namespace {

constexpr const char* kKinds[] = {"boolean", "integer", "real", "choice", "text"};

Json describe(const ParameterInfo& p) {
    Json j{{"key", p.key}, {"title", p.title}, {"kind", kKinds[static_cast<int>(p.kind)]}, {"unit", p.unit}, {"help", p.help}};
    j["default"] = std::visit([](const auto& v) { return Json(v); }, p.defaultValue);
    if (p.kind == ParameterKind::integer || p.kind == ParameterKind::real) {
        j["minimum"] = p.minimum;
        j["maximum"] = p.maximum;
        if (!p.minimumMeans.empty()) j["minimum_means"] = p.minimumMeans;
        if (!p.minimumWord.empty()) j["minimum_word"] = p.minimumWord;
    }
    if (p.kind == ParameterKind::choice) {
        j["choices"] = Json::array();
        for (const auto& c : p.choices) j["choices"].push_back({{"key", c.key}, {"title", c.title}, {"help", c.help}});
    }
    if (p.pickable) j["pickable"] = true;
    if (!p.shownIfKey.empty()) j["shown_if"] = {{"key", p.shownIfKey}, {"values", p.shownIfValues}};
    return j;
}

std::string textOf(const ParameterInfo& p) {
    std::string range;
    if (p.kind == ParameterKind::choice) range = joined(p.choices, "|", &ParameterChoice::key);
    else if (p.kind == ParameterKind::integer || p.kind == ParameterKind::real)
        range = toText(p.minimum) + ".." + toText(p.maximum) + (p.unit.empty() ? "" : " " + p.unit) +
                (p.minimumWord.empty() ? "" : "|" + p.minimumWord);
    else if (p.kind == ParameterKind::boolean) range = "true|false";
    else range = "text";
    std::string text =
        fmt::format("  {}={}\n      {} [{}]\n", p.key, range, p.help, toText(p.defaultValue).empty() ? "empty" : toText(p.defaultValue));
    if (!p.shownIfKey.empty()) text += fmt::format("      only with {} = {}\n", p.shownIfKey, joined(p.shownIfValues));
    return text;
}

int operations(const std::string& id, bool json) {
    const Catalog& catalog = processCatalog();
    if (!id.empty()) (void)catalog.operation(id);  // throws for an unknown one
    Json list = Json::array();
    std::string text;
    for (const auto& op : catalog.operations()) {
        if (!id.empty() && op->id() != id) continue;
        Json j{{"id", op->id()}, {"title", op->title()}, {"help", op->help()}};
        j["parameters"] = Json::array();
        for (const auto& p : op->parameters().infos()) j["parameters"].push_back(describe(p));
        j["presets"] = Json::array();
        for (const ParameterPreset& p : presetsOf(*op)) {
            Json values = Json::object();
            for (const auto& [key, value] : p.values) values[key] = value;
            j["presets"].push_back({{"key", p.key}, {"title", p.title}, {"help", p.help}, {"values", std::move(values)}});
        }
        j["findings"] = Json::array();
        for (const StatisticInfo& f : statisticsOf(*op))
            j["findings"].push_back({{"key", f.key}, {"title", f.title}, {"unit", f.unit}, {"help", f.help}});
        for (const RunSeriesInfo& s : seriesOf(*op))
            j["series"].push_back({{"key", s.key},
                                   {"title", s.title},
                                   {"help", s.help},
                                   {"x", {{"title", s.xTitle}, {"unit", s.xUnit}}},
                                   {"y", {{"title", s.yTitle}, {"unit", s.yUnit}}}});
        for (const RunLapInfo& l : lapsOf(*op)) j["laps"].push_back({{"key", l.key}, {"title", l.title}, {"help", l.help}});
        if (const auto* has = capability<HasRegions>(*op))
            for (const std::string& title : has->regionTitles()) j["regions"].push_back({{"title", title}});
        if (const auto t = transferInfoOf(*op))
            j["transfer"] = {{"input", {{"title", t->inputTitle}}}, {"output", {{"title", t->outputTitle}}}, {"help", t->help}};
        j["implementations"] = Json::array();
        text += fmt::format("{}: {}\n  {}\n", op->id(), op->title(), op->help());
        if (!id.empty()) {
            text += "\nParameters:\n";
            for (const auto& p : op->parameters().infos()) text += textOf(p);
            if (!presetsOf(*op).empty()) text += "\nPresets:\n";
            for (const ParameterPreset& p : presetsOf(*op))
                text += fmt::format("  preset={}\n      {}: {}\n      {}\n", p.key, p.title, p.help,
                                    joined(p.values, ",", [](const auto& v) { return v.first + "=" + v.second; }));
            if (!statisticsOf(*op).empty()) text += "\nStatistics of a run:\n";
            for (const StatisticInfo& f : statisticsOf(*op))
                text += fmt::format("  {}: {}{}\n      {}\n", f.key, f.title, f.unit.empty() ? "" : ", " + f.unit, f.help);
            text += "\nVariants:\n";
        }
        for (const auto& b : catalog.backends())
            for (const Implementation* i : catalog.implementations(op->id(), b->id())) {
                j["implementations"].push_back({{"backend", b->id()}, {"variant", i->variant()}, {"summary", i->summary()}});
                if (!id.empty()) text += fmt::format("  {}.{}: {}\n", b->id(), i->variant(), i->summary());
            }
        list.push_back(std::move(j));
    }
    if (id.empty()) text += "\nSee 'parallax-cli operations ID' for parameters and variants.\n";
    Json all{{"schema", "parallax.operations"}, {"schema_version", 1}, {"operations", std::move(list)}};
    if (id.empty()) {
        all["generated"] = Json::array();
        for (const SyntheticKindInfo& k : syntheticKinds())
            all["generated"].push_back({{"key", k.key}, {"title", k.title}, {"help", k.help}});
    }
    if (json) printJson(all);
    else printData(text);
    return 0;
}

}  // namespace

void addOperations(CLI::App& app, Action& chosen) {
    auto json = std::make_shared<bool>(false);
    auto id = std::make_shared<std::string>();
    CLI::App* sub = app.add_subcommand("operations", "List operations, or describe one: parameters, presets, implementations");
    addExamples(*sub, {"operations", "operations convolve", "operations --json"});
    sub->add_option("id", *id, "Describe this operation [list all]")->type_name("ID");
    sub->add_flag("--json", *json, "Print JSON to standard output");
    sub->callback([=, &chosen] { chosen = [=] { return operations(*id, *json); }; });
}

}  // namespace parallax::cli
