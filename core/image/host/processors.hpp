// SPDX-License-Identifier: GPL-3.0-or-later
// Processors on which threads may run.
#pragma once

#include <sys/types.h>

#include <vector>

namespace parallax {

/// Processors that the calling thread may use, in ascending order; empty if unknown.
std::vector<int> usableProcessors();
/// Binds the calling thread, and those that it starts, to these processors. Nothing happens where the system does not allow it.
void bindTo(const std::vector<int>& processors);

/// Binds those threads of a process to the processors `to` that may use exactly the processors `from`: what binds its threads itself keeps
/// them where they are. `except`: a thread that is left alone, or 0.
void rebindThreads(pid_t process, const std::vector<int>& from, const std::vector<int>& to, pid_t except = 0);

}  // namespace parallax
