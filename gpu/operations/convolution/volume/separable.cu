// SPDX-License-Identifier: GPL-3.0-or-later
// Separable windows in three dimensions: cubes up to 9 in one pass (fused.cuh), other windows by a pass along each axis.
#include "gpu/operations/convolution/volume/fused.cuh"
#include "gpu/operations/convolution/volume/tuning.hpp"

namespace parallax::gpu {
namespace {

/// Any factor along one axis: a thread a voxel. `outside` replaces samples beyond the axis of a constant border.
template <int Axis>
__global__ void __launch_bounds__(256)
    lineKernel(const __grid_constant__ VolumeSlices s, const float* factor, int length, int anchor, float outside) {
    const int x = static_cast<int>(blockIdx.x) * static_cast<int>(blockDim.x) + static_cast<int>(threadIdx.x);
    const int y = static_cast<int>(blockIdx.y) * static_cast<int>(blockDim.y) + static_cast<int>(threadIdx.y);
    if (x >= s.width || y >= s.height) return;
    const int n = Axis == 0 ? s.width : Axis == 1 ? s.height : s.depth;
    const std::int64_t stride = Axis == 0 ? 1 : Axis == 1 ? s.inRowStride : s.inSliceStride;
    for (int z = s.zBegin + static_cast<int>(blockIdx.z); z < s.zEnd; z += static_cast<int>(gridDim.z)) {
        const int at = (Axis == 0 ? x : Axis == 1 ? y : z) - anchor;
        const float* line = s.in + (Axis == 0 ? 0 : x) + (Axis == 1 ? 0 : y * s.inRowStride) + (Axis == 2 ? 0 : z * s.inSliceStride);
        float sum = 0;
        for (int i = 0; i < length; ++i) {
            const int from = borderIndex(at + i, n, s.border);
            sum += __ldg(factor + i) * (from < 0 ? outside : line[from * stride]);
        }
        s.out[z * s.outSliceStride + y * s.outRowStride + x] = withOffset(sum, s.offset);
    }
}

template <int Axis>
void enqueueLines(const VolumeSlices& slices, const float* factor, int length, int anchor, float outside, cudaStream_t stream) {
    const dim3 block(32, 8);
    // Rows beyond the grid's limit would need a launch of their own; z strides over it.
    VolumeSlices part = slices;
    const int rowsAtOnce = kGridLimit * static_cast<int>(block.y);
    if (slices.height > rowsAtOnce) throw Error(ErrorCode::failed, "The volume has too many rows for one launch");
    const dim3 grid(static_cast<unsigned>(divideUp(slices.width, 32)), static_cast<unsigned>(divideUp(slices.height, 8)),
                    static_cast<unsigned>(std::min(kGridLimit, slices.zEnd - slices.zBegin)));
    lineKernel<Axis><<<grid, block, 0, stream>>>(part, factor, length, anchor, outside);
    checkLaunch("A convolution kernel could not be started");
}

/// The fused kernel with a tile.
template <int N, int Rows, int Warps, int Blocks, int Stages>
struct Fused {
    void launch(const VolumeLaunch& launch, cudaStream_t stream) const { launchFused<N, Rows, Warps, Blocks, Stages>(launch, stream); }
    void preload() const { gpu::preload(&fusedKernel<N, Rows, Warps, Blocks, Stages>); }
};

/// Calls f with the kernel for cubes of N whose tile suits the current device.
template <int N, class F>
void withTileOf(F&& f) {
    constexpr MarchTuning l = marchTuning(N), s = smallMarchTuning();
    if (sizeof(FusedMemory<N, l.rows, l.warps, l.stages>) <= static_cast<std::size_t>(maxSharedBytes()))
        f(Fused<N, l.rows, l.warps, l.blocks, l.stages>());
    else f(Fused<N, s.rows, s.warps, s.blocks, s.stages>());
}
template <class F>
void withFusedTile(int size, F&& f) {
    switch (size) {
        case 3: return withTileOf<3>(f);
        case 5: return withTileOf<5>(f);
        case 7: return withTileOf<7>(f);
        case 9: return withTileOf<9>(f);
        default: throw Error(ErrorCode::failed, "This window has no fused kernel");
    }
}

/// Sum of a factor, in float as kernels make it.
float sumOf(const float* factor, int length, float value) {
    float sum = 0;
    for (int i = 0; i < length; ++i) sum += factor[i] * value;
    return sum;
}

void launchLines(const VolumeLaunch& launch, cudaStream_t stream) {
    const VolumeWindow& w = launch.window;
    const VolumeSlices& all = launch.slices;
    // in -> out -> filtered -> out: each pass reads what the one before wrote.
    VolumeSlices pass = all;
    pass.offset = 0;
    enqueueLines<0>(pass, w.factors, w.width, w.anchorX, all.borderValue, stream);
    const float afterX = sumOf(w.hostFactors, w.width, all.borderValue);
    pass.in = all.out;
    pass.inRowStride = all.outRowStride;
    pass.inSliceStride = all.outSliceStride;
    pass.out = launch.filtered;
    pass.outRowStride = all.width;
    pass.outSliceStride = std::int64_t{all.width} * all.height;
    enqueueLines<1>(pass, w.factors + w.width, w.height, w.anchorY, afterX, stream);
    const float afterY = sumOf(w.hostFactors + w.width, w.height, afterX);
    pass.in = launch.filtered;
    pass.inRowStride = pass.outRowStride;
    pass.inSliceStride = pass.outSliceStride;
    pass.out = all.out;
    pass.outRowStride = all.outRowStride;
    pass.outSliceStride = all.outSliceStride;
    pass.offset = all.offset;
    enqueueLines<2>(pass, w.factors + w.width + w.height, w.depth, w.anchorZ, afterY, stream);
}

}  // namespace

bool hasFusedKernel(const VolumeWindow& window) {
    return window.isCentredCube() && window.width >= 3 && window.width <= kLargestFusedWindow;
}

void launchVolumeSeparable(const VolumeLaunch& launch, cudaStream_t stream) {
    if (!hasFusedKernel(launch.window)) return launchLines(launch, stream);
    withFusedTile(launch.window.width, [&](auto kernel) { kernel.launch(launch, stream); });
}

void preloadVolumeSeparable(const VolumeLaunch& launch) {
    if (!hasFusedKernel(launch.window)) {
        preload(&lineKernel<0>);
        preload(&lineKernel<1>);
        preload(&lineKernel<2>);
        return;
    }
    withFusedTile(launch.window.width, [](auto kernel) { kernel.preload(); });
}

}  // namespace parallax::gpu
