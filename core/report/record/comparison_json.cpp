// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/record/comparison_json.hpp"

#include <nlohmann/json.hpp>

#include "core/image/error.hpp"
#include "core/report/record/record_json.hpp"

namespace parallax {
namespace {

using Json = nlohmann::ordered_json;

Json entryToJson(const ComparedEntry& e) {
    Json j{{"label", e.label}, {"base_ns", jsonOf(e.baseNs)}, {"new_ns", jsonOf(e.newNs)}};
    j["ratio"] = jsonOf(e.ratioOfMedians());
    j["ratio_low"] = jsonOf(e.ratio.low);
    j["ratio_high"] = jsonOf(e.ratio.high);
    j["verdict"] = verdictName(e.verdict);
    j["regression"] = e.regression;
    if (e.sameResult) j["same_result"] = *e.sameResult;
    return j;
}

Verdict verdictFrom(const std::string& name) {
    for (const Verdict v : {Verdict::faster, Verdict::slower, Verdict::same, Verdict::undecided})
        if (verdictName(v) == name) return v;
    throw Error(ErrorCode::input, "'" + name + "' is not a verdict");
}

ComparedEntry entryFrom(const Json& j) {
    ComparedEntry e;
    e.label = j.at("label").get<std::string>();
    e.baseNs = numberFrom(j.at("base_ns"));
    e.newNs = numberFrom(j.at("new_ns"));
    e.ratio = {numberFrom(j.at("ratio_low")), numberFrom(j.at("ratio_high"))};
    e.verdict = verdictFrom(j.at("verdict").get<std::string>());
    e.regression = j.at("regression").get<bool>();
    if (j.contains("same_result")) e.sameResult = j.at("same_result").get<bool>();
    return e;
}

}  // namespace

Json comparisonsToJson(const std::vector<NamedComparison>& comparisons) {
    Json list = Json::array();
    for (const NamedComparison& c : comparisons) {
        Json entries = Json::array();
        for (const ComparedEntry& e : c.result.entries) entries.push_back(entryToJson(e));
        list.push_back({{"baseline", c.name}, {"entries", std::move(entries)}, {"notes", c.result.warnings}});
    }
    return list;
}

std::vector<NamedComparison> comparisonsFrom(const Json& list) {
    std::vector<NamedComparison> comparisons;
    for (const Json& j : list) {
        NamedComparison& c = comparisons.emplace_back();
        c.name = j.at("baseline").get<std::string>();
        for (const Json& e : j.at("entries")) c.result.entries.push_back(entryFrom(e));
        c.result.warnings = j.at("notes").get<std::vector<std::string>>();
    }
    return comparisons;
}

}  // namespace parallax
