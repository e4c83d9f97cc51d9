// SPDX-License-Identifier: GPL-3.0-or-later
// The transform of wavelet / openmp: one pass over memory for each level.
//
// A task is a tile of the output: some columns and some rows, through all slices. Slice after slice, rows are filtered along x into a ring
// of rows, those along y into a tile, and a ring of tiles is what the filter along z reads: each sample of the image is read once, except
// the few around a tile, and each coefficient written once. The inverse works alike with the synthesis filters. Approximations
// between levels are kept apart, an eighth of the image at most; the last one goes into the mosaic.
//
// Scratch, approximations between levels and filters are double, so that only the coefficients are rounded, once. Float would be faster,
// but a round trip of CT numbers up to 4000 over three levels would err by 1.3e-3.
#pragma once

#include <memory>

#include "core/engine/run/run_context.hpp"
#include "core/operations/wavelet/layout.hpp"
#include "core/operations/wavelet/progress_share.hpp"

namespace parallax {

class TiledTransform {
public:
    /// `forward`, `inverse`: the directions that it is used for.
    TiledTransform(const WaveletPlan& plan, int threads, bool forward, bool inverse);
    ~TiledTransform();
    TiledTransform(const TiledTransform&) = delete;
    TiledTransform& operator=(const TiledTransform&) = delete;

    /// One channel of an image into one of a mosaic, gaps included.
    void forward(const View<const float>& image, const View<float>& mosaic, const RunContext& context, ProgressShare& progress);
    /// One channel of a mosaic into one of an image; gaps are ignored.
    void inverse(const View<const float>& mosaic, const View<float>& image, const RunContext& context, ProgressShare& progress);

    /// Units of progress of one channel, in the directions that it was made for.
    std::int64_t units() const;
    static std::uint64_t bytes(const WaveletPlan& plan, int threads, bool forward, bool inverse);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace parallax
