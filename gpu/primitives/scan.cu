// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/primitives/scan.hpp"

#include <thrust/iterator/transform_iterator.h>
#include <cub/device/device_scan.cuh>

#include "gpu/primitives/operators.hpp"
#include "gpu/primitives/scan_blelloch.hpp"
#include "gpu/runtime/cuda_check.hpp"

namespace parallax::gpu {
namespace {

/// Returns the contribution of an element.
struct Element {
    PARALLAX_HOST_DEVICE float operator()(float x) const { return isFinite(x) ? x : 0.0F; }
    template <class T>
    PARALLAX_HOST_DEVICE T operator()(T x) const {
        return x;
    }
};
/// Sums are added unchanged, even if infinite.
struct Same {
    template <class T>
    PARALLAX_HOST_DEVICE T operator()(T x) const {
        return x;
    }
};

/// Each block scans kScanElements elements and stores their sum in `sums`, unless that is null.
template <class T, class Map>
__global__ void __launch_bounds__(kScanThreads) scanBlocks(const T* in, T* out, std::int64_t n, T* sums) {
    __shared__ T shared[kScanPadded];
    const int thread = static_cast<int>(threadIdx.x);
    const std::int64_t base = static_cast<std::int64_t>(blockIdx.x) * kScanElements;
    const Map map;
    for (int i = thread; i < kScanElements; i += kScanThreads) shared[scanPlace(i)] = base + i < n ? map(in[base + i]) : T{0};
    // Up-sweep: each node of the tree gets the sum of the nodes below it.
    for (int nodes = kScanElements / 2; nodes > 0; nodes /= 2) {
        __syncthreads();
        if (thread < nodes) {
            const ScanNode node = scanNode(thread, nodes);
            shared[node.right] += shared[node.left];
        }
    }
    if (thread == 0) {
        constexpr int root = scanPlace(kScanElements - 1);
        if (sums) sums[blockIdx.x] = shared[root];
        shared[root] = 0;
    }
    // Down-sweep: each node passes the sum of all elements before it to its left child, plus the left child's sum to its right child.
    for (int nodes = 1; nodes < kScanElements; nodes *= 2) {
        __syncthreads();
        if (thread < nodes) {
            const ScanNode node = scanNode(thread, nodes);
            const T left = shared[node.left];
            shared[node.left] = shared[node.right];
            shared[node.right] += left;
        }
    }
    __syncthreads();
    for (int i = thread; i < kScanElements; i += kScanThreads)
        if (base + i < n) out[base + i] = shared[scanPlace(i)];
}

template <class T>
__global__ void __launch_bounds__(kScanThreads) addToBlocks(T* out, std::int64_t n, const T* offsets) {
    const std::int64_t base = static_cast<std::int64_t>(blockIdx.x) * kScanElements;
    const T offset = offsets[blockIdx.x];
    for (int i = static_cast<int>(threadIdx.x); i < kScanElements; i += kScanThreads)
        if (base + i < n) out[base + i] += offset;
}

/// `sums` has room for the sums of this level and all further ones.
template <class T, class Map>
void scanLevel(const T* in, T* out, std::int64_t n, T* sums, cudaStream_t stream) {
    const std::int64_t blocks = scanBlockCount(n);
    const auto grid = static_cast<unsigned>(blocks);
    scanBlocks<T, Map><<<grid, kScanThreads, 0, stream>>>(in, out, n, blocks > 1 ? sums : nullptr);
    if (blocks <= 1) return;
    scanLevel<T, Same>(sums, sums, blocks, sums + blocks, stream);
    addToBlocks<<<grid, kScanThreads, 0, stream>>>(out, n, static_cast<const T*>(sums));
}

/// Sets only `bytes` if memory == nullptr.
template <class T>
void scanCub(void* memory, std::size_t& bytes, const T* in, T* out, std::int64_t n, cudaStream_t stream) {
    const auto run = [&](auto from) { return cub::DeviceScan::ExclusiveSum(memory, bytes, from, out, n, stream); };
    if constexpr (std::is_same_v<T, float>)
        check(run(thrust::transform_iterator<Element, const float*, float, float>(in, Element{})), "A scan by CUB failed");
    else check(run(in), "A scan by CUB failed");
}

}  // namespace

const VariantInfo& info(ScanVariant variant) {
    static constexpr VariantInfo blelloch{"blelloch",
                                          "Textbook: up-sweep and down-sweep of a tree in shared memory; the sums of blocks are "
                                          "scanned in the same way and added"};
    static constexpr VariantInfo cub{"cub",
                                     "cub::DeviceScan::ExclusiveSum, one pass over memory; sums of floats depend on the order in which "
                                     "blocks end, so their last bits may differ between runs",
                                     false};
    return variant == ScanVariant::blelloch ? blelloch : cub;
}

template <class T>
std::size_t scanWorkspaceBytes(ScanVariant variant, std::int64_t n) {
    requireLength(n, "scan");
    if (variant == ScanVariant::blelloch) return static_cast<std::size_t>(scanSums(n)) * sizeof(T);
    std::size_t bytes = 0;
    scanCub<T>(nullptr, bytes, nullptr, nullptr, n, nullptr);
    return bytes;
}

template <class T>
void preloadScan(ScanVariant variant) {
    if (variant != ScanVariant::blelloch) return;
    preload(&scanBlocks<T, Element>);
    preload(&scanBlocks<T, Same>);
    preload(&addToBlocks<T>);
}

template <class T>
void launchExclusiveScan(ScanVariant variant, const T* in, T* out, std::int64_t n, const Workspace& workspace, cudaStream_t stream) {
    std::size_t bytes = scanWorkspaceBytes<T>(variant, n);
    requireWorkspace(workspace, bytes, "scan");
    if (n == 0) return;
    if (variant == ScanVariant::blelloch) scanLevel<T, Element>(in, out, n, static_cast<T*>(workspace.data), stream);
    else scanCub(workspace.data, bytes, in, out, n, stream);
    checkLaunch("A scan could not be started");
}

#define PARALLAX_SCAN_OF(T)                                                \
    template std::size_t scanWorkspaceBytes<T>(ScanVariant, std::int64_t); \
    template void preloadScan<T>(ScanVariant);                             \
    template void launchExclusiveScan<T>(ScanVariant, const T*, T*, std::int64_t, const Workspace&, cudaStream_t);
PARALLAX_SCAN_OF(float)
PARALLAX_SCAN_OF(std::uint32_t)
PARALLAX_SCAN_OF(std::uint64_t)
#undef PARALLAX_SCAN_OF

}  // namespace parallax::gpu
