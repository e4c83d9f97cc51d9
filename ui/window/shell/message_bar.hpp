// SPDX-License-Identifier: GPL-3.0-or-later
// Tells what happened without stopping anybody: what, why, what to do; can be copied and closed.
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
    /// Takes away what this source has said, unless something else was said since.
    void clearSource(const QString& source);
    /// A button for what messages of this source ask for.
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
