// SPDX-License-Identifier: GPL-3.0-or-later
// Division of the levels of a transform among parts.
#pragma once

#include <vector>

#include "core/operations/wavelet/layout.hpp"
#include "core/operations/wavelet/parts/lines.hpp"
#include "core/parallel/partition.hpp"

namespace parallax {

/// Lines that one part copies from another.
struct LineCopy {
    int from = 0, to = 0;
    std::int64_t line = 0, count = 0;
    std::int64_t at = 0;  ///< index of the first one in the halo of `to`
    friend bool operator==(const LineCopy&, const LineCopy&) = default;
};
/// Lines of a level that a part needs of the others.
struct LineHalo {
    std::vector<std::int64_t> lines;  ///< ascending
    std::vector<LineCopy> copies;     ///< that the part sends or receives, in the same order on all parts
};

/// Which lines of each level a rank has, and which others it needs. Level l has plan.axes[axis].count[l] lines along the divided axis, in
/// the proportions of the image's partition, so that most filters read lines of their own rank. A coarse level may have fewer lines than a
/// filter has taps, or than there are ranks: filters then read lines of several ranks, and ranks without lines only send theirs. That
/// needs no case of its own, since the halo is a list of lines. Where each exchange costs more than such a level, rank 0 has all of it.
class PartLevels {
public:
    PartLevels() = default;
    /// `image`: the rows (axis 1) or slices (axis 2) of the image that each rank has. Rank 0 has all lines of the levels from the first one
    /// on of which some rank would have fewer than `fewest`.
    PartLevels(const WaveletPlan& plan, std::size_t axis, const Partition& image, int rank, std::int64_t fewest = 0);

    std::size_t axis() const { return first_.axis; }
    int rank() const { return rank_; }
    const Partition& partition(int level) const { return partitions_[static_cast<std::size_t>(level)]; }
    PartRange range(int level) const { return partition(level)[rank_]; }
    const FirstLines& first() const { return first_; }
    /// The transform of the lines of a rank, as if they were all: levels, bands and the mosaic have the extents that the rank has. The
    /// mosaic of a rank is where it keeps its coefficients.
    WaveletPlan planOf(int rank) const;
    const WaveletPlan& own() const { return own_; }
    const WaveletPlan& whole() const { return plan_; }

    /// Lines of level - 1 that the analysis of a level reads besides the rank's own.
    const LineHalo& analysisHalo(int level) const { return analysis_[static_cast<std::size_t>(level) - 1]; }
    /// Lines of a level that the synthesis of level - 1 reads besides the rank's own.
    const LineHalo& synthesisHalo(int level) const { return synthesis_[static_cast<std::size_t>(level) - 1]; }

private:
    std::vector<std::int64_t> analysisLines(int level, int rank) const;
    std::vector<std::int64_t> synthesisLines(int level, int rank) const;
    /// `lines`: of each rank.
    LineHalo haloOf(int level, const std::vector<std::vector<std::int64_t>>& lines) const;

    WaveletPlan plan_, own_;
    int rank_ = 0;
    FirstLines first_;
    std::vector<Partition> partitions_;  // index: level
    std::vector<LineHalo> analysis_, synthesis_;
};

}  // namespace parallax
