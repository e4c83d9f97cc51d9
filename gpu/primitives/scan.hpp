// SPDX-License-Identifier: GPL-3.0-or-later
// Exclusive prefix sum: out[i] = in[0] + ... + in[i - 1], out[0] = 0. Blelloch 1990, Prefix sums and their applications. Compiles without
// nvcc.
#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <cstdint>

#include "gpu/primitives/variant.hpp"
#include "gpu/primitives/workspace.hpp"

namespace parallax::gpu {

enum class ScanVariant {
    blelloch,  ///< textbook: up-sweep and down-sweep of a tree in shared memory; the sums of blocks are scanned in the same way and added
    cub        ///< cub::DeviceScan, one pass over memory
};
inline constexpr std::array kScanVariants{ScanVariant::blelloch, ScanVariant::cub};
const VariantInfo& info(ScanVariant variant);

/// Returns the bytes of workspace; `cub` queries the current device. T is float, std::uint32_t or std::uint64_t. NaN and infinity count
/// as 0; integers wrap around.
template <class T>
std::size_t scanWorkspaceBytes(ScanVariant variant, std::int64_t n);
/// Loads the kernels before the first launch (`cub` loads its own at the first launch).
template <class T>
void preloadScan(ScanVariant variant);

/// Enqueues the scan of n >= 0 elements. `in` and `out` are device memory, identical or disjoint. Sums of floats are reproducible only
/// with `blelloch`, since `cub` combines blocks in the order in which they end. Throws Error(failed) if the workspace is too small or the
/// launch fails.
template <class T>
void launchExclusiveScan(ScanVariant variant, const T* in, T* out, std::int64_t n, const Workspace& workspace, cudaStream_t stream);

}  // namespace parallax::gpu
