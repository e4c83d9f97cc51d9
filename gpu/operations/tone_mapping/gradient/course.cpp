// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/operations/tone_mapping/gradient/course.hpp"

#include <algorithm>
#include <utility>

namespace parallax::gpu {
namespace {

constexpr ReductionVariant kReduction = ReductionVariant::warp;
constexpr HistogramVariant kHistogram = HistogramVariant::privatised;
constexpr const char* kNotCleared = "The memory of tone mapping could not be cleared";

/// A device may have no pixels, and its workspaces still have memory.
std::int64_t workspacePixels(std::int64_t pixels) { return std::max<std::int64_t>(pixels, 1); }

}  // namespace

void placeGradientLevels(std::vector<GradientLevel>& levels, float* memory) {
    for (GradientLevel& level : levels) {
        level.logarithms = memory;
        level.attenuation = memory + level.elements();
        memory += 2 * level.elements();
    }
}

GradientCourse::GradientCourse(const Problem& problem, std::int64_t pixels, const CudaSession& session)
    : plan_(planToneMapping(problem)),
      gradient_(planGradient(plan_, problem.shape)),
      setup_(toneSetup(plan_, problem.shape.pixels())),
      pixels_(pixels),
      multiprocessors_(deviceLimits(session.device()).multiprocessors),
      toneState_(session.allocator(), 1),
      tickets_(session.allocator(), 2),
      parts_(session.allocator(), static_cast<std::size_t>(toneBlocks(workspacePixels(pixels), multiprocessors_))),
      state_(session.allocator(), 1),
      partials_(session.allocator(), kGradientBlocks),
      counts_(session.allocator(), kCounts),
      reductionMemory_(session.allocator(), reductionWorkspaceBytes(kReduction, workspacePixels(pixels))),
      histogramMemory_(session.allocator(), histogramWorkspaceBytes(kHistogram, workspacePixels(pixels), kGradientBins)) {
    const ToneMappingParameters& p = plan_.parameters;
    numbers_ = {.alpha = p.alpha,
                .beta = p.beta,
                .noise = p.noise,
                .clipWhite = p.clipWhite,
                .clipBlack = p.clipBlack,
                .saturation = plan_.grey() ? 1.0F : static_cast<float>(p.saturation),
                .largestRatio = static_cast<float>(plan_.largestRatio + 1)};
    const cudaStream_t stream = session.stream();
    check(cudaMemsetAsync(toneState_.data(), 0, sizeof(ToneState), stream), kNotCleared);
    check(cudaMemsetAsync(tickets_.data(), 0, tickets_.size() * sizeof(unsigned), stream), kNotCleared);
    initialiseReduction(kReduction, {reductionMemory_.data(), reductionMemory_.size()}, stream);
    preloadTonePasses(setup_);
    preloadReduction(kReduction);
    preloadHistogram(kHistogram);
    preloadGradient(setup_);
}

std::uint64_t GradientCourse::estimateBytes(std::int64_t pixels) {
    int multiprocessors = 1;
    for (int device = 0; device < deviceCount(); ++device)
        multiprocessors = std::max(multiprocessors, deviceLimits(device).multiprocessors);
    pixels = workspacePixels(pixels);
    return sizeof(ToneState) + 2 * sizeof(unsigned) + static_cast<std::uint64_t>(toneBlocks(pixels, multiprocessors)) * sizeof(TonePart) +
           sizeof(GradientState) + kGradientBlocks * sizeof(double) + kCounts * sizeof(std::uint64_t) +
           reductionWorkspaceBytes(kReduction, pixels) + histogramWorkspaceBytes(kHistogram, pixels, kGradientBins);
}

std::vector<Statistic> GradientCourse::statistics(RunContext& context) {
    ToneState state;
    const CudaSession& session = cudaSession(context);
    const CurrentDevice current(session.device());
    check(cudaMemcpyAsync(&state, toneState_.data(), sizeof state, cudaMemcpyDeviceToHost, session.stream()), kNotDownloaded);
    check(cudaStreamSynchronize(session.stream()), kNotDownloaded);
    const auto brighter = static_cast<double>(brighter_.value_or(state.brighter));
    std::vector<Statistic> all{{"log-average", state.logAverage, {}, {}},
                               {"largest", state.largest, {}, {}},
                               {"brighter", 100 * brighter / static_cast<double>(setup_.pixels), {}, {}}};
    for (Statistic& s : gradientStatistics(history(context))) all.push_back(std::move(s));
    return all;
}

const std::vector<solvers::SolveHistory>& GradientCourse::history(RunContext& context) {
    const CurrentDevice current(cudaSession(context).device());
    if (history_.empty()) history_ = {courseOfLastSolve()};
    return history_;
}

GradientMemory GradientCourse::memory(const GradientLevel& finest) {
    return {.tone = {.state = toneState_.data(), .parts = parts_.data(), .ticket = tickets_.data()},
            .state = state_.data(),
            .partials = partials_.data(),
            .ticket = tickets_.data() + 1,
            .plane = finest.logarithms,
            .counts = counts_.data()};
}

TonePlanes GradientCourse::planesOf(const View<const float>& in, const View<float>& out) const {
    TonePlanes p;
    p.width = in.shape.width;
    p.height = in.shape.height;
    p.inRowStride = in.rowStride;
    p.outRowStride = out.rowStride;
    for (int i = 0; i < setup_.channels; ++i) {
        p.in[i] = in.row(0, 0, plan_.colour[static_cast<std::size_t>(i)]);
        p.out[i] = out.row(0, 0, plan_.colour[static_cast<std::size_t>(i)]);
    }
    return p;
}

void GradientCourse::findLimits(const GradientMemory& memory, cudaStream_t stream) {
    if (pixels_ == 0) return;
    const Workspace workspace{reductionMemory_.data(), reductionMemory_.size()};
    launchMinimum(kReduction, memory.plane, pixels_, &memory.state->all.low, workspace, stream);
    launchMaximum(kReduction, memory.plane, pixels_, &memory.state->all.high, workspace, stream);
}

void GradientCourse::count(const HistogramLimits& limits, const GradientMemory& memory, cudaStream_t stream) {
    if (pixels_ == 0) {
        check(cudaMemsetAsync(memory.counts, 0, kCounts * sizeof(std::uint64_t), stream), kNotCleared);
        return;
    }
    launchHistogram(kHistogram, memory.plane, pixels_, {.bins = kGradientBins, .limits = {}, .deviceLimits = &limits}, memory.counts,
                    {histogramMemory_.data(), histogramMemory_.size()}, stream);
}

}  // namespace parallax::gpu
