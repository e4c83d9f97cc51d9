// SPDX-License-Identifier: GPL-3.0-or-later
// Steps in words, in the language of the window.
#pragma once

#include <QString>
#include <QStringList>
#include <string>
#include <vector>

#include "core/engine/pipeline/pipeline.hpp"

namespace parallax::ui {

/// A real number as fields show it and read it back: up to seven digits, no groups, the decimal sign of the locale.
QString numberText(double value, int digits = 7);
/// "Convolution: Sharpen 3 × 3".
QString stepText(const Step& step);
/// The same for the text of a step in a record.
QString stepText(const std::string& recipeText);
/// All steps of a recipe, joined by arrows.
QString recipeText(const std::vector<std::string>& recipe);
QString recipeText(const QStringList& recipe);

}  // namespace parallax::ui
