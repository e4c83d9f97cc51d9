// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace parallax {

/// `parallax-worker launch [--own-folder] LAUNCHER ARGUMENT...`: runs a launcher for a client, and ends with it. Its standard input closes
/// when the client has ended, however it ended: ranks then have a second to end in order. SIGTERM ends them at once. No rank of this
/// machine outlives this process, not even one that hangs. With --own-folder, files of Open MPI are in a folder that is removed at the end.
/// Returns the exit code of the launcher, or ends by its signal. Call before any other thread exists.
int superviseLauncher(int argc, char** argv);

}  // namespace parallax
