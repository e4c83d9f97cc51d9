// SPDX-License-Identifier: GPL-3.0-or-later
// Records without names of hosts, files and folders, for sharing.
#pragma once

#include "core/engine/run/run_record.hpp"

namespace parallax {

/// Removes host names, file names in input (except generated images), command, reasons and notes, folders in compiler flags, and sources
/// and commands of kernels. Keeps extensions, the hash of the samples, the machine and the times.
RunRecord redacted(RunRecord record);

}  // namespace parallax
