// SPDX-License-Identifier: GPL-3.0-or-later
// --sweep: the same measurement over a list of values.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "parallax/engine/pipeline.hpp"

namespace parallax::cli {

/// One point of a sweep: what is measured there.
struct SweepPoint {
    std::string name;  ///< "size=1024", empty without a sweep
    ImagePtr input;
    Pipeline pipeline;
    std::vector<Target> targets;
};

/// Throws Error(usage) unless every value can be used: asked before long work.
void checkSweep(const std::string& sweep, const Pipeline& pipeline);

/// size=512,1024 (square inputs: generated anew, or the image cut or repeated), threads=1,2 or ID.name=a,b. Points are made one
/// at a time, so that only one input is in memory. Throws Error(usage).
void forEachPoint(const std::string& sweep, const SweepPoint& base, const std::function<void(const SweepPoint&)>& visit);

}  // namespace parallax::cli
