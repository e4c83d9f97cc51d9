// SPDX-License-Identifier: GPL-3.0-or-later
// Records that may be given away: no names of hosts, files or folders.
#pragma once

#include "core/engine/run/run_record.hpp"

namespace parallax {

/// Takes out the host and every name of a file: of the input (generated images keep theirs), in the command that reproduces it and,
/// where they are quoted, in reasons and notes; and folders in compiler flags. Extensions stay, and so do the hash of the samples, the
/// machine and the times.
RunRecord redacted(RunRecord record);

}  // namespace parallax
