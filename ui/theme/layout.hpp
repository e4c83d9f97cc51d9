// SPDX-License-Identifier: GPL-3.0-or-later
// Arranges the widgets of a panel.
#pragma once

#include <QHBoxLayout>
#include <QLabel>
#include <QSplitter>
#include <QVBoxLayout>
#include <QWidget>
#include <initializer_list>

#include "ui/theme/flow_layout.hpp"

namespace parallax::ui {

/// Sets the name for tests and style sheets, the name for screen readers, and the tooltip.
template <class Widget>
Widget* describe(Widget* widget, const char* objectName, const QString& accessibleName, const QString& tip) {
    widget->setObjectName(QLatin1String(objectName));
    widget->setAccessibleName(accessibleName);
    widget->setToolTip(tip);
    return widget;
}

/// Returns the label of a control.
inline QLabel* labelOf(const QString& text, QWidget* control) {
    auto* label = new QLabel(text);
    label->setBuddy(control);
    return label;
}

/// Returns a row without margins; null stands for free space.
inline QWidget* rowOf(std::initializer_list<QWidget*> content) {
    auto* row = new QWidget;
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    for (QWidget* widget : content) widget ? layout->addWidget(widget) : layout->addStretch(1);
    return row;
}

/// Returns widgets beside each other that continue on the next line where the width ends.
inline QWidget* flowOf(std::initializer_list<QWidget*> content) {
    auto* flow = new QWidget;
    auto* layout = new FlowLayout(flow);
    for (QWidget* widget : content) layout->addWidget(widget);
    return flow;
}

/// Returns a column without margins, whose last widget takes the remaining height; null is left out.
inline QWidget* columnOf(std::initializer_list<QWidget*> content) {
    auto* column = new QWidget;
    auto* layout = new QVBoxLayout(column);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    for (QWidget* widget : content)
        if (widget) layout->addWidget(widget);
    layout->setStretch(layout->count() - 1, 1);
    return column;
}

struct SplitPart {
    QWidget* widget;
    int stretch, width, minimumWidth;  ///< width at first, pixels
};
/// Returns parts beside each other that cannot be collapsed.
inline QSplitter* splitterOf(std::initializer_list<SplitPart> parts) {
    auto* splitter = new QSplitter;
    QList<int> widths;
    for (const SplitPart& part : parts) {
        splitter->addWidget(part.widget);
        splitter->setStretchFactor(splitter->count() - 1, part.stretch);
        part.widget->setMinimumWidth(part.minimumWidth);
        widths << part.width;
    }
    splitter->setSizes(widths);
    splitter->setChildrenCollapsible(false);
    return splitter;
}

/// Fills a widget with another one.
inline void fillWith(QWidget& place, QWidget* content) {
    auto* layout = new QVBoxLayout(&place);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(content);
}

}  // namespace parallax::ui
