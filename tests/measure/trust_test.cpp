// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/conditions/trust.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>

#include "core/measure/sampling/protocol.hpp"
#include "tests/measure/fake_system.hpp"

namespace parallax {
namespace {

std::vector<std::string> names(const std::vector<Condition>& conditions) {
    std::vector<std::string> all;
    for (const Condition& c : conditions) {
        EXPECT_FALSE(c.what.empty()) << c.name;
        EXPECT_FALSE(c.advice.empty()) << c.name;
        all.push_back(c.name);
    }
    return all;
}
using Names = std::vector<std::string>;

MachineRecord quietMachine() {
    MachineRecord m;
    m.hardwareThreads = m.usableThreads = 8;
    m.governor = "performance";
    m.timerResolutionNs = 20;
    return m;
}
BuildInfo release() {
    BuildInfo b;
    b.buildType = "Release";
    return b;
}

TEST(Trust, QuietMachineHasNoConditions) {
    EXPECT_EQ(names(conditionsOfMachine(quietMachine(), release(), {})), Names{});
    EXPECT_EQ(names(conditionsWhile(quietMachine(), {}, {})), Names{});
    // No governor, as in a container.
    MachineRecord unknown = quietMachine();
    unknown.governor.clear();
    EXPECT_EQ(names(conditionsOfMachine(unknown, release(), {})), Names{});
}

TEST(Trust, NamesConditionsOfTheMachine) {
    MachineRecord m = quietMachine();
    m.governor = "powersave";
    SystemSnapshot now;
    now.onBattery = true;
    now.load = 7.26;
    BuildInfo debug = release();
    debug.buildType = "Debug";
    const auto all = conditionsOfMachine(m, debug, now);
    EXPECT_EQ(names(all), (Names{"debug-build", "governor", "battery", "load"}));
    EXPECT_NE(toText(all[1]).find("governor: The CPU governor is 'powersave'"), std::string::npos);
    EXPECT_NE(all[3].what.find("7.3 on 8"), std::string::npos) << all[3].what;
    BuildInfo sanitized = release();
    sanitized.sanitizers = "address";
    EXPECT_EQ(names(conditionsOfMachine(quietMachine(), sanitized, {})), Names{"debug-build"});
}

TEST(Trust, NamesConditionsDuringTheMeasurement) {
    SystemSnapshot before, after;
    before.busySeconds = 100;
    before.throttles = 5;
    after = before;
    after.wallSeconds = 10;
    after.ownSeconds = 60;
    after.busySeconds = 165;  // six of eight threads are ours, half a thread is not: below the limit
    EXPECT_EQ(names(conditionsWhile(quietMachine(), before, after)), Names{});
    after.busySeconds = 190;
    after.stolenSeconds = 4;
    after.throttles = 7;
    const auto all = conditionsWhile(quietMachine(), before, after);
    EXPECT_EQ(names(all), (Names{"cpu-throttled", "busy", "stolen"}));
    EXPECT_NE(all[0].what.find(" 2 times"), std::string::npos);
    EXPECT_NE(all[1].what.find("3.0 of 8"), std::string::npos) << all[1].what;
    // Too short for counters with steps of 10 ms.
    after.wallSeconds = 0.1;
    EXPECT_EQ(names(conditionsWhile(quietMachine(), before, after)), Names{"cpu-throttled"});
}

TEST(Trust, SnapshotReadsProcAndSys) {
    const FakeSystem system;
    system.write("proc/loadavg", "3.50 2.00 1.00 2/345 6789\n");
    system.write("proc/stat", "cpu  100 50 25 1000 500 10 15 40 0 0\ncpu0 1 2 3 4 5 6 7 8 0 0\n");
    system.write("sys/class/power_supply/BAT0/type", "Battery\n");
    system.write("sys/class/power_supply/BAT0/status", "Discharging\n");
    system.write("sys/class/power_supply/AC/type", "Mains\n");
    system.write("sys/class/power_supply/AC/online", "0\n");
    system.write("sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count", "3\n");
    system.write("sys/devices/system/cpu/cpu1/thermal_throttle/core_throttle_count", "4\n");
    system.write("sys/devices/system/cpu/cpufreq/thermal_throttle/core_throttle_count", "100\n");  // not a CPU
    const SystemSnapshot s = takeSnapshot(system.root());
    EXPECT_EQ(s.load, 3.5);
    EXPECT_TRUE(s.onBattery);
    EXPECT_EQ(s.throttles, 7U);
    // Ticks of 10 ms: 100 + 50 + 25 + 10 + 15 busy, without waiting and idle.
    EXPECT_DOUBLE_EQ(s.busySeconds, 2);
    EXPECT_DOUBLE_EQ(s.stolenSeconds, 0.4);
    EXPECT_GT(s.ownSeconds, 0);
    system.write("sys/class/power_supply/AC/online", "1\n");
    EXPECT_FALSE(takeSnapshot(system.root()).onBattery);
    system.write("sys/class/power_supply/AC/online", "0\n");
    system.write("sys/class/power_supply/BAT0/scope", "Device\n");  // of a mouse
    EXPECT_FALSE(takeSnapshot(system.root()).onBattery);
}

TEST(Trust, AcceptsASystemWithoutCounters) {
    const FakeSystem empty;
    const SystemSnapshot s = takeSnapshot(empty.root());
    EXPECT_EQ(s.load, 0);
    EXPECT_FALSE(s.onBattery);
    EXPECT_EQ(s.busySeconds, 0);
    EXPECT_EQ(names(conditionsWhile(quietMachine(), s, takeSnapshot(empty.root()))), Names{});
}

TEST(Trust, ProgramsThatThisOneStartedAreItsOwn) {
    const FakeSystem system;
    const std::string own = std::to_string(getpid()), ticks = " 0 0 0 0 0 0 0 0 0 ";  // fields 5 to 13
    const double step = 1.0 / static_cast<double>(sysconf(_SC_CLK_TCK)), before = takeSnapshot(system.root()).ownSeconds;
    system.write("proc/4001/stat", "4001 (a (kernel) host) S " + own + ticks + "1000 200 30 4 20 0\n");
    system.write("proc/4002/stat", "4002 (below it) R 4001" + ticks + "50000 0 0 0 20 0\n");
    system.write("proc/4003/stat", "4003 (another) R 1" + ticks + "700000 0 0 0 20 0\n");
    system.write("proc/4004/stat", "4004 (cut");
    const double seconds = takeSnapshot(system.root()).ownSeconds - before;
    EXPECT_GE(seconds, 51234 * step);
    EXPECT_LT(seconds, 51234 * step + 60) << "with those of this test in between";
}

RunEntry entryWith(const std::vector<std::int64_t>& computeNs) {
    RunEntry e;
    e.threads = 4;
    for (const std::int64_t ns : computeNs) {
        StageTimes t;
        t[Stage::compute] = ns;
        e.samples.push_back(t);
    }
    return e;
}
std::vector<Condition> doubts(const RunEntry& e, double clockStepNs = quietMachine().timerResolutionNs) {
    return conditionsOfEntry(e, protocolFor("normal"), quietMachine(), clockStepNs);
}

const std::vector<std::int64_t> kQuiet{10000, 10010, 10000, 9990, 10000, 10010, 10000, 10000, 9990, 10000, 10000, 10010};

TEST(Trust, QuietSamplesHaveNoConditions) { EXPECT_EQ(names(doubts(entryWith(kQuiet))), Names{}); }

TEST(Trust, NamesFewSamplesNoiseDriftAndOutliers) {
    EXPECT_EQ(names(doubts(entryWith({10000, 10000}))), Names{"few-samples"});
    EXPECT_EQ(names(doubts(entryWith({10000, 20000, 5000, 15000, 9000, 25000, 7000, 19000, 8000, 16000}))), Names{"noise"});
    const auto drift = names(doubts(entryWith({10000, 10000, 10000, 10000, 12000, 12000, 12000, 13000, 13000, 13000, 13000, 13000})));
    EXPECT_NE(std::find(drift.begin(), drift.end(), "drift"), drift.end());
    std::vector<std::int64_t> far;
    for (std::int64_t i = 0; i < 24; ++i) far.push_back(i % 6 == 3 ? 90000 : 9990 + 7 * i % 20);
    EXPECT_EQ(names(doubts(entryWith(far))), Names{"outliers"});
}

TEST(Trust, NamesTimerAndOversubscription) {
    EXPECT_EQ(names(doubts(entryWith(std::vector<std::int64_t>(12, 300)))), Names{"timer"});
    RunEntry e = entryWith(kQuiet);
    e.threads = 9;
    EXPECT_EQ(names(doubts(e)), Names{"oversubscribed"});
    // Events of a device have coarser steps than the clock of the host.
    e = entryWith(std::vector<std::int64_t>(12, 5000));
    EXPECT_EQ(names(doubts(e)), Names{});
    EXPECT_EQ(names(doubts(e, 500)), Names{"timer"});
}

TEST(Trust, WritesNegativeDriftWithOneSign) {
    const auto all = doubts(entryWith({10000, 10000, 10000, 10000, 9000, 9000, 9000, 5050, 5050, 5050, 5050, 5050}));
    ASSERT_FALSE(all.empty());
    EXPECT_NE(all.back().what.find("-49.5 %"), std::string::npos) << all.back().what;
}

TEST(Trust, SkippedEntriesHaveNoConditions) {
    RunEntry e;
    e.status = RunStatus::skipped;
    EXPECT_EQ(names(doubts(e)), Names{});
}

TEST(Trust, KeepsEachConditionOnce) {
    std::vector<std::string> texts;
    addConditions(texts, {{"hot", "It is warm", ""}});
    addConditions(texts, {{"hot", "It is hot", "Wait"}, {"cold", "It is cold", "Wait"}});
    EXPECT_EQ(texts, (Names{"hot: It is warm", "cold: It is cold. Wait"}));
}

}  // namespace
}  // namespace parallax
