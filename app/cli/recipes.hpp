// SPDX-License-Identifier: GPL-3.0-or-later
// Several recipes on one command line, for 'bench'.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

#include "core/measure/sampling/sampler.hpp"

namespace parallax::cli {

/// Recipes without a name get a letter, so there can be no more.
inline constexpr std::size_t kMaxRecipes = 26;

struct RecipeArguments {
    std::vector<std::string> operations, recipes;

    void add(CLI::App& app);
    bool given() const { return !operations.empty() || !recipes.empty(); }
    /// The recipe of --op, then those of --recipe. A single one has a name only if the user gave one. Throws Error(usage, input).
    std::vector<NamedPipeline> build(const Catalog& catalog) const;
    /// Sentences on parameters that have no effect.
    std::vector<std::string> notes(const Catalog& catalog) const;
};

/// A value of --recipe: "[NAME=]FILE" or "[NAME=]STEP[|STEP...]".
struct RecipeText {
    std::string name;                ///< empty: not given
    std::string file;                ///< empty: steps
    std::vector<std::string> steps;  ///< for parseStep()
};
/// An existing file is never taken for steps. Throws Error(usage) for an empty recipe or an invalid name.
RecipeText parseRecipeText(const Catalog& catalog, const std::string& text);

/// Label of the row that `name` means: a label, a recipe ("B": its reference, else its first row), or a backend as --backend names it, also
/// with its recipe ("B/openmp"): the first such row. Returns the name itself if there is none. Throws Error(usage).
std::string baselineLabel(const std::string& name, const std::vector<NamedPipeline>& recipes, const std::vector<MeasuredRow>& rows);

}  // namespace parallax::cli
