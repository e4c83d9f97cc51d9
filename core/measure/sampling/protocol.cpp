// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/sampling/protocol.hpp"

#include "core/image/error.hpp"
#include "core/image/texts.hpp"

namespace parallax {

namespace {

struct Effort {
    std::string_view name;
    int warmUp, minimumSamples;
    double minimumSeconds, maximumSeconds, targetNoise;
};
constexpr Effort kEfforts[] = {{"quick", 1, 5, 0.1, 3, 0.05}, {"normal", 3, 10, 0.5, 15, 0.01}, {"thorough", 5, 30, 3, 60, 0.005}};

}  // namespace

const std::vector<std::string>& efforts() {
    static const std::vector<std::string> names{"quick", "normal", "thorough"};
    return names;
}

ProtocolRecord protocolFor(const std::string& effort) {
    for (const auto& [name, warmUp, samples, least, most, noise] : kEfforts)
        if (name == effort) return {effort, warmUp, samples, least, most, noise, 1};
    throw Error(ErrorCode::usage, "Unknown effort '" + effort + "'", "known are " + joined(efforts()));
}

}  // namespace parallax
