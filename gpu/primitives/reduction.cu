// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/primitives/reduction.cuh"

namespace parallax::gpu {

const VariantInfo& info(ReductionVariant variant) {
    static constexpr VariantInfo tree{"tree", "Textbook: a tree in shared memory, launched again on its own results until one is left"};
    static constexpr VariantInfo warp{"warp",
                                      "One launch: several 16-byte loads in flight per thread, sums in registers, shuffles; the last "
                                      "block to end combines the results of all blocks in their order"};
    static constexpr VariantInfo cub{"cub", "cub::DeviceReduce::TransformReduce; the order of summation is fixed for one kind of device"};
    switch (variant) {
        case ReductionVariant::tree: return tree;
        case ReductionVariant::warp: return warp;
        case ReductionVariant::cub: break;
    }
    return cub;
}

std::size_t reductionWorkspaceBytes(ReductionVariant variant, std::int64_t n) {
    requireLength(n, "reduction");
    return std::max({reductionBytes(variant, n, LogSumOperator{}), reductionBytes(variant, n, MinimumOperator{}),
                     reductionBytes(variant, n, MaximumOperator{})});
}

void initialiseReduction(ReductionVariant variant, const Workspace& workspace, cudaStream_t stream) {
    if (variant != ReductionVariant::warp) return;
    requireWorkspace(workspace, sizeof(unsigned), "reduction");
    unsigned* const ticket = WarpWorkspace<LogSumOperator>(workspace, 1).ticket;
    check(cudaMemsetAsync(ticket, 0, sizeof(unsigned), stream), "A reduction's workspace could not be cleared");
}

void preloadReduction(ReductionVariant variant) {
    preloadReductionOf<LogSumOperator>(variant);
    preloadReductionOf<MinimumOperator>(variant);
    preloadReductionOf<MaximumOperator>(variant);
}

void launchLogSum(ReductionVariant variant, const float* in, std::int64_t n, float delta, LogSum* result, const Workspace& workspace,
                  cudaStream_t stream) {
    launchReduction(variant, in, n, LogSumOperator{delta}, result, workspace, stream);
}

void launchMinimum(ReductionVariant variant, const float* in, std::int64_t n, float* result, const Workspace& workspace,
                   cudaStream_t stream) {
    launchReduction(variant, in, n, MinimumOperator{}, result, workspace, stream);
}

void launchMaximum(ReductionVariant variant, const float* in, std::int64_t n, float* result, const Workspace& workspace,
                   cudaStream_t stream) {
    launchReduction(variant, in, n, MaximumOperator{}, result, workspace, stream);
}

}  // namespace parallax::gpu
