// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/pipeline/first_picture.hpp"

#include <gtest/gtest.h>

#include <string>
#include <variant>

#include "core/engine/operation/refines.hpp"
#include "core/engine/run/run_record.hpp"
#include "core/solvers/solve.hpp"

namespace parallax {
namespace {

const Catalog& catalog() { return processCatalog(); }

bool hasSeries(const Operation& operation, const std::string& key) {
    for (const RunSeriesInfo& info : seriesOf(operation))
        if (info.key == key) return true;
    return false;
}

TEST(FirstPicture, IsOfferedByEveryOperationWithAResidualPerIteration) {
    int refined = 0;
    for (const auto& operation : catalog().operations()) {
        SCOPED_TRACE(operation->id());
        const auto* refines = capability<Refines>(*operation);
        ASSERT_EQ(refines != nullptr, hasSeries(*operation, solvers::kConvergence));
        if (!refines) continue;
        bool known = false;
        for (const StatisticInfo& info : statisticsOf(*operation)) known = known || info.key == refines->residualKey();
        EXPECT_TRUE(known);
        for (const SampleProblem& p : operation->sampleProblems()) {
            const auto early = refines->firstPicture(p.parameters);
            if (!early) continue;
            ++refined;
            EXPECT_LT(std::get<std::int64_t>(early->get("iterations")), std::get<std::int64_t>(p.parameters.get("iterations")));
            // Everything but the end of the solve is that of the result.
            for (const ParameterInfo& info : operation->parameters().infos())
                if (info.key != "iterations" && info.key != "tolerance") {
                    EXPECT_EQ(early->get(info.key), p.parameters.get(info.key)) << info.key;
                }
            EXPECT_FALSE(refines->firstPicture(*early)) << "nothing is left to shorten";
        }
    }
    EXPECT_GE(refined, 4);
}

TEST(FirstPicture, LeavesStepsThatDoNotIterate) {
    EXPECT_FALSE(firstPictureOf(parsePipeline(catalog(), {})));
    EXPECT_FALSE(firstPictureOf(parsePipeline(catalog(), {"convolve:size=3", "tonemap:operator=local"})));
    EXPECT_FALSE(firstPictureOf(parsePipeline(catalog(), {"diffuse:iterations=8"})));
    EXPECT_FALSE(firstPictureOf(parsePipeline(catalog(), {"poisson:tolerance=0.1"})));
    Pipeline pipeline = parsePipeline(catalog(), {"convolve:size=3", "diffuse:lambda=2", "tonemap:operator=gradient,beta=0.8"});
    const auto first = firstPictureOf(pipeline);
    ASSERT_TRUE(first);
    ASSERT_EQ(first->steps.size(), 3U);
    EXPECT_EQ(toText(first->steps[0]), "convolve:size=3");
    EXPECT_EQ(toText(first->steps[1]), "diffuse:lambda=2,tolerance=0.05,iterations=16");
    EXPECT_EQ(toText(first->steps[2]), "tonemap:operator=gradient,beta=0.8,iterations=4");
    const auto biharmonic = firstPictureOf(parsePipeline(catalog(), {"fill:interpolation=biharmonic"}));
    ASSERT_TRUE(biharmonic);
    EXPECT_EQ(toText(biharmonic->steps[0]), "fill:interpolation=biharmonic,tolerance=0.001,iterations=16");
    pipeline.steps[1].enabled = pipeline.steps[2].enabled = false;
    EXPECT_FALSE(firstPictureOf(pipeline));
}

TEST(FirstPicture, HasTheLargestResidualOfItsSteps) {
    Pipeline pipeline = parsePipeline(catalog(), {"convolve:size=3", "fill", "diffuse", "poisson"});
    pipeline.steps[1].enabled = false;
    const auto statistic = [](int step, const std::string& key, double value) {
        StatisticRecord record;
        record.step = step;
        record.key = key;
        record.value = value;
        return record;
    };
    EXPECT_FALSE(residualOf(pipeline, {}));
    // Indices count the enabled steps: 0 is the convolution.
    const std::vector<StatisticRecord> statistics{statistic(0, "residual", 9), statistic(1, "residual", 0.02),
                                                  statistic(1, "iterations", 4), statistic(2, "residual", 0.04)};
    EXPECT_EQ(residualOf(pipeline, statistics), 0.04);
}

}  // namespace
}  // namespace parallax
