// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of a measurement: recipes on targets, their labels, and the row that speedups refer to.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/engine/backend/catalog.hpp"
#include "core/engine/pipeline/pipeline.hpp"
#include "core/measure/sampling/recipes.hpp"

namespace parallax {

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

}  // namespace parallax
