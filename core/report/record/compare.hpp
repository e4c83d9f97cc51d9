// SPDX-License-Identifier: GPL-3.0-or-later
// Comparison of two records of the same pipeline.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/engine/run/run_record.hpp"
#include "core/report/record/summary.hpp"

namespace parallax {

struct ComparedEntry {
    std::string label;
    double baseNs = 0, newNs = 0;          ///< medians of compute
    Interval ratio;                        ///< new / base
    Verdict verdict = Verdict::undecided;  ///< undecided too if a record has fewer than kFewestBlocks blocks of several samples
    std::optional<bool> sameResult = {};   ///< same bits, by SHA-256; absent in records of older versions
    bool regression = false;               ///< SLOWER, and the 99 % interval exceeds the limit

    /// New median divided by the base median; NaN if the base has none.
    double ratioOfMedians() const;
};
struct RecordComparison {
    std::vector<ComparedEntry> entries;
    std::vector<std::string> warnings;  ///< different machine, build, device, input, recipe, kernels or entries; warnings of the records
    bool hasRegression() const;
};

/// The comparison with a baseline, which has a name.
struct NamedComparison {
    std::string name;
    RecordComparison result;
};

/// `limitPercent` < 0: no entry is a regression.
RecordComparison compareRecords(const RunRecord& base, const RunRecord& current, double limitPercent);

/// One line for each entry and each warning.
std::string toText(const RecordComparison& comparison);

}  // namespace parallax
