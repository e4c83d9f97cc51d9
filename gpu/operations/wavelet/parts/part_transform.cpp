// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/operations/wavelet/parts/part_transform.hpp"

#include <algorithm>
#include <utility>

namespace parallax::gpu {
namespace {

struct LineShape {
    std::int64_t pitch = 0, height = 1;
    std::int64_t samples() const { return pitch * height; }
};
/// A line of the approximation of a level, 0: of the image. Forward, rows begin at sectors of memory, so that whole sectors are written
/// and read. Inverse, they are as long as those of the coefficients.
LineShape sampleLine(const WaveletPlan& plan, std::size_t axis, int level, bool forward) {
    const Shape shape = plan.levelShape(level);
    const std::int64_t pitch = forward || level == 0 ? (shape.width + 7) / 8 * 8 : plan.axes[0].offset[static_cast<std::size_t>(level) - 1];
    return {pitch, axis == 2 ? shape.height : 1};
}
/// A line of the coefficients of a level.
LineShape coefficientLine(const WaveletPlan& plan, std::size_t axis, int level) {
    const auto finer = static_cast<std::size_t>(level) - 1;
    return {plan.axes[0].offset[finer], axis == 2 ? plan.axes[1].offset[finer] : 1};
}

/// Samples of the memory of a level. The last one has its approximation among its coefficients.
std::int64_t sampleMemory(const WaveletPlan& plan, std::size_t axis, int level, const PartWindows& windows, std::size_t channels) {
    if (level == plan.levels) return 0;
    const std::int64_t line = std::max(sampleLine(plan, axis, level, true).samples(), sampleLine(plan, axis, level, false).samples());
    return line * windows.samples(level).count() * (level == 0 ? static_cast<std::int64_t>(channels) : 1);
}
std::int64_t coefficientMemory(const WaveletPlan& plan, std::size_t axis, int level, const PartWindows& windows, int mosaics) {
    return level == 0 ? 0 : 2 * coefficientLine(plan, axis, level).samples() * windows.coefficients(level).count() * mosaics;
}

Strided<const float> firstChannel(const View<const float>& view) { return {view.data, view.rowStride, view.sliceStride}; }

}  // namespace

Distribution waveletDistribution(const WaveletPlan& plan) {
    if (plan.image.depth == 1 && plan.axes[2].transformed)
        return {.halo = StripSupport::no("A single slice that is transformed along z is not divided")};
    return {.halo = StripSupport::withoutHalo(), .phases = true};
}

bool PartTransform::divide(std::int64_t own, Communicator& communicator) {
    const Partition image = placesOf(communicator, static_cast<std::size_t>(own));
    if (levels_ && levels_->partition(0) == image) return false;
    const CurrentDevice current(session_.device());
    preloadCopy();
    levels_.emplace(plan_, plan_.image.depth > 1 ? 2 : 1, image, communicator.rank(), PartWindows::fewestLines(plan_.taps()));
    windows_.emplace(*levels_, use_.smallLevel);
    samples_.clear();
    coefficients_.clear();
    const auto allocate = [&](std::int64_t samples) {
        return DeviceBuffer<float>(session_.allocator(), static_cast<std::size_t>(samples));
    };
    for (int level = 0; level <= plan_.levels; ++level) {
        samples_.push_back(allocate(sampleMemory(plan_, axis(), level, *windows_, use_.channels.size())));
        coefficients_.push_back(allocate(coefficientMemory(plan_, axis(), level, *windows_, use_.mosaics)));
    }
    makeTransforms();
    return true;
}

void PartTransform::makeTransforms() {
    forward_.clear();
    inverse_.clear();
    for (int level = 0; level <= plan_.levels; ++level) {
        const auto make = [&](bool forward, const std::optional<LevelSlab>& slab) {
            return slab ? makeTransform(level, forward, *slab) : nullptr;
        };
        forward_.push_back(use_.forward ? make(true, windows_->analysis(level)) : nullptr);
        inverse_.push_back(use_.inverse ? make(false, windows_->synthesis(level)) : nullptr);
    }
}

std::unique_ptr<DeviceTransform> PartTransform::makeTransform(int level, bool forward, const LevelSlab& slab) const {
    WaveletPlan p = plan_;
    p.levels = 1;
    const auto l = static_cast<std::size_t>(level);
    for (std::size_t a = 0; a < 3; ++a) {
        const WaveletAxis& whole = plan_.axes[a];
        WaveletAxis& own = p.axes[a];
        if (a != axis()) {
            own.count = {whole.count[l - 1], whole.count[l]};
            own.offset = {whole.offset[l - 1], whole.offset[l]};
            continue;
        }
        const std::int64_t kept = windows_->coefficients(level).count();
        own.count = {forward ? slab.reads() : windows_->samplesMade(level), forward ? slab.skip + slab.results() : slab.reads()};
        own.offset = {whole.transformed ? 2 * kept : kept, kept};
    }
    p.image = {p.axes[0].count[0], p.axes[1].count[0], p.axes[2].count[0], 1};
    p.mosaic = {p.axes[0].offset[0], p.axes[1].offset[0], p.axes[2].offset[0], 1};
    auto transform = std::make_unique<DeviceTransform>(p, variant_, session_, forward, !forward);
    transform->chooseAsFor(plan_, level - 1);
    return transform;
}

std::int64_t PartTransform::units(bool forward) const {
    std::int64_t sum = 0;
    for (const auto& transform : forward ? forward_ : inverse_)
        if (transform) sum += transform->units(forward);
    return sum;
}

LineMemory PartTransform::samples(int level, int channel, bool forward) {
    const LineShape line = sampleLine(plan_, axis(), level, forward);
    const LineRange& kept = windows_->samples(level);
    return {.data = samples_[static_cast<std::size_t>(level)].data() + channel * kept.count() * line.samples(),
            .begin = kept.begin,
            .pitch = line.pitch,
            .height = line.height,
            .slices = axis() == 2};
}

PartTransform::LevelMemory PartTransform::coefficients(int level, int channel) {
    const LineShape line = coefficientLine(plan_, axis(), level);
    const LineRange& kept = windows_->coefficients(level);
    const std::int64_t band = kept.count() * line.samples();
    LineMemory low{.data = coefficients_[static_cast<std::size_t>(level)].data() + channel * 2 * band,
                   .begin = kept.begin,
                   .pitch = line.pitch,
                   .height = line.height,
                   .slices = axis() == 2};
    LineMemory high = low;
    high.data += band;
    return {low, high};
}

void PartTransform::addCopies(const std::vector<LineCopy>& copies, const LineMemory& memory, int rank, std::vector<HaloSend>& sends,
                              std::vector<HaloReceive>& receives) {
    for (const LineCopy& c : copies) {
        if (c.from == rank) sends.push_back({c.to, memory.lines(c.line, c.count)});
        if (c.to == rank) receives.push_back({c.from, memory.lines(c.at, c.count)});
    }
}

void PartTransform::takeImage(const View<const float>& rows, Communicator& communicator) {
    const CurrentDevice current(session_.device());
    const PartRange own = levels_->range(0);
    std::vector<HaloSend> sends;
    std::vector<HaloReceive> receives;
    for (std::size_t i = 0; i < use_.channels.size(); ++i) {
        const LineMemory kept = samples(0, static_cast<int>(i), true);
        if (!own.empty())
            launchCopy(kept.from(own.first), firstChannel(rows.channel(use_.channels[i])),
                       {rows.shape.width, rows.shape.height, rows.shape.depth}, session_.stream());
        if (use_.forward) addCopies(windows_->analysisCopies(1), kept, levels_->rank(), sends, receives);
    }
    if (!sends.empty() || !receives.empty()) communicator.startExchange(std::move(sends), std::move(receives))->finish();
}

void PartTransform::giveImage(const View<float>& rows) {
    const PartRange own = levels_->range(0);
    if (own.empty()) return;
    const CurrentDevice current(session_.device());
    for (std::size_t i = 0; i < use_.channels.size(); ++i) {
        const View<float> to = rows.channel(use_.channels[i]);
        launchCopy({to.data, to.rowStride, to.sliceStride}, readOnly(samples(0, static_cast<int>(i), false).from(own.first)),
                   {to.shape.width, to.shape.height, to.shape.depth}, session_.stream());
    }
}

Strided<float> PartTransform::boxInBand(const MosaicBox& box, int channel) {
    const WaveletBand whole = plan_.bands()[box.band], own = levels_->own().bands()[box.band];
    const LevelMemory memory = coefficients(whole.level, channel);
    const bool isHigh = (whole.details >> axis() & 1U) != 0;
    Strided<float> at = (isHigh ? memory.high : memory.low).from(levels_->range(whole.level).first + box.own[axis()] - own.origin[axis()]);
    at.data += box.own[0] + (axis() == 2 ? box.own[1] * at.rowStride : 0);
    return at;
}

/// Boxes of other parts travel packed.
void PartTransform::moveBoxes(const View<const float>* fromRows, const View<float>* toRows, const Partition& mosaic,
                              Communicator& communicator) {
    const CurrentDevice current(session_.device());
    const std::vector<MosaicBox> boxes = mosaicBoxes(*levels_, mosaic);
    const int rank = levels_->rank();
    std::int64_t packed = 0;
    const auto samplesOf = [](const MosaicBox& box) { return box.extent[0] * box.extent[1] * box.extent[2]; };
    for (const MosaicBox& box : boxes)
        if (box.computes != box.keeps) packed += samplesOf(box);
    packed *= use_.mosaics;
    if (boxes_.size() < static_cast<std::size_t>(packed))
        boxes_ = DeviceBuffer<float>(session_.allocator(), static_cast<std::size_t>(packed));

    const auto inRows = [&](const MosaicBox& box, int c) {
        const View<const float> rows = (toRows ? View<const float>(*toRows) : *fromRows).channel(c);
        return Strided<float>{const_cast<float*>(&rows.at(box.rows[0], box.rows[1], box.rows[2])), rows.rowStride, rows.sliceStride};
    };
    struct Received {
        Strided<float> to;
        Strided<const float> from;
        BoxExtent extent;
    };
    std::vector<Received> received;
    std::vector<HaloSend> sends;
    std::vector<HaloReceive> receives;
    float* at = boxes_.data();
    for (int c = 0; c < use_.mosaics; ++c)
        for (const MosaicBox& box : boxes) {
            const BoxExtent extent{box.extent[0], box.extent[1], box.extent[2]};
            const int sender = toRows ? box.computes : box.keeps, receiver = toRows ? box.keeps : box.computes;
            const auto source = [&] { return readOnly(toRows ? boxInBand(box, c) : inRows(box, c)); };
            const auto target = [&] { return toRows ? inRows(box, c) : boxInBand(box, c); };
            if (sender == receiver) {
                launchCopy(target(), source(), extent, session_.stream());
                continue;
            }
            const Strided<float> dense{at, extent.width, extent.width * extent.rows};
            const View<float> all = denseView(at, Shape{extent.width * extent.rows * extent.slices, 1, 1, 1});
            at += samplesOf(box);
            if (sender == rank) {
                launchCopy(dense, source(), extent, session_.stream());
                sends.push_back({receiver, all});
            } else {
                receives.push_back({sender, all});
                received.push_back({target(), readOnly(dense), extent});
            }
        }
    if (!sends.empty() || !receives.empty()) communicator.startExchange(std::move(sends), std::move(receives))->finish();
    for (const Received& r : received) launchCopy(r.to, r.from, r.extent, session_.stream());
}

void PartTransform::takeMosaic(const View<const float>& rows, std::int64_t own, Communicator& communicator) {
    moveBoxes(&rows, nullptr, placesOf(communicator, static_cast<std::size_t>(own)), communicator);
    for (int c = 0; c < use_.mosaics; ++c) shareCoefficients(c, communicator);
}

void PartTransform::swapMosaics(PartTransform& other, Communicator& communicator) {
    std::swap(coefficients_, other.coefficients_);
    for (int c = 0; c < use_.mosaics; ++c) shareCoefficients(c, communicator);
}

void PartTransform::shareCoefficients(int mosaic, Communicator& communicator) {
    std::vector<HaloSend> sends;
    std::vector<HaloReceive> receives;
    for (int level = 1; level <= plan_.levels; ++level) {
        const LevelMemory memory = coefficients(level, mosaic);
        addCopies(windows_->coefficientCopies(level), memory.low, levels_->rank(), sends, receives);
        if (plan_.axes[axis()].transformed) addCopies(windows_->coefficientCopies(level), memory.high, levels_->rank(), sends, receives);
    }
    if (!sends.empty() || !receives.empty()) communicator.startExchange(std::move(sends), std::move(receives))->finish();
}

void PartTransform::giveMosaic(const View<float>& rows, std::int64_t own, Communicator& communicator) {
    if (!plan_.gaps().empty() && rows.shape.samples() > 0) {
        const CurrentDevice current(session_.device());
        for (int c = 0; c < use_.mosaics; ++c)
            check(
                cudaMemsetAsync(rows.channel(c).data, 0, static_cast<std::size_t>(rows.shape.pixels()) * sizeof(float), session_.stream()),
                "Gaps between wavelet coefficients could not be cleared");
    }
    moveBoxes(nullptr, &rows, placesOf(communicator, static_cast<std::size_t>(own)), communicator);
}

std::vector<BandsInMemory> PartTransform::bandsInMemory(const std::vector<WaveletBand>& bands, int mosaic) {
    std::vector<BandsInMemory> groups;
    const std::vector<WaveletBand> ownBands = levels_->own().bands();
    int levelBefore = 0;
    for (const WaveletBand& whole : bands) {
        const LevelMemory memory = coefficients(whole.level, mosaic);
        if (whole.level != levelBefore) groups.push_back({memory.low.from(memory.low.begin), {}});
        levelBefore = whole.level;
        const auto own = std::find_if(ownBands.begin(), ownBands.end(),
                                      [&](const WaveletBand& b) { return b.level == whole.level && b.details == whole.details; });
        BandBox box = boxOf(*own);
        const bool isHigh = (whole.details >> axis() & 1U) != 0;
        const LineRange& kept = windows_->coefficients(whole.level);
        box.first[axis()] = levels_->range(whole.level).first - kept.begin + (isHigh ? kept.count() : 0);
        // Across the divided axis, bands lie as in the whole mosaic.
        for (const std::size_t a : {std::size_t{0}, std::size_t{1}})
            if (a != axis()) box.first[a] = whole.origin[a];
        groups.back().boxes.push_back(box);
    }
    return groups;
}

void PartTransform::forward(int image, int mosaic, Communicator& communicator, const RunContext& context, ProgressShare& progress) {
    for (int level = 1; level <= plan_.levels; ++level) {
        context.throwIfStopped();
        if (level > 1) {
            std::vector<HaloSend> sends;
            std::vector<HaloReceive> receives;
            addCopies(windows_->analysisCopies(level), samples(level - 1, 0, true), levels_->rank(), sends, receives);
            exchange(std::move(sends), std::move(receives), communicator, context);
        }
        const std::optional<LevelSlab>& slab = windows_->analysis(level);
        if (!slab) continue;
        const std::int64_t first = slab->first - slab->skip;
        const Strided<float> out = coefficients(level, mosaic).low.from(first);
        const Strided<float> low = level == plan_.levels ? out : samples(level, 0, true).from(first);
        forward_[static_cast<std::size_t>(level)]->runAlone(
            true, {readOnly(samples(level - 1, level == 1 ? image : 0, true).from(slab->from)), {}, out, low}, context, progress);
    }
}

void PartTransform::inverse(int mosaic, int image, Communicator& communicator, const RunContext& context, ProgressShare& progress) {
    for (int level = plan_.levels; level >= 1; --level) {
        context.throwIfStopped();
        const LevelMemory memory = coefficients(level, mosaic);
        std::vector<HaloSend> sends;
        std::vector<HaloReceive> receives;
        if (level < plan_.levels)
            addCopies(windows_->approximationCopies(level), samples(level, 0, false), levels_->rank(), sends, receives);
        exchange(std::move(sends), std::move(receives), communicator, context);
        const std::optional<LevelSlab>& slab = windows_->synthesis(level);
        if (!slab) continue;
        const Strided<const float> in = readOnly(memory.low.from(slab->from));
        const Strided<const float> low = level == plan_.levels ? in : readOnly(samples(level, 0, false).from(slab->from));
        const LineMemory out = samples(level - 1, level == 1 ? image : 0, false);
        inverse_[static_cast<std::size_t>(level)]->runAlone(false, {in, low, out.from(windows_->firstSample(level)), {}}, context,
                                                            progress);
    }
}

void PartTransform::exchange(std::vector<HaloSend> sends, std::vector<HaloReceive> receives, Communicator& communicator,
                             const RunContext& context) {
    if (sends.empty() && receives.empty()) return;
    const ExchangeTime time(context);
    communicator.startExchange(std::move(sends), std::move(receives))->finish();
}

/// The first part is the largest.
std::uint64_t PartTransform::deviceBytes(const WaveletPlan& plan, WaveletVariant variant, const Use& use, int parts) {
    const std::size_t axis = plan.image.depth > 1 ? 2 : 1;
    const Partition image(axis == 2 ? plan.image.depth : plan.image.height, parts);
    const PartLevels levels(plan, axis, image, 0, PartWindows::fewestLines(plan.taps()));
    const PartWindows windows(levels, use.smallLevel);
    std::int64_t samples = plan.mosaic.pixels() / parts * use.mosaics;  // packed boxes at most
    for (int level = 0; level <= plan.levels; ++level)
        samples +=
            sampleMemory(plan, axis, level, windows, use.channels.size()) + coefficientMemory(plan, axis, level, windows, use.mosaics);
    return static_cast<std::uint64_t>(samples) * sizeof(float) +
           DeviceTransform::deviceBytes(plan, variant, use.forward, use.inverse) / static_cast<std::uint64_t>(parts);
}

}  // namespace parallax::gpu
