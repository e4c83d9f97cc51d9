// SPDX-License-Identifier: GPL-3.0-or-later
#include <nlohmann/json.hpp>

#include "app/cli/arguments.hpp"
#include "app/cli/console.hpp"
#include "app/cli/exit_codes.hpp"
#include "core/image/error.hpp"
#include "core/report/record/compare.hpp"
#include "core/report/record/record_json.hpp"

namespace parallax::cli {
namespace {

int compare(const std::string& basePath, const std::string& newPath, double limit, bool json) {
    const auto base = loadRecords(basePath), current = loadRecords(newPath);
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    std::string text;
    bool regression = false;
    std::size_t compared = 0;
    if (base.size() != current.size()) printMessage("note: the reports hold different numbers of records; the first ones are compared");
    for (std::size_t r = 0; r < std::min(base.size(), current.size()); ++r) {
        const RecordComparison c = compareRecords(base[r], current[r], limit);
        regression = regression || c.hasRegression();
        compared += c.entries.size();
        nlohmann::ordered_json entries = nlohmann::ordered_json::array();
        for (const ComparedEntry& e : c.entries) {
            entries.push_back({{"label", e.label},
                               {"base_ns", e.baseNs},
                               {"new_ns", e.newNs},
                               {"ratio_low", e.ratio.low},
                               {"ratio_high", e.ratio.high},
                               {"verdict", verdictName(e.verdict)},
                               {"regression", e.regression}});
        }
        text += toText(c);
        list.push_back({{"entries", std::move(entries)}, {"warnings", c.warnings}});
    }
    // A check that compared nothing must not pass.
    if (compared == 0)
        throw Error(ErrorCode::usage, "The reports have nothing in common", "no backend was measured rightly in both",
                    "Give two reports of the same work");
    printData(json ? nlohmann::ordered_json{{"schema", "parallax.comparison"}, {"schema_version", 1}, {"comparisons", list}}.dump(2) + "\n"
                   : text);
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
    CLI::App* sub = app.add_subcommand("compare", "Compare two JSON reports of the same work");
    sub->add_option("base", a->base, "The report before")->required()->type_name("BASE.json");
    sub->add_option("new", a->current, "The report after")->required()->type_name("NEW.json");
    sub->add_option("--fail-on-regression", a->limit, "Fail (8) when something became slower by more than this, surely")
        ->transform(realNumber(0, 1e6))
        ->type_name("PERCENT");
    sub->add_flag("--json", a->json, "Machine-readable output");
    sub->callback([=, &chosen] { chosen = [=] { return compare(a->base, a->current, a->limit, a->json); }; });
}

}  // namespace parallax::cli
