// SPDX-License-Identifier: GPL-3.0-or-later
// What fft.cpp asks of its kernels. Compiles without nvcc.
#pragma once

#include "gpu/operations/convolution/kernels/launchers.hpp"

namespace parallax::gpu {

/// Tiles of the padded plane for which it is noted whether they hold a sample that is not finite.
inline constexpr int kFftTileColumns = 64, kFftTileRows = 32;

struct FftLaunch {
    Planes planes;  ///< `depth` of them in this batch, all rows
    EdgeTable columns, rows;
    int kernelWidth = 1, kernelHeight = 1, anchorX = 0, anchorY = 0;
    float borderValue = 0, offset = 0;
    const float* weights = nullptr;         ///< device memory: for the outputs that are summed directly
    int paddedWidth = 0, paddedHeight = 0;  ///< rows of the padded plane have paddedWidth + 2 floats
    float* padded = nullptr;                ///< planes without gaps
    const float* spectrum = nullptr;        ///< of the weights, one plane
    unsigned char* notFinite = nullptr;     ///< one a tile of each padded plane
    float inScale = 1;                      ///< power of 2 that brings samples near 1
    int outExponent = 0;                    ///< of the power of 2 that takes this and the scale of the weights back
    bool streaming = false;

    int pitch() const { return paddedWidth + 2; }
    std::int64_t planeFloats() const { return std::int64_t{pitch()} * paddedHeight; }
    int tilesAcross() const { return (paddedWidth + kFftTileColumns - 1) / kFftTileColumns; }
    int tilesDown() const { return (paddedHeight + kFftTileRows - 1) / kFftTileRows; }
};

/// Image -> padded planes: borders by their rule, zeros beyond, samples scaled; those that are not finite become 0 and are noted.
void launchFftPad(const FftLaunch& launch, cudaStream_t stream);
/// padded *= conjugate of the spectrum.
void launchFftMultiply(const FftLaunch& launch, cudaStream_t stream);
/// Padded planes -> result. Tiles whose windows meet a sample that is not finite are summed directly.
void launchFftUnpad(const FftLaunch& launch, cudaStream_t stream);
void preloadFft();

}  // namespace parallax::gpu
