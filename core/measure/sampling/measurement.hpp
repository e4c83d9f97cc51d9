// SPDX-License-Identifier: GPL-3.0-or-later
// The state of a measurement and its steps, each in a file of its own; sampler.cpp prepares the rows and takes their timing samples.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/engine/backend/backend.hpp"
#include "core/measure/conditions/trust.hpp"
#include "core/measure/sampling/sampler.hpp"

namespace parallax {

/// The rows of a measurement with their runs, and the record that they fill.
struct Measurement {
    const Engine& engine;
    const std::vector<NamedPipeline>& recipes;
    ImagePtr input;
    const std::vector<MeasuredRow>& rows;
    const MeasureOptions& options;
    RunContext context{};
    RunRecord record{};                              ///< has an entry for each row
    std::vector<std::optional<PreparedRun>> runs{};  ///< of the rows that did not fail

    const NamedPipeline& recipeOf(std::size_t row) const { return recipes[rows[row].recipe]; }
    const Target& targetOf(std::size_t row) const { return rows[row].target; }
    const Backend& backendOf(std::size_t row) const { return engine.catalog().backend(targetOf(row).backend); }
    std::string labelOf(std::size_t row) const { return entryLabel(targetOf(row), recipeOf(row).name); }
    bool active(std::size_t row) const { return runs[row].has_value() && record.entries[row].status == RunStatus::done; }
    /// Whether other processes compute the row, perhaps on other machines.
    bool onRanks(std::size_t row) const;
    /// The devices of a row that has devices other than the CPU, each once.
    std::set<int> devicesOf(std::size_t row) const;
    void report() const {
        if (options.onProgress) options.onProgress(record);
    }
};

/// Describes build, machine, input, recipes and protocol, and adds an entry for each row. Returns the state of the system, for
/// finishRecord().
SystemSnapshot describeRun(Measurement& m);
/// Describes what a prepared row runs.
void describeEntry(RunEntry& entry, const PreparedRun& run);
/// Adds the conditions that disturbed the measurement, and the version that readers of the record need.
void finishRecord(Measurement& m, const SystemSnapshot& before);

/// Judges the first result of each active row by the reference of its recipe, and passes the results to MeasureOptions::onResult.
void verifyRows(Measurement& m);
/// Measures the energy of each active row, after the timing samples and with warm caches.
void measureEnergies(Measurement& m);

}  // namespace parallax
