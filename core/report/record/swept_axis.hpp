// SPDX-License-Identifier: GPL-3.0-or-later
// Which value was swept over the records of one report, found from what differs between them, so that any report tells.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/engine/run/run_record.hpp"

namespace parallax {

struct SweptAxis {
    std::string title;               ///< "Edge, pixels", "Threads", "convolve: size"
    std::vector<double> values;      ///< one a record; 0, 1, 2, ... where `texts` is not empty
    std::vector<std::string> texts;  ///< of values that are no numbers
};

/// Nothing for fewer than two records or when more than one thing differs. A size counts as its edge when images are square,
/// else as the number of pixels. A parameter that a recipe does not name has its default.
std::optional<SweptAxis> sweptAxisOf(const std::vector<RunRecord>& records);

/// The label of an entry without what is swept: "openmp" of "openmp@4" over threads.
std::string seriesName(const RunEntry& entry, const SweptAxis& axis);

}  // namespace parallax
