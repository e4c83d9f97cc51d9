// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/operation/plan_cache.hpp"

#include <gtest/gtest.h>

#include "core/engine/pipeline/pipeline.hpp"
#include "core/image/synthetic.hpp"

namespace parallax {
namespace {

struct Plan {
    int number;
};

TEST(PlanCache, PlansOnceForEachProblem) {
    int made = 0;
    const auto plan = [&](const Problem& problem) { return planOnce<Plan>(problem, [&] { return Plan{++made}; }).number; };
    const Image image = makeSynthetic({SyntheticKind::noise, {8, 8, 1, 1}, 1});
    Problem problem = makeProblem(image, parseStep(processCatalog(), "convolve").parameters);
    EXPECT_EQ(plan(problem), 1);
    EXPECT_EQ(plan(problem), 1);
    const Problem copy = problem;
    EXPECT_EQ(plan(copy), 1) << "copies share plans";
    problem.parameters.setText("size", "5");
    EXPECT_EQ(plan(problem), 2);
    EXPECT_EQ(plan(problem), 2);
    problem.shape.width = 4;
    EXPECT_EQ(plan(problem), 3);
    problem.statistics.max = 7;
    EXPECT_EQ(plan(problem), 4);
    problem.facts.push_back({"parallax.a", "b"});
    EXPECT_EQ(plan(problem), 5);
    problem.channelNames = {"R"};
    EXPECT_EQ(plan(problem), 6);
    problem.parameters.reset();
    EXPECT_EQ(plan(problem), 7);
    EXPECT_EQ(plan(copy), 8) << "only the plans of one problem are kept";
}

TEST(PlanCache, KeepsNothingWithoutACache) {
    int made = 0;
    const Problem problem{.shape = {4, 4, 1, 1}, .channelNames = {"Y"}, .statistics = {}, .parameters = {}, .facts = {}};
    for (int i = 1; i <= 2; ++i) EXPECT_EQ(planOnce<Plan>(problem, [&] { return Plan{++made}; }).number, i);
}

}  // namespace
}  // namespace parallax
