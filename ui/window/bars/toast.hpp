// SPDX-License-Identifier: GPL-3.0-or-later
// One message with its buttons.
#pragma once

#include <QFrame>
#include <QList>
#include <QStringList>
#include <QTimer>

#include "ui/models/document/message.hpp"

class QAction;
class QLabel;

namespace parallax::ui {

class Toast : public QFrame {
    Q_OBJECT
public:
    /// `actions`: a button for each; those with a menu open it.
    Toast(const Message& message, const QList<QAction*>& actions, QWidget* parent);
    const Message& message() const { return message_; }
    bool isInformation() const { return message_.kind == Message::Kind::information; }
    /// All sources that raised this message.
    QStringList& sources() { return sources_; }

signals:
    void closeRequested();

protected:
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void restyle();

    Message message_;
    QStringList sources_;
    QTimer timer_;
    QLabel* icon_;
};

}  // namespace parallax::ui
