// SPDX-License-Identifier: GPL-3.0-or-later
// Groups of devices: threads, peer access, errors of one member, clocks.
#include "gpu/parallel/device_group.hpp"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <set>
#include <thread>

#include "gpu/parallel/group_clock.hpp"
#include "gpu/runtime/memory/pinned_allocator.hpp"
#include "tests/gpu/devices/group_test.hpp"

namespace parallax::gpu {
namespace {

TEST(DeviceGroup, RunsATaskForEachMemberOnItsDevice) {
    PARALLAX_NEEDS_DEVICES(2);
    DeviceGroup group(firstDevices(2));
    std::set<std::thread::id> threads;
    std::mutex mutex;
    group.run([&](int member) {
        int device = -1;
        check(cudaGetDevice(&device), "device");
        EXPECT_EQ(device, group.device(member));
        EXPECT_EQ(group.stream(member)->device(), device);
        const std::scoped_lock lock(mutex);
        threads.insert(std::this_thread::get_id());
    });
    EXPECT_EQ(threads.size(), 2U);
}

TEST(DeviceGroup, RejectsUnknownAndRepeatedDevices) {
    PARALLAX_NEEDS_DEVICE();
    for (const std::vector<int>& devices : {std::vector<int>{}, {0, 0}, {deviceCount()}, {-1}}) {
        try {
            const DeviceGroup group(devices);
            ADD_FAILURE() << devices.size();
        } catch (const Error& e) {
            EXPECT_EQ(e.code(), ErrorCode::usage);
        }
    }
}

TEST(DeviceGroup, StatesTheWayOfTheExchange) {
    PARALLAX_NEEDS_DEVICES(2);
    if (DeviceGroup group(firstDevices(2)); group.hasPeerAccess()) {
        EXPECT_NE(group.exchangePath().find("peer access"), std::string::npos);
        EXPECT_EQ(group.exchangeMemory(1)->space(), MemorySpace::device);
    }
    const WithoutPeerAccess denied;
    const DeviceGroup group(firstDevices(2));
    EXPECT_FALSE(group.hasPeerAccess());
    EXPECT_NE(group.exchangePath().find("page-locked host memory, since PARALLAX_CUDA_PEER_ACCESS is off"), std::string::npos)
        << group.exchangePath();
    EXPECT_EQ(group.exchangeMemory(1)->space(), MemorySpace::pinned);
}

TEST(DeviceGroup, AnErrorOfOneMemberStopsTheOthers) {
    PARALLAX_NEEDS_DEVICES(2);
    DeviceGroup group(firstDevices(2));
    std::atomic<bool> saw{false};
    try {
        group.run([&](int member) {
            if (member == 1) throw Error(ErrorCode::memory, "too little");
            while (!group.hasStopped()) std::this_thread::yield();
            saw = true;
            group.throwIfStopped();
        });
        ADD_FAILURE();
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ErrorCode::memory) << e.what();
    }
    EXPECT_TRUE(saw);
    // The next run begins without it.
    group.run([&](int) { group.throwIfStopped(); });
}

TEST(DeviceGroup, PutsTheClocksOfDevicesOnOneAxis) {
    PARALLAX_NEEDS_DEVICES(2);
    DeviceGroup group(firstDevices(2));
    group.calibrateClocks();
    const auto now = [] {
        return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
    };
    const DeviceBuffer<long long> time(pinnedAllocator(group.device(0)), 1);
    auto* const seen = const_cast<long long*>(time.data());
    for (int round = 0; round < 3; ++round)
        for (int member = 0; member < 2; ++member) {
            std::int64_t before = 0, after = 0;
            group.run([&](int m) {
                if (m != member) return;
                before = now();
                launchReadClock(seen, group.stream(m)->get());
                check(cudaStreamSynchronize(group.stream(m)->get()), "clock");
                after = now();
            });
            constexpr std::int64_t tolerance = 500'000;
            EXPECT_GE(group.hostNanoseconds(member, *seen), before - tolerance);
            EXPECT_LE(group.hostNanoseconds(member, *seen), after + tolerance);
        }
}

}  // namespace
}  // namespace parallax::gpu
