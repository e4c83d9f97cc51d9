// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of operations and parameters, which core describes in English, in the language of the window.
#pragma once

#include <QCoreApplication>
#include <QString>
#include <string>

namespace parallax::ui {

/// The English text if there is no translation.
inline QString catalogText(const std::string& text) {
    return text.empty() ? QString() : QCoreApplication::translate("catalog", text.c_str());
}

}  // namespace parallax::ui
