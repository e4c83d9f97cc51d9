// SPDX-License-Identifier: GPL-3.0-or-later
// The loops of ceilings.cpp as launches. None of them waits.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace parallax::gpu {

/// How a kernel over arrays is launched: threads a block, and 16-byte vectors that each thread moves.
struct StreamShape {
    int threads;
    int vectors;  ///< 1, 2 or 4
};
inline constexpr StreamShape kStreamShapes[] = {{256, 1}, {512, 1}, {1024, 1}, {256, 2}, {512, 2}, {256, 4}, {512, 4}};
/// Arrays have a multiple of this many floats, so that every shape covers them with whole blocks.
inline constexpr std::size_t kStreamMultiple = std::size_t{1024} * 4 * 4;

/// a[i] = b[i]. `count` floats, a multiple of kStreamMultiple; pointers aligned to 16 bytes.
void launchCopy(float* a, const float* b, std::size_t count, StreamShape shape, cudaStream_t stream);
/// a[i] = b[i] + 3 c[i].
void launchTriad(float* a, const float* b, const float* c, std::size_t count, StreamShape shape, cudaStream_t stream);

struct FmaShape {
    int threads;        ///< a block
    int blocksPerUnit;  ///< blocks a multiprocessor
    int chains;         ///< 4 or 8: independent chains a thread
};
inline constexpr FmaShape kFmaShapes[] = {{256, 8, 4}, {256, 4, 8}, {512, 4, 4}, {1024, 2, 4}, {128, 8, 8}};

/// `loops` rounds of kFmaUnroll FMAs in each chain. `sink` has one float a thread and is written: nothing can be left out.
inline constexpr int kFmaUnroll = 32;
void launchFma(float* sink, int loops, FmaShape shape, int multiprocessors, cudaStream_t stream);
/// Floating-point operations of such a launch.
double fmaOperations(int loops, FmaShape shape, int multiprocessors);

/// Loads the code of all of them onto the current device.
void preloadCeilingKernels();

}  // namespace parallax::gpu
