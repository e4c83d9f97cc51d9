// SPDX-License-Identifier: GPL-3.0-or-later
// Which lines of each level a part of a transform reads, computes and keeps on its device. Needs no device. Lines: PartLevels.
#pragma once

#include <optional>
#include <vector>

#include "core/operations/wavelet/parts/levels.hpp"
#include "gpu/operations/wavelet/level_slabs.hpp"

namespace parallax::gpu {

/// Lines [begin, end) of a level. They extend beyond its ends where the mode repeats the signal, and where kernels write results that
/// are not used.
struct LineRange {
    std::int64_t begin = 0, end = 0;
    std::int64_t count() const { return end - begin; }
    bool empty() const { return end <= begin; }
    void include(std::int64_t first, std::int64_t last);
};

/// A level of a part is a slab for the kernels: its own lines with those around them that its filters read. Small levels take less time
/// than an exchange, so parts compute more of them than their own lines: forward what the next level reads, inverse everything, for which
/// they have the coefficients of all parts. Levels with very few lines have them all in the first part.
class PartWindows {
public:
    /// Parts have at least this many lines of each level that they share.
    static std::int64_t fewestLines(int taps) { return taps; }
    /// A level is small if its finer side has so many samples. On an H100 it takes a tenth of a millisecond, an exchange a third of that.
    static constexpr std::int64_t kSmallLevel = std::int64_t{1} << 25;

    /// `levels`: made with fewestLines(), outlives it.
    explicit PartWindows(const PartLevels& levels, std::int64_t smallLevel = kSmallLevel);

    /// The results of a part at a level: coefficients from the samples of level - 1, and pairs of those from the coefficients.
    const std::optional<LevelSlab>& analysis(int level) const { return analysis_[index(level)]; }
    const std::optional<LevelSlab>& synthesis(int level) const { return synthesis_[index(level)]; }
    /// The samples of level - 1 that the synthesis makes: their number, and the first one.
    std::int64_t samplesMade(int level) const;
    std::int64_t firstSample(int level) const;

    /// The lines that must come from other parts before it, or from elsewhere in the part: LineCopy::at is the place among the lines that
    /// `to` keeps. In the same order on all parts. Of the samples of level - 1 before an analysis; of the coefficients and, apart, of the
    /// approximation of the level before a synthesis.
    const std::vector<LineCopy>& analysisCopies(int level) const { return analysisCopies_[index(level)]; }
    const std::vector<LineCopy>& coefficientCopies(int level) const { return coefficientCopies_[index(level)]; }
    const std::vector<LineCopy>& approximationCopies(int level) const { return approximationCopies_[index(level)]; }

    /// Lines that the part keeps, the same for both directions: of the approximation of a level (0: the image), and of the coefficients of
    /// a level.
    const LineRange& samples(int level) const { return samples_[index(level)]; }
    const LineRange& coefficients(int level) const { return coefficients_[index(level)]; }

private:
    using Slab = std::optional<LevelSlab>;
    static std::size_t index(int level) { return static_cast<std::size_t>(level); }
    bool isSmall(int level) const;
    std::vector<Slab> analyses(int rank) const;
    std::vector<Slab> syntheses(int rank) const;
    /// Adds the lines of a level that a rank reads but does not have.
    void addCopies(std::vector<LineCopy>& copies, int to, const Slab& reads, int level, const LineRange& has, bool forward) const;
    void keep(int level, bool synthesis);

    const PartLevels& levels_;
    std::int64_t smallLevel_;
    bool transforms_;  ///< along the divided axis
    std::vector<Slab> analysis_, synthesis_;
    std::vector<std::vector<LineCopy>> analysisCopies_, coefficientCopies_, approximationCopies_;
    std::vector<LineRange> samples_, coefficients_;
};

}  // namespace parallax::gpu
