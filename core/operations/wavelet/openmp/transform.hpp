// SPDX-License-Identifier: GPL-3.0-or-later
// The transform of wavelet / openmp: one pass over memory for each level.
//
// A task is a tile of the output: some columns and some rows, through all slices. Slice after slice, rows are filtered along x into a ring
// of rows, those along y into a tile, and a ring of tiles is what the filter along z reads: of the image each sample is read once, but for
// the few around a tile, and each coefficient written once. The inverse goes the same way with the synthesis filters. Approximations
// between levels are kept apart, an eighth of the image at most; the last one goes into the mosaic.
//
// Scratch, approximations between levels and filters are double. Float would be faster, but roundings of each pass add up: a round trip
// of CT numbers up to 4000 over three levels was off by 1.3e-3. Now only the coefficients are rounded, once.
#pragma once

#include <memory>
#include <vector>

#include "core/engine/run/run_context.hpp"
#include "core/operations/wavelet/layout.hpp"
#include "core/operations/wavelet/progress_share.hpp"

namespace parallax {

class TiledTransform {
public:
    /// `forward`, `inverse`: what it will be used for.
    TiledTransform(const WaveletPlan& plan, int threads, bool forward, bool inverse);
    ~TiledTransform();
    TiledTransform(const TiledTransform&) = delete;
    TiledTransform& operator=(const TiledTransform&) = delete;

    /// One channel of an image into one of a mosaic, gaps included.
    void forward(const View<const float>& image, const View<float>& mosaic, const RunContext& context, ProgressShare& progress);
    /// One channel of a mosaic into one of an image; gaps are not looked at.
    void inverse(const View<const float>& mosaic, const View<float>& image, const RunContext& context, ProgressShare& progress);

    /// Units of progress of one channel in one direction.
    std::int64_t forwardUnits() const;
    std::int64_t inverseUnits() const;
    static std::uint64_t bytes(const WaveletPlan& plan, int threads, bool forward, bool inverse);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace parallax
