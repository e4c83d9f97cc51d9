// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/conformance/case.hpp"

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <thread>

#include "core/engine/backend/backend.hpp"
#include "core/engine/backend/ranks_target.hpp"
#include "core/engine/operation/capabilities.hpp"
#include "core/kernels/backend.hpp"
#include "core/parallel/ranks.hpp"
#include "tests/support/promptness.hpp"
#include "tests/support/test_names.hpp"

namespace parallax::conformance {

std::string Subject::name() const { return test::asTestName(backend + (available() ? "_" + operation + "_" + variant : "_missing")); }

Target Subject::target(int threads) const {
    return {.backend = backend, .variant = variant, .device = 0, .threads = threads, .parts = parts};
}

const Implementation& Subject::implementation() const {
    for (const Implementation* i : processCatalog().implementations(operation, backend))
        if (i->variant() == variant) return *i;
    throw Error(ErrorCode::failed, name() + " is gone");
}

std::ostream& operator<<(std::ostream& out, const Subject& subject) { return out << subject.name(); }

/// Ranks run the implementations of other backends, so a selection of tests suffices for them: tests/mpi.
static bool testsRanks() { return std::getenv("PARALLAX_CONFORMANCE_OF_RANKS") != nullptr; }

std::vector<Subject> allSubjects() {
    std::vector<Subject> all;
    for (const auto& backend : processCatalog().backends()) {
        if (backend->id() == kUserBackend || backend->id() == kUserCudaBackend) continue;  // hold what users open
        if (backend->id() == "reference" || (runsOnlyWhenNamed(backend->id()) && !testsRanks())) continue;
        if (!backend->availability().yes) {
            all.push_back({backend->id(), "", ""});
            continue;
        }
        for (const Implementation* i : backend->implementations()) {
            if (!runsOnlyWhenNamed(backend->id())) all.push_back({backend->id(), i->operation(), i->variant()});
            else if (i->variant() == "openmp") all.push_back({backend->id(), i->operation(), i->variant(), 2});
        }
    }
    return all;
}

std::vector<Subject> subjectsOf(const std::string& operation) {
    std::vector<Subject> some;
    for (const Subject& s : allSubjects())
        if (s.operation == operation) some.push_back(s);
    return some;
}

std::string subjectName(const testing::TestParamInfo<Subject>& info) { return info.param.name(); }

int mostParts(const Subject& subject) {
    if (const auto ranks = processRanks()) return ranks->size();
    const Backend& backend = processCatalog().backend(subject.backend);
    RunContext context;
    if (isHostAccessible(backend.open(context)->memorySpace())) return kMaxParts;
    return static_cast<int>(backend.devices().size());
}

std::uint64_t Random::bits() {
    // SplitMix64 (Steele, Lea, Flood 2014).
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

std::string Picture::text() const {
    static const char* const names[] = {"noise", "hdr", "sun", "flat", "nan", "infinities", "mixed"};
    std::string all = std::to_string(shape.width) + "x" + std::to_string(shape.height) + "x" + std::to_string(shape.depth) + "," +
                      std::to_string(shape.channels) + "ch," + names[static_cast<int>(content)] + "," + std::to_string(seed);
    for (const auto& c : channels) all += "," + c;
    return all;
}

ImagePtr Picture::make() const {
    Image image(Buffer(shape), channels);
    Random random(seed);
    const View<float> v = image.view();
    const double level = random.uniform() * 3 + 0.1;
    const bool withNan = content == Content::nan || content == Content::mixed;
    const bool withInfinity = content == Content::infinities || content == Content::mixed;
    for (std::int64_t i = 0; i < shape.samples(); ++i) {
        float& sample = v.data[i];
        switch (content) {
            case Content::hdr: sample = static_cast<float>(std::exp2(random.uniform() * 20 - 10)); break;
            case Content::sun: sample = static_cast<float>(random.between(0, 1999) == 0 ? 6e4 : 0.01 + 0.99 * random.uniform()); break;
            case Content::flat: sample = static_cast<float>(level); break;
            default: sample = static_cast<float>(random.uniform() * 2 - 1);
        }
        // Few enough for most windows to stay finite.
        if (!withNan && !withInfinity) continue;
        const std::int64_t lot = random.between(0, 299);
        if (withNan && lot == 0) sample = std::numeric_limits<float>::quiet_NaN();
        if (withInfinity && lot == 1) sample = std::numeric_limits<float>::infinity();
        if (withInfinity && lot == 2) sample = -std::numeric_limits<float>::infinity();
    }
    return std::make_shared<const Image>(std::move(image));
}

ImagePtr Picture::makeFor(const Step& step) const {
    return std::make_shared<const Image>(sampleInputOf(*step.operation, step.parameters, make()->clone()));
}

Step makeStep(const std::string& operation, const ParameterBlock& parameters) {
    return {.operation = &processCatalog().operation(operation), .parameters = parameters};
}

Step makeStep(const std::string& operation, const std::vector<std::pair<std::string, std::string>>& values) {
    const Operation& op = processCatalog().operation(operation);
    ParameterBlock parameters(op.parameters());
    for (const auto& [key, value] : values) parameters.setText(key, value);
    return makeStep(operation, parameters);
}

namespace {

/// Before anything asks for the catalog: the example is held to the suite, too.
[[maybe_unused]] const bool kExamplesAreListed = ::setenv("PARALLAX_EXAMPLES", "1", 0) == 0;

Pipeline pipelineOf(const Step& step) {
    Pipeline p;
    p.steps.push_back(step);
    return p;
}

}  // namespace

const Image& referenceResult(const Step& step, const Picture& picture) {
    static std::map<std::string, Image> known;
    const std::string key = picture.text() + "|" + toText(step);
    const auto it = known.find(key);
    if (it != known.end()) return it->second;
    RunContext context;
    Image result = Engine(processCatalog()).run(pipelineOf(step), picture.makeFor(step), parseTarget("reference"), context).image;
    return known.emplace(key, std::move(result)).first->second;
}

void Tally::compare(const Step& step, const Picture& picture, int threads) {
    const ImagePtr image = picture.makeFor(step);
    const Problem problem = makeProblem(*image, step.parameters);
    const std::string what = toText(step) + " on " + picture.text();
    try {
        step.operation->check(problem);
    } catch (const Error& e) {
        ASSERT_EQ(e.code(), ErrorCode::usage) << what << ": " << e.what();
        ++impossible_;
        return;
    }
    const Engine engine(processCatalog());
    RunContext context;
    if (const Support support = subject_.implementation().supports(problem); !support) {
        ASSERT_FALSE(support.reason.empty()) << "refused without a reason: " << what;
        // The engine must refuse too: never something else in its place.
        if (reasons_[support.reason]++ == 0) {
            try {
                engine.prepare(pipelineOf(step), image, subject_.target(threads), context);
                ADD_FAILURE() << "supports() says no, the engine prepared it all the same: " << what;
            } catch (const Error& e) {
                EXPECT_EQ(e.code(), ErrorCode::unavailable) << e.what();
            }
        }
        ++refused_;
        return;
    }
    try {
        const Image& expected = referenceResult(step, picture);
        PreparedRun run = engine.prepare(pipelineOf(step), image, subject_.target(threads), context);
        ASSERT_EQ(run.plan().size(), 1U);
        ASSERT_TRUE((run.plan()[0].variant + ".").starts_with(subject_.variant + ".")) << "another implementation ran: " << what;
        run.run(context);
        const double tolerance = run.tolerance().absolute, ambiguous = run.tolerance().ambiguous;
        const DifferenceMetrics d =
            compareViews(expected.view(), run.output(), {.tolerance = tolerance, .localTolerance = run.localTolerance(), .worstCount = 1});
        ++ran_;
        if (d.maxAbs > tolerance && d.within(tolerance, ambiguous)) {
            const double part = static_cast<double>(*d.beyond) / static_cast<double>(d.compared) / ambiguous;
            decided_ += static_cast<std::int64_t>(*d.beyond);
            largestShare_ = std::max(largestShare_, part);
        } else if (const double part = d.closest ? d.closest->share : tolerance > 0 ? d.maxAbs / tolerance : 0; part > largestPart_) {
            largestPart_ = part;
            largestCase_ = what;
        }
        if (d.within(tolerance, ambiguous)) return;
        auto failure = testing::Message() << what << ": largest difference " << d.maxAbs << ", tolerance " << tolerance << ", beyond it "
                                          << d.beyond.value_or(0) << " of " << d.compared << " samples, allowed " << ambiguous
                                          << ", NaN mismatches " << d.nanMismatches << ", infinity mismatches " << d.infinityMismatches;
        if (!d.worst.empty())
            failure << "; at (" << d.worst[0].x << ", " << d.worst[0].y << ", " << d.worst[0].z << ", channel " << d.worst[0].channel
                    << ") reference " << d.worst[0].a << ", here " << d.worst[0].b;
        if (d.closest)
            failure << "; closest to its tolerance, " << d.closest->share << " of it: (" << d.closest->pixel.x << ", " << d.closest->pixel.y
                    << ", " << d.closest->pixel.z << ", channel " << d.closest->pixel.channel << ") reference " << d.closest->pixel.a
                    << ", here " << d.closest->pixel.b;
        ADD_FAILURE() << failure;
    } catch (const Error& e) {
        ADD_FAILURE() << what << ": " << e.what();
    }
}

void Tally::finish() {
    std::cout << "  " << subject_.name() << ": " << ran_ << " cases compared";
    if (impossible_ > 0) std::cout << ", " << impossible_ << " combinations that the operation itself refuses";
    if (refused_ > 0) std::cout << ", " << refused_ << " refused by the implementation";
    if (ran_ > 0) std::cout << "; largest error " << largestPart_ << " of the tolerance (" << largestCase_.substr(0, 120) << ")";
    if (decided_ > 0)
        std::cout << "; " << decided_ << " samples decided otherwise near a threshold, at most " << largestShare_ << " of what is allowed";
    std::cout << "\n";
    for (const auto& [reason, count] : reasons_) std::cout << "    refused " << count << " x: " << reason << "\n";
    testing::Test::RecordProperty("compared", std::to_string(ran_));
    testing::Test::RecordProperty("refused", std::to_string(refused_));
    if (ran_ == 0 && refused_ > 0) GTEST_SKIP() << "every case was refused: " << reasons_.begin()->first;
    EXPECT_GT(ran_, 0) << "nothing was compared";
}

void expectToStopSoon(const Subject& subject, const Pipeline& pipeline, const ImagePtr& image, int threads, int parts) {
    Target target = subject.target(threads);
    target.parts = parts;
    using Clock = std::chrono::steady_clock;
    const auto since = [](Clock::time_point t) { return std::chrono::duration<double, std::milli>(Clock::now() - t).count(); };
    constexpr double kSoon = 5000;   // a measurement would be below 100; this only catches a run that goes on to its end
    constexpr double kMoment = 250;  // a whole run that is too short to cancel
    double shortest = std::numeric_limits<double>::infinity();
    Promptness prompt(kSoon);
    for (double wait = 60; prompt.again(); wait /= 4) {
        std::stop_source stop;
        Progress progress;
        RunContext context;
        context.stop = stop.get_token();
        context.progress = &progress;
        PreparedRun run = Engine(processCatalog()).prepare(pipeline, image, target, context);
        std::atomic<bool> ended = false;
        const Clock::time_point begin = Clock::now();
        std::jthread other([&] {
            while (!ended && progress.fraction() <= 0 && since(begin) < wait) std::this_thread::sleep_for(std::chrono::milliseconds(1));
            prompt.start();
            stop.request_stop();
        });
        bool cancelled = false;
        try {
            run.run(context);
        } catch (const Error& e) {
            EXPECT_EQ(e.code(), ErrorCode::cancelled) << e.what();
            cancelled = true;
        }
        const double whole = since(begin);
        ended = true;
        other.join();
        if (cancelled) prompt.stop();
        else shortest = std::min(shortest, whole / slowness());
    }
    if (prompt.held()) {
        std::cout << "  " << subject.name() << ": stopped " << prompt.text() << "\n";
    } else {
        std::cout << "  " << subject.name() << ": " << prompt.text() << "; a whole run takes " << shortest << " ms\n";
        EXPECT_LT(shortest, kMoment) << prompt.text();
    }
}

}  // namespace parallax::conformance
