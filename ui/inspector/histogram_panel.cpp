// SPDX-License-Identifier: GPL-3.0-or-later
#include "parallax/ui/inspector/histogram_panel.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMouseEvent>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "parallax/ui/bridge/session.hpp"
#include "parallax/ui/charts/chart_style.hpp"
#include "parallax/ui/charts/plot.hpp"
#include "parallax/ui/models/display_curve.hpp"
#include "parallax/ui/models/formatting.hpp"
#include "parallax/ui/models/view_state.hpp"
#include "parallax/ui/theme/theme.hpp"

namespace parallax::ui {
namespace {

constexpr int kDelayMilliseconds = 120;  // while one moves what is counted

/// Red, green and blue look like themselves; the pattern of the line tells them apart without colour.
QPen channelPen(const std::string& name, int index) {
    static constexpr Qt::PenStyle styles[] = {Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine};
    const Theme& theme = currentTheme();
    QColor colour = theme.chartText;
    const QString last = QString::fromStdString(name).section(QLatin1Char('.'), -1);
    if (last == QLatin1String("R")) colour = theme.dark ? QColor(255, 110, 95) : QColor(200, 30, 20);
    else if (last == QLatin1String("G")) colour = theme.dark ? QColor(110, 215, 120) : QColor(10, 130, 40);
    else if (last == QLatin1String("B")) colour = theme.dark ? QColor(115, 170, 255) : QColor(30, 70, 220);
    return QPen(colour, 1, styles[static_cast<std::size_t>(index) % std::size(styles)]);
}

void styleAxis(QCPAxis& axis, const QFont& font) {
    const Theme& theme = currentTheme();
    axis.setLabelColor(theme.subtle);
    axis.setTickLabelColor(theme.chartText);
    axis.setTickLabelFont(font);
    axis.setLabelFont(font);
    axis.setBasePen(QPen(theme.border));
    axis.setTickPen(QPen(theme.border));
    axis.setSubTickPen(Qt::NoPen);
    axis.grid()->setPen(QPen(theme.chartGrid, 1));
    axis.grid()->setZeroLinePen(Qt::NoPen);
}

void setLogarithmic(QCPAxis& axis, bool logarithmic) {
    axis.setScaleType(logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    if (logarithmic) axis.setTicker(QSharedPointer<QCPAxisTickerLog>(new QCPAxisTickerLog));
    else axis.setTicker(QSharedPointer<QCPAxisTicker>(new QCPAxisTicker));
    axis.ticker()->setTickCount(4);
    axis.setNumberFormat(QStringLiteral("gb"));  // 10 to a power where it is shorter
    axis.setNumberPrecision(3);
}

}  // namespace

HistogramPanel::HistogramPanel(Session& session, ViewState& view, QWidget* parent)
    : QWidget(parent),
      session_(session),
      view_(view),
      source_(new QComboBox),
      scale_(new QComboBox),
      part_(new QComboBox),
      delay_(new QTimer(this)),
      logarithmicCounts_(new QCheckBox(tr("log counts"))),
      plot_(new QCustomPlot),
      numbers_(new QLabel) {
    source_->addItem(tr("Original"), static_cast<int>(PaneRole::original));
    source_->addItem(tr("A"), static_cast<int>(PaneRole::a));
    source_->addItem(tr("B"), static_cast<int>(PaneRole::b));
    source_->setToolTip(tr("Which image is counted"));
    source_->setAccessibleName(tr("Image of the histogram"));
    scale_->addItem(tr("automatic"), static_cast<int>(HistogramScale::automatic));
    scale_->addItem(tr("linear"), static_cast<int>(HistogramScale::linear));
    scale_->addItem(tr("logarithmic"), static_cast<int>(HistogramScale::logarithmic));
    scale_->setToolTip(tr("Axis of values. Automatic: logarithmic when positive values reach far beyond 1."));
    scale_->setAccessibleName(tr("Scale of values"));
    part_->addItem(tr("whole image"), static_cast<int>(Part::all));
    part_->addItem(tr("what is visible"), static_cast<int>(Part::visible));
    part_->addItem(tr("selection"), static_cast<int>(Part::selection));
    part_->setObjectName(QStringLiteral("histogramPart"));
    part_->setToolTip(tr("Which pixels are counted. Without a selection: all."));
    part_->setAccessibleName(tr("Part of the image"));
    delay_->setSingleShot(true);
    delay_->setInterval(kDelayMilliseconds);
    logarithmicCounts_->setToolTip(tr("Logarithmic axis of counts: rare values become visible"));
    plot_->setFixedHeight(150);
    plot_->setAccessibleName(tr("Histogram"));
    plot_->setToolTip(
        tr("How often each value occurs, per channel. The solid line is what is shown as white, the dashed one what is shown as black: "
           "drag them to set exposure and offset of the view. Data never change."));
    plot_->installEventFilter(this);
    numbers_->setTextFormat(Qt::RichText);
    numbers_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    numbers_->setToolTip(tr("Least, largest and mean finite sample of each channel, and how many are NaN or infinite"));
    auto* row = new QHBoxLayout;
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(source_, 1);
    row->addWidget(scale_, 1);
    auto* second = new QHBoxLayout;
    second->setContentsMargins(0, 0, 0, 0);
    second->addWidget(part_, 1);
    second->addWidget(logarithmicCounts_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addLayout(row);
    layout->addLayout(second);
    layout->addWidget(plot_);
    layout->addWidget(numbers_);
    connect(source_, &QComboBox::currentIndexChanged, this, &HistogramPanel::request);
    connect(scale_, &QComboBox::currentIndexChanged, this, &HistogramPanel::request);
    connect(part_, &QComboBox::currentIndexChanged, this, &HistogramPanel::request);
    connect(delay_, &QTimer::timeout, this, &HistogramPanel::request);
    connect(&view_, &ViewState::viewChanged, this, [this] {
        if (part() == Part::visible) delay_->start();
    });
    connect(&view_, &ViewState::selectionChanged, this, [this] {
        if (part() == Part::selection) delay_->start();
    });
    connect(logarithmicCounts_, &QCheckBox::toggled, this, &HistogramPanel::rebuild);
    connect(&session_, &Session::originalChanged, this, &HistogramPanel::request);
    connect(&session_, &Session::sideChanged, this, [this](Side side) {
        const auto role = static_cast<PaneRole>(source_->currentData().toInt());
        const bool mine = role == (side == Side::a ? PaneRole::a : PaneRole::b);
        if (mine && !session_.side(side).pending) request();
    });
    connect(&session_, &Session::histogramChanged, this, [this] {
        shown_ = session_.histogram();
        rebuild();
    });
    connect(&view_, &ViewState::displayChanged, this, &HistogramPanel::placeLevels);
    connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, &HistogramPanel::rebuild);
    rebuild();
}

HistogramPanel::Part HistogramPanel::part() const { return static_cast<Part>(part_->currentData().toInt()); }

void HistogramPanel::request() {
    const QRect pixels = part() == Part::visible ? view_.visiblePixels() : part() == Part::selection ? view_.selection() : QRect();
    session_.requestHistogram(static_cast<PaneRole>(source_->currentData().toInt()),
                              static_cast<HistogramScale>(scale_->currentData().toInt()), pixels);
}

void HistogramPanel::rebuild() {
    white_ = black_ = nullptr;
    if (!shown_) {
        showPlaceholder(*plot_, tr("No image"));
        numbers_->hide();
        return;
    }
    const Theme& theme = currentTheme();
    const Histogram& h = *shown_;
    plot_->clearItems();
    plot_->clearPlottables();
    plot_->plotLayout()->clear();
    auto* axes = new QCPAxisRect(plot_);
    plot_->plotLayout()->addElement(0, 0, axes);
    plot_->setBackground(theme.palette.color(QPalette::Base));
    QFont small = font();
    small.setPointSizeF(small.pointSizeF() * 0.85);
    QCPAxis *values = axes->axis(QCPAxis::atBottom), *counts = axes->axis(QCPAxis::atLeft);
    for (QCPAxis* axis : {values, counts}) {
        styleAxis(*axis, small);
        axis->setLayer(QStringLiteral("axes"));
        axis->grid()->setLayer(QStringLiteral("grid"));
    }
    for (const auto type : {QCPAxis::atRight, QCPAxis::atTop}) axes->axis(type)->setVisible(false);
    const bool logCounts = logarithmicCounts_->isChecked();
    setLogarithmic(*values, h.logarithmic);
    setLogarithmic(*counts, logCounts);
    values->setLabel(tr("value"));
    counts->setLabel(tr("samples"));
    values->setRange(h.edges.front(), h.edges.back());
    std::uint64_t most = 1;
    for (std::size_t c = 0; c < h.channels.size(); ++c) {
        const ChannelHistogram& channel = h.channels[c];
        auto* graph = new QCPGraph(values, counts);
        const QPen pen = channelPen(channel.name, static_cast<int>(c));
        graph->setPen(pen);
        graph->setLineStyle(QCPGraph::lsStepLeft);
        // Steps need no smoothing: that, and lines wider than one pixel, took most of the time of a frame.
        graph->setAntialiased(false);
        graph->setAntialiasedFill(false);
        QColor fill = pen.color();
        fill.setAlpha(28);
        graph->setBrush(fill);
        QVector<QCPGraphData> points;
        for (std::size_t i = 0; i < channel.counts.size(); ++i) {
            most = std::max(most, channel.counts[i]);
            // An empty bin has no place on a logarithmic axis: just below its lower end.
            const double count = static_cast<double>(channel.counts[i]);
            points.append({h.edges[i], logCounts ? std::max(count, 0.1) : count});
        }
        if (!points.isEmpty()) points.append({h.edges.back(), points.back().value});
        graph->data()->set(points, true);
    }
    counts->setRange(logCounts ? 0.5 : 0.0, static_cast<double>(most) * (logCounts ? 2 : 1.06));
    const auto line = [&](Qt::PenStyle style) {
        auto* item = new QCPItemStraightLine(plot_);
        item->setPen(QPen(theme.accent, 1.5, style));
        for (QCPItemPosition* point : {item->point1, item->point2}) {
            point->setAxes(values, counts);
            point->setAxisRect(axes);
        }
        item->setClipAxisRect(axes);
        return item;
    };
    white_ = line(Qt::SolidLine);
    black_ = line(Qt::DashLine);
    placeLevels();

    QString rows;
    for (std::size_t c = 0; c < h.channels.size(); ++c) {
        const ChannelHistogram& channel = h.channels[c];
        rows +=
            QStringLiteral("<tr><td style='padding-right:8px; color:%1'><b>%2</b></td><td>%3</td></tr>")
                .arg(channelPen(channel.name, static_cast<int>(c)).color().name(), QString::fromStdString(channel.name).toHtmlEscaped(),
                     tr("%1 … %2, mean %3").arg(formatSample(channel.minimum), formatSample(channel.maximum), formatSample(channel.mean)) +
                         (channel.nan ? tr(", %1 NaN").arg(channel.nan) : QString()) +
                         (channel.infinite ? tr(", %1 infinite").arg(channel.infinite) : QString()) +
                         (channel.below ? tr(", %1 left of the axis").arg(channel.below) : QString()));
    }
    numbers_->setText(QStringLiteral("<table cellspacing='0'>%1</table>").arg(rows));
    numbers_->show();
}

void HistogramPanel::placeLevels() {
    if (!white_) return;
    const double white = whiteOf(view_.display()), black = blackOf(view_.display());
    const bool logarithmic = plot_->axisRect(0)->axis(QCPAxis::atBottom)->scaleType() == QCPAxis::stLogarithmic;
    const auto place = [&](QCPItemStraightLine* line, double at) {
        // Zero and below have no place on a logarithmic axis.
        line->setVisible(!logarithmic || at > 0);
        if (!line->visible()) return;
        line->point1->setCoords(at, 0.5);
        line->point2->setCoords(at, 1);
    };
    place(white_, white);
    place(black_, black);
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

bool HistogramPanel::eventFilter(QObject* watched, QEvent* event) {
    const bool press = event->type() == QEvent::MouseButtonPress, move = event->type() == QEvent::MouseMove;
    if (watched != plot_ || !white_ || !(press || move)) return QWidget::eventFilter(watched, event);
    const auto* mouse = static_cast<QMouseEvent*>(event);
    if (!(mouse->buttons() & Qt::LeftButton)) return QWidget::eventFilter(watched, event);
    const QCPAxis& axis = *plot_->axisRect(0)->axis(QCPAxis::atBottom);
    const double x = mouse->position().x(), value = axis.pixelToCoord(x);
    const double white = whiteOf(view_.display()), black = blackOf(view_.display());
    if (press) {
        // The black one only where it is hit: elsewhere one means the brightness.
        constexpr double kGrab = 8;
        const double away = std::fabs(axis.coordToPixel(black) - x);
        draggingBlack_ = black_->visible() && away <= kGrab && away < std::fabs(axis.coordToPixel(white) - x);
    }
    if (draggingBlack_) {
        if (value < white) view_.setDisplay(withLevels(view_.display(), value, white));
    } else if (value > black) {
        DisplaySettings settings = withLevels(view_.display(), black, value);
        // Tenths of a stop, as the exposure box has them.
        if (black == 0) settings.exposure = std::round(10 * settings.exposure) / 10;
        view_.setDisplay(settings);
    }
    return true;
}

}  // namespace parallax::ui
