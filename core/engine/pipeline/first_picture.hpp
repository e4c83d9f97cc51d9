// SPDX-License-Identifier: GPL-3.0-or-later
// First pictures of pipelines: see Refines.
#pragma once

#include <optional>
#include <span>

#include "core/engine/pipeline/pipeline.hpp"

namespace parallax {

struct StatisticRecord;

/// Returns the pipeline with an early end of each enabled step that iterates; empty if there is none.
std::optional<Pipeline> firstPictureOf(const Pipeline& pipeline);
/// Returns the largest relative residual of the steps that iterate, among the statistics of a run of this pipeline; empty if it has none.
std::optional<double> residualOf(const Pipeline& pipeline, std::span<const StatisticRecord> statistics);

}  // namespace parallax
