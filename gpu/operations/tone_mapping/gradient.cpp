// SPDX-License-Identifier: GPL-3.0-or-later
// tonemap / cuda / multigrid and dct: the gradient operator.
#include <algorithm>

#include "core/operations/tone_mapping/gradient_plan.hpp"
#include "core/solvers/reporting.hpp"
#include "gpu/operations/convolution/planes.hpp"
#include "gpu/operations/tone_mapping/gradient.hpp"
#include "gpu/operations/tone_mapping/tone_mapping.hpp"
#include "gpu/runtime/cuda_check.hpp"
#include "gpu/runtime/device.hpp"
#include "gpu/runtime/memory/device_buffer.hpp"
#include "gpu/runtime/memory/staging_engine.hpp"
#include "gpu/session.hpp"
#include "gpu/solvers/solver.hpp"

namespace parallax::gpu {
namespace {

constexpr ReductionVariant kReduction = ReductionVariant::warp;
constexpr HistogramVariant kHistogram = HistogramVariant::privatised;

SolverProblem solverProblem(const GradientPlan& gradient) {
    return {.shape = gradient.stencil.shape, .channels = 1, .stencil = gradient.stencil, .options = gradient.options};
}

/// The levels without memory.
std::vector<GradientLevel> levelsOf(const GradientPlan& gradient) {
    std::vector<GradientLevel> levels;
    for (const Shape& shape : gradient.levels) {
        const Grid grid = Grid::of(shape, 1);
        levels.push_back({.width = grid.width, .height = grid.height, .pitch = grid.pitch});
    }
    return levels;
}
std::int64_t elementsOf(const std::vector<GradientLevel>& levels) {
    std::int64_t sum = 0;
    for (const GradientLevel& level : levels) sum += level.elements();
    return sum;
}

class GradientExecution final : public Execution {
public:
    GradientExecution(SolverMethod method, const Problem& problem, const CudaSession& session)
        : plan_(planToneMapping(problem)),
          gradient_(planGradient(plan_, problem.shape)),
          setup_(toneSetup(plan_, problem.shape.pixels())),
          pixels_(problem.shape.pixels()),
          multiprocessors_(deviceLimits(session.device()).multiprocessors),
          levels_(levelsOf(gradient_)),
          solver_(method, solverProblem(gradient_), session),
          toneState_(session.allocator(), 1),
          tickets_(session.allocator(), 2),
          parts_(session.allocator(), static_cast<std::size_t>(toneBlocks(pixels_, multiprocessors_))),
          state_(session.allocator(), 1),
          partials_(session.allocator(), kGradientBlocks),
          counts_(session.allocator(), kGradientBins + kHistogramExtraCounts),
          pyramid_(session.allocator(), static_cast<std::size_t>(2 * elementsOf(levels_))),
          reductionMemory_(session.allocator(), reductionWorkspaceBytes(kReduction, pixels_)),
          histogramMemory_(session.allocator(), histogramWorkspaceBytes(kHistogram, pixels_, kGradientBins)) {
        const ToneMappingParameters& p = plan_.parameters;
        numbers_ = {.alpha = p.alpha,
                    .beta = p.beta,
                    .noise = p.noise,
                    .clipWhite = p.clipWhite,
                    .clipBlack = p.clipBlack,
                    .saturation = plan_.grey() ? 1.0F : static_cast<float>(p.saturation),
                    .largestRatio = static_cast<float>(plan_.largestRatio + 1)};
        float* memory = pyramid_.data();
        for (GradientLevel& level : levels_) {
            level.logarithms = memory;
            level.attenuation = memory + level.elements();
            memory += 2 * level.elements();
        }
        const cudaStream_t stream = session.stream();
        check(cudaMemsetAsync(toneState_.data(), 0, sizeof(ToneState), stream), kNotCleared);
        check(cudaMemsetAsync(tickets_.data(), 0, tickets_.size() * sizeof(unsigned), stream), kNotCleared);
        initialiseReduction(kReduction, reductionWorkspace(), stream);
        preloadTonePasses(setup_);
        preloadReduction(kReduction);
        preloadHistogram(kHistogram);
        preloadGradient(setup_);
    }

    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) override {
        const CudaSession& session = cudaSession(context);
        const CurrentDevice current(session.device());
        const cudaStream_t stream = session.stream();
        context.throwIfStopped();
        history_.clear();
        copyChannels(plan_.copied, inputs[0], outputs[0], stream, context);
        const TonePlanes planes = planesOf(inputs[0], outputs[0]);
        const GradientMemory memory = this->memory();
        launchTonePass(TonePass::luminance, planes, setup_, memory.tone, multiprocessors_, false, stream);
        attenuate(planes, memory, stream);
        launchGradientDivergence(levels_[0], solver_.grid(), solver_.rightSide(), stream);
        const std::int64_t rows = planes.height * setup_.channels, before = rows / 4, solved = rows / 2;
        if (context.progress) context.progress->add(before);
        solvers::SolveProgress progress(context, solved);
        solver_.solve(false, context, progress);
        launchGradientPlane(planes, setup_, memory, solver_.grid(), solver_.solution(), stream);
        findRange(memory, stream);
        context.throwIfStopped();
        launchGradientMapping(planes, setup_, numbers_, memory, stream);
        if (context.progress) context.progress->add(rows - before - solved);
    }

    std::vector<Statistic> statistics(RunContext& context) override {
        ToneState state;
        const CudaSession& session = cudaSession(context);
        const CurrentDevice current(session.device());
        check(cudaMemcpyAsync(&state, toneState_.data(), sizeof state, cudaMemcpyDeviceToHost, session.stream()), kNotDownloaded);
        check(cudaStreamSynchronize(session.stream()), kNotDownloaded);
        std::vector<Statistic> all{{"log-average", state.logAverage, {}, {}},
                                   {"largest", state.largest, {}, {}},
                                   {"brighter", 100.0 * static_cast<double>(state.brighter) / static_cast<double>(pixels_), {}, {}}};
        for (Statistic& s : gradientStatistics(history(context))) all.push_back(std::move(s));
        return all;
    }
    std::vector<RunSeries> series(RunContext& context) override { return solvers::seriesOf(history(context)); }
    std::vector<std::string> warnings(RunContext& context) override { return gradientWarnings(history(context), gradient_); }
    /// Known once the statistics of the run are.
    double dataTolerance() const override {
        return history_.empty() ? 0 : gradientDataTolerance(plan_, gradient_, history_.front().trueResidual);
    }

private:
    static constexpr const char* kNotCleared = "The memory of tone mapping could not be cleared";
    static constexpr const char* kNotDownloaded = "Statistics could not be downloaded";

    /// From the image to the attenuations of the finest level.
    void attenuate(const TonePlanes& planes, const GradientMemory& memory, cudaStream_t stream) {
        launchGradientLogarithms(planes, setup_, memory, levels_[0], stream);
        for (std::size_t k = 0; k + 1 < levels_.size(); ++k) launchGradientReduction(levels_[k], levels_[k + 1], stream);
        for (std::size_t k = levels_.size(); k-- > 0;) {
            const int index = static_cast<int>(k);
            launchGradientMagnitudes(levels_[k], index, memory, stream);
            launchGradientAttenuation(levels_[k], index, k + 1 < levels_.size() ? &levels_[k + 1] : nullptr, numbers_, memory, stream);
        }
    }

    /// Order statistics of the plane by counting twice, in kGradientBins bins and in as many parts of the bin that has the value.
    void findRange(const GradientMemory& memory, cudaStream_t stream) {
        launchMinimum(kReduction, memory.plane, pixels_, &memory.state->all.low, reductionWorkspace(), stream);
        launchMaximum(kReduction, memory.plane, pixels_, &memory.state->all.high, reductionWorkspace(), stream);
        launchGradientLimits(memory, stream);
        const auto count = [&](const HistogramLimits* limits) {
            launchHistogram(kHistogram, memory.plane, pixels_, {.bins = kGradientBins, .limits = {}, .deviceLimits = limits}, memory.counts,
                            {histogramMemory_.data(), histogramMemory_.size()}, stream);
        };
        count(&memory.state->all);
        for (int rank = 0; rank < kGradientRanks; ++rank) launchGradientRank(rank, true, numbers_, memory, stream);
        for (int rank = 0; rank < kGradientRanks; ++rank) {
            count(&memory.state->around[rank]);
            launchGradientRank(rank, false, numbers_, memory, stream);
        }
        launchGradientRange(memory, stream);
    }

    Workspace reductionWorkspace() { return {reductionMemory_.data(), reductionMemory_.size()}; }

    GradientMemory memory() {
        return {.tone = {.state = toneState_.data(), .parts = parts_.data(), .ticket = tickets_.data()},
                .state = state_.data(),
                .partials = partials_.data(),
                .ticket = tickets_.data() + 1,
                .plane = levels_[0].logarithms,  // not needed any more when the equation is solved
                .counts = counts_.data()};
    }

    TonePlanes planesOf(const View<const float>& in, const View<float>& out) const {
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

    const std::vector<solvers::SolveHistory>& history(RunContext& context) {
        const CurrentDevice current(cudaSession(context).device());
        if (history_.empty()) history_ = {solver_.history()};
        return history_;
    }

    ToneMappingPlan plan_;
    GradientPlan gradient_;
    ToneSetup setup_;
    GradientNumbers numbers_;
    std::int64_t pixels_;
    int multiprocessors_;
    std::vector<GradientLevel> levels_;
    StencilSolver solver_;
    DeviceBuffer<ToneState> toneState_;
    DeviceBuffer<unsigned> tickets_;
    DeviceBuffer<TonePart> parts_;
    DeviceBuffer<GradientState> state_;
    DeviceBuffer<double> partials_;
    DeviceBuffer<std::uint64_t> counts_;
    DeviceBuffer<float> pyramid_;
    DeviceBuffer<unsigned char> reductionMemory_, histogramMemory_;
    std::vector<solvers::SolveHistory> history_;
};

class GradientToneMapping final : public Implementation {
public:
    explicit GradientToneMapping(SolverMethod method) : method_(method) {}
    std::string operation() const override { return "tonemap"; }
    std::string variant() const override { return info(method_).name; }
    std::string summary() const override {
        return method_ == SolverMethod::dct
                   ? "Gradient operator: one kernel for each pass over a level of the pyramid, the equation by cosine transforms (cuFFT)"
                   : "Gradient operator: one kernel for each pass over a level of the pyramid, the equation by conjugate gradients "
                     "preconditioned by a V-cycle of multigrid";
    }
    Support supports(const Problem& problem) const override {
        const ToneMappingPlan plan = planToneMapping(problem);
        if (const Support support = supportsGradient(plan); !support) return support;
        if (const Support fits = axesFit(problem.shape); !fits) return fits;
        const std::string refusal = solverRefusal(method_, solverProblem(planGradient(plan, problem.shape)));
        return refusal.empty() ? Support{} : Support::no(refusal);
    }
    bool errsLocally(const Problem&) const override { return false; }
    MemoryEstimate estimate(const Problem& problem) const override {
        const GradientPlan gradient = planGradient(planToneMapping(problem), problem.shape);
        const SolverProblem system = solverProblem(gradient);
        const std::int64_t pixels = gradient.pixels();
        int multiprocessors = 1;
        for (int device = 0; device < deviceCount(); ++device)
            multiprocessors = std::max(multiprocessors, deviceLimits(device).multiprocessors);
        const std::uint64_t device =
            estimateSolverBytes(method_, system) + sizeof(ToneState) + 2 * sizeof(unsigned) +
            static_cast<std::uint64_t>(toneBlocks(pixels, multiprocessors)) * sizeof(TonePart) + sizeof(GradientState) +
            kGradientBlocks * sizeof(double) + (kGradientBins + kHistogramExtraCounts) * sizeof(std::uint64_t) +
            2 * static_cast<std::uint64_t>(elementsOf(levelsOf(gradient))) * sizeof(float) + reductionWorkspaceBytes(kReduction, pixels) +
            histogramWorkspaceBytes(kHistogram, pixels, kGradientBins);
        return {.host = stagingBytes() + estimateSolverHostBytes(system) + sizeof(ToneState), .device = device};
    }
    Support recording(const Problem&) const override { return Support::no("The number of iterations is decided during the run"); }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext& context) const override {
        const CudaSession& session = cudaSession(context);
        const CurrentDevice current(session.device());
        return std::make_unique<GradientExecution>(method_, problem, session);
    }

private:
    SolverMethod method_;
};

}  // namespace

std::unique_ptr<Implementation> makeGradientToneMapping(SolverMethod method) { return std::make_unique<GradientToneMapping>(method); }

}  // namespace parallax::gpu
