// SPDX-License-Identifier: GPL-3.0-or-later
// Conditions that make a measurement doubtful, each with a name, an observation and advice. Nothing is changed on the system.
#pragma once

#include <string>
#include <vector>

#include "core/engine/backend/backend.hpp"
#include "core/engine/run/build_info.hpp"
#include "core/engine/run/run_record.hpp"

namespace parallax {

/// System counters at one moment. Unreadable ones stay 0.
struct SystemSnapshot {
    double load = 0;              ///< load average of the last minute
    bool onBattery = false;       ///< a battery discharges and no mains adapter is connected
    std::uint64_t throttles = 0;  ///< thermal throttling events of cores and packages since boot
    double wallSeconds = 0;       ///< steady clock
    double busySeconds = 0;       ///< CPU time of all programs since boot
    double stolenSeconds = 0;     ///< CPU time that the hypervisor gave to other guests
    double ownSeconds = 0;        ///< CPU time of this process and of those that it started, as for kernels of users
};
/// `root`: "/", or in tests a folder with proc/ and sys/ of another machine.
SystemSnapshot takeSnapshot(const std::string& root = "/");

/// Conditions before a measurement: "debug-build", "governor", "battery", "load".
std::vector<Condition> conditionsOfMachine(const MachineRecord& machine, const BuildInfo& build, const SystemSnapshot& now);
/// Conditions during a measurement: "cpu-throttled", "busy" (other programs), "stolen". The counters have steps of 10 ms, so the last two
/// need at least 0.3 s.
std::vector<Condition> conditionsWhile(const MachineRecord& machine, const SystemSnapshot& before, const SystemSnapshot& after);
/// Conditions of one entry: "few-samples", "noise", "outliers", "drift" (first third of the samples against the last), "timer",
/// "oversubscribed". None for an entry that is not done. `clockStepNs`: resolution of the clock that timed it.
std::vector<Condition> conditionsOfEntry(const RunEntry& entry, const ProtocolRecord& protocol, const MachineRecord& machine,
                                         double clockStepNs);

/// "name: observation. advice", the form that records keep.
std::string toText(const Condition& condition);
/// Appends the conditions whose names are not in the list yet.
void addConditions(std::vector<std::string>& texts, const std::vector<Condition>& conditions);

}  // namespace parallax
