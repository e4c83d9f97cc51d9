// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/engine/backend/catalog.hpp"

namespace parallax {

struct Step {
    const Operation* operation = nullptr;
    ParameterBlock parameters;
    bool enabled = true;
};

/// Operations in order, each on the result of the one before. A recipe is its written form.
struct Pipeline {
    std::vector<Step> steps;
    bool hasEnabledSteps() const;
    /// Should the result look like the input, so that the difference between them is worth a number? Every step approximates, or
    /// decodes what one before it encoded.
    bool approximatesInput() const;
};

/// "convolve:kernel=gaussian,size=7" as on the command line; values with commas or colons are quoted: weights='1,2;3,4'.
/// "preset=NAME" stands for the values of a preset of the operation; values that are written themselves win. Throws Error(usage), also
/// for a parameter that is written twice.
Step parseStep(const Catalog& catalog, std::string_view text);
/// Sentences on what is written there and means nothing beside the rest, as weights with a kernel that is made. Throws as parseStep().
std::vector<std::string> notesOnText(const Catalog& catalog, std::string_view text);
/// The shortest text that parseStep turns into the same step: parameters that differ from their default.
std::string toText(const Step& step);

}  // namespace parallax
