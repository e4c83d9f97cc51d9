// SPDX-License-Identifier: GPL-3.0-or-later
// Sweeps: the same measurement over a list of sizes, thread counts, part counts or parameter values.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/engine/pipeline/pipeline.hpp"
#include "core/engine/run/run_record.hpp"
#include "core/measure/sampling/sampler.hpp"

namespace parallax {

/// One point of a sweep.
struct SweepPoint {
    SweepRecord at;  ///< empty without a sweep
    ImagePtr input;
    std::vector<NamedPipeline> recipes;
    std::vector<Target> targets;

    /// "size=1024"; empty without a sweep.
    std::string name() const { return at.axis.empty() ? std::string() : at.axis + "=" + at.value; }
};

/// Progress of a sweep.
struct SweepPosition {
    std::size_t index = 0, count = 1;
    std::optional<double> secondsLeft;  ///< for this point and the following ones; unknown for the first
};

/// An axis that can be swept, with suggested values.
struct SweepAxis {
    enum class Kind { size, threads, parts, parameter };
    Kind kind = Kind::size;
    std::string key;                           ///< "size", "threads", "parts", "weak", "convolve.size"
    const Operation* operation = nullptr;      ///< of a parameter axis
    const ParameterInfo* parameter = nullptr;  ///< lives as long as the operation
    bool changesWork = true;                   ///< the work depends on the value
    std::vector<std::string> values;           ///< suggested, ascending
};

/// Throws Error(usage) unless every value is valid. Empty text: no sweep.
void checkSweep(const std::string& sweep, const std::vector<NamedPipeline>& recipes);

/// size=512,1024 (square inputs: generated, or the image cropped or tiled), threads=1,2, parts=1,2, weak=1,2 (parts, with as many times the
/// rows of the image, or the slices of a volume) or ID.name=a,b. A parameter is set in every step of the operation; recipes without the
/// operation stay as they are. One input is in memory at a time. Ends when `visit` returns false. Throws Error(usage), Error(cancelled).
void forEachPoint(const std::string& sweep, const SweepPoint& base,
                  const std::function<bool(const SweepPoint&, const SweepPosition&)>& visit, const std::stop_token& stop = {});

/// Estimated seconds of the remaining points: at least the mean and the last one each, since points usually grow. Nothing without a
/// finished point.
std::optional<double> sweepSecondsLeft(const std::vector<double>& took, std::size_t count);

/// Size, threads, parts and weak scaling if there is more than one device, then each numeric parameter that has an effect, those that
/// change the work first. An operation that occurs twice is listed once, since a sweep sets both.
std::vector<SweepAxis> sweepAxes(const Pipeline& pipeline, const Image& input, int devices = 1);

}  // namespace parallax
