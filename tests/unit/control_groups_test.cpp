// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/image/host/control_groups.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

namespace parallax {
namespace {

constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;
constexpr HostMemory kMachine{.total = 64 * kGiB, .available = 48 * kGiB, .swapFree = 8 * kGiB};

/// A folder that stands for "/".
class MadeUpSystem : public testing::Test {
protected:
    ~MadeUpSystem() override { std::filesystem::remove_all(root_); }

    void write(const std::string& path, const std::string& text) const {
        const std::filesystem::path file = root_ + path;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file) << text << '\n';
    }
    void write(const std::string& path, std::uint64_t number) const { write(path, std::to_string(number)); }
    void mountVersion2(const std::string& group = "/") const {
        write("/proc/self/mountinfo", "22 1 0:20 / / rw - ext4 /dev/vda rw\n41 31 0:38 " + group +
                                          " /sys/fs/cgroup rw,nosuid shared:4 master:2 - cgroup2 cgroup2 rw,nsdelegate");
    }
    void mountVersion1(const std::string& group = "/") const {
        write("/proc/self/mountinfo", "35 31 0:32 " + group + " /cgroup/memory rw - cgroup cgroup rw,memory\n32 31 0:29 " + group +
                                          " /cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n41 31 0:38 / /cgroup/unified rw - "
                                          "cgroup2 cgroup2 rw");
    }
    HostMemory memory(const HostMemory& machine = kMachine) const { return ControlGroups(root_).limited(machine); }
    double processors() const { return ControlGroups(root_).processors(); }

    const std::string root_ = testing::TempDir() + "parallax-groups-" + std::to_string(getpid()) + "-" +
                              testing::UnitTest::GetInstance()->current_test_info()->name();
};

using ControlGroup = MadeUpSystem;

void expectEqual(const HostMemory& a, const HostMemory& b) {
    EXPECT_EQ(a.total, b.total);
    EXPECT_EQ(a.available, b.available);
    EXPECT_EQ(a.swapFree, b.swapFree);
}

TEST_F(ControlGroup, WithoutAnyIsUnlimited) {
    expectEqual(memory(), kMachine);
    EXPECT_EQ(processors(), 0);
    mountVersion2();
    expectEqual(memory(), kMachine);
    EXPECT_EQ(processors(), 0);
}

TEST_F(ControlGroup, LimitsMemoryAndReleasesTheFileCache) {
    mountVersion2();
    write("/proc/self/cgroup", "0::/job.slice/own.scope");
    const std::string group = "/sys/fs/cgroup/job.slice/own.scope/";
    write(group + "memory.max", 4 * kGiB);
    write(group + "memory.current", 3 * kGiB);
    write(group + "memory.stat", "anon 7\ninactive_file " + std::to_string(kGiB) + "\nactive_file " + std::to_string(kGiB / 2));
    write(group + "memory.swap.max", "0");
    write(group + "memory.swap.current", "0");
    write(group + "cpu.max", "150000 100000");
    expectEqual(memory(), {.total = 4 * kGiB, .available = 5 * kGiB / 2, .swapFree = 0});
    EXPECT_EQ(processors(), 1.5);
    // More in use than the limit, as after it was lowered.
    write(group + "memory.max", kGiB);
    expectEqual(memory(), {.total = kGiB, .available = 0, .swapFree = 0});
}

TEST_F(ControlGroup, TakesTheSmallestLimitOfAllLevels) {
    mountVersion2();
    write("/proc/self/cgroup", "0::/outer/middle/inner");
    const std::string outer = "/sys/fs/cgroup/outer/", middle = outer + "middle/", inner = middle + "inner/";
    write(outer + "memory.max", 10 * kGiB);
    write(outer + "memory.current", 9 * kGiB);
    write(outer + "memory.swap.max", 3 * kGiB);
    write(outer + "memory.swap.current", kGiB);
    write(outer + "cpu.max", "300000 100000");
    write(middle + "memory.max", 6 * kGiB);
    write(middle + "memory.current", 2 * kGiB);
    write(middle + "memory.swap.max", "max");
    write(middle + "cpu.max", "50000 25000");
    write(inner + "memory.max", "max");
    write(inner + "memory.current", 2 * kGiB);
    write(inner + "cpu.max", "max 100000");
    // Room of the outer group, size of the middle one.
    expectEqual(memory(), {.total = 6 * kGiB, .available = kGiB, .swapFree = 2 * kGiB});
    EXPECT_EQ(processors(), 2);
}

TEST_F(ControlGroup, IsItsOwnRootInAContainer) {
    // With a namespace of its own, and without one: the path is that of the machine, but only the group itself is mounted.
    for (const auto& [mounted, path] :
         {std::pair{"/", "/"}, std::pair{"/docker/1f", "/docker/1f"}, std::pair{"/docker/1f", "/other"}, std::pair{"/", "/../sibling"}}) {
        mountVersion2(mounted);
        write("/proc/self/cgroup", std::string("0::") + path);
        write("/sys/fs/cgroup/memory.max", 2 * kGiB);
        write("/sys/fs/cgroup/memory.current", kGiB);
        write("/sys/fs/cgroup/cpu.max", "200000 100000");
        expectEqual(memory(), {.total = 2 * kGiB, .available = kGiB, .swapFree = 8 * kGiB});
        EXPECT_EQ(processors(), 2) << mounted << ' ' << path;
    }
    mountVersion2("/docker/1f");
    write("/proc/self/cgroup", "0::/docker/1f/inside");
    write("/sys/fs/cgroup/inside/memory.max", kGiB);
    EXPECT_EQ(memory().total, kGiB);
}

TEST_F(ControlGroup, OfVersion1LimitsMemorySwapAndProcessors) {
    mountVersion1();
    write("/proc/self/cgroup", "9:name=systemd:/\n4:memory:/slurm/job_7\n1:cpuacct,cpu:/slurm\n0::/");
    constexpr std::uint64_t kNone = 9223372036854771712U;
    for (const char* const group : {"/cgroup/memory/", "/cgroup/memory/slurm/"}) {
        write(std::string(group) + "memory.limit_in_bytes", kNone);
        write(std::string(group) + "memory.memsw.limit_in_bytes", kNone);
        write(std::string(group) + "memory.usage_in_bytes", 50 * kGiB);
    }
    expectEqual(memory(), kMachine);
    const std::string job = "/cgroup/memory/slurm/job_7/";
    write(job + "memory.limit_in_bytes", 8 * kGiB);
    write(job + "memory.usage_in_bytes", 5 * kGiB);
    write(job + "memory.stat", "inactive_file 1\ntotal_inactive_file " + std::to_string(kGiB) + "\ntotal_active_file 0");
    expectEqual(memory(), {.total = 8 * kGiB, .available = 4 * kGiB, .swapFree = 8 * kGiB});
    write(job + "memory.memsw.limit_in_bytes", 9 * kGiB);
    write(job + "memory.memsw.usage_in_bytes", 5 * kGiB + kGiB / 2);
    expectEqual(memory(), {.total = 8 * kGiB, .available = 4 * kGiB, .swapFree = kGiB / 2});
    EXPECT_EQ(processors(), 0);
    write("/cgroup/cpu,cpuacct/slurm/cpu.cfs_period_us", "100000");
    write("/cgroup/cpu,cpuacct/slurm/cpu.cfs_quota_us", "-1");
    EXPECT_EQ(processors(), 0);
    write("/cgroup/cpu,cpuacct/slurm/cpu.cfs_quota_us", "50000");
    EXPECT_EQ(processors(), 0.5);
}

TEST_F(ControlGroup, StatesTheMemoryOfAnUnknownMachine) {
    mountVersion2();
    write("/proc/self/cgroup", "0::/");
    write("/sys/fs/cgroup/memory.max", 2 * kGiB);
    write("/sys/fs/cgroup/memory.current", kGiB);
    expectEqual(memory({}), {.total = 2 * kGiB, .available = kGiB, .swapFree = 0});
}

TEST_F(ControlGroup, IgnoresDamagedFiles) {
    mountVersion2();
    write("/proc/self/cgroup", "0\nx:y\n0::/own");
    write("/sys/fs/cgroup/own/memory.max", "much");
    write("/sys/fs/cgroup/own/cpu.max", "0 0");
    expectEqual(memory(), kMachine);
    EXPECT_EQ(processors(), 0);
    write("/proc/self/mountinfo", " - \n1 2 - cgroup2\n - cgroup2 x y");
    expectEqual(memory(), kMachine);
}

TEST(ProcessorQuota, LeavesAtLeastOneProcessor) {
    EXPECT_EQ(withinProcessorQuota(1), 1);
    EXPECT_GE(withinProcessorQuota(1000), 1);
    EXPECT_LE(withinProcessorQuota(1000), 1000);
}

}  // namespace
}  // namespace parallax
