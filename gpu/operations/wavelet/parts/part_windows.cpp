// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/operations/wavelet/parts/part_windows.hpp"

#include <algorithm>

namespace parallax::gpu {

void LineRange::include(std::int64_t first, std::int64_t last) {
    if (first >= last) return;
    begin = empty() ? first : std::min(begin, first);
    end = std::max(end, last);
}

PartWindows::PartWindows(const PartLevels& levels, std::int64_t smallLevel)
    : levels_(levels), smallLevel_(smallLevel), transforms_(levels.whole().axes[levels.axis()].transformed) {
    const int last = levels.whole().levels;
    const std::size_t all = index(last) + 1;
    analysis_.resize(all), synthesis_.resize(all), samples_.resize(all), coefficients_.resize(all);
    analysisCopies_.resize(all), coefficientCopies_.resize(all), approximationCopies_.resize(all);
    for (int rank = 0; rank < levels.partition(0).parts(); ++rank) {
        const std::vector<Slab> analysis = analyses(rank), synthesis = syntheses(rank);
        for (int level = 1; level <= last; ++level) {
            const auto lines = [&](int l) {
                const PartRange own = levels.partition(l)[rank];
                return LineRange{own.first, own.last};
            };
            const auto l = index(level);
            LineRange samples = lines(level - 1), approximation = lines(level);
            if (level > 1 && analysis[l - 1]) samples.include(analysis[l - 1]->first, analysis[l - 1]->end);
            addCopies(analysisCopies_[l], rank, analysis[l], level - 1, samples, true);
            addCopies(coefficientCopies_[l], rank, synthesis[l], level, lines(level), false);
            // The coarser level was small, so all parts have its result.
            if (level < last && isSmall(level + 1)) approximation = {0, levels.partition(level).units()};
            if (level < last) addCopies(approximationCopies_[l], rank, synthesis[l], level, approximation, false);
        }
        if (rank == levels.rank()) analysis_ = analysis, synthesis_ = synthesis;
    }
    for (int level = 0; level <= last; ++level) {
        const PartRange own = levels.range(level);
        samples_[index(level)].include(own.first, own.last);
        coefficients_[index(level)].include(own.first, own.last);
        if (analysis(level)) keep(level, false);
        if (synthesis(level)) keep(level, true);
    }
}

void PartWindows::keep(int level, bool isSynthesis) {
    const auto l = index(level);
    const LevelSlab& s = *(isSynthesis ? synthesis(level) : analysis(level));
    // Coefficients, and samples of either side.
    const LineRange coarse = isSynthesis ? LineRange{s.from, s.to} : LineRange{s.first - s.skip, s.end};
    const LineRange fine = isSynthesis ? LineRange{firstSample(level), firstSample(level) + samplesMade(level)} : LineRange{s.from, s.to};
    samples_[l].include(coarse.begin, coarse.end);
    coefficients_[l].include(coarse.begin, coarse.end);
    samples_[l - 1].include(fine.begin, fine.end);
}

bool PartWindows::isSmall(int level) const {
    return transforms_ && level > 1 && levels_.whole().levelShape(level - 1).pixels() <= smallLevel_;
}

/// From the last level on, since each level may have to compute what the next one reads.
std::vector<PartWindows::Slab> PartWindows::analyses(int rank) const {
    const WaveletPlan& plan = levels_.whole();
    // Results beyond the ends of a level are not computed.
    const bool repeats = plan.mode == WaveletMode::periodic || plan.mode == WaveletMode::periodization;
    std::vector<Slab> slabs(index(plan.levels) + 1);
    for (int level = plan.levels; level >= 1; --level) {
        const PartRange own = levels_.partition(level)[rank];
        LineRange results{own.first, own.last};
        if (level < plan.levels && isSmall(level) && !repeats)
            if (const Slab& next = slabs[index(level) + 1]) results.include(next->from, next->to);
        if (results.empty()) continue;
        LevelSlab& slab = slabs[index(level)].emplace();
        if (transforms_) slab = forwardSlab(results.begin, results.end, levels_.partition(level - 1).units(), plan.taps(), plan.mode);
        else slab = {.first = own.first, .end = own.last, .from = own.first, .to = own.last};
    }
    return slabs;
}

std::vector<PartWindows::Slab> PartWindows::syntheses(int rank) const {
    const WaveletPlan& plan = levels_.whole();
    const int offset = synthesisPhase(plan.taps(), plan.mode).offset;
    std::vector<Slab> slabs(index(plan.levels) + 1);
    for (int level = 1; level <= plan.levels; ++level) {
        const Partition& lines = levels_.partition(level - 1);
        const PartRange own = isSmall(level) ? PartRange{0, lines.units()} : lines[rank];
        if (own.empty()) continue;
        LevelSlab& slab = slabs[index(level)].emplace();
        if (transforms_)
            slab = inverseSlab((own.first + offset) / 2, (own.last - 1 + offset) / 2 + 1, lines.units(), plan.taps(), plan.mode);
        else slab = {.first = own.first, .end = own.last, .from = own.first, .to = own.last};
    }
    return slabs;
}

std::int64_t PartWindows::samplesMade(int level) const {
    const LevelSlab& s = *synthesis(level);
    const WaveletPlan& plan = levels_.whole();
    return transforms_ ? inverseSamples(s, levels_.partition(level - 1).units(), plan.taps(), plan.mode) : s.results();
}

std::int64_t PartWindows::firstSample(int level) const {
    const LevelSlab& s = *synthesis(level);
    return transforms_ ? 2 * (s.first - s.skip) : s.first;
}

void PartWindows::addCopies(std::vector<LineCopy>& copies, int to, const Slab& reads, int level, const LineRange& has, bool forward) const {
    if (!reads) return;
    const Partition& lines = levels_.partition(level);
    forRepeatedRuns(reads->from, reads->to, lines.units(), levels_.whole().mode, forward,
                    [&](std::int64_t first, std::int64_t offset, std::int64_t count) {
                        for (std::int64_t line = first; line < first + count;) {
                            const std::int64_t at = reads->from + offset + line - first;
                            // The lines that are there, or those of one other part.
                            const bool isThere = at == line && line >= has.begin && line < has.end;
                            const int from = lines.ownerOf(line);
                            std::int64_t end = std::min(first + count, isThere ? has.end : lines[from].last);
                            if (!isThere && at == line && line < has.begin) end = std::min(end, has.begin);
                            if (!isThere && (from == levels_.rank() || to == levels_.rank()))
                                copies.push_back({from, to, line, end - line, at});
                            line = end;
                        }
                    });
}

}  // namespace parallax::gpu
