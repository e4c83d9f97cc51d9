// SPDX-License-Identifier: GPL-3.0-or-later
// Verification against the tolerance; a tolerance that allows any result is inconclusive.
#include "core/measure/sampling/verify.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "core/image/synthetic.hpp"
#include "core/measure/sampling/protocol.hpp"
#include "core/measure/sampling/sampler.hpp"

namespace parallax {
namespace {

DifferenceMetrics difference(double maxAbs, double peak) {
    DifferenceMetrics d;
    d.maxAbs = maxAbs;
    d.peak = peak;
    d.compared = 100;
    return d;
}

TEST(Verify, ToleranceAboveTheResultIsUnusable) {
    EXPECT_EQ(judge(difference(1e-7, 1), 1e-6, 0, 100), Verification::agrees);
    EXPECT_EQ(judge(difference(1e-5, 1), 1e-6, 0, 100), Verification::disagrees);
    EXPECT_EQ(judge(difference(1e-7, 1), 1.09e12, 0, 100), Verification::inconclusive);
    EXPECT_EQ(judge(difference(1e-7, 1), std::numeric_limits<double>::infinity(), 0, 100), Verification::inconclusive);
    EXPECT_EQ(judge(difference(1e-7, 1), std::numeric_limits<double>::quiet_NaN(), 0, 100), Verification::disagrees);
    EXPECT_EQ(judge(difference(0, 1), 1.09e12, 0, 100), Verification::agrees) << "equal is equal";
    EXPECT_EQ(judge(difference(2e12, 1), 1.09e12, 0, 100), Verification::disagrees);
    DifferenceMetrics nan = difference(0, 1);
    nan.nanMismatches = 1;
    EXPECT_EQ(judge(nan, 1.09e12, 0, 100), Verification::disagrees);
    // An edge filter of a flat image gives only rounding errors.
    EXPECT_EQ(judge(difference(1e-5, 1e-9), 1e-4, 0, 100), Verification::agrees);
}

TEST(Verify, AmbiguousShareOfHalfTheSamplesIsInconclusive) {
    DifferenceMetrics d = difference(1, 10);
    d.beyond = 40;
    EXPECT_EQ(judge(d, 1e-6, 0.45, 100), Verification::agrees);
    EXPECT_EQ(judge(d, 1e-6, 1, 100), Verification::inconclusive);
    d.maxAbs = 1e-7;
    EXPECT_EQ(judge(d, 1e-6, 1, 100), Verification::agrees) << "within the bound without it";
}

RunRecord measured(const Pipeline& pipeline) {
    MeasureOptions options;
    options.protocol = protocolFor("quick");
    options.protocol.minimumSeconds = 0;
    options.protocol.maximumSeconds = 0.1;
    const auto input = std::make_shared<Image>(makeSynthetic(parseSynthetic("synthetic:noise:61x47,channels=3")));
    for (std::int64_t i = 0; i < input->shape().samples(); ++i) input->view().data[i] *= 1000;
    return measureTargets(Engine(processCatalog()), pipeline, input, {parseTarget("reference"), parseTarget("openmp")}, options);
}

TEST(Verify, VerifiesStepsWhereTheirCombinedToleranceIsUnusable) {
    if (!processCatalog().backend("openmp").availability().yes) GTEST_SKIP() << "openmp is not available";
    const RunRecord r = measured(parsePipeline(processCatalog(), {"convolve:size=5", "tonemap"}));
    const RunEntry& e = r.entries[1];
    ASSERT_EQ(e.status, RunStatus::done) << e.reason;
    EXPECT_EQ(e.verification, Verification::agrees) << e.difference.maxAbs << ", allowed " << e.tolerance;
    EXPECT_FALSE(e.judgedStep.empty());
    EXPECT_LT(e.tolerance, 0.1) << "tolerance of a step";
    EXPECT_LE(e.difference.maxAbs, e.tolerance);
    EXPECT_TRUE(e.toleranceReason.starts_with("each step alone")) << e.toleranceReason;
    EXPECT_EQ(r.entries[0].verification, Verification::agrees);
    // The tolerance of the pipeline is used if it is conclusive.
    const RunRecord blurred = measured(parsePipeline(processCatalog(), {"convolve:size=5", "convolve:size=3"}));
    EXPECT_EQ(blurred.entries[1].verification, Verification::agrees);
    EXPECT_TRUE(blurred.entries[1].judgedStep.empty());
}

TEST(Verify, IgnoresStepsThatDoNotReproduceTheResult) {
    if (!processCatalog().backend("openmp").availability().yes) GTEST_SKIP() << "openmp is not available";
    const Pipeline pipeline = parsePipeline(processCatalog(), {"convolve:size=5", "tonemap"});
    const auto input = std::make_shared<const Image>(makeSynthetic(parseSynthetic("synthetic:noise:31x17")));
    const Engine engine(processCatalog());
    RunContext context;
    Image result = engine.run(pipeline, input, parseTarget("openmp"), context).image;
    EXPECT_TRUE(judgeSteps(engine, pipeline, input, parseTarget("openmp"), std::as_const(result).view(), context));
    result.view().at(3, 2) += 0.25F;
    EXPECT_FALSE(judgeSteps(engine, pipeline, input, parseTarget("openmp"), std::as_const(result).view(), context));
}

}  // namespace
}  // namespace parallax
