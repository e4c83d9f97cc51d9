// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace parallax::ui {

/// Changes from one text to another, line by line: "- " before lines that only `before` has, "+ " before those that only `after` has, and
/// two spaces before up to three equal ones around them; an ellipsis stands for equal lines that are left out. Empty if the texts are
/// equal.
QString lineChanges(const QString& before, const QString& after);

}  // namespace parallax::ui
