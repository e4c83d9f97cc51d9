// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/kept/baselines.hpp"

#include <fmt/format.h>

#include "app/cli/arguments.hpp"
#include "app/cli/console.hpp"
#include "app/cli/output.hpp"
#include "core/image/error.hpp"
#include "core/image/texts.hpp"
#include "core/io/codec/text.hpp"
#include "core/report/record/record_json.hpp"

namespace parallax::cli {
namespace {

int list(bool json) {
    const Baselines baselines;
    Json all = Json::array();
    std::string text;
    for (const std::string& name : baselines.names()) {
        Json one{{"name", name}, {"file", baselines.pathOf(name)}};
        try {
            const std::vector<RunRecord> records = baselines.load(name);
            const RunRecord& first = records.front();
            one["when"] = first.when;
            one["input"] = first.input.name;
            one["records"] = records.size();
            one["cpu"] = first.machine.cpu;
            text += fmt::format("{}: {}, {}, {}, {}\n", name, first.when, counted(static_cast<std::int64_t>(records.size()), "record"),
                                joined(first.recipe, " | "), first.machine.cpu);
        } catch (const Error& e) {
            one["problem"] = e.what();
            text += name + ": " + e.what() + "\n";
        }
        all.push_back(std::move(one));
    }
    if (json) printJson({{"schema", "parallax.baselines"}, {"schema_version", 1}, {"baselines", all}});
    else if (text.empty()) printMessage("No baseline has been saved; 'bench --save-baseline NAME' saves one");
    else printData(printable(text, "\n"));
    return 0;
}

}  // namespace

void addBaselines(CLI::App& app, Action& chosen) {
    struct Arguments {
        std::string name, other;
        bool json = false, force = false;
    };
    auto a = std::make_shared<Arguments>();
    CLI::App* sub = app.add_subcommand("baselines", "List, save, rename and remove the baselines of 'bench --compare-with'");
    sub->require_subcommand(1);
    addExamples(*sub, {"baselines list", "baselines save release-1.0 r.json", "baselines rename release-1.0 old", "baselines remove old"});
    CLI::App* listed = sub->add_subcommand("list", "List the saved baselines");
    addExamples(*listed, {"baselines list --json"});
    listed->add_flag("--json", a->json, "Print JSON to standard output");
    listed->callback([=, &chosen] { chosen = [=] { return list(a->json); }; });
    CLI::App* save = sub->add_subcommand("save", "Save a report as a baseline");
    addExamples(*save, {"baselines save release-1.0 r.json"});
    save->add_option("name", a->name, "Name of the baseline")->required()->type_name("NAME");
    save->add_option("report", a->other, "JSON report of 'bench'")->required()->type_name("REPORT.json");
    save->add_flag("--force", a->force, "Replace a baseline of this name");
    save->callback([=, &chosen] {
        chosen = [=] {
            Baselines().save(a->name, loadRecords(a->other), a->force);
            return 0;
        };
    });
    CLI::App* rename = sub->add_subcommand("rename", "Rename a baseline");
    addExamples(*rename, {"baselines rename release-1.0 old"});
    rename->add_option("name", a->name, "Baseline")->required()->type_name("BASELINE");
    rename->add_option("new-name", a->other, "Its new name")->required()->type_name("NEW");
    rename->callback([=, &chosen] {
        chosen = [=] {
            Baselines().rename(a->name, a->other);
            return 0;
        };
    });
    CLI::App* remove = sub->add_subcommand("remove", "Remove a baseline");
    addExamples(*remove, {"baselines remove old"});
    remove->add_option("name", a->name, "Baseline")->required()->type_name("BASELINE");
    remove->callback([=, &chosen] {
        chosen = [=] {
            Baselines().remove(a->name);
            return 0;
        };
    });
}

}  // namespace parallax::cli
