// SPDX-License-Identifier: GPL-3.0-or-later
// The reductions of reduction.hpp for the operators of operators.hpp.
#pragma once

#include <cub/device/device_reduce.cuh>

#include "gpu/primitives/reduction_parts.cuh"
#include "gpu/primitives/tuning.hpp"
#include "gpu/runtime/cuda_check.hpp"

namespace parallax::gpu {

// ---- tree -------------------------------------------------------------------------------------------------------------------

/// Input of the first launch, and of the later ones.
template <class Operator, bool First>
using TreeElement = std::conditional_t<First, float, typename Operator::Value>;

/// Each block combines 2 x kTextbookThreads elements, the first pairs while loading (Harris 2007, kernel 4).
template <class Operator, bool First>
__global__ void __launch_bounds__(kTextbookThreads)
    reduceTree(const TreeElement<Operator, First>* in, std::int64_t n, const __grid_constant__ Operator op, typename Operator::Value* out) {
    using Value = typename Operator::Value;
    __shared__ Value shared[kTextbookThreads];
    const auto value = [&](std::int64_t i) -> Value {
        if (i >= n) return op.identity();
        if constexpr (First) return op.map(in[i]);
        else return in[i];
    };
    const int thread = static_cast<int>(threadIdx.x);
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * (2 * kTextbookThreads) + thread;
    shared[thread] = op.combine(value(i), value(i + kTextbookThreads));
    __syncthreads();
    for (int half = kTextbookThreads / 2; half > 0; half /= 2) {
        if (thread < half) shared[thread] = op.combine(shared[thread], shared[thread + half]);
        __syncthreads();
    }
    if (thread == 0) out[blockIdx.x] = shared[0];
}

/// Returns the blocks of a launch of reduceTree.
constexpr std::int64_t treeBlocks(std::int64_t n) {
    return std::max<std::int64_t>((n + 2 * kTextbookThreads - 1) / (2 * kTextbookThreads), 1);
}

template <class Operator>
struct TreeWorkspace {
    typename Operator::Value* values[2];  ///< results of a launch are the elements of the next one; the two arrays alternate
    std::size_t bytes;
    TreeWorkspace(const Workspace& workspace, std::int64_t n) {
        WorkspaceLayout layout(workspace);
        values[0] = layout.take<typename Operator::Value>(treeBlocks(n));
        values[1] = layout.take<typename Operator::Value>(treeBlocks(treeBlocks(n)));
        bytes = layout.bytes();
    }
};

template <class Operator>
void launchTree(const float* in, std::int64_t n, const Operator& op, typename Operator::Value* result, const Workspace& workspace,
                cudaStream_t stream) {
    using Value = typename Operator::Value;
    const TreeWorkspace<Operator> own(workspace, n);
    std::int64_t blocks = treeBlocks(n);
    Value* out = blocks == 1 ? result : own.values[0];
    reduceTree<Operator, true><<<static_cast<unsigned>(blocks), kTextbookThreads, 0, stream>>>(in, n, op, out);
    for (int from = 0; blocks > 1; from = 1 - from) {
        const std::int64_t values = blocks;
        blocks = treeBlocks(values);
        out = blocks == 1 ? result : own.values[1 - from];
        reduceTree<Operator, false><<<static_cast<unsigned>(blocks), kTextbookThreads, 0, stream>>>(own.values[from], values, op, out);
    }
}

// ---- warp -------------------------------------------------------------------------------------------------------------------

template <class Operator, class Knobs, bool Aligned>
__global__ void __launch_bounds__(Knobs::value.threads, Knobs::value.blocks)
    reduceChunks(const float* __restrict__ in, std::int64_t n, std::int64_t chunk, const __grid_constant__ Operator op,
                 typename Operator::Value* ofBlocks, unsigned* ticket, typename Operator::Value* result) {
    constexpr StreamTuning tuning = Knobs::value;
    constexpr int step = tuning.step();
    using Mine = Running<Operator>;
    static_assert(tuning.vectors * 4 <= Mine::kMaxAdds);
    std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * chunk;
    const std::int64_t end = min(i + chunk, n);
    Mine mine(op);
    for (; i + step <= end; i += step) {
        float4 v[tuning.vectors];
#pragma unroll
        for (int k = 0; k < tuning.vectors; ++k)
            v[k] = loadVector<Aligned>(in + i + 4 * (k * tuning.threads + static_cast<int>(threadIdx.x)));
#pragma unroll
        for (int k = 0; k < tuning.vectors; ++k) {
            mine.add(op, v[k].x);
            mine.add(op, v[k].y);
            mine.add(op, v[k].z);
            mine.add(op, v[k].w);
        }
        mine.settle();
    }
    // The remainder of the last chunk, less than a step.
    for (i += threadIdx.x; i < end; i += tuning.threads) mine.add(op, in[i]);
    mine.settle();
    reduceBlock<tuning.threads>(mine, [&](Mine& a, const Mine& b) { a.merge(op, b); });
    combineBlocks<tuning.threads>(op, mine.value(op), ofBlocks, ticket, result);
}

struct ReductionKnobs {
    static constexpr StreamTuning value = kReductionTuning;
};

template <class Operator>
struct WarpWorkspace {
    unsigned* ticket;
    typename Operator::Value* ofBlocks;
    std::size_t bytes;
    WarpWorkspace(const Workspace& workspace, std::int64_t blocks) {
        WorkspaceLayout layout(workspace);
        ticket = layout.take<unsigned>(1);
        ofBlocks = layout.take<typename Operator::Value>(blocks);
        bytes = layout.bytes();
    }
};

template <class Knobs = ReductionKnobs, class Operator>
void launchWarp(const float* in, std::int64_t n, const Operator& op, typename Operator::Value* result, const Workspace& workspace,
                cudaStream_t stream) {
    constexpr StreamTuning tuning = Knobs::value;
    const Chunks chunks = Chunks::of(n, tuning);
    const WarpWorkspace<Operator> own(workspace, chunks.count);
    const auto blocks = static_cast<unsigned>(chunks.count);
    if (isAligned(in))
        reduceChunks<Operator, Knobs, true>
            <<<blocks, tuning.threads, 0, stream>>>(in, n, chunks.length, op, own.ofBlocks, own.ticket, result);
    else
        reduceChunks<Operator, Knobs, false>
            <<<blocks, tuning.threads, 0, stream>>>(in, n, chunks.length, op, own.ofBlocks, own.ticket, result);
}

// ---- cub --------------------------------------------------------------------------------------------------------------------

template <class Operator>
struct CubMap {
    Operator op;
    __host__ __device__ typename Operator::Value operator()(float x) const { return op.map(x); }
};
template <class Operator>
struct CubCombine {
    Operator op;
    __host__ __device__ typename Operator::Value operator()(const typename Operator::Value& a, const typename Operator::Value& b) const {
        return op.combine(a, b);
    }
};

/// Sets only `bytes` if memory == nullptr.
template <class Operator>
void reduceCub(void* memory, std::size_t& bytes, const float* in, std::int64_t n, const Operator& op, typename Operator::Value* result,
               cudaStream_t stream) {
    check(cub::DeviceReduce::TransformReduce(memory, bytes, in, result, n, CubCombine<Operator>{op}, CubMap<Operator>{op}, op.identity(),
                                             stream),
          "A reduction by CUB failed");
}

// ---- all variants --------------------------------------------------------------------------------------------------------------

template <class Operator>
std::size_t reductionBytes(ReductionVariant variant, std::int64_t n, const Operator& op) {
    switch (variant) {
        case ReductionVariant::tree: return TreeWorkspace<Operator>({}, n).bytes;
        case ReductionVariant::warp: return WarpWorkspace<Operator>({}, Chunks::of(n, kReductionTuning).count).bytes;
        case ReductionVariant::cub: break;
    }
    std::size_t bytes = 0;
    reduceCub(nullptr, bytes, nullptr, n, op, nullptr, nullptr);
    return bytes;
}

template <class Operator>
void launchReduction(ReductionVariant variant, const float* in, std::int64_t n, const Operator& op, typename Operator::Value* result,
                     const Workspace& workspace, cudaStream_t stream) {
    requireLength(n, "reduction");
    std::size_t bytes = reductionBytes(variant, n, op);
    requireWorkspace(workspace, bytes, "reduction");
    switch (variant) {
        case ReductionVariant::tree: launchTree(in, n, op, result, workspace, stream); break;
        case ReductionVariant::warp: launchWarp(in, n, op, result, workspace, stream); break;
        case ReductionVariant::cub: reduceCub(workspace.data, bytes, in, n, op, result, stream); break;
    }
    checkLaunch("A reduction could not be started");
}

template <class Operator>
void preloadReductionOf(ReductionVariant variant) {
    switch (variant) {
        case ReductionVariant::tree:
            preload(&reduceTree<Operator, true>);
            preload(&reduceTree<Operator, false>);
            break;
        case ReductionVariant::warp:
            preload(&reduceChunks<Operator, ReductionKnobs, true>);
            preload(&reduceChunks<Operator, ReductionKnobs, false>);
            break;
        case ReductionVariant::cub: break;
    }
}

}  // namespace parallax::gpu
