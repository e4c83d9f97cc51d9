// SPDX-License-Identifier: GPL-3.0-or-later
// The boxes of memory that the strips of a plan upload and download.
#include <algorithm>
#include <utility>

#include "gpu/operations/wavelet/slab_plan.hpp"

namespace parallax::gpu {
namespace {

/// Makes the strips of one channel.
class ChannelStrips {
public:
    ChannelStrips(SlabPlan& plan, std::int64_t channel) : plan_(plan), channel_(channel) {}

    void addSlabs(int level) {
        const SlabLevel& l = plan_.level(level);
        for (std::size_t i = 0; i < l.slabs.size(); ++i) {
            StripPart part = plan_.forward ? forwardPart(level, l.slabs[i]) : inversePart(level, l.slabs[i]);
            // The previous level must have stored its results on the host, and must have finished reading what this level overwrites.
            part.waits = i == 0 && plan_.slabLevels() > 1 && !plan_.steps.empty();
            add({.kind = SlabStep::Kind::slab, .level = level, .index = i}, std::move(part));
        }
    }
    /// Slices between the approximation along z and the details, without the coarser levels in the corner.
    void addGaps(int level) {
        if (level == plan_.wavelet.levels) return;
        const std::int64_t most = plan_.gapSlices(level);
        for (std::int64_t z = plan_.count(2, level); z < plan_.corner(2, level); z += most) {
            const std::int64_t end = std::min(plan_.corner(2, level), z + most);
            StripPart part{.output = (end - z) * plan_.level(level).coarseSlice()};
            addSlices(part.down, level, z, end, 0, true);
            add({.kind = SlabStep::Kind::gap, .level = level, .first = z, .end = end}, std::move(part));
        }
    }
    void addCoarserLevels() {
        if (plan_.allInSlabs()) return;
        const int level = plan_.slabLevels();
        const std::int64_t slice = plan_.corner(0, level) * plan_.corner(1, level), depth = plan_.corner(2, level);
        const std::int64_t most = plan_.coarserSlices();
        for (std::int64_t z = 0; z < depth; z += most) {
            const std::int64_t end = std::min(depth, z + most);
            StripPart part;
            (plan_.forward ? part.output : part.input) = (end - z) * slice;
            addSlices(plan_.forward ? part.down : part.up, level + 1, z, end, 0, false);
            add({.kind = SlabStep::Kind::coarserLevels,
                 .level = level,
                 .first = z,
                 .end = end,
                 .computes = plan_.forward ? z == 0 : end == depth},
                std::move(part));
        }
    }

private:
    void add(const SlabStep& step, StripPart part) {
        plan_.steps.push_back(step);
        plan_.strips.parts.push_back(std::move(part));
    }

    StripPart forwardPart(int level, const LevelSlab& s) const {
        const SlabLevel& l = plan_.level(level);
        const std::int64_t made = s.skip + s.results(), high = plan_.corner(2, level);
        StripPart part{.input = s.reads() * l.fineSlice(), .output = 2 * made * l.coarseSlice()};
        forRepeatedRuns(s.from + s.carried, s.to, plan_.count(2, level - 1), plan_.wavelet.mode, true,
                        [&](std::int64_t first, std::int64_t at, std::int64_t slices) {
                            part.up.push_back(fineBox(level, first, s.carried + at, slices));
                        });
        addSlices(part.down, level, s.first, s.end, s.skip, true);
        if (level < plan_.slabLevels()) part.down.push_back(approximationBox(level, s.first, s.skip, s.results()));
        addSlices(part.down, level, high + s.first, high + s.end, made + s.skip, false);
        return part;
    }
    StripPart inversePart(int level, const LevelSlab& s) const {
        const SlabLevel& l = plan_.level(level);
        const std::int64_t n = plan_.count(2, level - 1), high = plan_.corner(2, level);
        StripPart part{.input = 2 * s.reads() * l.coarseSlice(), .output = 2 * (s.skip + s.results()) * l.fineSlice()};
        forRepeatedRuns(s.from + s.carried, s.to, plan_.count(2, level), plan_.wavelet.mode, false,
                        [&](std::int64_t first, std::int64_t at, std::int64_t slices) {
                            addSlices(part.up, level, first, first + slices, s.carried + at, true);
                            if (level < plan_.slabLevels()) part.up.push_back(approximationBox(level, first, s.carried + at, slices));
                            addSlices(part.up, level, high + first, high + first + slices, s.reads() + s.carried + at, false);
                        });
        const int offset = synthesisPhase(plan_.wavelet.taps(), plan_.wavelet.mode).offset;
        const std::int64_t first = std::max<std::int64_t>(0, 2 * s.first - offset), end = std::min(n, 2 * s.end - offset);
        if (end > first) part.down.push_back(fineBox(level, first, first - 2 * (s.first - s.skip), end - first));
        return part;
    }

    /// Slices of the finer side: of the image, or of an approximation kept on the host.
    StripBox fineBox(int level, std::int64_t first, std::int64_t slot, std::int64_t slices) const {
        const std::int64_t fine = plan_.level(level).fineSlice(), before = level == 1 ? channel_ * plan_.count(2, 0) : 0;
        return {.image = level - 1,
                .host = (before + first) * fine,
                .slot = slot * fine,
                .width = fine,
                .rows = slices,
                .hostRow = fine,
                .slotRow = fine};
    }
    /// Slices of the approximation of a level within slices of coefficients.
    StripBox approximationBox(int level, std::int64_t first, std::int64_t slot, std::int64_t slices) const {
        const SlabLevel& l = plan_.level(level);
        const std::int64_t width = plan_.count(0, level), height = plan_.count(1, level), coarse = l.coarseSlice();
        return {.image = level,
                .host = first * width * height,
                .slot = slot * coarse,
                .width = width,
                .rows = height,
                .slices = slices,
                .hostRow = width,
                .hostSlice = width * height,
                .slotRow = l.across,
                .slotSlice = coarse};
    }
    /// Adds boxes of slices [first, end) of the mosaic of a level, which begin at slice `slot` of the buffer. If `low`, leaves out the
    /// corner of the coarser levels.
    void addSlices(std::vector<StripBox>& boxes, int level, std::int64_t first, std::int64_t end, std::int64_t slot, bool low) const {
        const Shape& m = plan_.wavelet.mosaic;
        const std::int64_t across = plan_.corner(0, level - 1), down = plan_.corner(1, level - 1);
        const StripBox whole{.host = (channel_ * m.depth + first) * m.height * m.width,
                             .slot = slot * across * down,
                             .width = across,
                             .rows = down,
                             .slices = end - first,
                             .hostRow = m.width,
                             .hostSlice = m.width * m.height,
                             .slotRow = across,
                             .slotSlice = across * down};
        const auto addBox = [&](const StripBox& box) {
            if (box.samples() > 0) boxes.push_back(box);
        };
        if (!low || level == plan_.wavelet.levels) return addBox(whole);
        const std::int64_t x = plan_.corner(0, level), y = plan_.corner(1, level);
        StripBox right = whole, below = whole;
        right.host += x, right.slot += x, right.width -= x, right.rows = y;
        below.host += y * m.width, below.slot += y * across, below.rows -= y;
        addBox(right);
        addBox(below);
    }

    SlabPlan& plan_;
    std::int64_t channel_;
};

}  // namespace

std::int64_t SlabPlan::gapSlices(int l) const { return std::max<std::int64_t>(1, slotOutput / (corner(0, l - 1) * corner(1, l - 1))); }

std::int64_t SlabPlan::coarserSlices() const {
    return std::max<std::int64_t>(1, (forward ? slotOutput : slotInput) / (corner(0, slabLevels()) * corner(1, slabLevels())));
}

void addSlabStrips(SlabPlan& plan) {
    for (std::int64_t c = 0; c < plan.wavelet.image.channels; ++c) {
        ChannelStrips strips(plan, c);
        if (plan.forward) {
            for (int level = 1; level <= plan.slabLevels(); ++level) {
                strips.addGaps(level);  // downloaded while the first slab is uploaded
                strips.addSlabs(level);
            }
            strips.addCoarserLevels();
        } else {
            strips.addCoarserLevels();
            for (int level = plan.slabLevels(); level >= 1; --level) strips.addSlabs(level);
        }
    }
}

}  // namespace parallax::gpu
