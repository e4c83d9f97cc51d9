// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/operations/wavelet/slab_plan.hpp"

#include <algorithm>
#include <string>

namespace parallax::gpu {
namespace {

std::int64_t bytesOf(std::int64_t samples) { return samples * static_cast<std::int64_t>(sizeof(float)); }

/// Chooses the number of levels in slabs and the size of the slabs.
class SlabSizes {
public:
    SlabSizes(SlabPlan& plan, const StripLimits& limits, const TransformBytes& bytes) : plan_(plan), limits_(limits), bytes_(bytes) {}

    /// Chooses the fewest levels that fit in memory, in slabs as large as possible.
    void choose(std::uint64_t memory) {
        std::uint64_t least = 0;
        for (int levels = 1; levels <= plan_.wavelet.levels; ++levels)
            for (std::int64_t divisor = 1;; divisor *= 2) {
                const std::uint64_t needed = measure(levels, divisor);
                if (needed <= memory) return;
                if (least == 0 || needed < least) least = needed;
                const bool smallest = std::all_of(plan_.levels.begin(), plan_.levels.end(), [](const SlabLevel& l) {
                    return std::all_of(l.slabs.begin(), l.slabs.end(), [](const LevelSlab& slab) { return slab.results() == 1; });
                });
                if (smallest || divisor > (std::int64_t{1} << 40)) break;
            }
        throw stripMemoryError(least, memory);
    }

private:
    /// Makes the levels, with slabs of the size that the limits require divided by `divisor`. Returns the device memory needed.
    std::uint64_t measure(int levels, std::int64_t divisor) {
        plan_.levels.clear();
        plan_.slotInput = plan_.slotOutput = 0;
        std::uint64_t own = 0;
        for (int level = 1; level <= levels; ++level) {
            plan_.levels.push_back(makeLevel(level, sizesOf(level, divisor)));
            const SlabLevel& l = plan_.levels.back();
            own += bytes_(plan_.levelPlan(level));
            const std::int64_t fine = l.fineSlice() * l.fine, coarse = l.coarseSlice() * l.coarse;
            plan_.slotInput = std::max(plan_.slotInput, plan_.forward ? fine : coarse);
            plan_.slotOutput = std::max(plan_.slotOutput, plan_.forward ? coarse : fine);
        }
        std::int64_t strips = 0;
        for (int level = 1; level <= levels; ++level) {
            strips += static_cast<std::int64_t>(plan_.level(level).slabs.size());
            const std::int64_t most = plan_.gapSlices(level);
            if (plan_.forward && level < plan_.wavelet.levels) strips += (plan_.corner(2, level) - plan_.count(2, level) + most - 1) / most;
        }
        if (!plan_.allInSlabs()) {
            const WaveletPlan coarser = plan_.coarserPlan();
            own += bytes_(coarser) + static_cast<std::uint64_t>(bytesOf(coarser.image.pixels() + coarser.mosaic.pixels()));
            strips += (coarser.mosaic.depth + plan_.coarserSlices() - 1) / plan_.coarserSlices();
        }
        plan_.strips.ownBytes = own;
        const std::int64_t slots = std::min<std::int64_t>(limits_.inFlight, strips * plan_.wavelet.image.channels);
        return own + static_cast<std::uint64_t>(bytesOf(plan_.slotInput + plan_.slotOutput) * slots);
    }

    std::vector<std::int64_t> sizesOf(int level, std::int64_t divisor) const {
        const std::int64_t slice = bytesOf(plan_.count(0, level - 1) * plan_.count(1, level - 1));
        const std::int64_t coarseSlice = bytesOf(plan_.corner(0, level - 1) * plan_.corner(1, level - 1)), n = plan_.count(2, level - 1);
        const auto resultsOf = [&](std::uint64_t bytes) {
            return std::max<std::int64_t>(1, (static_cast<std::int64_t>(bytes) + slice) / (2 * slice) / divisor);
        };
        // A result takes two slices of either side, one of the coarser ones without the corner.
        std::int64_t up = 2 * slice, down = 2 * coarseSlice, gaps = 0;
        if (level < plan_.wavelet.levels) {
            down -= bytesOf(plan_.corner(0, level) * plan_.corner(1, level));
            gaps = (plan_.corner(2, level) - plan_.count(2, level)) * (down - coarseSlice);
        }
        if (!plan_.forward) std::swap(up, down), gaps = 0;
        const std::int64_t each = resultsOf(preferredStripBytes(limits_, static_cast<std::uint64_t>(slice * n)));
        const std::int64_t most = limits_.stripCost > 0 ? resultsOf(limits_.largestStrip) : each;
        const auto results = (plan_.forward ? forwardResults : inverseResults)(n, plan_.wavelet.taps(), plan_.wavelet.mode);
        return gradedStripSizes(results, each, most, up, down, gaps);
    }

    SlabLevel makeLevel(int level, std::span<const std::int64_t> sizes) const {
        SlabLevel l;
        l.width = plan_.count(0, level - 1);
        l.height = plan_.count(1, level - 1);
        l.across = plan_.corner(0, level - 1);
        l.down = plan_.corner(1, level - 1);
        l.slabs = (plan_.forward ? forwardSlabs : inverseSlabs)(plan_.count(2, level - 1), plan_.wavelet.taps(), plan_.wavelet.mode, sizes);
        for (const LevelSlab& s : l.slabs) {
            l.fine = std::max(l.fine, plan_.forward ? s.reads() : 2 * (s.skip + s.results()));
            l.coarse = std::max(l.coarse, 2 * (plan_.forward ? s.skip + s.results() : s.reads()));
        }
        return l;
    }

    SlabPlan& plan_;
    const StripLimits& limits_;
    const TransformBytes& bytes_;
};

std::string slabText(const SlabPlan& plan) {
    const std::vector<LevelSlab>& finest = plan.level(1).slabs;
    std::int64_t each = 0;
    for (const LevelSlab& slab : finest) each = std::max(each, slab.results());
    const bool upTo = std::any_of(finest.begin(), finest.end() - 1, [&](const LevelSlab& slab) { return slab.results() < each; });
    std::string text = stripText(plan.steps.size(), each, plan.forward ? "coefficient" : "pair", upTo) + " along z";
    if (plan.forward) text += " of each band";
    if (plan.wavelet.levels > 1) {
        const int levels = plan.slabLevels();
        if (levels > 1) text += ", levels 1 to " + std::to_string(levels) + " one after the other via the host";
        if (!plan.allInSlabs()) text += ", from level " + std::to_string(levels + 1) + " on whole on the device";
    }
    return text;
}

void cutSlabs(SlabPlan& plan, const StripLimits& limits, std::uint64_t memory, const TransformBytes& bytes) {
    SlabSizes(plan, limits, bytes).choose(memory);
    for (int level = 1; level < plan.slabLevels(); ++level) plan.strips.kept.push_back(plan.wavelet.levelShape(level).pixels());
    addSlabStrips(plan);
    plan.strips.name = slabText(plan);
}

void cutPlanes(SlabPlan& plan, const StripLimits& limits, std::uint64_t memory, const TransformBytes& bytes) {
    const Shape &image = plan.wavelet.image, &mosaic = plan.wavelet.mosaic;
    const std::int64_t planes = image.depth * image.channels;
    std::int64_t in = image.width * image.height, out = mosaic.width * mosaic.height;
    if (!plan.forward) std::swap(in, out);
    const std::uint64_t wanted = preferredStripBytes(limits, static_cast<std::uint64_t>(bytesOf(in * planes)));
    std::int64_t each = std::clamp<std::int64_t>(static_cast<std::int64_t>(wanted) / bytesOf(in), 1, planes);
    const auto needs = [&](std::int64_t k) {
        const std::int64_t slots = std::min<std::int64_t>(limits.inFlight, (planes + k - 1) / k);
        plan.strips.ownBytes = bytes(plan.planesPlan(k)) * (planes % k ? 2 : 1);
        return plan.strips.ownBytes + static_cast<std::uint64_t>(slots * k * bytesOf(in + out));
    };
    while (each > 1 && needs(each) > memory) each = (each + 1) / 2;
    if (needs(each) > memory) throw stripMemoryError(needs(each), memory);
    for (std::int64_t first = 0; first < planes; first += each) {
        const std::int64_t k = std::min(each, planes - first);
        StripPart part{.input = k * in, .output = k * out};
        part.up.push_back({.host = first * in, .width = in, .rows = k, .hostRow = in, .slotRow = in});
        part.down.push_back({.host = first * out, .width = out, .rows = k, .hostRow = out, .slotRow = out});
        plan.steps.push_back({.kind = SlabStep::Kind::planes, .first = first, .end = first + k});
        plan.strips.parts.push_back(std::move(part));
    }
    plan.strips.name = stripText(plan.steps.size(), each, "plane");
}

}  // namespace

WaveletPlan SlabPlan::planesPlan(std::int64_t planes) const {
    WaveletPlan p = wavelet;
    p.image = {wavelet.image.width, wavelet.image.height, planes, 1};
    p.mosaic = {wavelet.mosaic.width, wavelet.mosaic.height, planes, 1};
    std::fill(p.axes[2].count.begin(), p.axes[2].count.end(), planes);
    std::fill(p.axes[2].offset.begin(), p.axes[2].offset.end(), planes);
    return p;
}

WaveletPlan SlabPlan::levelPlan(int l) const {
    const SlabLevel& s = level(l);
    WaveletPlan p = wavelet;
    p.levels = 1;
    for (std::size_t a = 0; a < 2; ++a) {
        p.axes[a].count = {count(a, l - 1), count(a, l)};
        p.axes[a].offset = {corner(a, l - 1), corner(a, l)};
    }
    p.axes[2].count = {s.fine, s.coarse / 2};
    p.axes[2].offset = {s.coarse, s.coarse / 2};
    p.image = {s.width, s.height, s.fine, 1};
    p.mosaic = {s.across, s.down, s.coarse, 1};
    return p;
}

WaveletPlan SlabPlan::coarserPlan() const {
    const int done = slabLevels();
    WaveletPlan p = wavelet;
    p.levels = wavelet.levels - done;
    for (WaveletAxis& a : p.axes) {
        a.count.erase(a.count.begin(), a.count.begin() + done);
        a.offset.erase(a.offset.begin(), a.offset.begin() + done);
    }
    p.image = wavelet.levelShape(done);
    p.image.channels = 1;
    p.mosaic = {corner(0, done), corner(1, done), corner(2, done), 1};
    return p;
}

SlabPlan planSlabs(const WaveletPlan& wavelet, bool forward, const StripLimits& limits, std::uint64_t memory, const TransformBytes& bytes) {
    SlabPlan plan{.wavelet = wavelet, .forward = forward};
    StripPlan& strips = plan.strips;
    strips.shape = forward ? wavelet.mosaic : wavelet.image;
    if (wavelet.axes[2].transformed) cutSlabs(plan, limits, memory, bytes);
    else cutPlanes(plan, limits, memory, bytes);
    // Progress counts rows of the output, divided among the strips.
    const std::int64_t rows = strips.shape.height * strips.shape.depth * strips.shape.channels;
    const auto count = static_cast<std::int64_t>(plan.steps.size());
    std::int64_t input = 0, output = 0;
    for (std::int64_t i = 0; i < count; ++i) {
        strips.strips.push_back({i, 1, 0, rows * (i + 1) / count - rows * i / count, false});
        input = std::max(input, strips.parts[static_cast<std::size_t>(i)].input);
        output = std::max(output, strips.parts[static_cast<std::size_t>(i)].output);
    }
    strips.slotBytes = static_cast<std::uint64_t>(bytesOf(input + output));
    return plan;
}

}  // namespace parallax::gpu
