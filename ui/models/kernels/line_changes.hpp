// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace parallax::ui {

/// What changed between two texts, line by line: "- " before lines that only `before` has, "+ " before those that only `after` has, and " "
/// before up to three equal ones around them; "  …" stands for equal lines that are left out. Empty if the texts are equal.
QString lineChanges(const QString& before, const QString& after);

}  // namespace parallax::ui
