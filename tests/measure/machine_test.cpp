// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/conditions/machine.hpp"

#include <gtest/gtest.h>

#include "core/backends/reference/backend.hpp"
#include "core/image/synthetic.hpp"
#include "core/operations/catalog.hpp"
#include "tests/measure/fake_system.hpp"

namespace parallax {
namespace {

TEST(Machine, DescribesThisMachine) {
    const Catalog catalog(makeOperations(), {makeReferenceBackend()});
    const MachineRecord m = describeMachine(catalog);
    EXPECT_FALSE(m.cpu.empty());
    EXPECT_FALSE(m.kernel.empty());
    EXPECT_GT(m.hardwareThreads, 0);
    EXPECT_GT(m.cores, 0);
    EXPECT_LE(m.cores, m.hardwareThreads);
    EXPECT_GT(m.sockets, 0);
    EXPECT_GT(m.usableThreads, 0);
    EXPECT_GT(m.timerResolutionNs, 0);
    EXPECT_GT(m.memory, 1U << 20);
    EXPECT_TRUE(m.gpus.empty());  // the CPU is not listed as one
}

TEST(Machine, ReadsProcAndSys) {
    const FakeSystem system;
    std::string cpuinfo;
    for (int i = 0; i < 8; ++i)
        cpuinfo += "processor\t: " + std::to_string(i) + "\nmodel name\t: A processor\nphysical id\t: " + std::to_string(i / 4) +
                   "\ncore id\t\t: " + std::to_string(i / 2 % 2) + "\nflags\t\t: fpu avx2 hypervisor avx512f\n\n";
    system.write("proc/cpuinfo", cpuinfo);
    const std::string cpu = "sys/devices/system/cpu/cpu0/", node = "sys/devices/system/node/";
    system.write(cpu + "cpufreq/scaling_governor", "schedutil\n");
    system.write(cpu + "cpufreq/cpuinfo_min_freq", "800000\n");
    system.write(cpu + "cpufreq/cpuinfo_max_freq", "3500000\n");
    system.write(cpu + "cache/index0/level", "1\n");
    system.write(cpu + "cache/index0/type", "Data\n");
    system.write(cpu + "cache/index0/size", "48K\n");
    system.write(node + "node0/cpulist", "0-3\n");
    system.write(node + "node0/meminfo", "Node 0 MemTotal:       67108864 kB\n");
    system.write(node + "node2/cpulist", "4-7\n");
    system.write(node + "node2/meminfo", "Node 2 MemTotal:       33554432 kB\n");
    const Catalog catalog(makeOperations(), {makeReferenceBackend()});
    const MachineRecord m = describeMachine(catalog, system.root());
    EXPECT_EQ(m.cpu, "A processor");
    EXPECT_EQ(m.hardwareThreads, 8);
    EXPECT_EQ(m.sockets, 2);
    EXPECT_EQ(m.cores, 4);
    EXPECT_EQ(m.threadsPerCore, 2);
    EXPECT_TRUE(m.virtualMachine);
    EXPECT_EQ(m.simd, (std::vector<std::string>{"avx2", "avx512f"}));
    EXPECT_EQ(m.governor, "schedutil");
    EXPECT_EQ(m.minMHz, 800);
    EXPECT_EQ(m.maxMHz, 3500);
    EXPECT_EQ(m.caches, std::vector<std::string>{"L1d 48K"});
    EXPECT_EQ(m.numa, (std::vector<std::string>{"node 0: CPUs 0-3, 64 GiB", "node 2: CPUs 4-7, 32 GiB"}));
}

TEST(Machine, TimerResolutionIsPositive) {
    EXPECT_GT(timerResolution(), 0);
    EXPECT_LT(timerResolution(), 1e6);
}

TEST(Machine, HashDependsOnSamplesAndShape) {
    const Image a = makeSynthetic(parseSynthetic("synthetic:noise:8x4")), b = makeSynthetic(parseSynthetic("synthetic:noise:8x4"));
    const Image seeded = makeSynthetic(parseSynthetic("synthetic:noise:8x4,seed=2"));
    EXPECT_EQ(hashSamples(a.view()), hashSamples(b.view()));
    EXPECT_NE(hashSamples(a.view()), hashSamples(seeded.view()));
    EXPECT_EQ(hashSamples(a.view()).size(), 16U);
    View<const float> turned = a.view();
    turned.shape = {4, 8, 1, 1};
    turned.rowStride = 4;
    EXPECT_NE(hashSamples(a.view()), hashSamples(turned));
}

TEST(Machine, TimeIsIso8601InUtc) {
    const std::string t = utcNow();
    ASSERT_EQ(t.size(), 20U);
    EXPECT_EQ(t[10], 'T');
    EXPECT_EQ(t.back(), 'Z');
}

}  // namespace
}  // namespace parallax
