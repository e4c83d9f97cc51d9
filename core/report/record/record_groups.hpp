// SPDX-License-Identifier: GPL-3.0-or-later
// Splits the records of a report into single measurements and sweeps.
#pragma once

#include <vector>

#include "core/engine/run/run_record.hpp"

namespace parallax {

/// Indices of records, each in exactly one group.
struct RecordGroups {
    std::vector<std::size_t> single;
    std::vector<std::vector<std::size_t>> sweeps;  ///< at least two points each
};
/// The points of a sweep share its axis and the command that measures it. Several records without an axis are a sweep of an older version,
/// unless there are records with one.
RecordGroups groupsOf(const std::vector<RunRecord>& records);

/// Copies of the records with these indices.
std::vector<RunRecord> selected(const std::vector<RunRecord>& records, const std::vector<std::size_t>& indices);

}  // namespace parallax
