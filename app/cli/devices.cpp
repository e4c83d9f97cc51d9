// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "app/cli/arguments.hpp"
#include "app/cli/console.hpp"
#include "app/cli/output.hpp"
#include "core/measure/ceilings/ceilings.hpp"
#include "core/measure/energy/energy_counters.hpp"

namespace parallax::cli {
namespace {

/// "to 1 396.2 GB/s", by saved ceilings; empty if none were measured.
std::string measuredLinks(const std::string& backend, const DeviceInfo& device) {
    std::string links;
    for (const CeilingRecord& c : loadCeilings(backend, device))
        if (c.name == "peer") links += fmt::format("{}{} {:.1f} {}", links.empty() ? "" : ", ", c.level, c.value, c.unit);
    return links;
}

std::string energyOf(const Backend& backend, const DeviceInfo& device) {
    const EnergyReading reading = readEnergyCounter(backend, device);
    return reading.joules ? reading.source : "not available: " + reading.reason;
}

int devices(bool json) {
    Json list = Json::array();
    std::string text;
    for (const auto& backend : processCatalog().backends()) {
        const Availability a = backend->availability();
        Json b{{"id", backend->id()}, {"title", backend->title()}, {"available", a.yes}, {"reason", a.reason}, {"what_to_do", a.whatToDo}};
        b["devices"] = Json::array();
        text += fmt::format("{:<10} {}\n", backend->id(),
                            a.yes ? backend->title() : "not available: " + a.reason + (a.whatToDo.empty() ? "" : ". " + a.whatToDo));
        if (a.yes)
            for (DeviceInfo d : backend->devices()) {
                if (const std::string links = measuredLinks(backend->id(), d); !links.empty())
                    d.details.emplace_back("links as measured by 'ceilings'", links);
                d.details.emplace_back("energy counter", energyOf(*backend, d));
                Json details = Json::object();
                for (const auto& [k, v] : d.details) details[k] = v;
                b["devices"].push_back({{"index", d.index},
                                        {"name", d.name},
                                        {"memory_total", d.memoryTotal},
                                        {"memory_free", d.memoryFree},
                                        {"details", details}});
                text += fmt::format("  {}: {}, {:.1f} of {:.1f} GiB free\n", d.index, d.name, static_cast<double>(d.memoryFree) / (1 << 30),
                                    static_cast<double>(d.memoryTotal) / (1 << 30));
                for (const auto& [k, v] : d.details) text += fmt::format("     {}: {}\n", k, v);
            }
        Json implementations = Json::array();
        if (a.yes)
            for (const Implementation* i : backend->implementations())
                implementations.push_back({{"operation", i->operation()}, {"variant", i->variant()}, {"summary", i->summary()}});
        b["implementations"] = std::move(implementations);
        b["modes"] = Json::array();
        for (const ModeInfo& m : backend->modes()) {
            b["modes"].push_back({{"name", toText(m.modes)}, {"modes", m.modes}, {"summary", m.summary}});
            if (a.yes) text += fmt::format("  +{}: {}\n", toText(m.modes), m.summary);
        }
        list.push_back(std::move(b));
    }
    if (json) printJson({{"schema", "parallax.devices"}, {"schema_version", 1}, {"backends", list}});
    else printData(text);
    return 0;
}

}  // namespace

void addDevices(CLI::App& app, Action& chosen) {
    auto json = std::make_shared<bool>(false);
    CLI::App* sub = app.add_subcommand("devices", "List backends, their devices and why any of them is unavailable");
    addExamples(*sub, {"devices", "devices --json"});
    sub->add_flag("--json", *json, "Print JSON to standard output");
    sub->callback([=, &chosen] { chosen = [=] { return devices(*json); }; });
}

}  // namespace parallax::cli
