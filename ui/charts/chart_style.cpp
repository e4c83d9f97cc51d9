// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_style.hpp"

#include <QApplication>
#include <QMap>
#include <algorithm>
#include <cmath>
#include <functional>

#include "ui/models/document/formatting.hpp"
#include "ui/theme/theme.hpp"

namespace parallax::ui {

QColor seriesColour(int index) {
    const auto& colours = currentTheme().series;
    return colours[index % colours.size()];
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

void markCut(QCustomPlot& plot, double end, double position, double thickness) {
    // Two strokes across the bar in the background colour mark the cut.
    for (const double at : {0.955, 0.975}) {
        auto* stroke = new QCPItemLine(&plot);
        for (QCPItemPosition* p : {stroke->start, stroke->end}) {
            p->setAxisRect(plot.axisRect(0));
            p->setAxes(plot.axisRect(0)->axis(QCPAxis::atBottom), plot.axisRect(0)->axis(QCPAxis::atLeft));
        }
        constexpr double kSlant = 0.006, kBeyond = 0.54;
        stroke->start->setCoords(end * (at - kSlant), position - kBeyond * thickness);
        stroke->end->setCoords(end * (at + kSlant), position + kBeyond * thickness);
        stroke->setPen(QPen(currentTheme().palette.color(QPalette::Base), 3));
        stroke->setSelectable(false);
    }
}

QString cutText(double nanoseconds) { return QStringLiteral("» ") + formatDuration(nanoseconds); }

void setRangeWithRoom(QCustomPlot& plot, double low, double longest, const QString& text) {
    const QFontMetrics metrics(QApplication::font());
    QCPAxis* names = plot.axisRect(0)->axis(QCPAxis::atLeft);
    int widest = 0;
    for (const QString& name : qSharedPointerCast<QCPAxisTickerText>(names->ticker())->ticks())
        widest = std::max(widest, metrics.horizontalAdvance(name));
    const double width = std::max(60.0, plot.width() - widest - 25.0);
    const double share = std::clamp((metrics.horizontalAdvance(text) + 14) / width, 0.05, 0.8);
    plot.axisRect(0)->axis(QCPAxis::atBottom)->setRange(low, low + (longest - low) / (1 - share));
}

QString tickText(double value) {
    for (int digits = 0; digits < 9; ++digits) {
        const double scale = std::pow(10.0, digits);
        if (std::fabs(value - std::round(value * scale) / scale) <= 1e-6 * std::fabs(value)) return QLocale().toString(value, 'f', digits);
    }
    return QLocale().toString(value, 'g', 3);
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

/// Ticks with as many digits as they need.
class PlainTicker : public QCPAxisTicker {
public:
    explicit PlainTicker(const QCPAxis& axis) : axis_(axis) {}

protected:
    /// Only as many ticks as have room for their labels.
    QVector<double> createTickVector(double, const QCPRange& range) override {
        const QFontMetrics metrics(QApplication::font());
        const auto fit = [&](const QVector<double>& ticks) {
            for (qsizetype i = 1; i < ticks.size(); ++i) {
                const int widths = metrics.horizontalAdvance(tickText(ticks[i - 1])) + metrics.horizontalAdvance(tickText(ticks[i]));
                if (axis_.coordToPixel(ticks[i]) - axis_.coordToPixel(ticks[i - 1]) < widths / 2.0 + 6) return false;
            }
            return true;
        };
        QVector<double> ticks;
        for (int wanted = 4; wanted > 0; --wanted) {
            setTickCount(wanted);
            ticks = QCPAxisTicker::createTickVector(getTickStep(range), range);
            if (fit(ticks)) break;
        }
        return ticks;
    }
    QString getTickLabel(double tick, const QLocale&, QChar, int) override { return tickText(tick); }
    QVector<double> createSubTickVector(int, const QVector<double>&) override { return {}; }

private:
    const QCPAxis& axis_;
};

}  // namespace

void prepareBarChart(QCustomPlot& plot, const QString& title, const QString& valueLabel, const QStringList& categories) {
    const Theme& theme = currentTheme();
    plot.clearItems();
    plot.clearPlottables();
    // Everything but the axis rectangle goes: titles and legends are created again.
    plot.plotLayout()->clear();
    auto* axes = new QCPAxisRect(&plot);
    QFont font = QApplication::font();
    plot.plotLayout()->addElement(0, 0, heading(plot, title));
    plot.plotLayout()->setRowStretchFactor(0, 0.001);
    plot.plotLayout()->addElement(1, 0, axes);
    plot.plotLayout()->setRowSpacing(0);
    plot.setBackground(theme.palette.color(QPalette::Base));
    plot.setNoAntialiasingOnDrag(true);
    axes->setupFullAxesBox(false);
    QCPAxis* values = axes->axis(QCPAxis::atBottom);
    QCPAxis* names = axes->axis(QCPAxis::atLeft);
    QSharedPointer<QCPAxisTickerText> ticker(new QCPAxisTickerText);
    const int count = static_cast<int>(categories.size());
    const QFontMetrics metrics(font);
    for (int i = 0; i < count; ++i)
        ticker->addTick(categoryPosition(i, count), metrics.elidedText(categories[i], Qt::ElideMiddle, std::max(40, plot.width() * 2 / 5)));
    names->setTicker(ticker);
    names->setRange(0.4, std::max<double>(static_cast<double>(categories.size()), 1) + 0.6);
    names->setTickLength(0);
    names->setSubTickLength(0);
    names->grid()->setVisible(false);
    values->setTicker(QSharedPointer<QCPAxisTicker>(new PlainTicker(*values)));
    values->setLabel(valueLabel);
    values->grid()->setZeroLinePen(QPen(theme.border));
    values->grid()->setPen(QPen(theme.chartGrid, 1));
    for (QCPAxis* axis : {values, names}) {
        axis->setLabelColor(theme.subtle);
        axis->setTickLabelColor(theme.chartText);
        axis->setTickLabelFont(font);
        axis->setLabelFont(font);
        axis->setBasePen(QPen(theme.border));
        axis->setTickPen(QPen(theme.border));
        axis->setSubTickPen(Qt::NoPen);
        axis->setLayer(QStringLiteral("axes"));
        axis->grid()->setLayer(QStringLiteral("grid"));
    }
    for (const auto type : {QCPAxis::atRight, QCPAxis::atTop}) axes->axis(type)->setVisible(false);
}

namespace {

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
        setTickCount(std::min(5, room));
        return QCPAxisTicker::createTickVector(getTickStep(range), range);
    }
    QVector<double> createSubTickVector(int, const QVector<double>&) override { return {}; }
    QString getTickLabel(double tick, const QLocale&, QChar, int) override { return text_(tick); }

private:
    /// Returns whether the labels of a logarithmic axis do not overlap.
    bool apart(const QVector<double>& ticks, const QCPRange& range) const {
        if (axis_.orientation() != Qt::Horizontal) return true;
        const QFontMetrics metrics(axis_.tickLabelFont());
        const double pixelsADecade = axis_.axisRect()->width() / std::log10(range.upper / range.lower);
        for (qsizetype i = 1; i < ticks.size(); ++i) {
            const int widths = metrics.horizontalAdvance(text_(ticks[i - 1])) + metrics.horizontalAdvance(text_(ticks[i]));
            if (std::log10(ticks[i] / ticks[i - 1]) * pixelsADecade < widths / 2.0 + 8) return false;
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

void addSeries(QCPAxisRect& axes, int index, const QString& name, const QVector<XyPoint>& points, bool joined) {
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
    if (!anyInterval) return;
    auto* whiskers = new QCPErrorBars(axes.axis(QCPAxis::atBottom), axes.axis(QCPAxis::atLeft));
    whiskers->setDataPlottable(graph);
    whiskers->setPen(QPen(seriesColour(index), 1.2));
    whiskers->setWhiskerWidth(5);
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

void styleLegend(QCPLegend& legend) {
    legend.setLayer(QStringLiteral("legend"));
    legend.setBorderPen(Qt::NoPen);
    legend.setBrush(Qt::NoBrush);
    legend.setFont(QApplication::font());
    legend.setTextColor(currentTheme().chartText);
    legend.setIconSize(18, 12);
    legend.setRowSpacing(0);
    legend.setColumnSpacing(6);
}

}  // namespace

void placeSideLegend(QCustomPlot& plot) {
    QVector<QCPAbstractPlottable*> named;
    int widest = 0;
    const QFontMetrics metrics(QApplication::font());
    for (int i = 0; i < plot.plottableCount(); ++i)
        if (plot.plottable(i)->property("inLegend").toBool()) {
            named << plot.plottable(i);
            widest = std::max(widest, metrics.horizontalAdvance(named.back()->name()));
        }
    // No room for a legend: the markers in the table replace it.
    const int fits = (plot.height() - 40) / (metrics.height() + 5);
    if (named.size() > fits || widest + 40 > plot.width() / 3) return;
    auto* legend = new QCPLegend;
    auto* column = new QCPLayoutGrid;
    plot.plotLayout()->addElement(1, plot.plotLayout()->columnCount(), column);
    plot.plotLayout()->setColumnStretchFactor(plot.plotLayout()->columnCount() - 1, 0.001);
    column->addElement(0, 0, legend);
    // Takes the remaining height, which would otherwise be spread between the names.
    column->addElement(1, 0, new QCPLayoutElement(&plot));
    column->setRowStretchFactor(0, 0.001);
    styleLegend(*legend);
    legend->setMargins(QMargins(2, 2, 4, 2));
    for (QCPAbstractPlottable* plottable : named) plottable->addToLegend(legend);
}

QCPItemText* addText(QCPAxisRect& axes, double x, double y, const QString& text, const QColor& colour, Qt::Alignment alignment) {
    auto* item = new QCPItemText(axes.parentPlot());
    item->position->setAxisRect(&axes);
    item->position->setAxes(axes.axis(QCPAxis::atBottom), axes.axis(QCPAxis::atLeft));
    item->position->setCoords(x, y);
    item->setPositionAlignment(alignment);
    item->setPadding(QMargins(3, 1, 3, 1));
    item->setColor(colour);
    item->setFont(QApplication::font());
    item->setText(text);
    item->setClipToAxisRect(false);
    return item;
}

void addLine(QCPAxisRect& axes, double x1, double y1, double x2, double y2, const QPen& pen) {
    auto* line = new QCPItemLine(axes.parentPlot());
    for (QCPItemPosition* end : {line->start, line->end}) {
        end->setAxisRect(&axes);
        end->setAxes(axes.axis(QCPAxis::atBottom), axes.axis(QCPAxis::atLeft));
    }
    line->setClipAxisRect(&axes);
    line->start->setCoords(x1, y1);
    line->end->setCoords(x2, y2);
    line->setPen(pen);
}

void placeLegend(QCustomPlot& plot) {
    const Theme& theme = currentTheme();
    constexpr int kIcon = 14, kGaps = 24;  // pixels
    const QFontMetrics metrics(QApplication::font());
    QVector<QCPAbstractPlottable*> named;
    int widest = 1;
    for (int i = 0; i < plot.plottableCount(); ++i)
        if (plot.plottable(i)->property("inLegend").toBool()) {
            named << plot.plottable(i);
            widest = std::max(widest, metrics.horizontalAdvance(named.back()->name()) + kIcon + kGaps);
        }
    if (named.isEmpty()) return;
    const int across = std::clamp(plot.width() / widest, 1, static_cast<int>(named.size()));
    const int lines = (static_cast<int>(named.size()) + across - 1) / across;
    auto* legend = new QCPLegend;
    plot.plotLayout()->addElement(2, 0, legend);
    legend->setLayer(QStringLiteral("legend"));
    legend->setFillOrder(QCPLayoutGrid::foColumnsFirst);
    legend->setWrap(across);
    legend->setRowSpacing(0);
    legend->setBorderPen(Qt::NoPen);
    legend->setBrush(Qt::NoBrush);
    legend->setFont(QApplication::font());
    legend->setTextColor(theme.chartText);
    legend->setMargins(QMargins(4, 0, 4, 2));
    // Rows have the height of their icon; QCustomPlot clips descenders in lower ones.
    legend->setIconSize(kIcon, metrics.height() + 2);
    legend->setIconBorderPen(QPen(theme.border));
    plot.plotLayout()->setRowStretchFactor(2, 0.001);
    for (QCPAbstractPlottable* plottable : named) plottable->addToLegend(legend);
    // Keeps the height of the bars.
    if (lines > 1) plot.setMinimumHeight(plot.minimumHeight() + (lines - 1) * (metrics.height() + 4));
}

void showPlaceholder(QCustomPlot& plot, const QString& text) {
    const Theme& theme = currentTheme();
    plot.clearItems();
    plot.clearPlottables();
    plot.plotLayout()->clear();
    plot.setBackground(theme.palette.color(QPalette::Base));
    auto* element = new QCPTextElement(&plot, text, QApplication::font());
    element->setTextColor(theme.subtle);
    element->setTextFlags(Qt::AlignCenter | Qt::TextWordWrap);
    // As large as the chart: the default height is that of the text without wrapping, which cuts further lines.
    element->setMinimumSize(1, 1);
    element->setMaximumSize(QWIDGETSIZE_MAX / 2, QWIDGETSIZE_MAX / 2);  // with margins still below Qt's "no limit"
    plot.plotLayout()->addElement(0, 0, element);
    plot.replot(QCustomPlot::rpQueuedReplot);
}

QString chartLibraryVersion() { return QStringLiteral(QCUSTOMPLOT_VERSION_STR); }

}  // namespace parallax::ui
