// SPDX-License-Identifier: GPL-3.0-or-later
// Reports and exit code of a measurement.
#pragma once

#include <vector>

#include "app/cli/bench/bench_arguments.hpp"
#include "core/engine/run/run_record.hpp"
#include "core/image/image.hpp"
#include "core/report/record/report.hpp"

namespace parallax::cli {

/// Throws Error(usage, output) for a report that cannot be written or is given twice.
void checkReports(const BenchArguments& arguments);
/// File names and pictures may identify a patient, so records of DICOM leave them out unless --patient is given.
bool redacts(const BenchArguments& arguments, const Image& input);
bool measuredAny(const std::vector<RunRecord>& records);
/// Prints the records with --json, too. Reports that exist stay as they are if nothing was measured. Throws Error(output).
void writeReports(const Report& report, const BenchArguments& arguments);
/// Prints the reason of an exit code other than kSuccess.
int exitCodeFor(const std::vector<RunRecord>& records, const BenchArguments& arguments);

}  // namespace parallax::cli
