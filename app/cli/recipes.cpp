// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/recipes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/image/error.hpp"
#include "core/image/texts.hpp"
#include "core/io/codec/text.hpp"
#include "core/io/loader.hpp"
#include "core/report/record/recipe_json.hpp"

namespace parallax::cli {
namespace {

constexpr std::size_t kLongestName = 32;
constexpr const char* kForm = "Write FILE or STEP|STEP..., with NAME= before it if it needs a name";

/// Whether there is a file of this name. A folder is none.
bool isFile(const std::string& path) {
    std::error_code error;
    return std::filesystem::exists(path, error) && !std::filesystem::is_directory(path, error);
}

bool isOperation(const Catalog& catalog, std::string_view id) {
    return std::any_of(catalog.operations().begin(), catalog.operations().end(), [&](const auto& o) { return o->id() == id; });
}

void checkName(const Catalog& catalog, const std::string& name, const std::string& text) {
    const auto allowed = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
    };
    if (name.empty() || name.size() > kLongestName || !std::all_of(name.begin(), name.end(), allowed))
        throw Error(ErrorCode::usage, "'" + name + "' is not a recipe name, in --recipe '" + text + "'",
                    fmt::format("a name has 1 to {} letters, digits, dots, hyphens and underscores", kLongestName));
    for (const auto& backend : catalog.backends())
        if (backend->id() == name)
            throw Error(ErrorCode::usage, "A recipe cannot be named '" + name + "'", "a backend has this name", "Choose another name");
}

Pipeline pipelineOf(const Catalog& catalog, const RecipeText& recipe) {
    return recipe.file.empty() ? parsePipeline(catalog, recipe.steps) : loadRecipe(catalog, recipe.file);
}

std::vector<RecipeText> textsOf(const Catalog& catalog, const RecipeArguments& a) {
    if (!a.given()) throw Error(ErrorCode::usage, "No operation given", "--op or --recipe is required", "See 'parallax-cli operations'");
    const std::size_t count = a.recipes.size() + (a.operations.empty() ? 0 : 1);
    if (count > kMaxRecipes)
        throw Error(ErrorCode::usage, "Too many recipes", fmt::format("{} are given, at most {} are possible", count, kMaxRecipes),
                    "Measure them in several runs, or vary a parameter with --sweep");
    std::vector<RecipeText> texts;
    if (!a.operations.empty()) texts.push_back({{}, {}, a.operations});
    for (const std::string& text : a.recipes) texts.push_back(parseRecipeText(catalog, text));
    for (std::size_t i = 0; i < texts.size(); ++i)
        if (texts[i].name.empty() && texts.size() > 1) texts[i].name = std::string(1, static_cast<char>('A' + i));
    for (std::size_t i = 1; i < texts.size(); ++i)
        for (std::size_t k = 0; k < i; ++k)
            if (texts[i].name == texts[k].name)
                throw Error(ErrorCode::usage, "Two recipes have the name '" + texts[i].name + "'",
                            "those without a name are A, B, C, ... in their order, --op first", "Rename one of them: --recipe NAME=...");
    return texts;
}

}  // namespace

RecipeText parseRecipeText(const Catalog& catalog, const std::string& text) {
    RecipeText recipe;
    std::string work = text;
    // "=convolve" has an empty name.
    if (auto [name, rest] = splitRecipeName(text); rest.size() < text.size() && !isFile(text)) {
        checkName(catalog, name, text);
        recipe.name = std::move(name);
        work = std::move(rest);
    }
    if (trimmed(work).empty()) throw Error(ErrorCode::usage, "The recipe is empty in --recipe '" + text + "'", {}, kForm);
    const auto end = work.find_first_of(":|");
    const std::string first(trimmed(work.substr(0, end)));
    if (isFile(work) || lowerExtension(work) == "json" || first.find('/') != std::string::npos) {
        recipe.file = work;
        return recipe;
    }
    if (end == std::string::npos && !isOperation(catalog, first))
        throw Error(ErrorCode::input, "There is neither a recipe file nor an operation '" + work + "'", {},
                    "See 'parallax-cli operations'");
    recipe.steps = splitRecipeSteps(work);
    if (std::any_of(recipe.steps.begin(), recipe.steps.end(), [](const std::string& s) { return s.empty(); }))
        throw Error(ErrorCode::usage, "A step is empty in --recipe '" + text + "'", {}, kForm);
    return recipe;
}

void RecipeArguments::add(CLI::App& app) {
    app.add_option("--op", operations, "Append an operation, e.g. convolve:kernel=gaussian,size=7; repeatable")
        ->type_name("ID[:name=value,...]")
        ->take_all();
    app.add_option("--recipe", recipes,
                   "Recipe to measure: a file, or steps separated by '|'; several, or one beside --op, are compared [named A, B, ...]")
        ->type_name("[NAME=]FILE|STEPS")
        ->take_all();
}

std::vector<NamedPipeline> RecipeArguments::build(const Catalog& catalog) const {
    std::vector<NamedPipeline> built;
    for (const RecipeText& text : textsOf(catalog, *this)) built.push_back({text.name, pipelineOf(catalog, text)});
    return built;
}

std::vector<std::string> RecipeArguments::notes(const Catalog& catalog) const {
    std::vector<std::string> all;
    for (const RecipeText& text : textsOf(catalog, *this))
        for (const std::string& step : text.steps)
            for (const std::string& note : notesOnText(catalog, step))
                all.push_back((text.name.empty() ? "" : "Recipe " + text.name + ": ") + note);
    return all;
}

std::string baselineLabel(const std::string& name, const std::vector<NamedPipeline>& recipes, const std::vector<MeasuredRow>& rows) {
    const auto recipeOf = [&](const MeasuredRow& row) { return recipes.at(row.recipe).name; };
    const auto labelOf = [&](const MeasuredRow& row) { return entryLabel(row.target, recipeOf(row)); };
    const MeasuredRow* ofRecipe = nullptr;
    for (const MeasuredRow& row : rows) {
        if (labelOf(row) == name) return name;
        if (recipeOf(row) == name &&
            (!ofRecipe || (row.target.backend == kReferenceBackend && ofRecipe->target.backend != kReferenceBackend)))
            ofRecipe = &row;
    }
    if (ofRecipe) return labelOf(*ofRecipe);
    const auto slash = name.rfind('/');
    const std::string recipe = slash == std::string::npos ? std::string() : name.substr(0, slash);
    // Labels carry threads and device; --backend does not. A sweep over parts changes the number of them.
    const bool whole = name.find_first_of(":#") != std::string::npos;
    const Target target = targetOfLabel(name);
    for (const MeasuredRow& row : rows) {
        Target measured = row.target;
        if (target.parts == 1) measured.parts = 1;
        const bool same = whole ? entryLabel(measured) == entryLabel(target) : measured.label() == target.label();
        if (same && (slash == std::string::npos || recipe == recipeOf(row))) return labelOf(row);
    }
    return name;
}

}  // namespace parallax::cli
