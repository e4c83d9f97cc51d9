// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace parallax {

/// Processors that the calling thread may use, in ascending order; empty if unknown.
std::vector<int> usableProcessors();
/// Binds the calling thread, and those that it starts, to these processors.
void bindTo(const std::vector<int>& processors);

/// The share of one of several processes that may all use `processors`: neighbours, at least one. Processes share processors if there are
/// more of the former.
std::vector<int> shareOf(const std::vector<int>& processors, int process, int processes);

}  // namespace parallax
