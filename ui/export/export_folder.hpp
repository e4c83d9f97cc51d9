// SPDX-License-Identifier: GPL-3.0-or-later
// The folder that was used last; all export dialogs start there.
#pragma once

#include <QString>

namespace parallax::ui {

inline const QString kExportFolderKey = QStringLiteral("export/folder");  ///< setting

QString exportFolder();
void setExportFolder(const QString& folder);

}  // namespace parallax::ui
