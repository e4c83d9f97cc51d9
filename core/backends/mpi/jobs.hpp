// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <stop_token>

#include "core/backends/mpi/job.hpp"

namespace parallax {

/// Jobs that are kept between runs; the one that was used longest ago is ended first, unless a prepared pipeline needs it.
constexpr std::size_t kMaxKeptJobs = 4;

/// Returns a job of `ranks` ranks of the current launcher: a kept one, or a new one. Throws like Job().
std::shared_ptr<Job> jobOf(int ranks, const std::stop_token& stop);
/// Ends all jobs that are kept, without waiting.
void endJobs() noexcept;

}  // namespace parallax
