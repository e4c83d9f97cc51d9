// SPDX-License-Identifier: GPL-3.0-or-later
// How well a few typed letters name something.
#pragma once

#include <QString>
#include <optional>

namespace parallax::ui {

/// Higher is better; nothing if the letters do not occur in this order. Letters that follow each other or begin words count
/// more, an equal text most. Case does not matter. An empty pattern fits everything with 0.
std::optional<int> fuzzyScore(const QString& pattern, const QString& text);

}  // namespace parallax::ui
