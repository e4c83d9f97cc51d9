// SPDX-License-Identifier: GPL-3.0-or-later
// The folder that was used last; all export dialogs start there.
#pragma once

#include <QString>

namespace parallax::ui {

QString exportFolder();
void setExportFolder(const QString& folder);

}  // namespace parallax::ui
