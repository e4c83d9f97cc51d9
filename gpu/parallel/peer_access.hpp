// SPDX-License-Identifier: GPL-3.0-or-later
// Access of the devices of a group to the memory of each other.
#pragma once

#include <string>
#include <vector>

namespace parallax::gpu {

/// Why the devices cannot access the memory of each other; empty if all can. The environment variable PARALLAX_CUDA_PEER_ACCESS=off denies
/// it, for tests.
std::string whyNoPeerAccess(const std::vector<int>& devices);

/// Gives each device access to the memory pools of the others, once in a process. Throws Error(failed). Only without a reason above.
void enablePeerAccess(const std::vector<int>& devices);

}  // namespace parallax::gpu
