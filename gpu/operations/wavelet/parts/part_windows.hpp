// SPDX-License-Identifier: GPL-3.0-or-later
// Which lines of each level a part of a transform reads, computes and keeps on its device. Needs no device. Lines: PartLevels.
#pragma once

#include <optional>
#include <vector>

#include "core/operations/wavelet/parts/levels.hpp"
#include "gpu/operations/wavelet/level_slabs.hpp"

namespace parallax::gpu {

/// Lines [begin, end) of a level. They extend beyond its ends where the mode repeats the signal, and where kernels write results that
/// nobody needs.
struct LineRange {
    std::int64_t begin = 0, end = 0;
    std::int64_t count() const { return end - begin; }
    bool empty() const { return end <= begin; }
    void include(std::int64_t first, std::int64_t last);
};

/// A level of a part is a slab for the kernels: its own lines with those around them that its filters read. Levels with few lines have them
/// all in the first part, where the rest of the transform is then computed without exchange.
class PartWindows {
public:
    /// Parts have at least so many lines of each level that they share. A level with fewer is so small that an exchange costs more.
    static std::int64_t fewestLines(int taps) { return taps; }

    /// `levels`: made with fewestLines(). `forward`, `inverse`: the directions that will be used.
    PartWindows(const PartLevels& levels, bool forward, bool inverse);

    /// What the part computes of a level: coefficients from the samples of level - 1, and pairs of those from the coefficients.
    const std::optional<LevelSlab>& analysis(int level) const { return analysis_[index(level)]; }
    const std::optional<LevelSlab>& synthesis(int level) const { return synthesis_[index(level)]; }
    /// The samples of level - 1 that the synthesis makes: their number, and the first one.
    std::int64_t samplesMade(int level) const;
    std::int64_t firstSample(int level) const;
    /// The lines that must come from other parts before it, or from elsewhere in the part: LineCopy::at is the place among the lines that
    /// `to` keeps. In the same order on all parts.
    const std::vector<LineCopy>& analysisCopies(int level) const { return analysisCopies_[index(level)]; }
    const std::vector<LineCopy>& synthesisCopies(int level) const { return synthesisCopies_[index(level)]; }

    /// What the part keeps of the approximation of a level (0: the image), and of the coefficients of a level.
    const LineRange& samples(int level) const { return samples_[index(level)]; }
    const LineRange& coefficients(int level) const { return coefficients_[index(level)]; }

private:
    static std::size_t index(int level) { return static_cast<std::size_t>(level); }
    std::optional<LevelSlab> slab(const PartLevels& levels, int level, bool forward, int rank) const;
    std::vector<LineCopy> copies(const PartLevels& levels, int level, bool forward) const;

    int taps_;
    WaveletMode mode_;
    bool transforms_;                  ///< along the divided axis
    std::vector<std::int64_t> lines_;  ///< of all parts, of a level
    std::vector<std::optional<LevelSlab>> analysis_, synthesis_;
    std::vector<std::vector<LineCopy>> analysisCopies_, synthesisCopies_;
    std::vector<LineRange> samples_, coefficients_;
};

}  // namespace parallax::gpu
