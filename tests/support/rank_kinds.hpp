// SPDX-License-Identifier: GPL-3.0-or-later
// The ranks on which the tests of communicators run: threads of this process, or processes of an MPI job, which all run the same tests.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/parallel/communicator.hpp"

namespace parallax {

/// Kinds of communicators that this program has: "threads", or "overlapped", "blocking", ...
std::vector<std::string> rankKinds();
void useRanks(const std::string& kind);
/// Whether this process is, or has, one of the first `size` ranks. The others take no part in run().
bool hasRanks(int size);
/// Calls work() on each of the first `size` ranks. Rethrows the first error on all of them. `stop` counts where rank 0 is.
void runOnRanks(int size, const std::function<void(Communicator&)>& work, const std::stop_token& stop = {});

}  // namespace parallax
