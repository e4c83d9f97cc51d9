// SPDX-License-Identifier: GPL-3.0-or-later
#include "parallax/measure/ceilings.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "arguments.hpp"
#include "console.hpp"
#include "parallax/engine/backend.hpp"
#include "parallax/report/summary.hpp"

namespace parallax::cli {
namespace {

struct CeilingArguments {
    std::vector<int> threads;
    bool fresh = false, json = false;
};

int ceilings(const CeilingArguments& a) {
    const std::string file = ceilingsFile();
    std::vector<CeilingRecord> list;
    // What is kept is for every number of threads: an answer for one alone is measured and not kept.
    if (!a.fresh && a.threads.empty()) list = loadCeilings(file);
    const bool kept = !list.empty();
    if (!kept) {
        CeilingOptions options;
        options.threads = a.threads;
        options.stop = interruption();
        options.onProgress = [](const std::string& what, double f) { printProgress(fmt::format("{}: {:.0f} %", what, 100 * f)); };
        list = measureCeilings(options);
        endProgress();
        if (a.threads.empty() && !saveCeilings(list, file)) printMessage("note: the ceilings could not be kept in '" + file + "'");
    }
    nlohmann::ordered_json entries = nlohmann::ordered_json::array();
    std::string text = fmt::format("{:<16} {:<8} {:>7} {:>12}\n", "ceiling", "level", "threads", "best");
    for (const CeilingRecord& c : list) {
        entries.push_back(
            {{"name", c.name}, {"level", c.level}, {"threads", c.threads}, {"value", c.value}, {"unit", c.unit}, {"bytes", c.bytes}});
        text += fmt::format("{:<16} {:<8} {:>7} {:>12}\n", c.name, c.level, c.threads, formatNumber(c.value) + " " + c.unit);
    }
    if (kept) text += "measured before, kept in " + file + "; --fresh measures again\n";
    printData(a.json ? nlohmann::ordered_json{{"schema", "parallax.ceilings"},
                                              {"schema_version", 1},
                                              {"cpu", hostDevice().name},
                                              {"measured_before", kept},
                                              {"file", file},
                                              {"ceilings", std::move(entries)}}
                               .dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) +
                           "\n"
                     : text);
    return 0;
}

}  // namespace

void addCeilings(CLI::App& app, Action& chosen) {
    auto a = std::make_shared<CeilingArguments>();
    CLI::App* sub = app.add_subcommand("ceilings", "Measure how fast this machine can move bytes and compute at most");
    sub->add_option("--threads", a->threads, "Numbers of threads; default: 1, 2, 4, ... and all")
        ->delimiter(',')
        ->check(CLI::Range(1, 4096))
        ->type_name("N,...");
    sub->add_flag("--fresh", a->fresh, "Measure again, also when it was done before");
    sub->add_flag("--json", a->json, "Machine-readable output");
    sub->callback([=, &chosen] { chosen = [=] { return ceilings(*a); }; });
}

}  // namespace parallax::cli
