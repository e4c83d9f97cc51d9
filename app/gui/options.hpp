// SPDX-License-Identifier: GPL-3.0-or-later
// The command line of the window.
#pragma once

#include <QSize>
#include <QString>
#include <QStringList>
#include <optional>

namespace parallax::app {

struct Options {
    QStringList inputs;
    bool demo = false;
    QStringList compare;  ///< none or two targets
    QStringList steps;    ///< as parseStep() reads them; none: those that the window begins with
    QString screenshot;   ///< file to write; empty: an ordinary window
    QSize size{1600, 1000};
    double scale = 0;  ///< 0: as the desktop
    QString theme;     ///< "light", "dark" or empty
    QString language;  ///< "de", "en" or empty: as the desktop
    QString view;      ///< a name of MainWindow::viewNames(), "empty", or empty
};

struct Parsed {
    std::optional<Options> options;  ///< absent: print `output` and end with `exitCode`
    QString output;
    int exitCode = 0;
};

/// Needs no display, so that --help and --version work everywhere.
Parsed parseOptions(int argc, char** argv);

}  // namespace parallax::app
