// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/ceilings/ceilings.hpp"

#include <fmt/format.h>

#include "app/cli/arguments.hpp"
#include "app/cli/console.hpp"
#include "app/cli/output.hpp"
#include "core/engine/backend/backend.hpp"
#include "core/engine/backend/catalog.hpp"
#include "core/image/error.hpp"
#include "core/measure/conditions/trust.hpp"
#include "core/report/record/record_json.hpp"
#include "core/report/record/summary.hpp"

namespace parallax::cli {
namespace {

struct CeilingArguments {
    std::vector<int> threads;
    std::string backend;
    int device = -1;
    bool fresh = false, json = false;
};

/// The CPU, or a device of a backend.
struct Measured {
    const Backend* backend = nullptr;  // null: the CPU
    DeviceInfo device;
    std::string file;
    std::vector<CeilingRecord> list;
    bool kept = false;
};

std::vector<Measured> devicesOf(const Catalog& catalog, const CeilingArguments& a) {
    std::vector<Measured> parts;
    const auto addDevices = [&](const Backend& backend) {
        for (const DeviceInfo& d : backend.devices())
            if (!isProcessor(d) && (a.device < 0 || a.device == d.index))
                parts.push_back({&backend, d, ceilingsFile(backend.id(), d), {}, false});
    };
    const Measured processor{nullptr, hostDevice(), ceilingsFile(), {}, false};
    if (a.backend.empty()) {
        parts.push_back(processor);
        // Thread counts apply to the CPU alone.
        if (a.threads.empty())
            for (const auto& b : catalog.backends())
                if (b->availability().yes) addDevices(*b);
        return parts;
    }
    addDevices(catalog.availableBackend(a.backend));
    if (!parts.empty()) return parts;
    if (a.device > 0)
        throw Error(ErrorCode::unavailable, "Backend '" + a.backend + "' has no device " + std::to_string(a.device), {},
                    "See 'parallax-cli devices'");
    return {processor};
}

void measure(Measured& part, const CeilingArguments& a) {
    const auto progress = [](const std::string& what, double f) { printProgress(fmt::format("{}: {:.0f} %", what, 100 * f)); };
    if (part.backend) {
        CeilingProbe probe;
        probe.stop = interruption();
        probe.onProgress = progress;
        part.list = part.backend->measureCeilings(part.device.index, probe);
        endProgress();
        // While its clocks are still those of the measurement.
        for (const Condition& c : part.backend->conditions(part.device.index)) printMessage("note: " + toText(c));
    } else {
        CeilingOptions options;
        options.threads = a.threads;
        options.stop = interruption();
        options.onProgress = progress;
        part.list = measureCeilings(options);
        endProgress();
    }
    if (!part.list.empty() && a.threads.empty() && !saveCeilings(part.list, part.file))
        printMessage("note: cannot save the ceilings in '" + part.file + "'");
}

int ceilings(const CeilingArguments& a) {
    if (a.device >= 0 && a.backend.empty()) throw Error(ErrorCode::usage, "--device needs --backend", {}, "See 'parallax-cli devices'");
    std::vector<Measured> parts = devicesOf(processCatalog(), a);
    Json entries = Json::array();
    std::string text;
    bool kept = true;
    for (Measured& part : parts) {
        // Saved ceilings cover every thread count; those of chosen counts are always measured and never saved.
        if (!a.fresh && a.threads.empty())
            part.list = part.backend ? loadCeilings(part.backend->id(), part.device) : loadCeilings(part.file);
        part.kept = !part.list.empty();
        if (!part.kept) measure(part, a);
        kept = kept && part.kept;
        text += fmt::format("{}{}\n{:<16} {:<12} {:>7} {:>12}\n", text.empty() ? "" : "\n", part.device.name, "ceiling", "level",
                            part.backend ? "" : "threads", "best");
        for (const CeilingRecord& c : part.list) {
            entries.push_back(jsonOf(c));
            text += fmt::format("{:<16} {:<12} {:>7} {:>12}\n", c.name, c.level, part.backend ? "" : std::to_string(c.threads),
                                formatNumber(c.value) + " " + c.unit);
        }
        if (part.list.empty()) text += "this backend measures no ceilings\n";
        if (part.kept) text += "measured earlier, saved in " + part.file + "; --fresh measures again\n";
    }
    if (a.json)
        printJson({{"schema", "parallax.ceilings"},
                   {"schema_version", 1},
                   {"cpu", processorName()},
                   {"measured_before", kept},
                   {"file", parts.front().file},
                   {"ceilings", std::move(entries)}});
    else printData(text);
    return 0;
}

}  // namespace

void addCeilings(CLI::App& app, Action& chosen) {
    auto a = std::make_shared<CeilingArguments>();
    CLI::App* sub = app.add_subcommand("ceilings", "Measure peak memory bandwidth and arithmetic rate of each device");
    addExamples(*sub, {"ceilings", "ceilings --threads 1,4 --fresh"});
    sub->add_option("--threads", a->threads, "Measure only the CPU with these thread counts [1, 2, 4, ..., all]")
        ->delimiter(',')
        ->transform(wholeNumber(1, 4096))
        ->type_name("N,...");
    sub->add_option("--backend", a->backend, "Measure only the devices of this backend [CPU and every device]")->type_name("NAME");
    sub->add_option("--device", a->device, "With --backend: measure only this device [all]")
        ->transform(wholeNumber(0, 255))
        ->type_name("N");
    sub->add_flag("--fresh", a->fresh, "Measure again instead of printing saved results");
    sub->add_flag("--json", a->json, "Print JSON to standard output");
    sub->callback([=, &chosen] { chosen = [=] { return ceilings(*a); }; });
}

}  // namespace parallax::cli
