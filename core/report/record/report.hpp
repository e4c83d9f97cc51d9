// SPDX-License-Identifier: GPL-3.0-or-later
// Reports as files.
#pragma once

#include <string>
#include <vector>

#include "core/engine/run/run_record.hpp"
#include "core/report/charts/pictures.hpp"
#include "core/report/record/compare.hpp"

namespace parallax {

/// "json", "csv", "html", "md", "tex" and, if canMakePdf(), "pdf".
const std::vector<std::string>& reportExtensions();
/// Throws Error(usage) for an unknown extension. Call it before measuring.
void checkReportName(const std::string& path);
/// Whether the format of this file name has pictures.
bool showsPictures(const std::string& path);
/// The contents of a report.
struct Report {
    std::vector<RunRecord> records;
    std::vector<ReportPictures> pictures{};      ///< one for each record, or none
    std::vector<NamedComparison> comparisons{};  ///< of the records with baselines
};

/// Reads a JSON report. Throws Error(input).
Report loadReport(const std::string& path);
/// Writes atomically: after an error an existing file is unchanged. Throws Error(usage, output, failed, memory).
void writeReport(const Report& report, const std::string& path, bool overwrite);
inline void writeReport(const RunRecord& record, const std::string& path, bool overwrite) {
    writeReport(Report{.records = {record}}, path, overwrite);
}

}  // namespace parallax
