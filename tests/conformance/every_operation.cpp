// SPDX-License-Identifier: GPL-3.0-or-later
// What holds for every implementation of every operation in the catalog.
#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>
#include <thread>

#include "core/engine/backend/upper_bound.hpp"
#include "core/engine/operation/capabilities.hpp"
#include "core/engine/operation/refines.hpp"
#include "tests/conformance/allocations.hpp"
#include "tests/conformance/case.hpp"
#include "tests/support/test_names.hpp"

namespace parallax::conformance {
namespace {

/// One-pixel, thin, tiny, odd, prime, and around the widths of vectors, tiles and strips.
std::vector<Shape> awkwardShapes() {
    std::vector<Shape> all;
    const std::pair<int, int> sizes[] = {{1, 1},     {1, 2},    {2, 1},    {1, 7},   {7, 1},    {1, 100},  {100, 1}, {2, 3},   {3, 2},
                                         {5, 5},     {13, 17},  {15, 9},   {16, 16}, {17, 4},   {23, 29},  {31, 33}, {47, 5},  {48, 8},
                                         {49, 7},    {63, 12},  {64, 12},  {65, 11}, {67, 71},  {97, 8},   {127, 3}, {128, 9}, {129, 7},
                                         {131, 24},  {255, 5},  {256, 3},  {257, 9}, {479, 3},  {480, 3},  {481, 9}, {511, 5}, {512, 9},
                                         {513, 9},   {527, 4},  {528, 17}, {529, 3}, {1023, 3}, {1025, 9}, {3, 513}, {9, 130}, {5, 257},
                                         {1031, 37}, {40, 127}, {40, 128}, {40, 129}};
    for (const auto& [w, h] : sizes) all.push_back({w, h, 1, 1});
    for (const int channels : {2, 3, 4, 5}) {
        all.push_back({19, 7, 1, channels});
        all.push_back({64, 33, 1, channels});
        all.push_back({1, 1, 1, channels});
    }
    all.push_back({4, 5, 6, 1});
    all.push_back({16, 16, 3, 1});
    all.push_back({33, 7, 5, 1});
    all.push_back({1, 1, 9, 1});
    all.push_back({130, 20, 2, 1});
    // Volumes of odd, thin and flat extents.
    all.push_back({1, 5, 7, 1});
    all.push_back({7, 1, 3, 1});
    all.push_back({13, 11, 17, 1});
    all.push_back({3, 2, 65, 1});
    all.push_back({67, 33, 9, 1});
    all.push_back({150, 70, 40, 1});
    return all;
}

class Conformance : public testing::TestWithParam<Subject> {
protected:
    void SetUp() override {
        if (GetParam().available()) return;
        const Availability why = processCatalog().backend(GetParam().backend).availability();
        GTEST_SKIP() << "backend " << GetParam().backend << " is not available: " << why.reason;
    }
    const Operation& operation() const { return processCatalog().operation(GetParam().operation); }
    /// Whether runs with these parameters iterate: the reference takes long for them.
    bool isIterative(const ParameterBlock& parameters) const {
        const auto* refines = capability<Refines>(operation());
        return refines && refines->firstPicture(parameters);
    }
    const Backend& backend() const { return processCatalog().backend(GetParam().backend); }
    std::vector<SampleProblem> problems() const { return operation().sampleProblems(); }
    /// Seed of the emulated device (tests/emulated_device), which needs much longer for each case; 0: no such device.
    std::uint64_t emulatedSeed() const {
        const char* seed = std::getenv("PARALLAX_EMULATED_SEED");
        return seed && GetParam().backend == "cuda" ? std::strtoull(seed, nullptr, 10) : 0;
    }

    /// Does the operation accept it, and the implementation?
    bool accepted(const Problem& problem) const { return !refusal(problem); }
    std::optional<std::string> refusal(const Problem& problem) const {
        try {
            operation().check(problem);
        } catch (const Error& e) {
            return e.what();
        }
        const Support support = GetParam().implementation().supports(problem);
        return support ? std::nullopt : std::optional(support.reason);
    }

    struct Case {
        Picture picture;
        SampleProblem problem;
    };
    /// The first problem that is accepted for a picture of this kind: with the channels that it has, or as a grey or a colour image. Skips
    /// the test if there is none, as with a peer that is not installed.
    std::optional<Case> firstCase(Picture picture) const {
        std::string why;
        for (const std::int64_t channels : {picture.shape.channels, std::int64_t{1}, std::int64_t{3}}) {
            picture.shape.channels = channels;
            for (const SampleProblem& p : problems()) {
                const auto refused = refusal(makeProblem(*picture.makeFor(makeStep(GetParam().operation, p.parameters)), p.parameters));
                if (!refused) return Case{picture, p};
                if (why.empty()) why = *refused;
            }
        }
        [&] { GTEST_SKIP() << why; }();
        return std::nullopt;
    }
};

TEST_P(Conformance, SampleProblemsOnAwkwardShapes) {
    Tally tally(GetParam());
    std::uint64_t seed = 1, turn = 0;
    // Of both signs, and as light is: what is a special case for one operation is the rule for another.
    for (const SampleProblem& p : problems()) {
        const bool halved = emulatedSeed() > 0 || isIterative(p.parameters);
        ++turn;
        for (const Shape& shape : awkwardShapes()) {
            ++turn;
            for (const Content content : {Content::signedNoise, Content::hdr}) {
                ++seed;
                if (halved && (seed + turn + emulatedSeed()) % 2) continue;  // one of both, in turn
                tally.compare(makeStep(GetParam().operation, p.parameters), {.shape = shape, .content = content, .seed = seed});
            }
        }
    }
    tally.finish();
}

TEST_P(Conformance, LargeImages) {
    Tally tally(GetParam());
    // Above 16 MiB, where stores may bypass the caches; with rows that are aligned and rows that are not.
    const auto first = firstCase({.shape = {1200, 1208, 1, 1}, .content = Content::hdr, .seed = 30});
    if (!first) return;
    const Step step = makeStep(GetParam().operation, first->problem.parameters);
    const std::int64_t channels = first->picture.shape.channels;
    if (isIterative(step.parameters)) {
        // Arrays of solvers are in double and several times the size; the reference takes seconds.
        tally.compare(step, {.shape = {1171, channels > 1 ? 307 : 907, 1, channels}, .content = Content::hdr, .seed = 32});
        if (channels == 1) tally.compare(step, {.shape = {131, 129, 35, 1}, .content = Content::hdr, .seed = 33});
        return tally.finish();
    }
    tally.compare(step, {.shape = {2352, channels > 1 ? 608 : 1808, 1, channels}, .content = Content::hdr, .seed = 31});
    tally.compare(step, {.shape = {2339, channels > 1 ? 611 : 1811, 1, channels}, .content = Content::hdr, .seed = 32});
    if (channels == 1) tally.compare(step, {.shape = {261, 259, 70, 1}, .content = Content::hdr, .seed = 33});
    tally.finish();
}

TEST_P(Conformance, ValuesOfManyMagnitudes) {
    Tally tally(GetParam());
    for (const SampleProblem& p : problems())
        for (const std::uint64_t seed : {1U, 2U, 3U})
            for (const Content content : {Content::hdr, Content::flat})
                for (const Shape& shape : {Shape{83, 29, 1, 1}, Shape{83, 29, 1, 3}, Shape{31, 18, 13, 1}})
                    tally.compare(makeStep(GetParam().operation, p.parameters), {.shape = shape, .content = content, .seed = seed});
    tally.finish();
}

TEST_P(Conformance, NanAndInfinity) {
    Tally tally(GetParam());
    for (const SampleProblem& p : problems())
        for (const Content content : {Content::nan, Content::infinities, Content::mixed})
            for (const Shape& shape :
                 {Shape{61, 40, 1, 1}, Shape{600, 30, 1, 1}, Shape{40, 30, 1, 3}, Shape{33, 20, 3, 1}, Shape{40, 37, 25, 1}})
                tally.compare(makeStep(GetParam().operation, p.parameters), {.shape = shape, .content = content, .seed = 5});
    tally.finish();
}

TEST_P(Conformance, AnyNumberOfThreads) {
    Tally tally(GetParam());
    for (const int threads : emulatedSeed() > 0 ? std::vector{7} : std::vector{1, 2, 3, 7})
        for (const SampleProblem& p : problems()) {
            tally.compare(makeStep(GetParam().operation, p.parameters), {.shape = {150, 67, 1, 1}, .seed = 8}, threads);
            tally.compare(makeStep(GetParam().operation, p.parameters), {.shape = {31, 9, 1, 4}, .seed = 9}, threads);
            tally.compare(makeStep(GetParam().operation, p.parameters), {.shape = {40, 300, 1, 1}, .seed = 10}, threads);
            tally.compare(makeStep(GetParam().operation, p.parameters), {.shape = {41, 50, 34, 1}, .seed = 11}, threads);
        }
    tally.finish();
}

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

TEST_P(Conformance, GivesTheSameBitsWithAnyNumberOfThreads) {
    std::int64_t ran = 0;
    for (const SampleProblem& p : problems()) {
        const Shape shape = isIterative(p.parameters) ? Shape{201, 259, 1, 3} : Shape{401, 517, 1, 3};
        const Picture picture{.shape = shape, .content = Content::hdr, .seed = 24};
        Pipeline pipeline;
        pipeline.steps.push_back(makeStep(GetParam().operation, p.parameters));
        const ImagePtr image = picture.makeFor(pipeline.steps.front());
        if (!accepted(makeProblem(*image, p.parameters))) continue;
        std::optional<Buffer> before;
        std::vector<StatisticRecord> found;
        for (const int threads : {1, 2, 5, 1}) {
            RunContext context;
            const RunResult r = Engine(processCatalog()).run(pipeline, image, GetParam().target(threads), context);
            if (before) {
                EXPECT_EQ(std::memcmp(before->data(), r.image.samples().data(), before->bytes()), 0)
                    << p.name << ", " << threads << " threads";
            }
            before = r.image.samples().clone();
            if (!found.empty()) {
                ASSERT_EQ(found.size(), r.statistics.size()) << p.name;
                for (std::size_t i = 0; i < found.size(); ++i)
                    EXPECT_EQ(found[i].value, r.statistics[i].value) << p.name << ": " << found[i].key;
            }
            found = r.statistics;
        }
        ++ran;
    }
    if (ran == 0) firstCase({.shape = {401, 517, 1, 3}, .content = Content::hdr, .seed = 24});
}

TEST_P(Conformance, ModesHaveTheResultOfAPlainRun) {
    const std::vector<ModeInfo> modes = backend().modes();
    if (modes.empty()) GTEST_SKIP() << "backend " << GetParam().backend << " has no modes";
    std::int64_t ran = 0;
    std::map<std::string, std::int64_t> refusals;
    for (const Shape& shape :
         {Shape{1, 1, 1, 1}, Shape{401, 701, 1, 3}, Shape{203, 391, 1, 4}, Shape{1030, 1290, 1, 1}, Shape{130, 140, 60, 1}})
        for (const SampleProblem& p : problems()) {
            const Picture picture{.shape = shape, .content = Content::mixed, .seed = 27};
            Pipeline pipeline;
            pipeline.steps.push_back(makeStep(GetParam().operation, p.parameters));
            const ImagePtr image = picture.makeFor(pipeline.steps.front());
            if (!accepted(makeProblem(*image, p.parameters))) continue;
            RunContext context;
            const RunResult plain = Engine(processCatalog()).run(pipeline, image, GetParam().target(), context);
            for (const ModeInfo& mode : modes) {
                Target target = GetParam().target();
                target.modes = mode.modes;
                try {
                    PreparedRun run = Engine(processCatalog()).prepare(pipeline, image, target, context);
                    const std::string what = p.name + ", " + target.label() + ", " + picture.text();
                    const auto hasBitsOf = [&](const Image& other) {
                        return std::memcmp(other.samples().data(), run.output().data, other.samples().bytes()) == 0;
                    };
                    const bool inStrips = run.run(context).overlapped();
                    // Sums that depend on the number of parts depend on strips, too.
                    if (!inStrips || GetParam().implementation().distribution(makeProblem(*image, p.parameters)).sameBits) {
                        EXPECT_TRUE(hasBitsOf(plain.image)) << what;
                    } else {
                        const Tolerance t = run.tolerance();
                        const DifferenceMetrics d = compareViews(plain.image.view(), run.output(), {.tolerance = t.absolute});
                        EXPECT_TRUE(d.within(t.absolute, t.ambiguous)) << what << ": " << d.maxAbs << ", allowed " << t.absolute;
                    }
                    const Image first = run.takeImage();
                    (void)run.run(context);
                    EXPECT_TRUE(hasBitsOf(first)) << what << ", second run";
                    ++ran;
                } catch (const Error& e) {
                    EXPECT_EQ(e.code(), ErrorCode::unavailable) << target.label() << ": " << e.what();
                    EXPECT_FALSE(e.why().empty()) << target.label();
                    ++refusals[e.why()];
                }
            }
        }
    for (const auto& [why, times] : refusals) std::cout << "  refused " << times << " times: " << why << '\n';
    if (ran == 0) firstCase({.shape = {401, 701, 1, 1}, .content = Content::mixed, .seed = 27});
}

TEST_P(Conformance, ComputesTheStatisticsOfTheReference) {
    std::int64_t ran = 0;
    for (const std::int64_t channels : {1, 3}) {
        const Picture picture{.shape = {150, 111, 1, channels}, .content = Content::hdr, .seed = 25};
        for (const SampleProblem& p : problems()) {
            Pipeline pipeline;
            pipeline.steps.push_back(makeStep(GetParam().operation, p.parameters));
            const ImagePtr image = picture.makeFor(pipeline.steps.front());
            if (!accepted(makeProblem(*image, p.parameters))) continue;
            RunContext context;
            const Engine engine(processCatalog());
            const RunResult result = engine.run(pipeline, image, GetParam().target(), context);
            const auto& here = result.statistics;
            const auto there = engine.run(pipeline, image, parseTarget("reference"), context).statistics;
            ++ran;
            // A foreign library returns an image and nothing else.
            if (here.empty() && GetParam().backend == "opencv") continue;
            ASSERT_EQ(here.size(), there.size()) << p.name;
            for (const StatisticRecord& f : there) {
                const auto same =
                    std::find_if(here.begin(), here.end(), [&](const StatisticRecord& o) { return o.key == f.key && o.title == f.title; });
                ASSERT_NE(same, here.end()) << p.name << ": " << f.key;
                // Iterations and residuals are those of a method.
                if (!result.series.empty() && (f.key == "iterations" || f.key == "residual")) continue;
                EXPECT_NEAR(same->value, f.value, 1e-4 * std::max(1.0, std::fabs(f.value))) << p.name << ": " << f.key;
            }
        }
    }
    if (ran == 0) firstCase({.shape = {150, 111, 1, 1}, .content = Content::hdr, .seed = 25});
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

INSTANTIATE_TEST_SUITE_P(All, Conformance, testing::ValuesIn(allSubjects()), subjectName);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Conformance);

/// Compares the statements of an operation about its results with the results of the reference.
class Descriptions : public testing::TestWithParam<std::string> {};

TEST_P(Descriptions, FitTheResult) {
    const Operation& operation = processCatalog().operation(GetParam());
    // Tolerances of later steps are made of the bound. Those of transforms are for coefficients of images, of which noise and steps of
    // light make somewhat larger ones.
    constexpr double kSlack = 1.5;
    std::int64_t ran = 0;
    for (const SampleProblem& p : operation.sampleProblems())
        for (const Content content : {Content::signedNoise, Content::hdr, Content::flat})
            for (const Shape& shape : {Shape{61, 40, 1, 1}, Shape{40, 31, 1, 3}, Shape{21, 18, 13, 1}}) {
                const Picture picture{.shape = shape, .content = content, .seed = 51};
                const Step step = makeStep(GetParam(), p.parameters);
                const Problem problem = makeProblem(*picture.makeFor(step), p.parameters);
                try {
                    operation.check(problem);
                } catch (const Error& e) {
                    ASSERT_EQ(e.code(), ErrorCode::usage) << p.name << ": " << e.what();
                    continue;
                }
                const Image& result = referenceResult(step, picture);
                EXPECT_LE(computeStatistics(result).maxAbs(), operation.largestOutput(problem) * kSlack)
                    << "'" << p.name << "' on " << picture.text() << ": larger than largestOutput(), which is max|in| times gain() where "
                    << "the operation does not override it";
                ++ran;
            }
    EXPECT_GT(ran, 0) << "sampleProblems() has nothing that check() accepts for a picture, so that no suite tests this operation";
}

std::vector<std::string> allOperations() {
    std::vector<std::string> all;
    for (const auto& operation : processCatalog().operations()) all.push_back(operation->id());
    return all;
}

INSTANTIATE_TEST_SUITE_P(All, Descriptions, testing::ValuesIn(allOperations()), test::nameOf);

/// PARALLAX_REQUIRE_BACKEND=cuda,opencv: on a machine that is there to test them, a skip must not pass for success.
TEST(Backends, RequiredOnesAreAvailable) {
    const char* required = std::getenv("PARALLAX_REQUIRE_BACKEND");
    if (!required || !*required) GTEST_SKIP() << "PARALLAX_REQUIRE_BACKEND names none";
    const std::string all(required);
    for (std::size_t start = 0; start <= all.size();) {
        const std::size_t end = std::min(all.find(',', start), all.size());
        const std::string id = all.substr(start, end - start);
        start = end + 1;
        if (id.empty()) continue;
        const Backend& backend = processCatalog().backend(id);
        EXPECT_TRUE(backend.availability().yes) << id << ": " << backend.availability().reason;
        if (backend.availability().yes) {
            EXPECT_FALSE(backend.implementations().empty()) << id;
            EXPECT_FALSE(backend.devices().empty()) << id;
        }
    }
}

TEST(Backends, NamesAndReasonsAreThere) {
    for (const auto& backend : processCatalog().backends()) {
        EXPECT_FALSE(backend->title().empty());
        if (!backend->availability().yes) {
            EXPECT_FALSE(backend->availability().reason.empty()) << backend->id();
            std::cout << "  " << backend->id() << " is not available: " << backend->availability().reason << "\n";
            continue;
        }
        for (const Implementation* i : backend->implementations()) {
            EXPECT_NO_THROW(processCatalog().operation(i->operation()));
            EXPECT_FALSE(i->variant().empty());
            EXPECT_FALSE(i->summary().empty()) << backend->id() << "." << i->variant();
        }
    }
}

}  // namespace
}  // namespace parallax::conformance
