// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace parallax::ui {

enum class ThemeChoice { system, light, dark, highContrast };

}  // namespace parallax::ui
