// SPDX-License-Identifier: GPL-3.0-or-later
// Charts, facts and sentences of one record in a report; those of several records are in report_parts.hpp.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/engine/run/run_record.hpp"
#include "core/kernels/kernel_record.hpp"
#include "core/report/charts/drawing.hpp"
#include "core/report/record/summary.hpp"

namespace parallax {

/// Charts of one record: compute, end to end with its stages, speedup, then the parts of compute and the series of entries that have them.
/// `rows` is summarise(record). Empty without samples.
std::vector<Drawing> chartsOf(const RunRecord& record, const std::vector<SummaryRow>& rows);

/// The parts of the compute stage of each entry with their shares; the first row is the heading. Empty if no entry has parts.
std::vector<std::vector<std::string>> partsTable(const RunRecord& record);

/// A fact about machine, devices, build or protocol.
struct MachineFact {
    std::string title;
    std::vector<std::string> lines;  ///< the first is the main one
    bool measured = false;           ///< a figure that differs from one measurement to the next, as of ceilings
};
std::vector<MachineFact> machineFacts(const RunRecord& record);

/// Kernels of users in a record, without those that `first` has, too.
std::vector<KernelRecord> newKernelsOf(const RunRecord& record, const RunRecord* first);

/// Whether two records have the same machine, build and command, so that one table suffices. Measured facts may differ.
bool sameSurroundings(const RunRecord& a, const RunRecord& b);

/// "minimum 1.2 ms, quartiles 1.3 ms – 1.4 ms, p95 1.5 ms; 20 samples, 1 outlier kept".
std::string spreadText(const SampleSummary& summary);
/// Explanation of the numbers, the same in every format.
std::string readingHelp();

}  // namespace parallax
