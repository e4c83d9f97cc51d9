// SPDX-License-Identifier: GPL-3.0-or-later
// Messages (what, why, what to do) that lie above each other over the lower edge of the canvas and leave the pictures where they are. Each
// can be copied and closed. Information disappears after some seconds; warnings and errors stay.
#pragma once

#include <QHash>
#include <QList>
#include <QWidget>

#include "ui/models/document/message.hpp"

class QAction;

namespace parallax::ui {

class Toast;

class MessageBar : public QWidget {
    Q_OBJECT
public:
    /// Lies over `canvas`, as its sibling.
    explicit MessageBar(QWidget& canvas);
    /// Replaces the message from the same source.
    void showMessage(const Message& message);
    /// Closes the message from this source.
    void clearSource(const QString& source);
    /// Shows an action as a button beside messages from this source, after those added before.
    void addButton(const QString& source, QAction& action);
    /// The newest message; an error that is shown comes before information.
    const Message& message() const { return message_; }
    void closeNewest();
    void closeInformation();
    /// Leaves this many pixels free at the lower edge of the canvas.
    void setClearance(int pixels);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    bool event(QEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void close(Toast& toast);
    void closeAll();
    void place();

    QWidget& canvas_;
    Message message_;
    QList<Toast*> toasts_;  ///< oldest first
    QHash<QString, QList<QAction*>> actions_;
    int clearance_ = 0;
};

}  // namespace parallax::ui
