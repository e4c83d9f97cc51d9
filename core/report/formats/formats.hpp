// SPDX-License-Identifier: GPL-3.0-or-later
// Reports as text, one function a format. Files are written by report.hpp.
#pragma once

#include <string>
#include <vector>

#include "core/engine/run/run_record.hpp"
#include "core/report/charts/pictures.hpp"

namespace parallax {

/// Header and one row a sample (RFC 4180), times in ns; entries without samples have one row with empty times.
std::string toCsv(const std::vector<RunRecord>& records);
std::string toMarkdown(const std::vector<RunRecord>& records);
/// One table a record for a LaTeX document; the packages it needs are named in its first line.
std::string toLatex(const std::vector<RunRecord>& records);
/// One self-contained page: tables, charts as SVG (over the swept axis too), pictures, machine, command; nothing is fetched.
/// `pictures`: one a record or none; those beyond four megabytes are left out, and the page says so.
std::string toHtml(const std::vector<RunRecord>& records, const std::vector<ReportPictures>& pictures = {});
/// The same as a PDF document (A4): its bytes. Throws Error(usage) unless canMakePdf(), Error(failed, memory).
std::string toPdf(const std::vector<RunRecord>& records, const std::vector<ReportPictures>& pictures = {});
/// Whether this build can: it needs cairo.
bool canMakePdf();
/// Aligned columns; `colour` adds terminal colours.
std::string toTerminalTable(const RunRecord& record, bool colour);

}  // namespace parallax
