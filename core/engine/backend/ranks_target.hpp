// SPDX-License-Identifier: GPL-3.0-or-later
// Targets of the backend that starts ranks: their parts are ranks, and the number of these is always written, as in "mpi.openmp@1".
#pragma once

#include <string_view>

namespace parallax {

inline constexpr const char* kMpiBackend = "mpi";

/// Whether a backend starts processes. It then runs only where people name it: no default, preview or comparison takes it.
inline bool runsOnlyWhenNamed(std::string_view backend) { return backend == kMpiBackend; }

/// Ranks of a target that names none: the cores that this process may use, without hyper-threads.
int defaultRanks();
/// The same for a variant: of "cuda" and "cuda.direct" a rank for each device of this machine, at least one.
int defaultRanks(std::string_view variant);

}  // namespace parallax
