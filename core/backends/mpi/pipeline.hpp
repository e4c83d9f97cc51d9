// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "core/engine/run/remote_run.hpp"

namespace parallax {

/// RunsPipelines::preparePipeline() of ranks. A job that has ended is started again by the next run.
std::unique_ptr<RemoteRun> prepareOnRanks(const Target& target, const RunPlan& plan, const ImagePtr& input, std::vector<StepPlan>& records,
                                          RunContext& context);

}  // namespace parallax
