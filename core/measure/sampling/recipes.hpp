// SPDX-License-Identifier: GPL-3.0-or-later
// Named recipes of a measurement. RunRecord::recipe has the steps of the only pipeline, or in a record of version 2 one text for each named
// recipe: "B=convolve:size=7 | tonemap". The label of a row begins with the name of its recipe: "B/openmp:4t".
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/engine/pipeline/pipeline.hpp"
#include "core/engine/run/run_record.hpp"

namespace parallax {

/// Version of a record of named recipes: readers of version 1 would take its rows for those of one pipeline.
inline constexpr int kNamedRecipesVersion = 2;

/// A pipeline with the name that tells it from the others of a record; the only one needs none.
struct NamedPipeline {
    std::string name;
    Pipeline pipeline;
};

/// The same as text.
struct RecipeSteps {
    std::string name;
    std::vector<std::string> steps;  ///< enabled ones
};

RecipeSteps enabledSteps(const NamedPipeline& recipe);
/// "B=convolve:size=7 | tonemap".
std::string toText(const RecipeSteps& recipe);

/// "B=convolve:size=7" -> {"B", "convolve:size=7"}; no name: {"", text}.
std::pair<std::string, std::string> splitRecipeName(const std::string& text);
/// "convolve:size=7 | tonemap" -> its steps. Quotes keep a '|' in a value.
std::vector<std::string> splitRecipeSteps(const std::string& text);

bool hasNamedRecipes(const RunRecord& record);
/// One without a name unless the record has named recipes.
std::vector<RecipeSteps> recipesOf(const RunRecord& record);
/// Steps of the recipe that an entry ran.
std::vector<std::string> stepsOfEntry(const RunRecord& record, const RunEntry& entry);

/// "B" of "B/openmp:4t"; empty for "openmp:4t".
std::string recipeOfLabel(const std::string& label);

}  // namespace parallax
