// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/sampling/recipes.hpp"

#include "core/image/texts.hpp"

namespace parallax {
namespace {

std::string withoutBlanks(const std::string& text) {
    const auto first = text.find_first_not_of(' ');
    return first == std::string::npos ? std::string() : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

}  // namespace

RecipeSteps enabledSteps(const NamedPipeline& recipe) {
    RecipeSteps text{recipe.name, {}};
    for (const Step& step : recipe.pipeline.steps)
        if (step.enabled) text.steps.push_back(toText(step));
    return text;
}

std::string toText(const RecipeSteps& recipe) { return recipe.name + "=" + joined(recipe.steps, " | "); }

std::pair<std::string, std::string> splitRecipeName(const std::string& text) {
    // The '=' of a parameter follows a colon.
    const auto equals = text.find('=');
    if (equals == std::string::npos || text.find_first_of(":|/'\"") < equals) return {{}, text};
    return {text.substr(0, equals), text.substr(equals + 1)};
}

std::vector<std::string> splitRecipeSteps(const std::string& text) {
    std::vector<std::string> steps(1);
    char quote = 0;
    for (const char c : text) {
        if (c == '|' && !quote) {
            steps.emplace_back();
            continue;
        }
        if (quote ? c == quote : c == '\'' || c == '"') quote = quote ? '\0' : c;
        steps.back() += c;
    }
    for (std::string& step : steps) step = withoutBlanks(step);
    return steps;
}

bool hasNamedRecipes(const RunRecord& record) {
    // Later versions do not tell by their number.
    if (record.version <= kNamedRecipesVersion) return record.version == kNamedRecipesVersion;
    return !record.recipe.empty() && !splitRecipeName(record.recipe.front()).first.empty();
}

std::vector<RecipeSteps> recipesOf(const RunRecord& record) {
    if (!hasNamedRecipes(record)) return {{{}, record.recipe}};
    std::vector<RecipeSteps> recipes;
    for (const std::string& text : record.recipe) {
        auto [name, steps] = splitRecipeName(text);
        recipes.push_back({std::move(name), steps.empty() ? std::vector<std::string>() : splitRecipeSteps(steps)});
    }
    return recipes;
}

std::vector<std::string> stepsOfEntry(const RunRecord& record, const RunEntry& entry) {
    const std::string name = hasNamedRecipes(record) ? recipeOfLabel(entry.label) : std::string();
    for (RecipeSteps& recipe : recipesOf(record))
        if (recipe.name == name) return std::move(recipe.steps);
    return {};
}

std::string recipeOfLabel(const std::string& label) {
    const auto slash = label.find('/');
    return slash == std::string::npos ? std::string() : label.substr(0, slash);
}

}  // namespace parallax
