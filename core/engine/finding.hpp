// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace parallax {

/// A number that a run found beside the samples, for people and records: {"threshold, level 1", 23.4, ""}.
struct Finding {
    std::string name;
    double value = 0;
    std::string unit;  ///< empty: that of the samples, or none
};

}  // namespace parallax
