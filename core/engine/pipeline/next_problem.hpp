// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/pipeline/pipeline.hpp"

namespace parallax {

/// Returns the problem that the output of an operation is for the next step: its shape, channels, spacing and facts. Parameters are still
/// those of `problem`, and so are the statistics: they are not known without a run.
Problem problemAfter(const Operation& operation, const Problem& problem);

/// Returns the shape of the result of the enabled steps. Throws Error(usage) if one of them does not accept its input.
Shape resultShape(const Pipeline& pipeline, const Image& input);

}  // namespace parallax
