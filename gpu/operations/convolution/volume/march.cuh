// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of the kernels that march along z: a block has a tile of 128 columns and some rows, loads one slice after another with its borders,
// and keeps the sums of the slices of the result that are not complete yet in registers.
#pragma once

#include <algorithm>
#include <cmath>

#include "gpu/operations/convolution/kernels/kernel_parts.cuh"
#include "gpu/operations/convolution/volume/launchers.hpp"

namespace parallax::gpu {

inline constexpr int kMarchColumns = 4 * kWarp;  ///< of a tile: 4 a lane
inline constexpr int kMarchHalo = 4;             ///< columns loaded on either side, for windows up to 9

/// Tile of a kernel for cubes of N: each of `Warps` warps computes `Rows` rows.
template <int N, int Rows, int Warps>
struct MarchTile {
    static_assert(N % 2 == 1 && N / 2 <= kMarchHalo);
    static constexpr int radius = N / 2;
    static constexpr int outputRows = Rows * Warps;
    static constexpr int inputRows = outputRows + N - 1;
};

/// Where the rows and columns of a tile come from: -1 stands for the border value. Filled once by all threads of a block.
template <class Offset>
struct TileMaps {
    int* columns;  ///< kMarchColumns + 2 * kMarchHalo of them, from column -kMarchHalo of the tile on
    Offset* rows;  ///< offset of each input row in its slice
};

template <class Tile, class Offset>
__device__ __forceinline__ void fillMaps(const TileMaps<Offset>& maps, const VolumeSlices& s, int x0, int y0) {
    const int thread = static_cast<int>(threadIdx.y) * kWarp + static_cast<int>(threadIdx.x);
    const int threads = static_cast<int>(blockDim.y) * kWarp;
    for (int i = thread; i < kMarchColumns + 2 * kMarchHalo; i += threads)
        maps.columns[i] = borderIndex(x0 - kMarchHalo + i, s.width, s.border);
    for (int i = thread; i < Tile::inputRows; i += threads) {
        const int y = borderIndex(y0 - Tile::radius + i, s.height, s.border);
        maps.rows[i] = static_cast<Offset>(y < 0 ? -1 : y * s.inRowStride);
    }
}

/// Four neighbouring samples of a row, from column x on, which all lie in the volume if `inside`; else the four entries of a map say where
/// they come from. `row` is nullptr outside of the volume.
__device__ __forceinline__ float4 loadQuad(const float* row, int x, const int* map, bool inside, float borderValue) {
    if (!row) return make_float4(borderValue, borderValue, borderValue, borderValue);
    if (inside) return __ldg(reinterpret_cast<const float4*>(row + x));
    const int a = map[0], b = map[1], c = map[2], d = map[3];
    return make_float4(a < 0 ? borderValue : __ldg(row + a), b < 0 ? borderValue : __ldg(row + b), c < 0 ? borderValue : __ldg(row + c),
                       d < 0 ? borderValue : __ldg(row + d));
}

/// The slice of the input, or nullptr outside of the volume.
__device__ __forceinline__ const float* inputSlice(const VolumeSlices& s, int z) {
    const int from = borderIndex(z, s.depth, s.border);
    return from < 0 ? nullptr : s.in + from * s.inSliceStride;
}

/// Stores four neighbouring results, or the first of them: `to` is that of column x, `all` says that vectors are allowed and all four are
/// in the row. `MayStream`: past the cache if VolumeSlices::streaming says so.
template <bool MayStream = true>
__device__ __forceinline__ void storeQuad(float* to, const VolumeSlices& s, int x, bool all, float4 v) {
    if (s.offset != 0) {
        v.x += s.offset;
        v.y += s.offset;
        v.z += s.offset;
        v.w += s.offset;
    }
    if (all) [[likely]] {
        if (MayStream && s.streaming) __stcs(reinterpret_cast<float4*>(to), v);
        else *reinterpret_cast<float4*>(to) = v;
        return;
    }
    to[0] = v.x;
    if (x + 1 < s.width) to[1] = v.y;
    if (x + 2 < s.width) to[2] = v.z;
    if (x + 3 < s.width) to[3] = v.w;
}
__device__ __forceinline__ void storeQuad(const VolumeSlices& s, int x, int y, int z, float4 v) {
    if (x < s.width && y < s.height)
        storeQuad(s.out + z * s.outSliceStride + y * s.outRowStride + x, s, x, s.vectors && x + 3 < s.width, v);
}

/// Slices of a block: whole waves of blocks, where the slices that neighbours load again cost the least.
inline int slicesOfBlock(const VolumeLaunch& launch, int tiles, int window, int blocksOfMultiprocessor) {
    const int slices = launch.slices.zEnd - launch.slices.zBegin;
    const double resident = std::max(1, launch.multiprocessors * blocksOfMultiprocessor);
    int best = slices;
    double least = 0;
    for (int parts = 1; parts <= std::min(slices, 256); ++parts) {
        const int each = divideUp(slices, parts);
        const double waves = std::ceil(1.0 * tiles * divideUp(slices, each) / resident), cost = waves * (each + window - 1);
        if (parts > 1 && cost >= least) continue;
        least = cost;
        best = each;
    }
    return best;
}

/// Grid of a marching kernel, whose blocks have `each` slices.
inline dim3 marchGrid(const VolumeSlices& s, int rows, int each) {
    return dim3(static_cast<unsigned>(divideUp(s.width, kMarchColumns)), static_cast<unsigned>(divideUp(s.height, rows)),
                static_cast<unsigned>(divideUp(s.zEnd - s.zBegin, each)));
}

}  // namespace parallax::gpu
