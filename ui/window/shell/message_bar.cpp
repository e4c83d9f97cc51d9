// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/shell/message_bar.hpp"

#include <QEvent>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/theme/widgets.hpp"
#include "ui/window/bars/toast.hpp"

namespace parallax::ui {
namespace {

constexpr int kMaxShown = 3;  // older ones are in the list of messages
constexpr int kMargin = 10, kWidth = 640;

}  // namespace

MessageBar::MessageBar(QWidget& canvas) : QWidget(canvas.parentWidget()), canvas_(canvas) {
    setObjectName(QStringLiteral("messageBar"));
    setAccessibleName(tr("Messages"));
    makeLayout<QVBoxLayout>(this, 6);
    canvas_.installEventFilter(this);
    hide();
}

void MessageBar::showMessage(const Message& message) {
    clearSource(message.source);
    // Two sources may complain about the same thing.
    for (Toast* toast : toasts_)
        if (toast->message().plainText() == message.plainText()) {
            toast->sources() << message.source;
            message_ = message;
            return;
        }
    const auto isError = [](const Toast* toast) { return toast->message().kind == Message::Kind::error; };
    // Information must not hide an unread error.
    if (message.kind != Message::Kind::information || std::none_of(toasts_.begin(), toasts_.end(), isError)) message_ = message;
    if (toasts_.size() == kMaxShown) {
        const auto information = std::find_if(toasts_.begin(), toasts_.end(), [](const Toast* toast) { return toast->isInformation(); });
        close(information == toasts_.end() ? *toasts_.front() : **information);
    }
    auto* toast = new Toast(message, actions_.value(message.source), this);
    toasts_ << toast;
    layout()->addWidget(toast);
    connect(toast, &Toast::closeRequested, this, [this, toast] { close(*toast); });
    toast->show();
    show();
    raise();
    place();
}

void MessageBar::close(Toast& toast) {
    if (!toasts_.removeOne(&toast)) return;
    layout()->removeWidget(&toast);
    toast.hide();
    toast.deleteLater();  // the call may come from one of its buttons
    if (toasts_.isEmpty()) return hide();
    // Another message is the newest now.
    if (toast.message().plainText() == message_.plainText()) message_ = toasts_.back()->message();
    place();
}

void MessageBar::closeAll() {
    while (!toasts_.isEmpty()) close(*toasts_.back());
}

void MessageBar::closeNewest() {
    if (!toasts_.isEmpty()) close(*toasts_.back());
}

void MessageBar::closeInformation() {
    for (Toast* toast : QList(toasts_))
        if (toast->isInformation()) close(*toast);
}

void MessageBar::addButton(const QString& source, QAction& action) { actions_[source] << &action; }

void MessageBar::clearSource(const QString& source) {
    for (Toast* toast : QList(toasts_))
        if (toast->sources().removeAll(source) > 0 && toast->sources().isEmpty()) close(*toast);
}

void MessageBar::setClearance(int pixels) {
    clearance_ = pixels;
    place();
}

void MessageBar::place() {
    if (toasts_.isEmpty()) return;
    const QRect area = canvas_.geometry().adjusted(kMargin, kMargin, -kMargin, -kMargin - clearance_);
    const int width = std::min(kWidth, area.width());
    const int height = std::min(layout()->heightForWidth(width), area.height());
    setGeometry(area.left() + (area.width() - width) / 2, area.bottom() + 1 - height, width, height);
}

bool MessageBar::eventFilter(QObject* watched, QEvent* event) {
    if (watched == &canvas_ && (event->type() == QEvent::Resize || event->type() == QEvent::Move)) place();
    return QWidget::eventFilter(watched, event);
}

bool MessageBar::event(QEvent* event) {
    // Fonts and texts of a message have changed.
    if (event->type() == QEvent::LayoutRequest) place();
    return QWidget::event(event);
}

void MessageBar::hideEvent(QHideEvent*) {
    // Hidden itself, not with its window.
    if (isHidden()) closeAll();
}

}  // namespace parallax::ui
