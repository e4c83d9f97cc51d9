// SPDX-License-Identifier: GPL-3.0-or-later
// The window with an image and the panel of measurements.
#pragma once

#include <QLabel>
#include <memory>

#include "tests/gui/gui_support.hpp"

namespace parallax::ui {

template <class T>
T& named(MainWindow& window, const char* name) {
    auto* found = window.findChild<T*>(QLatin1String(name));
    if (!found) qFatal("no %s", name);
    return *found;
}

/// openmp and the reference in the panes.
inline std::unique_ptr<MainWindow> windowWith(const char* input) {
    auto window = shownWindow({1400, 900});
    window->showTiming();
    window->session().setTarget(Side::a, "openmp");
    window->session().setTarget(Side::b, "reference");
    if (!openAndWait(*window, QLatin1String(input))) qFatal("the image was not opened");
    return window;
}

inline QString state(MainWindow& window) { return named<QLabel>(window, "timingState").text(); }

}  // namespace parallax::ui
