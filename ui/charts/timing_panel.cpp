// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/timing_panel.hpp"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHash>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QTabBar>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

#include "core/measure/sampling/protocol.hpp"
#include "core/measure/sampling/sampler.hpp"
#include "ui/charts/chart_export.hpp"
#include "ui/charts/chart_page.hpp"
#include "ui/charts/kinds/history_page.hpp"
#include "ui/charts/kinds/sweep_controls.hpp"
#include "ui/charts/kinds/timing_charts.hpp"
#include "ui/help/context_help.hpp"
#include "ui/models/document/core_text.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/models/pipeline/catalog_text.hpp"
#include "ui/models/pipeline/step_text.hpp"
#include "ui/session/lab.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/elided_label.hpp"
#include "ui/theme/layout.hpp"
#include "ui/theme/theme.hpp"
#include "ui/theme/tips.hpp"
#include "ui/theme/widgets.hpp"

namespace parallax::ui {
namespace {

constexpr int kStateWidth = 120;    // a narrower text says nothing
constexpr int kLiveInterval = 200;  // milliseconds between updates of a chart of a run that has not ended

/// Panes with a result or a running computation, with the names of their targets; equal names get the letter of the pane.
std::vector<std::pair<Side, std::string>> labelsOfPanes(const Comparison& comparison) {
    std::vector<std::pair<Side, std::string>> panes;
    for (const Side side : comparison.sides()) {
        if (!comparison.live(side) && !comparison.side(side).result) continue;
        std::string label = comparison.side(side).target.label();
        const auto same = [&](const auto& pane) { return pane.second == label; };
        if (std::any_of(panes.begin(), panes.end(), same)) label = letterOf(side).toStdString() + " " + label;
        panes.emplace_back(side, std::move(label));
    }
    return panes;
}

/// The last runs of the panes as entries without times.
std::shared_ptr<const RunRecord> runsAsRecord(const Comparison& comparison) {
    auto record = std::make_shared<RunRecord>();
    for (const auto& [side, label] : labelsOfPanes(comparison)) {
        if (!comparison.side(side).result) continue;
        RunEntry& entry = record->entries.emplace_back();
        entry.label = label;
        entry.laps = comparison.side(side).result->laps;
    }
    return record;
}

}  // namespace

TimingPanel::TimingPanel(Session& session, QWidget* parent)
    : QWidget(parent),
      session_(session),
      model_(new TimingModel(this)),
      stages_(new StageChart),
      speedup_(new SpeedupChart),
      live_(new LiveChart),
      timeline_(new TimelineChart),
      convergence_(new ConvergenceChart(session.catalog())),
      laps_(new LapsChart(session.catalog())),
      scaling_(new ScalingChart),
      sweep_(new SweepChart(session.catalog())),
      roofline_(new RooflineChart(session.catalog())),
      table_(new QTableView),
      effort_(new QComboBox),
      baseline_(new QComboBox),
      run_(new QPushButton(tr("Benchmark"))),
      tabs_(new QTabBar),
      stack_(new QStackedWidget),
      state_(new ElidedLabel) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 6, 8, 6);
    layout->setSpacing(6);
    layout->addLayout(makeBar());
    layout->addWidget(stateLine_);
    layout->addWidget(stack_, 1);
    addPages();
    connectSession();
    connectCharts();
    refresh();
}

QLayout* TimingPanel::makeBar() {
    const QHash<QString, QString> titles{
        {QStringLiteral("quick"), tr("quick")}, {QStringLiteral("normal"), tr("normal")}, {QStringLiteral("thorough"), tr("thorough")}};
    for (const std::string& name : efforts()) {
        const QString key = QString::fromStdString(name);
        effort_->addItem(titles.value(key, key), key);
    }
    describe(effort_, "effort", tr("Benchmark effort"),
             tr("Time spent on each backend. Quick takes seconds; thorough takes minutes and gives narrower intervals."));
    run_->setObjectName(QStringLiteral("runBenchmark"));
    run_->setToolTip(
        tr("Measure the pipeline on all available backends, those of A and B, and plain serial loops as the baseline, interleaved, and "
           "verify the results against the reference (Ctrl+B)"));
    run_->setIcon(actionIcon(QStringLiteral("benchmark")));
    connect(run_, &QPushButton::clicked, this, [this] { session_.benchmark().measure(effort()); });
    QToolButton* copy = iconButton(QStringLiteral("copy"), tr("Copy the table as tab-separated text"));
    copy->setAccessibleName(tr("Copy table"));
    connect(copy, &QToolButton::clicked, this, &TimingPanel::copyTable);
    state_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    state_->setObjectName(QStringLiteral("timingState"));
    describe(tabs_, "timingTabs", tr("Charts"), tr("Select a chart"));
    tabs_->setDocumentMode(true);
    tabs_->setDrawBase(false);
    tabs_->setExpanding(false);
    bar_ = new QHBoxLayout;
    bar_->setContentsMargins(0, 0, 0, 0);
    bar_->addWidget(run_);
    bar_->addWidget(labelOf(tr("Effort:"), effort_));
    bar_->addWidget(effort_);
    bar_->addWidget(tabs_);
    bar_->addWidget(state_, 1);
    bar_->addWidget(copy);
    stateLine_ = new QWidget;
    makeLayout<QHBoxLayout>(stateLine_);
    stateLine_->hide();
    return bar_;
}

void TimingPanel::placeState() {
    const bool beside = bar_->indexOf(state_) >= 0;
    const QMargins margins = layout()->contentsMargins();
    const int room = width() - margins.left() - margins.right() - bar_->sizeHint().width();  // the label counts as 0
    if (beside == (room >= kStateWidth)) return;
    if (beside) stateLine_->layout()->addWidget(state_);
    else bar_->insertWidget(bar_->count() - 1, state_, 1);
    stateLine_->setVisible(beside);
}

void TimingPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    placeState();
}

void TimingPanel::addPages() {
    const auto effortNow = [this] { return effort(); };
    threadControls_ = new SweepControls(session_, true, effortNow);
    sweepControls_ = new SweepControls(session_, false, effortNow);
    const auto add = [&](const QString& title, const QString& tip, QWidget* page, const QString& topic) {
        setHelpTopic(*page, topic);
        stack_->addWidget(page);
        tabs_->setTabToolTip(tabs_->addTab(title), tip);
    };
    const auto addChart = [&](const QString& title, const QString& tip, Chart* chart, QWidget* controls) {
        pages_.push_back(new ChartPage(chart, controls, session_));
        add(title, tip, pages_.back(), chart->name());
    };
    add(tr("Stages and speedup"), tr("Time of each stage per backend, and speedup over the baseline"), makeOverview(), stages_->name());
    addChart(tr("Runs"), tr("Compute time of each timing sample, live"), live_, nullptr);
    addChart(tr("Timeline"), tr("Start, end and overlap of the stages in a typical run"), timeline_, nullptr);
    addChart(tr("Convergence"), tr("Residual of iterative operations over iterations or time"), convergence_, makeAxisChoice());
    addChart(tr("Parts"), tr("Parts of the compute time, such as the passes of a solver"), laps_, nullptr);
    addChart(tr("Scaling"), tr("Speedup and efficiency over the number of threads or parts, with Amdahl's law"), scaling_, threadControls_);
    addChart(tr("Sweep"), tr("Time over image size or a parameter, with the points where the fastest backend changes"), sweep_,
             makeTimeChoice());
    addChart(tr("Roofline"), tr("Rates of the backends against the ceilings of the machine"), roofline_, makeCeilingControls());
    history_ = new HistoryPage(session_);
    add(tr("History"), tr("Past runs to show again or to compare with"), history_, QStringLiteral("history"));
}

void TimingPanel::connectSession() {
    connect(tabs_, &QTabBar::currentChanged, this, [this](int page) {
        stack_->setCurrentIndex(page);
        refreshCharts();
        refreshState();
        if (page == historyPage) {
            session_.lab().refreshHistory();
            session_.lab().refreshBaselines();
        }
        if (page == scalingPage) threadControls_->refresh();
        if (page == sweepPage) sweepControls_->refresh();
        emit pageChanged();
    });
    connect(&session_.benchmark(), &Benchmark::recordChanged, this, &TimingPanel::refresh);
    connect(&session_.comparison(), &Comparison::sideChanged, this, [this] {
        if (page() == convergencePage || page() == partsPage) refreshCharts();
    });
    // Points of a run that has not ended are read now and then instead of signalled: a run may have thousands a second.
    liveTimer_.setInterval(kLiveInterval);
    connect(&liveTimer_, &QTimer::timeout, this, [this] {
        if (page() == convergencePage && isVisible() && liveVersion() != liveVersion_) refreshConvergence();
    });
    connect(&session_, &Session::busyChanged, this, [this] {
        if (session_.tasks().idle()) liveTimer_.stop();
        else if (!liveTimer_.isActive()) liveTimer_.start();
    });
    connect(&session_, &Session::busyChanged, this, [this] {
        refreshRun();
        ceilings_->setEnabled(!session_.lab().measuringCeilings());
    });
    for (const auto signal : {&Lab::sweepChanged, &Lab::rooflineChanged})
        connect(&session_.lab(), signal, this, [this] {
            refreshState();
            refreshCharts();
        });
    connect(&session_.lab(), &Lab::reportShown, this, [this](bool isSweep) {
        const auto& lab = session_.lab();
        if (isSweep)
            showPage(lab.scaling() && !lab.scaling()->source.isEmpty() && (!lab.sweepRecords() || lab.sweepRecords()->source.isEmpty())
                         ? scalingPage
                         : sweepPage);
        else if (page() == historyPage) showPage(stagesPage);
        refreshState();
    });
}

void TimingPanel::connectCharts() {
    const auto connectRun = [this](Chart* chart, auto&& recordOf) {
        connect(chart, &Chart::activated, this, [this, recordOf](int record, int entry, int pane) {
            if (const RunRecord* r = recordOf(record)) showRun(*r, entry, pane == Chart::paneA ? Side::a : Side::b);
        });
    };
    const auto of = [](const std::shared_ptr<const LabRecords>& lab, int record) {
        return lab && record >= 0 && record < static_cast<int>(lab->records.size()) ? &lab->records[static_cast<std::size_t>(record)]
                                                                                    : nullptr;
    };
    for (Chart* chart : std::initializer_list<Chart*>{stages_, speedup_, live_, timeline_, convergence_, laps_})
        connectRun(chart, [this](int) { return session_.record().get(); });
    connectRun(scaling_, [this, of](int record) { return of(session_.lab().scaling(), record); });
    connectRun(sweep_, [this, of](int record) { return of(session_.lab().sweepRecords(), record); });
    connectRun(roofline_, [this](int record) { return session_.lab().rooflineRecord(record); });
}

std::shared_ptr<const LabRecords> TimingPanel::shownSweep() const {
    if (page() == scalingPage) return session_.lab().scaling();
    if (page() == sweepPage) return session_.lab().sweepRecords();
    return nullptr;
}

QWidget* TimingPanel::makeOverview() {
    prepareTable(*table_, *model_);
    table_->setAccessibleName(tr("Timing table"));
    showTipBeside(table_);
    table_->setToolTip(tr("One row per backend, as in the charts. Ctrl+C copies the selection."));
    describe(
        baseline_, "baseline", tr("Baseline of the speedups"),
        tr("Backend that speedups refer to, also in the next benchmarks. Plain serial loops are a fair baseline; the reference is written "
           "for accuracy, not speed."));
    baseline_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    connect(baseline_, &QComboBox::activated, this, [this] { session_.lab().setBaseline(baseline_->currentText()); });
    auto* cold = describe(new QCheckBox(tr("Cold caches")), "coldCaches", tr("Cold caches"),
                          tr("Empty the caches of CPU and device before each timing sample of the next measurements. Warm caches show "
                             "work on data that were just used, cold ones on data that come from memory."));
    connect(cold, &QCheckBox::toggled, this, [this](bool on) { session_.benchmark().setColdCaches(on); });
    QWidget* side = columnOf({flowOf({rowOf({labelOf(tr("Baseline:"), baseline_), baseline_}), cold, makeEnergyChoice()}), table_});
    side->layout()->setContentsMargins(kBesideChart, 0, 0, 0);
    setHelpTopic(*speedup_, speedup_->name());
    setHelpTopic(*side, QStringLiteral("timingTable"));
    addChartMenu(stages_->plot(), session_, stages_->name(), [this] { return stages_->csv(); });
    addChartMenu(speedup_->plot(), session_, speedup_->name(), [this] { return speedup_->csv(); });
    return splitterOf({{stages_, 3, 300, 120}, {speedup_, 3, 300, 120}, {side, 4, 400, 140}});
}

QWidget* TimingPanel::makeEnergyChoice() {
    energy_ = describe(new QCheckBox(tr("Energy")), "measureEnergy", tr("Energy"), {});
    connect(energy_, &QCheckBox::toggled, this, [this](bool on) { session_.benchmark().setEnergy(on); });
    connect(&session_.benchmark(), &Benchmark::energyCountersFound, this, &TimingPanel::refreshEnergy);
    refreshEnergy();
    return energy_;
}

void TimingPanel::refreshEnergy() {
    const std::optional<EnergyCounters>& counters = session_.benchmark().counters();
    const bool there = counters && !counters->sources.empty();
    energy_->setEnabled(there);
    if (!there) energy_->setChecked(false);
    QStringList texts;
    if (counters)
        for (const std::string& text : there ? counters->sources : counters->reasons) texts << coreText(text);
    if (there)
        energy_->setToolTip(tr("Measure the energy of a run after the timing samples of the next measurements: half a second for each "
                               "backend. Counters: %1.")
                                .arg(texts.join(QStringLiteral(", "))));
    else
        energy_->setToolTip(counters ? tr("Energy cannot be measured: %1.").arg(texts.join(QStringLiteral("; ")))
                                     : tr("Looking for energy counters"));
}

void TimingPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    session_.benchmark().findEnergyCounters();
}

QWidget* TimingPanel::makeCeilingControls() {
    ceilings_ = new QPushButton(tr("Measure ceilings"));
    ceilings_->setObjectName(QStringLiteral("measureCeilings"));
    ceilings_->setIcon(actionIcon(QStringLiteral("benchmark")));
    ceilings_->setToolTip(
        tr("Measure memory bandwidths and arithmetic rates of this machine. Takes seconds to a minute in the background; the result is "
           "kept."));
    connect(ceilings_, &QPushButton::clicked, this, [this] { session_.lab().measureCeilings(); });
    auto* points =
        describe(new QComboBox, "rooflinePoints", tr("Points of the roofline"),
                 tr("Points to show. Those of the last benchmark are large and filled, those of the last sweep small and connected."));
    points->addItems({tr("benchmark and sweep"), tr("benchmark"), tr("sweep")});
    connect(points, &QComboBox::currentIndexChanged, roofline_,
            [this](int index) { roofline_->setPoints(static_cast<RooflineChart::Points>(index)); });
    auto* quantity = describe(new QComboBox, "rooflineQuantity", tr("Vertical axis of the roofline"),
                              tr("Rate to show. Operations compare arithmetic, bytes memory traffic, samples implementations of one "
                                 "operation that differ in both."));
    quantity->addItems({tr("operations/s"), tr("bytes/s"), tr("samples/s")});
    connect(quantity, &QComboBox::currentIndexChanged, roofline_,
            [this](int index) { roofline_->setQuantity(kRooflineQuantities.at(static_cast<std::size_t>(index))); });
    return flowOf({ceilings_, rowOf({labelOf(tr("Points:"), points), points}), rowOf({labelOf(tr("Axis:"), quantity), quantity})});
}

QWidget* TimingPanel::makeTimeChoice() {
    auto* time =
        describe(new QComboBox, "sweepTime", tr("Time shown in the sweep"),
                 tr("Compute: the computation alone. End to end: including allocation and transfers, the cost of a single image."));
    time->addItems({tr("compute"), tr("end to end")});
    connect(time, &QComboBox::currentIndexChanged, sweep_, [this](int index) { sweep_->setEndToEnd(index == 1); });
    sweepControls_->layout()->addWidget(rowOf({labelOf(tr("Time:"), time), time}));
    return sweepControls_;
}

QWidget* TimingPanel::makeAxisChoice() {
    convergenceAxis_ = describe(new QComboBox, "convergenceAxis", tr("Horizontal axis of the convergence chart"),
                                tr("Iterations compare methods; time compares backends, since their iterations differ in cost."));
    convergenceAxis_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    connect(convergenceAxis_, &QComboBox::activated, this, [this] { convergence_->setShown(convergenceAxis_->currentText()); });
    convergenceAxis_->setEnabled(false);
    return rowOf({labelOf(tr("Over:"), convergenceAxis_), convergenceAxis_, nullptr});
}

/// Returns the series of the last run of each pane. `running` receives the labels of panes that are still computing.
std::vector<SeriesOfRun> TimingPanel::runsOfPanes(QStringList& running) const {
    const Comparison& comparison = session_.comparison();
    std::vector<SeriesOfRun> runs;
    for (const auto& [side, label] : labelsOfPanes(comparison)) {
        const auto live = comparison.live(side);
        if (live) running << QString::fromStdString(label);
        runs.push_back({label, live ? live->snapshot().series : comparison.side(side).result->series});
    }
    return runs;
}

std::uint64_t TimingPanel::liveVersion() const {
    std::uint64_t version = 0;
    if (const auto live = session_.benchmark().live()) version += live->version();
    for (const Side side : session_.comparison().sides())
        if (const auto live = session_.comparison().live(side)) version += live->version();
    return version;
}

void TimingPanel::refreshConvergence() {
    liveVersion_ = liveVersion();
    auto shown = std::make_shared<ConvergenceData>();
    const auto record = session_.record();
    const auto live = session_.benchmark().live();
    const bool measured = record && (!live || session_.benchmark().isLive());
    std::vector<SeriesOfRun> runs;
    if (live) {
        LiveSeries::Snapshot snapshot = live->snapshot();
        const auto known = [&](const RunEntry& e) { return e.label == snapshot.run && !e.series.empty(); };
        if (!measured || std::none_of(record->entries.begin(), record->entries.end(), known))
            shown->running << QString::fromStdString(snapshot.run);
        runs.push_back({std::move(snapshot.run), std::move(snapshot.series)});
    }
    shown->charts = seriesCharts(measured ? *record : RunRecord{}, runs);
    if (measured) shown->source = session_.lab().recordSource();
    if (shown->charts.empty() && !live) shown->charts = seriesCharts(RunRecord{}, runsOfPanes(shown->running));
    convergence_->setData(std::move(shown));
    const QStringList choices = convergence_->choices();
    QStringList known;
    for (int i = 0; i < convergenceAxis_->count(); ++i) known << convergenceAxis_->itemText(i);
    if (choices.isEmpty() || choices == known) return convergenceAxis_->setEnabled(!choices.isEmpty());
    const QString before = convergenceAxis_->currentText();
    convergenceAxis_->clear();
    convergenceAxis_->addItems(choices);
    convergenceAxis_->setCurrentIndex(std::max(0, static_cast<int>(choices.indexOf(before))));
    convergenceAxis_->setEnabled(true);
    convergence_->setShown(convergenceAxis_->currentText());
}

QString TimingPanel::effort() const { return effort_->currentData().toString(); }

void TimingPanel::showPage(Page page) { tabs_->setCurrentIndex(page); }

TimingPanel::Page TimingPanel::page() const { return static_cast<Page>(tabs_->currentIndex()); }

std::vector<Chart*> TimingPanel::charts() const {
    return {stages_, speedup_, live_, timeline_, scaling_, sweep_, roofline_, &history_->chart(), convergence_, laps_};
}

void TimingPanel::refreshRun() { run_->setEnabled(session_.original() && !session_.measuring()); }

void TimingPanel::refresh() {
    refreshRun();
    model_->setSummary(session_.benchmark().summary());
    for (const TimingModel::Column column : TimingModel::kOptionalColumns) table_->setColumnHidden(column, model_->isEmpty(column));
    refreshBaselines();
    refreshCharts();
    refreshState();
}

void TimingPanel::refreshBaselines() {
    const std::shared_ptr<const RunRecord> record = session_.record();
    const QSignalBlocker quiet(baseline_);
    baseline_->clear();
    if (record)
        for (const RunEntry& e : record->entries)
            if (!e.samples.empty() && e.verification != Verification::disagrees) baseline_->addItem(QString::fromStdString(e.label));
    baseline_->setCurrentIndex(record ? baseline_->findText(QString::fromStdString(record->baseline)) : -1);
    baseline_->setEnabled(baseline_->count() > 1 && !session_.measuring());
}

/// Only visible charts: a live measurement updates five times a second.
void TimingPanel::refreshCharts() {
    session_.comparison().setMeasuresLaps(page() == partsPage && !session_.record());
    const QString source = session_.lab().recordSource();
    switch (page()) {
        case stagesPage:
            stages_->setData(session_.benchmark().summary());
            speedup_->setData(session_.benchmark().summary());
            break;
        case runsPage: live_->setRecord(session_.record(), source); break;
        case timelinePage: timeline_->setRecord(session_.record(), source); break;
        case convergencePage: refreshConvergence(); break;
        case partsPage: laps_->setRecord(session_.record() ? session_.record() : runsAsRecord(session_.comparison()), source); break;
        case scalingPage: scaling_->setData(session_.lab().scaling()); break;
        case sweepPage: sweep_->setData(session_.lab().sweepRecords()); break;
        case rooflinePage: roofline_->setData(session_.lab().roofline()); break;
        case historyPage: break;
    }
}

/// The record that the page is about and the report that it is from.
std::pair<const RunRecord*, QString> TimingPanel::shownRecord() const {
    const Lab& lab = session_.lab();
    if (const auto sweep = shownSweep()) return {&sweep->records.front(), sweep->source};
    const std::shared_ptr<const RunRecord> record = session_.record();
    if (!record && page() == rooflinePage && lab.rooflineRecord(0)) {
        const auto& sources = lab.roofline()->sources;
        return {lab.rooflineRecord(0), sources.empty() ? QString() : QString::fromStdString(sources.front())};
    }
    return {record.get(), lab.recordSource()};
}

void TimingPanel::refreshState() {
    const Lab& lab = session_.lab();
    QString text, tip;
    const auto [record, source] = shownRecord();
    if (lab.sweeping() || (!lab.sweepState().isEmpty() && !session_.measuring() && (page() == sweepPage || page() == scalingPage))) {
        text = lab.sweepState();
    } else if (!record) {
        text = tr("Not measured yet");
    } else {
        text = tr("%1 on %2").arg(recipeText(record->recipe), QString::fromStdString(record->machine.cpu));
        const bool isBenchmark = record == session_.record().get();
        if (session_.measuring()) text = tr("Measuring … ") + text;
        else if (!source.isEmpty()) text = QStringLiteral("%1: %2").arg(source, text);
        else if (isBenchmark && session_.benchmark().outdated()) text = tr("Outdated: the pipeline has changed. ") + text;
        QStringList warnings;
        for (const std::string& w : record->warnings) warnings << coreText(w);
        if (isBenchmark && !session_.measuring() && !warnings.isEmpty()) {
            // The origin of a report matters more than its disturbances.
            const QString warning = QStringLiteral("⚠ ") + warnings.front(), between = QStringLiteral("  ·  ");
            text = source.isEmpty() ? warning + between + text : text + between + warning;
            tip = warnings.join(QLatin1Char('\n'));
        }
    }
    state_->setText(text.simplified());  // parameters may have several lines
    state_->setToolTip(tip);
}

void TimingPanel::copyTable() const {
    const int index = stack_->currentIndex();
    QString text = model_->toText();
    if (index == historyPage) text = history_->model().toText();
    else if (index > 0) text = pages_[static_cast<std::size_t>(index - 1)]->model().toText();
    QGuiApplication::clipboard()->setText(text);
}

}  // namespace parallax::ui
