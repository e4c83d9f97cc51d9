// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/energy/rapl.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "core/image/texts.hpp"
#include "core/measure/conditions/machine.hpp"

namespace parallax {
namespace {

std::optional<std::uint64_t> numberIn(const std::string& file) {
    std::uint64_t value = 0;
    return parseNumber(firstLine(file), value) ? std::optional(value) : std::nullopt;
}

/// Folders of the zones of one level in their order: "intel-rapl:0" of packages, "intel-rapl:0:1" within one. AMD has the same names.
std::vector<std::string> zonesIn(const std::string& folder, const std::string& prefix) {
    std::vector<std::string> zones;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with(prefix) && name.find(':', prefix.size()) == std::string::npos) zones.push_back(entry.path().string());
    }
    std::sort(zones.begin(), zones.end());
    return zones;
}

}  // namespace

std::string powercapFolder() {
    const char* const folder = std::getenv("PARALLAX_POWERCAP");
    return folder && *folder ? folder : "/sys/class/powercap";
}

Rapl::Rapl(const std::string& folder) {
    std::vector<std::string> names;
    const auto add = [&](const std::string& zone, const std::string& name) {
        const std::string file = zone + "/energy_uj";
        const std::optional<std::uint64_t> value = numberIn(file), range = numberIn(zone + "/max_energy_range_uj");
        if (!value) {
            reason_ = "RAPL cannot be read: '" + file + "' needs other rights, as given by 'sudo chmod a+r'";
            return;
        }
        counters_.push_back({file, range.value_or(0), *value});
        names.push_back(name);
    };
    // Other zones are parts of packages (core, uncore) or contain them (psys).
    for (const std::string& package : zonesIn(folder, "intel-rapl:")) {
        const std::string name = firstLine(package + "/name");
        if (!name.starts_with("package")) continue;
        add(package, name);
        const std::string inside = std::filesystem::path(package).filename().string() + ":";
        for (const std::string& zone : zonesIn(package, inside))
            if (firstLine(zone + "/name") == "dram") add(zone, name + " dram");
    }
    if (counters_.empty() && reason_.empty()) reason_ = "this machine shows no counters of RAPL in '" + folder + "'";
    source_ = "RAPL (" + joined(names, ", ") + ")";
}

EnergyReading Rapl::read() {
    if (!reason_.empty()) return {{}, {}, reason_};
    for (Counter& c : counters_) {
        const std::optional<std::uint64_t> now = numberIn(c.file);
        if (!now) return {{}, {}, "RAPL can no longer be read: '" + c.file + "'"};
        const std::uint64_t used = *now >= c.last ? *now - c.last : c.range > 0 ? *now + c.range - c.last : 0;
        joules_ += static_cast<double>(used) * 1e-6;
        c.last = *now;
    }
    return {joules_, source_, {}};
}

}  // namespace parallax
