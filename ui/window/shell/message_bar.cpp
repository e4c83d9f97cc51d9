// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/shell/message_bar.hpp"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include "ui/theme/widgets.hpp"

namespace parallax::ui {
namespace {

constexpr int kInformationMilliseconds = 8000;

}  // namespace

MessageBar::MessageBar(QWidget* parent) : QFrame(parent), icon_(new QLabel), text_(new QLabel), action_(new QToolButton) {
    setObjectName(QStringLiteral("messageBar"));
    setAccessibleName(tr("Message"));
    text_->setWordWrap(true);
    text_->setMinimumWidth(80);  // a long word must not widen the window
    text_->setTextFormat(Qt::RichText);
    selectable(text_);
    auto* copy = new QToolButton;
    copy->setIcon(actionIcon(QStringLiteral("copy")));
    copy->setToolTip(tr("Copy this message"));
    copy->setAccessibleName(copy->toolTip());
    copy->setAutoRaise(true);
    auto* close = new QToolButton;
    close->setIcon(actionIcon(QStringLiteral("close")));
    close->setToolTip(tr("Close this message (Esc)"));
    close->setAccessibleName(close->toolTip());
    close->setAutoRaise(true);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(10, 6, 6, 6);
    layout->addWidget(icon_);
    layout->addWidget(text_, 1);
    layout->addWidget(action_);
    layout->addWidget(copy);
    layout->addWidget(close);
    connect(copy, &QToolButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(message_.plainText()); });
    connect(close, &QToolButton::clicked, this, &QWidget::hide);
    action_->setToolButtonStyle(Qt::ToolButtonTextOnly);
    action_->hide();
    hideTimer_.setSingleShot(true);
    connect(&hideTimer_, &QTimer::timeout, this, &QWidget::hide);
    connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, &MessageBar::restyle);
    hide();
}

void MessageBar::showMessage(const Message& message) {
    // An information must not hide an unread error.
    if (isVisible() && message_.kind == Message::Kind::error && message.kind == Message::Kind::information &&
        message.source != message_.source)
        return;
    message_ = message;
    QString html = QStringLiteral("<b>%1</b>").arg(message.what.toHtmlEscaped());
    if (!message.why.isEmpty()) html += QStringLiteral(" – ") + message.why.toHtmlEscaped();
    if (!html.endsWith(QLatin1Char('.'))) html += QLatin1Char('.');
    if (!message.whatToDo.isEmpty()) {
        html += QLatin1Char(' ') + message.whatToDo.toHtmlEscaped();
        if (!html.endsWith(QLatin1Char('.'))) html += QLatin1Char('.');
    }
    text_->setText(html);
    setAccessibleDescription(message.plainText());
    QAction* action = actions_.value(message.source);
    if (action) action_->setDefaultAction(action);
    action_->setVisible(action);
    restyle();
    show();
    hideTimer_.stop();
    if (message.kind == Message::Kind::information) hideTimer_.start(kInformationMilliseconds);
}

void MessageBar::setAction(const QString& source, QAction& action) { actions_.insert(source, &action); }

void MessageBar::clearSource(const QString& source) {
    if (isVisible() && message_.source == source) hide();
}

void MessageBar::restyle() {
    const Theme& theme = currentTheme();
    const QColor colour = message_.kind == Message::Kind::error     ? theme.error
                          : message_.kind == Message::Kind::warning ? theme.warning
                                                                    : theme.accent;
    setStyleSheet(QStringLiteral("#messageBar { background: %1; border: none; border-left: 4px solid %2; border-bottom: 1px solid %3; }")
                      .arg(theme.card.name(), colour.name(), theme.border.name()));
    icon_->setPixmap(
        actionIcon(message_.kind == Message::Kind::information ? QStringLiteral("info") : QStringLiteral("error")).pixmap(QSize(18, 18)));
}

}  // namespace parallax::ui
