// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/conditions/trust.hpp"

#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "core/measure/conditions/machine.hpp"
#include "core/measure/sampling/entry_times.hpp"

namespace parallax {
namespace {

std::string tenths(double value) {
    const auto n = std::lround(std::fabs(value) * 10);
    return (value < 0 && n > 0 ? "-" : "") + std::to_string(n / 10) + "." + std::to_string(n % 10);
}

std::string percent(double fraction) { return tenths(100 * fraction) + " %"; }

/// Entries of a folder that can be read.
std::vector<std::filesystem::path> entriesOf(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> all;
    std::error_code error;
    for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) all.push_back(it->path());
    return all;
}

bool runsOnBattery(const std::filesystem::path& root) {
    bool discharging = false, mains = false;
    for (const auto& supply : entriesOf(root / "sys/class/power_supply")) {
        const std::string type = firstLine(supply / "type");
        // The battery of a mouse has the scope "Device".
        if (type == "Battery" && firstLine(supply / "scope") != "Device") discharging |= firstLine(supply / "status") == "Discharging";
        if (type == "Mains" || type.starts_with("USB")) mains |= firstLine(supply / "online") == "1";
    }
    return discharging && !mains;
}

std::uint64_t countThrottles(const std::filesystem::path& root) {
    std::uint64_t count = 0;
    for (const auto& cpu : entriesOf(root / "sys/devices/system/cpu")) {
        const std::string name = cpu.filename().string();
        if (!name.starts_with("cpu") || name.size() < 4 || name[3] < '0' || name[3] > '9') continue;
        for (const char* counter : {"core_throttle_count", "package_throttle_count"})
            count += std::strtoull(firstLine(cpu / "thermal_throttle" / counter).c_str(), nullptr, 10);
    }
    return count;
}

void readProcessorTimes(const std::filesystem::path& root, SystemSnapshot& s) {
    std::istringstream line(firstLine(root / "proc/stat"));
    std::string name;
    double user = 0, nice = 0, system = 0, idle = 0, waiting = 0, interrupts = 0, soft = 0, stolen = 0;
    if (!(line >> name >> user >> nice >> system >> idle >> waiting >> interrupts >> soft) || name != "cpu") return;
    line >> stolen;
    const auto ticks = static_cast<double>(sysconf(_SC_CLK_TCK));
    s.busySeconds = (user + nice + system + interrupts + soft) / ticks;
    s.stolenSeconds = stolen / ticks;
}

double secondsOf(const timeval& t) { return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec); }

/// CPU time of the programs below this one that run now, and of those below them that have ended.
double secondsOfRunningChildren(const std::filesystem::path& root) {
    std::multimap<long, std::pair<long, double>> children;  // by parent: number and ticks
    for (const auto& process : entriesOf(root / "proc")) {
        const long number = std::strtol(process.filename().c_str(), nullptr, 10);
        if (number <= 0) continue;
        const std::string stat = firstLine(process / "stat");  // proc_pid_stat(5); the name may contain anything
        std::istringstream rest(stat.substr(std::min(stat.size(), stat.rfind(')') + 1)));
        std::string state, skipped;
        long parent = 0;
        double user = 0, system = 0, userOfEnded = 0, systemOfEnded = 0;
        rest >> state >> parent;
        for (int i = 5; i < 14; ++i) rest >> skipped;
        if (rest >> user >> system >> userOfEnded >> systemOfEnded)
            children.emplace(parent, std::pair(number, user + system + userOfEnded + systemOfEnded));
    }
    double ticks = 0;
    std::vector<long> parents{getpid()};
    while (!parents.empty()) {
        const auto [first, last] = children.equal_range(parents.back());
        parents.pop_back();
        for (auto child = first; child != last; ++child) {
            ticks += child->second.second;
            parents.push_back(child->second.first);
        }
    }
    return ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
}

}  // namespace

SystemSnapshot takeSnapshot(const std::string& root) {
    SystemSnapshot s;
    std::ifstream(std::filesystem::path(root) / "proc/loadavg") >> s.load;
    s.onBattery = runsOnBattery(root);
    s.throttles = countThrottles(root);
    readProcessorTimes(root, s);
    timespec own{};
    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &own) == 0)
        s.ownSeconds = static_cast<double>(own.tv_sec) + 1e-9 * static_cast<double>(own.tv_nsec);
    rusage ended{};
    if (getrusage(RUSAGE_CHILDREN, &ended) == 0) s.ownSeconds += secondsOf(ended.ru_utime) + secondsOf(ended.ru_stime);
    s.ownSeconds += secondsOfRunningChildren(root);
    s.wallSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
    return s;
}

std::vector<Condition> conditionsOfMachine(const MachineRecord& machine, const BuildInfo& build, const SystemSnapshot& now) {
    std::vector<Condition> all;
    if (!build.optimised())
        all.push_back({"debug-build", "The build is not optimised, so its times are meaningless", "Build the release preset"});
    if (!machine.governor.empty() && machine.governor != "performance")
        all.push_back({"governor", "The CPU governor is '" + machine.governor + "', so the clock rate may change during the measurement",
                       "Set it to 'performance': sudo cpupower frequency-set -g performance"});
    if (now.onBattery)
        all.push_back({"battery", "The machine runs on battery, which may limit the clock rate", "Connect the power supply"});
    if (now.load > 0.5 * machine.hardwareThreads + 1)
        all.push_back({"load",
                       "Other programs load the machine (load average " + tenths(now.load) + " on " +
                           std::to_string(machine.hardwareThreads) + " hardware threads)",
                       "Close them or wait a minute"});
    return all;
}

std::vector<Condition> conditionsWhile(const MachineRecord& machine, const SystemSnapshot& before, const SystemSnapshot& after) {
    std::vector<Condition> all;
    if (after.throttles > before.throttles)
        all.push_back({"cpu-throttled",
                       "The CPU was throttled " + std::to_string(after.throttles - before.throttles) +
                           " times during the measurement because of heat",
                       "Improve the cooling, or take shorter measurements with pauses"});
    const double wall = after.wallSeconds - before.wallSeconds;
    if (wall < 0.3 || after.busySeconds <= 0) return all;
    const double others = (after.busySeconds - before.busySeconds - (after.ownSeconds - before.ownSeconds)) / wall;
    if (others > std::max(0.25, 0.1 * machine.hardwareThreads))
        all.push_back({"busy",
                       "Other programs used " + tenths(others) + " of " + std::to_string(machine.hardwareThreads) +
                           " hardware threads during the measurement",
                       "Close them"});
    const double stolen = (after.stolenSeconds - before.stolenSeconds) / wall;
    if (stolen > 0.02 * std::max(1, machine.hardwareThreads))
        all.push_back({"stolen",
                       "The host gave " + tenths(stolen) + " hardware threads of this virtual machine to others during the measurement",
                       "Measure while the host is idle, or on a physical machine"});
    return all;
}

std::vector<Condition> conditionsOfEntry(const RunEntry& entry, const ProtocolRecord& protocol, const MachineRecord& machine,
                                         double clockStepNs) {
    std::vector<Condition> all;
    if (entry.status != RunStatus::done) return all;
    if (static_cast<int>(entry.samples.size()) < protocol.minimumSamples)
        all.push_back({"few-samples",
                       "Only " + std::to_string(entry.samples.size()) + " of at least " + std::to_string(protocol.minimumSamples) +
                           " timing samples were taken before the time limit",
                       "Use a higher effort or a smaller image"});
    if (machine.usableThreads > 0 && entry.threads > machine.usableThreads)
        all.push_back({"oversubscribed",
                       std::to_string(entry.threads) + " threads share the " + std::to_string(machine.usableThreads) +
                           " hardware threads available to this process",
                       "Use at most that many threads"});
    const BlockedSamples compute = timesOf(entry, Time::compute);
    const SampleSummary s = summarise(compute);
    if (s.median <= 0) return all;
    if (s.median < 20 * clockStepNs)
        all.push_back({"timer", "A timing sample is shorter than 20 clock steps of " + tenths(clockStepNs) + " ns", "Use a larger image"});
    const double halfWidth = (s.medianInterval.high - s.medianInterval.low) / 2 / s.median;
    if (halfWidth > 2 * protocol.targetNoise)
        all.push_back({"noise", "The median is known only to +-" + percent(halfWidth), "Reduce other load or use a higher effort"});
    if (s.count >= 10 && 10 * s.outliers > s.count)
        all.push_back({"outliers",
                       std::to_string(s.outliers) + " of " + std::to_string(s.count) + " timing samples are far from the median",
                       "Look at the runs chart: other programs may have interfered"});
    if (compute.values.size() >= 12) {
        const std::size_t third = compute.values.size() / 3;
        const std::span<const double> samples(compute.values);
        const double change = median(samples.last(third)) / median(samples.first(third)) - 1;
        if (std::fabs(change) > 0.1)
            all.push_back({"drift", "Times changed by " + percent(change) + " between the first and the last third of the samples",
                           "Let the machine cool down or warm up first: the clock rate may have changed"});
    }
    return all;
}

std::string toText(const Condition& c) { return c.name + ": " + c.what + (c.advice.empty() ? "" : ". " + c.advice); }

void addConditions(std::vector<std::string>& texts, const std::vector<Condition>& conditions) {
    for (const Condition& c : conditions)
        if (std::none_of(texts.begin(), texts.end(), [&](const std::string& t) { return t.starts_with(c.name + ": "); }))
            texts.push_back(toText(c));
}

}  // namespace parallax
