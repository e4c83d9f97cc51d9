// SPDX-License-Identifier: GPL-3.0-or-later
// Helpers of the programs that save pictures for review.
#pragma once

#include <QApplication>
#include <QDir>
#include <cstdio>
#include <optional>

#include "tests/gui/gui_support.hpp"
#include "ui/window/shell/language.hpp"

namespace parallax::ui {

inline QDir galleryFolder;
inline ThemeChoice galleryTheme = ThemeChoice::light;
inline int failures = 0;

inline void savePicture(QWidget& widget, const QString& name) {
    QApplication::processEvents();
    const QString path = galleryFolder.filePath(name + ".png");
    if (widget.grab().save(path)) return;
    std::fprintf(stderr, "gallery: cannot write %s\n", qPrintable(path));
    ++failures;
}

/// GALLERY_SIZE as in 1000x650, or this one.
inline QSize gallerySize(QSize usual) {
    const QStringList parts = qEnvironmentVariable("GALLERY_SIZE").split('x');
    return parts.size() == 2 ? QSize(parts[0].toInt(), parts[1].toInt()) : usual;
}

/// Reads the arguments FOLDER light|dark|high-contrast and makes the folder. Returns an exit code if they are wrong.
inline std::optional<int> beginGallery() {
    (void)useLanguage(qEnvironmentVariable("GALLERY_LANGUAGE"));
    const QStringList arguments = QApplication::arguments();
    if (arguments.size() < 3 || !QStringList{"light", "dark", "high-contrast"}.contains(arguments[2])) {
        std::fprintf(stderr, "usage: %s FOLDER light|dark|high-contrast\n", qPrintable(arguments[0]));
        return 2;
    }
    galleryFolder = QDir(arguments[1]);
    galleryTheme = arguments[2] == "dark" ? ThemeChoice::dark : arguments[2] == "light" ? ThemeChoice::light : ThemeChoice::highContrast;
    applyTheme(galleryTheme);
    return galleryFolder.mkpath(".") ? std::nullopt : std::optional(4);
}

}  // namespace parallax::ui
