// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace parallax::ui {

/// Property of a tab bar whose tabs move together when they are many.
inline constexpr char kNarrowTabs[] = "narrowTabs";

}  // namespace parallax::ui
