// SPDX-License-Identifier: GPL-3.0-or-later
// Launches of the kernels of ceilings.cpp. None of them waits.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace parallax::gpu {

/// Launch parameters of a kernel over arrays: threads per block, and 16-byte vectors per thread.
struct StreamShape {
    int threads;
    int vectors;  ///< 1, 2 or 4
};
inline constexpr StreamShape kStreamShapes[] = {{256, 1}, {512, 1}, {1024, 1}, {256, 2}, {512, 2}, {256, 4}, {512, 4}};
/// Lengths of arrays are multiples of this, so that every shape covers them with whole blocks.
inline constexpr std::size_t kStreamMultiple = std::size_t{1024} * 4 * 4;

/// a[i] = b[i]. `count` floats, a multiple of kStreamMultiple; pointers aligned to 16 bytes.
void launchCopy(float* a, const float* b, std::size_t count, StreamShape shape, cudaStream_t stream);
/// a[i] = b[i] + 3 c[i].
void launchTriad(float* a, const float* b, const float* c, std::size_t count, StreamShape shape, cudaStream_t stream);

struct FmaShape {
    int threads;        ///< per block
    int blocksPerUnit;  ///< blocks per multiprocessor
    int chains;         ///< independent chains per thread: 4 or 8
};
inline constexpr FmaShape kFmaShapes[] = {{256, 8, 4}, {256, 4, 8}, {512, 4, 4}, {1024, 2, 4}, {128, 8, 8}};

/// `loops` rounds of kFmaUnroll FMAs in each chain. `sink` has one float per thread and is written, so that no work is optimised away.
inline constexpr int kFmaUnroll = 32;
void launchFma(float* sink, int loops, FmaShape shape, int multiprocessors, cudaStream_t stream);
/// Returns the floating-point operations of such a launch.
double fmaOperations(int loops, FmaShape shape, int multiprocessors);

/// Loads the code of all kernels onto the current device.
void preloadCeilingKernels();

}  // namespace parallax::gpu
