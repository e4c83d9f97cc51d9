// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/cli/arguments.hpp"
#include "app/cli/console.hpp"

namespace parallax::cli {
namespace {

int devices(bool json) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    std::string text;
    for (const auto& backend : processCatalog().backends()) {
        const Availability a = backend->availability();
        nlohmann::ordered_json b{
            {"id", backend->id()}, {"title", backend->title()}, {"available", a.yes}, {"reason", a.reason}, {"what_to_do", a.whatToDo}};
        b["devices"] = nlohmann::ordered_json::array();
        text += fmt::format("{:<10} {}\n", backend->id(),
                            a.yes ? backend->title() : "not available: " + a.reason + (a.whatToDo.empty() ? "" : ". " + a.whatToDo));
        if (a.yes)
            for (const DeviceInfo& d : backend->devices()) {
                nlohmann::ordered_json details = nlohmann::ordered_json::object();
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
        nlohmann::ordered_json implementations = nlohmann::ordered_json::array();
        if (a.yes)
            for (const Implementation* i : backend->implementations())
                implementations.push_back({{"operation", i->operation()}, {"variant", i->variant()}, {"summary", i->summary()}});
        b["implementations"] = std::move(implementations);
        b["modes"] = nlohmann::ordered_json::array();
        for (const ModeInfo& m : backend->modes()) {
            b["modes"].push_back({{"name", toText(m.modes)}, {"modes", m.modes}, {"summary", m.summary}});
            if (a.yes) text += fmt::format("  +{}: {}\n", toText(m.modes), m.summary);
        }
        list.push_back(std::move(b));
    }
    printData(json ? nlohmann::ordered_json{{"schema", "parallax.devices"}, {"schema_version", 1}, {"backends", list}}.dump(2) + "\n"
                   : text);
    return 0;
}

}  // namespace

void addDevices(CLI::App& app, Action& chosen) {
    auto json = std::make_shared<bool>(false);
    CLI::App* sub = app.add_subcommand("devices", "Backends and devices: available, or why not");
    sub->add_flag("--json", *json, "Machine-readable output");
    sub->callback([=, &chosen] { chosen = [=] { return devices(*json); }; });
}

}  // namespace parallax::cli
