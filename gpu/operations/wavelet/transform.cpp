// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/operations/wavelet/transform.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "gpu/operations/wavelet/kernels/tuning.hpp"
#include "gpu/runtime/device.hpp"

namespace parallax::gpu {
namespace {

constexpr std::int64_t kMaxSamples = std::numeric_limits<int>::max() - 4096;  // along an axis, leaving room for halos and tiles

std::array<std::int64_t, 3> extentsOf(const Shape& s) { return {s.width, s.height, s.depth}; }

/// Row stride of the approximation of a level. Forward, rows begin at sectors of memory, so that whole sectors are written and read.
/// Inverse rows are as long as those of the mosaic, so that one offset serves both.
std::int64_t approximationPitch(const WaveletPlan& plan, int level, bool forward) {
    return forward ? (plan.levelShape(level).width + 7) / 8 * 8 : plan.mosaic.width;
}
std::int64_t approximationSamples(const WaveletPlan& plan, int level) {
    const Shape s = plan.levelShape(level);
    return std::max(approximationPitch(plan, level, true), approximationPitch(plan, level, false)) * s.height * s.depth;
}
std::int64_t approximationSamples(const WaveletPlan& plan, std::size_t parity) {
    std::int64_t most = 0;
    for (int level = 1; level < plan.levels; ++level)
        if (static_cast<std::size_t>(level - 1) % 2 == parity) most = std::max(most, approximationSamples(plan, level));
    return most;
}

std::vector<float> bothFilters(const std::vector<double>& lo, const std::vector<double>& hi) {
    std::vector<float> both = roundedTaps(lo);
    const std::vector<float> high = roundedTaps(hi);
    both.insert(both.end(), high.begin(), high.end());
    return both;
}

/// Whether the tuned kernels can fill the gaps along x.
bool canFillGaps(const WaveletPlan& plan) {
    const WaveletAxis& x = plan.axes[0];
    for (std::size_t level = 1; level < x.count.size(); ++level)
        if (x.offset[level] - x.count[level] > kMaxFilledGap) return false;
    return plan.levels > 1;
}

/// Merges a box into an adjacent one.
bool joined(BandBox& box, const BandBox& behind) {
    int along = -1;
    for (int a = 0; a < 3; ++a) {
        if (box.first[a] == behind.first[a] && box.extent[a] == behind.extent[a]) continue;
        if (along >= 0 || box.first[a] + box.extent[a] != behind.first[a]) return false;
        along = a;
    }
    if (along >= 0) box.extent[along] += behind.extent[along];
    return along >= 0;
}

/// Returns the gaps, without those along x if `filled`. Adjacent gaps are merged, since long rows take less time.
std::vector<BandBox> boxesOf(const std::vector<WaveletGap>& gaps, bool filled) {
    std::vector<BandBox> boxes;
    for (const WaveletGap& gap : gaps) {
        if (filled && gap.axis == 0) continue;
        BandBox box{};
        for (std::size_t a = 0; a < 3; ++a) box.first[a] = gap.first[a], box.extent[a] = gap.end[a] - gap.first[a];
        boxes.push_back(box);
    }
    for (std::size_t i = 0; i < boxes.size();) {
        const auto behind = std::find_if(boxes.begin(), boxes.end(), [&](const BandBox& b) { return joined(boxes[i], b); });
        if (behind == boxes.end()) {
            ++i;
        } else {
            boxes.erase(behind);
            i = 0;
        }
    }
    return boxes;
}

/// Returns the passes of a level in their order, without pointers. `part`: a part along z, or null for the whole level.
std::vector<AxisPass> passesOf(const WaveletPlan& plan, int level, bool forward, const DeviceTransform::PartAlongZ* part) {
    std::vector<AxisPass> all;
    const auto l = static_cast<std::size_t>(level);
    // In forward order: the output of each is the input of the inverse.
    int extent[3];
    BandAxis bands[3];
    for (std::size_t a = 0; a < 3; ++a) {
        extent[a] = part && a == 2 ? part->samples : static_cast<int>(plan.axes[a].count[l - 1]);
        bands[a] = {std::numeric_limits<int>::max(), 0};
    }
    for (std::size_t a = 0; a < 3; ++a) {
        if (!plan.axes[a].transformed) continue;
        AxisPass pass;
        pass.axis = static_cast<int>(a);
        pass.count = part && a == 2 ? part->count : static_cast<int>(plan.axes[a].count[l]);
        bands[a].split = pass.count;
        std::copy_n(extent, 3, pass.extent);
        std::copy_n(bands, 3, pass.bands);
        pass.rule = plan.mode;
        pass.taps = plan.taps();
        extent[a] = 2 * pass.count;
        all.push_back(pass);
    }
    // The last pass writes the mosaic.
    for (std::size_t a = 0; a < 3; ++a)
        if (plan.axes[a].transformed)
            all.back().bands[a].jump =
                part && a == 2 ? part->detail - part->count : static_cast<int>(plan.axes[a].offset[l] - plan.axes[a].count[l]);
    if (!forward) std::reverse(all.begin(), all.end());
    return all;
}
/// Samples after the first and after the second pass of a level, in forward order.
std::int64_t betweenSamples(const WaveletPlan& plan, std::size_t which) {
    std::int64_t most = 0;
    for (int level = 1; level <= plan.levels; ++level) {
        const std::vector<AxisPass> passes = passesOf(plan, level, true, nullptr);
        if (which + 1 >= passes.size()) continue;
        const int* const extent = passes[which + 1].extent;
        most = std::max(most, std::int64_t{extent[0]} * extent[1] * extent[2]);
    }
    return most;
}

/// Returns the rows of a pass per launch. A launch cannot be cancelled, so very long ones are cut.
std::int64_t rowsAtOnce(const AxisPass& pass, bool forward) {
    const double ofRow = static_cast<double>(passColumns(pass, forward)) * 2 * pass.taps;
    return static_cast<std::int64_t>(std::clamp(kWaveletLaunchMultiplyAdds / ofRow, 1.0, 1e15));
}

template <class T>
Strided<T> stridedOf(const View<T>& view) {
    return {view.data, view.rowStride, view.sliceStride};
}

}  // namespace

Support waveletSupports(const WaveletPlan& plan) {
    for (const Shape& shape : {plan.image, plan.mosaic})
        for (const std::int64_t n : extentsOf(shape))
            if (n > kMaxSamples) return Support::no("an axis has more than " + std::to_string(kMaxSamples) + " samples");
    for (const auto* filter : {&plan.bank.decLo, &plan.bank.decHi, &plan.bank.recLo, &plan.bank.recHi})
        for (const double tap : *filter)
            if (std::fabs(tap) > static_cast<double>(std::numeric_limits<float>::max()))
                return Support::no("A tap of the filters is beyond the range of 32-bit floats");
    return {};
}

std::vector<float> roundedTaps(const std::vector<double>& taps) {
    std::vector<float> rounded(taps.size());
    std::vector<std::size_t> order(taps.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return std::fabs(taps[a]) > std::fabs(taps[b]); });
    double left[2] = {0, 0};
    for (const std::size_t i : order) {
        if (taps[i] == 0) continue;
        const double wanted = taps[i] + left[i % 2];
        rounded[i] = static_cast<float>(wanted);
        left[i % 2] = wanted - static_cast<double>(rounded[i]);
    }
    return rounded;
}

BandBox boxOf(const WaveletBand& band) {
    BandBox box{};
    for (std::size_t a = 0; a < 3; ++a) box.first[a] = band.origin[a], box.extent[a] = band.extent[a];
    return box;
}

DeviceTransform::DeviceTransform(const WaveletPlan& plan, WaveletVariant variant, const CudaSession& session, bool forward, bool inverse)
    : plan_(plan),
      whole_(plan),
      fused_(isFused(plan, variant)),
      memory_(variant == WaveletVariant::global   ? FilterMemory::global
              : variant == WaveletVariant::shared ? FilterMemory::shared
                                                  : FilterMemory::constant),
      stream_(session.stream()),
      multiprocessors_(deviceLimits(session.device()).multiprocessors),
      forward_{bothFilters(plan.bank.decLo, plan.bank.decHi), {}, {}},
      inverse_{bothFilters(plan.bank.recLo, plan.bank.recHi), {}, {}},
      fillsGaps_(fused_ && canFillGaps(plan)),
      gaps_(boxesOf(plan.gaps(), fillsGaps_)),
      pacer_(session.stream()) {
    const auto& allocator = session.allocator();
    if (forward) forward_.onDevice = DeviceBuffer<float>(allocator, std::span<const float>(forward_.filters), stream_);
    if (inverse) inverse_.onDevice = DeviceBuffer<float>(allocator, std::span<const float>(inverse_.filters), stream_);
    if (forward && !gaps_.empty()) gapsOnDevice_ = DeviceBuffer<BandBox>(allocator, std::span<const BandBox>(gaps_), stream_);
    for (std::size_t i = 0; i < 2; ++i) {
        approximations_[i] = DeviceBuffer<float>(allocator, static_cast<std::size_t>(approximationSamples(plan, i)));
        if (!fused_) between_[i] = DeviceBuffer<float>(allocator, static_cast<std::size_t>(betweenSamples(plan, i)));
    }
    if (fused_) {
        int sharedBytes = 0;
        check(cudaDeviceGetAttribute(&sharedBytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, session.device()),
              "The shared memory of the device could not be queried");
        if (forward) forward_.ability = prepareFusedForward(plan.taps(), plan.axes[2].transformed, sharedBytes);
        if (inverse) inverse_.ability = prepareFusedInverse(plan.taps(), plan.axes[2].transformed, sharedBytes);
    } else {
        preloadPasses(memory_);
    }
    if (forward && !gaps_.empty()) clearsEarly_ = preloadClear();
}

bool DeviceTransform::isFused(const WaveletPlan& plan, WaveletVariant variant) {
    if (variant != WaveletVariant::fused || !fusedHasTaps(plan.taps())) return false;
    if (!plan.axes[0].transformed || !plan.axes[1].transformed) return false;
    // Offsets within a slice are 31 bits, in bytes.
    for (const Shape& shape : {plan.image, plan.mosaic})
        if (shape.width * shape.height > std::int64_t{1} << 29) return false;
    return true;
}

std::uint64_t DeviceTransform::deviceBytes(const WaveletPlan& plan, WaveletVariant variant, bool forward, bool inverse) {
    std::uint64_t floats = 0;
    for (std::size_t i = 0; i < 2; ++i) {
        floats += static_cast<std::uint64_t>(approximationSamples(plan, i));
        if (!isFused(plan, variant)) floats += static_cast<std::uint64_t>(betweenSamples(plan, i));
    }
    floats += 2 * static_cast<std::uint64_t>(plan.taps()) * ((forward ? 1 : 0) + (inverse ? 1 : 0));
    return floats * sizeof(float) + (forward ? plan.gaps().size() * sizeof(BandBox) : 0);
}

Strided<float> DeviceTransform::approximation(int level, bool forward) {
    const std::int64_t pitch = approximationPitch(plan_, level, forward);
    return {approximations_[(level - 1) % 2].data(), pitch, pitch * plan_.levelShape(level).height};
}

bool DeviceTransform::filtersZFirst(int level, bool forward) const {
    if ((forward && sumsSamples(plan_.mode)) || !direction(forward).ability.can(FusedKernel::zFirst)) return false;
    // There, offsets within the level are 31 bits, and the number of tiles along y 16.
    const auto l = static_cast<std::size_t>(before_ + level);
    const std::int64_t slices = whole_.axes[2].offset[l] + whole_.axes[2].count[l];
    if (whole_.mosaic.width * whole_.mosaic.height > (std::int64_t{1} << 31) / slices || whole_.axes[1].count[l] > 1 << 18) return false;
    const std::int64_t samples = whole_.levelShape(before_ + level - 1).pixels();
    if (kernel_) return *kernel_ == FusedKernel::zFirst && samples < kZFirstMostSamples;
    return samples < (forward ? kZFirstForwardSamples : kZFirstInverseSamples);
}

FusedKernel DeviceTransform::fusedKernel(const FusedLevel& level, bool forward, bool zFirst) const {
    if (zFirst) return FusedKernel::zFirst;
    const FusedAbility& ability = direction(forward).ability;
    if (kernel_) return ability.can(*kernel_) && *kernel_ != FusedKernel::zFirst ? *kernel_ : FusedKernel::compact;
    const bool large = std::int64_t{level.samples[0]} * level.samples[1] * level.samples[2] >= kFusedLargeSamples;
    const bool wide = ability.can(FusedKernel::wide), medium = ability.can(FusedKernel::medium);
    if (!(large && wide)) return medium ? FusedKernel::medium : FusedKernel::compact;
    if (!medium) return FusedKernel::wide;
    // The overhang of tiles costs as much as the area that they cover.
    const int columns = forward ? level.count[0] : (level.samples[0] + 1) / 2, rows = forward ? level.count[1] : (level.samples[1] + 1) / 2;
    const auto covered = [&](const FusedTuning& tile) {
        const auto whole = [](int n, int extent) { return static_cast<double>((n + extent - 1) / extent * extent); };
        return whole(columns, tile.step()) * whole(rows, tile.tileRows());
    };
    const int taps = plan_.taps();
    const double byWide = covered(forward ? fusedForwardTuning(taps) : fusedInverseTuning(taps));
    const double byMedium = covered(forward ? fusedForwardMediumTuning() : fusedInverseMediumTuning());
    return byMedium * kFusedMediumCost < byWide ? FusedKernel::medium : FusedKernel::wide;
}

FusedLevel DeviceTransform::fusedLevel(int level, bool forward, const PartAlongZ* part) const {
    const FusedAbility& ability = direction(forward).ability;
    const std::vector<float>& filters = direction(forward).filters;
    FusedLevel l;
    for (std::size_t a = 0; a < 3; ++a) {
        const WaveletAxis& axis = plan_.axes[a];
        const auto i = static_cast<std::size_t>(level);
        l.samples[a] = static_cast<int>(axis.count[i - 1]);
        l.count[a] = static_cast<int>(axis.count[i]);
        l.detail[a] = axis.transformed ? static_cast<int>(axis.offset[i]) : 0;
    }
    if (part) l.samples[2] = part->samples, l.count[2] = part->count, l.detail[2] = part->detail;
    l.kernel = fusedKernel(l, forward, filtersZFirst(level, forward));
    l.alongZ = plan_.axes[2].transformed;
    l.rule = plan_.mode;
    l.taps = plan_.taps();
    l.lo = filters.data();
    l.hi = filters.data() + l.taps;
    // Long inverse walks took 3 to 4 % longer if they began in the middle of another kernel, but not at its end.
    const bool zFirstBefore = level < plan_.levels && filtersZFirst(level + 1, false);
    l.early = ability.early && (forward || l.kernel != FusedKernel::wide || zFirstBefore);
    l.admitsLate =
        !forward && level > 1 && (!filtersZFirst(level - 1, false) || plan_.levelShape(level - 2).pixels() >= kZInverseAloneSamples);
    l.multiprocessors = multiprocessors_;
    l.chunks = chunks_;
    return l;
}

std::int64_t DeviceTransform::units(bool forward) const {
    std::int64_t sum = 0;
    for (int level = 1; level <= plan_.levels; ++level) {
        if (fused_) sum += plan_.levelShape(level - 1).pixels();
        else
            for (const AxisPass& pass : passesOf(plan_, level, forward, nullptr))
                sum += passRows(pass, forward) * passColumns(pass, forward);
    }
    return sum;
}

bool DeviceTransform::isPaced(const WaveletPlan& plan, WaveletVariant variant) {
    if (isFused(plan, variant)) return false;
    for (int level = 1; level <= plan.levels; ++level)
        for (const bool forward : {true, false})
            for (const AxisPass& pass : passesOf(plan, level, forward, nullptr))
                if (rowsAtOnce(pass, forward) < passRows(pass, forward)) return true;
    return false;
}

void DeviceTransform::runPass(AxisPass pass, bool forward, const RunContext& context, ProgressShare& progress) {
    const std::int64_t rows = passRows(pass, forward), most = rowsAtOnce(pass, forward);
    const int columns = passColumns(pass, forward);
    for (std::int64_t row = 0; row < rows; row += most) {
        context.throwIfStopped();
        pass.first = row;
        pass.end = std::min(rows, row + most);
        if (forward) launchForwardPass(pass, memory_, stream_);
        else launchInversePass(pass, memory_, stream_);
        if (most < rows) pacer_.launched();
        progress.add((pass.end - pass.first) * columns);
    }
}

void DeviceTransform::runLevel(int level, bool forward, const PartAlongZ* part, const Sides& sides, bool early, const RunContext& context,
                               ProgressShare& progress) {
    if (fused_) {
        FusedLevel l = fusedLevel(level, forward, part);
        l.early = l.early && early;
        l.in = sides.in, l.inLow = sides.inLow;
        l.out = sides.out, l.outLow = sides.outLow;
        l.fills = forward && fillsGaps_;
        if (forward) launchFusedForward(l, stream_);
        else launchFusedInverse(l, stream_);
        progress.add(plan_.levelShape(level - 1).pixels());
        return;
    }
    std::vector<AxisPass> all = passesOf(plan_, level, forward, part);
    for (std::size_t i = 0; i < all.size(); ++i) {
        AxisPass& pass = all[i];
        const bool first = i == 0, last = i + 1 == all.size();
        pass.filters = direction(forward).onDevice.data();
        pass.hostFilters = direction(forward).filters.data();
        pass.in = first ? sides.in : readOnly(all[i - 1].out);
        if (last) {
            pass.out = sides.out;
        } else {
            // The input of an inverse pass has the size of the output of the forward pass.
            const int* extent = forward ? all[i + 1].extent : pass.extent;
            pass.out = {between_[forward ? i : all.size() - 2 - i].data(), extent[0], std::int64_t{extent[0]} * extent[1]};
        }
        if (forward && last && sides.outLow.data != sides.out.data) pass.outLow = sides.outLow;
        if (!forward && first && sides.inLow.data != sides.in.data) pass.inLow = sides.inLow;
        runPass(pass, forward, context, progress);
    }
}

void DeviceTransform::forward(const View<const float>& image, const View<float>& mosaic, const RunContext& context,
                              ProgressShare& progress) {
    if (mosaic.rowStride != plan_.mosaic.width) throw Error(ErrorCode::failed, "Rows of wavelet coefficients must follow each other");
    Strided<const float> in = stridedOf(image);
    // With wide tiles the first level leaves room for some warps on each multiprocessor and half of the memory bandwidth; otherwise the
    // last level leaves most of the device idle.
    const bool besideFirst = fused_ && plan_.axes[2].transformed && fusedLevel(1, true, nullptr).kernel == FusedKernel::wide;
    const auto clear = [&](int blocks) {
        launchClear(stridedOf(mosaic), {gapsOnDevice_.data(), static_cast<int>(gaps_.size())}, blocks, stream_, fused_ && clearsEarly_);
    };
    for (int level = 1; level <= plan_.levels; ++level) {
        context.throwIfStopped();
        const Strided<float> low = level == plan_.levels ? stridedOf(mosaic) : approximation(level, true);
        runLevel(level, true, nullptr, {in, {}, stridedOf(mosaic), low}, level > 1, context, progress);
        if (level == 1 && besideFirst) clear(multiprocessors_);
        in = readOnly(low);
    }
    if (!besideFirst) clear(kClearBlocks);
}

void DeviceTransform::inverse(const View<const float>& mosaic, const View<float>& image, const RunContext& context,
                              ProgressShare& progress) {
    if (mosaic.rowStride != plan_.mosaic.width) throw Error(ErrorCode::failed, "Rows of wavelet coefficients must follow each other");
    for (int level = plan_.levels; level >= 1; --level) {
        context.throwIfStopped();
        const Strided<float> out = level == 1 ? stridedOf(image) : approximation(level - 1, false);
        const Strided<const float> low = level == plan_.levels ? stridedOf(mosaic) : readOnly(approximation(level, false));
        runLevel(level, false, nullptr, {stridedOf(mosaic), low, out, {}}, level < plan_.levels, context, progress);
    }
}

void DeviceTransform::runPart(bool forward, const PartAlongZ& part, const float* in, float* out, const RunContext& context) {
    const auto strided = []<class T>(T* data, const Shape& s) { return Strided<T>{data, s.width, s.width * s.height}; };
    const Strided<const float> from = strided(in, forward ? plan_.image : plan_.mosaic);
    const Strided<float> to = strided(out, forward ? plan_.mosaic : plan_.image);
    ProgressShare progress(nullptr, 0, 1);  // progress counts whole strips
    runLevel(1, forward, &part, {from, from, to, to}, false, context, progress);
}

}  // namespace parallax::gpu
