// SPDX-License-Identifier: GPL-3.0-or-later
// Estimates of device memory against the allocations of executions.
#include "core/engine/backend/catalog.hpp"
#include "core/engine/operation/capabilities.hpp"
#include "core/image/synthetic.hpp"
#include "gpu/backend.hpp"
#include "gpu/runtime/memory/memory_pool.hpp"
#include "tests/gpu/device_arrays.hpp"

namespace parallax::gpu {
namespace {

/// An estimate is at least what an execution allocates and at most kFactor times as much, apart from the granules of the pool
/// and tables of fixed size.
TEST(MemoryEstimate, MatchesTheAllocationsOfExecutions) {
    PARALLAX_NEEDS_DEVICE();
    constexpr std::uint64_t kGranules = std::uint64_t{192} << 10;
    constexpr std::uint64_t kFactor = 2;
    CudaSession session(0);
    MemoryPool& pool = MemoryPool::of(0);
    RunContext context;
    context.session = &session;
    int checked = 0;
    for (const auto& implementation : makeImplementations())
        for (const Shape& shape : {Shape{1, 1, 1, 1}, Shape{37, 23, 1, 3}, Shape{900, 700, 1, 3}, Shape{70, 60, 50, 1}}) {
            const Operation& operation = processCatalog().operation(implementation->operation());
            for (const SampleProblem& p : operation.sampleProblems()) {
                Image image = makeSynthetic({.kind = SyntheticKind::noise, .shape = shape});
                if (const auto* maker = dynamic_cast<const MakesSampleInput*>(&operation))
                    image = maker->sampleInput(p.parameters, std::move(image));
                const Problem problem = makeProblem(image, p.parameters);
                try {
                    operation.check(problem);
                } catch (const Error&) {
                    continue;
                }
                if (!implementation->supports(problem)) continue;
                SCOPED_TRACE(implementation->operation() + " / " + implementation->variant() + ", " + p.name + ", " +
                             std::to_string(shape.width) + " x " + std::to_string(shape.height) + " x " + std::to_string(shape.depth));
                const std::uint64_t estimate = implementation->estimate(problem).device;
                check(cudaStreamSynchronize(session.stream()), "synchronise");
                pool.trim();
                const std::uint64_t before = pool.usedBytes();
                const auto execution = implementation->prepare(problem, context);
                const std::uint64_t taken = pool.usedBytes() - before;
                EXPECT_LE(taken, estimate + estimate / 64 + kGranules);
                EXPECT_LE(estimate, kFactor * taken + kGranules) << "the estimate would refuse runs that are possible";
                ++checked;
            }
        }
    EXPECT_GT(checked, 100);
}

}  // namespace
}  // namespace parallax::gpu
