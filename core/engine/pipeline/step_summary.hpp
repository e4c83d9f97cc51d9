// SPDX-License-Identifier: GPL-3.0-or-later
// Steps in words, for the window and reports. Recipes and command lines use toText(Step).
#pragma once

#include <functional>
#include <string>

#include "core/engine/pipeline/pipeline.hpp"

namespace parallax {

/// Texts in a language other than English. Missing functions: English.
struct SummaryLanguage {
    /// Translates titles of the catalog, and "on" and "off".
    std::function<std::string(const std::string&)> translate;
    /// Formats a real number.
    std::function<std::string(double)> number;
};

/// "Convolution: Sharpen 3 × 3, border Reflect": the title of the operation, its first choice and size, and other parameters that have an
/// effect and differ from their defaults. One line.
std::string summaryOf(const Step& step, const SummaryLanguage& language = {});
/// The same for the text of a step, as records have it. Returns the text itself, as one line, if it cannot be parsed.
std::string summaryOf(const Catalog& catalog, const std::string& stepText, const SummaryLanguage& language = {});

}  // namespace parallax
