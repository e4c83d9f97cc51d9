// SPDX-License-Identifier: GPL-3.0-or-later
// A block loads its tile and a band of the weights into shared memory; each thread computes 4 columns x 8 rows.
#include "gpu/operations/convolution/kernels/any_size.cuh"

namespace parallax::gpu {
namespace {

constexpr int kRows = kAnySizeTuning.rows, kWarps = kAnySizeTuning.warps;
constexpr int kBlockRows = kRows * kWarps;

template <int WeightsPitch>
__global__ void __launch_bounds__(kWarp* kWarps)
    anySizeKernel(const __grid_constant__ ConvolutionLaunch a, const __grid_constant__ AnySizeLayout layout) {
    extern __shared__ __align__(16) float shared[];
    float* const weights = shared;
    float* const tile = shared + layout.band * WeightsPitch;
    const int lane = static_cast<int>(threadIdx.x), warp = static_cast<int>(threadIdx.y);
    const int blockX = static_cast<int>(blockIdx.x) * kAnySizeColumns;
    const int blockY = a.planes.rowBegin + static_cast<int>(blockIdx.y) * kBlockRows;
    const float* in = a.planes.in + blockIdx.z * a.planes.inSliceStride;
    Sums<kRows> sums;
    clear<kRows>(sums);
    for (int v0 = 0; v0 < a.kernelHeight; v0 += layout.band) {
        const int bandRows = min(layout.band, a.kernelHeight - v0);
        if (v0 > 0) __syncthreads();  // all threads have read the previous band
        for (int r = warp; r < bandRows; r += kWarps)
            for (int u = lane; u < a.kernelWidth; u += kWarp)
                weights[r * WeightsPitch + u] = __ldg(a.weights + (v0 + r) * a.kernelWidth + u);
        loadTile(tile, layout.pitch, layout.pitch, kBlockRows + bandRows - 1, blockX - a.anchorX, blockY - a.anchorY + v0, in, a.planes,
                 a.columns, a.rows, a.borderValue, lane, kWarp, warp, kWarps);
        __syncthreads();
        // Tile row i is needed by outputs i - bandRows + 1 .. i; by all outputs of the thread only in the middle.
        const float* row = tile + warp * kRows * layout.pitch + 4 * lane;
        const int inputRows = kRows + bandRows - 1;
#pragma unroll 1
        for (int i = 0; i < inputRows; ++i) {
            if (i >= kRows - 1 && i < bandRows) {
                addRow<false, WeightsPitch, kRows>(sums, row, weights, i, bandRows, a.kernelWidth);
            } else {
                addRow<true, WeightsPitch, kRows>(sums, row, weights, i, bandRows, a.kernelWidth);
            }
            row += layout.pitch;
        }
    }
    storeSums<kRows>(a, layout.vectorStores, sums, blockX + 4 * lane, blockY + warp * kRows);
}

/// Calls f(distance of the window's rows in shared memory) with a compile-time constant.
template <class F>
void withPitch(int kernelWidth, F&& f) {
    if (kernelWidth <= 32) f(std::integral_constant<int, 32>());
    else if (kernelWidth <= 64) f(std::integral_constant<int, 64>());
    else f(std::integral_constant<int, 128>());
}

}  // namespace

void AnySize::launch(const ConvolutionLaunch& l, cudaStream_t stream) {
    withPitch(l.kernelWidth, [&](auto weightsPitch) {
        const int pitch = AnySizeLayout::pitchOf(l), fixed = (kBlockRows - 1) * pitch;
        const int available = kAnySizeTuning.sharedBytes / static_cast<int>(sizeof(float)) - fixed;
        const AnySizeLayout layout(l, available / (pitch + weightsPitch()));
        const int floats = fixed + layout.band * (pitch + weightsPitch());
        forGrids(l, kAnySizeColumns, kBlockRows, [&](const ConvolutionLaunch& part, dim3 grid) {
            anySizeKernel<weightsPitch()>
                <<<grid, dim3(kWarp, kWarps), static_cast<std::size_t>(floats) * sizeof(float), stream>>>(part, layout);
        });
    });
}

void AnySize::preload(const ConvolutionLaunch& l) {
    withPitch(l.kernelWidth, [](auto weightsPitch) { gpu::preload(&anySizeKernel<weightsPitch()>); });
}

}  // namespace parallax::gpu
