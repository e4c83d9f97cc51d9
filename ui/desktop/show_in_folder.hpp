// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace parallax::ui {

/// Opens the folder of a file in the file manager of the desktop.
void showInFolder(const QString& path);

}  // namespace parallax::ui
