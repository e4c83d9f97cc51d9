// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/sampling/protocol.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "core/image/error.hpp"
#include "core/image/texts.hpp"
#include "core/measure/sampling/reference_cost.hpp"

namespace parallax {

namespace {

struct Effort {
    std::string_view name;
    int warmUp, minimumSamples;
    double minimumSeconds, maximumSeconds, targetNoise;
};
constexpr Effort kEfforts[] = {{"quick", 1, 5, 0.1, 3, 0.05}, {"normal", 3, 10, 0.5, 15, 0.01}, {"thorough", 5, 30, 3, 60, 0.005}};

/// Infinity if the variable is not set.
double secondsOfEnvironment(const char* name) {
    const char* const text = std::getenv(name);
    if (!text || !*text) return std::numeric_limits<double>::infinity();
    double seconds = 0;
    if (!parseNumber(std::string_view(text), seconds) || !std::isfinite(seconds) || seconds <= 0)
        throw Error(ErrorCode::usage, std::string(name) + " is '" + text + "'", "a number of seconds above 0 is needed");
    return seconds;
}

/// PARALLAX_SAMPLING_SECONDS: upper limit of the time for the samples of a row.
ProtocolRecord limited(ProtocolRecord protocol) {
    const double seconds = secondsOfEnvironment("PARALLAX_SAMPLING_SECONDS");
    protocol.minimumSeconds = std::min(protocol.minimumSeconds, seconds);
    protocol.maximumSeconds = std::min(protocol.maximumSeconds, seconds);
    return protocol;
}

}  // namespace

const std::vector<std::string>& efforts() {
    static const std::vector<std::string> names{"quick", "normal", "thorough"};
    return names;
}

ProtocolRecord protocolFor(const std::string& effort) {
    for (const auto& [name, warmUp, samples, least, most, noise] : kEfforts)
        if (name == effort) return limited({effort, warmUp, samples, least, most, noise, 1});
    throw Error(ErrorCode::usage, "Unknown effort '" + effort + "'", "known are " + joined(efforts()));
}

double longestReferenceSeconds() { return std::min(kLongestReferenceSeconds, secondsOfEnvironment("PARALLAX_REFERENCE_SECONDS")); }

}  // namespace parallax
