// SPDX-License-Identifier: GPL-3.0-or-later
// tonemap / cuda / multigrid and dct: the gradient operator.
#include "gpu/operations/tone_mapping/gradient/part.hpp"
#include "gpu/operations/tone_mapping/tone_mapping.hpp"
#include "gpu/runtime/memory/staging_engine.hpp"

namespace parallax::gpu {
namespace {

std::int64_t elementsOf(const std::vector<GradientLevel>& levels) {
    std::int64_t sum = 0;
    for (const GradientLevel& level : levels) sum += level.elements();
    return sum;
}

std::vector<GradientLevel> levelsOf(const GradientPlan& gradient) {
    std::vector<GradientLevel> levels;
    for (const Shape& shape : gradient.levels) levels.push_back(gradientLevel(shape));
    return levels;
}

/// On one device.
class GradientExecution final : public GradientCourse {
public:
    GradientExecution(SolverMethod method, const Problem& problem, const CudaSession& session)
        : GradientCourse(problem, problem.shape.pixels(), session),
          levels_(levelsOf(gradient())),
          solver_(method, solverProblem(gradient()), session),
          pyramid_(session.allocator(), static_cast<std::size_t>(2 * elementsOf(levels_))) {
        placeGradientLevels(levels_, pyramid_.data());
    }

    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) override {
        const CudaSession& session = cudaSession(context);
        const CurrentDevice current(session.device());
        const cudaStream_t stream = session.stream();
        context.throwIfStopped();
        beginRun();
        copyChannels(plan().copied, inputs[0], outputs[0], stream, context);
        const TonePlanes planes = planesOf(inputs[0], outputs[0]);
        const GradientMemory memory = this->memory(levels_[0]);
        launchTonePass(TonePass::luminance, planes, setup(), memory.tone, multiprocessors(), false, stream);
        attenuate(planes, memory, stream);
        launchGradientDivergence(levels_[0], 0, solver_.grid(), solver_.rightSide(), stream);
        const std::int64_t rows = planes.height * setup().channels, before = rows / 4, solved = rows / 2;
        if (context.progress) context.progress->add(before);
        solvers::SolveProgress progress(context, solved);
        solver_.solve(false, context, progress);
        launchGradientPlane(planes, setup(), memory, solver_.grid(), solver_.solution(), stream);
        findRange(
            memory, stream, [] {}, [] {});
        context.throwIfStopped();
        launchGradientMapping(planes, setup(), numbers(), memory, stream);
        if (context.progress) context.progress->add(rows - before - solved);
    }

private:
    /// From the image to the attenuations of the finest level.
    void attenuate(const TonePlanes& planes, const GradientMemory& memory, cudaStream_t stream) {
        launchGradientLogarithms(planes, setup(), memory, levels_[0], stream);
        for (std::size_t k = 0; k + 1 < levels_.size(); ++k) launchGradientReduction(levels_[k], levels_[k + 1], stream);
        for (std::size_t k = levels_.size(); k-- > 0;) {
            const int index = static_cast<int>(k);
            launchGradientMagnitudes(levels_[k], index, wholeGradientLevel(levels_[k]), memory, stream);
            launchGradientAttenuation(levels_[k], index, k + 1 < levels_.size() ? &levels_[k + 1] : nullptr, numbers(), memory, stream);
        }
    }
    solvers::SolveHistory courseOfLastSolve() override { return solver_.history(); }

    std::vector<GradientLevel> levels_;
    StencilSolver solver_;
    DeviceBuffer<float> pyramid_;
};

class GradientToneMapping final : public Implementation, public PreparesParts {
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
        const std::uint64_t device = estimateSolverBytes(method_, system) + GradientCourse::estimateBytes(pixels) +
                                     2 * static_cast<std::uint64_t>(elementsOf(levelsOf(gradient))) * sizeof(float);
        return {.host = stagingBytes() + estimateSolverHostBytes(system) + sizeof(ToneState), .device = device};
    }
    StripSupport strips(const Problem&) const override { return StripSupport::no("The equation couples all pixels"); }
    Distribution distribution(const Problem& problem) const override {
        const std::string refusal = groupRefusal(method_, solverProblem(planGradient(planToneMapping(problem), problem.shape)));
        if (!refusal.empty()) return {.halo = StripSupport::no(refusal)};
        return {.halo = StripSupport::withoutHalo(), .phases = true, .sameBits = false};
    }
    Support recording(const Problem&) const override { return Support::no("The number of iterations is decided during the run"); }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext& context) const override {
        const CudaSession& session = cudaSession(context);
        const CurrentDevice current(session.device());
        return std::make_unique<GradientExecution>(method_, problem, session);
    }
    std::unique_ptr<Execution> preparePart(const Problem& problem, RunContext& context) const override {
        const CudaSession& session = cudaSession(context);
        const CurrentDevice current(session.device());
        return std::make_unique<GradientPart>(method_, problem, session);
    }
    std::optional<std::uint64_t> deviceBytes(const Problem& problem, int parts) const override {
        return GradientPart::estimateBytes(method_, problem, parts);
    }

private:
    SolverMethod method_;
};

}  // namespace

std::unique_ptr<Implementation> makeGradientToneMapping(SolverMethod method) { return std::make_unique<GradientToneMapping>(method); }

}  // namespace parallax::gpu
