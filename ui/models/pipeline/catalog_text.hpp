// SPDX-License-Identifier: GPL-3.0-or-later
// Translates texts of operations and parameters, which core has in English.
#pragma once

#include <QCoreApplication>
#include <QString>
#include <string>

namespace parallax::ui {

/// Returns the English text if there is no translation.
inline QString catalogText(const std::string& text) {
    return text.empty() ? QString() : QCoreApplication::translate("catalog", text.c_str());
}

}  // namespace parallax::ui
