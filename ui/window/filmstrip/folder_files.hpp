// SPDX-License-Identifier: GPL-3.0-or-later
// Image files of a folder.
#pragma once

#include <QStringList>

namespace parallax::ui {

/// Extensions of all formats that can be opened, in lower case, without dots.
QStringList loadableExtensions();
/// Returns the files of a folder that have such an extension, with their paths, in natural order: 2.png before 10.png. Reads the folder, so
/// call it in a background thread where the folder may be slow.
QStringList imagesIn(const QString& folder);
/// Position of a file in such a list, compared by absolute paths; -1 if it is missing.
int positionIn(const QStringList& files, const QString& file);

}  // namespace parallax::ui
