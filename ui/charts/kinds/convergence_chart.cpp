// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "core/engine/operation/capabilities.hpp"
#include "core/engine/operation/refines.hpp"
#include "ui/charts/chart_style.hpp"
#include "ui/charts/kinds/timing_charts.hpp"
#include "ui/models/document/core_text.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/models/pipeline/catalog_text.hpp"
#include "ui/theme/theme.hpp"

namespace parallax::ui {
namespace {

constexpr std::size_t kMaxPoints = 300;  // of a curve; more than there are pixels adds nothing
constexpr int kFewPoints = 40;           // each has a marker
constexpr int kRoomForNames = 500;       // pixels; narrower charts do not say whose a tolerance is
constexpr int kMarkers = 12;             // of a curve with more points

/// A number of an axis that spans decades: "0.01", "1e−8".
QString decadeText(double value) {
    const double exponent = std::log10(value);
    if (std::fabs(exponent) < 3.5 || std::fabs(exponent - std::round(exponent)) > 1e-9) return tickText(value);
    return withMinus(QStringLiteral("1e%1").arg(std::lround(exponent)));
}

bool isTime(const std::string& unit) { return unit == "s"; }

QString valueText(double value, const std::string& unit) {
    if (isTime(unit)) return formatDuration(value * 1e9);
    const bool whole = value == std::floor(value) && value >= 0 && value < 1e15;
    const QString text = whole ? formatCount(static_cast<std::uint64_t>(value)) : formatNumber(value);
    return unit.empty() ? text : text + QLatin1Char(' ') + QString::fromStdString(unit);
}

QString axisLabel(const std::string& title, const std::string& unit) {
    const QString text = catalogText(title);
    return unit.empty() || isTime(unit) ? text : QStringLiteral("%1 [%2]").arg(text, QString::fromStdString(unit));
}

/// Key of a column in CSV: "relative_residual", "time_s".
QString columnKey(const std::string& title, const std::string& unit) {
    QString key = QString::fromStdString(unit.empty() ? title : title + " " + unit).toLower();
    return key.replace(QLatin1Char(' '), QLatin1Char('_'));
}

/// "Diffusion"; with the choice that makes it iterate, as in "Tone mapping (Gradient domain)", if the defaults do not; else empty.
QString iterativeTitle(const Operation& operation) {
    const auto* refines = capability<Refines>(operation);
    if (!refines) return {};
    const QString title = catalogText(operation.title());
    ParameterBlock parameters(operation.parameters());
    if (refines->firstPicture(parameters)) return title;
    for (const ParameterInfo& info : operation.parameters().infos())
        for (const ParameterChoice& choice : info.choices) {
            ParameterBlock chosen = parameters;
            chosen.set(info.key, choice.key);
            if (refines->firstPicture(chosen)) return QStringLiteral("%1 (%2)").arg(title, catalogText(choice.title));
        }
    return {};
}

QString nameOf(const SeriesCurve& curve) {
    const QString entry = QString::fromStdString(curve.entry);
    return curve.label.empty() ? entry : QStringLiteral("%1, %2").arg(entry, coreText(curve.label));
}

}  // namespace

void ConvergenceChart::setShown(const QString& choice) {
    if (shown_ == choice) return;
    shown_ = choice;
    rebuild();
}

QStringList ConvergenceChart::choices() const {
    QStringList names;
    if (!data_) return names;
    const bool severalSteps = std::any_of(data_->charts.begin(), data_->charts.end(),
                                          [&](const SeriesChartData& c) { return c.step != data_->charts.front().step; });
    for (const SeriesChartData& chart : data_->charts) {
        const QString axis = catalogText(chart.xTitle);
        names << (severalSteps ? tr("%1 (step %2, %3)").arg(axis).arg(chart.step + 1).arg(QString::fromStdString(chart.operation)) : axis);
    }
    return names;
}

const SeriesChartData* ConvergenceChart::shown() const {
    if (!data_ || data_->charts.empty()) return nullptr;
    const qsizetype index = choices().indexOf(shown_);
    return &data_->charts[static_cast<std::size_t>(std::max<qsizetype>(index, 0))];
}

QString ConvergenceChart::emptyText() const {
    QStringList operations;
    for (const auto& operation : catalog_.operations())
        if (const QString title = iterativeTitle(*operation); !title.isEmpty()) operations << title;
    return tr("Convergence\n\nAdd an iterative step (%1) and press Benchmark to see its residual after each iteration.")
        .arg(operations.join(QStringLiteral(", ")));
}

void ConvergenceChart::fillTable(const SeriesChartData& chart) {
    const bool labelled = std::any_of(chart.curves.begin(), chart.curves.end(), [](const SeriesCurve& c) { return !c.label.empty(); });
    QVector<ChartColumn> columns{{QStringLiteral("backend"), tr("Backend")}};
    if (labelled) columns << ChartColumn{QStringLiteral("part"), tr("Part"), tr("One of several solves of a run")};
    columns << ChartColumn{QStringLiteral("points"), tr("Points"), tr("Recorded values, the initial one included")}
            << ChartColumn{columnKey(chart.xTitle, chart.xUnit), catalogText(chart.xTitle), tr("At the last point")}
            << ChartColumn{QStringLiteral("first"), tr("First"), tr("Value before the first iteration")}
            << ChartColumn{QStringLiteral("last"), tr("Last"), tr("Value at the last point")}
            << ChartColumn{QStringLiteral("end"), tr("End"), tr("Reason for the end")};
    setColumns(columns);
    QStringList notes;
    for (const SeriesCurve& curve : chart.curves) {
        const bool running = data_->running.contains(QString::fromStdString(curve.entry));
        const QString end = running ? tr("running") : coreText(curve.end);
        ChartRow row{.cells = {QString::fromStdString(curve.entry)},
                     .record = 0,
                     .entry = curve.index == SeriesCurve::kNoEntry ? -1 : static_cast<int>(curve.index),
                     .series = seriesOf(QString::fromStdString(curve.entry))};
        if (labelled) row.cells << ChartCell(coreText(curve.label), QString::fromStdString(curve.label));
        row.cells << ChartCell(formatCount(curve.x.size()), static_cast<qulonglong>(curve.x.size()))
                  << ChartCell(valueText(curve.x.back(), chart.xUnit), curve.x.back())
                  << ChartCell(formatError(curve.y.front()), curve.y.front()) << ChartCell(formatError(curve.y.back()), curve.y.back())
                  << ChartCell(end, running ? QStringLiteral("running") : QString::fromStdString(curve.end));
        addRow(row);
        if (running) notes << tr("%1 is still running.").arg(nameOf(curve));
    }
    if (chart.logarithmicX) notes << tr("The horizontal axis is logarithmic, since the runs differ much in length.");
    setNotes(notes);
}

void ConvergenceChart::draw() {
    const SeriesChartData* const chart = shown();
    if (!chart) return showPlaceholder(plot(), emptyText());
    std::vector<std::vector<SeriesChartData::Point>> points;
    double left = std::numeric_limits<double>::infinity(), right = 0, low = left, high = 0;
    for (const SeriesCurve& curve : chart->curves) {
        points.push_back(chart->points(curve, kMaxPoints));
        for (const auto& [x, y] : points.back()) {
            left = std::min(left, x);
            right = std::max(right, x);
            low = std::min(low, y);
            high = std::max(high, y);
        }
    }
    for (const SeriesTolerance& t : chart->tolerances) low = std::min(low, t.value), high = std::max(high, t.value);
    if (!(high > 0) || !(right >= left)) return showPlaceholder(plot(), emptyText());
    fillTable(*chart);
    QCPAxisRect& axes = *prepareXyChart(plot(), titled(axisLabel(chart->yTitle, chart->yUnit), data_->source));
    const std::function<QString(double)> xText =
        isTime(chart->xUnit) ? [](double v) { return formatDuration(v * 1e9); } : std::function<QString(double)>(tickText);
    QCPAxis &x = *axes.axis(QCPAxis::atBottom), &y = *axes.axis(QCPAxis::atLeft);
    const QString xLabel = axisLabel(chart->xTitle, chart->xUnit);
    if (chart->logarithmicX && left > 0) setAxis(x, xLabel, left, right * std::pow(right / left, 0.02), true, xText);
    else setAxis(x, xLabel, std::min(0.0, left), right > 0 ? right * 1.03 : 1, false, xText);
    if (chart->logarithmicY) setAxis(y, {}, low / std::pow(high / low, 0.06), high * std::pow(high / low, 0.06), true, decadeText);
    else setAxis(y, {}, std::min(0.0, low), high * 1.1, false, decadeText);
    drawTolerances(axes, *chart);
    QStringList listed;
    for (std::size_t i = 0; i < chart->curves.size(); ++i) drawCurve(axes, *chart, static_cast<int>(i), points[i], listed);
    placeSideLegend(plot());
}

void ConvergenceChart::drawTolerances(QCPAxisRect& axes, const SeriesChartData& chart) {
    const QCPRange range = axes.axis(QCPAxis::atBottom)->range();
    for (const SeriesTolerance& t : chart.tolerances) {
        addLine(axes, range.lower, t.value, range.upper, t.value, QPen(currentTheme().subtle, 1.2, Qt::DashLine));
        QString text = tr("tolerance %1").arg(decadeText(t.value));
        // A long list would lie across the curves.
        if (chart.tolerances.size() > 1 && t.entries.size() <= 2 && plot().width() >= kRoomForNames) {
            QStringList entries;
            for (const std::string& entry : t.entries) entries << QString::fromStdString(entry);
            text = tr("tolerance %1 (%2)").arg(decadeText(t.value), entries.join(QStringLiteral(", ")));
        }
        // At the left, where curves are high above their tolerance.
        const QFontMetrics metrics(font());
        addText(axes, range.lower, t.value, metrics.elidedText(text, Qt::ElideRight, std::max(60, plot().width() / 2)),
                currentTheme().subtle, Qt::AlignLeft | Qt::AlignBottom);
    }
}

void ConvergenceChart::drawCurve(QCPAxisRect& axes, const SeriesChartData& chart, int row,
                                 const std::vector<SeriesChartData::Point>& points, QStringList& listed) {
    const SeriesCurve& curve = chart.curves[static_cast<std::size_t>(row)];
    const QString entry = QString::fromStdString(curve.entry), name = nameOf(curve);
    const int index = seriesOf(entry);
    QVector<XyPoint> shown;
    for (const auto& [x, y] : points) {
        shown << XyPoint{x, y};
        addSpot(row, axes, {x, y},
                tr("%1\n%2: %3\n%4: %5")
                    .arg(name, catalogText(chart.xTitle), valueText(x, chart.xUnit), catalogText(chart.yTitle), formatError(y)));
    }
    QCPGraph& graph = *addSeries(axes, index, entry, shown);
    const bool few = shown.size() <= kFewPoints;
    graph.setScatterStyle(seriesMarker(index, few ? 5 : 6));
    if (!few) graph.setScatterSkip(static_cast<int>(shown.size()) / kMarkers);
    if (listed.contains(entry)) graph.setProperty("inLegend", false);  // another part of the same run
    listed << entry;
}

QString ConvergenceChart::csv() const {
    ChartTable all;
    const SeriesChartData* const chart = shown();
    if (!chart) return toCsv(all);
    all.columns = {{QStringLiteral("backend"), {}},
                   {QStringLiteral("part"), {}},
                   {columnKey(chart->xTitle, chart->xUnit), {}},
                   {columnKey(chart->yTitle, chart->yUnit), {}}};
    for (const SeriesCurve& curve : chart->curves)
        for (std::size_t i = 0; i < curve.x.size() && i < curve.y.size(); ++i)
            all.rows << ChartRow{.cells = {QString::fromStdString(curve.entry), QString::fromStdString(curve.label),
                                           ChartCell({}, curve.x[i]), ChartCell({}, curve.y[i])}};
    return toCsv(all);
}

}  // namespace parallax::ui
