// SPDX-License-Identifier: GPL-3.0-or-later
// One comparison of an implementation with the reference, and what all suites share.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/engine/run/engine.hpp"
#include "core/image/difference.hpp"

namespace parallax::conformance {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

/// Implementation under test; without an operation it stands for a backend that is not available.
struct Subject {
    std::string backend, operation, variant;
    int parts = 1;
    bool available() const { return !operation.empty(); }
    std::string name() const;  ///< of the test: "openmp_convolve_direct"
    Target target(int threads = 0) const;
    const Implementation& implementation() const;
};
std::ostream& operator<<(std::ostream& out, const Subject& subject);
/// Every implementation of every backend but the reference, and every backend that is not there.
std::vector<Subject> allSubjects();
std::vector<Subject> subjectsOf(const std::string& operation);
std::string subjectName(const testing::TestParamInfo<Subject>& info);
/// Most parts that its backend can work on here: kMaxParts in host memory, else one for each device. On ranks: their number.
int mostParts(const Subject& subject);

enum class Content {
    signedNoise,  ///< uniform in [-1, 1)
    hdr,          ///< 2^-10 .. 2^10, as light is
    sun,          ///< light in [0.01, 1), one sample in 2,000 of it 6e4
    flat,         ///< one value everywhere: rounding errors all go the same way
    nan,          ///< signed noise with some NaN
    infinities,   ///< signed noise with some infinities of both signs
    mixed         ///< both
};

/// The same picture for the same description, everywhere.
struct Picture {
    Shape shape;
    Content content = Content::signedNoise;
    std::uint64_t seed = 1;
    std::vector<std::string> channels;  ///< names; default ones if empty
    std::string text() const;
    ImagePtr make() const;
    /// Input of an operation with these parameters: the picture, or coefficients made from it.
    ImagePtr makeFor(const Step& step) const;
};

/// Uniform numbers without the library's distributions, which differ between systems.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed * 2654435769U + 1) {}
    std::uint64_t bits();
    double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
    std::int64_t between(std::int64_t first, std::int64_t last) {
        return first + static_cast<std::int64_t>(bits() % static_cast<std::uint64_t>(last - first + 1));
    }
    template <class T>
    const T& of(const std::vector<T>& list) {
        return list[static_cast<std::size_t>(between(0, static_cast<std::int64_t>(list.size()) - 1))];
    }

private:
    std::uint64_t state_;
};

/// Counts what ran and what an implementation refused, with its reasons: nothing is left out silently.
class Tally {
public:
    explicit Tally(Subject subject) : subject_(std::move(subject)) {}
    /// Compares one case through the engine. Fails the test when it disagrees, throws, or refuses against its word.
    void compare(const Step& step, const Picture& picture, int threads = 0);
    /// Prints the counts; skips the test if everything was refused.
    void finish();
    std::int64_t ran() const { return ran_; }

private:
    Subject subject_;
    std::int64_t ran_ = 0, refused_ = 0, impossible_ = 0;
    double largestPart_ = 0;  ///< of the tolerance
    std::int64_t decided_ = 0;
    double largestShare_ = 0;  ///< of Tolerance::ambiguous
    std::string largestCase_;
    std::map<std::string, std::int64_t> reasons_;
};

/// Runs this and asks it to stop as soon as it shows progress, or after some time: it must end as cancelled, and soon, in one of some
/// attempts. A run that is over before anybody could have asked is none; where that is so each time, it must have been over within a
/// moment.
void expectToStopSoon(const Subject& subject, const Pipeline& pipeline, const ImagePtr& image, int threads = 0, int parts = 1);

/// The reference's result, computed once for each picture and step.
const Image& referenceResult(const Step& step, const Picture& picture);

/// Step of an operation with parameters as text: {{"kernel", "box"}, {"size", "4"}}.
Step makeStep(const std::string& operation, const std::vector<std::pair<std::string, std::string>>& values);
Step makeStep(const std::string& operation, const ParameterBlock& parameters);

}  // namespace parallax::conformance
