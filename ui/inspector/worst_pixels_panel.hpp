// SPDX-License-Identifier: GPL-3.0-or-later
// The largest differences of B against A as a list; choosing one shows its pixel, marked, in every pane.
#pragma once

#include <QWidget>

class QLabel;
class QTableWidget;

namespace parallax::ui {

class Session;
class ViewState;

class WorstPixelsPanel : public QWidget {
    Q_OBJECT
public:
    WorstPixelsPanel(Session& session, ViewState& view, QWidget* parent = nullptr);
    QTableWidget& table() { return *table_; }

private:
    void updateRows();
    void jumpTo(int row);
    /// Or, without rows, why there are none.
    void showTable(const QString& ifEmpty);

    Session& session_;
    ViewState& view_;
    QTableWidget* table_;
    QLabel* none_;
};

}  // namespace parallax::ui
