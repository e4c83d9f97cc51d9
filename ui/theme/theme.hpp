// SPDX-License-Identifier: GPL-3.0-or-later
// Colours of the window and of custom drawing.
#pragma once

#include <QColor>
#include <QIcon>
#include <QObject>
#include <QPalette>
#include <QVector>

#include "ui/theme/theme_choice.hpp"

namespace parallax::ui {

struct Theme {
    bool dark = false, highContrast = false;
    QPalette palette;
    QColor canvas;  ///< background of images; neutral, so that it does not tint them
    QColor accent, warning, error, success, subtle, border, card;
    QColor outline;  ///< of fields, boxes and buttons: at least 3:1
    QColor chartText, chartGrid;
    QVector<QColor> series;  ///< colour-blind-safe set by Okabe and Ito
    /// Background of a badge; "A" and "B" have fixed colours.
    QColor badge(const QString& name) const;
};

const Theme& currentTheme();
/// Applies style, palette and style sheet to the application and emits ThemeNotifier::changed().
void applyTheme(ThemeChoice choice);
ThemeChoice currentThemeChoice();
/// Colours of the desktop: ThemeChoice::system follows them while the program runs.
void setSystemDark(bool dark);

/// Notifies of theme changes.
class ThemeNotifier : public QObject {
    Q_OBJECT
public:
    static ThemeNotifier& instance();
signals:
    void changed();
};

/// Returns a line icon in the text colour of the theme, sharp at every scale.
QIcon actionIcon(const QString& name);

}  // namespace parallax::ui
