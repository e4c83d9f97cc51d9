// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/operations/wavelet/slabs.hpp"

#include <algorithm>
#include <string>

namespace parallax::gpu {
namespace {

bool repeats(ExtensionRule rule) { return rule == ExtensionRule::periodic || rule == ExtensionRule::periodization; }
std::int64_t floorToEven(std::int64_t i) { return i - (i % 2 + 2) % 2; }
std::int64_t bytesOf(std::int64_t samples) { return samples * static_cast<std::int64_t>(sizeof(float)); }

void copyOnDevice(float* to, const float* from, std::int64_t samples, cudaStream_t stream) {
    launchCopy({to, 0, 0}, {from, 0, 0}, {.width = samples}, stream);
}

/// Consecutive ones of the indices that stand for [from, to), in runs: f(first index, first of [0, to - from), how many).
template <class F>
void forRepeatedRuns(std::int64_t from, std::int64_t to, std::int64_t n, ExtensionRule rule, bool forward, F&& f) {
    for (std::int64_t i = from; i < to;) {
        const std::int64_t first = repeatedIndex(i, n, rule, forward);
        std::int64_t count = 1;
        while (i + count < to && repeatedIndex(i + count, n, rule, forward) == first + count) ++count;
        f(first, i - from, count);
        i += count;
    }
}

}  // namespace

std::int64_t repeatedIndex(std::int64_t i, std::int64_t n, ExtensionRule rule, bool forward) {
    if (i >= 0 && i < n) return i;
    // An odd signal is made even by its last sample once more.
    const std::int64_t period = forward && rule == ExtensionRule::periodization ? n + n % 2 : n;
    return std::min((i % period + period) % period, n - 1);
}

std::int64_t forwardResults(std::int64_t samples, int taps, ExtensionRule rule) {
    return coefficientCount<std::int64_t>(samples, taps, rule);
}
std::int64_t inverseResults(std::int64_t samples, int taps, ExtensionRule rule) {
    return (samples - 1 + synthesisPhase(taps, rule).offset) / 2 + 1;
}

std::vector<LevelSlab> forwardSlabs(std::int64_t samples, int taps, ExtensionRule rule, std::span<const std::int64_t> sizes) {
    const std::int64_t n = samples, shift = analysisShift(taps, rule);
    std::vector<LevelSlab> slabs;
    // Shorter signals are repeated more than once beyond a border.
    if (sizes.size() == 1 || n < 2 * taps) return {{.first = 0, .end = forwardResults(n, taps, rule), .from = 0, .to = n}};
    const bool mirrorsEdge = rule != ExtensionRule::reflect && rule != ExtensionRule::antireflect;
    for (const std::int64_t size : sizes) {
        LevelSlab s{.first = slabs.empty() ? 0 : slabs.back().end};
        s.end = s.first + size;
        const std::int64_t before = 2 * s.first + shift - taps + 1, last = 2 * (s.end - 1) + shift;
        s.from = floorToEven(before);
        s.to = last + 1;
        if (!repeats(rule)) {
            // Where a slab begins or ends with the volume, that border is its own, and what stands for samples outside must be there.
            if (s.from <= 0) s.from = 0, s.to = std::max({s.to, mirrorsEdge ? -before : 1 - before, std::int64_t{2}});
            if (last >= n) s.from = std::min(s.from, floorToEven(n - taps));
            s.to = std::min(s.to, n);
        }
        s.skip = s.first - s.from / 2;
        if (!slabs.empty()) {
            s.to = std::max(s.to, slabs.back().to);
            s.carried = slabs.back().to - s.from;
        }
        slabs.push_back(s);
    }
    return slabs;
}

std::vector<LevelSlab> inverseSlabs(std::int64_t samples, int taps, ExtensionRule rule, std::span<const std::int64_t> sizes) {
    const SynthesisPhase phase = synthesisPhase(taps, rule);
    const std::int64_t half = taps / 2, skip = half - 1 - phase.shift;
    std::vector<LevelSlab> slabs;
    if (sizes.size() == 1)
        return {{.first = 0, .end = inverseResults(samples, taps, rule), .from = 0, .to = forwardResults(samples, taps, rule)}};
    for (const std::int64_t size : sizes) {
        LevelSlab s{.first = slabs.empty() ? 0 : slabs.back().end};
        s.end = s.first + size;
        s.from = s.first + phase.shift - half + 1;
        s.to = s.end + phase.shift;
        s.skip = skip;
        if (!slabs.empty()) s.carried = slabs.back().to - s.from;
        slabs.push_back(s);
    }
    return slabs;
}

SlabTransform::SlabTransform(const WaveletPlan& plan, WaveletVariant variant, const CudaSession& session, bool forward,
                             const StripLimits& limits, std::uint64_t memory)
    : plan_(plan), variant_(variant), session_(session), forward_(forward) {
    cut_.shape = forward_ ? plan_.mosaic : plan_.image;
    preloadCopy();
    if (plan_.axes[2].transformed) cutSlabs(limits, memory);
    else cutPlanes(limits, memory);
    // Rows of the output for progress, shared out among the strips.
    const std::int64_t rows = cut_.shape.height * cut_.shape.depth * cut_.shape.channels, strips = static_cast<std::int64_t>(work_.size());
    for (std::int64_t i = 0; i < strips; ++i) {
        cut_.strips.push_back({i, 1, 0, rows * (i + 1) / strips - rows * i / strips, false});
        slotIn_ = std::max(slotIn_, cut_.parts[static_cast<std::size_t>(i)].input);
        slotOut_ = std::max(slotOut_, cut_.parts[static_cast<std::size_t>(i)].output);
    }
    cut_.slotBytes = static_cast<std::uint64_t>(bytesOf(slotIn_ + slotOut_));
}

WaveletPlan SlabTransform::planesPlan(std::int64_t planes) const {
    WaveletPlan p = plan_;
    p.image = {plan_.image.width, plan_.image.height, planes, 1};
    p.mosaic = {plan_.mosaic.width, plan_.mosaic.height, planes, 1};
    std::fill(p.axes[2].count.begin(), p.axes[2].count.end(), planes);
    std::fill(p.axes[2].offset.begin(), p.axes[2].offset.end(), planes);
    return p;
}

WaveletPlan SlabTransform::levelPlan(int level, const Level& l) const {
    WaveletPlan p = plan_;
    p.levels = 1;
    for (std::size_t a = 0; a < 2; ++a) {
        p.axes[a].count = {count(a, level - 1), count(a, level)};
        p.axes[a].offset = {corner(a, level - 1), corner(a, level)};
    }
    p.axes[2].count = {l.fine, l.coarse / 2};
    p.axes[2].offset = {l.coarse, l.coarse / 2};
    p.image = {l.width, l.height, l.fine, 1};
    p.mosaic = {l.across, l.down, l.coarse, 1};
    return p;
}

WaveletPlan SlabTransform::deepPlan() const {
    WaveletPlan p = plan_;
    p.levels = plan_.levels - slabLevels_;
    for (WaveletAxis& a : p.axes) {
        a.count.erase(a.count.begin(), a.count.begin() + slabLevels_);
        a.offset.erase(a.offset.begin(), a.offset.begin() + slabLevels_);
    }
    p.image = plan_.levelShape(slabLevels_);
    p.image.channels = 1;
    p.mosaic = {corner(0, slabLevels_), corner(1, slabLevels_), corner(2, slabLevels_), 1};
    return p;
}

SlabTransform::Level SlabTransform::makeLevel(int level, std::span<const std::int64_t> sizes) const {
    Level l;
    l.width = count(0, level - 1);
    l.height = count(1, level - 1);
    l.across = corner(0, level - 1);
    l.down = corner(1, level - 1);
    const std::int64_t n = count(2, level - 1);
    l.slabs = forward_ ? forwardSlabs(n, plan_.taps(), plan_.rule(), sizes) : inverseSlabs(n, plan_.taps(), plan_.rule(), sizes);
    for (const LevelSlab& s : l.slabs) {
        l.fine = std::max(l.fine, forward_ ? s.reads() : 2 * (s.skip + s.results()));
        l.coarse = std::max(l.coarse, 2 * (forward_ ? s.skip + s.results() : s.reads()));
    }
    return l;
}

void SlabTransform::add(const Work& work, StripPart part) {
    work_.push_back(work);
    cut_.parts.push_back(std::move(part));
}

// ---- slices that have nothing to do with each other

void SlabTransform::cutPlanes(const StripLimits& limits, std::uint64_t memory) {
    const std::int64_t planes = plan_.image.depth * plan_.image.channels;
    const std::int64_t in = forward_ ? plan_.image.width * plan_.image.height : plan_.mosaic.width * plan_.mosaic.height;
    const std::int64_t out = forward_ ? plan_.mosaic.width * plan_.mosaic.height : plan_.image.width * plan_.image.height;
    const std::uint64_t wanted = wantedStripBytes(limits, static_cast<std::uint64_t>(bytesOf(in * planes)));
    std::int64_t each = std::clamp<std::int64_t>(static_cast<std::int64_t>(wanted) / bytesOf(in), 1, planes);
    const auto needs = [&](std::int64_t k) {
        const std::int64_t slots = std::min<std::int64_t>(limits.atOnce, (planes + k - 1) / k);
        cut_.ownBytes = DeviceTransform::deviceBytes(planesPlan(k), variant_, forward_, !forward_) * (planes % k ? 2 : 1);
        return cut_.ownBytes + static_cast<std::uint64_t>(slots * k * bytesOf(in + out));
    };
    while (each > 1 && needs(each) > memory) each = (each + 1) / 2;
    if (needs(each) > memory) throw tooLittleForStrips(needs(each), memory);
    for (std::int64_t first = 0; first < planes; first += each) {
        const std::int64_t k = std::min(each, planes - first);
        if (auto& transform = planes_[k]; !transform)
            transform = std::make_unique<DeviceTransform>(planesPlan(k), variant_, session_, forward_, !forward_);
        StripPart part{.input = k * in, .output = k * out};
        part.up.push_back({.host = first * in, .width = in, .rows = k, .hostRow = in, .slotRow = in});
        part.down.push_back({.host = first * out, .width = out, .rows = k, .hostRow = out, .slotRow = out});
        add({.kind = Kind::planes, .first = first, .end = first + k}, std::move(part));
    }
    cut_.name = stripText(work_.size(), each, "plane");
}

// ---- slabs

std::uint64_t SlabTransform::measure(std::int64_t divisor, const StripLimits& limits) {
    levels_.clear();
    std::uint64_t own = 0;
    std::int64_t in = 0, out = 0;
    for (int level = 1; level <= slabLevels_; ++level) {
        const std::int64_t slice = bytesOf(count(0, level - 1) * count(1, level - 1));
        const std::uint64_t wanted = wantedStripBytes(limits, static_cast<std::uint64_t>(slice * count(2, level - 1)));
        const auto resultsOf = [&](std::uint64_t bytes) {
            return std::max<std::int64_t>(1, (static_cast<std::int64_t>(bytes) + slice) / (2 * slice) / divisor);
        };
        // Of a result: two slices of either side, one of the coarser ones without the corner.
        const std::int64_t n = count(2, level - 1), results = (forward_ ? forwardResults : inverseResults)(n, plan_.taps(), plan_.rule());
        std::int64_t up = 2 * slice, down = 2 * bytesOf(corner(0, level - 1) * corner(1, level - 1)), gaps = 0;
        if (level < plan_.levels) {
            down -= bytesOf(corner(0, level) * corner(1, level));
            gaps = (corner(2, level) - count(2, level)) * (down - bytesOf(corner(0, level - 1) * corner(1, level - 1)));
        }
        if (!forward_) std::swap(up, down), gaps = 0;
        const std::int64_t each = resultsOf(wanted), most = limits.stripCost > 0 ? resultsOf(limits.largestStrip) : each;
        Level& l = levels_.emplace_back(makeLevel(level, unevenSizes(results, each, most, up, down, gaps)));
        own += DeviceTransform::deviceBytes(levelPlan(level, l), variant_, forward_, !forward_);
        const std::int64_t fine = l.width * l.height * l.fine, coarse = l.across * l.down * l.coarse;
        in = std::max(in, forward_ ? fine : coarse);
        out = std::max(out, forward_ ? coarse : fine);
    }
    slotIn_ = in;
    slotOut_ = out;
    std::int64_t strips = 0;
    for (int level = 1; level <= slabLevels_; ++level) {
        strips += static_cast<std::int64_t>(levels_[static_cast<std::size_t>(level) - 1].slabs.size());
        if (forward_ && level < plan_.levels) strips += (corner(2, level) - count(2, level) + gapSlices(level) - 1) / gapSlices(level);
    }
    if (slabLevels_ < plan_.levels) {
        const WaveletPlan deep = deepPlan();
        own += DeviceTransform::deviceBytes(deep, variant_, forward_, !forward_);
        own += static_cast<std::uint64_t>(bytesOf(deep.image.pixels() + deep.mosaic.pixels()));
        strips += (deep.mosaic.depth + deepSlices() - 1) / deepSlices();
    }
    cut_.ownBytes = own;
    return own + static_cast<std::uint64_t>(bytesOf(in + out) * std::min<std::int64_t>(limits.atOnce, strips * plan_.image.channels));
}

void SlabTransform::cutSlabs(const StripLimits& limits, std::uint64_t memory) {
    std::uint64_t least = 0;
    bool fits = false;
    for (slabLevels_ = 1; slabLevels_ <= plan_.levels && !fits; ++slabLevels_)
        for (std::int64_t divisor = 1; !fits; divisor *= 2) {
            const std::uint64_t needed = measure(divisor, limits);
            if (least == 0 || needed < least) least = needed;
            fits = needed <= memory;
            const bool smallest = std::all_of(levels_.begin(), levels_.end(), [](const Level& l) {
                return std::all_of(l.slabs.begin(), l.slabs.end(), [](const LevelSlab& slab) { return slab.results() == 1; });
            });
            if (smallest || divisor > (std::int64_t{1} << 40)) break;
        }
    --slabLevels_;
    if (!fits) throw tooLittleForStrips(least, memory);
    for (int level = 1; level <= slabLevels_; ++level) {
        Level& l = levels_[static_cast<std::size_t>(level) - 1];
        l.transform = std::make_unique<DeviceTransform>(levelPlan(level, l), variant_, session_, forward_, !forward_);
        l.transform->chooseAsFor(plan_, level - 1);
        if (level < slabLevels_) cut_.kept.push_back(plan_.levelShape(level).pixels());
    }
    if (slabLevels_ < plan_.levels) {
        const WaveletPlan deep = deepPlan();
        deep_ = std::make_unique<DeviceTransform>(deep, variant_, session_, forward_, !forward_);
        deep_->chooseAsFor(plan_, slabLevels_);
        approximation_ = DeviceBuffer<float>(session_.allocator(), static_cast<std::size_t>(deep.image.pixels()));
        coefficients_ = DeviceBuffer<float>(session_.allocator(), static_cast<std::size_t>(deep.mosaic.pixels()));
    }
    for (std::int64_t c = 0; c < plan_.image.channels; ++c) {
        if (forward_) {
            for (int level = 1; level <= slabLevels_; ++level) {
                addGaps(level, c);  // they come down while the first slab goes up
                addSlabs(level, c);
            }
            addDeep(c);
        } else {
            addDeep(c);
            for (int level = slabLevels_; level >= 1; --level) addSlabs(level, c);
        }
    }
    const std::vector<LevelSlab>& finest = levels_[0].slabs;
    std::int64_t each = 0;
    for (const LevelSlab& slab : finest) each = std::max(each, slab.results());
    const bool upTo = std::any_of(finest.begin(), finest.end() - 1, [&](const LevelSlab& slab) { return slab.results() < each; });
    cut_.name = stripText(work_.size(), each, forward_ ? "coefficient" : "pair", upTo) + " along z";
    if (forward_) cut_.name += " of each band";
    if (plan_.levels > 1) {
        cut_.name += slabLevels_ > 1 ? ", levels 1 to " + std::to_string(slabLevels_) + " one after the other by way of the host" : "";
        if (deep_) cut_.name += ", from level " + std::to_string(slabLevels_ + 1) + " on at once on the device";
    }
}

void SlabTransform::addSlices(std::vector<StripBox>& boxes, int level, std::int64_t channel, std::int64_t first, std::int64_t end,
                              std::int64_t slot, bool low) const {
    const Shape& m = plan_.mosaic;
    const std::int64_t across = corner(0, level - 1), down = corner(1, level - 1);
    const StripBox whole{.host = (channel * m.depth + first) * m.height * m.width,
                         .slot = slot * across * down,
                         .width = across,
                         .rows = down,
                         .slices = end - first,
                         .hostRow = m.width,
                         .hostSlice = m.width * m.height,
                         .slotRow = across,
                         .slotSlice = across * down};
    const auto add = [&](StripBox box) {
        if (box.samples() > 0) boxes.push_back(box);
    };
    if (!low || level == plan_.levels) return add(whole);
    const std::int64_t x = corner(0, level), y = corner(1, level);
    StripBox right = whole, below = whole;
    right.host += x, right.slot += x, right.width -= x, right.rows = y;
    below.host += y * m.width, below.slot += y * across, below.rows -= y;
    add(right);
    add(below);
}

void SlabTransform::addSlabs(int level, std::int64_t channel) {
    const Level& l = levels_[static_cast<std::size_t>(level) - 1];
    const std::int64_t fine = l.width * l.height, coarse = l.across * l.down, n = count(2, level - 1), coefficients = count(2, level);
    const std::int64_t high = corner(2, level);
    // Slices of the finer side: of the image, or of an approximation that is kept on the host.
    const auto fineBox = [&](std::int64_t first, std::int64_t slot, std::int64_t slices) {
        const std::int64_t before = level == 1 ? channel * n : 0;
        return StripBox{.image = level - 1,
                        .host = (before + first) * fine,
                        .slot = slot * fine,
                        .width = fine,
                        .rows = slices,
                        .hostRow = fine,
                        .slotRow = fine};
    };
    // Of the approximation of this level, where it lies in slices of coefficients.
    const auto approximationBox = [&](std::int64_t first, std::int64_t slot, std::int64_t slices) {
        const std::int64_t width = count(0, level), height = count(1, level);
        return StripBox{.image = level,
                        .host = first * width * height,
                        .slot = slot * coarse,
                        .width = width,
                        .rows = height,
                        .slices = slices,
                        .hostRow = width,
                        .hostSlice = width * height,
                        .slotRow = l.across,
                        .slotSlice = coarse};
    };
    for (std::size_t i = 0; i < l.slabs.size(); ++i) {
        const LevelSlab& s = l.slabs[i];
        StripPart part;
        // What the phase before left on the host must be there, and what this one leaves there must not be looked at any more.
        part.waits = i == 0 && slabLevels_ > 1 && !work_.empty();
        const std::int64_t from = s.from + s.carried;
        if (forward_) {
            const std::int64_t made = s.skip + s.results();
            part.input = s.reads() * fine;
            part.output = 2 * made * coarse;
            forRepeatedRuns(from, s.to, n, plan_.rule(), true, [&](std::int64_t first, std::int64_t at, std::int64_t slices) {
                part.up.push_back(fineBox(first, s.carried + at, slices));
            });
            addSlices(part.down, level, channel, s.first, s.end, s.skip, true);
            if (level < slabLevels_) part.down.push_back(approximationBox(s.first, s.skip, s.results()));
            addSlices(part.down, level, channel, high + s.first, high + s.end, made + s.skip, false);
        } else {
            const int offset = synthesisPhase(plan_.taps(), plan_.rule()).offset;
            part.input = 2 * s.reads() * coarse;
            part.output = 2 * (s.skip + s.results()) * fine;
            forRepeatedRuns(from, s.to, coefficients, plan_.rule(), false, [&](std::int64_t first, std::int64_t at, std::int64_t slices) {
                addSlices(part.up, level, channel, first, first + slices, s.carried + at, true);
                if (level < slabLevels_) part.up.push_back(approximationBox(first, s.carried + at, slices));
                addSlices(part.up, level, channel, high + first, high + first + slices, s.reads() + s.carried + at, false);
            });
            const std::int64_t first = std::max<std::int64_t>(0, 2 * s.first - offset), end = std::min(n, 2 * s.end - offset);
            if (end > first) part.down.push_back(fineBox(first, first - 2 * (s.first - s.skip), end - first));
        }
        add({.kind = Kind::slab, .level = level, .index = i}, std::move(part));
    }
}

std::int64_t SlabTransform::gapSlices(int level) const {
    return std::max<std::int64_t>(1, slotOut_ / (corner(0, level - 1) * corner(1, level - 1)));
}
std::int64_t SlabTransform::deepSlices() const {
    return std::max<std::int64_t>(1, (forward_ ? slotOut_ : slotIn_) / (corner(0, slabLevels_) * corner(1, slabLevels_)));
}

void SlabTransform::addGaps(int level, std::int64_t channel) {
    // Slices between the approximation along z and the details, but for the coarser levels in the corner.
    if (level == plan_.levels) return;
    const Level& l = levels_[static_cast<std::size_t>(level) - 1];
    const std::int64_t coarse = l.across * l.down, most = gapSlices(level);
    for (std::int64_t z = count(2, level); z < corner(2, level); z += most) {
        const std::int64_t end = std::min(corner(2, level), z + most);
        StripPart part{.output = (end - z) * coarse};
        addSlices(part.down, level, channel, z, end, 0, true);
        add({.kind = Kind::gap, .level = level, .first = z, .end = end}, std::move(part));
    }
}

void SlabTransform::addDeep(std::int64_t channel) {
    if (!deep_) return;
    const Shape& m = plan_.mosaic;
    const std::int64_t width = corner(0, slabLevels_), height = corner(1, slabLevels_), depth = corner(2, slabLevels_);
    const std::int64_t most = deepSlices();
    for (std::int64_t z = 0; z < depth; z += most) {
        const std::int64_t end = std::min(depth, z + most);
        const StripBox box{.host = (channel * m.depth + z) * m.height * m.width,
                           .width = width,
                           .rows = height,
                           .slices = end - z,
                           .hostRow = m.width,
                           .hostSlice = m.width * m.height,
                           .slotRow = width,
                           .slotSlice = width * height};
        StripPart part;
        (forward_ ? part.output : part.input) = box.samples();
        (forward_ ? part.down : part.up).push_back(box);
        add({.kind = Kind::deep, .level = slabLevels_, .first = z, .end = end, .computes = forward_ ? z == 0 : end == depth},
            std::move(part));
    }
}

void SlabTransform::copyCorner(int level, float* slices, float* approximation, std::int64_t slicesCount, bool fromSlices) const {
    const Level& l = levels_[static_cast<std::size_t>(level) - 1];
    const std::int64_t width = count(0, level), height = count(1, level);
    const Strided<float> mosaic{slices, l.across, l.across * l.down}, dense{approximation, width, width * height};
    const Strided<float>&to = fromSlices ? dense : mosaic, &from = fromSlices ? mosaic : dense;
    launchCopy(to, {from.data, from.rowStride, from.sliceStride}, {width, height, slicesCount}, session_.stream());
}

void SlabTransform::runStrip(const Strip& strip, const View<const float>& in, const View<float>& out, RunContext& context) {
    const Work& work = work_[static_cast<std::size_t>(strip.plane)];
    const CurrentDevice current(session_.device());
    ProgressShare progress(nullptr, 0, 1);  // whole strips are counted
    before_[strip.plane % 2] = in.data;
    switch (work.kind) {
        case Kind::planes: {
            const std::int64_t planes = work.end - work.first;
            DeviceTransform& transform = *planes_.at(planes);
            const Shape image{plan_.image.width, plan_.image.height, planes, 1}, mosaic{plan_.mosaic.width, plan_.mosaic.height, planes, 1};
            if (forward_) transform.forward(denseView(in.data, image), denseView(out.data, mosaic), context, progress);
            else transform.inverse(denseView(in.data, mosaic), denseView(out.data, image), context, progress);
            return;
        }
        case Kind::slab: return runSlab(work, in.data, out.data, context, strip.plane);
        case Kind::gap:
            check(cudaMemsetAsync(out.data, 0, static_cast<std::size_t>(bytesOf(out.shape.samples())), session_.stream()),
                  "Gaps between wavelet coefficients could not be cleared");
            return;
        case Kind::deep: {
            const WaveletPlan deep = deepPlan();
            const std::int64_t slice = deep.mosaic.width * deep.mosaic.height, count = (work.end - work.first) * slice;
            float* const place = coefficients_.data() + work.first * slice;
            const View<float> image = denseView(approximation_.data(), deep.image), mosaic = denseView(coefficients_.data(), deep.mosaic);
            if (forward_) {
                if (work.computes) deep_->forward(image, mosaic, context, progress);
                copyOnDevice(out.data, place, count, session_.stream());
            } else {
                copyOnDevice(place, in.data, count, session_.stream());
                if (work.computes) deep_->inverse(mosaic, image, context, progress);
            }
            return;
        }
    }
}

void SlabTransform::runSlab(const Work& work, const float* in, float* out, RunContext& context, std::int64_t strip) {
    Level& l = levels_[static_cast<std::size_t>(work.level) - 1];
    const LevelSlab& s = l.slabs[work.index];
    const std::int64_t fine = l.width * l.height, coarse = l.across * l.down;
    const bool single = l.slabs.size() == 1;
    const cudaStream_t stream = session_.stream();
    ProgressShare progress(nullptr, 0, 1);
    // The slot is the runner's, but its front is for what the slab before had.
    float* const slot = const_cast<float*>(in);
    const float* const before = before_[(strip + 1) % 2];
    if (forward_) {
        if (s.carried > 0) copyOnDevice(slot, before + (s.from - l.slabs[work.index - 1].from) * fine, s.carried * fine, stream);
        const std::int64_t made = s.skip + s.results();
        if (work.level < plan_.levels)
            check(cudaMemsetAsync(out, 0, static_cast<std::size_t>(bytesOf(2 * made * coarse)), stream),
                  "Gaps between wavelet coefficients could not be cleared");
        l.transform->forwardPart(
            {.samples = static_cast<int>(s.reads()), .count = static_cast<int>(made), .detail = static_cast<int>(made)}, in, out, context,
            progress);
        if (deep_ && work.level == slabLevels_)
            copyCorner(work.level, out + s.skip * coarse, approximation_.data() + s.first * count(0, work.level) * count(1, work.level),
                       s.results(), true);
        return;
    }
    const std::int64_t reads = s.reads();
    if (s.carried > 0) {
        const LevelSlab& last = l.slabs[work.index - 1];
        const std::int64_t skipped = s.from - last.from;
        copyOnDevice(slot, before + skipped * coarse, s.carried * coarse, stream);
        copyOnDevice(slot + reads * coarse, before + (last.reads() + skipped) * coarse, s.carried * coarse, stream);
    }
    if (deep_ && work.level == slabLevels_)
        forRepeatedRuns(s.from + s.carried, s.to, count(2, work.level), plan_.rule(), false,
                        [&](std::int64_t first, std::int64_t at, std::int64_t slices) {
                            copyCorner(work.level, slot + (s.carried + at) * coarse,
                                       approximation_.data() + first * count(0, work.level) * count(1, work.level), slices, false);
                        });
    const int offset = synthesisPhase(plan_.taps(), plan_.rule()).offset;
    const std::int64_t samples = single ? count(2, work.level - 1) : 2 * (s.skip + s.results()) - offset;
    l.transform->inversePart({.samples = static_cast<int>(samples), .count = static_cast<int>(reads), .detail = static_cast<int>(reads)},
                             in, out, context, progress);
}

}  // namespace parallax::gpu
