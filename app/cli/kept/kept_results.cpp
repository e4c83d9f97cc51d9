// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/kept/kept_results.hpp"

#include <algorithm>

#include "app/cli/console.hpp"
#include "core/image/error.hpp"
#include "core/report/kept/history.hpp"

namespace parallax::cli {

void KeptArguments::addHistory(CLI::App& app) {
    app.add_flag("--no-history", noHistory, "Keep the measurement out of the history that the window shows");
}

void KeptArguments::add(CLI::App& app) {
    app.add_option("--compare-with", compareWith,
                   "Compare with a report or a saved baseline, see 'parallax-cli baselines'; NAME=REPORT.json shows a report under a name; "
                   "repeatable")
        ->take_all()
        ->type_name("BASELINE");
    app.add_option("--save-baseline", saveBaseline, "Save the measurement as a baseline of this name; --force replaces one")
        ->type_name("NAME");
    addHistory(app);
}

std::vector<NamedRecords> KeptArguments::open(bool replace) const {
    const Baselines baselines;
    std::vector<NamedRecords> opened;
    for (const std::string& text : compareWith) {
        NamedRecords records = baselineFor(text, baselines);
        if (std::any_of(opened.begin(), opened.end(), [&](const NamedRecords& r) { return r.name == records.name; }))
            throw Error(ErrorCode::usage, "--compare-with has two baselines named '" + records.name + "'", {},
                        "Name them: --compare-with NAME=REPORT.json");
        opened.push_back(std::move(records));
    }
    if (saveBaseline.empty()) return opened;
    checkBaselineName(saveBaseline);
    if (!replace && baselines.has(saveBaseline))
        throw Error(ErrorCode::output, "There is a baseline '" + saveBaseline + "' already", {},
                    "Choose another name, or replace it with --force");
    return opened;
}

void KeptArguments::keep(const std::vector<RunRecord>& records, bool replace) const {
    if (interrupted()) {
        if (!saveBaseline.empty())
            printMessage("note: the baseline '" + saveBaseline + "' was not saved, since the measurement was stopped before its end");
        return;
    }
    const HistorySettings settings = historySettings();
    if (!noHistory && settings.keeps && !historyFolder().empty()) try {
            (void)addToHistory(records, historyFolder(), settings.runs);
        } catch (const Error& e) {
            printMessage(std::string("note: ") + e.what());
        }
    if (saveBaseline.empty()) return;
    Baselines().save(saveBaseline, records, replace);
    printMessage("saved the baseline '" + saveBaseline + "'");
}

}  // namespace parallax::cli
