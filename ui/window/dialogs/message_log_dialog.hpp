// SPDX-License-Identifier: GPL-3.0-or-later
// The messages of this session, beside the window: what, why, what to do.
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

/// The way to the log in the status bar, with the number of errors that nobody has looked at.
void addMessageButton(MessageLog& log, QStatusBar& bar, QAction& show);

}  // namespace parallax::ui
