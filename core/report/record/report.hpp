// SPDX-License-Identifier: GPL-3.0-or-later
// Reports as files.
#pragma once

#include <string>
#include <vector>

#include "core/engine/run/run_record.hpp"
#include "core/report/charts/pictures.hpp"

namespace parallax {

/// "json", "csv", "html", "md", "tex" and, where this build can make it, "pdf".
const std::vector<std::string>& reportExtensions();
/// Throws Error(usage) unless the extension is one of them: asked before long work.
void checkReportName(const std::string& path);
/// Whether a report of this name shows pictures: asked before they are made.
bool showsPictures(const std::string& path);
/// Writes whole or not at all; an existing file stays as it was when something fails. `pictures`: one a record or none; formats
/// without pictures leave them out. Throws Error(usage, output, failed, memory).
void writeReport(const std::vector<RunRecord>& records, const std::vector<ReportPictures>& pictures, const std::string& path,
                 bool overwrite);
inline void writeReport(const std::vector<RunRecord>& records, const std::string& path, bool overwrite) {
    writeReport(records, {}, path, overwrite);
}
inline void writeReport(const RunRecord& record, const std::string& path, bool overwrite) {
    writeReport(std::vector<RunRecord>{record}, path, overwrite);
}

}  // namespace parallax
