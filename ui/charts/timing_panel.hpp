// SPDX-License-Identifier: GPL-3.0-or-later
// The Timing dock: charts, the table beside them, and the button that measures.
#pragma once

#include <QWidget>

class QComboBox;
class QLabel;
class QPushButton;
class QTableView;

namespace parallax::ui {

class Session;
class StageChart;
class SpeedupChart;
class TimingModel;

class TimingPanel : public QWidget {
    Q_OBJECT
public:
    explicit TimingPanel(Session& session, QWidget* parent = nullptr);
    QString effort() const;
    TimingModel& model() { return *model_; }
    StageChart& stages() { return *stages_; }
    SpeedupChart& speedup() { return *speedup_; }

private:
    void refresh();
    void copyTable() const;

    Session& session_;
    TimingModel* model_;
    StageChart* stages_;
    SpeedupChart* speedup_;
    QTableView* table_;
    QComboBox* effort_;
    QPushButton* run_;
    QLabel* state_;
};

}  // namespace parallax::ui
