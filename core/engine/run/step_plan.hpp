// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/engine/operation/capabilities.hpp"

namespace parallax {

/// What runs as one step of a pipeline, for people and records.
struct StepPlan {
    std::string step;            ///< as toText(Step)
    std::string implementation;  ///< "convolve / cuda / tiled"
    std::string variant;
    std::string reason;  ///< why this variant runs
    Work work;
    Tolerance tolerance;             ///< of this step alone
    std::vector<std::string> notes;  ///< notesOn() its parameters
    std::vector<Region> regions;     ///< of its output
};

}  // namespace parallax
