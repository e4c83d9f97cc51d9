// SPDX-License-Identifier: GPL-3.0-or-later
// Values of one parameter for a contact sheet, and the steps of its panes.
#pragma once

#include <QString>
#include <string>
#include <vector>

#include "core/engine/pipeline/pipeline.hpp"
#include "ui/models/pipeline/side.hpp"
#include "ui/models/pipeline/value_scale.hpp"

namespace parallax::ui {

/// Parameters of a step that matter with its present values and that a contact sheet can vary: all but texts.
std::vector<const ParameterInfo*> sheetParameters(const Step& step);
/// Returns whether the operation accepts the step with this value. True if the step is refused anyway.
bool acceptsValue(const Step& step, const std::string& key, const ParameterValue& value);

struct SheetRange {
    double from = 0, to = 1;
    bool logarithmic = false;
};
/// Returns a range of useful values around the present one.
SheetRange initialRange(const Step& step, const ParameterInfo& info, const ValueScale& image);
/// Returns up to `count` different values from one end of the range to the other, at equal distances or ratios, rounded to three digits.
/// Integers are moved to values that the operation accepts. Ratios need ends greater than 0.
std::vector<ParameterValue> valuesIn(const Step& step, const ParameterInfo& info, const SheetRange& range, int count);

/// Reads a number of the locale or with a full stop. Throws Error(usage).
double numberOf(const QString& text);
/// Values of a number, separated by semicolons or blanks. Throws Error(usage) for unreadable values or ones out of range.
std::vector<ParameterValue> valuesOf(const ParameterInfo& info, const QString& list);
QString listOf(const std::vector<ParameterValue>& values);

/// Returns the steps with each of the values in one of them. Throws Error(usage) unless there are 2 to kMaxSides values.
std::vector<Pipeline> sheetSteps(const Pipeline& steps, int row, const std::string& key, const std::vector<ParameterValue>& values);

}  // namespace parallax::ui
