// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/tone_mapping/reference.hpp"

#include "core/operations/tone_mapping/gradient_reference.hpp"
#include "core/operations/tone_mapping/scalar_passes.hpp"

namespace parallax {
namespace {

class ReferenceExecution final : public ScalarToneMapping<double> {
public:
    using ScalarToneMapping<double>::ScalarToneMapping;

protected:
    void forEach(RunContext& context, std::int64_t tasks, const Body& body) override {
        for (std::int64_t task = 0; task < tasks; ++task) {
            context.throwIfStopped();
            body(task, 0);
        }
    }
};

class ReferenceToneMapping final : public Implementation, public PreparesParts {
public:
    std::string operation() const override { return "tonemap"; }
    std::string variant() const override { return "serial"; }
    std::string summary() const override { return "Plain serial loops in double: the oracle, not a baseline for speed"; }
    Support supports(const Problem&) const override { return {}; }
    MemoryEstimate estimate(const Problem& problem) const override {
        const ToneMappingPlan plan = planToneMapping(problem);
        if (plan.parameters.op == ToneOperator::gradient) return {.host = referenceGradientBytes(plan, problem.shape), .device = 0};
        return {.host = ScalarToneMapping<double>::bandBytes(plan, problem.shape) + HostToneMapping::bytes(plan, problem.shape, 1),
                .device = 0};
    }
    Distribution distribution(const Problem& problem) const override { return HostToneMapping::distribution(problem); }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext&) const override {
        ToneMappingPlan plan = planToneMapping(problem);
        if (plan.parameters.op == ToneOperator::gradient) return makeReferenceGradient(problem, false);
        return std::make_unique<ReferenceExecution>(std::move(plan));
    }
    std::unique_ptr<Execution> preparePart(const Problem& problem, RunContext& context) const override {
        if (planToneMapping(problem).parameters.op == ToneOperator::gradient) return makeReferenceGradient(problem, true);
        return prepare(problem, context);
    }
};

}  // namespace

std::unique_ptr<Implementation> makeReferenceToneMapping() { return std::make_unique<ReferenceToneMapping>(); }

}  // namespace parallax
