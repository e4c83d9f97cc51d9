// SPDX-License-Identifier: GPL-3.0-or-later
// Indices of Blelloch's scan, apart from the kernels so that they are tested on the host.
#pragma once

#include <cstdint>

#include "core/image/host_device.hpp"

namespace parallax::gpu {

inline constexpr int kScanThreads = 512;
inline constexpr int kScanElements = 2 * kScanThreads;  ///< of a block, a power of 2
inline constexpr int kScanBanks = 32;

/// Where an element lies in shared memory: a gap after every 32, so that the strides of the sweeps, powers of 2, spread over the banks.
PARALLAX_HOST_DEVICE constexpr int scanPlace(int i) { return i + i / kScanBanks; }
inline constexpr int kScanPadded = scanPlace(kScanElements - 1) + 1;

/// The two children of a node, by their places.
struct ScanNode {
    int left, right;
};
/// Of a level of the tree that has `nodes` nodes, the one with this number.
PARALLAX_HOST_DEVICE constexpr ScanNode scanNode(int number, int nodes) {
    const int stride = kScanElements / 2 / nodes;
    return {scanPlace(stride * (2 * number + 1) - 1), scanPlace(stride * (2 * number + 2) - 1)};
}

constexpr std::int64_t scanBlockCount(std::int64_t n) { return (n + kScanElements - 1) / kScanElements; }

/// Sums of blocks over all levels.
constexpr std::int64_t scanSums(std::int64_t n) {
    std::int64_t sums = 0;
    for (std::int64_t blocks = scanBlockCount(n); blocks > 1; blocks = scanBlockCount(blocks)) sums += blocks;
    return sums;
}

}  // namespace parallax::gpu
