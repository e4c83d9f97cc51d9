// SPDX-License-Identifier: GPL-3.0-or-later
// Reports as text, one function for each format; report.hpp writes files.
#pragma once

#include <string>
#include <vector>

#include "core/engine/run/run_record.hpp"
#include "core/measure/sampling/recipes.hpp"
#include "core/report/charts/pictures.hpp"
#include "core/report/record/compare.hpp"

namespace parallax {

/// Title of the column of labels: "Backend", or "Recipe/backend" with named recipes.
inline const char* labelTitle(const RunRecord& record) { return hasNamedRecipes(record) ? "Recipe/backend" : "Backend"; }

// `comparisons`: of the records with baselines, or none.

/// Header and one row for each sample (RFC 4180), times in ns; an entry without samples has one row with empty times. A comparison has a
/// row for each entry and baseline, of the kind "comparison".
std::string toCsv(const std::vector<RunRecord>& records, const std::vector<NamedComparison>& comparisons = {});
std::string toMarkdown(const std::vector<RunRecord>& records, const std::vector<NamedComparison>& comparisons = {});
/// One table for each record; the first line names the packages to load.
std::string toLatex(const std::vector<RunRecord>& records, const std::vector<NamedComparison>& comparisons = {});
/// A self-contained page: tables, SVG charts, pictures, machine, command. `pictures`: one for each record, or none; limited to 4 MB in
/// total, with a note on the page.
std::string toHtml(const std::vector<RunRecord>& records, const std::vector<ReportPictures>& pictures = {},
                   const std::vector<NamedComparison>& comparisons = {});
/// The same as PDF (A4). Throws Error(usage) unless canMakePdf(), Error(failed, memory).
std::string toPdf(const std::vector<RunRecord>& records, const std::vector<ReportPictures>& pictures = {},
                  const std::vector<NamedComparison>& comparisons = {});
/// Whether this build has cairo.
bool canMakePdf();
/// Aligned columns, optionally in colour.
std::string toTerminalTable(const RunRecord& record, bool colour);

}  // namespace parallax
