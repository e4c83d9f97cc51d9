// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace parallax::ui {

class MainWindow;

/// Waits until the window is idle (and, if asked for, a measurement is done), writes what it shows and ends the application:
/// 0, or 3 when the input cannot be opened, 4 when the file cannot be written, 1 when it takes too long.
void takeScreenshot(MainWindow& window, const QString& path, bool withMeasurement);

}  // namespace parallax::ui
