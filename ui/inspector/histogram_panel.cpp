// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/histogram_panel.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMouseEvent>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/charts/chart_style.hpp"
#include "ui/charts/plot.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/models/pipeline/catalog_text.hpp"
#include "ui/models/view/display_curve.hpp"
#include "ui/models/view/view_state.hpp"
#include "ui/models/volume/volume_state.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/theme.hpp"

namespace parallax::ui {
namespace {

enum class What { automatic, channels, luminance };

/// Position of a linear value on the axis of the curve: sRGB, which is about perceptually uniform.
double shownHeight(double light) {
    const double x = std::clamp(light, 0.0, 1.0);
    return 100 * (x <= 0.0031308 ? 12.92 * x : 1.055 * std::pow(x, 1 / 2.4) - 0.055);
}

constexpr int kDelayMilliseconds = 120;  // delay while the counted part changes

/// Red, green and blue in their own colour; line patterns distinguish them without colour.
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
      what_(new QComboBox),
      scale_(new QComboBox),
      part_(new QComboBox),
      delay_(new QTimer(this)),
      logarithmicCounts_(new QCheckBox(tr("log counts"))),
      plot_(new QCustomPlot),
      numbers_(new QLabel),
      curveText_(new QLabel),
      windowText_(new QLabel) {
    source_->addItem(tr("Original"), static_cast<int>(PaneRole::original));
    source_->addItem(tr("A"), static_cast<int>(PaneRole::a));
    source_->addItem(tr("B"), static_cast<int>(PaneRole::b));
    source_->setToolTip(tr("Image of the histogram"));
    source_->setAccessibleName(tr("Image of the histogram"));
    what_->addItem(tr("automatic"), static_cast<int>(What::automatic));
    what_->addItem(tr("each channel"), static_cast<int>(What::channels));
    what_->addItem(tr("luminance"), static_cast<int>(What::luminance));
    what_->setObjectName(QStringLiteral("histogramWhat"));
    what_->setToolTip(
        tr("Counts the channels of each pixel, or its luminance by Rec. 709. Automatic: the luminance, on a "
           "logarithmic axis, while a step has a curve to draw over it."));
    what_->setAccessibleName(tr("Counted values"));
    scale_->addItem(tr("automatic"), static_cast<int>(HistogramScale::automatic));
    scale_->addItem(tr("linear"), static_cast<int>(HistogramScale::linear));
    scale_->addItem(tr("logarithmic"), static_cast<int>(HistogramScale::logarithmic));
    scale_->setToolTip(tr("Scale of the value axis. Automatic: logarithmic when values reach far above 1."));
    scale_->setAccessibleName(tr("Scale of values"));
    part_->addItem(tr("whole image"), static_cast<int>(Part::all));
    part_->addItem(tr("visible part"), static_cast<int>(Part::visible));
    part_->addItem(tr("selection"), static_cast<int>(Part::selection));
    part_->setObjectName(QStringLiteral("histogramPart"));
    part_->setToolTip(tr("Pixels to count. Without a selection, all pixels are counted."));
    part_->setAccessibleName(tr("Part of the image"));
    delay_->setSingleShot(true);
    delay_->setInterval(kDelayMilliseconds);
    logarithmicCounts_->setToolTip(tr("Logarithmic count axis; makes rare values visible"));
    plot_->setFixedHeight(150);
    plot_->setAccessibleName(tr("Histogram"));
    plot_->setToolTip(
        tr("Frequency of values per channel. The solid line marks the value shown as white, the dashed line the one shown as black; drag "
           "them to set exposure and offset of the view. Data never change. The thick line is the transfer curve of a step, with its axis "
           "on the right."));
    plot_->installEventFilter(this);
    numbers_->setTextFormat(Qt::RichText);
    numbers_->setWordWrap(true);  // a long row must not widen the panel
    numbers_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    numbers_->setToolTip(tr("Minimum, maximum and mean of the finite samples per channel, and the number of NaN and infinite samples"));
    curveText_->setObjectName(QStringLiteral("curveText"));
    curveText_->setTextFormat(Qt::RichText);
    curveText_->setWordWrap(true);
    curveText_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    curveText_->setAccessibleName(tr("Transfer curve of the step"));
    curveText_->hide();
    windowText_->setObjectName(QStringLiteral("histogramWindow"));
    windowText_->setWordWrap(true);
    windowText_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    windowText_->setAccessibleName(tr("Window and level"));
    windowText_->setToolTip(tr("Values shown from black to white: the shaded range in the histogram, with a dotted line at its level"));
    windowText_->hide();
    plot_->setObjectName(QStringLiteral("histogramPlot"));
    const auto line = [](std::initializer_list<QWidget*> widgets) {
        auto* row = new QHBoxLayout;
        row->setContentsMargins(0, 0, 0, 0);
        for (QWidget* w : widgets) row->addWidget(w, 1);
        return row;
    };
    auto* row = line({source_, what_});
    auto* second = line({part_, scale_});
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addLayout(row);
    layout->addLayout(second);
    layout->addWidget(plot_);
    layout->addWidget(curveText_);
    layout->addWidget(windowText_);
    layout->addWidget(numbers_);
    layout->addWidget(logarithmicCounts_);
    connect(source_, &QComboBox::currentIndexChanged, this, &HistogramPanel::request);
    connect(what_, &QComboBox::currentIndexChanged, this, &HistogramPanel::request);
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
        else if (role == PaneRole::original) {
            // The automatic choice changes when a transfer curve appears or disappears.
            if ((applied().record != nullptr) != hadCurve_) request();
            else placeCurve();
        }
    });
    connect(&session_, &Session::histogramChanged, this, [this] {
        shown_ = session_.histogram();
        rebuild();
    });
    connect(&view_, &ViewState::displayChanged, this, &HistogramPanel::placeLevels);
    connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, &HistogramPanel::rebuild);
    rebuild();
}

ImagePtr HistogramPanel::counted() const {
    const PyramidPtr shown = session_.pyramid(static_cast<PaneRole>(source_->currentData().toInt()));
    return shown ? shown->image() : nullptr;
}

HistogramPanel::Part HistogramPanel::part() const { return static_cast<Part>(part_->currentData().toInt()); }

HistogramPanel::Applied HistogramPanel::applied() const {
    if (static_cast<PaneRole>(source_->currentData().toInt()) != PaneRole::original) return {};
    for (const Side side : {Side::a, Side::b}) {
        const SideState& state = session_.side(side);
        if (!state.result || state.error) continue;
        // The axis of a later step would not be that of the original.
        for (const TransferRecord& record : state.result->transfers)
            if (record.step == 0) return {state.result, &record};
    }
    return {};
}

bool HistogramPanel::countsLuminance() const {
    const auto what = static_cast<What>(what_->currentData().toInt());
    return what == What::luminance || (what == What::automatic && hadCurve_);
}

void HistogramPanel::request() {
    hadCurve_ = applied().record != nullptr;
    QRect pixels = part() == Part::visible ? view_.visiblePixels() : part() == Part::selection ? view_.selection() : QRect();
    // Planes of a volume have their own visible part and no selection.
    if (session_.original() && session_.original()->isVolume()) pixels = {};
    auto scale = static_cast<HistogramScale>(scale_->currentData().toInt());
    if (scale == HistogramScale::automatic && countsLuminance()) scale = HistogramScale::logarithmic;
    session_.requestHistogram(static_cast<PaneRole>(source_->currentData().toInt()), scale, pixels,
                              countsLuminance() ? HistogramOf::luminance : HistogramOf::channels);
}

void HistogramPanel::rebuild() {
    white_ = black_ = level_ = nullptr;
    window_ = nullptr;
    curve_ = nullptr;
    clipped_ = nullptr;
    curvePlaced_ = false;
    if (!shown_) {
        showPlaceholder(*plot_, tr("No samples"));
        numbers_->hide();
        curveText_->hide();
        windowText_->hide();
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
    const bool luminance = h.channels.size() == 1 && h.channels.front().name.empty();
    const ImagePtr image = counted();
    const QString unit = sampleUnit(image.get());
    const QString quantity = luminance ? tr("luminance") : tr("value");
    values->setLabel(unit.isEmpty() ? quantity : tr("%1, %2").arg(quantity, unit));
    counts->setLabel(luminance ? tr("pixels") : tr("samples"));
    values->setRange(h.edges.front(), h.edges.back());
    std::uint64_t most = 1;
    for (std::size_t c = 0; c < h.channels.size(); ++c) {
        const ChannelHistogram& channel = h.channels[c];
        auto* graph = new QCPGraph(values, counts);
        const QPen pen = channelPen(channel.name, static_cast<int>(c));
        graph->setPen(pen);
        graph->setLineStyle(QCPGraph::lsStepLeft);
        // No antialiasing and one-pixel lines: both dominated the frame time.
        graph->setAntialiased(false);
        graph->setAntialiasedFill(false);
        QColor fill = pen.color();
        fill.setAlpha(28);
        graph->setBrush(fill);
        QVector<QCPGraphData> points;
        for (std::size_t i = 0; i < channel.counts.size(); ++i) {
            most = std::max(most, channel.counts[i]);
            // Empty bins lie just below the lower end of a logarithmic axis.
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
    if (image && holdsMeasurements(*image)) {
        window_ = new QCPItemRect(plot_);
        window_->setPen(Qt::NoPen);
        QColor band = theme.accent;
        band.setAlpha(30);
        window_->setBrush(band);
        window_->setLayer(QStringLiteral("background"));
        window_->setClipAxisRect(axes);
        for (QCPItemPosition* point : {window_->topLeft, window_->bottomRight}) {
            point->setAxes(values, counts);
            point->setAxisRect(axes);
        }
        // Full height, independent of the counts.
        window_->topLeft->setTypeY(QCPItemPosition::ptAxisRectRatio);
        window_->bottomRight->setTypeY(QCPItemPosition::ptAxisRectRatio);
        level_ = line(Qt::DotLine);
    }
    white_ = line(Qt::SolidLine);
    black_ = line(Qt::DashLine);
    QCPAxis* shown = axes->axis(QCPAxis::atRight);
    styleAxis(*shown, small);
    shown->setRange(0, 106);
    shown->setLabel(tr("shown, %"));
    shown->grid()->setVisible(false);
    shown->ticker()->setTickCount(3);
    clipped_ = new QCPItemRect(plot_);
    clipped_->setPen(Qt::NoPen);
    QColor alarm = theme.dark ? QColor(255, 90, 70) : QColor(200, 40, 20);
    alarm.setAlpha(60);
    clipped_->setBrush(alarm);
    for (QCPItemPosition* point : {clipped_->topLeft, clipped_->bottomRight}) {
        point->setAxes(values, shown);
        point->setAxisRect(axes);
    }
    curve_ = new QCPGraph(values, shown);
    curve_->setPen(QPen(theme.badge(QStringLiteral("A")), 2));
    placeCurve();
    placeLevels();

    QString rows;
    for (std::size_t c = 0; c < h.channels.size(); ++c) {
        const ChannelHistogram& channel = h.channels[c];
        rows +=
            QStringLiteral("<tr><td style='padding-right:8px; color:%1'><b>%2</b></td><td>%3</td></tr>")
                .arg(channelPen(channel.name, static_cast<int>(c)).color().name(),
                     luminance ? tr("luminance") : QString::fromStdString(channel.name).toHtmlEscaped(),
                     tr("%1 … %2, mean %3").arg(formatSample(channel.minimum), formatSample(channel.maximum), formatSample(channel.mean)) +
                         (unit.isEmpty() ? QString() : QLatin1Char(' ') + unit.toHtmlEscaped()) +
                         (channel.nan ? tr(", %1 NaN").arg(channel.nan) : QString()) +
                         (channel.infinite ? tr(", %1 infinite").arg(channel.infinite) : QString()) +
                         (channel.below ? tr(", %1 left of the axis").arg(channel.below) : QString()));
    }
    numbers_->setText(QStringLiteral("<table cellspacing='0'>%1</table>").arg(rows));
    numbers_->show();
}

void HistogramPanel::placeCurve() {
    if (!curve_) return;
    const auto [result, record] = applied();
    // Sides signal changes more often than they get a new result.
    if (curvePlaced_ && result == curveOf_) return;
    curvePlaced_ = true;
    curveOf_ = result;
    curve_->valueAxis()->setVisible(record != nullptr);
    curve_->setVisible(record != nullptr);
    clipped_->setVisible(false);
    curveText_->setVisible(record != nullptr);
    if (record) {
        QVector<QCPGraphData> points;
        double beyond = 0;  // lower end of the clipped range
        for (std::size_t i = 0; i < record->curve.input.size(); ++i) {
            points.append({record->curve.input[i], shownHeight(record->curve.output[i])});
            constexpr double kRounding = 1e-6;
            if (beyond == 0 && record->curve.output[i] > 1 + kRounding) beyond = record->curve.input[i];
        }
        curve_->data()->set(points, true);
        if (beyond > 0) {
            clipped_->topLeft->setCoords(beyond, curve_->valueAxis()->range().upper);
            clipped_->bottomRight->setCoords(curve_->keyAxis()->range().upper, 0);
            clipped_->setVisible(true);
        }
        QString text = tr("Curve: %1 → %2").arg(catalogText(record->info.inputTitle), catalogText(record->info.outputTitle));
        for (const StatisticRecord& f : result->statistics)
            if (f.step == record->step && f.key == record->info.clippedKey)
                text += QStringLiteral("<br>") + tr("%1: %2 %").arg(catalogText(f.title).toHtmlEscaped(), formatSample(f.value));
        curveText_->setText(text);
        curveText_->setToolTip(QStringLiteral("<qt>%1</qt>").arg(catalogText(record->info.help).toHtmlEscaped()));
    }
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

void HistogramPanel::placeLevels() {
    if (!white_) return;
    const double white = whiteOf(view_.display()), black = blackOf(view_.display());
    const bool logarithmic = plot_->axisRect(0)->axis(QCPAxis::atBottom)->scaleType() == QCPAxis::stLogarithmic;
    const auto place = [&](QCPItemStraightLine* line, double at) {
        // A logarithmic axis has no zero or negative values.
        line->setVisible(!logarithmic || at > 0);
        if (!line->visible()) return;
        line->point1->setCoords(at, 0.5);
        line->point2->setCoords(at, 1);
    };
    place(white_, white);
    place(black_, black);
    windowText_->setVisible(window_ != nullptr);
    if (window_) {
        const double centre = windowCentre(view_.display()), width = windowWidth(view_.display());
        place(level_, centre);
        const double least = logarithmic ? plot_->axisRect(0)->axis(QCPAxis::atBottom)->range().lower : black;
        window_->topLeft->setCoords(std::max(black, least), 0);
        window_->bottomRight->setCoords(white, 1);
        window_->setVisible(white > least);
        const QString unit = sampleUnit(counted().get());
        const auto number = [&](double v) { return formatSample(v) + (unit.isEmpty() ? QString() : QLatin1Char(' ') + unit); };
        windowText_->setText(tr("Level %1, width %2: from %3 to %4").arg(number(centre), number(width), number(black), number(white)));
    }
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
        // The black line only if it is hit; elsewhere a drag changes the brightness.
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
