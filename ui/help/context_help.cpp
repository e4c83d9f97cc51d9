// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/help/context_help.hpp"

#include <QApplication>
#include <QKeyEvent>
#include <QVariant>
#include <QWhatsThis>

#include "ui/help/manual.hpp"
#include "ui/help/manual_window.hpp"

namespace parallax::ui {
namespace {

constexpr char kTopicProperty[] = "helpTopic";

}  // namespace

void setHelpTopic(QWidget& widget, const QString& topic) { widget.setProperty(kTopicProperty, topic); }

QString helpAddress(const QWidget* widget) {
    for (const QWidget* w = widget; w; w = w->parentWidget())
        for (const QString& topic : {w->property(kTopicProperty).toString(), w->objectName()})
            if (const QString address = Manual::instance().addressOf(topic); !topic.isEmpty() && !address.isEmpty()) return address;
    return {};
}

ContextHelp::ContextHelp(QWidget& window) : QObject(&window), window_(window) { qApp->installEventFilter(this); }

ContextHelp::~ContextHelp() = default;

ManualWindow& ContextHelp::manual() {
    if (!manual_) manual_ = std::make_unique<ManualWindow>(Manual::instance());
    return *manual_;
}

void ContextHelp::showForFocus() { manual().open(helpAddress(QApplication::focusWidget())); }

void ContextHelp::pickWidget() { QWhatsThis::enterWhatsThisMode(); }

bool ContextHelp::eventFilter(QObject* watched, QEvent* event) {
    auto* widget = qobject_cast<QWidget*>(watched);
    if (!widget) return false;
    if (event->type() == QEvent::QueryWhatsThis) {
        event->setAccepted(!helpAddress(widget).isEmpty());
        return true;
    }
    if (event->type() == QEvent::WhatsThis) {
        // Later: Qt still uses its state of this mode.
        QMetaObject::invokeMethod(
            this, [] { QWhatsThis::leaveWhatsThisMode(); }, Qt::QueuedConnection);
        manual().open(helpAddress(widget));
        return true;
    }
    if (event->type() != QEvent::KeyPress || static_cast<QKeyEvent*>(event)->key() != Qt::Key_F1) return false;
    if (widget->window() == &window_ || (manual_ && widget->window() == manual_.get())) return false;
    manual().open(helpAddress(widget));
    return true;
}

}  // namespace parallax::ui
