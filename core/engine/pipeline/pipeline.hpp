// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/engine/backend/catalog.hpp"
#include "core/engine/operation/capabilities.hpp"

namespace parallax {

struct Step {
    const Operation* operation = nullptr;
    ParameterBlock parameters;
    bool enabled = true;
};

/// What runs as one step of a pipeline, for people and records.
struct StepPlan {
    std::string step;            ///< as toText(Step)
    std::string implementation;  ///< "convolve / cuda / tiled"
    std::string variant;
    std::string reason;  ///< why this variant runs
    Work work;
    double referenceFlops = 0;       ///< see EstimatesReference
    Tolerance tolerance;             ///< of this step alone
    std::vector<std::string> notes;  ///< notesOn() its parameters
    std::vector<Region> regions;     ///< of its output
};

/// Steps in order, each on the result of the one before. A recipe is its text form.
struct Pipeline {
    std::vector<Step> steps;
    bool hasEnabledSteps() const;
    /// The result should look like the input, so that the difference between them is meaningful. Every step approximates, or
    /// decodes what one before it encoded.
    bool approximatesInput() const;
    /// The last enabled step makes another quantity of its input: see ChangesQuantity.
    bool changesQuantity() const;
};

/// "convolve:kernel=gaussian,size=7" as on the command line; values with commas or colons are quoted: weights='1,2;3,4'.
/// "preset=NAME" stands for the values of a preset, which explicit values override. Throws Error(usage), also for duplicate
/// parameters.
Step parseStep(const Catalog& catalog, std::string_view text);
Pipeline parsePipeline(const Catalog& catalog, const std::vector<std::string>& steps);
/// Sentences about parameters in the text that have no effect beside the others, such as weights with a generated kernel. Throws like
/// parseStep().
std::vector<std::string> notesOnText(const Catalog& catalog, std::string_view text);
/// The shortest text that parseStep() turns into the same step: it has the parameters that differ from their defaults.
std::string toText(const Step& step);

}  // namespace parallax
