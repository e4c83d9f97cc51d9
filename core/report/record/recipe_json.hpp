// SPDX-License-Identifier: GPL-3.0-or-later
// A pipeline as JSON: {"schema": "parallax.recipe", "schema_version": 1, "steps": [{"operation": "convolve", "enabled": true,
// "parameters": {...}}]}. Unknown keys are errors, so that a misspelt parameter does not silently keep its default.
#pragma once

#include <string>
#include <string_view>

#include "core/engine/pipeline/pipeline.hpp"

namespace parallax {

std::string recipeToJson(const Pipeline& pipeline);
/// Throws Error(usage) or Error(input).
Pipeline recipeFromJson(const Catalog& catalog, std::string_view text, const std::string& name);
Pipeline loadRecipe(const Catalog& catalog, const std::string& path);
/// Writes atomically. Throws Error(output).
void saveRecipe(const Pipeline& pipeline, const std::string& path, bool overwrite);

}  // namespace parallax
