// SPDX-License-Identifier: GPL-3.0-or-later
// Launchers of the kernels of fft.cpp. Compiles without nvcc.
#pragma once

#include "gpu/operations/convolution/kernels/launchers.hpp"

namespace parallax::gpu {

/// Size of the tiles that are flagged if they contain a non-finite sample.
inline constexpr int kFftTileColumns = 64, kFftTileRows = 32;

/// The planes are those of a batch, all rows; the weights are for outputs that are summed directly.
struct FftLaunch : ConvolutionLaunch {
    int paddedWidth = 0, paddedHeight = 0;  ///< rows of the padded plane have paddedWidth + 2 floats
    float* padded = nullptr;                ///< contiguous planes
    const float* spectrum = nullptr;        ///< of the weights, one plane
    unsigned char* notFinite = nullptr;     ///< one flag per tile of each padded plane
    float inScale = 1;                      ///< power of 2 that brings samples near 1
    int outExponent = 0;                    ///< exponent of the power of 2 that undoes this scale and that of the weights

    int pitch() const { return paddedWidth + 2; }
    std::int64_t planeFloats() const { return std::int64_t{pitch()} * paddedHeight; }
    int tilesAcross() const { return (paddedWidth + kFftTileColumns - 1) / kFftTileColumns; }
    int tilesDown() const { return (paddedHeight + kFftTileRows - 1) / kFftTileRows; }
};

/// Image -> padded planes, scaled: border mode, zeros beyond; non-finite samples become 0, and their tiles are flagged.
void launchFftPad(const FftLaunch& launch, cudaStream_t stream);
/// padded *= conjugate of the spectrum.
void launchFftMultiply(const FftLaunch& launch, cudaStream_t stream);
/// Padded planes -> result. Tiles whose windows contain a non-finite sample are summed directly.
void launchFftUnpad(const FftLaunch& launch, cudaStream_t stream);
void preloadFft();

}  // namespace parallax::gpu
