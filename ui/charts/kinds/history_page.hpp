// SPDX-License-Identifier: GPL-3.0-or-later
// Past runs: a list to show one or to compare with it, and the comparison as chart and table.
#pragma once

#include <QWidget>
#include <functional>

class QListWidget;
class QPushButton;
class QTableView;

namespace parallax::ui {

class ChartPage;
class ChartTableModel;
class CompareChart;
class Session;

class HistoryPage : public QWidget {
    Q_OBJECT
public:
    explicit HistoryPage(Session& session, QWidget* parent = nullptr);
    ChartTableModel& model() { return *model_; }
    QTableView& list() { return *list_; }
    CompareChart& chart() { return *chart_; }

private:
    void refresh();
    void updateButtons();
    QString chosen() const;
    void askOpen();
    QWidget* makeBaselines();
    void refreshBaselines();
    QStringList ticked() const;
    QString chosenBaseline() const;
    void askName(const QString& title, const QString& label, const QString& text, const std::function<void(const QString&)>& take);

    Session& session_;
    ChartTableModel* model_;
    QTableView* list_;
    CompareChart* chart_;
    QPushButton *show_, *compare_, *remove_;
    QListWidget* baselines_;
    QPushButton *saveBaseline_, *renameBaseline_, *removeBaseline_;
};

}  // namespace parallax::ui
