// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace parallax::app {

/// Ends the process with this exit code if it still runs in a second: a library that decodes a file cannot be interrupted. Removes
/// unfinished files. Call it when everything has been saved.
void endInTime(int code);

}  // namespace parallax::app
