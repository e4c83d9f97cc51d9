// SPDX-License-Identifier: GPL-3.0-or-later
// Measures pipelines on targets and an image; used by window and command line.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/engine/run/engine.hpp"
#include "core/engine/run/run_record.hpp"
#include "core/measure/sampling/recipes.hpp"
#include "core/measure/sampling/rows.hpp"

namespace parallax {

struct MeasureOptions {
    ProtocolRecord protocol;
    std::string baseline;  ///< label; empty: that of defaultBaseline()
    std::string command;   ///< command line that reproduces the record
    bool verify = true;    ///< against the reference, on this input
    /// Looks at the bits of each result after its run, outside timed regions: RunEntry::bits.
    bool bits = false;
    /// Measures RunEntry::energy after the timing samples, where the device tells it: half a second for each row.
    bool energy = false;
    std::stop_token stop;
    /// Gets the points of the series of each first run while it runs; may be null. Run names are labels of entries.
    std::shared_ptr<LiveSeries> live;
    /// Called after each sample in the measuring thread, outside timed regions.
    std::function<void(const RunRecord&)> onProgress;
    /// Called once for each entry that ran, with its first result, before sampling. The views are valid during the call; `reference` is
    /// empty if the results could not be verified.
    std::function<void(std::size_t entry, const View<const float>& result, const View<const float>& reference)> onResult;
    /// Computes RunEntry::metrics of each verified result but the reference's own, before sampling. Errors become warnings of the entry.
    std::function<ResultMetrics(const View<const float>& reference, const View<const float>& result, RunContext&)> metrics;
};

/// Measures all rows on the same input: prepares, runs once cold, verifies each against the reference of its recipe, warms up, then takes
/// samples of all rows interleaved in seeded random order until each is precise or out of time. A row that fails becomes an entry with the
/// reason. A stop keeps finished samples. Throws only Error(usage), for an invalid request.
RunRecord measureRecipes(const Engine& engine, const std::vector<NamedPipeline>& recipes, ImagePtr input,
                         const std::vector<MeasuredRow>& rows, const MeasureOptions& options);

/// measureRecipes() of one pipeline without a name.
RunRecord measureTargets(const Engine& engine, const Pipeline& pipeline, ImagePtr input, const std::vector<Target>& targets,
                         const MeasureOptions& options);

}  // namespace parallax
