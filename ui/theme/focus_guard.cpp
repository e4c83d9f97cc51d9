// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/focus_guard.hpp"

#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QEvent>
#include <QKeyEvent>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QSlider>
#include <QTextEdit>

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

/// Controls in which Page Up and Page Down change a value or scroll.
bool usesPageKeys(const QWidget* widget) {
    return qobject_cast<const QAbstractSlider*>(widget) || qobject_cast<const QComboBox*>(widget) ||
           qobject_cast<const QAbstractSpinBox*>(widget) || qobject_cast<const QAbstractItemView*>(widget) ||
           qobject_cast<const QTextEdit*>(widget) || qobject_cast<const QPlainTextEdit*>(widget);
}

class FocusGuard : public QObject {
public:
    using QObject::QObject;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        const QEvent::Type type = event->type();
        if (type == QEvent::ShortcutOverride && watched->isWidgetType()) {
            const auto* key = static_cast<const QKeyEvent*>(event);
            const bool page = (key->key() == Qt::Key_PageUp || key->key() == Qt::Key_PageDown) && key->modifiers() == Qt::NoModifier;
            if (!page || !usesPageKeys(static_cast<QWidget*>(watched))) return false;
            event->accept();
            return true;
        }
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

void installFocusGuard() {
    static FocusGuard* const guard = [] {
        auto* made = new FocusGuard(QCoreApplication::instance());
        QCoreApplication::instance()->installEventFilter(made);
        return made;
    }();
    (void)guard;
}

}  // namespace parallax::ui
