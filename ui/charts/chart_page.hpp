// SPDX-License-Identifier: GPL-3.0-or-later
// A chart with its controls and notes, and the table of its data beside it.
#pragma once

#include <QWidget>

class QAbstractItemDelegate;
class QAbstractItemModel;
class QLabel;
class QTableView;

namespace parallax::ui {

/// Pixels between a chart and what stands beside it.
constexpr int kBesideChart = 6;

class Chart;
class ChartTableModel;
class Session;

class ChartPage : public QWidget {
    Q_OBJECT
public:
    /// Takes ownership of chart and controls (may be null).
    ChartPage(Chart* chart, QWidget* controls, Session& session, QWidget* parent = nullptr);
    Chart& chart() const { return *chart_; }
    QTableView& view() const { return *view_; }
    ChartTableModel& model() const { return *model_; }
    /// Controls, notes and table. Callers may move them to another place, where they follow the chart as before.
    QWidget& side() const { return *side_; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void refresh();
    void refreshNotes();

    Chart* chart_;
    ChartTableModel* model_;
    QTableView* view_;
    QAbstractItemDelegate* markers_;
    QLabel* notes_;
    QWidget* side_;  // all but the chart
    bool hasControls_;
    bool allNotes_ = false;  // also those that are left out at first
};

/// Sets the model and the look of a table beside charts.
void prepareTable(QTableView& table, QAbstractItemModel& model);

}  // namespace parallax::ui
