// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/sampling/protocol.hpp"

#include "core/image/error.hpp"

namespace parallax {

const std::vector<std::string>& efforts() {
    static const std::vector<std::string> names{"quick", "normal", "thorough"};
    return names;
}

ProtocolRecord protocolFor(const std::string& effort) {
    ProtocolRecord p;
    p.effort = effort;
    p.seed = 1;
    if (effort == "quick") {
        p.warmUp = 1, p.minimumSamples = 5, p.minimumSeconds = 0.1, p.maximumSeconds = 3, p.targetNoise = 0.05;
    } else if (effort == "normal") {
        p.warmUp = 3, p.minimumSamples = 10, p.minimumSeconds = 0.5, p.maximumSeconds = 15, p.targetNoise = 0.01;
    } else if (effort == "thorough") {
        p.warmUp = 5, p.minimumSamples = 30, p.minimumSeconds = 3, p.maximumSeconds = 60, p.targetNoise = 0.005;
    } else {
        throw Error(ErrorCode::usage, "Unknown effort '" + effort + "'", "known are quick, normal, thorough");
    }
    return p;
}

}  // namespace parallax
