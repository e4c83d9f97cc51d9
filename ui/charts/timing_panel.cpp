// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/timing_panel.hpp"

#include <QClipboard>
#include <QComboBox>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHash>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QTableView>
#include <QVBoxLayout>

#include "core/image/synthetic.hpp"
#include "core/measure/sampling/protocol.hpp"
#include "core/measure/sampling/sampler.hpp"
#include "ui/charts/chart_export.hpp"
#include "ui/charts/chart_page.hpp"
#include "ui/charts/kinds/compare_chart.hpp"
#include "ui/charts/kinds/history_page.hpp"
#include "ui/charts/kinds/roofline_chart.hpp"
#include "ui/charts/kinds/scaling_chart.hpp"
#include "ui/charts/kinds/speedup_chart.hpp"
#include "ui/charts/kinds/stage_chart.hpp"
#include "ui/charts/kinds/sweep_chart.hpp"
#include "ui/charts/kinds/sweep_controls.hpp"
#include "ui/charts/kinds/timeline_chart.hpp"
#include "ui/charts/live_chart.hpp"
#include "ui/help/context_help.hpp"
#include "ui/models/benchmark/timing_model.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/models/pipeline/catalog_text.hpp"
#include "ui/session/lab.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/elided_label.hpp"
#include "ui/theme/theme.hpp"
#include "ui/theme/tips.hpp"

namespace parallax::ui {

TimingPanel::TimingPanel(Session& session, QWidget* parent)
    : QWidget(parent),
      session_(session),
      model_(new TimingModel(this)),
      stages_(new StageChart),
      speedup_(new SpeedupChart),
      live_(new LiveChart),
      timeline_(new TimelineChart),
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
    const QHash<QString, QString> titles{
        {QStringLiteral("quick"), tr("quick")}, {QStringLiteral("normal"), tr("normal")}, {QStringLiteral("thorough"), tr("thorough")}};
    for (const std::string& name : efforts()) {
        const QString key = QString::fromStdString(name);
        effort_->addItem(titles.value(key, key), key);
    }
    effort_->setObjectName(QStringLiteral("effort"));
    effort_->setToolTip(tr("Time spent on each backend. Quick takes seconds; thorough takes minutes and gives narrower intervals."));
    effort_->setAccessibleName(tr("Benchmark effort"));
    run_->setToolTip(
        tr("Measure the pipeline on all available backends and those of A and B, interleaved, and verify the results against the reference "
           "(F5)"));
    run_->setIcon(actionIcon(QStringLiteral("benchmark")));
    auto* copy = new QPushButton(tr("Copy table"));
    copy->setIcon(actionIcon(QStringLiteral("copy")));
    copy->setToolTip(tr("Copy the table as tab-separated text"));
    state_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    state_->setObjectName(QStringLiteral("timingState"));
    tabs_->setObjectName(QStringLiteral("timingTabs"));
    tabs_->setAccessibleName(tr("Charts"));
    tabs_->setToolTip(tr("Select a chart"));
    tabs_->setDocumentMode(true);
    tabs_->setDrawBase(false);
    tabs_->setExpanding(false);

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
    addChart(tr("Scaling"), tr("Speedup and efficiency over the number of threads, with Amdahl's law"), scaling_, threadControls_);
    addChart(tr("Sweep"), tr("Time over image size or a parameter, with the points where the fastest backend changes"), sweep_,
             makeTimeChoice(*sweep_, sweepControls_));
    addChart(tr("Roofline"), tr("Rates of the backends against the ceilings of the machine"), roofline_, makeCeilingControls());
    history_ = new HistoryPage(session_);
    add(tr("History"), tr("Past runs to show again or to compare with"), history_, QStringLiteral("history"));

    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(0, 0, 0, 0);
    bar->addWidget(run_);
    bar->addWidget(effort_);
    bar->addWidget(tabs_);
    bar->addWidget(state_, 1);
    bar->addWidget(copy);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 6, 8, 6);
    layout->setSpacing(6);
    layout->addLayout(bar);
    layout->addWidget(stack_, 1);

    connect(run_, &QPushButton::clicked, this, [this] { session_.measure(effort()); });
    connect(copy, &QPushButton::clicked, this, &TimingPanel::copyTable);
    connect(tabs_, &QTabBar::currentChanged, this, [this](int page) {
        stack_->setCurrentIndex(page);
        refreshCharts();
        if (page == historyPage) session_.lab().refreshHistory();
        if (page == scalingPage) threadControls_->refresh();
        if (page == sweepPage) sweepControls_->refresh();
        emit pageChanged();
    });
    connect(&session_, &Session::recordChanged, this, &TimingPanel::refresh);
    connect(&session_, &Session::busyChanged, this, [this] {
        run_->setEnabled(!session_.measuring());
        ceilings_->setEnabled(!session_.lab().measuringCeilings());
    });
    connect(&session_.lab(), &Lab::sweepChanged, this, [this] {
        refreshState();
        refreshCharts();
    });
    connect(&session_.lab(), &Lab::rooflineChanged, this, &TimingPanel::refreshCharts);
    connect(&session_.lab(), &Lab::reportShown, this, [this](bool isSweep) {
        const auto& lab = session_.lab();
        if (isSweep)
            showPage(lab.scaling() && !lab.scaling()->source.isEmpty() && (!lab.sweepRecords() || lab.sweepRecords()->source.isEmpty())
                         ? scalingPage
                         : sweepPage);
        else if (page() == historyPage) showPage(stagesPage);
        refreshState();
    });
    // A clicked run is shown in B.
    const auto connectRun = [this](Chart* chart, auto&& recordOf) {
        connect(chart, &Chart::activated, this, [this, recordOf](int record, int entry) {
            if (const RunRecord* r = recordOf(record)) showRun(*r, entry);
        });
    };
    const auto single = [this](int) { return session_.record().get(); };
    const auto of = [](const std::shared_ptr<const LabRecords>& lab, int record) {
        return lab && record >= 0 && record < static_cast<int>(lab->records.size()) ? &lab->records[static_cast<std::size_t>(record)]
                                                                                    : nullptr;
    };
    for (Chart* chart :
         {static_cast<Chart*>(stages_), static_cast<Chart*>(speedup_), static_cast<Chart*>(live_), static_cast<Chart*>(timeline_)})
        connectRun(chart, single);
    connectRun(scaling_, [this, of](int record) { return of(session_.lab().scaling(), record); });
    connectRun(sweep_, [this, of](int record) { return of(session_.lab().sweepRecords(), record); });
    connectRun(roofline_, [this](int record) { return session_.lab().rooflineRecord(record); });
    refresh();
}

std::shared_ptr<const LabRecords> TimingPanel::shownSweep() const {
    if (page() == scalingPage) return session_.lab().scaling();
    if (page() == sweepPage) return session_.lab().sweepRecords();
    return nullptr;
}

QWidget* TimingPanel::makeOverview() {
    prepareTable(*table_);
    table_->setModel(model_);
    table_->setAccessibleName(tr("Timing table"));
    showTipBeside(table_);
    table_->setToolTip(tr("One row per backend, as in the charts. Ctrl+C copies the selection."));
    baseline_->setObjectName(QStringLiteral("baseline"));
    baseline_->setAccessibleName(tr("Baseline of the speedups"));
    baseline_->setToolTip(
        tr("Backend that speedups refer to. One thread of openmp or openmp.scalar is a fair serial baseline; the reference is written for "
           "accuracy, not speed."));
    baseline_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    connect(baseline_, &QComboBox::activated, this, [this] { session_.lab().setBaseline(baseline_->currentText()); });
    auto* label = new QLabel(tr("Baseline"));
    label->setBuddy(baseline_);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(label);
    row->addWidget(baseline_);
    row->addStretch(1);
    auto* side = new QWidget;
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addLayout(row);
    column->addWidget(table_, 1);
    auto* splitter = new QSplitter;
    splitter->addWidget(stages_);
    splitter->addWidget(speedup_);
    splitter->addWidget(side);
    setHelpTopic(*speedup_, speedup_->name());
    setHelpTopic(*side, QStringLiteral("timingTable"));
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 3);
    splitter->setStretchFactor(2, 4);
    splitter->setSizes({300, 300, 400});
    splitter->setChildrenCollapsible(false);
    for (QWidget* w : {static_cast<QWidget*>(stages_), static_cast<QWidget*>(speedup_), side}) w->setMinimumWidth(160);
    addChartMenu(stages_->plot(), session_, stages_->name(), [this] { return stages_->csv(); });
    addChartMenu(speedup_->plot(), session_, speedup_->name(), [this] { return speedup_->csv(); });
    return splitter;
}

QWidget* TimingPanel::makeCeilingControls() {
    ceilings_ = new QPushButton(tr("Measure ceilings"));
    ceilings_->setObjectName(QStringLiteral("measureCeilings"));
    ceilings_->setIcon(actionIcon(QStringLiteral("benchmark")));
    ceilings_->setToolTip(
        tr("Measure memory bandwidths and arithmetic rates of this machine. Takes seconds to a minute in the background; the result is "
           "kept."));
    connect(ceilings_, &QPushButton::clicked, this, [this] { session_.lab().measureCeilings(); });
    auto* row = new QWidget;
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    auto* points = new QComboBox;
    points->setObjectName(QStringLiteral("rooflinePoints"));
    points->setAccessibleName(tr("Points of the roofline"));
    points->setToolTip(
        tr("Points to show. Those of the last benchmark are large and filled, those of the last sweep small and connected."));
    points->addItems({tr("benchmark and sweep"), tr("benchmark"), tr("sweep")});
    connect(points, &QComboBox::currentIndexChanged, roofline_,
            [this](int index) { roofline_->setPoints(static_cast<RooflineChart::Points>(index)); });
    layout->addWidget(ceilings_);
    layout->addStretch(1);
    layout->addWidget(points);
    return row;
}

QWidget* TimingPanel::makeTimeChoice(SweepChart& chart, QWidget* controls) {
    auto* time = new QComboBox;
    time->setObjectName(QStringLiteral("sweepTime"));
    time->setAccessibleName(tr("Time shown in the sweep"));
    time->setToolTip(tr("Compute: the computation alone. End to end: including allocation and transfers, the cost of a single image."));
    time->addItems({tr("compute"), tr("end to end")});
    connect(time, &QComboBox::currentIndexChanged, &chart, [&chart](int index) { chart.setEndToEnd(index == 1); });
    auto* row = new QWidget;
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(controls, 1);
    layout->addWidget(time);
    return row;
}

QString TimingPanel::effort() const { return effort_->currentData().toString(); }

void TimingPanel::showPage(Page page) { tabs_->setCurrentIndex(page); }

TimingPanel::Page TimingPanel::page() const { return static_cast<Page>(tabs_->currentIndex()); }

std::vector<Chart*> TimingPanel::charts() const {
    return {stages_, speedup_, live_, timeline_, scaling_, sweep_, roofline_, &history_->chart()};
}

void TimingPanel::refresh() {
    model_->setSummary(session_.summary());
    refreshBaselines();
    refreshCharts();
    refreshState();
}

void TimingPanel::refreshBaselines() {
    const auto& record = session_.record();
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
    const QString source = session_.lab().recordSource();
    switch (page()) {
        case stagesPage:
            stages_->setSummary(session_.summary());
            speedup_->setSummary(session_.summary());
            break;
        case runsPage: live_->setRecord(session_.record(), source); break;
        case timelinePage: timeline_->setRecord(session_.record(), source); break;
        case scalingPage: scaling_->setRecords(session_.lab().scaling()); break;
        case sweepPage: sweep_->setRecords(session_.lab().sweepRecords()); break;
        case rooflinePage: roofline_->setData(session_.lab().roofline()); break;
        case historyPage: break;
    }
}

void TimingPanel::refreshState() {
    const auto& record = session_.record();
    const Lab& lab = session_.lab();
    if (lab.sweeping() || (!lab.sweepState().isEmpty() && !session_.measuring() && (page() == sweepPage || page() == scalingPage))) {
        state_->setText(lab.sweepState());
        state_->setToolTip({});
        return;
    }
    if (!record) {
        state_->setText(tr("Not measured yet"));
        state_->setToolTip({});
        return;
    }
    QStringList steps;
    for (const std::string& step : record->recipe) steps << QString::fromStdString(step);
    QString text = tr("%1 on %2").arg(steps.join(QStringLiteral(" → ")), QString::fromStdString(record->machine.cpu));
    const QString source = lab.recordSource();
    if (session_.measuring()) text = tr("Measuring … ") + text;
    else if (!source.isEmpty()) text = tr("Earlier run, %1: %2").arg(source, text);
    else if (session_.recordOutdated()) text = tr("Outdated: the pipeline has changed. ") + text;
    QString tip;
    if (!session_.measuring() && session_.summary() && !session_.summary()->warnings.isEmpty()) {
        // The origin of a report matters more than its disturbances.
        const QString warning = QStringLiteral("⚠ ") + session_.summary()->warnings.front(), between = QStringLiteral("  ·  ");
        text = source.isEmpty() ? warning + between + text : text + between + warning;
        tip = session_.summary()->warnings.join(QLatin1Char('\n'));
    }
    state_->setText(text);
    state_->setToolTip(tip);
}

void TimingPanel::copyTable() const {
    const int index = stack_->currentIndex();
    QString text = model_->toText();
    if (index == historyPage) text = history_->model().toText();
    else if (index > 0) text = pages_[static_cast<std::size_t>(index - 1)]->model().toText();
    QGuiApplication::clipboard()->setText(text);
}

QString TimingPanel::showInput(const RunRecord& record) {
    const Image& shown = *session_.original();
    const Shape& size = record.input.shape;
    const QString extent = formatExtent(size.width, size.height, size.depth);
    const std::string& name = record.input.name;
    if (isSynthetic(name) && isSynthetic(shown.source.path) && parseSynthetic(name).kind == parseSynthetic(shown.source.path).kind) {
        // Opening an image would stop the measurement.
        if (session_.measuring())
            return tr("That run used an image generated at %1. It can be opened when the current measurement has finished.").arg(extent);
        session_.open(QString::fromStdString(name));
        return tr("Opened the image generated at %1 that this run used.").arg(extent);
    }
    if (name != shown.source.path || isSynthetic(name))
        return tr("That run used another image: %1, %2.").arg(QFileInfo(QString::fromStdString(name)).fileName(), extent);
    const QRect part = QRect(0, 0, static_cast<int>(size.width), static_cast<int>(size.height)) &
                       QRect(0, 0, static_cast<int>(shown.shape().width), static_cast<int>(shown.shape().height));
    if (part.width() < size.width || part.height() < size.height)
        return tr("That run used this image, repeated and cropped to %1. B shows the result of the original image.").arg(extent);
    emit partChosen(part);
    return tr("That run used the selected part, %1. B shows the result of the whole image; it differs at the edges of the part and for "
              "operations that use statistics of the whole image.")
        .arg(extent);
}

void TimingPanel::showRun(const RunRecord& record, int entry) {
    if (entry < 0 || entry >= static_cast<int>(record.entries.size()) || !session_.original()) return;
    const RunEntry& e = record.entries[static_cast<std::size_t>(entry)];
    const QString label = QString::fromStdString(e.label);
    QStringList remarks;
    const QString source = QStringLiteral("show run");
    try {
        const Backend& backend = session_.catalog().backend(targetOfLabel(e.label).backend);
        if (!backend.availability().yes)
            throw Error(ErrorCode::unavailable, "'" + e.label + "' is not available here", backend.availability().reason);
        // A point of a sweep over a parameter has its own value; using it is an edit that can be undone.
        const std::string& axis = record.sweep.axis;
        const auto dot = axis.find('.');
        PipelineModel& pipeline = session_.pipeline();
        for (int row = 0; dot != std::string::npos && row < pipeline.rowCount(); ++row) {
            const Step& step = pipeline.step(row);
            if (step.operation->id() != axis.substr(0, dot) || step.parameters.text(axis.substr(dot + 1)) == record.sweep.value) continue;
            ParameterBlock block = step.parameters;
            block.setText(axis.substr(dot + 1), record.sweep.value);
            const QString change =
                QStringLiteral("%1 → %2").arg(axisTitle(session_.catalog(), axis), QString::fromStdString(record.sweep.value));
            pipeline.setParameters(row, block, change);
            remarks << tr("The pipeline now uses %1, as at this point. Undo reverts this.").arg(change);
        }
        session_.setTarget(Side::b, label);
    } catch (const Error& error) {
        return emit session_.messageRaised(toMessage(error, source));
    }
    if (record.input.shape != session_.original()->shape()) remarks << showInput(record);
    if (remarks.isEmpty()) return emit session_.messageCleared(source);
    emit session_.messageRaised({Message::Kind::information, tr("B shows %1").arg(label), remarks.join(QLatin1Char(' ')), {}, source});
}

}  // namespace parallax::ui
