// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/desktop/show_in_folder.hpp"

#include <QDesktopServices>
#include <QFileInfo>
#include <QUrl>

namespace parallax::ui {

void showInFolder(const QString& path) { QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(path).absolutePath())); }

}  // namespace parallax::ui
