// SPDX-License-Identifier: GPL-3.0-or-later
// Measures targets on an image; used by window and command line.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/engine/run/engine.hpp"
#include "core/engine/run/run_record.hpp"

namespace parallax {

struct MeasureOptions {
    ProtocolRecord protocol;
    std::string baseline;  ///< label; empty: "reference" if it is among the targets, else the first
    std::string command;   ///< command line that reproduces the record
    bool verify = true;    ///< against the reference, on this input
    std::stop_token stop;
    /// Called after each sample in the measuring thread, outside timed regions.
    std::function<void(const RunRecord&)> onProgress;
    /// Called once for each entry that ran, with its first result, before sampling. The views are valid during the call; `reference` is
    /// empty if the results could not be verified.
    std::function<void(std::size_t entry, const View<const float>& result, const View<const float>& reference)> onResult;
};

/// Label of a target in a record: "openmp.scalar", "openmp@4" with 4 threads, "cuda#1" on device 1.
std::string entryLabel(const Target& target);

/// Parses a label. Throws Error(usage).
Target targetOfLabel(const std::string& label);

/// Measures every target on the same input: prepares, runs once cold, verifies, warms up, then takes samples of all targets interleaved in
/// seeded random order until each is precise or out of time. A target that fails becomes an entry with the reason. A stop keeps finished
/// samples. Throws only Error(usage), for an invalid request.
RunRecord measureTargets(const Engine& engine, const Pipeline& pipeline, ImagePtr input, const std::vector<Target>& targets,
                         const MeasureOptions& options);

}  // namespace parallax
