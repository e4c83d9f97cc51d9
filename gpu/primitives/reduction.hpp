// SPDX-License-Identifier: GPL-3.0-or-later
// Reductions of an array of floats to one value that stays on the device: the sum of logarithms, from which the log-average
// luminance comes (Reinhard, Stark, Shirley and Ferwerda 2002, eq. 1), minimum and maximum. reduction.cuh has them for any
// operator. Elements that do not count - NaN, infinities, what has no logarithm - are left out, so that one of them cannot spoil
// the result. Compiles without nvcc.
#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <cstdint>

#include "gpu/primitives/variant.hpp"
#include "gpu/primitives/workspace.hpp"

namespace parallax::gpu {

enum class ReductionVariant {
    tree,  ///< as a textbook has it: a tree in shared memory, launched again on its own results until one is left
    warp,  ///< one launch: 16-byte loads, registers, shuffles; the last block combines what the others left
    cub    ///< cub::DeviceReduce
};
inline constexpr std::array kReductionVariants{ReductionVariant::tree, ReductionVariant::warp, ReductionVariant::cub};
const VariantInfo& info(ReductionVariant variant);

/// Sum of ln(x + delta) over the `count` elements where x + delta is positive and finite; their log-average is exp(sum / count).
struct LogSum {
    double sum;
    std::int64_t count;
};

/// Bytes that any of the reductions below needs for n elements. `cub` asks the current device.
std::size_t reductionWorkspaceBytes(ReductionVariant variant, std::int64_t n);
/// Once before the first launch with this workspace, and again after anything else has written to it.
void initialiseReduction(ReductionVariant variant, const Workspace& workspace, cudaStream_t stream);
/// Loads the kernels, so that the first launch does not have to (`cub` loads its own at the first launch).
void preloadReduction(ReductionVariant variant);

/// Each enqueues the reduction of n elements at `in`, which need not be aligned; n may be 0. `result` is device memory and written
/// in the order of the stream. The same elements give the same bits each time (for `cub`: on the same kind of device).
/// Throws Error(failed) for a workspace that is too small or a launch that fails.
void launchLogSum(ReductionVariant variant, const float* in, std::int64_t n, float delta, LogSum* result, const Workspace& workspace,
                  cudaStream_t stream);
/// Of the finite elements; +infinity if there is none.
void launchMinimum(ReductionVariant variant, const float* in, std::int64_t n, float* result, const Workspace& workspace,
                   cudaStream_t stream);
/// Of the finite elements; -infinity if there is none.
void launchMaximum(ReductionVariant variant, const float* in, std::int64_t n, float* result, const Workspace& workspace,
                   cudaStream_t stream);

}  // namespace parallax::gpu
