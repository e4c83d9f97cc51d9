// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels before and after a Fourier transform. They work on tiles of 64 x 32 samples, a pair of columns per thread, since rows of padded
// planes are aligned to 8 bytes.
#include "gpu/operations/convolution/kernels/fft_kernels.hpp"
#include "gpu/operations/convolution/kernels/kernel_parts.cuh"

namespace parallax::gpu {
namespace {

constexpr int kWarps = 8, kRowsPerThread = kFftTileRows / kWarps;
static_assert(kFftTileColumns == 2 * kWarp);
constexpr int kMultiplyThreads = 256;

__global__ void __launch_bounds__(kWarp* kWarps) padKernel(const __grid_constant__ FftLaunch a, int tilesAcross) {
    const int tileX = static_cast<int>(blockIdx.x) % tilesAcross, tileY = static_cast<int>(blockIdx.x) / tilesAcross;
    const float* in = a.planes.in + blockIdx.y * a.planes.inSliceStride;
    const std::int64_t pitch = a.paddedWidth + 2;
    float* padded = a.padded + blockIdx.y * pitch * a.paddedHeight;
    const int x = tileX * kFftTileColumns + 2 * static_cast<int>(threadIdx.x);
    const int columns = a.planes.width + a.kernelWidth - 1, rows = a.planes.height + a.kernelHeight - 1;
    // Columns of the image for these two: -1 is the constant, -2 is beyond all windows.
    int source[2];
#pragma unroll
    for (int j = 0; j < 2; ++j) source[j] = x + j < columns ? a.columns.at(x + j - a.anchorX) : -2;
    bool odd = false;
#pragma unroll
    for (int r = 0; r < kRowsPerThread; ++r) {
        const int y = tileY * kFftTileRows + static_cast<int>(threadIdx.y) + r * kWarps;
        if (x >= a.paddedWidth || y >= a.paddedHeight) continue;
        float values[2] = {0, 0};
        if (y < rows) {
            const int sourceY = a.rows.at(y - a.anchorY);
            const float* row = in + (sourceY < 0 ? 0 : sourceY) * a.planes.inRowStride;
#pragma unroll
            for (int j = 0; j < 2; ++j) {
                if (source[j] == -2) continue;
                const float v = (source[j] < 0 || sourceY < 0 ? a.borderValue : __ldg(row + source[j])) * a.inScale;
                const bool finite = isfinite(v);
                odd = odd || !finite;
                values[j] = finite ? v : 0.0F;
            }
        }
        *reinterpret_cast<float2*>(padded + y * pitch + x) = float2{values[0], values[1]};
    }
    const bool any = __syncthreads_or(odd) != 0;
    if (threadIdx.x == 0 && threadIdx.y == 0) a.notFinite[static_cast<std::int64_t>(blockIdx.y) * gridDim.x + blockIdx.x] = any ? 1 : 0;
}

/// (p + i q) (r - i s), two at a time.
__global__ void __launch_bounds__(kMultiplyThreads) multiplyKernel(float4* data, const float4* spectrum, std::int64_t pairs) {
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kMultiplyThreads + threadIdx.x;
    if (i >= pairs) return;
    const float4 k = __ldg(spectrum + i);
    float4* p = data + blockIdx.y * pairs + i;
    const float4 d = *p;
    *p = float4{d.x * k.x + d.y * k.y, d.y * k.x - d.x * k.y, d.z * k.z + d.w * k.w, d.w * k.z - d.z * k.w};
}

/// Sums all taps directly.
__device__ __noinline__ float directSum(const FftLaunch& a, const float* in, int x, int y) {
    float sum = 0;
    for (int v = 0; v < a.kernelHeight; ++v) {
        const int sourceY = a.rows.at(y + v - a.anchorY);
        const float* row = in + (sourceY < 0 ? 0 : sourceY) * a.planes.inRowStride;
        for (int u = 0; u < a.kernelWidth; ++u) {
            const int sourceX = a.columns.at(x + u - a.anchorX);
            const float sample = sourceX < 0 || sourceY < 0 ? a.borderValue : __ldg(row + sourceX);
            sum = fmaf(__ldg(a.weights + v * a.kernelWidth + u), sample, sum);
        }
    }
    return sum;
}

__global__ void __launch_bounds__(kWarp* kWarps)
    unpadKernel(const __grid_constant__ FftLaunch a, int outputTilesAcross, int tilesAcross, int tilesDown, bool pairStores) {
    const int tileX = static_cast<int>(blockIdx.x) % outputTilesAcross, tileY = static_cast<int>(blockIdx.x) / outputTilesAcross;
    const std::int64_t pitch = a.paddedWidth + 2;
    const float* padded = a.padded + blockIdx.y * pitch * a.paddedHeight;
    float* out = a.planes.out + blockIdx.y * a.planes.outSliceStride;

    // The windows of this tile's outputs begin at its first sample and reach this many tiles further.
    const int lastX = min((tileX * kFftTileColumns + kFftTileColumns - 1 + a.kernelWidth - 1) / kFftTileColumns, tilesAcross - 1);
    const int lastY = min((tileY * kFftTileRows + kFftTileRows - 1 + a.kernelHeight - 1) / kFftTileRows, tilesDown - 1);
    const int across = lastX - tileX + 1, count = across * (lastY - tileY + 1);
    const unsigned char* notFinite = a.notFinite + static_cast<std::int64_t>(blockIdx.y) * tilesAcross * tilesDown;
    bool odd = false;
    for (int t = static_cast<int>(threadIdx.y) * kWarp + static_cast<int>(threadIdx.x); t < count; t += kWarp * kWarps)
        odd = odd || notFinite[static_cast<std::int64_t>(tileY + t / across) * tilesAcross + tileX + t % across] != 0;
    const bool direct = __syncthreads_or(odd) != 0;

    const int x = tileX * kFftTileColumns + 2 * static_cast<int>(threadIdx.x);
    if (x >= a.planes.width) return;
#pragma unroll 1
    for (int r = 0; r < kRowsPerThread; ++r) {
        const int y = tileY * kFftTileRows + static_cast<int>(threadIdx.y) + r * kWarps;
        if (y >= a.planes.height) return;
        float2 result;
        if (direct) {
            const float* in = a.planes.in + blockIdx.y * a.planes.inSliceStride;
            result = {directSum(a, in, x, y), x + 1 < a.planes.width ? directSum(a, in, x + 1, y) : 0.0F};
        } else {
            result = *reinterpret_cast<const float2*>(padded + y * pitch + x);
            result.x = ldexpf(result.x, a.outExponent);
            result.y = ldexpf(result.y, a.outExponent);
        }
        result.x += a.offset;
        result.y += a.offset;
        float* p = out + y * a.planes.outRowStride + x;
        if (pairStores) {
            if (a.streaming) {
                __stcs(reinterpret_cast<float2*>(p), result);
            } else {
                *reinterpret_cast<float2*>(p) = result;
            }
        } else {
            p[0] = result.x;
            if (x + 1 < a.planes.width) p[1] = result.y;
        }
    }
}

unsigned planesOf(const FftLaunch& a) { return static_cast<unsigned>(a.planes.depth); }

}  // namespace

void launchFftPad(const FftLaunch& a, cudaStream_t stream) {
    const auto tiles = static_cast<unsigned>(a.tilesAcross() * a.tilesDown());
    padKernel<<<dim3(tiles, planesOf(a)), dim3(kWarp, kWarps), 0, stream>>>(a, a.tilesAcross());
    checkLaunch("An image could not be padded for its transform");
}

void launchFftMultiply(const FftLaunch& a, cudaStream_t stream) {
    const std::int64_t pairs = a.planeFloats() / 4;  // the height is a multiple of 8
    const auto blocks = static_cast<unsigned>((pairs + kMultiplyThreads - 1) / kMultiplyThreads);
    multiplyKernel<<<dim3(blocks, planesOf(a)), dim3(kMultiplyThreads), 0, stream>>>(reinterpret_cast<float4*>(a.padded),
                                                                                     reinterpret_cast<const float4*>(a.spectrum), pairs);
    checkLaunch("Transforms could not be multiplied");
}

void launchFftUnpad(const FftLaunch& a, cudaStream_t stream) {
    const int across = divideUp(a.planes.width, kFftTileColumns), down = divideUp(a.planes.height, kFftTileRows);
    const bool pairStores =
        a.planes.outRowStride % 2 == 0 && a.planes.outSliceStride % 2 == 0 && reinterpret_cast<std::uintptr_t>(a.planes.out) % 8 == 0;
    unpadKernel<<<dim3(static_cast<unsigned>(across * down), planesOf(a)), dim3(kWarp, kWarps), 0, stream>>>(a, across, a.tilesAcross(),
                                                                                                             a.tilesDown(), pairStores);
    checkLaunch("The result of a transform could not be stored");
}

void preloadFft() {
    preload(&padKernel);
    preload(&multiplyKernel);
    preload(&unpadKernel);
}

}  // namespace parallax::gpu
