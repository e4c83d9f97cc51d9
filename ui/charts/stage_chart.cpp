// SPDX-License-Identifier: GPL-3.0-or-later
#include "parallax/ui/charts/stage_chart.hpp"

#include <QVBoxLayout>

#include "parallax/ui/charts/chart_export.hpp"
#include "parallax/ui/charts/chart_style.hpp"
#include "parallax/ui/charts/plot.hpp"
#include "parallax/ui/models/formatting.hpp"
#include "parallax/ui/theme/theme.hpp"

namespace parallax::ui {
namespace {

constexpr std::array kShown{Stage::allocate, Stage::upload, Stage::compute, Stage::exchange, Stage::download};

QString stageTitle(Stage stage) {
    switch (stage) {
        case Stage::allocate: return StageChart::tr("allocate");
        case Stage::upload: return StageChart::tr("upload");
        case Stage::compute: return StageChart::tr("compute");
        case Stage::exchange: return StageChart::tr("exchange");
        case Stage::download: return StageChart::tr("download");
        default: return QString::fromUtf8(stageName(stage).data(), static_cast<qsizetype>(stageName(stage).size()));
    }
}

/// compute keeps the first colour and a solid fill in every chart.
int styleOf(Stage stage) {
    switch (stage) {
        case Stage::compute: return 0;
        case Stage::upload: return 1;
        case Stage::download: return 2;
        case Stage::allocate: return 3;
        default: return 4;
    }
}

}  // namespace

StageChart::StageChart(QWidget* parent) : QWidget(parent), plot_(new QCustomPlot(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(plot_);
    setAccessibleName(tr("Stages chart"));
    plot_->setAccessibleName(accessibleName());
    setToolTip(
        tr("Median time of every stage of a run, per backend. End to end is the whole bar; compute is the solid part. Right click: copy or "
           "save."));
    connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, &StageChart::rebuild);
    rebuild();
}

void StageChart::setSummary(std::shared_ptr<const TimingSummary> summary) {
    summary_ = std::move(summary);
    rebuild();
}

void StageChart::rebuild() {
    std::vector<const TimingRow*> rows;
    if (summary_)
        for (const TimingRow& row : summary_->rows)
            if (row.measured()) rows.push_back(&row);
    if (rows.empty()) return showPlaceholder(*plot_, tr("Stages\n\nPress Benchmark to see where the time of each backend goes."));
    QStringList names;
    double longest = 0;
    for (const TimingRow* row : rows) {
        names << row->label;
        longest = std::max(longest, row->numbers.endToEnd.median);
    }
    const auto [unit, divisor] = longest < 1e3   ? std::pair{tr("ns"), 1.0}
                                 : longest < 1e6 ? std::pair{tr("µs"), 1e3}
                                 : longest < 1e9 ? std::pair{tr("ms"), 1e6}
                                                 : std::pair{tr("s"), 1e9};
    prepareBarChart(*plot_, tr("Stages, median of a run"), tr("time [%1]").arg(unit), names);
    QCPAxisRect* axes = plot_->axisRect(0);
    const int count = static_cast<int>(rows.size());
    QCPBars* below = nullptr;
    double widest = 0;
    for (const Stage stage : kShown) {
        QVector<double> keys, values;
        double sum = 0;
        for (int i = 0; i < count; ++i) {
            keys << categoryPosition(i, count);
            values << rows[static_cast<std::size_t>(i)]->stage(stage) / divisor;
            sum += values.back();
        }
        if (sum <= 0) continue;
        auto* bars = new QCPBars(axes->axis(QCPAxis::atLeft), axes->axis(QCPAxis::atBottom));
        bars->setName(stageTitle(stage));
        bars->setProperty("inLegend", true);
        bars->setWidth(0.62);
        bars->setBrush(seriesBrush(styleOf(stage)));
        bars->setPen(QPen(seriesColour(styleOf(stage)), 1));
        bars->setData(keys, values);
        if (below) bars->moveAbove(below);
        below = bars;
    }
    for (int i = 0; i < count; ++i) {
        double total = 0;
        for (const Stage stage : kShown) total += rows[static_cast<std::size_t>(i)]->stage(stage) / divisor;
        widest = std::max(widest, total);
        auto* text = new QCPItemText(plot_);
        text->position->setAxisRect(axes);
        text->position->setAxes(axes->axis(QCPAxis::atBottom), axes->axis(QCPAxis::atLeft));
        text->position->setCoords(total, categoryPosition(i, count));
        text->setPositionAlignment(Qt::AlignLeft | Qt::AlignVCenter);
        text->setPadding(QMargins(5, 0, 0, 0));
        text->setColor(currentTheme().chartText);
        text->setText(formatDuration(total * divisor));
        text->setClipToAxisRect(false);
    }
    // Room for the numbers behind the longest bar.
    axes->axis(QCPAxis::atBottom)->setRange(0, widest * 1.28);
    axes->axis(QCPAxis::atBottom)->ticker()->setTickCount(4);
    placeLegend(*plot_);
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

QString StageChart::csv() const {
    QStringList lines{QStringLiteral("backend,stage,median_ns")};
    if (!summary_) return {};
    for (const TimingRow& row : summary_->rows) {
        if (!row.measured()) continue;
        for (const Stage stage : kShown)
            lines << csvField(row.label) + QLatin1Char(',') +
                         QString::fromUtf8(stageName(stage).data(), static_cast<qsizetype>(stageName(stage).size())) + QLatin1Char(',') +
                         QString::number(row.stage(stage), 'g', 12);
    }
    return lines.join(QStringLiteral("\r\n")) + QStringLiteral("\r\n");
}

}  // namespace parallax::ui
