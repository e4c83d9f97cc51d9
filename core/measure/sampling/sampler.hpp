// SPDX-License-Identifier: GPL-3.0-or-later
// The measuring core: window, command line and reports all use it.
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
    std::string command;   ///< that reproduces the record
    bool verify = true;    ///< against the reference, on this input
    std::stop_token stop;
    /// After each sample, from the measuring thread, never inside a timed region.
    std::function<void(const RunRecord&)> onProgress;
    /// Once for each entry that ran, with its first result, before any sample is taken: for pictures of it. The views are valid during the
    /// call; `reference` has no samples when nothing could be verified.
    std::function<void(std::size_t entry, const View<const float>& result, const View<const float>& reference)> onResult;
};

/// Label of a target in a record: "openmp.scalar", "openmp@4" with a number of threads, "cuda#1" on another device.
std::string entryLabel(const Target& target);

/// The target that such a label means. Throws Error(usage) for what is no label.
Target targetOfLabel(const std::string& label);

/// Measures every target on the same input: prepare and a cold run apart, verified, warmed up, then samples of all targets
/// interleaved in seeded random order until each is precise enough or out of time. A target that fails is an entry with the
/// reason; the others go on. A stop keeps what is done. Throws only Error(usage) for a request that makes no sense.
RunRecord measureTargets(const Engine& engine, const Pipeline& pipeline, ImagePtr input, const std::vector<Target>& targets,
                         const MeasureOptions& options);

}  // namespace parallax
