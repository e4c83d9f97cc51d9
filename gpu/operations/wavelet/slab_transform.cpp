// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/operations/wavelet/slab_transform.hpp"

#include <utility>

namespace parallax::gpu {
namespace {

void copyOnDevice(float* to, const float* from, std::int64_t samples, cudaStream_t stream) {
    launchCopy({to, 0, 0}, {from, 0, 0}, {.width = samples}, stream);
}

void clearOnDevice(float* to, std::int64_t samples, cudaStream_t stream) {
    check(cudaMemsetAsync(to, 0, static_cast<std::size_t>(samples) * sizeof(float), stream),
          "Gaps between wavelet coefficients could not be cleared");
}

/// The front of a strip's slot is reserved for slices that are copied from the previous slab.
float* frontOf(const float* slot) { return const_cast<float*>(slot); }

}  // namespace

SlabTransform::SlabTransform(SlabPlan plan, WaveletVariant variant, const CudaSession& session)
    : plan_(std::move(plan)), session_(session) {
    preloadCopy();
    const auto make = [&](const WaveletPlan& part) {
        return std::make_unique<DeviceTransform>(part, variant, session, plan_.forward, !plan_.forward);
    };
    if (plan_.levels.empty()) {
        for (const SlabStep& step : plan_.steps)
            if (auto& transform = planes_[step.end - step.first]; !transform) transform = make(plan_.planesPlan(step.end - step.first));
        return;
    }
    for (int level = 1; level <= plan_.slabLevels(); ++level) {
        levels_.push_back(make(plan_.levelPlan(level)));
        levels_.back()->chooseAsFor(plan_.wavelet, level - 1);
    }
    if (plan_.allInSlabs()) return;
    const WaveletPlan coarser = plan_.coarserPlan();
    coarser_ = make(coarser);
    coarser_->chooseAsFor(plan_.wavelet, plan_.slabLevels());
    approximation_ = DeviceBuffer<float>(session.allocator(), static_cast<std::size_t>(coarser.image.pixels()));
    coefficients_ = DeviceBuffer<float>(session.allocator(), static_cast<std::size_t>(coarser.mosaic.pixels()));
}

void SlabTransform::runStrip(const Strip& strip, const View<const float>& in, const View<float>& out, RunContext& context) {
    const SlabStep& step = plan_.steps[static_cast<std::size_t>(strip.plane)];
    const CurrentDevice current(session_.device());
    const float* const before = before_[(strip.plane + 1) % 2];
    before_[strip.plane % 2] = in.data;
    switch (step.kind) {
        case SlabStep::Kind::planes: return runPlanes(step, in.data, out.data, context);
        case SlabStep::Kind::slab:
            return plan_.forward ? runForwardSlab(step, in.data, out.data, before, context)
                                 : runInverseSlab(step, in.data, out.data, before, context);
        case SlabStep::Kind::gap: return clearOnDevice(out.data, out.shape.samples(), session_.stream());
        case SlabStep::Kind::coarserLevels: return runCoarserLevels(step, in.data, out.data, context);
    }
}

void SlabTransform::runPlanes(const SlabStep& step, const float* in, float* out, const RunContext& context) {
    const std::int64_t planes = step.end - step.first;
    const WaveletPlan plan = plan_.planesPlan(planes);
    ProgressShare progress(nullptr, 0, 1);  // progress counts whole strips
    if (plan_.forward) planes_.at(planes)->forward(denseView(in, plan.image), denseView(out, plan.mosaic), context, progress);
    else planes_.at(planes)->inverse(denseView(in, plan.mosaic), denseView(out, plan.image), context, progress);
}

void SlabTransform::runForwardSlab(const SlabStep& step, const float* in, float* out, const float* before, const RunContext& context) {
    const SlabLevel& l = plan_.level(step.level);
    const LevelSlab& s = l.slabs[step.index];
    const std::int64_t fine = l.fineSlice(), coarse = l.coarseSlice(), made = s.skip + s.results();
    const cudaStream_t stream = session_.stream();
    if (s.carried > 0) copyOnDevice(frontOf(in), before + (s.from - l.slabs[step.index - 1].from) * fine, s.carried * fine, stream);
    if (step.level < plan_.wavelet.levels) clearOnDevice(out, 2 * made * coarse, stream);
    levels_[static_cast<std::size_t>(step.level) - 1]->runPart(
        true, {.samples = static_cast<int>(s.reads()), .count = static_cast<int>(made), .detail = static_cast<int>(made)}, in, out,
        context);
    if (coarser_ && step.level == plan_.slabLevels())
        copyCorner(step.level, out + s.skip * coarse,
                   approximation_.data() + s.first * plan_.count(0, step.level) * plan_.count(1, step.level), s.results(), true);
}

void SlabTransform::runInverseSlab(const SlabStep& step, const float* in, float* out, const float* before, const RunContext& context) {
    const SlabLevel& l = plan_.level(step.level);
    const LevelSlab& s = l.slabs[step.index];
    const std::int64_t coarse = l.coarseSlice(), reads = s.reads();
    const WaveletPlan& wavelet = plan_.wavelet;
    if (s.carried > 0) {
        const LevelSlab& last = l.slabs[step.index - 1];
        const std::int64_t skipped = s.from - last.from;
        copyOnDevice(frontOf(in), before + skipped * coarse, s.carried * coarse, session_.stream());
        copyOnDevice(frontOf(in) + reads * coarse, before + (last.reads() + skipped) * coarse, s.carried * coarse, session_.stream());
    }
    if (coarser_ && step.level == plan_.slabLevels())
        forRepeatedRuns(s.from + s.carried, s.to, plan_.count(2, step.level), wavelet.mode, false,
                        [&](std::int64_t first, std::int64_t at, std::int64_t slices) {
                            copyCorner(step.level, frontOf(in) + (s.carried + at) * coarse,
                                       approximation_.data() + first * plan_.count(0, step.level) * plan_.count(1, step.level), slices,
                                       false);
                        });
    const std::int64_t samples = inverseSamples(s, plan_.count(2, step.level - 1), wavelet.taps(), wavelet.mode);
    levels_[static_cast<std::size_t>(step.level) - 1]->runPart(
        false, {.samples = static_cast<int>(samples), .count = static_cast<int>(reads), .detail = static_cast<int>(reads)}, in, out,
        context);
}

void SlabTransform::runCoarserLevels(const SlabStep& step, const float* in, float* out, const RunContext& context) {
    const WaveletPlan plan = plan_.coarserPlan();
    const std::int64_t slice = plan.mosaic.width * plan.mosaic.height, count = (step.end - step.first) * slice;
    float* const place = coefficients_.data() + step.first * slice;
    const View<float> image = denseView(approximation_.data(), plan.image), mosaic = denseView(coefficients_.data(), plan.mosaic);
    ProgressShare progress(nullptr, 0, 1);
    if (plan_.forward) {
        if (step.computes) coarser_->forward(image, mosaic, context, progress);
        copyOnDevice(out, place, count, session_.stream());
    } else {
        copyOnDevice(place, in, count, session_.stream());
        if (step.computes) coarser_->inverse(mosaic, image, context, progress);
    }
}

void SlabTransform::copyCorner(int level, float* slices, float* approximation, std::int64_t count, bool fromSlices) const {
    const SlabLevel& l = plan_.level(level);
    const std::int64_t width = plan_.count(0, level), height = plan_.count(1, level);
    const Strided<float> mosaic{slices, l.across, l.coarseSlice()}, dense{approximation, width, width * height};
    const Strided<float>&to = fromSlices ? dense : mosaic, &from = fromSlices ? mosaic : dense;
    launchCopy(to, readOnly(from), {width, height, count}, session_.stream());
}

}  // namespace parallax::gpu
