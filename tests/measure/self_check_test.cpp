// SPDX-License-Identifier: GPL-3.0-or-later
// Verdicts with simulated time and noise, independent of the machine, and a small self-check on this machine.
#include "core/measure/self_check/self_check.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <random>

#include "core/backends/reference/backend.hpp"
#include "core/image/synthetic.hpp"
#include "core/measure/sampling/protocol.hpp"
#include "core/measure/sampling/schedule.hpp"
#include "core/operations/catalog.hpp"

namespace parallax {
namespace {

/// Uses the bits of the generator: distributions differ between standard libraries.
class Noise {
public:
    explicit Noise(std::uint64_t seed) : random_(seed) {}
    double uniform() { return static_cast<double>(random_() >> 11) * 0x1p-53; }
    double normal() {
        double sum = -6;
        for (int i = 0; i < 12; ++i) sum += uniform();
        return sum;
    }

private:
    std::mt19937_64 random_;
};

/// Time of work that takes about 4 ms, in units of that, at this simulated moment of its trial, seconds.
using Machine = std::function<double(Noise& noise, double now)>;

struct NamedMachine {
    std::string name;
    Machine time;
    /// By how much the work may be slower, for as long as its buffers lie where they do: each place by a share of this.
    double places = 0;
};

std::vector<NamedMachine> machines() {
    return {
        {"quiet", [](Noise& n, double) { return 1 + 0.003 * n.normal(); }},
        {"normal noise", [](Noise& n, double) { return 1 + 0.03 * n.normal(); }},
        {"strong noise", [](Noise& n, double) { return std::exp(0.2 * n.normal()); }},
        {"long tail", [](Noise& n, double) { return 1 - 0.05 * std::log(1 - n.uniform()); }},
        {"two clocks", [](Noise& n, double) { return (n.uniform() < 0.4 ? 1.25 : 1) + 0.01 * n.normal(); }},
        {"interrupts", [](Noise& n, double) { return 1 + 0.005 * n.normal() + (n.uniform() < 0.1 ? 3 * n.uniform() : 0); }},
        {"drift", [](Noise& n, double now) { return 1 + 0.4 * now + 0.01 * n.normal(); }},
        {"slow waves", [](Noise& n, double now) { return 1 + 0.1 * std::sin(50 * now) + 0.01 * n.normal(); }},
        // As observed with two hardware threads: one of two equal runs 6 % slower throughout.
        {"places", [](Noise& n, double) { return 1 + 0.01 * n.normal(); }, 0.07},
    };
}

/// Runs the schedule of a measurement on simulated time; the second candidate takes `ratio` times as long.
MeasurePair simulated(const NamedMachine& machine, double ratio, const ProtocolRecord& protocol) {
    return [=](int trial) {
        ProtocolRecord p = protocol;
        p.seed = static_cast<std::uint64_t>(trial) + 1;
        SamplingSchedule schedule(p, 2);
        Noise noise(7919 * static_cast<std::uint64_t>(trial) + 13);
        double now = 0.126 * noise.uniform();  // random phase
        std::array<double, 2> place{};
        const auto prepare = [&](std::size_t who) {
            place[who] = 1 + machine.places * noise.uniform();
            schedule.prepared(who, 0.004);
        };
        prepare(0);
        prepare(1);
        for (;;) {
            if (schedule.beginsBlock())
                for (const std::size_t again : schedule.toPrepareAgain()) prepare(again);
            const auto who = schedule.next();
            if (!who) break;
            const double seconds = 0.004 * std::max(1e-3, machine.time(noise, now)) * (*who == 1 ? ratio : 1) * place[*who];
            now += seconds;
            schedule.add(*who, 1e9 * seconds, seconds);
        }
        return SamplePair{{schedule.values(0), schedule.blocks(0)}, {schedule.values(1), schedule.blocks(1)}};
    };
}

class EveryEffort : public ::testing::TestWithParam<std::string> {
protected:
    static ProtocolRecord protocol() {
        ProtocolRecord p = GetParam() == "self-check" ? selfCheckProtocol() : protocolFor(GetParam());
        // Shortened, since each simulated sample costs a bootstrap.
        p.minimumSeconds = std::min(p.minimumSeconds, 0.1);
        p.maximumSeconds = std::min(p.maximumSeconds, 0.3);
        return p;
    }
};

TEST_P(EveryEffort, SameWorkIsRarelyFasterOrSlower) {
    for (const NamedMachine& m : machines()) {
        const SameWorkCheck c = checkSameWork(200, simulated(m, 1, protocol()));
        EXPECT_TRUE(c.passed()) << m.name << ": " << c.same << " same, " << c.undecided << " undecided, " << c.faster << " faster, "
                                << c.slower << " slower";
        EXPECT_EQ(c.same + c.undecided + c.faster + c.slower, 200) << m.name;
    }
}

TEST_P(EveryEffort, FindsSlowedWorkWithItsTrueRatio) {
    for (const NamedMachine& m : machines()) {
        // With a noise of 25 %, a slowdown of 25 % needs more samples than these.
        if (m.name == "strong noise" || m.name == "two clocks") continue;
        const SlowedCheck c = checkSlowed("a quarter more", 1.25, 40, simulated(m, 1.25, protocol()));
        // Twenty samples of a lower effort miss in one of ten trials.
        if (m.name == "interrupts" && GetParam() != "self-check") {
            EXPECT_GE(c.found, 28);
            EXPECT_GE(c.inside, 36);
            continue;
        }
        EXPECT_TRUE(c.passed()) << m.name << ": " << c.found << " found, " << c.inside << " inside, ratio " << c.medianRatio;
        EXPECT_NEAR(c.medianRatio, 1.25, 0.02) << m.name;
    }
}

INSTANTIATE_TEST_SUITE_P(Protocol, EveryEffort, ::testing::Values("quick", "normal", "self-check"),
                         [](const auto& one) { return one.param == "self-check" ? std::string("selfCheck") : one.param; });

TEST(SelfCheck, QuietMachineGivesSame) { EXPECT_GE(checkSameWork(50, simulated(machines().front(), 1, selfCheckProtocol())).same, 48); }

TEST(SelfCheck, FailsForAMeasurementThatFavoursOneSide) {
    // The second side always runs 5 % slower.
    const SameWorkCheck c = checkSameWork(100, simulated(machines().front(), 1.05, selfCheckProtocol()));
    EXPECT_FALSE(c.passed());
    EXPECT_EQ(c.slower, 100);
}

TEST(SelfCheck, EndsWhenTooFewTrialsCanBeTheSame) {
    const auto trials = [](double ratio, double leastSame) {
        return checkSameWork(20, simulated(machines().front(), ratio, selfCheckProtocol()), leastSame).trials;
    };
    EXPECT_EQ(trials(1, 0.95), 20);
    EXPECT_EQ(trials(1.05, 0.95), 2);
    EXPECT_EQ(trials(1.05, 0), 20);
}

TEST(SelfCheck, FailsForAWrongRatio) {
    // The measured ratio is 1.20 instead of 1.25.
    const SlowedCheck c = checkSlowed("wrong", 1.25, 20, simulated(machines().front(), 1.2, selfCheckProtocol()));
    EXPECT_EQ(c.found, 20);
    EXPECT_EQ(c.inside, 0);
    EXPECT_FALSE(c.passed());
}

TEST(SelfCheck, PiecesMustLieWithinTheRunAndFillIt) {
    const auto timesWith = [](std::vector<StageTimes::Piece> pieces) {
        StageTimes t;
        t[Stage::allocate] = 50;
        t.extendSpan(Stage::allocate, 0, 50);
        t.setPieces(std::move(pieces));
        t.setOverlapped(1000, 100);
        return t;
    };
    const PieceCheck good = checkPieces(timesWith({{Stage::upload, 0, {50, 300}},
                                                   {Stage::compute, 0, {300, 400}},
                                                   {Stage::upload, 1, {310, 600}},
                                                   {Stage::download, 0, {600, 1005}}}));
    EXPECT_EQ(good.wrong, "") << "a hundredth is how well clocks agree";
    EXPECT_DOUBLE_EQ(good.covered, 1.005);
    EXPECT_DOUBLE_EQ(checkPieces(timesWith({{Stage::upload, 0, {100, 300}}, {Stage::download, 0, {200, 800}}})).covered, 0.75);
    EXPECT_EQ(checkPieces(timesWith({})).wrong, "the run has no pieces");
    EXPECT_EQ(checkPieces(timesWith({{Stage::upload, 0, {-20, 300}}})).wrong, "the upload of strip 0 begins before the run");
    EXPECT_EQ(checkPieces(timesWith({{Stage::compute, 3, {20, 1020}}})).wrong, "the compute of strip 3 ends after the run");
    EXPECT_EQ(checkPieces(timesWith({{Stage::compute, 3, {20, 10}}})).wrong, "the compute of strip 3 ends before it begins");
    StageTimes longer = timesWith({{Stage::compute, 0, {0, 900}}});
    longer[Stage::compute] = 1200;
    EXPECT_EQ(checkPieces(longer).wrong, "compute takes longer than the run");

    StageSumCheck check = checkStageSums({100, 100}, {100, 100});
    check.overlapped = true;
    EXPECT_FALSE(check.passed()) << "nothing is covered";
    check.covered = 0.95;
    EXPECT_TRUE(check.passed());
    check.wrongPieces = "the run has no pieces";
    EXPECT_FALSE(check.passed());
}

TEST(SelfCheck, FailsForStagesThatDoNotSumToTheRun) {
    EXPECT_TRUE(checkStageSums({99, 100, 99}, {100, 100, 100}).passed());
    EXPECT_FALSE(checkStageSums({90, 91, 90}, {100, 100, 100}).passed());
    EXPECT_FALSE(checkStageSums({110, 110, 110}, {100, 100, 100}).passed());
    EXPECT_FALSE(checkStageSums({}, {}).passed());
}

TEST(SelfCheck, FailsWithoutMeasurements) {
    EXPECT_FALSE(SameWorkCheck{}.passed());
    EXPECT_FALSE(SlowedCheck{}.passed());
    EXPECT_FALSE(SelfCheckResult{}.passed());
}

class SelfCheckHere : public ::testing::Test {
protected:
    SelfCheckHere()
        : catalog_(makeOperations(), {makeReferenceBackend(), makeUnavailableBackend("absent", "Absent", {false, "Away", "Wait"})}) {
        options_.target.backend = "reference";
        options_.protocol = selfCheckProtocol();
        options_.protocol.minimumSamples = 3;
        options_.protocol.minimumSeconds = 0;
        options_.protocol.maximumSeconds = 0.05;
        options_.trials = 4;
        options_.slowedTrials = 2;
        options_.kernelTrials = 0;
    }
    SelfCheckResult run() {
        return selfCheck(catalog_, std::make_shared<Image>(makeSynthetic(parseSynthetic("synthetic:noise:64x64"))), options_);
    }

    Catalog catalog_;
    SelfCheckOptions options_;
};

TEST_F(SelfCheckHere, RunsEveryCheck) {
    double last = 0;
    options_.onProgress = [&](const std::string& what, double fraction) {
        EXPECT_FALSE(what.empty());
        EXPECT_GT(fraction, last);
        last = fraction;
    };
    // A busy machine may disturb one attempt.
    const auto calm = [](const SelfCheckResult& r) {
        return r.stages.samples >= 15 && r.stages.share > 0.5 &&
               std::all_of(r.slowed.begin(), r.slowed.end(), [](const SlowedCheck& s) { return s.medianRatio > 0.5 && s.medianRatio < 3; });
    };
    SelfCheckResult r = run();
    for (int attempt = 1; attempt < 6 && !calm(r); ++attempt) {
        last = 0;
        r = run();
    }
    EXPECT_DOUBLE_EQ(last, 1);
    EXPECT_TRUE(r.complete);
    EXPECT_EQ(r.label, "reference");
    EXPECT_EQ(r.sameWork.trials, 4);
    EXPECT_EQ(r.kernel.skipped, "no trials were asked for");
    EXPECT_EQ(r.cudaKernel.skipped, "no trials were asked for");
    ASSERT_EQ(r.slowed.size(), 2U);
    for (const SlowedCheck& s : r.slowed) {
        EXPECT_EQ(s.trials, 2);
        EXPECT_EQ(s.trueRatio, 1.25);
        EXPECT_GT(s.medianRatio, 0.5) << s.name;
        EXPECT_LT(s.medianRatio, 3) << s.name;
    }
    EXPECT_GE(r.stages.samples, 15);
    EXPECT_GT(r.stages.share, 0.5);
    EXPECT_GT(r.overhead.timerResolution, 0);
    EXPECT_GT(r.overhead.clockRead, 0);
    EXPECT_GT(r.overhead.run, 0);
}

TEST_F(SelfCheckHere, ComparesAKernelWithTheSameCodeInThisProcess) {
    options_.kernelTrials = 3;
    const SelfCheckResult r = run();
    EXPECT_TRUE(r.complete);
    EXPECT_EQ(r.kernel.skipped, "");
    EXPECT_NE(r.kernel.compiler, "");
    const SameWorkCheck& same = r.kernel.sameWork;
    EXPECT_TRUE(same.trials == 3 || (same.trials > 0 && same.same < same.trials)) << "it ends early when it cannot pass any more";
    EXPECT_NE(r.cudaKernel.skipped.find("'cuda'"), std::string::npos) << r.cudaKernel.skipped;
    EXPECT_TRUE(r.cudaKernel.passed());
}

TEST_F(SelfCheckHere, SkipsTheKernelWithoutACompiler) {
    const char* const before = std::getenv("PARALLAX_KERNEL_CXX");
    const std::string kept = before ? before : "";
    setenv("PARALLAX_KERNEL_CXX", "/no/such/compiler", 1);
    options_.kernelTrials = 3;
    const SelfCheckResult r = run();
    if (before) setenv("PARALLAX_KERNEL_CXX", kept.c_str(), 1);
    else unsetenv("PARALLAX_KERNEL_CXX");
    EXPECT_TRUE(r.complete);
    EXPECT_NE(r.kernel.skipped.find("PARALLAX_KERNEL_CXX"), std::string::npos) << r.kernel.skipped;
    EXPECT_EQ(r.kernel.sameWork.trials, 0);
    EXPECT_TRUE(r.kernel.passed());
}

TEST(SelfCheck, FailsForAKernelWhoseProcessChangesItsTimes) {
    SelfCheckResult r;
    r.kernel.sameWork = checkSameWork(20, simulated(machines().front(), 1.05, selfCheckProtocol()));
    EXPECT_FALSE(r.kernel.passed());
    EXPECT_DOUBLE_EQ(r.kernel.sameWork.sameShare(), 0);
}

TEST(SelfCheck, AKernelMustBeTheSameInNearlyAllTrials) {
    KernelCheckResult r;
    EXPECT_FALSE(r.passed()) << "nothing was measured";
    r.sameWork.trials = 40;
    r.sameWork.same = 38;
    r.sameWork.undecided = 2;
    EXPECT_TRUE(r.passed());
    r.sameWork.same = 37;
    r.sameWork.undecided = 3;
    EXPECT_FALSE(r.passed());
    EXPECT_TRUE(r.noisy());
    r.sameWork.undecided = 0;
    r.sameWork.slower = 3;
    EXPECT_FALSE(r.passed());
    EXPECT_FALSE(r.noisy());
}

TEST_F(SelfCheckHere, ChoosesAStepWithEnoughWork) {
    const Image input = makeSynthetic(parseSynthetic("synthetic:noise:64x64"));
    const Step step = parseStep(catalog_, selfCheckStep(catalog_, options_.target, input));
    const double flops = step.operation->work(makeProblem(input, step.parameters)).flops / static_cast<double>(input.shape().samples());
    EXPECT_GT(flops, 200);
    EXPECT_LE(flops, 2000);
}

TEST_F(SelfCheckHere, StopLeavesItIncompleteAndFailed) {
    std::stop_source source;
    options_.stop = source.get_token();
    options_.onProgress = [&](const std::string&, double) { source.request_stop(); };
    const SelfCheckResult r = run();
    EXPECT_FALSE(r.complete);
    EXPECT_FALSE(r.passed());
    ASSERT_FALSE(r.slowed.empty());
    EXPECT_EQ(r.slowed[0].trials, 1);  // what was measured is kept
    EXPECT_GT(r.slowed[0].medianRatio, 0);
    EXPECT_EQ(r.sameWork.trials, 0);
}

TEST_F(SelfCheckHere, RejectsUnavailableTargets) {
    options_.target.backend = "absent";
    EXPECT_THROW((void)run(), Error);
    options_.target.backend = "nonsense";
    EXPECT_THROW((void)run(), Error);
    options_.target.backend = "reference";
    options_.trials = 0;
    EXPECT_THROW((void)run(), Error);
}

}  // namespace
}  // namespace parallax
