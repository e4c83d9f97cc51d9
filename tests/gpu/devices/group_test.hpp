// SPDX-License-Identifier: GPL-3.0-or-later
// For tests of several devices.
#pragma once

#include <cstdlib>
#include <vector>

#include "tests/gpu/gpu_test.hpp"

namespace parallax::gpu {

inline std::vector<int> firstDevices(int count) {
    std::vector<int> devices;
    for (int d = 0; d < count; ++d) devices.push_back(d);
    return devices;
}

/// Lets groups exchange through host memory.
struct WithoutPeerAccess {
    WithoutPeerAccess() { setenv(kName, "off", 1); }
    ~WithoutPeerAccess() { unsetenv(kName); }
    WithoutPeerAccess(const WithoutPeerAccess&) = delete;
    WithoutPeerAccess& operator=(const WithoutPeerAccess&) = delete;

private:
    static constexpr const char* kName = "PARALLAX_CUDA_PEER_ACCESS";
};

}  // namespace parallax::gpu

/// Machines with fewer devices skip such tests.
#define PARALLAX_NEEDS_DEVICES(count) \
    PARALLAX_NEEDS_DEVICE()           \
    if (parallax::gpu::deviceCount() < (count)) GTEST_SKIP() << "it needs " << (count) << " devices"
