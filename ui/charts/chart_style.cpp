// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_style.hpp"

#include <QApplication>
#include <QMap>
#include <algorithm>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <utility>

#include "core/report/charts/charts.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/theme/theme.hpp"

namespace parallax::ui {

QColor seriesColour(int index) {
    const auto& colours = currentTheme().series;
    return colours[index % colours.size()];
}

int seriesOf(const QString& label) {
    static SeriesStyles styles;
    return styles.of(label.toStdString());
}

QBrush seriesBrush(int index) {
    static constexpr Qt::BrushStyle patterns[] = {Qt::SolidPattern, Qt::BDiagPattern, Qt::Dense4Pattern, Qt::CrossPattern,
                                                  Qt::FDiagPattern};
    return QBrush(seriesColour(index), patterns[static_cast<std::size_t>(index) % std::size(patterns)]);
}

double categoryPosition(int index, int count) { return count - index; }

int heightOfBarChart(int rows, int pixelsEach) {
    const int line = QFontMetrics(QApplication::font()).height();
    constexpr int kLeast = 50;  // minimum size of an axis rectangle in QCustomPlot
    return std::max(rows * std::max(line + 1, pixelsEach), rows > 0 ? kLeast : 0) + 4 * line + 28;
}

double barThickness(const QCustomPlot& plot, int rows, double share) {
    constexpr double kThickest = 64;  // pixels
    const double row = (plot.height() - heightOfBarChart(0)) / (rows + 0.2);
    return row * share > kThickest ? kThickest / row : share;
}

double rangeOfBars(std::vector<double> lengths) {
    constexpr double kFarLonger = 6;
    std::erase_if(lengths, [](double length) { return !(length > 0); });
    if (lengths.empty()) return 0;
    std::sort(lengths.begin(), lengths.end(), std::greater<>());
    std::size_t cut = 0;
    while (cut + 2 < lengths.size() && 2 * (cut + 1) <= lengths.size() && lengths[cut] > kFarLonger * lengths[cut + 1]) ++cut;
    return lengths[cut];
}

void markCut(QCPAxisRect& axes, double end, double position, double thickness) {
    // Two strokes across the bar in the background colour mark the cut.
    constexpr double kSlant = 0.006, kBeyond = 0.54;
    for (const double at : {0.955, 0.975})
        addLine(axes, end * (at - kSlant), position - kBeyond * thickness, end * (at + kSlant), position + kBeyond * thickness,
                QPen(currentTheme().palette.color(QPalette::Base), 3));
}

QString cutText(double nanoseconds) { return QStringLiteral("» ") + formatDuration(nanoseconds); }

void setRangeWithRoom(QCPAxisRect& axes, double low, double longest, const QString& text) {
    const QFontMetrics metrics(QApplication::font());
    int widest = 0;
    for (const QString& name : qSharedPointerCast<QCPAxisTickerText>(axes.axis(QCPAxis::atLeft)->ticker())->ticks())
        widest = std::max(widest, metrics.horizontalAdvance(name));
    const double width = std::max(60.0, axes.parentPlot()->width() - widest - 25.0);
    const double share = std::clamp((metrics.horizontalAdvance(text) + 14) / width, 0.05, 0.8);
    axes.axis(QCPAxis::atBottom)->setRange(low, low + (longest - low) / (1 - share));
}

QString tickText(double value) {
    for (int digits = 0; digits < 9; ++digits) {
        const double scale = std::pow(10.0, digits);
        if (std::fabs(value - std::round(value * scale) / scale) <= 1e-6 * std::fabs(value))
            return withMinus(QLocale().toString(value, 'f', digits));
    }
    return withMinus(QLocale().toString(value, 'g', 3));
}

namespace {

/// A heading that is elided if it is longer than its place, instead of widening the chart.
class Heading : public QCPTextElement {
public:
    Heading(QCustomPlot& plot, const QString& title, const QFont& font) : QCPTextElement(&plot, title, font) {
        setTextColor(currentTheme().chartText);
        setTextFlags(Qt::AlignLeft | Qt::AlignVCenter);
        setMargins(QMargins(6, 2, 2, 2));
        setMinimumSize(10, QFontMetrics(font).height() + 4);
    }

protected:
    void draw(QCPPainter* painter) override {
        const QString whole = text();
        setText(QFontMetrics(font()).elidedText(whole, Qt::ElideRight, rect().width()));
        QCPTextElement::draw(painter);
        setText(whole);
    }
};

QCPTextElement* heading(QCustomPlot& plot, const QString& title) {
    QFont bold = QApplication::font();
    bold.setBold(true);
    return new Heading(plot, title, bold);
}

void styleAxes(QCPAxisRect& axes) {
    const Theme& theme = currentTheme();
    axes.setupFullAxesBox(false);
    for (QCPAxis* axis : {axes.axis(QCPAxis::atBottom), axes.axis(QCPAxis::atLeft)}) {
        axis->setLabelColor(theme.subtle);
        axis->setTickLabelColor(theme.chartText);
        axis->setTickLabelFont(QApplication::font());
        axis->setLabelFont(QApplication::font());
        axis->setLabelPadding(2);
        axis->setBasePen(QPen(theme.border));
        axis->setTickPen(QPen(theme.border));
        axis->setSubTickPen(Qt::NoPen);
        axis->setLayer(QStringLiteral("axes"));
        axis->grid()->setLayer(QStringLiteral("grid"));
        axis->grid()->setPen(QPen(theme.chartGrid, 1));
        axis->grid()->setZeroLinePen(QPen(theme.border));
    }
    for (const auto type : {QCPAxis::atRight, QCPAxis::atTop}) axes.axis(type)->setVisible(false);
}

/// Number of labels of this size that fit the axis.
int roomFor(const QCPAxis& axis, double pixelsEach) {
    const QCPAxisRect* rect = axis.axisRect();
    const int length = axis.orientation() == Qt::Horizontal ? rect->width() : rect->height();
    return std::max(2, static_cast<int>(length / pixelsEach));
}

/// Ticks at 1, 2 and 5 of each decade, at the decades alone where these are too many, or at round numbers where they are too few.
class RoundTicker : public QCPAxisTicker {
public:
    RoundTicker(const QCPAxis& axis, bool logarithmic, std::function<QString(double)> text)
        : axis_(axis), logarithmic_(logarithmic), text_(std::move(text)) {}

protected:
    QVector<double> createTickVector(double, const QCPRange& range) override {
        const QFontMetrics metrics(QApplication::font());
        const int room = roomFor(
            axis_, axis_.orientation() == Qt::Horizontal ? metrics.horizontalAdvance(QStringLiteral("100,000 ")) : 1.15 * metrics.height());
        if (logarithmic_ && range.lower > 0) {
            const int first = static_cast<int>(std::floor(std::log10(range.lower)));
            const int last = static_cast<int>(std::ceil(std::log10(range.upper)));
            QVector<double> ticks;
            for (const auto& digits : {std::vector<double>{1, 2, 5}, std::vector<double>{1, 3}, std::vector<double>{1}}) {
                ticks.clear();
                for (int decade = first; decade <= last; ++decade)
                    for (const double digit : digits)
                        if (const double v = digit * std::pow(10.0, decade); v >= range.lower && v <= range.upper) ticks << v;
                if (ticks.size() >= 2 && ticks.size() <= room && apart(ticks, range)) return ticks;
                if (ticks.size() < 2) break;
            }
            // Too many decades: label every second, third and so on, at least two.
            for (qsizetype stride = 2; (ticks.size() > room || !apart(ticks, range)) && stride < ticks.size(); ++stride) {
                QVector<double> fewer;
                for (qsizetype i = (ticks.size() - 1) % stride / 2; i < ticks.size(); i += stride) fewer << ticks[i];
                if (fewer.size() >= 2 && fewer.size() <= room && apart(fewer, range)) return fewer;
            }
            if (ticks.size() > room) return {ticks.front(), ticks.back()};
        }
        QVector<double> ticks;
        for (int count = std::min(5, room); count > 0; --count) {
            setTickCount(count);
            ticks = QCPAxisTicker::createTickVector(getTickStep(range), range);
            if (apart(ticks, range)) break;
        }
        return ticks;
    }
    QVector<double> createSubTickVector(int, const QVector<double>&) override { return {}; }
    QString getTickLabel(double tick, const QLocale&, QChar, int) override { return text_(tick); }

private:
    /// Returns whether the labels do not overlap.
    bool apart(const QVector<double>& ticks, const QCPRange& range) const {
        if (axis_.orientation() != Qt::Horizontal) return true;
        const QFontMetrics metrics(axis_.tickLabelFont());
        const auto along = [&](double v) { return logarithmic_ && range.lower > 0 ? std::log10(v) : v; };
        const double scale = axis_.axisRect()->width() / (along(range.upper) - along(range.lower));
        for (qsizetype i = 1; i < ticks.size(); ++i) {
            const int widths = metrics.horizontalAdvance(text_(ticks[i - 1])) + metrics.horizontalAdvance(text_(ticks[i]));
            if ((along(ticks[i]) - along(ticks[i - 1])) * scale < widths / 2.0 + 8) return false;
        }
        return true;
    }

    const QCPAxis& axis_;
    bool logarithmic_;
    std::function<QString(double)> text_;
};

/// Ticks at given values; those whose label would touch the previous one are left out.
class ValueTicker : public QCPAxisTicker {
public:
    ValueTicker(const QCPAxis& axis, QMap<double, QString> values) : axis_(axis), values_(std::move(values)) {}

protected:
    QVector<double> createTickVector(double, const QCPRange&) override {
        const QFontMetrics metrics(QApplication::font());
        QVector<double> ticks;
        double free = -1e9;
        for (auto it = values_.constBegin(); it != values_.constEnd(); ++it) {
            const double half = metrics.horizontalAdvance(it.value()) / 2.0 + 3, at = axis_.coordToPixel(it.key());
            if (at - half < free) continue;
            ticks << it.key();
            free = at + half;
        }
        return ticks;
    }
    QVector<double> createSubTickVector(int, const QVector<double>&) override { return {}; }
    QString getTickLabel(double tick, const QLocale&, QChar, int) override { return values_.value(tick); }

private:
    const QCPAxis& axis_;
    QMap<double, QString> values_;
};

}  // namespace

QCPAxisRect* prepareBarChart(QCustomPlot& plot, const QString& title, const QString& valueLabel, const QStringList& categories) {
    QCPAxisRect* axes = prepareXyChart(plot, title);
    QSharedPointer<QCPAxisTickerText> ticker(new QCPAxisTickerText);
    const int count = static_cast<int>(categories.size());
    const QFontMetrics metrics(QApplication::font());
    for (int i = 0; i < count; ++i)
        ticker->addTick(categoryPosition(i, count), metrics.elidedText(categories[i], Qt::ElideMiddle, std::max(40, plot.width() * 2 / 5)));
    QCPAxis* names = axes->axis(QCPAxis::atLeft);
    names->setTicker(ticker);
    names->setRange(0.4, std::max(count, 1) + 0.6);
    names->setTickLength(0);
    names->grid()->setVisible(false);
    QCPAxis* values = axes->axis(QCPAxis::atBottom);
    values->setTicker(QSharedPointer<QCPAxisTicker>(new RoundTicker(*values, false, tickText)));
    values->setLabel(valueLabel);
    return axes;
}

QCPAxisRect* prepareXyChart(QCustomPlot& plot, const QString& title) {
    plot.plotLayout()->clear();
    plot.setBackground(currentTheme().palette.color(QPalette::Base));
    plot.setNoAntialiasingOnDrag(true);
    return addXyRect(plot, title);
}

QCPAxisRect* addXyRect(QCustomPlot& plot, const QString& title) {
    const int column = plot.plotLayout()->columnCount();
    auto* axes = new QCPAxisRect(&plot);
    plot.plotLayout()->addElement(0, column, heading(plot, title));
    plot.plotLayout()->addElement(1, column, axes);
    plot.plotLayout()->setRowSpacing(0);
    plot.plotLayout()->setRowStretchFactor(0, 0.001);
    styleAxes(*axes);
    return axes;
}

void setAxis(QCPAxis& axis, const QString& label, double low, double high, bool logarithmic, const std::function<QString(double)>& text) {
    axis.setLabel(label);
    axis.setScaleType(logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    axis.setTicker(QSharedPointer<QCPAxisTicker>(new RoundTicker(axis, logarithmic, text)));
    axis.setRange(low, high);
}

void setAxisValues(QCPAxis& axis, const QString& label, const QVector<double>& values, const QStringList& texts, bool logarithmic) {
    axis.setLabel(label);
    axis.setScaleType(logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    if (values.isEmpty()) return;
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    const double margin = *most > *least ? 0.06 : 0.5;
    if (logarithmic) {
        const double factor = *most > *least ? std::pow(*most / *least, margin) : 1.5;
        axis.setRange(*least / factor, *most * factor);
    } else {
        const double shift = *most > *least ? margin * (*most - *least) : std::max(0.5, std::fabs(*least) / 2);
        axis.setRange(*least - shift, *most + shift);
    }
    QMap<double, QString> labels;
    for (int i = 0; i < values.size(); ++i) labels[values[i]] = texts[i];
    axis.setTicker(QSharedPointer<QCPAxisTicker>(new ValueTicker(axis, labels)));
}

QCPScatterStyle seriesMarker(int index, double size) {
    static constexpr QCPScatterStyle::ScatterShape shapes[] = {
        QCPScatterStyle::ssDisc,        QCPScatterStyle::ssSquare,     QCPScatterStyle::ssTriangle,         QCPScatterStyle::ssDiamond,
        QCPScatterStyle::ssCross,       QCPScatterStyle::ssPlus,       QCPScatterStyle::ssTriangleInverted, QCPScatterStyle::ssStar,
        QCPScatterStyle::ssCrossSquare, QCPScatterStyle::ssPlusSquare, QCPScatterStyle::ssCrossCircle,      QCPScatterStyle::ssPlusCircle};
    const QColor colour = seriesColour(index);
    return QCPScatterStyle(shapes[static_cast<std::size_t>(index) % std::size(shapes)], QPen(colour, 1.4), QBrush(colour), size);
}

QPen seriesPen(int index, double width) {
    static constexpr Qt::PenStyle styles[] = {Qt::SolidLine, Qt::DashLine, Qt::DotLine};
    const auto round = static_cast<std::size_t>(index / static_cast<int>(currentTheme().series.size()));
    return QPen(seriesColour(index), width, styles[round % std::size(styles)]);
}

QCPGraph* addSeries(QCPAxisRect& axes, int index, const QString& name, const QVector<XyPoint>& points, bool joined) {
    auto* graph = new QCPGraph(axes.axis(QCPAxis::atBottom), axes.axis(QCPAxis::atLeft));
    graph->setName(name);
    graph->setProperty("inLegend", true);
    graph->setPen(seriesPen(index));
    graph->setLineStyle(joined ? QCPGraph::lsLine : QCPGraph::lsNone);
    graph->setScatterStyle(seriesMarker(index));
    QVector<double> low, high;
    bool anyInterval = false;
    for (const XyPoint& p : points) {
        graph->addData(p.x, p.y);
        low << std::max(0.0, p.low > 0 ? p.y - p.low : 0.0);
        high << std::max(0.0, p.high > 0 ? p.high - p.y : 0.0);
        anyInterval = anyInterval || low.back() > 0 || high.back() > 0;
    }
    if (anyInterval) addWhiskers(*graph, low, high, QPen(seriesColour(index), 1.2));
    return graph;
}

void addWhiskers(QCPAbstractPlottable& series, const QVector<double>& low, const QVector<double>& high, const QPen& pen) {
    auto* whiskers = new QCPErrorBars(series.keyAxis(), series.valueAxis());
    whiskers->setDataPlottable(&series);
    whiskers->setPen(pen);
    whiskers->setWhiskerWidth(6);
    whiskers->setSymbolGap(0);
    whiskers->setData(low, high);
}

TimeUnit timeUnitFor(double ns) {
    if (ns < 1e3) return {QCustomPlot::tr("ns"), 1};
    if (ns < 1e6) return {QCustomPlot::tr("µs"), 1e3};
    if (ns < 1e9) return {QCustomPlot::tr("ms"), 1e6};
    return {QCustomPlot::tr("s"), 1e9};
}

namespace {

/// Positions an item by the coordinates of the axes.
void attach(QCPAxisRect& axes, std::initializer_list<QCPItemPosition*> positions) {
    for (QCPItemPosition* position : positions) {
        position->setAxisRect(&axes);
        position->setAxes(axes.axis(QCPAxis::atBottom), axes.axis(QCPAxis::atLeft));
    }
}

/// The series that a legend lists, and the width of the longest name in pixels.
std::pair<QVector<QCPAbstractPlottable*>, int> legendEntries(QCustomPlot& plot) {
    QVector<QCPAbstractPlottable*> named;
    int widest = 0;
    const QFontMetrics metrics(QApplication::font());
    for (int i = 0; i < plot.plottableCount(); ++i)
        if (plot.plottable(i)->property("inLegend").toBool()) {
            named << plot.plottable(i);
            widest = std::max(widest, metrics.horizontalAdvance(named.back()->name()));
        }
    return {named, widest};
}

/// Fills a legend that is in the layout.
void fillLegend(QCPLegend& legend, const QVector<QCPAbstractPlottable*>& entries) {
    legend.setLayer(QStringLiteral("legend"));
    legend.setBorderPen(Qt::NoPen);
    legend.setBrush(Qt::NoBrush);
    legend.setFont(QApplication::font());
    legend.setTextColor(currentTheme().chartText);
    legend.setRowSpacing(0);
    for (QCPAbstractPlottable* entry : entries) entry->addToLegend(&legend);
}

}  // namespace

void placeSideLegend(QCustomPlot& plot) {
    const auto [entries, widest] = legendEntries(plot);
    // No room for a legend: the markers in the table replace it.
    const int fits = (plot.height() - 40) / (QFontMetrics(QApplication::font()).height() + 5);
    if (entries.size() > fits || widest + 40 > plot.width() / 3) return;
    auto* legend = new QCPLegend;
    auto* column = new QCPLayoutGrid;
    plot.plotLayout()->addElement(1, plot.plotLayout()->columnCount(), column);
    plot.plotLayout()->setColumnStretchFactor(plot.plotLayout()->columnCount() - 1, 0.001);
    column->addElement(0, 0, legend);
    // Takes the remaining height, which would otherwise be spread between the names.
    column->addElement(1, 0, new QCPLayoutElement(&plot));
    column->setRowStretchFactor(0, 0.001);
    legend->setIconSize(18, 12);
    legend->setColumnSpacing(6);
    legend->setMargins(QMargins(2, 2, 4, 2));
    fillLegend(*legend, entries);
}

void placeLegend(QCustomPlot& plot) {
    constexpr int kIcon = 14, kGaps = 24;  // pixels
    const auto [entries, widest] = legendEntries(plot);
    if (entries.isEmpty()) return;
    const int height = QFontMetrics(QApplication::font()).height(), count = static_cast<int>(entries.size());
    const int across = std::clamp(plot.width() / (widest + kIcon + kGaps), 1, count), lines = (count + across - 1) / across;
    auto* legend = new QCPLegend;
    plot.plotLayout()->addElement(2, 0, legend);
    plot.plotLayout()->setRowStretchFactor(2, 0.001);
    legend->setFillOrder(QCPLayoutGrid::foColumnsFirst);
    legend->setWrap(across);
    legend->setMargins(QMargins(4, 0, 4, 2));
    // Rows have the height of their icon; QCustomPlot clips descenders in lower ones.
    legend->setIconSize(kIcon, height + 2);
    legend->setIconBorderPen(QPen(currentTheme().border));
    fillLegend(*legend, entries);
    // Keeps the height of the bars.
    if (lines > 1) plot.setMinimumHeight(plot.minimumHeight() + (lines - 1) * (height + 4));
}

QCPBars* addBars(QCPAxisRect& axes, int style, double thickness, const QString& name) {
    auto* bars = new QCPBars(axes.axis(QCPAxis::atLeft), axes.axis(QCPAxis::atBottom));
    bars->setName(name);
    bars->setProperty("inLegend", !name.isEmpty());
    bars->setWidth(thickness);
    bars->setBrush(seriesBrush(style));
    bars->setPen(QPen(seriesColour(style), 1));
    return bars;
}

QCPItemText* addText(QCPAxisRect& axes, double x, double y, const QString& text, const QColor& colour, Qt::Alignment alignment) {
    auto* item = new QCPItemText(axes.parentPlot());
    attach(axes, {item->position});
    item->position->setCoords(x, y);
    item->setPositionAlignment(alignment);
    item->setPadding(QMargins(3, 1, 3, 1));
    item->setColor(colour);
    item->setFont(QApplication::font());
    item->setText(text);
    item->setClipToAxisRect(false);
    return item;
}

void addTextBehind(QCPAxisRect& axes, double x, double y, const QString& text, int gap) {
    addText(axes, x, y, text, currentTheme().chartText, Qt::AlignLeft | Qt::AlignVCenter)->setPadding(QMargins(gap, 0, 0, 0));
}

void addBox(QCPAxisRect& axes, QPointF from, QPointF to, int style) {
    auto* box = new QCPItemRect(axes.parentPlot());
    attach(axes, {box->topLeft, box->bottomRight});
    box->setClipAxisRect(&axes);
    box->topLeft->setCoords(from);
    box->bottomRight->setCoords(to);
    box->setBrush(seriesBrush(style));
    box->setPen(QPen(seriesColour(style), 1));
}

void addLine(QCPAxisRect& axes, double x1, double y1, double x2, double y2, const QPen& pen) {
    auto* line = new QCPItemLine(axes.parentPlot());
    attach(axes, {line->start, line->end});
    line->setClipAxisRect(&axes);
    line->start->setCoords(x1, y1);
    line->end->setCoords(x2, y2);
    line->setPen(pen);
}

void showPlaceholder(QCustomPlot& plot, const QString& text) {
    plot.clearItems();
    plot.clearPlottables();
    plot.plotLayout()->clear();
    plot.setBackground(currentTheme().palette.color(QPalette::Base));
    auto* element = new QCPTextElement(&plot, text, QApplication::font());
    element->setTextColor(currentTheme().subtle);
    element->setTextFlags(Qt::AlignCenter | Qt::TextWordWrap);
    // As large as the chart: the default height is that of the text without wrapping, which cuts further lines.
    element->setMinimumSize(1, 1);
    element->setMaximumSize(QWIDGETSIZE_MAX / 2, QWIDGETSIZE_MAX / 2);  // with margins still below Qt's "no limit"
    plot.plotLayout()->addElement(0, 0, element);
    plot.replot(QCustomPlot::rpQueuedReplot);
}

QString chartLibraryVersion() { return QStringLiteral(QCUSTOMPLOT_VERSION_STR); }

}  // namespace parallax::ui
