// SPDX-License-Identifier: GPL-3.0-or-later
// Translates errors, warnings and notes of core, which are in English.
#pragma once

#include <QString>
#include <string>

namespace parallax::ui {

/// Returns the text in the language of the window, with its decimal sign; unknown sentences are returned as they are.
QString coreText(const std::string& text);

}  // namespace parallax::ui
