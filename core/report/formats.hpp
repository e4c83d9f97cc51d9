// SPDX-License-Identifier: GPL-3.0-or-later
// Reports as text, one function a format. Files are written by report.hpp.
#pragma once

#include <string>
#include <vector>

#include "parallax/engine/run_record.hpp"

namespace parallax {

/// Header and one row a sample (RFC 4180), times in ns; entries without samples have one row with empty times.
std::string toCsv(const std::vector<RunRecord>& records);
std::string toMarkdown(const std::vector<RunRecord>& records);
/// One table a record for a LaTeX document; the packages it needs are named in its first line.
std::string toLatex(const std::vector<RunRecord>& records);
/// One self-contained page: table, charts as SVG, machine, command; nothing is fetched.
std::string toHtml(const std::vector<RunRecord>& records);
/// Aligned columns; `colour` adds terminal colours.
std::string toTerminalTable(const RunRecord& record, bool colour);

}  // namespace parallax
