// SPDX-License-Identifier: GPL-3.0-or-later
// A bar above the panes for messages (what, why, what to do) that can be copied and closed.
#pragma once

#include <QFrame>
#include <QHash>
#include <QTimer>

#include "ui/models/document/message.hpp"

class QAction;
class QLabel;
class QToolButton;

namespace parallax::ui {

class MessageBar : public QFrame {
    Q_OBJECT
public:
    explicit MessageBar(QWidget* parent = nullptr);
    void showMessage(const Message& message);
    /// Hides the message if it comes from this source.
    void clearSource(const QString& source);
    /// Shows this action as a button beside messages from this source.
    void setAction(const QString& source, QAction& action);
    const Message& message() const { return message_; }

private:
    void restyle();

    Message message_;
    QTimer hideTimer_;
    QHash<QString, QAction*> actions_;
    QLabel *icon_, *text_;
    QToolButton* action_;
};

}  // namespace parallax::ui
