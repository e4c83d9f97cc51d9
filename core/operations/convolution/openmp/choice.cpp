// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/convolution/openmp/choice.hpp"

#include <algorithm>
#include <limits>

#include "core/operations/convolution/openmp/tuning.hpp"
#include "core/primitives/blocks.hpp"

namespace parallax {
namespace {

/// Samples of all tiles that the busiest thread transforms, times the threads.
double transformedSamples(const OpenmpConvolutionFacts& f, const FftTile& t) {
    const std::int64_t pairs = divideUp(t.across * t.down * f.planes, 2);
    return 2 * static_cast<double>(divideUp(pairs, f.threads)) * f.threads * t.width * t.height;
}

double costOfTransforms(const OpenmpConvolutionFacts& f, const FftTile& t) {
    const double large = static_cast<double>(t.width) * t.height > kFftCachedSamples ? kFftUncached : 1;
    return fftSampleCost(f.lanes, f.halfRate) * large * transformedSamples(f, t);
}

std::string taps(int n) { return std::to_string(n) + (n == 1 ? " tap" : " taps"); }

}  // namespace

FftTile chooseFftTile(const OpenmpConvolutionFacts& f) {
    FftTile best;
    double least = std::numeric_limits<double>::infinity();
    for (const int height : kFftExtents) {
        if (height < f.kernelHeight || height > largestFftExtent(f.kernelHeight)) continue;
        for (const int width : kFftExtents) {
            if (width < f.kernelWidth || width > largestFftExtent(f.kernelWidth)) continue;
            FftTile tile{.width = width, .height = height, .columns = width - f.kernelWidth + 1, .rows = height - f.kernelHeight + 1};
            tile.across = divideUp(f.width, tile.columns);
            tile.down = divideUp(f.height, tile.rows);
            const double cost = costOfTransforms(f, tile);
            if (cost >= least) continue;
            least = cost;
            best = tile;
        }
    }
    return best;
}

OpenmpConvolutionChoice chooseOpenmpConvolution(const OpenmpConvolutionFacts& f) {
    const int window = f.kernelWidth * f.kernelHeight, factored = f.terms * (f.kernelWidth + f.kernelHeight);
    const double samples = static_cast<double>(f.width) * static_cast<double>(f.height) * static_cast<double>(f.planes);
    const double direct = window;
    const double separable = f.terms > 0 ? kSeparableFixed + kSeparableTap * factored : std::numeric_limits<double>::infinity();
    const FftTile tile = chooseFftTile(f);
    const double fft = costOfTransforms(f, tile) / std::max(samples, 1.0);
    std::string noTransform;
    if (fft < std::min(direct, separable)) {
        const Support can = f.fft();
        if (can)
            return {OpenmpConvolution::fft, taps(window) + " a sample cost more than " +
                                                std::to_string(tile.across * tile.down * f.planes) + " transforms of " +
                                                std::to_string(tile.width) + " x " + std::to_string(tile.height)};
        noTransform = ", and no transform: " + can.reason;
    }
    if (separable < direct)
        return {OpenmpConvolution::separable, "rank " + std::to_string(f.terms) + ": " + std::to_string(factored) + " instead of " +
                                                  std::to_string(window) + " multiply-adds a sample" + noTransform};
    if (!noTransform.empty()) return {OpenmpConvolution::direct, taps(window) + noTransform};
    if (f.terms > 0) return {OpenmpConvolution::direct, taps(window) + ": a column and a row would save too little"};
    return {OpenmpConvolution::direct, taps(window) + " on this image: too few for a transform"};
}

}  // namespace parallax
