// SPDX-License-Identifier: GPL-3.0-or-later
#include "parallax/ui/inspector/histogram_panel.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMouseEvent>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "parallax/ui/bridge/session.hpp"
#include "parallax/ui/charts/chart_style.hpp"
#include "parallax/ui/charts/plot.hpp"
#include "parallax/ui/models/formatting.hpp"
#include "parallax/ui/models/view_state.hpp"
#include "parallax/ui/theme/theme.hpp"

namespace parallax::ui {
namespace {

/// Red, green and blue look like themselves; the pattern of the line tells them apart without colour.
QPen channelPen(const std::string& name, int index) {
    static constexpr Qt::PenStyle styles[] = {Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine};
    const Theme& theme = currentTheme();
    QColor colour = theme.chartText;
    const QString last = QString::fromStdString(name).section(QLatin1Char('.'), -1);
    if (last == QLatin1String("R")) colour = theme.dark ? QColor(255, 110, 95) : QColor(200, 30, 20);
    else if (last == QLatin1String("G")) colour = theme.dark ? QColor(110, 215, 120) : QColor(10, 130, 40);
    else if (last == QLatin1String("B")) colour = theme.dark ? QColor(115, 170, 255) : QColor(30, 70, 220);
    return QPen(colour, 1.4, styles[static_cast<std::size_t>(index) % std::size(styles)]);
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
    logarithmicCounts_->setToolTip(tr("Logarithmic axis of counts: rare values become visible"));
    plot_->setFixedHeight(150);
    plot_->setAccessibleName(tr("Histogram"));
    plot_->setToolTip(
        tr("How often each value occurs, per channel, over the whole image. The vertical line is what is shown as white: drag it to set "
           "the exposure of the view. Data never change."));
    plot_->installEventFilter(this);
    numbers_->setTextFormat(Qt::RichText);
    numbers_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    numbers_->setToolTip(tr("Least, largest and mean finite sample of each channel, and how many are NaN or infinite"));
    auto* row = new QHBoxLayout;
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(source_, 1);
    row->addWidget(scale_, 1);
    row->addWidget(logarithmicCounts_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addLayout(row);
    layout->addWidget(plot_);
    layout->addWidget(numbers_);
    connect(source_, &QComboBox::currentIndexChanged, this, &HistogramPanel::request);
    connect(scale_, &QComboBox::currentIndexChanged, this, &HistogramPanel::request);
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
    connect(&view_, &ViewState::displayChanged, this, &HistogramPanel::placeWhite);
    connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, &HistogramPanel::rebuild);
    rebuild();
}

void HistogramPanel::request() {
    session_.requestHistogram(static_cast<PaneRole>(source_->currentData().toInt()),
                              static_cast<HistogramScale>(scale_->currentData().toInt()));
}

void HistogramPanel::rebuild() {
    white_ = nullptr;
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
    white_ = new QCPItemStraightLine(plot_);
    white_->setPen(QPen(theme.accent, 1.5));
    white_->point1->setAxes(values, counts);
    white_->point2->setAxes(values, counts);
    white_->point1->setAxisRect(axes);
    white_->point2->setAxisRect(axes);
    white_->setClipAxisRect(axes);
    placeWhite();

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

void HistogramPanel::placeWhite() {
    if (!white_) return;
    const double at = std::exp2(-view_.display().exposure);
    white_->point1->setCoords(at, 0.5);
    white_->point2->setCoords(at, 1);
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

bool HistogramPanel::eventFilter(QObject* watched, QEvent* event) {
    const bool press = event->type() == QEvent::MouseButtonPress, move = event->type() == QEvent::MouseMove;
    if (watched == plot_ && white_ && (press || move)) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        if (mouse->buttons() & Qt::LeftButton) {
            const double value = plot_->axisRect(0)->axis(QCPAxis::atBottom)->pixelToCoord(mouse->position().x());
            // Tenths of a stop, as the exposure box has them.
            if (value > 0) view_.setExposure(std::round(-10 * std::log2(value)) / 10);
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace parallax::ui
