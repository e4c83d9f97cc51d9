// SPDX-License-Identifier: GPL-3.0-or-later
// The Timing dock: a page for each kind of chart with its table, and the Benchmark button.
#pragma once

#include <QRect>
#include <QTimer>
#include <QWidget>
#include <memory>
#include <utility>
#include <vector>

#include "core/engine/run/run_record.hpp"
#include "core/report/charts/series_data.hpp"
#include "ui/models/benchmark/lab_records.hpp"
#include "ui/session/compare/comparison.hpp"

class QCheckBox;
class QComboBox;
class QHBoxLayout;
class QLabel;
class QPushButton;
class QStackedWidget;
class QTabBar;
class QTableView;

namespace parallax::ui {

class Chart;
class ChartPage;
class ConvergenceChart;
class HistoryPage;
class LapsChart;
class LiveChart;
class RooflineChart;
class ScalingChart;
class Session;
class SpeedupChart;
class StageChart;
class SweepChart;
class SweepControls;
class TimelineChart;
class TimingModel;

class TimingPanel : public QWidget {
    Q_OBJECT
public:
    /// The pages in their order.
    enum Page { stagesPage, runsPage, timelinePage, convergencePage, partsPage, scalingPage, sweepPage, rooflinePage, historyPage };

    explicit TimingPanel(Session& session, QWidget* parent = nullptr);
    QString effort() const;
    TimingModel& model() { return *model_; }
    StageChart& stages() { return *stages_; }
    SpeedupChart& speedup() { return *speedup_; }
    HistoryPage& history() { return *history_; }
    void showPage(Page page);
    Page page() const;
    /// Returns the visible sweep, or null.
    std::shared_ptr<const LabRecords> shownSweep() const;
    /// The charts of all pages.
    std::vector<Chart*> charts() const;

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

signals:
    void pageChanged();
    /// The selected run used this part of the image.
    void partChosen(const QRect& pixels);

private:
    QLayout* makeBar();
    /// Moves the state to a line of its own where it has no room beside the tabs.
    void placeState();
    void addPages();
    QWidget* makeOverview();
    QWidget* makeEnergyChoice();
    void refreshEnergy();
    QWidget* makeCeilingControls();
    QWidget* makeTimeChoice();
    QWidget* makeAxisChoice();
    void refreshConvergence();
    std::vector<SeriesOfRun> runsOfPanes(QStringList& running) const;
    std::uint64_t liveVersion() const;
    void connectSession();
    void connectCharts();
    std::pair<const RunRecord*, QString> shownRecord() const;
    void refresh();
    void refreshRun();
    void refreshCharts();
    void refreshState();
    void refreshBaselines();
    void copyTable() const;
    /// Makes a pane compute what a run computed, as one edit. Returns remarks for the user. Throws Error.
    QStringList useRun(const RunRecord& record, const Target& target, Side side);
    /// The pane shows what this entry ran.
    void showRun(const RunRecord& record, int entry, Side side);
    /// Shows the image of a run if possible; returns a note on it.
    QString showInput(const RunRecord& record);

    Session& session_;
    TimingModel* model_;
    StageChart* stages_;
    SpeedupChart* speedup_;
    LiveChart* live_;
    TimelineChart* timeline_;
    ConvergenceChart* convergence_;
    LapsChart* laps_;
    ScalingChart* scaling_;
    SweepChart* sweep_;
    RooflineChart* roofline_;
    HistoryPage* history_ = nullptr;
    SweepControls *threadControls_ = nullptr, *sweepControls_ = nullptr;
    QTableView* table_;
    QComboBox *effort_, *baseline_, *convergenceAxis_ = nullptr;
    QPushButton *run_, *ceilings_ = nullptr;
    QCheckBox* energy_ = nullptr;
    QTabBar* tabs_;
    QHBoxLayout* bar_ = nullptr;
    QWidget* stateLine_ = nullptr;
    QStackedWidget* stack_;
    std::vector<ChartPage*> pages_;
    QTimer liveTimer_;
    std::uint64_t liveVersion_ = 0;  // of what the convergence chart shows
    QLabel* state_;
};

}  // namespace parallax::ui
