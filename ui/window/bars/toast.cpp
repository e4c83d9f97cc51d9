// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/bars/toast.hpp"

#include <QAccessible>
#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include "ui/desktop/show_in_folder.hpp"
#include "ui/theme/widgets.hpp"

namespace parallax::ui {
namespace {

constexpr int kInformationMilliseconds = 8000;

QString htmlOf(const Message& message) {
    const auto escaped = [](const QString& text) { return withoutStop(text).toHtmlEscaped(); };
    QString html = QStringLiteral("<b>%1</b>").arg(escaped(message.what));
    if (!message.why.isEmpty()) html += QStringLiteral(" – ") + escaped(message.why);
    if (!message.whatToDo.isEmpty()) html += QStringLiteral(". ") + escaped(message.whatToDo);
    return html + QLatin1Char('.');
}

}  // namespace

Toast::Toast(const Message& message, const QList<QAction*>& actions, QWidget* parent)
    : QFrame(parent), message_(message), sources_{message.source}, icon_(new QLabel) {
    setObjectName(QStringLiteral("toast"));
    setAccessibleName(message.plainText());
    auto* text = selectable(new QLabel);
    text->setWordWrap(true);
    text->setMinimumWidth(80);  // a long word must not widen the window
    text->setTextFormat(Qt::RichText);
    text->setText(htmlOf(message));
    text->setAccessibleName(message.plainText());
    QToolButton* copy = iconButton(QStringLiteral("copy"), tr("Copy this message"));
    QToolButton* close = iconButton(QStringLiteral("close"), tr("Close this message (Esc)"));
    close->setObjectName(QStringLiteral("closeToast"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(10, 6, 6, 6);
    layout->addWidget(icon_);
    layout->addWidget(text, 1);
    for (QAction* action : actions) {
        auto* button = new QToolButton;
        button->setDefaultAction(action);
        button->setToolButtonStyle(Qt::ToolButtonTextOnly);
        if (action->menu()) button->setPopupMode(QToolButton::InstantPopup);
        layout->addWidget(button);
    }
    if (!message.file.isEmpty()) {
        auto* show = described(new QToolButton, tr("Show in folder"), tr("Open the folder of this file"), "showInFolder");
        show->setText(tr("Show in folder"));
        connect(show, &QToolButton::clicked, this, [this] { showInFolder(message_.file); });
        layout->addWidget(show);
    }
    layout->addWidget(copy);
    layout->addWidget(close);
    connect(copy, &QToolButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(message_.plainText()); });
    connect(close, &QToolButton::clicked, this, &Toast::closeRequested);
    timer_.setSingleShot(true);
    timer_.setInterval(kInformationMilliseconds);
    connect(&timer_, &QTimer::timeout, this, &Toast::closeRequested);
    if (isInformation()) timer_.start();
    connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, &Toast::restyle);
    restyle();
}

// Nothing disappears under the mouse.
void Toast::enterEvent(QEnterEvent*) { timer_.stop(); }

void Toast::leaveEvent(QEvent*) {
    if (isInformation()) timer_.start();
}

void Toast::showEvent(QShowEvent*) {
    QAccessibleEvent alert(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

void Toast::restyle() {
    const Theme& theme = currentTheme();
    const QColor colour = message_.kind == Message::Kind::error     ? theme.error
                          : message_.kind == Message::Kind::warning ? theme.warning
                                                                    : theme.accent;
    setStyleSheet(QStringLiteral("#toast { background: %1; border: 1px solid %3; border-left: 4px solid %2; border-radius: 4px; }")
                      .arg(theme.card.name(), colour.name(), theme.border.name()));
    icon_->setPixmap(actionIcon(isInformation() ? QStringLiteral("info") : QStringLiteral("error")).pixmap(QSize(18, 18)));
}

}  // namespace parallax::ui
