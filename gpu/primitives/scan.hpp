// SPDX-License-Identifier: GPL-3.0-or-later
// Exclusive prefix sum: out[i] = in[0] + ... + in[i - 1], out[0] = 0. From a histogram it makes a cumulative distribution.
// Blelloch 1990, Prefix sums and their applications. Compiles without nvcc.
#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <cstdint>

#include "gpu/primitives/variant.hpp"
#include "gpu/primitives/workspace.hpp"

namespace parallax::gpu {

enum class ScanVariant {
    blelloch,  ///< as a textbook has it: a sweep up and a sweep down a tree in shared memory, blocks' sums scanned alike and added
    cub        ///< cub::DeviceScan, which passes once over memory
};
inline constexpr std::array kScanVariants{ScanVariant::blelloch, ScanVariant::cub};
const VariantInfo& info(ScanVariant variant);

/// T is float, std::uint32_t or std::uint64_t. A float that is NaN or infinite counts as 0, so that it cannot spoil all that follow
/// it; integers wrap around. `cub` asks the current device.
template <class T>
std::size_t scanWorkspaceBytes(ScanVariant variant, std::int64_t n);
/// Loads the kernels, so that the first launch does not have to (`cub` loads its own at the first launch).
template <class T>
void preloadScan(ScanVariant variant);

/// Enqueues the scan of n elements; n may be 0. `in` and `out` are device memory, the same array or ones that do not overlap. The same
/// integers always give the same sums; floats do so by `blelloch` only, since `cub` combines blocks in the order in which they end.
/// Throws Error(failed) for a workspace that is too small or a launch that fails.
template <class T>
void launchExclusiveScan(ScanVariant variant, const T* in, T* out, std::int64_t n, const Workspace& workspace, cudaStream_t stream);

}  // namespace parallax::gpu
