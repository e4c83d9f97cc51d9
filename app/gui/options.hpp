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
    bool allowLarge = false;  ///< see allowLargeFiles()
    QStringList compare;      ///< none or two targets
    QStringList steps;        ///< texts for parseStep(); empty: the window's initial pipeline
    QString screenshot;       ///< file to write; empty: an ordinary window
    bool force = false;       ///< the screenshot may replace a file
    QSize size{1600, 1000};
    double scale = 0;  ///< 0: scale of the desktop
    QString theme;     ///< "light", "dark" or empty
    QString language;  ///< "de", "en" or empty: language of the desktop
    QString view;      ///< a name of MainWindow::viewNames(), "empty", or empty
};

struct Parsed {
    std::optional<Options> options;  ///< absent: print `output` and exit with `exitCode`
    QString output;
    int exitCode = 0;
};

/// Needs no display, so that --help and --version work everywhere.
Parsed parseOptions(int argc, char** argv);

}  // namespace parallax::app
