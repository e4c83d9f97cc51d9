// SPDX-License-Identifier: GPL-3.0-or-later
// Statements of operations about their results, and of the catalog about its backends.
#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "tests/conformance/case.hpp"
#include "tests/support/test_names.hpp"

namespace parallax::conformance {
namespace {

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
