// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/bars/main_tool_bar.hpp"

#include <QEvent>
#include <QToolButton>

#include "ui/theme/widgets.hpp"

namespace parallax::ui {

MainToolBar::MainToolBar(const QString& title, QWidget* parent) : QToolBar(title, parent) {
    setMovable(false);
    setIconSize(QSize(18, 18));
    if (auto* more = findChild<QToolButton*>(QStringLiteral("qt_toolbar_ext_button"))) {
        more->setToolTip(tr("More commands"));
        more->setAccessibleName(more->toolTip());
    }
}

QToolButton* MainToolBar::addButton(QAction* action, bool text) {
    addAction(action);
    auto* button = qobject_cast<QToolButton*>(widgetForAction(action));
    button->setToolButtonStyle(text ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
    if (text) withText_ << button;
    return button;
}

void MainToolBar::addAtEnd(QWidget* widget) {
    auto* stretch = new QWidget;
    stretch->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    addWidget(stretch);
    addWidget(widget);
    end_ = widget;
}

int MainToolBar::widthOfButtons() const {
    int width = 2 * 6 + (end_ ? end_->minimumSizeHint().width() : 0);
    for (QAction* action : actions()) {
        const QWidget* widget = widgetForAction(action);
        if (!widget || widget == end_) continue;
        width += widget->sizeHint().width() + 4;
    }
    return width;
}

void MainToolBar::showTexts(bool shown) {
    textsShown_ = shown;
    for (QToolButton* button : withText_) button->setToolButtonStyle(shown ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
}

void MainToolBar::fit() {
    if (textsShown_) widthWithTexts_ = widthOfButtons();
    if (const bool room = widthWithTexts_ <= width(); room != textsShown_) showTexts(room);
}

void MainToolBar::resizeEvent(QResizeEvent* event) {
    QToolBar::resizeEvent(event);
    fit();
}

void MainToolBar::changeEvent(QEvent* event) {
    QToolBar::changeEvent(event);
    if (event->type() == QEvent::StyleChange || event->type() == QEvent::FontChange) {
        showTexts(true);
        fit();
    }
}

}  // namespace parallax::ui
