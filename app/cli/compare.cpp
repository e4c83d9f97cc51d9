// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/record/compare.hpp"
#include "app/cli/arguments.hpp"
#include "app/cli/console.hpp"
#include "app/cli/exit_codes.hpp"
#include "app/cli/output.hpp"
#include "core/image/error.hpp"
#include "core/io/codec/text.hpp"
#include "core/report/record/record_json.hpp"

namespace parallax::cli {
namespace {

int compare(const std::string& basePath, const std::string& newPath, double limit, bool json) {
    const auto base = loadRecords(basePath), current = loadRecords(newPath);
    Json list = Json::array();
    std::string text;
    bool regression = false;
    std::size_t compared = 0;
    if (base.size() != current.size())
        printMessage("note: the reports have different numbers of records; only the common first ones are compared");
    for (std::size_t r = 0; r < std::min(base.size(), current.size()); ++r) {
        const RecordComparison c = compareRecords(base[r], current[r], limit);
        regression = regression || c.hasRegression();
        compared += c.entries.size();
        Json entries = Json::array();
        for (const ComparedEntry& e : c.entries) {
            entries.push_back({{"label", e.label},
                               {"base_ns", e.baseNs},
                               {"new_ns", e.newNs},
                               {"ratio_low", e.ratio.low},
                               {"ratio_high", e.ratio.high},
                               {"verdict", verdictName(e.verdict)},
                               {"regression", e.regression}});
            if (e.sameResult) entries.back()["same_result"] = *e.sameResult;
        }
        text += toText(c);
        list.push_back({{"entries", std::move(entries)}, {"warnings", c.warnings}});
    }
    if (compared == 0)
        throw Error(ErrorCode::usage, "Cannot compare the reports", "no backend has a valid result in both",
                    "Give two reports of the same pipeline");
    if (json) printJson({{"schema", "parallax.comparison"}, {"schema_version", 1}, {"comparisons", list}});
    else printData(printable(text, "\n"));
    return regression ? kRegression : kSuccess;
}

}  // namespace

void addCompare(CLI::App& app, Action& chosen) {
    struct Arguments {
        std::string base, current;
        double limit = -1;
        bool json = false;
    };
    auto a = std::make_shared<Arguments>();
    CLI::App* sub = app.add_subcommand("compare", "Compare two JSON reports of the same pipeline");
    addExamples(*sub, {"compare before.json after.json --fail-on-regression 5"});
    sub->add_option("base", a->base, "Earlier report")->required()->type_name("BASE.json");
    sub->add_option("new", a->current, "Later report")->required()->type_name("NEW.json");
    sub->add_option("--fail-on-regression", a->limit, "Fail with exit code 8 if a backend became slower by more than PERCENT %")
        ->transform(realNumber(0, 1e6))
        ->type_name("PERCENT");
    sub->add_flag("--json", a->json, "Print JSON to standard output");
    sub->callback([=, &chosen] { chosen = [=] { return compare(a->base, a->current, a->limit, a->json); }; });
}

}  // namespace parallax::cli
