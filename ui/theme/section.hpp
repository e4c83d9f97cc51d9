// SPDX-License-Identifier: GPL-3.0-or-later
// A titled section of a dock.
#pragma once

#include <QLabel>
#include <QVBoxLayout>
#include <QWidget>
#include <initializer_list>

namespace parallax::ui {

inline QWidget* makeSection(const QString& title, std::initializer_list<QWidget*> content) {
    auto* section = new QWidget;
    auto* layout = new QVBoxLayout(section);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    auto* heading = new QLabel(title);
    QFont bold = heading->font();
    bold.setBold(true);
    heading->setFont(bold);
    layout->addWidget(heading);
    for (QWidget* widget : content) layout->addWidget(widget);
    return section;
}

}  // namespace parallax::ui
