// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/ceilings/ceilings.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <set>
#include <stdexcept>

#include "core/engine/backend/backend.hpp"
#include "core/image/error.hpp"
#include "core/measure/ceilings/ceiling_kernels.hpp"
#include "core/measure/ceilings/ceiling_team.hpp"
#include "tests/measure/fake_system.hpp"
#include "tests/support/fake_device.hpp"

namespace parallax {
namespace {

TEST(Ceilings, LoopsComputeWhatTheirCountsAssume) {
    constexpr std::size_t n = 192;
    alignas(64) double a[n], b[n], c[n];
    for (const CeilingKernel& k : availableCeilingKernels()) {
        for (std::size_t i = 0; i < n; ++i) {
            a[i] = -1;
            b[i] = static_cast<double>(i);
            c[i] = 2 * static_cast<double>(i);
        }
        k.run(a, b, c, n);
        for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(a[i], k.arrays == 2 ? b[i] : b[i] + 3 * c[i]) << k.name << " " << i;
    }
    for (const FmaKernel& k : availableFmaKernels()) {
        // Each chain converges to x = 0.999 x + 0.001 = 1.
        EXPECT_NEAR(k.run(20000), 12, 0.05) << k.name;
        EXPECT_GT(k.flopsPerLoop, 0);
    }
}

CeilingOptions small() {
    CeilingOptions o;
    o.threads = {1, 2};
    o.seconds = 0.001;
    o.largestBytes = 4 << 20;
    return o;
}

TEST(Ceilings, CoverEveryLevelAndThreadCount) {
    CeilingOptions o = small();
    double last = 0;
    o.onProgress = [&](const std::string& what, double f) {
        EXPECT_FALSE(what.empty());
        EXPECT_GT(f, last);
        last = f;
    };
    std::set<std::string> seen;
    for (const CeilingRecord& c : measureCeilings(o)) {
        EXPECT_GT(c.value, 0) << c.name << c.level;
        EXPECT_LT(c.value, 1e6) << c.name << c.level;
        EXPECT_EQ(c.unit, c.name == "fma" ? "GFLOP/s" : "GB/s");
        EXPECT_EQ(c.bytes == 0, c.name == "fma");
        EXPECT_TRUE(seen.insert(c.name + " " + c.level + " " + std::to_string(c.threads)).second);
    }
    for (const char* needed :
         {"copy L1 1", "triad L1 2", "copy L2 1", "triad L2 2", "copy memory 1", "triad memory 2", "fma scalar 1", "fma scalar 2"})
        EXPECT_TRUE(seen.contains(needed)) << needed;
    EXPECT_NEAR(last, 1, 1e-9);
}

TEST(Ceilings, ReportEachRepetitionOfTheRequestedLevels) {
    CeilingOptions o = small();
    o.threads = {2};
    o.levels = {"memory", "scalar"};
    std::set<std::string> told;
    o.onMeasured = [&](const CeilingRecord& c, const std::vector<double>& rates) {
        told.insert(c.name + " " + c.level);
        EXPECT_GE(rates.size(), 10U);
        EXPECT_EQ(*std::max_element(rates.begin(), rates.end()), c.value);
        EXPECT_GT(*std::min_element(rates.begin(), rates.end()), 0);
    };
    const auto all = measureCeilings(o);
    EXPECT_EQ(all.size(), told.size());
    for (const CeilingRecord& c : all) EXPECT_TRUE(c.level == "memory" || c.level == "scalar") << c.level;
    EXPECT_TRUE(told.contains("copy memory"));
    EXPECT_TRUE(told.contains("fma scalar"));
    // Copy has two of the three arrays.
    const auto bytes = [&](const char* name) {
        for (const CeilingRecord& c : all)
            if (c.name == name) return c.bytes;
        return std::uint64_t{0};
    };
    EXPECT_EQ(3 * bytes("copy"), 2 * bytes("triad"));
    o.levels = {"L9"};
    EXPECT_TRUE(measureCeilings(o).empty());
}

TEST(Ceilings, TeamRunsEachLoopOnAllThreads) {
    constexpr int kThreads = 3;
    std::atomic<int> ready = 0, inFirst = 0, first = 0, second = 0;
    std::atomic<bool> mixed = false;
    const auto setup = [&](int) { ++ready; };
    const auto one = [&](int) {
        if (ready != kThreads) mixed = true;
        ++inFirst;
        ++first;
        --inFirst;
    };
    const auto two = [&](int) {
        if (inFirst != 0 || first % kThreads != 0) mixed = true;
        ++second;
    };
    const auto seconds = timeTogether({kThreads, 5, 0, {}}, setup, {one, two});
    ASSERT_EQ(seconds.size(), 2U);
    EXPECT_EQ(seconds[0].size(), 5U);
    EXPECT_EQ(seconds[1].size(), 5U);
    // One warm-up round.
    EXPECT_EQ(first, 6 * kThreads);
    EXPECT_EQ(second, 6 * kThreads);
    EXPECT_FALSE(mixed);
    for (const double s : seconds[0]) EXPECT_GE(s, 0);
}

TEST(Ceilings, TeamRethrowsTheErrorOfASetup) {
    std::atomic<int> worked = 0;
    const auto setup = [](int t) {
        if (t == 1) throw std::runtime_error("no");
    };
    EXPECT_THROW((void)timeTogether({3, 2, 0, {}}, setup, {[&](int) { ++worked; }}), std::runtime_error);
    EXPECT_EQ(worked, 0);
}

TEST(Ceilings, ListEachHardwareThreadOnce) {
    const std::vector<int> all = measuringProcessors();
    ASSERT_FALSE(all.empty());
    EXPECT_EQ(std::set<int>(all.begin(), all.end()).size(), all.size());
    const HugePages memory(3000);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.data()) % HugePages::kSize, 0U);
    std::fill_n(memory.data(), 3000, std::byte{1});
}

TEST(Ceilings, StopThrowsCancelled) {
    std::stop_source source;
    CeilingOptions o = small();
    o.stop = source.get_token();
    o.onProgress = [&](const std::string&, double) { source.request_stop(); };
    try {
        (void)measureCeilings(o);
        FAIL();
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ErrorCode::cancelled);
    }
}

TEST(Ceilings, AreSavedAndLoadedExactly) {
    const FakeSystem folder;
    const std::string path = folder.root() + "/a/b/ceilings.tsv";
    const std::vector<CeilingRecord> list{{"triad", "L2", 4, 123.45678901234567, "GB/s", 1U << 30}, {"fma", "avx2", 1, 0.1, "GFLOP/s", 0}};
    ASSERT_TRUE(saveCeilings(list, path));
    const auto back = loadCeilings(path);
    ASSERT_EQ(back.size(), 2U);
    EXPECT_EQ(back[0].name, "triad");
    EXPECT_EQ(back[0].level, "L2");
    EXPECT_EQ(back[0].threads, 4);
    EXPECT_EQ(back[0].value, list[0].value);
    EXPECT_EQ(back[0].bytes, list[0].bytes);
    EXPECT_EQ(back[1].unit, "GFLOP/s");
    EXPECT_FALSE(saveCeilings(list, "/proc/ceilings.tsv"));
    EXPECT_FALSE(saveCeilings(list, ""));
}

DeviceInfo fakeDevice(int index, const std::string& driver) {
    DeviceInfo d;
    d.index = index;
    d.name = "A GPU";
    d.details = {{"driver", driver}};
    return d;
}

/// A backend with one device of its own, and one where it computes on the processor.
std::shared_ptr<Backend> ownDevice(const DeviceInfo& device) {
    return std::make_shared<test::FakeBackend>("own", std::vector<DeviceInfo>{hostDevice(), device});
}

TEST(Ceilings, AreSavedSeparatelyForEachDevice) {
    const FakeSystem folder;
    const char* before = std::getenv("XDG_CACHE_HOME");
    const std::string kept = before ? before : "";
    setenv("XDG_CACHE_HOME", folder.root().c_str(), 1);
    const DeviceInfo one = fakeDevice(1, "580"), updated = fakeDevice(1, "590"), other = fakeDevice(2, "580");
    EXPECT_NE(ceilingsFile("own", one), ceilingsFile());
    EXPECT_NE(ceilingsFile("own", one), ceilingsFile("own", other));
    EXPECT_NE(ceilingsFile("own", one), ceilingsFile("own", updated));
    EXPECT_NE(ceilingsFile("own", one), ceilingsFile("another", one));
    ASSERT_TRUE(saveCeilings({{"copy", "device", 0, 1234.5, "GB/s", 1U << 30}}, ceilingsFile("own", one)));
    ASSERT_TRUE(saveCeilings({{"triad", "L2", 4, 99, "GB/s", 1U << 20}}, ceilingsFile()));
    const auto all = knownCeilings(Catalog({}, {ownDevice(one)}));
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0].backend, "");
    EXPECT_EQ(all[1].backend, "own");
    EXPECT_EQ(all[1].device, "A GPU");
    EXPECT_EQ(all[1].deviceIndex, 1);
    EXPECT_EQ(all[1].value, 1234.5);
    // A new driver needs a new measurement.
    EXPECT_EQ(knownCeilings(Catalog({}, {ownDevice(updated)})).size(), 1U);
    EXPECT_TRUE(isProcessor(hostDevice()));
    EXPECT_FALSE(isProcessor(one));
    if (before) setenv("XDG_CACHE_HOME", kept.c_str(), 1);
    else unsetenv("XDG_CACHE_HOME");
}

TEST(Ceilings, DamagedFilesAreIgnored) {
    const FakeSystem folder;
    const auto loaded = [&](const std::string& text) {
        folder.write("c.tsv", text);
        return loadCeilings(folder.root() + "/c.tsv").size();
    };
    const std::string header = "parallax-ceilings 2\n", good = "triad\tL2\t4\t12.5\tGB/s\t100\n";
    EXPECT_EQ(loaded(header + good), 1U);
    for (const char* bad : {"triad\tL2\t4\t12.5\tGB/s\n", "triad\tL2\tx\t12.5\tGB/s\t1\n", "triad\tL2\t4\t-3\tGB/s\t1\n",
                            "triad\tL2\t4\t1x\tGB/s\t1\n", "\n"})
        EXPECT_EQ(loaded(header + good + bad), 0U) << bad;
    EXPECT_EQ(loaded("something else\n" + good), 0U);
    EXPECT_EQ(loaded(""), 0U);
    EXPECT_TRUE(loadCeilings(folder.root() + "/missing.tsv").empty());
}

TEST(Ceilings, FolderFollowsTheEnvironment) {
    const char* before = std::getenv("XDG_CACHE_HOME");
    const std::string kept = before ? before : "";
    setenv("XDG_CACHE_HOME", "/somewhere", 1);
    EXPECT_TRUE(ceilingsFile().starts_with("/somewhere/parallax/ceilings-")) << ceilingsFile();
    setenv("XDG_CACHE_HOME", "relative", 1);
    EXPECT_FALSE(ceilingsFile().starts_with("relative"));
    if (before) setenv("XDG_CACHE_HOME", kept.c_str(), 1);
    else unsetenv("XDG_CACHE_HOME");
}

}  // namespace
}  // namespace parallax
