// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/wheel_guard.hpp"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QEvent>
#include <QScrollArea>
#include <QSlider>

namespace parallax::ui {
namespace {

bool isInScrollArea(const QWidget* widget) {
    for (; widget && !widget->isWindow(); widget = widget->parentWidget())
        if (qobject_cast<const QScrollArea*>(widget)) return true;
    return false;
}

/// Sliders outside of scrolled panels, as those of the slices of a volume, take the wheel as viewers do.
bool isGuarded(const QWidget* widget) {
    if (qobject_cast<const QComboBox*>(widget) || qobject_cast<const QAbstractSpinBox*>(widget)) return true;
    return qobject_cast<const QSlider*>(widget) && isInScrollArea(widget);
}

class WheelGuard : public QObject {
public:
    using QObject::QObject;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        const QEvent::Type type = event->type();
        if ((type != QEvent::Wheel && type != QEvent::Polish) || !watched->isWidgetType()) return false;
        auto* widget = static_cast<QWidget*>(watched);
        if (!isGuarded(widget)) return false;
        if (type == QEvent::Polish) {
            // By default the wheel itself gives these widgets the focus.
            if (widget->focusPolicy() == Qt::WheelFocus) widget->setFocusPolicy(Qt::StrongFocus);
            return false;
        }
        if (widget->hasFocus()) return false;
        event->ignore();  // for the parent, which may scroll
        return true;
    }
};

}  // namespace

void installWheelGuard() {
    static WheelGuard* const guard = [] {
        auto* made = new WheelGuard(QCoreApplication::instance());
        QCoreApplication::instance()->installEventFilter(made);
        return made;
    }();
    (void)guard;
}

}  // namespace parallax::ui
