// SPDX-License-Identifier: GPL-3.0-or-later
#include "parallax/ui/charts/timing_panel.hpp"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>

#include "parallax/measure/protocol.hpp"
#include "parallax/ui/bridge/session.hpp"
#include "parallax/ui/charts/chart_export.hpp"
#include "parallax/ui/charts/speedup_chart.hpp"
#include "parallax/ui/charts/stage_chart.hpp"
#include "parallax/ui/models/timing_model.hpp"
#include "parallax/ui/theme/theme.hpp"

namespace parallax::ui {

TimingPanel::TimingPanel(Session& session, QWidget* parent)
    : QWidget(parent),
      session_(session),
      model_(new TimingModel(this)),
      stages_(new StageChart),
      speedup_(new SpeedupChart),
      table_(new QTableView),
      effort_(new QComboBox),
      run_(new QPushButton(tr("Benchmark"))),
      state_(new QLabel) {
    for (const std::string& name : efforts()) effort_->addItem(QString::fromStdString(name));
    effort_->setToolTip(tr("How long each backend is measured: quick takes seconds, thorough minutes and gives narrow intervals."));
    effort_->setAccessibleName(tr("Effort of the benchmark"));
    run_->setToolTip(
        tr("Measure the pipeline on every available backend and on A and B, interleaved and verified against the reference (F5)"));
    run_->setIcon(actionIcon(QStringLiteral("benchmark")));
    auto* copy = new QPushButton(tr("Copy table"));
    copy->setIcon(actionIcon(QStringLiteral("copy")));
    copy->setToolTip(tr("Copy the table as tab-separated text"));
    state_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    state_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);

    table_->setModel(model_);
    table_->setAlternatingRowColors(true);
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->verticalHeader()->hide();
    table_->verticalHeader()->setDefaultSectionSize(table_->fontMetrics().height() + 8);
    table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table_->horizontalHeader()->setHighlightSections(false);
    table_->horizontalHeader()->setStretchLastSection(true);
    table_->setShowGrid(false);
    table_->setWordWrap(false);
    table_->setTabKeyNavigation(false);  // Tab goes on to the next control
    table_->setAccessibleName(tr("Timing table"));
    table_->setToolTip(tr("One line for each backend, as in the charts. Ctrl+C copies what is selected."));

    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(0, 0, 0, 0);
    bar->addWidget(run_);
    bar->addWidget(effort_);
    bar->addWidget(state_, 1);
    bar->addWidget(copy);
    auto* splitter = new QSplitter;
    splitter->addWidget(stages_);
    splitter->addWidget(speedup_);
    splitter->addWidget(table_);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 3);
    splitter->setStretchFactor(2, 4);
    splitter->setSizes({300, 300, 400});
    splitter->setChildrenCollapsible(false);
    for (QWidget* w : {static_cast<QWidget*>(stages_), static_cast<QWidget*>(speedup_), static_cast<QWidget*>(table_)})
        w->setMinimumWidth(160);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 6, 8, 6);
    layout->setSpacing(6);
    layout->addLayout(bar);
    layout->addWidget(splitter, 1);

    addChartMenu(stages_->plot(), session_, QStringLiteral("stages"), [this] { return stages_->csv(); });
    addChartMenu(speedup_->plot(), session_, QStringLiteral("speedup"), [this] { return speedup_->csv(); });
    connect(run_, &QPushButton::clicked, this, [this] { session_.measure(effort()); });
    connect(copy, &QPushButton::clicked, this, &TimingPanel::copyTable);
    connect(&session_, &Session::recordChanged, this, &TimingPanel::refresh);
    connect(&session_, &Session::busyChanged, this, [this] { run_->setEnabled(!session_.measuring()); });
    refresh();
}

QString TimingPanel::effort() const { return effort_->currentText(); }

void TimingPanel::refresh() {
    const auto& summary = session_.summary();
    model_->setSummary(summary);
    stages_->setSummary(summary);
    speedup_->setSummary(summary);
    const auto& record = session_.record();
    if (!record) {
        state_->setText(tr("Not measured yet"));
        return;
    }
    QStringList steps;
    for (const std::string& step : record->recipe) steps << QString::fromStdString(step);
    QString text = tr("%1 on %2").arg(steps.join(QStringLiteral(" → ")), QString::fromStdString(record->machine.cpu));
    if (session_.measuring()) text = tr("Measuring … ") + text;
    else if (session_.recordOutdated()) text = tr("Outdated: the pipeline has changed since. ") + text;
    QString tip = text;
    if (!session_.measuring() && !summary->warnings.isEmpty()) {
        text = QStringLiteral("⚠ ") + summary->warnings.front() + QStringLiteral("  ·  ") + text;
        tip += QLatin1Char('\n') + summary->warnings.join(QLatin1Char('\n'));
    }
    state_->setText(text);
    state_->setToolTip(tip);
}

void TimingPanel::copyTable() const { QGuiApplication::clipboard()->setText(model_->toText()); }

}  // namespace parallax::ui
