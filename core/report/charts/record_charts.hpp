// SPDX-License-Identifier: GPL-3.0-or-later
// What reports draw of records.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/engine/run/run_record.hpp"
#include "core/report/charts/drawing.hpp"
#include "core/report/record/summary.hpp"

namespace parallax {

/// Compute, end to end with its stages, speedup: of one record. `rows` are summarise(record). Empty without samples.
std::vector<Drawing> chartsOf(const RunRecord& record, const std::vector<SummaryRow>& rows);
/// Compute and end to end over the swept axis; empty when the records are no sweep.
std::vector<Drawing> sweepCharts(const std::vector<RunRecord>& records);
/// From where on another one is the fastest, in sentences: of compute, then end to end. Empty where it is always the same one.
std::vector<std::string> sweepSentences(const std::vector<RunRecord>& records);

/// A fact and its lines: machine, devices, build and protocol, in order, with everything that a record holds about them.
struct MachineFact {
    std::string title;
    std::vector<std::string> lines;  ///< the first one is the main one
};
std::vector<MachineFact> machineFacts(const RunRecord& record);

/// Whether two records come from the same machine, build and command: then one table is enough for both.
bool sameSurroundings(const RunRecord& a, const RunRecord& b);

/// What the median does not tell: "least 1.2 ms, quartiles 1.3 - 1.4 ms, p95 1.5 ms; 20 samples, 1 outlier kept".
std::string spreadText(const SampleSummary& summary);
/// How the numbers are to be read; the same in every format.
std::string readingHelp();

}  // namespace parallax
