// SPDX-License-Identifier: GPL-3.0-or-later
// Conditions that make measurements doubtful, each with a name, what was seen and what to do. Nothing is changed on the system.
#pragma once

#include <string>
#include <vector>

#include "core/engine/backend/backend.hpp"
#include "core/engine/run/build_info.hpp"
#include "core/engine/run/run_record.hpp"

namespace parallax {

/// What the system counts, at one moment. What cannot be read stays 0 or empty.
struct SystemSnapshot {
    double load = 0;              ///< of the last minute, as in /proc/loadavg
    bool onBattery = false;       ///< a battery gives power and no mains adapter is connected
    std::uint64_t throttles = 0;  ///< how often cores or packages were slowed down because of heat, since the start
    double wallSeconds = 0;       ///< steady clock
    double busySeconds = 0;       ///< of all hardware threads and all programs, since the start
    double stolenSeconds = 0;     ///< that the hypervisor gave to other guests
    double ownSeconds = 0;        ///< of this process
};
/// `root`: "/" or, in tests, a folder that holds proc/ and sys/ of another machine.
SystemSnapshot takeSnapshot(const std::string& root = "/");

/// Before anything is measured: "debug-build", "governor", "battery", "load".
std::vector<Condition> conditionsOfMachine(const MachineRecord& machine, const BuildInfo& build, const SystemSnapshot& now);
/// After: "cpu-throttled", "busy" (other programs while measuring), "stolen". The counters have steps of 10 ms, so that nothing
/// is said of the last two about less than 0.3 s.
std::vector<Condition> conditionsWhile(const MachineRecord& machine, const SystemSnapshot& before, const SystemSnapshot& after);
/// Of one entry: "few-samples", "noise", "outliers", "drift" (the first third of the samples against the last), "timer",
/// "oversubscribed". Nothing for one that is not done.
std::vector<Condition> conditionsOfEntry(const RunEntry& entry, const ProtocolRecord& protocol, const MachineRecord& machine);

/// "governor: The processor's governor is 'powersave'. Set it to 'performance'": as records keep it.
std::string toText(const Condition& condition);
/// Appends what is not yet there, by name.
void addConditions(std::vector<std::string>& texts, const std::vector<Condition>& conditions);

}  // namespace parallax
