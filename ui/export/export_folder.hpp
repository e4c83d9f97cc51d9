// SPDX-License-Identifier: GPL-3.0-or-later
// The folder that was saved to last; all export dialogs begin there.
#pragma once

#include <QString>

namespace parallax::ui {

QString exportFolder();
void setExportFolder(const QString& folder);

}  // namespace parallax::ui
