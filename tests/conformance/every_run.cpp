// SPDX-License-Identifier: GPL-3.0-or-later
// How every implementation of every operation in the catalog runs: which memory it reads, writes and takes, again and side by side,
// progress, laps, and stopping.
#include <algorithm>
#include <bit>
#include <cstring>
#include <iostream>
#include <thread>

#include "core/engine/backend/upper_bound.hpp"
#include "tests/conformance/allocations.hpp"
#include "tests/conformance/every_operation.hpp"

namespace parallax::conformance {
namespace {

constexpr std::uint32_t kPoison = 0x7fa1b2c3;  // a NaN that no arithmetic makes
float poison() { return std::bit_cast<float>(kPoison); }
bool isPoison(float f) { return std::bit_cast<std::uint32_t>(f) == kPoison; }

/// Samples between guards, with gaps after rows, slices and channels, and not aligned.
struct Padded {
    std::vector<float> memory;
    View<float> view;
    explicit Padded(const Shape& s) {
        view.shape = s;
        view.rowStride = s.width + 3;
        view.sliceStride = view.rowStride * s.height + 5;
        view.channelStride = view.sliceStride * s.depth + 7;
        memory.assign(static_cast<std::size_t>(view.channelStride * s.channels + 2000), poison());
        view.data = memory.data() + 1001;
    }
    void copyFrom(View<const float> v) {
        forEach([&](std::int64_t x, std::int64_t y, std::int64_t z, std::int64_t c) { view.at(x, y, z, c) = v.at(x, y, z, c); });
    }
    template <class F>
    void forEach(F&& f) const {
        for (std::int64_t c = 0; c < view.shape.channels; ++c)
            for (std::int64_t z = 0; z < view.shape.depth; ++z)
                for (std::int64_t y = 0; y < view.shape.height; ++y)
                    for (std::int64_t x = 0; x < view.shape.width; ++x) f(x, y, z, c);
    }
    std::int64_t poisoned() const {
        std::int64_t n = 0;
        for (const float f : memory) n += isPoison(f);
        return n;
    }
};

TEST_P(Conformance, WritesEverySampleAndNothingElse) {
    std::int64_t ran = 0;
    for (const Shape& shape :
         {Shape{1, 1, 1, 1}, Shape{37, 11, 1, 1}, Shape{64, 8, 1, 3}, Shape{530, 19, 1, 2}, Shape{21, 6, 4, 1}, Shape{129, 65, 1, 4}})
        for (const SampleProblem& p : problems()) {
            const Picture picture{.shape = shape, .content = Content::hdr, .seed = 12};
            const Step step = makeStep(GetParam().operation, p.parameters);
            const ImagePtr image = picture.makeFor(step);
            const Problem problem = makeProblem(*image, p.parameters);
            const Implementation& implementation = GetParam().implementation();
            if (!accepted(problem)) continue;
            const Image& expected = referenceResult(step, picture);
            const Tolerance tolerance = operation().tolerance(problem);
            RunContext context;
            const auto session = backend().open(context);
            context.session = session.get();
            const auto execution = implementation.prepare(problem, context);
            Padded out(expected.shape());
            if (isHostAccessible(session->memorySpace())) {
                Padded in(image->shape());
                in.copyFrom(image->view());
                const std::vector<float> before = in.memory;
                const View<const float> ins[] = {in.view};
                const View<float> outs[] = {out.view};
                for (int repeat = 0; repeat < 2; ++repeat) execution->run(ins, outs, context);
                EXPECT_EQ(std::memcmp(before.data(), in.memory.data(), before.size() * sizeof(float)), 0) << "the input was changed";
                EXPECT_EQ(out.poisoned(), static_cast<std::int64_t>(out.memory.size()) - out.view.shape.samples())
                    << "samples not written, or memory around them written: " << p.name << " on " << picture.text();
            } else {
                Buffer deviceIn = session->allocate(image->shape()), deviceOut = session->allocate(expected.shape());
                Buffer host(expected.shape());
                std::fill_n(host.view<float>().data, host.shape().samples(), poison());
                session->upload(image->view(), deviceIn.view<float>());
                session->upload(std::as_const(host).view<float>(), deviceOut.view<float>());
                const View<const float> ins[] = {std::as_const(deviceIn).view<float>()};
                const View<float> outs[] = {deviceOut.view<float>()};
                for (int repeat = 0; repeat < 2; ++repeat) execution->run(ins, outs, context);
                session->drain();
                session->download(deviceOut.view<float>(), host.view<float>());
                session->drain();
                out.copyFrom(std::as_const(host).view<float>());
            }
            std::int64_t missing = 0;
            out.forEach(
                [&](std::int64_t x, std::int64_t y, std::int64_t z, std::int64_t c) { missing += isPoison(out.view.at(x, y, z, c)); });
            EXPECT_EQ(missing, 0) << "samples not written: " << p.name << " on " << picture.text();
            const double allowed = tolerance.absolute + execution->dataTolerance();
            const DifferenceMetrics d = compareViews(expected.view(), out.view, {.tolerance = allowed});
            EXPECT_TRUE(d.within(allowed, tolerance.ambiguous)) << d.maxAbs << ", " << p.name << " on " << picture.text();
            ++ran;
        }
    if (ran == 0) firstCase({.shape = {21, 6, 4, 1}, .seed = 12});
}

TEST_P(Conformance, CanRunAgainAndSideBySide) {
    const auto first = firstCase({.shape = {300, 111, 1, 2}, .content = Content::hdr, .seed = 21});
    if (!first) return;
    const Step step = makeStep(GetParam().operation, first->problem.parameters);
    const ImagePtr image = first->picture.makeFor(step);
    const Image& expected = referenceResult(step, first->picture);
    Pipeline pipeline;
    pipeline.steps.push_back(step);
    const auto work = [&](std::string& error) {
        try {
            RunContext context;
            PreparedRun run = Engine(processCatalog()).prepare(pipeline, image, GetParam().target(), context);
            for (int i = 0; i < 5; ++i) {
                run.run(context);
                const Tolerance t = run.tolerance();
                if (!compareViews(expected.view(), run.output(), {.tolerance = t.absolute}).within(t.absolute, t.ambiguous))
                    error = "a repeated run disagrees";
            }
        } catch (const std::exception& e) {
            error = e.what();
        }
    };
    std::string here, besides;
    {
        std::jthread other([&] { work(besides); });
        work(here);
    }
    EXPECT_EQ(here, "");
    EXPECT_EQ(besides, "");
}

TEST_P(Conformance, ReportsProgress) {
    const Picture picture{.shape = {90, 77, 1, 3}, .content = Content::hdr, .seed = 22};
    std::int64_t ran = 0;
    for (const SampleProblem& p : problems()) {
        Pipeline pipeline;
        pipeline.steps.push_back(makeStep(GetParam().operation, p.parameters));
        const ImagePtr image = picture.makeFor(pipeline.steps.front());
        if (!accepted(makeProblem(*image, p.parameters))) continue;
        RunContext context;
        Progress progress;
        context.progress = &progress;
        Engine(processCatalog()).run(pipeline, image, GetParam().target(), context);
        EXPECT_DOUBLE_EQ(progress.fraction(), 1.0) << p.name;
        ++ran;
    }
    if (ran == 0) firstCase(picture);
}

/// Parts of the compute stage have known keys, do not overlap and cost no time that shows.
TEST_P(Conformance, LapsFitIntoTheComputeStage) {
    const std::vector<RunLapInfo> infos = lapsOf(operation());
    if (infos.empty()) GTEST_SKIP() << "it has no laps";
    const auto first = firstCase({.shape = {150, 111, 1, 1}, .content = Content::hdr, .seed = 26});
    if (!first) return;
    const Step step = makeStep(GetParam().operation, first->problem.parameters);
    RunContext context;
    PreparedRun run =
        Engine(processCatalog()).prepare(Pipeline{.steps = {step}}, first->picture.makeFor(step), GetParam().target(), context);
    EXPECT_TRUE(run.laps(context).empty()) << "before a run";
    for (int i = 0; i < 2; ++i) {
        const std::int64_t compute = run.run(context).compute();
        const LapsRecord laps = run.laps(context);
        if (laps.empty()) GTEST_SKIP() << "it does not measure them";
        EXPECT_EQ(laps.compute, compute);
        std::int64_t sum = 0;
        for (const LapRecord& lap : laps.laps) {
            EXPECT_GT(lap.count, 0) << lap.key;
            EXPECT_GE(lap.nanoseconds, 0) << lap.key;
            sum += lap.nanoseconds;
        }
        EXPECT_LE(sum, compute);
        EXPECT_GT(sum, 0);
    }
}

/// A run allocates at most its estimate, and the estimate is at most kFactor times the allocations, so that it refuses no run that is
/// possible. Objects of executions, and the rounding of blocks to pages, come on top.
TEST_P(Conformance, AllocatesWhatItEstimates) {
    if (kSanitized) GTEST_SKIP() << "sanitizers replace malloc()";
    constexpr std::uint64_t kFactor = 2, kHugePage = std::uint64_t{2} << 20;
    const std::uint64_t pages = (64 << 10) + static_cast<std::uint64_t>(effectiveThreads({})) * (16 << 10);
    std::int64_t ran = 0;
    for (const Shape& shape : {Shape{1, 1, 1, 1}, Shape{37, 23, 1, 1}, Shape{640, 480, 1, 3}, Shape{2100, 1900, 1, 1}, Shape{13, 11, 9, 1},
                               Shape{170, 150, 140, 1}})
        for (const SampleProblem& p : problems()) {
            if (isIterative(p.parameters) && shape.samples() > 1000000) continue;  // minutes without a preconditioner
            const Picture picture{.shape = shape, .content = Content::hdr, .seed = 41};
            const ImagePtr image = picture.makeFor(makeStep(GetParam().operation, p.parameters));
            const Problem problem = makeProblem(*image, p.parameters);
            if (!accepted(problem)) continue;
            RunContext context;
            const auto session = backend().open(context);
            if (!isHostAccessible(session->memorySpace())) GTEST_SKIP() << "the memory of a device is not that of the process";
            context.session = session.get();
            Buffer out(operation().outputShape(problem));
            const View<const float> ins[] = {image->view()};
            const View<float> outs[] = {out.view<float>()};
            const auto run = [&] { GetParam().implementation().prepare(problem, context)->run(ins, outs, context); };
            run();  // threads and tables that stay
            const AllocationCount count;
            run();
            const std::uint64_t taken = count.peak(), estimate = GetParam().implementation().estimate(problem).host;
            SCOPED_TRACE(p.name + " on " + picture.text());
            if (std::getenv("PARALLAX_PRINT_ESTIMATES"))
                std::cout << GetParam() << ", " << p.name << " on " << picture.text() << ": " << taken << " of " << estimate << '\n';
            EXPECT_LE(taken, estimate + pages + (estimate >= 2 * kHugePage ? kHugePage : 0));
            if (!dynamic_cast<const EstimatesUpperBound*>(&GetParam().implementation())) {
                EXPECT_LE(estimate, kFactor * taken + pages) << "the estimate would refuse runs that are possible";
            }
            ++ran;
        }
    if (ran == 0) firstCase({.shape = {21, 6, 4, 1}, .seed = 12});
}

TEST_P(Conformance, StopsWhenAskedAndRunsAfterwards) {
    const auto first = firstCase({.shape = {200, 100, 1, 2}, .content = Content::hdr, .seed = 23});
    if (!first) return;
    const Picture& picture = first->picture;
    const Step step = makeStep(GetParam().operation, first->problem.parameters);
    const ImagePtr image = picture.makeFor(step);
    Pipeline pipeline;
    pipeline.steps.push_back(step);
    RunContext context;
    PreparedRun run = Engine(processCatalog()).prepare(pipeline, image, GetParam().target(), context);
    std::stop_source stop;
    stop.request_stop();
    RunContext stopped;
    stopped.stop = stop.get_token();
    try {
        run.run(stopped);
        ADD_FAILURE() << "it ran although it was stopped";
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ErrorCode::cancelled) << e.what();
    }
    EXPECT_EQ(run.output().data, nullptr) << "a cancelled run has no result";
    run.run(context);
    const Tolerance tolerance = run.tolerance();
    EXPECT_TRUE(compareViews(referenceResult(step, picture).view(), run.output(), {.tolerance = tolerance.absolute})
                    .within(tolerance.absolute, tolerance.ambiguous));

    // Without the engine in front: the execution looks at the token itself.
    RunContext direct = stopped;
    const auto session = backend().open(direct);
    direct.session = session.get();
    if (!isHostAccessible(session->memorySpace())) return;
    const auto execution = GetParam().implementation().prepare(makeProblem(*image, step.parameters), direct);
    Buffer out(operation().outputShape(makeProblem(*image, step.parameters)));
    const View<const float> ins[] = {image->view()};
    const View<float> outs[] = {out.view<float>()};
    try {
        execution->run(ins, outs, direct);
        ADD_FAILURE() << "the execution ran although it was stopped";
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ErrorCode::cancelled) << e.what();
    }
}

}  // namespace
}  // namespace parallax::conformance
