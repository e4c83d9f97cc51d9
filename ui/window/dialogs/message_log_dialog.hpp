// SPDX-License-Identifier: GPL-3.0-or-later
// Lists the messages of this session with reason and advice.
#pragma once

#include <QDialog>

#include "ui/models/document/message_log.hpp"

class QLabel;
class QPushButton;
class QStatusBar;
class QTableView;

namespace parallax::ui {

class MessageLogDialog : public QDialog {
    Q_OBJECT
public:
    MessageLogDialog(MessageLog& log, QWidget* parent);

protected:
    void showEvent(QShowEvent* event) override;

private:
    QList<int> selectedRows() const;
    void showDetails();
    void copy();

    MessageLog& log_;
    QTableView* table_;
    QLabel* details_;
    QPushButton *copy_, *clear_;
};

/// Adds a button to the status bar that opens the log and shows the number of unread messages.
void addMessageButton(MessageLog& log, QStatusBar& bar, QAction& show);

}  // namespace parallax::ui
