// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/histogram_panel.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/charts/chart_style.hpp"
#include "ui/charts/plot.hpp"
#include "ui/inspector/histogram_items.hpp"
#include "ui/inspector/level_marks.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/models/pipeline/catalog_text.hpp"
#include "ui/models/view/display_curve.hpp"
#include "ui/models/view/view_state.hpp"
#include "ui/models/volume/volume_state.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/widgets.hpp"

namespace parallax::ui {
namespace {

enum class What { automatic, channels, luminance };

constexpr int kDelayMilliseconds = 120;  // delay while the counted part or result changes
constexpr int kActivePane = -1;          // the first source; others are a PaneRole

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

bool isLuminance(const Histogram& h) { return h.channels.size() == 1 && h.channels.front().name.empty(); }

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

/// Ticks whose labels have a true minus; exponents stay as QCustomPlot reads them.
template <class Ticker>
class MinusTicker : public Ticker {
    QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override {
        const QString text = Ticker::getTickLabel(tick, locale, format, precision);
        return withMinus(text.left(1)) + text.mid(1);
    }
};

void setLogarithmic(QCPAxis& axis, bool logarithmic) {
    axis.setScaleType(logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    if (logarithmic) axis.setTicker(QSharedPointer<QCPAxisTicker>(new MinusTicker<QCPAxisTickerLog>));
    else axis.setTicker(QSharedPointer<QCPAxisTicker>(new MinusTicker<QCPAxisTicker>));
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
      logarithmicCounts_(new QCheckBox(tr("Log counts"))),
      resetLevels_(new QPushButton(tr("Reset levels"))),
      plot_(new QCustomPlot),
      marks_(new LevelMarks(*plot_, view_, session_.pipeline(), this)),
      curves_(*plot_),
      numbers_(new QLabel),
      curveText_(new QLabel),
      windowText_(new QLabel) {
    describeControls();
    auto* layout = makeLayout<QVBoxLayout>(this, 4);
    for (QWidget* widget : std::initializer_list<QWidget*>{plot_, curveText_, windowText_, numbers_}) layout->addWidget(widget);
    auto* grid = new QGridLayout;
    grid->setVerticalSpacing(4);
    const auto line = [&](const QString& text, QComboBox* box) { addLine(*grid, text, {box})->setBuddy(box); };
    line(tr("Image"), source_);
    line(tr("Values"), what_);
    line(tr("Part"), part_);
    line(tr("Value axis"), scale_);
    grid->setColumnStretch(1, 1);
    layout->addLayout(grid);
    auto* foot = new QHBoxLayout;
    foot->addWidget(logarithmicCounts_, 1);
    foot->addWidget(resetLevels_);
    layout->addLayout(foot);
    fillSources();
    connectControls();
    rebuild();
}

void HistogramPanel::describeControls() {
    described(
        source_, tr("Image of the histogram"),
        tr("Image of the histogram: the result of the active pane, or its input while the first step has a curve to draw over it; the "
           "original; or the result of one pane"),
        "histogramSource");
    addChoices<What>(*what_,
                     {{tr("automatic"), What::automatic}, {tr("each channel"), What::channels}, {tr("luminance"), What::luminance}});
    described(what_, tr("Counted values"),
              tr("Counts the channels of each pixel, or its luminance by Rec. 709. Automatic: the luminance, on a "
                 "logarithmic axis, while a step has a curve to draw over it."),
              "histogramWhat");
    addChoices<HistogramScale>(*scale_, {{tr("automatic"), HistogramScale::automatic},
                                         {tr("linear"), HistogramScale::linear},
                                         {tr("logarithmic"), HistogramScale::logarithmic}});
    described(scale_, tr("Scale of values"), tr("Scale of the value axis. Automatic: logarithmic when values reach far above 1."));
    addChoices<Part>(*part_, {{tr("whole image"), Part::all}, {tr("visible part"), Part::visible}, {tr("selection"), Part::selection}});
    described(part_, tr("Part of the image"), tr("Pixels to count. Without a selection, all pixels are counted."), "histogramPart");
    logarithmicCounts_->setToolTip(tr("Logarithmic count axis; makes rare values visible"));
    plot_->setFixedHeight(150);
    described(plot_, tr("Histogram"),
              tr("Frequency of values per channel. The marks show the values displayed as black and white; drag them to set exposure and "
                 "offset of the view. Esc cancels a drag, Undo reverts it, a double click on a mark resets both. Data never change. The "
                 "thick line is the transfer curve of a step, with its axis on the right."),
              "histogramPlot");
    described(resetLevels_, tr("Reset levels"), tr("Reset exposure and offset of the view, the values displayed as black and white"),
              "resetLevels");
    resetLevels_->setAutoDefault(false);
    for (QLabel* label : {numbers_, curveText_, windowText_}) selectable(label)->setWordWrap(true);  // a long row must not widen the panel
    for (QLabel* label : {numbers_, curveText_}) label->setTextFormat(Qt::RichText);
    numbers_->setToolTip(tr("Minimum, maximum and mean of the finite samples per channel, and the number of NaN and infinite samples"));
    described(curveText_, tr("Transfer curve of the step"), {}, "curveText")->hide();
    described(windowText_, tr("Window and level"),
              tr("Values shown from black to white: the shaded range in the histogram, with a dotted line at its level"), "histogramWindow")
        ->hide();
}

void HistogramPanel::connectControls() {
    for (QComboBox* box : {source_, what_, scale_, part_}) connect(box, &QComboBox::currentIndexChanged, this, &HistogramPanel::request);
    delay_->setSingleShot(true);
    delay_->setInterval(kDelayMilliseconds);
    connect(delay_, &QTimer::timeout, this, &HistogramPanel::request);
    connect(&view_, &ViewState::viewChanged, this, [this] {
        if (chosenIn<Part>(*part_) == Part::visible) delay_->start();
    });
    connect(&view_, &ViewState::selectionChanged, this, [this] {
        if (chosenIn<Part>(*part_) == Part::selection) delay_->start();
    });
    connect(logarithmicCounts_, &QCheckBox::toggled, this, &HistogramPanel::rebuild);
    connect(resetLevels_, &QPushButton::clicked, marks_, &LevelMarks::reset);
    connect(&session_, &Session::originalChanged, this, &HistogramPanel::request);
    connect(&session_.comparison(), &Comparison::sidesChanged, this, [this] {
        fillSources();
        follow();
    });
    connect(&session_.comparison(), &Comparison::sideChanged, this, &HistogramPanel::follow);
    connect(&session_.pipeline(), &PipelineModel::activeChanged, this, &HistogramPanel::follow);
    connect(&session_.panes(), &PaneData::histogramChanged, this, [this] {
        shown_ = session_.panes().histogram();
        rebuild();
    });
    connect(&view_, &ViewState::displayChanged, this, &HistogramPanel::describeWindow);
    connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, &HistogramPanel::rebuild);
}

void HistogramPanel::fillSources() {
    const QSignalBlocker blocker(source_);
    const QVariant chosen = source_->currentData();
    source_->clear();
    source_->addItem(QString(), kActivePane);
    source_->addItem(tr("Original"), static_cast<int>(PaneRole::original));
    for (const Side side : session_.sides()) source_->addItem(letterOf(side), static_cast<int>(roleOf(side)));
    // A pane that was removed is followed by the active one.
    source_->setCurrentIndex(std::max(0, source_->findData(chosen)));
    nameActive();
}

void HistogramPanel::nameActive() {
    const QString letter = letterOf(session_.pipeline().active());
    source_->setItemText(0, countsActiveInput() ? tr("Active pane (input of %1)").arg(letter) : tr("Active pane (%1)").arg(letter));
}

bool HistogramPanel::countsActiveInput() const {
    const SideState& side = session_.side(session_.pipeline().active());
    return !side.result || hasCurve(side);
}

ImagePtr HistogramPanel::counted() const {
    const int source = source_->currentData().toInt();
    if (source != kActivePane) return session_.imageOf(static_cast<PaneRole>(source));
    const Side active = session_.pipeline().active();
    const auto& result = session_.side(active).result;
    if (!countsActiveInput()) return result->image;
    return result ? result->input : session_.comparison().inputOf(active);
}

void HistogramPanel::follow() {
    nameActive();
    if (!curvesOf(session_, counted()).empty() != hadCurve_) return request();
    if (counted() != requested_.lock() && !delay_->isActive()) {
        // The first result is counted at once; while a slider moves, only some are.
        if (!sinceResult_.isValid() || sinceResult_.hasExpired(kDelayMilliseconds)) request();
        else delay_->start();
        sinceResult_.start();
    }
    showCurves();
}

bool HistogramPanel::countsLuminance() const {
    const auto what = chosenIn<What>(*what_);
    return what == What::luminance || (what == What::automatic && hadCurve_);
}

void HistogramPanel::request() {
    const ImagePtr image = counted();
    requested_ = image;
    hadCurve_ = !curvesOf(session_, counted()).empty();
    const Part part = chosenIn<Part>(*part_);
    QRect pixels = part == Part::visible ? view_.visiblePixels() : part == Part::selection ? view_.selection() : QRect();
    // Planes of a volume have their own visible part and no selection.
    if (session_.original() && session_.original()->isVolume()) pixels = {};
    auto scale = chosenIn<HistogramScale>(*scale_);
    if (scale == HistogramScale::automatic && countsLuminance()) scale = HistogramScale::logarithmic;
    session_.panes().requestHistogram(image, scale, pixels, countsLuminance() ? HistogramOf::luminance : HistogramOf::channels);
}

void HistogramPanel::rebuild() {
    marks_->clear();
    curves_.clear();
    curveText_->hide();
    if (!shown_) {
        showPlaceholder(*plot_, tr("No samples"));
        for (QWidget* text : {numbers_, windowText_}) text->hide();
        return;
    }
    plot_->clearItems();
    plot_->clearPlottables();
    plot_->plotLayout()->clear();
    auto* axes = new QCPAxisRect(plot_);
    plot_->plotLayout()->addElement(0, 0, axes);
    plot_->setBackground(currentTheme().palette.color(QPalette::Base));
    QFont small = font();
    small.setPointSizeF(small.pointSizeF() * 0.85);
    for (const auto type : {QCPAxis::atBottom, QCPAxis::atLeft, QCPAxis::atRight}) styleAxis(*axes->axis(type), small);
    for (const auto type : {QCPAxis::atBottom, QCPAxis::atLeft}) {
        axes->axis(type)->setLayer(QStringLiteral("axes"));
        axes->axis(type)->grid()->setLayer(QStringLiteral("grid"));
    }
    axes->axis(QCPAxis::atTop)->setVisible(false);
    drawCounts(*axes);
    const ImagePtr image = counted();
    marks_->add(image && holdsMeasurements(*image));
    curves_.add(tr("shown, %"));
    showCurves();
    marks_->place();
    describeWindow();
    showNumbers();
}

void HistogramPanel::drawCounts(QCPAxisRect& axes) {
    const Histogram& h = *shown_;
    QCPAxis *values = axes.axis(QCPAxis::atBottom), *counts = axes.axis(QCPAxis::atLeft);
    const bool logCounts = logarithmicCounts_->isChecked();
    setLogarithmic(*values, h.logarithmic);
    setLogarithmic(*counts, logCounts);
    const QString unit = sampleUnit(counted().get()), quantity = isLuminance(h) ? tr("luminance") : tr("value");
    values->setLabel(unit.isEmpty() ? quantity : tr("%1, %2").arg(quantity, unit));
    counts->setLabel(isLuminance(h) ? tr("pixels") : tr("samples"));
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
        graph->setBrush(translucent(pen.color(), 28));
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
}

void HistogramPanel::showNumbers() {
    const QString unit = sampleUnit(counted().get());
    QString rows;
    for (std::size_t c = 0; c < shown_->channels.size(); ++c) {
        const ChannelHistogram& channel = shown_->channels[c];
        rows += QStringLiteral("<tr><td style='padding-right:8px; color:%1'><b>%2</b></td><td>%3</td></tr>")
                    .arg(channelPen(channel.name, static_cast<int>(c)).color().name(),
                         isLuminance(*shown_) ? tr("luminance") : QString::fromStdString(channel.name).toHtmlEscaped(),
                         tr("%1 … %2, mean %3")
                                 .arg(formatSample(channel.minimum), formatSample(channel.maximum),
                                      formatQuantity(channel.mean, unit).toHtmlEscaped()) +
                             (channel.nan ? tr(", %1 NaN").arg(formatCount(channel.nan)) : QString()) +
                             (channel.infinite ? tr(", %1 infinite").arg(formatCount(channel.infinite)) : QString()) +
                             (channel.below ? tr(", %1 left of the axis").arg(formatCount(channel.below)) : QString()));
    }
    numbers_->setText(QStringLiteral("<table cellspacing='0'>%1</table>").arg(rows));
    numbers_->show();
}

void HistogramPanel::showCurves() {
    if (!curves_.show(curvesOf(session_, counted()))) return;
    const PaneCurve* curve = curves_.described();
    curveText_->setVisible(curve != nullptr);
    if (!curve) return;
    const TransferRecord& record = *curve->record;
    QString text =
        tr("Curve of %1: %2 → %3").arg(curve->letters, catalogText(record.info.inputTitle), catalogText(record.info.outputTitle));
    for (const StatisticRecord& f : curve->result->statistics)
        if (f.step == record.step && f.key == record.info.clippedKey)
            text += QStringLiteral("<br>") + tr("%1: %2").arg(catalogText(f.title), formatPercent(f.value)).toHtmlEscaped();
    curveText_->setText(text);
    curveText_->setToolTip(QStringLiteral("<qt>%1</qt>").arg(catalogText(record.info.help).toHtmlEscaped()));
}

void HistogramPanel::describeWindow() {
    const ImagePtr image = counted();
    const bool measurements = shown_ && image && holdsMeasurements(*image);
    windowText_->setVisible(measurements);
    if (!measurements) return;
    const auto number = [unit = sampleUnit(image.get())](double v) { return formatQuantity(v, unit); };
    const DisplaySettings& display = view_.display();
    windowText_->setText(
        tr("Level %1, width %2: from %3 to %4")
            .arg(number(windowCentre(display)), number(windowWidth(display)), number(blackOf(display)), number(whiteOf(display))));
}

}  // namespace parallax::ui
