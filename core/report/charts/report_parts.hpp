// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of a report that are about several records: comparisons with baselines, sweeps, scaling over threads, and the roofline.
#pragma once

#include <string>
#include <vector>

#include "core/engine/run/run_record.hpp"
#include "core/report/charts/charts.hpp"
#include "core/report/charts/drawing.hpp"
#include "core/report/record/compare.hpp"
#include "core/report/record/record_groups.hpp"
#include "core/report/record/summary.hpp"

namespace parallax {

struct ReportPart {
    std::string title;  ///< "Scaling over threads, 4 measurements"
    std::vector<Drawing> charts;
    std::vector<std::string> sentences;           ///< what the charts say
    std::vector<std::vector<std::string>> table;  ///< the data of the charts; the first row is the heading
    std::vector<std::string> notes{};             ///< on the table
};

/// The comparison with baselines, sweeps in the order of the records, then the roofline if ceilings of the machine are known. Each backend
/// has the same colour and marker in all charts of sweeps and rooflines.
std::vector<ReportPart> partsOf(const std::vector<RunRecord>& records, const RecordGroups& groups,
                                const std::vector<NamedComparison>& comparisons = {});

/// Change of the compute time of each row against each baseline, with interval and verdict; without a title if there is none.
ReportPart comparisonPart(const std::vector<NamedComparison>& comparisons);

/// Compute and end to end over the swept axis; empty for fewer than two records.
std::vector<Drawing> sweepCharts(const std::vector<RunRecord>& records, SeriesStyles& styles);
/// Sentences on where the fastest backend changes, for compute, then end to end.
std::vector<std::string> sweepSentences(const std::vector<RunRecord>& records, const Signs& signs = kDocumentSigns);

}  // namespace parallax
