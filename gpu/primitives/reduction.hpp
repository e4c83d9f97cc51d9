// SPDX-License-Identifier: GPL-3.0-or-later
// Reductions of an array of floats to one value on the device: minimum, maximum, and the sum of logarithms, for the log-average luminance
// (Reinhard, Stark, Shirley and Ferwerda 2002, eq. 1). NaN, infinities and elements without a logarithm are left out. For other operators
// see reduction.cuh. Compiles without nvcc.
#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <cstdint>

#include "gpu/primitives/variant.hpp"
#include "gpu/primitives/workspace.hpp"

namespace parallax::gpu {

enum class ReductionVariant {
    tree,  ///< textbook: a tree in shared memory, launched again on its own results until one is left
    warp,  ///< one launch: 16-byte loads, registers, shuffles; the last block combines the results of all
    cub    ///< cub::DeviceReduce
};
inline constexpr std::array kReductionVariants{ReductionVariant::tree, ReductionVariant::warp, ReductionVariant::cub};
const VariantInfo& info(ReductionVariant variant);

/// The sum of ln(x + delta) over the `count` elements where x + delta is positive and finite; their log-average is exp(sum / count).
struct LogSum {
    double sum;
    std::int64_t count;
};

/// Returns the bytes of workspace that any reduction below needs for n elements; `cub` queries the current device.
std::size_t reductionWorkspaceBytes(ReductionVariant variant, std::int64_t n);
/// To be called before the first launch with a workspace, and again after anything else has written to it.
void initialiseReduction(ReductionVariant variant, const Workspace& workspace, cudaStream_t stream);
/// Loads the kernels before the first launch (`cub` loads its own at the first launch).
void preloadReduction(ReductionVariant variant);

/// Each enqueues the reduction of n >= 0 elements at `in`, which need not be aligned. `result` is device memory, written in stream order.
/// Results are reproducible bit by bit (for `cub`: on the same kind of device). Throws Error(failed) if the workspace is too small or the
/// launch fails.
void launchLogSum(ReductionVariant variant, const float* in, std::int64_t n, float delta, LogSum* result, const Workspace& workspace,
                  cudaStream_t stream);
/// Minimum of the finite elements; +infinity if there are none.
void launchMinimum(ReductionVariant variant, const float* in, std::int64_t n, float* result, const Workspace& workspace,
                   cudaStream_t stream);
/// Maximum of the finite elements; -infinity if there are none.
void launchMaximum(ReductionVariant variant, const float* in, std::int64_t n, float* result, const Workspace& workspace,
                   cudaStream_t stream);

}  // namespace parallax::gpu
