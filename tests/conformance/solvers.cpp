// SPDX-License-Identifier: GPL-3.0-or-later
// Every implementation that iterates ends at once when it is cancelled, as a moved slider does, whatever it is at.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <thread>

#include "core/engine/operation/refines.hpp"
#include "tests/conformance/case.hpp"
#include "tests/support/promptness.hpp"

namespace parallax::conformance {
namespace {

using Clock = std::chrono::steady_clock;

std::vector<Subject> iterativeSubjects() {
    std::vector<Subject> all;
    for (const auto& operation : processCatalog().operations())
        if (capability<Refines>(*operation)) {
            for (const Subject& subject : subjectsOf(operation->id())) all.push_back(subject);
            for (const Implementation* i : processCatalog().implementations(operation->id(), "reference"))
                all.push_back({"reference", operation->id(), i->variant()});
        }
    return all;
}

/// The sample problems that iterate and that this implementation solves for this image.
std::vector<Step> iterativeSteps(const Subject& subject, const Image& image) {
    const Operation& operation = processCatalog().operation(subject.operation);
    std::vector<Step> steps;
    for (const SampleProblem& p : operation.sampleProblems()) {
        if (!capability<Refines>(operation)->firstPicture(p.parameters)) continue;
        const Problem problem = makeProblem(image, p.parameters);
        try {
            operation.check(problem);
        } catch (const Error&) {
            continue;  // such as one that needs alpha
        }
        if (subject.implementation().supports(problem)) steps.push_back(makeStep(subject.operation, p.parameters));
    }
    return steps;
}

class IterativeConformance : public testing::TestWithParam<Subject> {
protected:
    /// The emulated device takes minutes for what is measured here.
    static bool emulated() { return std::getenv("PARALLAX_EMULATED_SEED") && GetParam().backend == "cuda"; }
};

TEST_P(IterativeConformance, StopsWithinATenthOfASecond) {
    if (emulated()) GTEST_SKIP() << "on the emulated device";
    constexpr double kSoon = kSanitized ? 1000 : 100;  // ms
    const ImagePtr image = Picture{.shape = {2048, 2048, 1, 1}, .content = Content::hdr, .seed = 61}.make();
    const std::vector<Step> steps = iterativeSteps(GetParam(), *image);
    if (steps.empty()) GTEST_SKIP() << "it solves no sample problem of this size";
    // From the beginning through the set-up into the iterations, of one problem after another.
    std::size_t turn = 0;
    for (const int wait : {5, 30, 80, 150, 300, 600, 1000}) {
        Pipeline pipeline;
        pipeline.steps.push_back(steps[turn++ % steps.size()]);
        SCOPED_TRACE(toText(pipeline.steps.front()) + ", stopped after " + std::to_string(wait) + " ms");
        bool endedBefore = false;
        Promptness prompt(kSoon, 6);
        while (prompt.again()) {
            std::stop_source stop;
            RunContext context;
            context.stop = stop.get_token();
            PreparedRun run = Engine(processCatalog()).prepare(pipeline, image, GetParam().target(), context);
            Clock::time_point asked;
            std::jthread other([&] {
                std::this_thread::sleep_for(std::chrono::milliseconds(wait));
                asked = Clock::now();
                stop.request_stop();
            });
            try {
                run.run(context);
            } catch (const Error& e) {
                EXPECT_EQ(e.code(), ErrorCode::cancelled) << e.what();
            }
            const Clock::time_point ended = Clock::now();
            other.join();
            endedBefore = ended < asked;
            if (endedBefore) break;
            // A run that takes no notice ends late as well.
            prompt.note(std::chrono::duration<double, std::milli>(ended - asked).count());
        }
        if (endedBefore) continue;
        std::cout << "  " << GetParam().name() << ", stopped after " << wait << " ms: " << prompt.text() << "\n";
        EXPECT_TRUE(prompt.held()) << prompt.text();
    }
}

INSTANTIATE_TEST_SUITE_P(All, IterativeConformance, testing::ValuesIn(iterativeSubjects()), subjectName);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(IterativeConformance);

}  // namespace
}  // namespace parallax::conformance
