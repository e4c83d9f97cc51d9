// SPDX-License-Identifier: GPL-3.0-or-later
// The same measurement over a list of values: sizes, numbers of threads or values of a parameter. The command line and the window
// ask here for the points.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/engine/pipeline/pipeline.hpp"
#include "core/engine/run/run_record.hpp"

namespace parallax {

/// One point of a sweep: what is measured there.
struct SweepPoint {
    SweepRecord at;  ///< empty without a sweep
    ImagePtr input;
    Pipeline pipeline;
    std::vector<Target> targets;

    /// "size=1024"; empty without a sweep.
    std::string name() const { return at.axis.empty() ? std::string() : at.axis + "=" + at.value; }
};

/// Where a sweep is.
struct SweepPosition {
    std::size_t index = 0, count = 1;
    std::optional<double> secondsLeft;  ///< for this point and those after it; not known before one is done
};

/// What a sweep can go over, and values that are worth it.
struct SweepAxis {
    enum class Kind { size, threads, parameter };
    Kind kind = Kind::size;
    std::string key;                           ///< as in the text of a sweep: "size", "threads", "convolve.size"
    const Operation* operation = nullptr;      ///< of a parameter
    const ParameterInfo* parameter = nullptr;  ///< lives as long as the operation
    bool changesWork = true;                   ///< does the model count more work for larger values?
    std::vector<std::string> values;           ///< suggested, growing
};

/// Throws Error(usage) unless every value can be used: asked before long work. Empty text: no sweep.
void checkSweep(const std::string& sweep, const Pipeline& pipeline);

/// size=512,1024 (square inputs: generated anew, or the image cut or repeated), threads=1,2 or ID.name=a,b. Points are made one
/// at a time, so that only one input is in memory. A visit that returns false ends it. Throws Error(usage).
void forEachPoint(const std::string& sweep, const SweepPoint& base,
                  const std::function<bool(const SweepPoint&, const SweepPosition&)>& visit);

/// How long the points that are not done will take, from what the others took: points grow as a rule, so that none is expected to
/// be shorter than the last one. Nothing before the first is done.
std::optional<double> sweepSecondsLeft(const std::vector<double>& took, std::size_t count);

/// Size, threads, then each whole or real parameter that matters with the present values, those that change the work first. Of an
/// operation that comes twice the command line sets all, so it is listed once.
std::vector<SweepAxis> sweepAxes(const Pipeline& pipeline, const Image& input);

}  // namespace parallax
