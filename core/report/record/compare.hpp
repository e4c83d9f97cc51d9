// SPDX-License-Identifier: GPL-3.0-or-later
// Two records of the same work: what became faster or slower.
#pragma once

#include <string>
#include <vector>

#include "core/engine/run/run_record.hpp"
#include "core/report/record/summary.hpp"

namespace parallax {

struct ComparedEntry {
    std::string label;
    double baseNs = 0, newNs = 0;          ///< medians of compute
    Interval ratio;                        ///< new / base
    Verdict verdict = Verdict::undecided;  ///< undecided too where one of them has fewer than kFewestBlocks blocks of several samples
    bool regression = false;               ///< SLOWER, and the whole 99 % interval lies beyond the limit
};
struct RecordComparison {
    std::vector<ComparedEntry> entries;
    std::vector<std::string> warnings;  ///< other machine, build, device, input or recipe; entries in one only; what the records warn of
    bool hasRegression() const;
};

/// `limitPercent` < 0: nothing counts as a regression.
RecordComparison compareRecords(const RunRecord& base, const RunRecord& current, double limitPercent);

/// A line an entry and a line a warning, for people.
std::string toText(const RecordComparison& comparison);

}  // namespace parallax
