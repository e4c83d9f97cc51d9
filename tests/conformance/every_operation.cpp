// SPDX-License-Identifier: GPL-3.0-or-later
// The results of every implementation of every operation in the catalog are those of the reference.
#include <cmath>
#include <cstring>
#include <iostream>
#include <map>

#include "tests/conformance/every_operation.hpp"

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

INSTANTIATE_TEST_SUITE_P(All, Conformance, testing::ValuesIn(allSubjects()), subjectName);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Conformance);

}  // namespace
}  // namespace parallax::conformance
