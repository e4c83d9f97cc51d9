// SPDX-License-Identifier: GPL-3.0-or-later
// Set-up that widgets of panels and dialogs share.
#pragma once

#include <QBoxLayout>
#include <QComboBox>
#include <QDialog>
#include <QFont>
#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QScrollArea>
#include <QTableView>
#include <QToolButton>
#include <initializer_list>

#include "ui/theme/theme.hpp"

namespace parallax::ui {

/// Sets the name that screen readers say, the tooltip, and the object name if there is one.
template <class Widget>
Widget* described(Widget* widget, const QString& name, const QString& tip, const char* objectName = nullptr) {
    widget->setAccessibleName(name);
    widget->setToolTip(tip);
    if (objectName) widget->setObjectName(QLatin1String(objectName));
    return widget;
}

inline void makeBold(QWidget& widget) {
    QFont font = widget.font();
    font.setBold(true);
    widget.setFont(font);
}

/// Adds a layout without margins; `spacing` < 0: that of the style.
template <class Layout>
Layout* makeLayout(QWidget* widget, int spacing = -1) {
    auto* layout = new Layout(widget);
    layout->setContentsMargins(0, 0, 0, 0);
    if (spacing >= 0) layout->setSpacing(spacing);
    return layout;
}

/// Widgets beside each other, equally wide.
inline QHBoxLayout* makeRow(std::initializer_list<QWidget*> widgets) {
    auto* row = new QHBoxLayout;
    row->setContentsMargins(0, 0, 0, 0);
    for (QWidget* widget : widgets) row->addWidget(widget, 1);
    return row;
}

/// Adds a line of a form: its label, which is returned, and widgets beside each other.
inline QLabel* addLine(QGridLayout& grid, const QString& text, std::initializer_list<QWidget*> widgets) {
    const int line = grid.count() == 0 ? 0 : grid.rowCount();
    auto* label = new QLabel(text);
    grid.addWidget(label, line, 0);
    grid.addLayout(makeRow(widgets), line, 1);
    return label;
}

inline QLabel* selectable(QLabel* label) {
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    return label;
}

/// A wrapped sentence about what went wrong.
inline QLabel* errorLabel(const QString& text, const char* objectName) {
    auto* label = selectable(new QLabel(text));
    label->setObjectName(QLatin1String(objectName));
    label->setWordWrap(true);
    QPalette palette = label->palette();
    palette.setColor(QPalette::WindowText, currentTheme().error);
    label->setPalette(palette);
    return label;
}

/// A flat button with an icon.
inline QToolButton* iconButton(const QString& icon, const QString& tip) {
    auto* button = described(new QToolButton, tip, tip);
    button->setIcon(actionIcon(icon));
    button->setAutoRaise(true);
    return button;
}

template <class Value>
struct Choice {
    QString text;
    Value value;
};

/// Adds items with values of an enumeration as data.
template <class Value>
void addChoices(QComboBox& box, std::initializer_list<Choice<Value>> choices) {
    for (const Choice<Value>& choice : choices) box.addItem(choice.text, static_cast<int>(choice.value));
}

template <class Value>
Value chosenIn(const QComboBox& box) {
    return static_cast<Value>(box.currentData().toInt());
}

/// The longest item does not set the width.
inline void setNarrow(QComboBox& box, int characters) {
    box.setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box.setMinimumContentsLength(characters);
}

inline void styleTable(QTableView& table) {
    table.setAlternatingRowColors(true);
    table.setShowGrid(false);
    table.setWordWrap(false);
    table.setTabKeyNavigation(false);  // Tab moves to the next control
    table.horizontalHeader()->setHighlightSections(false);
    table.horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table.verticalHeader()->setDefaultSectionSize(table.fontMetrics().height() + 7);
}

/// Shows `content` in an area that scrolls vertically.
inline void setScrolled(QScrollArea& area, QWidget* content) {
    area.setWidget(content);
    area.setWidgetResizable(true);
    area.setFocusPolicy(Qt::NoFocus);  // the content takes the focus and scrolls into view
    area.setFrameShape(QFrame::NoFrame);
    area.setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
}

/// Opens a dialog that is deleted when it closes.
inline void openOnce(QDialog* dialog) {
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

}  // namespace parallax::ui
