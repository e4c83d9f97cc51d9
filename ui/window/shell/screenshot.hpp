// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace parallax::ui {

class MainWindow;

struct ScreenshotRequest {
    QString path;
    bool overwrite = false;
    bool withMeasurement = false;
};

/// Waits until the window is idle (and, if requested, a measurement is done or has failed), saves its picture and exits the application
/// with 0, 1 (timeout), 3 (the input cannot be opened) or 4 (the file cannot be written).
void takeScreenshot(MainWindow& window, const ScreenshotRequest& request);

}  // namespace parallax::ui
