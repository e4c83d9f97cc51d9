// SPDX-License-Identifier: GPL-3.0-or-later
// Shows tooltips below a widget, so that they do not cover its values.
#pragma once

#include <QAbstractItemView>
#include <QHelpEvent>
#include <QToolTip>
#include <QWidget>

namespace parallax::ui {

class TipBeside : public QObject {
public:
    explicit TipBeside(QWidget* widget) : QObject(widget), widget_(widget) {
        auto* view = qobject_cast<QAbstractItemView*>(widget);
        (view ? view->viewport() : widget)->installEventFilter(this);
    }
    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() != QEvent::ToolTip || widget_->toolTip().isEmpty()) return false;
        // Cells with their own tooltip show that instead.
        const auto* view = qobject_cast<QAbstractItemView*>(widget_);
        if (view && !view->indexAt(static_cast<QHelpEvent*>(event)->pos()).data(Qt::ToolTipRole).toString().isEmpty()) return false;
        QToolTip::showText(widget_->mapToGlobal(widget_->rect().bottomLeft()), widget_->toolTip(), widget_, widget_->rect());
        return true;
    }

private:
    QWidget* widget_;
};

inline void showTipBeside(QWidget* widget) { new TipBeside(widget); }

}  // namespace parallax::ui
