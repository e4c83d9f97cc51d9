// SPDX-License-Identifier: GPL-3.0-or-later
// Every implementation on parts of an image: the bits of a run on one part, or a refusal with its reason.
#include <algorithm>
#include <array>
#include <bit>
#include <iostream>

#include "core/engine/backend/backend.hpp"
#include "core/engine/operation/capabilities.hpp"
#include "core/engine/operation/refines.hpp"
#include "core/parallel/ranks.hpp"
#include "tests/conformance/case.hpp"

namespace parallax::conformance {
namespace {

/// The implementations of all backends that are available, the reference included; of one operation if it is named.
std::vector<Subject> partSubjects(const std::string& operation = {}) {
    std::vector<Subject> all;
    for (const Subject& s : allSubjects())
        if (s.available() && (operation.empty() || s.operation == operation)) all.push_back(s);
    const Backend& reference = processCatalog().backend(kReferenceBackend);
    for (const Implementation* i : reference.implementations())
        if (operation.empty() || i->operation() == operation) all.push_back({reference.id(), i->operation(), i->variant()});
    return all;
}

/// Equal bits; a NaN is any NaN, since its sign and payload depend on the order of operands that a compiler chooses.
bool sameBits(const Image& a, const Image& b) {
    const View<const float> v = a.view(), w = b.view();
    return v.shape == w.shape && std::equal(v.data, v.data + v.shape.samples(), w.data, [](float x, float y) {
               return std::bit_cast<std::uint32_t>(x) == std::bit_cast<std::uint32_t>(y) || (x != x && y != y);
           });
}

bool sameStatistics(const RunResult& a, const RunResult& b) {
    const auto sameValue = [](double x, double y) { return x == y || (x != x && y != y); };
    return std::equal(a.statistics.begin(), a.statistics.end(), b.statistics.begin(), b.statistics.end(),
                      [&](const StatisticRecord& x, const StatisticRecord& y) { return x.key == y.key && sameValue(x.value, y.value); });
}

class OnParts : public testing::TestWithParam<Subject> {
protected:
    const Operation& operation() const { return processCatalog().operation(GetParam().operation); }
    /// Not, for example, a step that needs alpha if the image has none.
    bool isPossible(const Problem& problem) const {
        try {
            operation().check(problem);
            return true;
        } catch (const Error&) {
            return false;
        }
    }
    int mostParts() const { return conformance::mostParts(GetParam()); }

    RunResult run(const Pipeline& pipeline, const ImagePtr& image, int parts, int threads = 0, const std::string& mode = {}) const {
        Target target = GetParam().target(threads);
        target.parts = parts;
        if (!mode.empty()) target.modes = {mode};
        for (const Step& step : pipeline.steps)
            if (step.operation->id() != GetParam().operation) target.variant.clear();
        RunContext context;
        return Engine(processCatalog()).run(pipeline, image, target, context);
    }

    /// Compares `steps` times the same step, which exchanges halos between them, with a run on one part.
    void compare(const Step& step, const Picture& picture, int steps = 1, int threads = 0) {
        compare(step, picture, steps, threads, parts(picture));
    }
    /// Runs on ranks take milliseconds: each comparison is of one number of ranks, in turn, unless the test is of all of them.
    void selectRanks(std::vector<int>& allParts) const {
        static std::size_t next = 0;
        if (!processRanks() || everyNumber_) return;
        do allParts = {std::array{2, 3, 4, 7, 1}[next++ % 5]};
        while (allParts.front() > mostParts());
    }
    void compare(const Step& step, const Picture& picture, int steps, int threads, const std::vector<int>& allParts) {
        Pipeline pipeline;
        pipeline.steps.assign(static_cast<std::size_t>(steps), step);
        compare(pipeline, picture, threads, allParts);
    }
    static std::vector<int> parts(const Picture& picture, bool few = false) {
        const int more = static_cast<int>(std::min<std::int64_t>(picture.shape.height, 20)) + 3;
        return few ? std::vector{2, 7, more} : std::vector{1, 2, 3, 4, 7, more};
    }
    void compare(const Pipeline& pipeline, const Picture& picture, int threads, std::vector<int> allParts) {
        selectRanks(allParts);
        const ImagePtr image = picture.makeFor(pipeline.steps.front());
        std::string what = picture.text();
        for (const Step& step : pipeline.steps) what += ", " + toText(step);
        std::optional<RunResult> whole;
        try {
            whole = run(pipeline, image, 1, threads);
        } catch (const Error&) {
            return;  // not a problem of this implementation
        }
        for (const int parts : allParts) {
            if (parts > mostParts()) continue;
            try {
                const RunResult result = run(pipeline, image, parts, threads);
                ++ran_;
                EXPECT_TRUE(sameBits(result.image, whole->image)) << what << " on " << parts << " parts";
                EXPECT_TRUE(sameStatistics(result, *whole)) << what << " on " << parts << " parts";
            } catch (const Error& e) {
                ADD_FAILURE() << what << " on " << parts << " parts: " << e.what() << ": " << e.why();
            }
        }
    }
    /// The mode in which devices stream their parts in strips; empty if there is none.
    std::string streaming() const {
        for (const auto& [mode, capability] : processCatalog().backend(GetParam().backend).capabilities())
            if (capability == Capability::overlapped) return mode;
        return {};
    }
    /// Compares a step whose parts are streamed in strips with a run on one part.
    void compareStreamed(const Step& step, const Picture& picture) {
        const std::string mode = streaming();
        const ImagePtr image = picture.makeFor(step);
        // Ranks do not have the rows that strips of a part would read.
        if (mode.empty() || processRanks() || !GetParam().implementation().strips(makeProblem(*image, step.parameters))) return;
        const RunResult whole = run({{step}}, image, 1);
        for (const int parts : {2, 3}) {
            if (parts > mostParts()) continue;
            const RunResult result = run({{step}}, image, parts, 0, mode);
            ++ran_;
            EXPECT_TRUE(sameBits(result.image, whole.image))
                << picture.text() << ", " << toText(step) << " streamed on " << parts << " parts";
            EXPECT_NE(result.plan.at(0).reason.find(", each in "), std::string::npos) << result.plan.at(0).reason;
        }
    }
    /// Compares a run on parts with the reference, where sums depend on the number of parts.
    void compareWithReference(const Step& step, const Picture& picture, std::vector<int> allParts = {2, 3}) {
        selectRanks(allParts);
        for (const int parts : allParts) {
            if (parts > mostParts()) continue;
            Subject onParts = GetParam();
            onParts.parts = parts;
            SCOPED_TRACE(std::to_string(parts) + " parts");
            Tally tally(onParts);
            tally.compare(step, picture);
            tally.finish();
            ++ran_;
        }
    }
    void finish() const {
        std::cout << "  " << GetParam().name() << ": " << ran_ << " runs compared\n";
        EXPECT_GT(ran_, 0);
    }

    std::int64_t ran_ = 0;
    bool everyNumber_ = false;
};

TEST_P(OnParts, HaveTheBitsOfOneOrAreRefused) {
    std::int64_t distributed = 0;
    const bool iterates = !seriesOf(operation()).empty();
    const std::string why = mostParts() > 1 ? "" : "one device was found";
    for (const SampleProblem& p : operation().sampleProblems()) {
        const Step step = makeStep(GetParam().operation, p.parameters);
        for (const Shape& shape : {Shape{1, 1, 1, 1}, Shape{7, 1, 1, 1}, Shape{1, 5, 1, 2}, Shape{19, 7, 1, 3}, Shape{37, 23, 1, 1},
                                   Shape{530, 61, 1, 4}, Shape{33, 7, 5, 1}, Shape{130, 20, 2, 1}}) {
            const Picture picture{.shape = shape, .content = Content::signedNoise, .seed = 3};
            const ImagePtr image = picture.makeFor(step);
            const Problem problem = makeProblem(*image, step.parameters);
            if (!isPossible(problem)) continue;
            if (!GetParam().implementation().supports(problem)) continue;
            const Distribution distribution = GetParam().implementation().distribution(problem);
            if (distribution && why.empty()) {
                ++distributed;
                if (!distribution.sameBits) {
                    // Solvers take thousands of iterations.
                    if (!iterates || shape.samples() < 1000) compareWithReference(step, picture);
                    continue;
                }
                // Phases wait for all parts, and have tests of their own for more shapes.
                const bool large = distribution.phases && shape.samples() > 10000;
                compare(step, picture, 1, 0, large ? std::vector{2, 7} : parts(picture, distribution.phases));
                if (!large) compare(step, picture, 3, 5, distribution.phases ? std::vector{3} : parts(picture));
                continue;
            }
            EXPECT_TRUE(distribution || !distribution.halo.reason.empty()) << "refused without a reason: " << toText(step);
            try {
                (void)run({{step}}, image, 2);
                ADD_FAILURE() << "distribution() says no, the engine ran it all the same: " << toText(step);
            } catch (const Error& e) {
                EXPECT_EQ(e.code(), ErrorCode::unavailable) << e.what();
                const std::string& reason = why.empty() ? distribution.halo.reason : why;
                EXPECT_NE(e.why().find(reason), std::string::npos) << e.why();
            }
        }
    }
    // Several blocks of a reduction, which follow from the width.
    const Picture wide{.shape = {9000, 23, 1, 3}, .content = Content::hdr, .seed = 4};
    for (const SampleProblem& p : operation().sampleProblems()) {
        const Step step = makeStep(GetParam().operation, p.parameters);
        const Problem problem = makeProblem(*wide.makeFor(step), step.parameters);
        if (!isPossible(problem)) continue;
        const Distribution distribution = distributed > 0 ? GetParam().implementation().distribution(problem) : Distribution{};
        if (!distribution || !GetParam().implementation().supports(problem)) continue;
        if (!distribution.sameBits && !iterates) compareWithReference(step, wide, {2});
        else if (distribution.unit > 1) compare(step, wide, 1, 3);
    }
    if (distributed > 0) finish();
}

/// One small problem of each implementation on every number of ranks.
class SmallProblemsOnParts : public OnParts {};
TEST_P(SmallProblemsOnParts, AreRightOnEveryNumber) {
    if (mostParts() == 1) GTEST_SKIP() << "there is one device";
    everyNumber_ = true;
    // Solvers of few unknowns take few iterations.
    const Shape shape = seriesOf(operation()).empty() ? Shape{13, 9, 1, 4} : Shape{5, 8, 1, 1};
    for (const SampleProblem& p : operation().sampleProblems()) {
        const Step step = makeStep(GetParam().operation, p.parameters);
        const Picture picture{.shape = shape, .content = Content::hdr, .seed = 14};
        const Problem problem = makeProblem(*picture.makeFor(step), step.parameters);
        if (!isPossible(problem) || !GetParam().implementation().supports(problem)) continue;
        const Distribution distribution = GetParam().implementation().distribution(problem);
        if (!distribution) continue;
        if (distribution.sameBits) compare(step, picture, 1, 0, {1, 2, 3, 4, 7});
        else compareWithReference(step, picture, {1, 2, 3, 4, 7});
        return finish();
    }
    GTEST_SKIP() << "it does not work on parts";
}

/// Kernels larger than a part, anchors, all borders: a part may need rows of all others.
class ConvolutionOnParts : public OnParts {};
TEST_P(ConvolutionOnParts, HasTheBitsOfOneWithAnyKernel) {
    if (mostParts() == 1) GTEST_SKIP() << "there is one device";
    Random random(11);
    const std::vector<std::string> borders{"replicate", "constant", "reflect", "reflect101", "wrap"};
    std::int64_t distributed = 0;
    for (int round = 0; round < 60; ++round) {
        const std::int64_t width = random.between(1, 9), height = random.between(1, 15);
        std::string weights;
        const bool separable = random.between(0, 1) == 0;
        for (std::int64_t v = 0; v < height; ++v, weights += ";")
            for (std::int64_t u = 0; u < width; ++u)
                weights += std::to_string(separable ? (v + 1) * (u + 2) : random.between(-500, 999)) + " ";
        const Step step = makeStep("convolve", {{"kernel", "custom"},
                                                {"weights", weights},
                                                {"border", borders[static_cast<std::size_t>(round % 5)]},
                                                {"border-value", "0.75"},
                                                {"anchor-x", std::to_string(random.between(0, width - 1))},
                                                {"anchor-y", std::to_string(random.between(0, height - 1))}});
        const Picture picture{.shape = {random.between(1, 40), random.between(1, 40), 1, random.between(1, 3)},
                              .content = random.of(std::vector{Content::signedNoise, Content::mixed}),
                              .seed = static_cast<std::uint64_t>(round)};
        const Problem problem = makeProblem(*picture.makeFor(step), step.parameters);
        if (!GetParam().implementation().supports(problem) || !GetParam().implementation().distribution(problem)) continue;
        ++distributed;
        Picture volume = picture;
        volume.shape.depth = random.between(2, 5);
        if (!GetParam().implementation().distribution(problem).sameBits) {
            compareWithReference(step, picture, parts(picture));
            compareWithReference(step, volume, {static_cast<int>(volume.shape.depth) + 1});
            continue;
        }
        compare(step, picture, 1 + round % 3, 1 + round % 4);
        compareStreamed(step, picture);
        compareStreamed(step, volume);
    }
    if (distributed == 0) GTEST_SKIP() << "it does not work on parts";
    finish();
}

/// Transforms: parts of several tiles, of which the last one is not full.
TEST_P(ConvolutionOnParts, AgreesWithTheReferenceInEveryTile) {
    for (const char* border : {"replicate", "constant", "reflect", "reflect101", "wrap"}) {
        const Step step = makeStep("convolve", {{"kernel", "gaussian"}, {"size", "23"}, {"border", border}, {"border-value", "0.75"}});
        const Picture picture{.shape = {150, 1300, 1, 1}, .content = Content::mixed, .seed = 31};
        const Problem problem = makeProblem(*picture.makeFor(step), step.parameters);
        if (!GetParam().implementation().supports(problem)) continue;
        const Distribution distribution = GetParam().implementation().distribution(problem);
        if (distribution && !distribution.sameBits) compareWithReference(step, picture, {2, 3});
    }
    if (ran_ == 0) GTEST_SKIP() << "it has the bits of one part";
    finish();
}

/// Wavelets: the filters of a level may read lines of all parts, and results have other sizes than inputs.
class WaveletsOnParts : public OnParts {
protected:
    void SetUp() override {
        if (mostParts() == 1) GTEST_SKIP() << "there is one device";
    }
    /// The key of one choice of a parameter.
    std::string any(Random& random, const std::string& key) const {
        const ParameterTableBase& table = operation().parameters();
        const auto& choices = table.infos()[static_cast<std::size_t>(table.find(key))].choices;
        return choices[static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(choices.size()) - 1))].key;
    }
    bool inverts() const { return GetParam().operation == "idwt"; }
};

TEST_P(WaveletsOnParts, HaveTheBitsOfOneInEveryMode) {
    const ParameterTableBase& transform = processCatalog().operation("dwt").parameters();
    const auto& modes = transform.infos()[static_cast<std::size_t>(transform.find("mode"))].choices;
    const std::vector<std::string> wavelets{"haar", "db2", "db4", "sym5", "bior4.4", "rbio3.1", "coif2", "db13"};
    const std::vector<Content> contents{Content::signedNoise, Content::hdr, Content::mixed};
    Random random(17);
    for (int round = 0; round < 3; ++round)
        for (const ParameterChoice& mode : modes) {
            std::vector<std::pair<std::string, std::string>> values{{"wavelet", random.of(wavelets)},
                                                                    {"mode", mode.key},
                                                                    {"levels", std::to_string(random.between(inverts() ? 1 : 0, 5))},
                                                                    {"axes", random.between(0, 1) == 0 ? "all" : any(random, "axes")}};
            if (GetParam().operation == "wavelet-denoise")
                for (const char* key : {"method", "rule", "noise-from"}) values.emplace_back(key, any(random, key));
            if (GetParam().operation == "wavelet-compress") values.emplace_back("keep", std::to_string(random.between(0, 100)));
            const bool volume = random.between(0, 2) == 0;
            // Several levels of many lines, or levels with fewer lines than parts.
            const std::int64_t longer = round == 2 ? 4 : 1;
            const Shape shape = volume ? Shape{random.between(1, 17), random.between(1, 9), random.between(2, 13 * longer), 1}
                                       : Shape{random.between(1, 33), random.between(1, 37 * longer), 1, random.between(1, 2)};
            const Step step = makeStep(GetParam().operation, values);
            const Picture picture{.shape = shape, .content = random.of(contents), .seed = static_cast<std::uint64_t>(round)};
            const auto threads = static_cast<int>(random.between(1, 5));
            const std::vector parts{2, static_cast<int>(random.between(3, 7)), static_cast<int>(volume ? shape.depth : shape.height) + 2};
            const Distribution distribution =
                GetParam().implementation().distribution(makeProblem(*picture.makeFor(step), step.parameters));
            if (distribution && distribution.sameBits) compare(step, picture, 1, threads, parts);
            else if (distribution) compareWithReference(step, picture, parts);
        }
    finish();
}

TEST_P(WaveletsOnParts, KeepTheBitsInPipelines) {
    if (inverts()) GTEST_SKIP() << "runs behind dwt";
    const Step sharpen = makeStep("convolve", {{"kernel", "unsharp"}, {"size", "3"}});
    Pipeline pipeline{{sharpen, makeStep(GetParam().operation, {{"levels", "2"}}), sharpen}};
    if (GetParam().operation == "dwt") pipeline.steps.push_back(makeStep("idwt", std::vector<std::pair<std::string, std::string>>{}));
    for (const Shape& shape : {Shape{37, 22, 1, 3}, Shape{12, 9, 7, 1}}) {
        const Picture picture{.shape = shape, .content = Content::hdr, .seed = 5};
        compare(pipeline, picture, 3, {2, 5, 25});
        // Coefficients stay where they are.
        if (GetParam().operation == "dwt") compare({{sharpen, pipeline.steps[1], pipeline.steps.back(), sharpen}}, picture, 3, {2, 3});
    }
    // Blocks of statistics: parts of many rows, and parts without any. On devices their sums depend on the number of parts.
    if (mostParts() < kMaxParts) return finish();
    pipeline.steps.push_back(makeStep("tonemap", {{"operator", "global"}}));
    compare(pipeline, {.shape = {5000, 30, 1, 3}, .content = Content::hdr, .seed = 6}, 2, {2, 3});
    finish();
}

TEST_P(WaveletsOnParts, StopSoon) {
    const Step step = makeStep(GetParam().operation, std::vector<std::pair<std::string, std::string>>{});
    expectToStopSoon(GetParam(), {{step}}, Picture{.shape = {1500, 1200, 1, 2}}.makeFor(step), 2, std::min(3, mostParts()));
}

/// Blocks of statistics of a wide image are two rows, and a surround reaches some ten: those of several parts.
class ToneMappingOnParts : public OnParts {};
TEST_P(ToneMappingOnParts, HasTheBitsOfOneWithSurroundsOfSeveralParts) {
    if (mostParts() == 1) GTEST_SKIP() << "there is one device";
    std::int64_t distributed = 0;
    for (const char* output : {"image", "scale"}) {
        const Step step = makeStep("tonemap", {{"operator", "local"}, {"scales", "5"}, {"output", output}});
        const Picture picture{.shape = {22000, 15, 1, 3}, .content = Content::mixed, .seed = 9};
        const Problem problem = makeProblem(*picture.makeFor(step), step.parameters);
        if (!GetParam().implementation().supports(problem) || !GetParam().implementation().distribution(problem)) continue;
        ++distributed;
        if (GetParam().implementation().distribution(problem).sameBits) compare(step, picture, 1, 3, {2, 5, 9});
        else compareWithReference(step, picture, {std::min(3, mostParts())});
    }
    if (distributed == 0) GTEST_SKIP() << "it does not work on parts";
    finish();
}

/// Systems whose weights depend on rows of other parts: samples that are not finite, windows of fireflies of several parts.
class SolversOnParts : public OnParts {
protected:
    /// The sample problems that solve an equation: of tone mapping those of one operator.
    std::vector<Step> solves() const {
        std::vector<Step> steps;
        for (const SampleProblem& p : operation().sampleProblems())
            if (GetParam().operation != "tonemap" || capability<Refines>(operation())->firstPicture(p.parameters))
                steps.push_back(makeStep(GetParam().operation, p.parameters));
        return steps;
    }
};
TEST_P(SolversOnParts, AgreeWithTheReferenceOnEveryContent) {
    if (mostParts() == 1) GTEST_SKIP() << "there is one device";
    std::vector<Step> steps = solves();
    if (GetParam().operation == "fill")
        for (const char* window : {"small", "large"})
            steps.push_back(makeStep("fill", {{"missing", "fireflies"}, {"factor", "1.25"}, {"window", window}}));
    int round = 0;
    for (const Step& step : steps)
        for (const Content content : {Content::sun, Content::mixed})
            for (const Shape& shape : {Shape{9, 5, 1, 1}, Shape{21, 11, 1, 4}, Shape{70, 9, 1, 1}}) {
                const Picture picture{.shape = shape, .content = content, .seed = 12};
                const Problem problem = makeProblem(*picture.makeFor(step), step.parameters);
                if (!isPossible(problem)) continue;
                if (!GetParam().implementation().supports(problem) || !GetParam().implementation().distribution(problem)) continue;
                compareWithReference(step, picture, {std::min(2 + round++ % 3, mostParts())});
            }
    if (ran_ == 0) GTEST_SKIP() << "it does not work on parts";
    finish();
}

/// Grids of which multigrid divides several levels among the parts, down to less than a row for each, and `fill` all unknowns.
TEST_P(SolversOnParts, DivideCoarseLevels) {
    if (mostParts() == 1) GTEST_SKIP() << "there is one device";
    if (GetParam().backend == kReferenceBackend || (GetParam().variant == "cg" && GetParam().operation != "fill"))
        GTEST_SKIP() << "it divides no levels";
    for (const Step& step : solves())
        for (const Shape& shape : {Shape{900, 37, 1, 1}, Shape{50, 41, 22, 1}}) {
            const Picture picture{.shape = shape, .content = Content::hdr, .seed = 8};
            const Problem problem = makeProblem(*picture.makeFor(step), step.parameters);
            if (!isPossible(problem) || !GetParam().implementation().supports(problem)) continue;
            const Distribution distribution = GetParam().implementation().distribution(problem);
            if (!distribution) continue;
            if (distribution.sameBits) compare(step, picture, 1, 3, {2, 5, 21});
            else compareWithReference(step, picture, {std::min(5, mostParts())});
        }
    if (ran_ == 0) GTEST_SKIP() << "it does not work on parts";
    finish();
}

/// Bits depend on the parts where these make coarse levels of their own, which must be as good as those of one part.
TEST_P(SolversOnParts, IterateAsOftenAsOnePart) {
    if (mostParts() < kMaxParts) GTEST_SKIP() << "parts on devices and ranks do the same, or have tests of their own";
    const Picture picture{.shape = {200, 120, 1, 1}, .content = Content::sun, .seed = 5};
    for (const Step& step : solves()) {
        const Problem problem = makeProblem(*picture.makeFor(step), step.parameters);
        if (!isPossible(problem) || !GetParam().implementation().supports(problem)) continue;
        const Distribution distribution = GetParam().implementation().distribution(problem);
        if (!distribution || distribution.sameBits) continue;
        const auto iterations = [&](int parts) {
            for (const StatisticRecord& s : run({{step}}, picture.makeFor(step), parts).statistics)
                if (s.key == "iterations") return s.value;
            return 0.0;
        };
        const double one = iterations(1);
        if (one == 0 && GetParam().operation == "fill") continue;  // nothing is missing
        EXPECT_GT(one, 0);
        for (const int parts : {2, 7}) {
            EXPECT_LE(iterations(parts), 1.25 * one + 2) << toText(step) << " on " << parts << " parts";
            ++ran_;
        }
    }
    if (ran_ == 0) GTEST_SKIP() << "its bits do not depend on the parts";
    finish();
}

TEST_P(SolversOnParts, StopSoon) {
    if (mostParts() == 1) GTEST_SKIP() << "there is one device";
    const ImagePtr image = Picture{.shape = {700, 600, 1, 1}, .content = Content::hdr, .seed = 61}.make();
    std::vector<Step> steps = solves();
    if (GetParam().operation == "fill") steps = {makeStep("fill", {{"missing", "above"}, {"threshold", "0.05"}})};
    for (const Step& step : steps) {
        const Problem problem = makeProblem(*image, step.parameters);
        if (!isPossible(problem) || !GetParam().implementation().supports(problem)) continue;
        if (!GetParam().implementation().distribution(problem)) continue;
        return expectToStopSoon(GetParam(), {{step}}, image, 2, std::min(3, mostParts()));
    }
    GTEST_SKIP() << "it does not work on parts";
}

std::vector<Subject> solverSubjects() {
    std::vector<Subject> all;
    for (const char* operation : {"poisson", "diffuse", "fill", "tonemap"})
        for (const Subject& s : partSubjects(operation)) all.push_back(s);
    return all;
}

std::vector<Subject> waveletSubjects() {
    std::vector<Subject> all;
    for (const char* operation : {"dwt", "idwt", "wavelet-denoise", "wavelet-compress"})
        for (const Subject& s : partSubjects(operation)) all.push_back(s);
    return all;
}

INSTANTIATE_TEST_SUITE_P(All, ToneMappingOnParts, testing::ValuesIn(partSubjects("tonemap")), subjectName);
INSTANTIATE_TEST_SUITE_P(All, SolversOnParts, testing::ValuesIn(solverSubjects()), subjectName);
INSTANTIATE_TEST_SUITE_P(All, WaveletsOnParts, testing::ValuesIn(waveletSubjects()), subjectName);
INSTANTIATE_TEST_SUITE_P(All, OnParts, testing::ValuesIn(partSubjects()), subjectName);
INSTANTIATE_TEST_SUITE_P(All, SmallProblemsOnParts, testing::ValuesIn(partSubjects()), subjectName);
INSTANTIATE_TEST_SUITE_P(All, ConvolutionOnParts, testing::ValuesIn(partSubjects("convolve")), subjectName);

}  // namespace
}  // namespace parallax::conformance
