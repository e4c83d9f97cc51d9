// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/wavelet/openmp/levels.hpp"

namespace parallax {

/// The transform of whole images.
class TiledTransform {
public:
    /// `forward`, `inverse`: the directions that it is used for.
    TiledTransform(const WaveletPlan& plan, int threads, bool forward, bool inverse);

    /// One channel of an image into one of a mosaic, gaps included.
    void forward(const View<const float>& image, const View<float>& mosaic, const RunContext& context, ProgressShare& progress);
    /// One channel of a mosaic into one of an image; gaps are ignored.
    void inverse(const View<const float>& mosaic, const View<float>& image, const RunContext& context, ProgressShare& progress);

    /// Units of progress of one channel, in the directions that it was made for.
    std::int64_t units() const { return levels_.units(false) + levels_.units(true); }
    static std::uint64_t bytes(const WaveletPlan& plan, int threads, bool forward, bool inverse);

private:
    View<double> approximation(int level);
    void clearGaps(const View<float>& mosaic, const RunContext& context);

    WaveletPlan plan_;
    int threads_;
    TiledLevels levels_;
    std::vector<Buffer> approximations_;  // of level 1, 2, ..., but not of the last
    std::vector<WaveletGap> gaps_;
};

}  // namespace parallax
