// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/operations/wavelet/parts/part_windows.hpp"

#include <algorithm>

namespace parallax::gpu {

void LineRange::include(std::int64_t first, std::int64_t last) {
    if (first >= last) return;
    begin = empty() ? first : std::min(begin, first);
    end = std::max(end, last);
}

PartWindows::PartWindows(const PartLevels& levels, bool forward, bool inverse)
    : taps_(levels.whole().taps()), mode_(levels.whole().mode), transforms_(levels.whole().axes[levels.axis()].transformed) {
    const WaveletPlan& plan = levels.whole();
    const int rank = levels.rank();
    for (int level = 0; level <= plan.levels; ++level) lines_.push_back(levels.partition(level).units());
    for (int level = 0; level <= plan.levels; ++level) {
        const bool first = level == 0;
        analysis_.push_back(first || !forward ? std::nullopt : slab(levels, level, true, rank));
        synthesis_.push_back(first || !inverse ? std::nullopt : slab(levels, level, false, rank));
        analysisCopies_.push_back(first || !forward ? std::vector<LineCopy>() : copies(levels, level, true));
        synthesisCopies_.push_back(first || !inverse ? std::vector<LineCopy>() : copies(levels, level, false));
    }
    samples_.resize(analysis_.size());
    coefficients_.resize(analysis_.size());
    for (int level = 0; level <= plan.levels; ++level) {
        const PartRange own = levels.range(level);
        samples_[index(level)].include(own.first, own.last);
        coefficients_[index(level)].include(own.first, own.last);
        if (const std::optional<LevelSlab>& s = analysis(level)) {
            samples_[index(level)].include(s->first - s->skip, s->end);
            coefficients_[index(level)].include(s->first - s->skip, s->end);
            samples_[index(level) - 1].include(s->from, s->to);
        }
        if (const std::optional<LevelSlab>& s = synthesis(level)) {
            samples_[index(level)].include(s->from, s->to);
            coefficients_[index(level)].include(s->from, s->to);
            samples_[index(level) - 1].include(firstSample(level), firstSample(level) + samplesMade(level));
        }
    }
}

std::int64_t PartWindows::samplesMade(int level) const {
    const LevelSlab& s = *synthesis(level);
    return transforms_ ? inverseSamples(s, lines_[index(level) - 1], taps_, mode_) : s.results();
}

std::int64_t PartWindows::firstSample(int level) const {
    const LevelSlab& s = *synthesis(level);
    return transforms_ ? 2 * (s.first - s.skip) : s.first;
}

std::optional<LevelSlab> PartWindows::slab(const PartLevels& levels, int level, bool forward, int rank) const {
    const std::int64_t samples = levels.partition(level - 1).units();
    const PartRange results = levels.partition(forward ? level : level - 1)[rank];
    if (results.empty()) return std::nullopt;
    if (!transforms_) return LevelSlab{.first = results.first, .end = results.last, .from = results.first, .to = results.last};
    if (forward) return forwardSlab(results.first, results.last, samples, taps_, mode_);
    const int offset = synthesisPhase(taps_, mode_).offset;
    return inverseSlab((results.first + offset) / 2, (results.last - 1 + offset) / 2 + 1, samples, taps_, mode_);
}

std::vector<LineCopy> PartWindows::copies(const PartLevels& levels, int level, bool forward) const {
    const Partition& lines = levels.partition(forward ? level - 1 : level);
    std::vector<LineCopy> all;
    for (int to = 0; to < lines.parts(); ++to) {
        const std::optional<LevelSlab> s = slab(levels, level, forward, to);
        if (!s) continue;
        forRepeatedRuns(s->from, s->to, lines.units(), mode_, forward, [&](std::int64_t first, std::int64_t offset, std::int64_t count) {
            for (std::int64_t line = first; line < first + count;) {
                const int from = lines.ownerOf(line);
                const std::int64_t end = std::min(first + count, lines[from].last), at = s->from + offset + line - first;
                const bool isThere = from == to && at == line;
                if (!isThere && (from == levels.rank() || to == levels.rank())) all.push_back({from, to, line, end - line, at});
                line = end;
            }
        });
    }
    return all;
}

}  // namespace parallax::gpu
