// SPDX-License-Identifier: GPL-3.0-or-later
// Reports as files.
#pragma once

#include <string>
#include <vector>

#include "parallax/engine/run_record.hpp"

namespace parallax {

/// "json", "csv", "html", "md", "tex".
const std::vector<std::string>& reportExtensions();
/// Throws Error(usage) unless the extension is one of them: asked before long work.
void checkReportName(const std::string& path);
/// Writes whole or not at all. Throws Error(usage, output).
void writeReport(const std::vector<RunRecord>& records, const std::string& path, bool overwrite);
inline void writeReport(const RunRecord& record, const std::string& path, bool overwrite) {
    writeReport(std::vector<RunRecord>{record}, path, overwrite);
}

}  // namespace parallax
