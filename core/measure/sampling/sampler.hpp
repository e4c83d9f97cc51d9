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

/// What one row of a record measures: a recipe on a target.
struct MeasuredRow {
    std::size_t recipe = 0;  ///< index
    Target target;
};

/// Every recipe on every target, the rows of a recipe together.
std::vector<MeasuredRow> rowsOf(std::size_t recipes, const std::vector<Target>& targets);

/// Index of the row that speedups refer to unless another one is chosen: the first of openmp.scalar with one thread, openmp with one
/// thread, any but the reference, any. The reference is an oracle in double precision, not a program that anyone would run.
std::size_t defaultBaseline(const std::vector<MeasuredRow>& rows);
/// Adds the row that the default baseline should be where backends are measured beside the reference and it is missing: openmp.scalar with
/// one thread if all steps have it, else openmp with one thread, last of the rows of the first recipe with the reference. Nothing without
/// the backend openmp.
void addSerialBaseline(const Catalog& catalog, const std::vector<NamedPipeline>& recipes, std::vector<MeasuredRow>& rows);

/// Label of a row in a record: "openmp.scalar", "openmp:4t" with 4 threads, "openmp@2" on 2 parts, "cuda#1" on device 1,
/// "B/openmp" of the recipe B.
std::string entryLabel(const Target& target, const std::string& recipe = {});

/// The target of a label, whatever its recipe. Throws Error(usage).
Target targetOfLabel(const std::string& label);
/// A label as records before kPartsVersion have it, in the present form: "openmp@4" had 4 threads.
std::string labelFromThreads(const std::string& label);

/// Measures all rows on the same input: prepares, runs once cold, verifies each against the reference of its recipe, warms up, then takes
/// samples of all rows interleaved in seeded random order until each is precise or out of time. A row that fails becomes an entry with the
/// reason. A stop keeps finished samples. Throws only Error(usage), for an invalid request.
RunRecord measureRecipes(const Engine& engine, const std::vector<NamedPipeline>& recipes, ImagePtr input,
                         const std::vector<MeasuredRow>& rows, const MeasureOptions& options);

/// measureRecipes() of one pipeline without a name.
RunRecord measureTargets(const Engine& engine, const Pipeline& pipeline, ImagePtr input, const std::vector<Target>& targets,
                         const MeasureOptions& options);

}  // namespace parallax
