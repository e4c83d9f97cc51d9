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
#include "core/operations/wavelet/parts/transform.hpp"
#include "core/operations/wavelet/progress_share.hpp"

namespace parallax {

/// The levels of a transform, one after the other, of a whole image or of the lines of a part.
class TiledLevels {
public:
    /// `plan`: of the whole, or PartLevels::own() with the first of its lines. `forward`, `inverse`: the directions that it is used for.
    TiledLevels(const WaveletPlan& plan, const FirstLines& lines, int threads, bool forward, bool inverse);
    ~TiledLevels();
    TiledLevels(const TiledLevels&) = delete;
    TiledLevels& operator=(const TiledLevels&) = delete;

    /// As LevelPasses. `mosaic`: of `plan`.
    template <class In>
    void analyse(int level, const PartLines<In>& in, const View<float>& mosaic, const View<double>& approximation,
                 const RunContext& context, ProgressShare& progress);
    void synthesise(int level, const LevelPasses<float>::Bands& bands, const LevelPasses<float>::Output& output, const RunContext& context,
                    ProgressShare& progress);

    /// Units of progress of one channel in a direction that it was made for; else 0.
    std::int64_t units(bool inverse) const;
    static std::uint64_t bytes(const WaveletPlan& plan, int threads, bool forward, bool inverse);

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// TiledLevels of a part.
class TiledPasses final : public LevelPasses<float> {
public:
    TiledPasses(bool forward, bool inverse) : forward_(forward), inverse_(inverse) {}
    void divide(const PartLevels& levels, int threads) override {
        levels_ = std::make_unique<TiledLevels>(levels.own(), levels.first(), threads, forward_, inverse_);
    }
    std::int64_t units(bool inverse) const override { return levels_->units(inverse); }
    void analyse(int level, const Input& input, const View<float>& mosaic, const View<double>& approximation, const RunContext& context,
                 ProgressShare& progress) override {
        if (level == 1) levels_->analyse(level, input.image, mosaic, approximation, context, progress);
        else levels_->analyse(level, input.approximation, mosaic, approximation, context, progress);
    }
    void synthesise(int level, const Bands& bands, const Output& output, const RunContext& context, ProgressShare& progress) override {
        levels_->synthesise(level, bands, output, context, progress);
    }

private:
    bool forward_, inverse_;
    std::unique_ptr<TiledLevels> levels_;
};

}  // namespace parallax
