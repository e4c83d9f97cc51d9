// SPDX-License-Identifier: GPL-3.0-or-later
// Records without names of hosts, files and folders, for sharing.
#pragma once

#include "core/engine/run/run_record.hpp"
#include "core/report/record/compare.hpp"

namespace parallax {

/// Removes host names, file names in input (except generated images), command, reasons and notes, folders in compiler flags, and sources
/// and commands of kernels. Keeps extensions, the hash of the samples, the machine and the times.
RunRecord redacted(RunRecord record);
/// Removes the notes, which quote both records, and the name of the baseline if it is that of a file.
NamedComparison redacted(NamedComparison comparison);

}  // namespace parallax
