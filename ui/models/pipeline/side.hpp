// SPDX-License-Identifier: GPL-3.0-or-later
// Names of the compared panes: A to I.
#pragma once

#include <QString>
#include <cstddef>

namespace parallax::ui {

enum class Side { a, b, c, d, e, f, g, h, i };

inline constexpr int kMaxSides = 9;

inline constexpr std::size_t indexOf(Side side) { return static_cast<std::size_t>(side); }
inline QString letterOf(Side side) { return QString(QChar(QLatin1Char(static_cast<char>('A' + static_cast<int>(side))))); }

}  // namespace parallax::ui
