// SPDX-License-Identifier: GPL-3.0-or-later
// The fixture of tests that every implementation of every operation in the catalog passes.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "core/engine/operation/capabilities.hpp"
#include "core/engine/operation/refines.hpp"
#include "tests/conformance/case.hpp"

namespace parallax::conformance {

class Conformance : public testing::TestWithParam<Subject> {
protected:
    void SetUp() override {
        if (GetParam().available()) return;
        const Availability why = processCatalog().backend(GetParam().backend).availability();
        GTEST_SKIP() << "backend " << GetParam().backend << " is not available: " << why.reason;
    }
    const Operation& operation() const { return processCatalog().operation(GetParam().operation); }
    /// Whether runs with these parameters iterate: the reference takes long for them.
    bool isIterative(const ParameterBlock& parameters) const {
        const auto* refines = capability<Refines>(operation());
        return refines && refines->firstPicture(parameters);
    }
    const Backend& backend() const { return processCatalog().backend(GetParam().backend); }
    std::vector<SampleProblem> problems() const { return operation().sampleProblems(); }
    /// Seed of the emulated device (tests/emulated_device), which needs much longer for each case; 0: no such device.
    std::uint64_t emulatedSeed() const {
        const char* seed = std::getenv("PARALLAX_EMULATED_SEED");
        return seed && GetParam().backend == "cuda" ? std::strtoull(seed, nullptr, 10) : 0;
    }

    /// Does the operation accept it, and the implementation?
    bool accepted(const Problem& problem) const { return !refusal(problem); }
    std::optional<std::string> refusal(const Problem& problem) const {
        try {
            operation().check(problem);
        } catch (const Error& e) {
            return e.what();
        }
        const Support support = GetParam().implementation().supports(problem);
        return support ? std::nullopt : std::optional(support.reason);
    }

    struct Case {
        Picture picture;
        SampleProblem problem;
    };
    /// The first problem that is accepted for a picture of this kind: with the channels that it has, or as a grey or a colour image. Skips
    /// the test if there is none, as with a peer that is not installed.
    std::optional<Case> firstCase(Picture picture) const {
        std::string why;
        for (const std::int64_t channels : {picture.shape.channels, std::int64_t{1}, std::int64_t{3}}) {
            picture.shape.channels = channels;
            for (const SampleProblem& p : problems()) {
                const auto refused = refusal(makeProblem(*picture.makeFor(makeStep(GetParam().operation, p.parameters)), p.parameters));
                if (!refused) return Case{picture, p};
                if (why.empty()) why = *refused;
            }
        }
        [&] { GTEST_SKIP() << why; }();
        return std::nullopt;
    }
};

}  // namespace parallax::conformance
