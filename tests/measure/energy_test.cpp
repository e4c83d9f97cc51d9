// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include "core/image/error.hpp"
#include "core/measure/energy/rapl.hpp"
#include "core/measure/energy/run_energy.hpp"
#include "tests/measure/fake_system.hpp"

namespace parallax {
namespace {

/// A powercap folder with the zones of one package, as the kernel of an Intel server shows them.
class FakePowercap : public FakeSystem {
public:
    FakePowercap() {
        zone("intel-rapl:0", "package-0", 1'000'000);
        zone("intel-rapl:0/intel-rapl:0:0", "core", 77'000'000);
        zone("intel-rapl:0/intel-rapl:0:1", "dram", 500'000);
        zone("intel-rapl:0:0", "core", 77'000'000);  // beside its package, too
        zone("intel-rapl:1", "psys", 88'000'000);
        zone("intel-rapl-mmio:0", "package-0", 1'000'000);
    }
    void zone(const std::string& path, const std::string& name, std::uint64_t microjoules) const {
        write(path + "/name", name + "\n");
        write(path + "/max_energy_range_uj", "10000000\n");
        count(path, microjoules);
    }
    void count(const std::string& path, std::uint64_t microjoules) const { write(path + "/energy_uj", std::to_string(microjoules) + "\n"); }
};

TEST(Rapl, SumsPackagesAndTheirMemory) {
    const FakePowercap system;
    Rapl rapl(system.root());
    ASSERT_TRUE(rapl.read().joules) << rapl.read().reason;
    EXPECT_EQ(*rapl.read().joules, 0);
    EXPECT_EQ(rapl.read().source, "RAPL (package-0, package-0 dram)");
    system.count("intel-rapl:0", 4'000'000);
    system.count("intel-rapl:0/intel-rapl:0:1", 750'000);
    system.count("intel-rapl:0/intel-rapl:0:0", 99'000'000);
    EXPECT_DOUBLE_EQ(*rapl.read().joules, 3.25);
    system.count("intel-rapl:0", 500'000);  // wrapped around at 10 J
    EXPECT_DOUBLE_EQ(*rapl.read().joules, 9.75);
}

TEST(Rapl, SaysWhyThereIsNone) {
    const FakeSystem empty;
    EXPECT_NE(Rapl(empty.root()).read().reason.find("no counters of RAPL"), std::string::npos);
    EXPECT_NE(Rapl(empty.root() + "/absent").read().reason.find("no counters of RAPL"), std::string::npos);
    // Without the rights to read a file, it reads as empty.
    const FakePowercap closed;
    closed.write("intel-rapl:0/energy_uj", "");
    const EnergyReading reading = Rapl(closed.root()).read();
    EXPECT_FALSE(reading.joules);
    EXPECT_NE(reading.reason.find("intel-rapl:0/energy_uj' needs other rights"), std::string::npos) << reading.reason;
}

TEST(RunEnergy, IsThatOfTheRunsBetweenTwoReadings) {
    double joules = 100;
    int runs = 0;
    const auto read = [&] { return EnergyReading{joules, "a counter", {}}; };
    const MeasuredEnergy measured = measureEnergy(
        read, [&] { ++runs, joules += 0.25; }, 0.02);
    EXPECT_EQ(measured.reason, "");
    EXPECT_GT(measured.energy.runs, 0);
    EXPECT_LT(measured.energy.runs, runs) << "those before the counter moved do not count";
    EXPECT_NEAR(measured.energy.perRun(), 0.25, 1e-9);
    EXPECT_GE(measured.energy.seconds, 0.02);
    EXPECT_NEAR(measured.energy.watts(), measured.energy.joules / measured.energy.seconds, 1e-9);
    EXPECT_EQ(measured.energy.source, "a counter");
}

TEST(RunEnergy, EndsWithAReason) {
    const auto nothing = [] {};
    EXPECT_EQ(measureEnergy([] { return EnergyReading{{}, {}, "no rights"}; }, nothing, 0.01).reason, "no rights");
    const MeasuredEnergy still = measureEnergy([] { return EnergyReading{5, "NVML", {}}; }, nothing, 0.01);
    EXPECT_EQ(still.reason, "the counter of NVML did not move");
    std::stop_source stop;
    stop.request_stop();
    EXPECT_NE(measureEnergy([] { return EnergyReading{5, "NVML", {}}; }, nothing, 10, stop.get_token()).reason, "");
}

}  // namespace
}  // namespace parallax
