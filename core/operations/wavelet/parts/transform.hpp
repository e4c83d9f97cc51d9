// SPDX-License-Identifier: GPL-3.0-or-later
// A transform on parts, level by level. Before each level the parts exchange the lines that its filters read beyond their own: those of the
// approximation before an analysis, those of all bands before a synthesis. Coefficients stay with the rank that computes them.
#pragma once

#include <memory>

#include "core/engine/run/run_context.hpp"
#include "core/operations/wavelet/parts/exchange.hpp"
#include "core/operations/wavelet/progress_share.hpp"

namespace parallax {

/// What computes a level of the lines of a part. T: type of the coefficients, float or double; approximations between levels are double.
template <class T>
class LevelPasses {
public:
    /// Samples to analyse: the image at level 1, else the approximation of the level before.
    struct Input {
        PartLines<float> image;
        PartLines<double> approximation;
    };
    /// Coefficients by their details. The approximation is in bands[0] at the last level, else apart; the shape of bands[0] holds in both
    /// cases.
    struct Bands {
        std::array<PartLines<T>, 8> bands;
        PartLines<double> approximation;
    };
    /// Synthesised samples: of the image by level 1, else the approximation of the level before.
    struct Output {
        View<float> image{};
        View<double> approximation{};
    };
    virtual ~LevelPasses() = default;

    /// Makes workspace for the lines of a rank. `levels` must outlive its use.
    virtual void divide(const PartLevels& levels, int threads) = 0;
    /// Units of progress of one channel in one direction.
    virtual std::int64_t units(bool inverse) const = 0;
    /// Computes the rank's lines of a level: into the bands of its mosaic, and the approximation apart unless it has no data.
    virtual void analyse(int level, const Input& input, const View<T>& mosaic, const View<double>& approximation, const RunContext& context,
                         ProgressShare& progress) = 0;
    /// Computes the rank's lines of level - 1.
    virtual void synthesise(int level, const Bands& bands, const Output& output, const RunContext& context, ProgressShare& progress) = 0;
};

/// The transform of the part of a rank. All ranks call the same functions, also those without lines.
template <class T>
class PartTransform {
public:
    PartTransform(WaveletPlan plan, std::unique_ptr<LevelPasses<T>> passes) : plan_(std::move(plan)), passes_(std::move(passes)) {}

    /// Prepares for a division of the rows of the image, or of the slices of a volume; `own`: how many of them the rank has.
    void divide(std::int64_t own, Communicator& communicator, int threads);
    const PartLevels& levels() const { return *levels_; }
    /// Units of progress of one channel in one direction.
    std::int64_t units(bool inverse) const { return passes_->units(inverse); }

    /// One channel of the rank's lines of the image into the rank's mosaic, whose gaps stay as they are.
    void forward(const View<const float>& image, const View<T>& mosaic, Communicator& communicator, const RunContext& context,
                 ProgressShare& progress);
    /// The inverse.
    void inverse(const View<const T>& mosaic, const View<float>& image, Communicator& communicator, const RunContext& context,
                 ProgressShare& progress);

private:
    Shape levelShape(int level) const;
    View<double> approximation(int level);

    WaveletPlan plan_;
    std::unique_ptr<LevelPasses<T>> passes_;
    std::unique_ptr<PartLevels> levels_;
    std::vector<Buffer> approximations_;        // of level 1, 2, ..., but not of the last
    std::vector<std::array<Buffer, 9>> halos_;  // of each level: its bands, and its approximation
};

/// Lines of a view that a rank has: rows of an image or slices of a volume of this shape.
std::int64_t linesIn(const Shape& view, const Shape& whole);

}  // namespace parallax
