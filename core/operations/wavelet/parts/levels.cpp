// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/wavelet/parts/levels.hpp"

#include <algorithm>
#include <utility>

namespace parallax {
namespace {

/// f(position) for those in [first, end) that are not in `own`.
template <class F>
void forOthers(std::int64_t first, std::int64_t end, const PartRange& own, F&& f) {
    for (std::int64_t i = first; i < end; ++i) {
        if (i >= own.first && i < own.last) i = own.last;
        if (i < end) f(i);
    }
}

std::int64_t fewestOf(const Partition& lines) {
    std::int64_t fewest = lines.units();
    for (int part = 0; part < lines.parts(); ++part) fewest = std::min(fewest, lines[part].count());
    return fewest;
}

void sortUnique(std::vector<std::int64_t>& lines) {
    std::sort(lines.begin(), lines.end());
    lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
}

}  // namespace

PartLevels::PartLevels(const WaveletPlan& plan, std::size_t axis, const Partition& image, int rank, std::int64_t fewest)
    : plan_(plan), rank_(rank) {
    const WaveletAxis& divided = plan.axes[axis];
    std::vector<double> weights;
    for (int r = 0; r < image.parts(); ++r) weights.push_back(static_cast<double>(image[r].count()));
    partitions_.push_back(image);
    for (int level = 1; level <= plan.levels; ++level) {
        const std::int64_t lines = divided.count[static_cast<std::size_t>(level)];
        Partition lineParts = divided.transformed ? Partition(lines, weights) : image;
        if (divided.transformed && fewestOf(lineParts) < fewest) {
            std::fill(weights.begin() + 1, weights.end(), 0.0);
            weights[0] = 1;
            lineParts = Partition(lines, weights);
        }
        partitions_.push_back(std::move(lineParts));
    }
    first_.axis = axis;
    for (const Partition& p : partitions_) first_.first.push_back(p[rank].first);
    own_ = planOf(rank);
    for (int level = 1; level <= plan.levels; ++level) {
        std::vector<std::vector<std::int64_t>> analysis, synthesis;
        for (int r = 0; r < image.parts(); ++r) {
            analysis.push_back(divided.transformed ? analysisLines(level, r) : std::vector<std::int64_t>());
            synthesis.push_back(divided.transformed ? synthesisLines(level, r) : std::vector<std::int64_t>());
        }
        analysis_.push_back(haloOf(level - 1, analysis));
        synthesis_.push_back(haloOf(level, synthesis));
    }
}

WaveletPlan PartLevels::planOf(int rank) const {
    WaveletPlan own = plan_;
    WaveletAxis& divided = own.axes[first_.axis];
    for (std::size_t l = 0; l < partitions_.size(); ++l) divided.count[l] = partitions_[l][rank].count();
    divided.offset = divided.count;
    if (divided.transformed)
        for (std::size_t l = divided.offset.size() - 1; l > 0; --l) {
            divided.offset[l - 1] = divided.offset[l] + divided.count[l];
            // A rank may have lines of a level, but none of the coarser ones.
            if (l > 1) divided.offset[l - 1] = std::max(divided.offset[l - 1], divided.count[l - 1]);
        }
    for (Shape* const shape : {&own.image, &own.mosaic}) {
        const std::int64_t lines = shape == &own.image ? divided.count[0] : divided.offset[0];
        (first_.axis == 2 ? shape->depth : shape->height) = lines;
    }
    return own;
}

std::vector<std::int64_t> PartLevels::analysisLines(int level, int rank) const {
    const PartRange results = partition(level)[rank], own = partition(level - 1)[rank];
    std::vector<std::int64_t> lines;
    if (results.empty()) return lines;
    const std::int64_t n = partition(level - 1).units();
    const int shift = analysisShift(plan_.taps(), plan_.mode);
    forOthers(2 * results.first + shift - plan_.taps() + 1, 2 * (results.last - 1) + shift + 1, own, [&](std::int64_t i) {
        const auto e = extendedSample(i, n, plan_.mode);
        for (int k = 0; k < e.count; ++k)
            if (e.index[k] < own.first || e.index[k] >= own.last) lines.push_back(e.index[k]);
    });
    sortUnique(lines);
    return lines;
}

std::vector<std::int64_t> PartLevels::synthesisLines(int level, int rank) const {
    const PartRange results = partition(level - 1)[rank], own = partition(level)[rank];
    std::vector<std::int64_t> lines;
    if (results.empty()) return lines;
    const std::int64_t n = partition(level).units(), half = plan_.taps() / 2;
    const SynthesisPhase phase = synthesisPhase(plan_.taps(), plan_.mode);
    const std::int64_t firstPair = (results.first + phase.offset) / 2, lastPair = (results.last - 1 + phase.offset) / 2;
    forOthers(firstPair + phase.shift - half + 1, lastPair + phase.shift + 1, own, [&](std::int64_t i) {
        const std::int64_t line = plan_.mode == WaveletMode::periodization ? (i % n + n) % n : i;
        if (line < own.first || line >= own.last) lines.push_back(line);
    });
    sortUnique(lines);
    return lines;
}

LineHalo PartLevels::haloOf(int level, const std::vector<std::vector<std::int64_t>>& lines) const {
    LineHalo halo{lines[static_cast<std::size_t>(rank_)], {}};
    for (int to = 0; to < static_cast<int>(lines.size()); ++to) {
        const std::vector<std::int64_t>& needed = lines[static_cast<std::size_t>(to)];
        for (std::size_t i = 0; i < needed.size();) {
            const int from = partition(level).ownerOf(needed[i]);
            std::size_t end = i + 1;
            while (end < needed.size() && needed[end] == needed[end - 1] + 1 && partition(level).ownerOf(needed[end]) == from) ++end;
            if (from == rank_ || to == rank_)
                halo.copies.push_back({from, to, needed[i], static_cast<std::int64_t>(end - i), static_cast<std::int64_t>(i)});
            i = end;
        }
    }
    return halo;
}

}  // namespace parallax
