// SPDX-License-Identifier: GPL-3.0-or-later
// tonemap / openmp / scalar: the plain loops in float, distributed to threads. With one thread the serial baseline.
#include "core/backends/openmp/parallel.hpp"
#include "core/operations/tone_mapping/gradient_plain_passes.hpp"
#include "core/operations/tone_mapping/openmp/implementations.hpp"
#include "core/operations/tone_mapping/scalar_passes.hpp"
#include "core/solvers/openmp/methods.hpp"

namespace parallax {
namespace {

class ScalarExecution final : public ScalarToneMapping<float> {
public:
    using ScalarToneMapping<float>::ScalarToneMapping;

protected:
    void forEach(RunContext& context, std::int64_t tasks, const Body& body) override {
        parallelTasks(context, tasks, workers(context), body);
    }
    int workers(const RunContext& context) const override { return effectiveThreads(context); }
};

class OpenmpScalarToneMapping final : public Implementation, public PreparesParts {
public:
    std::string operation() const override { return "tonemap"; }
    std::string variant() const override { return "scalar"; }
    std::string summary() const override {
        return "Plain loops in float, a pixel at a time, with the logarithms and powers of the standard library; threads over blocks of "
               "rows; the equation of the gradient operator by multigrid";
    }
    Support supports(const Problem&) const override { return {}; }
    MemoryEstimate estimate(const Problem& problem) const override {
        const ToneMappingPlan plan = planToneMapping(problem);
        if (plan.parameters.op == ToneOperator::gradient) {
            const GradientPlan gradient = planGradient(plan, problem.shape);
            return {.host = PlainGradientToneMapping<float>::bytes(gradient) + PlainGradientToneMapping<float>::orderBytes(gradient) +
                            solvers::openmpMultigrid().bytes(gradient.stencil.shape, 1, false),
                    .device = 0};
        }
        const std::int64_t bands = divideUp(problem.shape.height, ScalarToneMapping<float>::kBandRows);
        const int workers = effectiveThreads({});
        return {.host = static_cast<std::uint64_t>(std::min<std::int64_t>(workers, bands)) *
                            ScalarToneMapping<float>::bandBytes(plan, problem.shape) +
                        HostToneMapping::bytes(plan, problem.shape, workers),
                .device = 0};
    }
    Distribution distribution(const Problem& problem) const override { return HostToneMapping::distribution(problem); }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext&) const override {
        ToneMappingPlan plan = planToneMapping(problem);
        if (plan.parameters.op != ToneOperator::gradient) return std::make_unique<ScalarExecution>(std::move(plan));
        auto execution = makeGradient(problem);
        execution->makeArrays();
        return execution;
    }
    std::unique_ptr<Execution> preparePart(const Problem& problem, RunContext& context) const override {
        if (planToneMapping(problem).parameters.op == ToneOperator::gradient) return makeGradient(problem);
        return prepare(problem, context);
    }

private:
    static std::unique_ptr<PlainGradientToneMapping<float>> makeGradient(const Problem& problem) {
        return std::make_unique<PlainGradientToneMapping<float>>(problem, solvers::openmpMultigrid().make());
    }
};

}  // namespace

std::unique_ptr<Implementation> makeOpenmpScalarToneMapping() { return std::make_unique<OpenmpScalarToneMapping>(); }

}  // namespace parallax
