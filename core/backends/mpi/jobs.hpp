// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <stop_token>

#include "core/backends/mpi/job.hpp"

namespace parallax {

/// Jobs that are kept between runs; the one that was used longest ago is ended first, unless a prepared pipeline needs it.
constexpr std::size_t kMostKeptJobs = 4;

/// The job of the launcher of now with so many ranks: one that is kept, or a new one. Throws like Job().
std::shared_ptr<Job> jobOf(int ranks, const std::stop_token& stop);
/// Ends all jobs that are kept, without waiting.
void endJobs() noexcept;

}  // namespace parallax
