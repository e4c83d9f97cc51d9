// SPDX-License-Identifier: GPL-3.0-or-later

#include <gtest/gtest.h>

#include <cstdlib>

#include "core/image/error.hpp"
#include "core/measure/sampling/protocol.hpp"
#include "core/measure/sampling/statistics.hpp"

namespace parallax {
namespace {

TEST(Verdict, FollowsTheWholeInterval) {
    EXPECT_EQ(judge({1.5, 2.5}), Verdict::faster);
    EXPECT_EQ(judge({0.4, 0.6}), Verdict::slower);
    EXPECT_EQ(judge({0.99, 1.01}), Verdict::same);
    EXPECT_EQ(judge({1, 1}), Verdict::same);
    EXPECT_EQ(judge({0.8, 1.3}), Verdict::undecided);
    EXPECT_EQ(judge({0.99, 1.2}), Verdict::undecided);
    // On one side of 1, but within the margin.
    EXPECT_EQ(judge({1.005, 1.03}), Verdict::undecided);
    EXPECT_EQ(judge({0.97, 0.995}), Verdict::undecided);
    EXPECT_EQ(judge({1.03, 1.04}), Verdict::faster);
    EXPECT_EQ(judge({0.96, 0.97}), Verdict::slower);
}

TEST(Verdict, IsUndecidedWithoutSamples) { EXPECT_EQ(judge({0, 0}), Verdict::undecided); }

TEST(Verdict, Names) {
    EXPECT_EQ(verdictName(Verdict::faster), "FASTER");
    EXPECT_EQ(verdictName(Verdict::slower), "SLOWER");
    EXPECT_EQ(verdictName(Verdict::same), "SAME");
    EXPECT_EQ(verdictName(Verdict::undecided), "UNDECIDED");
}

TEST(Protocol, LimitsGrowWithTheEffort) {
    const ProtocolRecord quick = protocolFor("quick"), normal = protocolFor("normal"), thorough = protocolFor("thorough");
    EXPECT_LT(quick.minimumSamples, normal.minimumSamples);
    EXPECT_LT(normal.minimumSamples, thorough.minimumSamples);
    EXPECT_EQ(normal.warmUp, 3);
    EXPECT_EQ(normal.minimumSamples, 10);
    EXPECT_EQ(normal.minimumSeconds, 0.5);
    EXPECT_EQ(normal.maximumSeconds, 15);
    EXPECT_EQ(normal.targetNoise, 0.01);
    EXPECT_EQ(quick.effort, "quick");
    for (const auto& e : efforts()) EXPECT_EQ(protocolFor(e).effort, e);
}

TEST(Protocol, TheEnvironmentLimitsTheSamplingTime) {
    const char* const name = "PARALLAX_SAMPLING_SECONDS";
    ASSERT_EQ(setenv(name, "0.05", 1), 0);
    const ProtocolRecord quick = protocolFor("quick");
    EXPECT_EQ(quick.minimumSeconds, 0.05);
    EXPECT_EQ(quick.maximumSeconds, 0.05);
    EXPECT_EQ(quick.minimumSamples, 5);
    ASSERT_EQ(setenv(name, "1", 1), 0);
    EXPECT_EQ(protocolFor("quick").minimumSeconds, 0.1);
    EXPECT_EQ(protocolFor("quick").maximumSeconds, 1);
    for (const char* wrong : {"0", "-1", "nan", "inf", "1s", "x"}) {
        ASSERT_EQ(setenv(name, wrong, 1), 0);
        EXPECT_THROW((void)protocolFor("quick"), Error) << wrong;
    }
    ASSERT_EQ(unsetenv(name), 0);
    EXPECT_EQ(protocolFor("quick").maximumSeconds, 3);
}

TEST(Protocol, RejectsUnknownEffortsAndListsTheKnown) {
    try {
        (void)protocolFor("heroic");
        FAIL();
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ErrorCode::usage);
        EXPECT_NE(std::string(e.what()).find("normal"), std::string::npos);
    }
}

}  // namespace
}  // namespace parallax
