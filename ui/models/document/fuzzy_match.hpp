// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzzy matching of typed letters.
#pragma once

#include <QString>
#include <optional>

namespace parallax::ui {

/// Returns a score, higher is better; nothing if the letters do not occur in this order. Adjacent letters and beginnings of words count
/// more, an equal text most. Ignores case. An empty pattern scores 0.
std::optional<int> fuzzyScore(const QString& pattern, const QString& text);

}  // namespace parallax::ui
