// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of executions that work on the whole image only.
#pragma once

#include <functional>

#include "core/engine/parts/part_execution.hpp"

namespace parallax {

/// Calls run() on rank 0 with the whole input and a result of the same shape. The other parts send their rows or slices, wait, and get
/// those of the result, so that each has the bits of one part. Views are in host memory; arguments as those of PartExecution::runPart().
void runOnFirstPart(const ImagePart& part, const View<const float>& input, const View<float>& output, Communicator& communicator,
                    const std::function<void(const View<const float>& input, const View<float>& output)>& run);

}  // namespace parallax
