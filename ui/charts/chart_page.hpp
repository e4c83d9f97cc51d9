// SPDX-License-Identifier: GPL-3.0-or-later
// A chart with its controls, what is to be said of it, and the table of the same numbers beside it.
#pragma once

#include <QWidget>

class QAbstractItemDelegate;
class QLabel;
class QTableView;

namespace parallax::ui {

class Chart;
class ChartTableModel;
class Session;

class ChartPage : public QWidget {
    Q_OBJECT
public:
    /// Takes chart and controls (or none).
    ChartPage(Chart* chart, QWidget* controls, Session& session, QWidget* parent = nullptr);
    Chart& chart() const { return *chart_; }
    QTableView& view() const { return *view_; }
    ChartTableModel& model() const { return *model_; }

private:
    void refresh();

    Chart* chart_;
    ChartTableModel* model_;
    QTableView* view_;
    QAbstractItemDelegate* markers_;
    QLabel* notes_;
};

/// As all tables of numbers beside charts look.
void prepareTable(QTableView& table);

}  // namespace parallax::ui
