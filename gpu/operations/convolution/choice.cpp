// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/operations/convolution/choice.hpp"

#include "gpu/operations/convolution/kernels/tuning.hpp"

namespace parallax::gpu {

std::int64_t fastTransformSize(std::int64_t n) {
    const std::int64_t unit = n <= 256 ? 8 : 32;
    for (std::int64_t size = (n + unit - 1) / unit * unit;; size += unit) {
        std::int64_t rest = size;
        for (const std::int64_t factor : {2, 3, 5, 7})
            while (rest % factor == 0) rest /= factor;
        if (rest == 1) return size;
    }
}

ConvolutionChoice chooseConvolution(const ConvolutionFacts& f) {
    const int taps = f.kernelWidth * f.kernelHeight, factored = f.kernelWidth + f.kernelHeight;
    const std::string tapsText = std::to_string(taps) + (taps == 1 ? " tap" : " taps");
    const double samples = static_cast<double>(f.width) * static_cast<double>(f.height) * static_cast<double>(f.planes);
    const bool unrolled = f.kernelWidth <= kLargestUnrolledWindow && f.kernelHeight <= kLargestUnrolledWindow;
    const double saving = unrolled ? (taps - factored) * samples / f.multiprocessors : kSeparableLeastSaving;
    if (f.separable && taps >= kSeparableGain * factored && saving >= kSeparableLeastSaving)
        return {ConvolutionVariant::separable,
                "rank 1: " + std::to_string(factored) + " instead of " + std::to_string(taps) + " multiply-adds per sample"};

    const std::int64_t paddedWidth = fastTransformSize(f.width + f.kernelWidth - 1),
                       paddedHeight = fastTransformSize(f.height + f.kernelHeight - 1);
    const double padded = static_cast<double>(paddedWidth) * static_cast<double>(paddedHeight) * static_cast<double>(f.planes);
    const bool pays = taps * samples >= kFftTaps * padded && taps * samples >= kFftLeastWork * f.multiprocessors;
    const Support fft = pays ? f.fft() : Support{};
    if (pays && fft)
        return {ConvolutionVariant::fft, tapsText + " per sample cost more than transforms of " + std::to_string(paddedWidth) + " x " +
                                             std::to_string(paddedHeight)};
    if (pays) return {ConvolutionVariant::direct, tapsText + ", and no transform: " + fft.reason};
    if (f.separable) return {ConvolutionVariant::direct, tapsText + ": separable filtering would save too little"};
    return {ConvolutionVariant::direct, tapsText + " on this image: too few for a transform"};
}

}  // namespace parallax::gpu
