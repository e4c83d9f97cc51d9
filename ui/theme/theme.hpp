// SPDX-License-Identifier: GPL-3.0-or-later
// Colours of the window and of what it draws itself. One theme is current; everything that paints asks for it.
#pragma once

#include <QColor>
#include <QIcon>
#include <QObject>
#include <QPalette>
#include <QVector>

namespace parallax::ui {

enum class ThemeChoice { system, light, dark };

struct Theme {
    bool dark = false;
    QPalette palette;
    QColor canvas;  ///< around images: neutral, so that it does not tint what one sees
    QColor accent, warning, error, success, subtle, border, card;
    QColor chartText, chartGrid;
    QVector<QColor> series;  ///< Okabe and Ito's colour-blind-safe set
    /// Background of a pane's badge: "A" and "B" keep their colours everywhere.
    QColor badge(const QString& name) const;
};

const Theme& currentTheme();
/// Applies style, palette and style sheet to the application and tells everybody.
void applyTheme(ThemeChoice choice);
ThemeChoice currentThemeChoice();

/// Tells that the theme has changed.
class ThemeNotifier : public QObject {
    Q_OBJECT
public:
    static ThemeNotifier& instance();
signals:
    void changed();
};

/// An own line icon in the colour of the theme's text, crisp at every scale.
QIcon actionIcon(const QString& name);

}  // namespace parallax::ui
