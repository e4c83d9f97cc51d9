// SPDX-License-Identifier: GPL-3.0-or-later
// The exchange of a device group without any work beside it.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "gpu/parallel/links.hpp"

namespace parallax::gpu {

/// All launchers: `rounds` exchanges within one kernel; *nanoseconds, page-locked, receives the time of all of them. All members take part,
/// each with its own links. Flags have been reset.

/// A flag that one member raises and the next one answers, between members 0 and 1.
void launchRoundTrips(const SumLinks& links, int rounds, volatile long long* nanoseconds, cudaStream_t stream);
/// One row of `count` doubles to each neighbour, then the flags. Null: no neighbour.
void launchRowExchange(const SumLinks& links, const double* row, double* above, double* below, std::int64_t count, int rounds,
                       volatile long long* nanoseconds, cudaStream_t stream);
/// Sums of two values.
void launchSumExchange(const SumLinks& links, int rounds, volatile long long* nanoseconds, cudaStream_t stream);

}  // namespace parallax::gpu
