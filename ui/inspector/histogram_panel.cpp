// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/histogram_panel.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/image/transfer.hpp"
#include "ui/charts/chart_style.hpp"
#include "ui/charts/plot.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/models/pipeline/catalog_text.hpp"
#include "ui/models/pipeline/compare_setup.hpp"
#include "ui/models/view/display_curve.hpp"
#include "ui/models/view/view_state.hpp"
#include "ui/models/volume/volume_state.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/widgets.hpp"

namespace parallax::ui {
namespace {

enum class What { automatic, channels, luminance };

/// Position of a linear value on the axis of the curve: sRGB, which is about perceptually uniform.
double shownHeight(double light) { return 100 * linearToSrgb(std::clamp(light, 0.0, 1.0)); }

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

QColor translucent(QColor colour, int alpha) {
    colour.setAlpha(alpha);
    return colour;
}

/// The curve of the first step of a result; null without one. The axis of a later step would not be that of the input.
const TransferRecord* firstCurve(const SideState& side) {
    if (!side.result || side.error) return nullptr;
    for (const TransferRecord& record : side.result->transfers)
        if (record.step == 0) return &record;
    return nullptr;
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
    described(
        plot_, tr("Histogram"),
        tr("Frequency of values per channel. The marks show the values displayed as black and white; drag them to set exposure and offset "
           "of the view. Esc takes the last drag back, a double click on a mark resets both. Data never change. The thick line is the "
           "transfer curve of a step, with its axis on the right."),
        "histogramPlot");
    plot_->setFocusPolicy(Qt::ClickFocus);  // for Esc
    plot_->installEventFilter(this);
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
    connect(resetLevels_, &QPushButton::clicked, this, &HistogramPanel::resetLevels);
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
    connect(&view_, &ViewState::displayChanged, this, &HistogramPanel::placeLevels);
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
    return !side.result || firstCurve(side);
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
    if (!curves().empty() != hadCurve_) return request();
    if (counted() != requested_.lock() && !delay_->isActive()) {
        // The first result is counted at once; while a slider moves, only some are.
        if (!sinceResult_.isValid() || sinceResult_.hasExpired(kDelayMilliseconds)) request();
        else delay_->start();
        sinceResult_.start();
    }
    placeCurves();
}

std::vector<HistogramPanel::Curve> HistogramPanel::curves() const {
    std::vector<Curve> found;
    const ImagePtr image = counted();
    if (!image) return found;
    const CompareSetup& setup = session_.pipeline().setup();
    const Side active = session_.pipeline().active();
    for (const Side side : session_.sides()) {
        const SideState& state = session_.side(side);
        const TransferRecord* record = firstCurve(state);
        if (!record || state.result->input != image) continue;
        const auto same = std::find_if(found.begin(), found.end(),
                                       [&](const Curve& curve) { return sameSteps(setup.stepsOf(curve.side), setup.stepsOf(side)); });
        if (same == found.end()) {
            found.push_back({side, side == active, letterOf(side), state.result, record});
            continue;
        }
        same->letters += QLatin1Char(' ') + letterOf(side);
        if (side == active) *same = {side, true, same->letters, state.result, record};
    }
    return found;
}

bool HistogramPanel::countsLuminance() const {
    const auto what = chosenIn<What>(*what_);
    return what == What::luminance || (what == What::automatic && hadCurve_);
}

void HistogramPanel::request() {
    const ImagePtr image = counted();
    requested_ = image;
    hadCurve_ = !curves().empty();
    const Part part = chosenIn<Part>(*part_);
    QRect pixels = part == Part::visible ? view_.visiblePixels() : part == Part::selection ? view_.selection() : QRect();
    // Planes of a volume have their own visible part and no selection.
    if (session_.original() && session_.original()->isVolume()) pixels = {};
    auto scale = chosenIn<HistogramScale>(*scale_);
    if (scale == HistogramScale::automatic && countsLuminance()) scale = HistogramScale::logarithmic;
    session_.panes().requestHistogram(image, scale, pixels, countsLuminance() ? HistogramOf::luminance : HistogramOf::channels);
}

void HistogramPanel::rebuild() {
    white_ = black_ = level_ = nullptr;
    whiteText_ = blackText_ = nullptr;
    dragged_ = Mark::none;
    window_ = clipped_ = nullptr;
    curveLines_.clear();
    curveLetters_.clear();
    placed_.clear();
    if (!shown_) {
        showPlaceholder(*plot_, tr("No samples"));
        for (QWidget* text : {numbers_, curveText_, windowText_}) text->hide();
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
    addMarks(*axes);
    placeCurves();
    placeLevels();
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

void HistogramPanel::addMarks(QCPAxisRect& axes) {
    const Theme& theme = currentTheme();
    QCPAxis *values = axes.axis(QCPAxis::atBottom), *counts = axes.axis(QCPAxis::atLeft), *shown = axes.axis(QCPAxis::atRight);
    const auto place = [&](std::initializer_list<QCPItemPosition*> points, QCPAxis* vertical) {
        for (QCPItemPosition* point : points) {
            point->setAxes(values, vertical);
            point->setAxisRect(&axes);
        }
    };
    const auto line = [&](Qt::PenStyle style) {
        auto* item = new QCPItemStraightLine(plot_);
        item->setPen(QPen(theme.accent, 1.5, style));
        place({item->point1, item->point2}, counts);
        item->setClipAxisRect(&axes);
        return item;
    };
    const auto area = [&](const QColor& colour, QCPAxis* vertical) {
        auto* item = new QCPItemRect(plot_);
        item->setPen(Qt::NoPen);
        item->setBrush(colour);
        place({item->topLeft, item->bottomRight}, vertical);
        return item;
    };
    if (const ImagePtr image = counted(); image && holdsMeasurements(*image)) {
        window_ = area(translucent(theme.accent, 30), counts);
        window_->setLayer(QStringLiteral("background"));
        window_->setClipAxisRect(&axes);
        // Full height, independent of the counts.
        for (QCPItemPosition* point : {window_->topLeft, window_->bottomRight}) point->setTypeY(QCPItemPosition::ptAxisRectRatio);
        level_ = line(Qt::DotLine);
    }
    white_ = line(Qt::SolidLine);
    black_ = line(Qt::DashLine);
    const auto mark = [&](double ratio) {
        auto* item = new QCPItemText(plot_);
        item->position->setTypeX(QCPItemPosition::ptPlotCoords);
        item->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
        item->position->setAxes(values, counts);
        item->position->setAxisRect(&axes);
        item->position->setCoords(0, ratio);
        item->setLayer(QStringLiteral("overlay"));  // above the curve
        item->setFont(values->tickLabelFont());
        item->setColor(currentTheme().palette.color(QPalette::HighlightedText));
        item->setBrush(theme.accent);
        item->setPadding(QMargins(4, 1, 4, 1));
        return item;
    };
    whiteText_ = mark(0);
    blackText_ = mark(0.2);
    shown->setRange(0, 106);
    shown->setLabel(tr("shown, %"));
    shown->grid()->setVisible(false);
    shown->ticker()->setTickCount(3);
    clipped_ = area(translucent(theme.dark ? QColor(255, 90, 70) : QColor(200, 40, 20), 60), shown);
    shown->setVisible(false);
    clipped_->setVisible(false);
    curveText_->hide();
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

void HistogramPanel::placeCurves() {
    if (!clipped_) return;
    std::vector<Curve> found = curves();
    // Sides signal changes more often than they get a new result.
    if (found == placed_) return;
    placed_ = std::move(found);
    for (QCPGraph* line : std::as_const(curveLines_)) plot_->removePlottable(line);
    for (QCPItemText* letters : std::as_const(curveLetters_)) plot_->removeItem(letters);
    curveLines_.clear();
    curveLetters_.clear();
    plot_->axisRect(0)->axis(QCPAxis::atRight)->setVisible(!placed_.empty());
    clipped_->setVisible(false);
    curveText_->setVisible(!placed_.empty());
    const auto mine = std::find_if(placed_.begin(), placed_.end(), [](const Curve& curve) { return curve.active; });
    const std::size_t described = mine == placed_.end() ? 0 : static_cast<std::size_t>(mine - placed_.begin());
    for (std::size_t i = 0; i < placed_.size(); ++i) {
        const QVector<QCPGraphData> points = drawCurve(placed_[i], i, placed_.size());
        if (i == described) describeCurve(placed_[i], points);
    }
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

QVector<QCPGraphData> HistogramPanel::drawCurve(const Curve& curve, std::size_t index, std::size_t count) {
    static constexpr Qt::PenStyle styles[] = {Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine};
    QCPAxis *values = plot_->axisRect(0)->axis(QCPAxis::atBottom), *shown = plot_->axisRect(0)->axis(QCPAxis::atRight);
    const TransferCurve& samples = curve.record->curve;
    QVector<QCPGraphData> points, visible;
    for (std::size_t i = 0; i < samples.input.size(); ++i) {
        points.append({samples.input[i], shownHeight(samples.output[i])});
        if (values->range().contains(points.back().key)) visible.append(points.back());
    }
    const QColor colour = currentTheme().badge(letterOf(curve.side));
    auto* line = new QCPGraph(values, shown);
    line->setPen(QPen(colour, 2, styles[index % std::size(styles)]));
    line->data()->set(points, true);
    curveLines_ << line;
    if (visible.isEmpty()) return points;
    // Each at another place, because curves often meet at their ends.
    const QCPGraphData& at = visible[static_cast<qsizetype>((index + 1) * static_cast<std::size_t>(visible.size()) / (count + 1))];
    auto* letters = new QCPItemText(plot_);
    letters->position->setAxes(values, shown);
    letters->position->setAxisRect(plot_->axisRect(0));
    letters->position->setCoords(at.key, at.value);
    letters->setLayer(QStringLiteral("overlay"));
    letters->setText(curve.letters);
    letters->setFont(values->tickLabelFont());
    letters->setColor(Qt::white);  // as on the badges of panes
    letters->setBrush(colour);
    letters->setPadding(QMargins(3, 0, 3, 0));
    curveLetters_ << letters;
    return points;
}

void HistogramPanel::describeCurve(const Curve& curve, const QVector<QCPGraphData>& points) {
    const QCPAxis *values = plot_->axisRect(0)->axis(QCPAxis::atBottom), *shown = plot_->axisRect(0)->axis(QCPAxis::atRight);
    const TransferRecord& record = *curve.record;
    constexpr double kRounding = 1e-6;
    for (std::size_t i = 0; i < record.curve.output.size(); ++i) {
        if (record.curve.output[i] <= 1 + kRounding) continue;
        clipped_->topLeft->setCoords(points[static_cast<qsizetype>(i)].key, shown->range().upper);
        clipped_->bottomRight->setCoords(values->range().upper, 0);
        clipped_->setVisible(true);
        break;
    }
    QString text = tr("Curve of %1: %2 → %3").arg(curve.letters, catalogText(record.info.inputTitle), catalogText(record.info.outputTitle));
    for (const StatisticRecord& f : curve.result->statistics)
        if (f.step == record.step && f.key == record.info.clippedKey)
            text += QStringLiteral("<br>") + tr("%1: %2").arg(catalogText(f.title), formatPercent(f.value)).toHtmlEscaped();
    curveText_->setText(text);
    curveText_->setToolTip(QStringLiteral("<qt>%1</qt>").arg(catalogText(record.info.help).toHtmlEscaped()));
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
    placeMark(*whiteText_, white, tr("white %1").arg(formatNumber(white)));
    placeMark(*blackText_, black, tr("black %1").arg(formatNumber(black)));
    windowText_->setVisible(window_ != nullptr);
    if (window_) {
        const double centre = windowCentre(view_.display()), width = windowWidth(view_.display());
        place(level_, centre);
        const double least = logarithmic ? plot_->axisRect(0)->axis(QCPAxis::atBottom)->range().lower : black;
        window_->topLeft->setCoords(std::max(black, least), 0);
        window_->bottomRight->setCoords(white, 1);
        window_->setVisible(white > least);
        const QString unit = sampleUnit(counted().get());
        const auto number = [&](double v) { return formatQuantity(v, unit); };
        windowText_->setText(tr("Level %1, width %2: from %3 to %4").arg(number(centre), number(width), number(black), number(white)));
    }
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

double HistogramPanel::markPosition(double value) const {
    const QCPAxis& axis = *plot_->axisRect(0)->axis(QCPAxis::atBottom);
    return axis.coordToPixel(std::clamp(value, axis.range().lower, axis.range().upper));
}

void HistogramPanel::placeMark(QCPItemText& mark, double value, const QString& text) {
    const QCPAxisRect& axes = *plot_->axisRect(0);
    const QCPRange range = axes.axis(QCPAxis::atBottom)->range();
    mark.setText(text);
    // Values beyond the axis stay at its end, where they can be dragged.
    const double shown = std::clamp(value, range.lower, range.upper);
    mark.position->setCoords(shown, mark.position->coords().y());
    const double x = markPosition(value), half = QFontMetricsF(mark.font()).horizontalAdvance(text) / 2 + 6;
    const Qt::Alignment side = x - half < axes.left() ? Qt::AlignLeft : x + half > axes.right() ? Qt::AlignRight : Qt::AlignHCenter;
    mark.setPositionAlignment(side | Qt::AlignTop);
}

HistogramPanel::Mark HistogramPanel::markAt(QPointF position) const {
    constexpr double kGrab = 6;
    const auto isOver = [&](const QCPItemText& text) {
        return QRectF(text.topLeft->pixelPosition(), text.bottomRight->pixelPosition()).contains(position);
    };
    if (isOver(*whiteText_)) return Mark::white;
    if (isOver(*blackText_)) return Mark::black;
    const double white = std::fabs(markPosition(whiteOf(view_.display())) - position.x());
    const double black = std::fabs(markPosition(blackOf(view_.display())) - position.x());
    if (std::min(white, black) > kGrab) return Mark::none;
    return white <= black ? Mark::white : Mark::black;
}

void HistogramPanel::dragTo(double value) {
    const double white = whiteOf(view_.display()), black = blackOf(view_.display());
    if (dragged_ == Mark::black) {
        if (value < white) view_.setDisplay(withLevels(view_.display(), value, white));
    } else if (value > black) {
        DisplaySettings settings = withLevels(view_.display(), black, value);
        // Tenths of a stop, as the exposure box has them.
        if (black == 0) settings.exposure = std::round(10 * settings.exposure) / 10;
        view_.setDisplay(settings);
    }
}

void HistogramPanel::restoreLevels(const DisplaySettings& levels) {
    DisplaySettings settings = view_.display();
    settings.exposure = levels.exposure;
    settings.offset = levels.offset;
    view_.setDisplay(settings);
}

void HistogramPanel::resetLevels() {
    beforeDrag_.reset();
    restoreLevels(view_.firstDisplay());
}

bool HistogramPanel::pressKey(int key) {
    if (key != Qt::Key_Escape || !beforeDrag_) return false;
    restoreLevels(*beforeDrag_);
    beforeDrag_.reset();
    dragged_ = Mark::none;
    return true;
}

bool HistogramPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched != plot_) return QWidget::eventFilter(watched, event);
    const QEvent::Type type = event->type();
    if (type == QEvent::Wheel) {
        event->ignore();  // scrolls the panel
        return true;
    }
    if (type == QEvent::ShortcutOverride && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape && beforeDrag_) event->accept();
    if (type == QEvent::KeyPress && pressKey(static_cast<QKeyEvent*>(event)->key())) return true;
    const bool mouse = type == QEvent::MouseButtonPress || type == QEvent::MouseMove || type == QEvent::MouseButtonRelease ||
                       type == QEvent::MouseButtonDblClick;
    if (!mouse || !white_) return QWidget::eventFilter(watched, event);
    const auto* at = static_cast<QMouseEvent*>(event);
    if (type == QEvent::MouseMove && dragged_ == Mark::none) {
        plot_->setCursor(markAt(at->position()) == Mark::none ? Qt::ArrowCursor : Qt::SplitHCursor);
    } else if (type == QEvent::MouseMove) {
        dragTo(plot_->axisRect(0)->axis(QCPAxis::atBottom)->pixelToCoord(at->position().x()));
    } else if (type == QEvent::MouseButtonRelease) {
        dragged_ = Mark::none;
    } else if (at->button() == Qt::LeftButton) {
        dragged_ = markAt(at->position());
        const bool twice = type == QEvent::MouseButtonDblClick && dragged_ != Mark::none;
        if (twice) {
            dragged_ = Mark::none;
            resetLevels();
        } else if (dragged_ != Mark::none) {
            beforeDrag_ = view_.display();
        }
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace parallax::ui
