// SPDX-License-Identifier: GPL-3.0-or-later
// Index arithmetic of Blelloch's scan, separate from the kernels so that it is tested on the host.
#pragma once

#include <cstdint>

#include "core/image/host_device.hpp"

namespace parallax::gpu {

inline constexpr int kScanThreads = 512;
inline constexpr int kScanElements = 2 * kScanThreads;  ///< per block, a power of 2
inline constexpr int kScanBanks = 32;

/// Returns the position of an element in shared memory. A gap after every 32 avoids bank conflicts of power-of-2 strides.
PARALLAX_HOST_DEVICE constexpr int scanPlace(int i) { return i + i / kScanBanks; }
inline constexpr int kScanPadded = scanPlace(kScanElements - 1) + 1;

/// Positions of the two children of a node.
struct ScanNode {
    int left, right;
};
/// Returns a node of a level of `nodes` nodes.
PARALLAX_HOST_DEVICE constexpr ScanNode scanNode(int number, int nodes) {
    const int stride = kScanElements / 2 / nodes;
    return {scanPlace(stride * (2 * number + 1) - 1), scanPlace(stride * (2 * number + 2) - 1)};
}

constexpr std::int64_t scanBlockCount(std::int64_t n) { return (n + kScanElements - 1) / kScanElements; }

/// Returns the number of sums of blocks over all levels.
constexpr std::int64_t scanSums(std::int64_t n) {
    std::int64_t sums = 0;
    for (std::int64_t blocks = scanBlockCount(n); blocks > 1; blocks = scanBlockCount(blocks)) sums += blocks;
    return sums;
}

}  // namespace parallax::gpu
