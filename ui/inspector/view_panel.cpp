// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/view_panel.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QSignalBlocker>
#include <QSlider>
#include <QStandardItemModel>
#include <QToolButton>
#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/metrics/image_metrics.hpp"
#include "ui/inspector/difference_panel.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/models/view/auto_display.hpp"
#include "ui/models/volume/volume_state.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/slider_row.hpp"
#include "ui/theme/widgets.hpp"

namespace parallax::ui {
namespace {

constexpr int kSliderPerStop = 10, kSliderPerOffset = 100;

QDoubleSpinBox* numberBox(double from, double to, int decimals, double step, const QString& name, const QString& tip) {
    auto* box = described(new QDoubleSpinBox, name, tip);
    box->setRange(from, to);
    box->setDecimals(decimals);
    box->setSingleStep(step);
    return box;
}

/// Long channel names do not widen the dock.
QComboBox* choice(const QString& name, const QString& tip, const char* objectName = nullptr) {
    auto* box = described(new QComboBox, name, tip, objectName);
    setNarrow(*box, 4);
    return box;
}

template <class T>
void select(QComboBox& box, T value) {
    box.setCurrentIndex(std::max(0, box.findData(static_cast<int>(value))));
}

}  // namespace

ViewPanel::ViewPanel(Session& session, ViewState& view, QWidget* parent)
    : QWidget(parent),
      session_(session),
      view_(view),
      exposureSlider_(new ResettableSlider([&view] { view.setExposure(0); })),
      offsetSlider_(new ResettableSlider([this] { change([](auto& s) { s.offset = 0; }); })) {
    const QString tip = tr("Brightness of the view in stops; +1 doubles it. Data never change. Keys: E and Shift+E.");
    exposureSlider_->setRange(-10 * kSliderPerStop, 10 * kSliderPerStop);
    exposureSlider_->setPageStep(kSliderPerStop);
    described(exposureSlider_, tr("Exposure slider"), tip, "exposureSlider");
    offsetSlider_->setRange(-kSliderPerOffset, kSliderPerOffset);
    offsetSlider_->setPageStep(kSliderPerOffset / 10);
    exposure_ = numberBox(-40, 40, 1, 0.5, tr("Exposure"), tip);
    exposure_->setSuffix(tr(" EV"));
    offset_ = numberBox(-1e6, 1e6, 3, 0.01, tr("Offset"), tr("Value added after the exposure; 0 is black, 1 is white"));
    described(offsetSlider_, tr("Offset slider"), offset_->toolTip(), "offsetSlider");
    encoding_ = choice(tr("Encoding"), tr("Transfer function of the display. sRGB is correct for linear light."), "encoding");
    addChoices<DisplayEncoding>(
        *encoding_, {{tr("sRGB"), DisplayEncoding::srgb}, {tr("gamma"), DisplayEncoding::gamma}, {tr("linear"), DisplayEncoding::linear}});
    gamma_ = numberBox(0.1, 10, 2, 0.1, tr("Gamma"), tr("The displayed value is raised to the power of 1 / gamma"));
    channel_ = choice(tr("Channels"), tr("Channels to show: all colours, their luminance (Rec. 709) or a single channel"), "channel");
    map_ =
        choice(tr("Colour map"), tr("False colours for a single channel or the luminance, from black point to white point"), "falseColour");
    addChoices<FalseColour>(*map_, {{tr("none"), FalseColour::none},
                                    {tr("perceptually uniform"), FalseColour::evenRamp},
                                    {tr("heat"), FalseColour::heat},
                                    {tr("blue–orange"), FalseColour::diverging},
                                    {tr("magma"), FalseColour::magma}});
    marks_ = new QCheckBox(tr("Mark clipping"));
    marks_->setToolTip(tr("Mark values above white in red and below black in blue. NaN is always magenta. Key: M."));
    grid_ = new QCheckBox(tr("Pixel grid"));
    grid_->setToolTip(tr("Show grid lines and values at high zoom. Key: G."));
    differenceScale_ = choice(tr("Range of the difference"),
                              tr("Difference at the ends of the colour map; type any value. Automatic: 99 % of the differing samples lie "
                                 "within; FLIP from 0 to 1. Full: up to the largest difference. Samples beyond are red or green."),
                              "differenceScale");
    differenceScale_->setEditable(true);
    differenceScale_->setInsertPolicy(QComboBox::NoInsert);
    differenceScale_->setCompleter(nullptr);
    differenceScale_->addItem(tr("automatic"), DisplaySettings::kAutomaticRange);
    differenceScale_->addItem(tr("full"), DisplaySettings::kFullRange);
    for (int power = 0; power >= -8; --power)
        differenceScale_->addItem(tr("up to %1").arg(formatError(std::pow(10.0, power))), std::pow(10.0, power));
    differenceMode_ = choice(
        tr("Kind of difference"),
        tr("Kind of difference in its pane: with its sign, its magnitude, its magnitude relative to the larger of the two samples, or its "
           "square; of all channels the largest. FLIP (Andersson et al. 2020, 2021) and SSIM (Wang et al. 2004) map errors as an "
           "observer sees them; for SSIM, 1 − SSIM."),
        "differenceMode");
    addChoices<DifferenceMode>(*differenceMode_, {{tr("signed"), DifferenceMode::signedValue},
                                                  {tr("absolute"), DifferenceMode::absolute},
                                                  {tr("relative"), DifferenceMode::relative},
                                                  {tr("squared"), DifferenceMode::squared},
                                                  {tr("FLIP"), DifferenceMode::flip},
                                                  {tr("SSIM"), DifferenceMode::ssim}});
    layOut();
    connectControls();
    updateChannels();
}

void ViewPanel::layOut() {
    auto* automatic = new QToolButton;
    automatic->setText(tr("Auto"));
    described(
        automatic, tr("Automatic exposure"),
        tr("Set the exposure so that 99 % of the pixels are at most white; for a single channel or false colours, set black and white "
           "point. Uses the selection if there is one. Key: A."));
    QToolButton* reset = iconButton(QStringLiteral("reset"), tr("Reset all settings of the view (R)"));
    reset->setAccessibleName(tr("Reset view settings"));
    const auto label = [](const QString& text, QWidget* buddy) {
        auto* made = new QLabel(text);
        made->setBuddy(buddy);
        return made;
    };
    levels_ = new QWidget;
    auto* levels = makeLayout<QVBoxLayout>(levels_, 4);
    for (const auto& [name, box, slider] :
         {std::tuple{tr("Exposure"), exposure_, exposureSlider_}, {tr("Offset"), offset_, offsetSlider_}}) {
        auto* row = new QWidget;
        makeSliderRow(row, label(name, box), {box}, slider);
        levels->addWidget(row);
    }
    auto* grid = new QGridLayout;
    const auto line = [&](const QString& text, QWidget* widget) {
        QLabel* made = addLine(*grid, text, {widget});
        made->setBuddy(widget);
        return made;
    };
    QLabel* encoding = line(tr("Encoding"), encoding_);
    gammaLabel_ = line(tr("Gamma"), gamma_);
    line(tr("Channels"), channel_);
    line(tr("Colour map"), map_);
    line(tr("Difference"), differenceMode_);
    line(tr("Difference range"), differenceScale_);
    beyond_ = new QLabel;
    beyond_->setObjectName(QStringLiteral("beyondRange"));
    beyond_->setWordWrap(true);  // long in German
    beyond_->hide();
    grid->addWidget(beyond_, grid->rowCount(), 1);
    grid->setColumnStretch(1, 1);
    windowed_ = {levels_, encoding, encoding_};
    auto* foot = new QHBoxLayout;
    for (QWidget* widget : std::initializer_list<QWidget*>{marks_, grid_}) foot->addWidget(widget);
    foot->addStretch();
    for (QWidget* widget : {automatic, reset}) foot->addWidget(widget);
    auto* layout = makeLayout<QVBoxLayout>(this, 6);
    layout->addWidget(levels_);
    layout->addLayout(grid);
    layout->addLayout(foot);
    connect(automatic, &QToolButton::clicked, this, &ViewPanel::chooseAutomatically);
    connect(reset, &QToolButton::clicked, &view_, &ViewState::resetDisplay);
}

void ViewPanel::connectControls() {
    connect(exposureSlider_, &QSlider::valueChanged, this, [this](int v) { view_.setExposure(static_cast<double>(v) / kSliderPerStop); });
    connect(offsetSlider_, &QSlider::valueChanged, this,
            [this](int v) { change([v](auto& s) { s.offset = static_cast<double>(v) / kSliderPerOffset; }); });
    connect(exposure_, &QDoubleSpinBox::valueChanged, this, [this](double v) { view_.setExposure(v); });
    connect(offset_, &QDoubleSpinBox::valueChanged, this, [this](double v) { change([v](auto& s) { s.offset = v; }); });
    connect(gamma_, &QDoubleSpinBox::valueChanged, this, [this](double v) { change([v](auto& s) { s.gamma = v; }); });
    const auto onChoice = [this](QComboBox* box, auto&& apply) {
        connect(box, &QComboBox::activated, this,
                [this, box, apply](int row) { change([&](DisplaySettings& s) { apply(s, box->itemData(row)); }); });
    };
    onChoice(encoding_, [](DisplaySettings& s, const QVariant& v) { s.encoding = static_cast<DisplayEncoding>(v.toInt()); });
    onChoice(channel_, [](DisplaySettings& s, const QVariant& v) { s.channel = v.toInt(); });
    onChoice(map_, [](DisplaySettings& s, const QVariant& v) { s.falseColour = static_cast<FalseColour>(v.toInt()); });
    onChoice(differenceMode_, [](DisplaySettings& s, const QVariant& v) { s.differenceMode = static_cast<DifferenceMode>(v.toInt()); });
    onChoice(differenceScale_, [](DisplaySettings& s, const QVariant& v) { s.differenceScale = v.toDouble(); });
    connect(differenceScale_->lineEdit(), &QLineEdit::editingFinished, this, &ViewPanel::takeTypedRange);
    const Comparison& comparison = session_.comparison();
    connect(&comparison.shown(), &ShownDifference::beyondChanged, this, &ViewPanel::updateBeyond);
    connect(&comparison, &Comparison::differenceChanged, this, &ViewPanel::updateBeyond);
    connect(&comparison, &Comparison::sideChanged, this, &ViewPanel::updateDifference);
    connect(marks_, &QCheckBox::toggled, this, [this](bool on) { change([on](auto& s) { s.clippingMarks = on; }); });
    connect(grid_, &QCheckBox::toggled, &view_, &ViewState::setPixelGrid);
    connect(&view_, &ViewState::displayChanged, this, &ViewPanel::updateControls);
    connect(&view_, &ViewState::viewChanged, this, [this] {
        const QSignalBlocker blocker(grid_);
        grid_->setChecked(view_.pixelGrid());
    });
    connect(&session_, &Session::originalChanged, this, &ViewPanel::updateChannels);
}

void ViewPanel::chooseAutomatically() {
    const Side active = session_.pipeline().active();
    const auto& result = session_.side(active).result;
    ImagePtr image = result ? result->image : session_.comparison().inputOf(active);
    if (!image) image = session_.original();
    if (!image) return;
    const QRect whole(0, 0, static_cast<int>(image->shape().width), static_cast<int>(image->shape().height));
    view_.setDisplay(automaticDisplay(*image, view_.selection() & whole, view_.display(), result && result->changesQuantity));
}

void ViewPanel::updateChannels() {
    channel_->clear();
    channel_->addItem(tr("colour"), DisplaySettings::kColour);
    channel_->addItem(tr("luminance"), DisplaySettings::kLuminance);
    int count = 0;
    if (session_.original())
        for (const std::string& name : session_.original()->channelNames()) channel_->addItem(QString::fromStdString(name), count++);
    if (view_.display().channel >= count) change([](auto& s) { s.channel = DisplaySettings::kColour; });
    if (view_.display().differenceMode == DifferenceMode::flip && session_.original() && !hasLight(*session_.original()))
        change([](auto& s) { s.differenceMode = DifferenceMode::signedValue; });
    updateControls();
}

void ViewPanel::takeTypedRange() {
    if (!differenceScale_->lineEdit()->isModified()) return;
    differenceScale_->lineEdit()->setModified(false);
    const QString text = differenceScale_->currentText().trimmed();
    const int item = differenceScale_->findText(text, Qt::MatchFixedString);
    bool ok = item >= 0;
    double scale = ok ? differenceScale_->itemData(item).toDouble() : QLocale().toDouble(text, &ok);
    if (!ok) scale = QLocale::c().toDouble(text, &ok);
    const bool valid = ok && std::isfinite(scale) && (item >= 0 || scale > 0);
    if (valid) change([scale](auto& s) { s.differenceScale = scale; });
    updateDifference();
}

void ViewPanel::updateDifference() {
    const DisplaySettings& display = view_.display();
    const Comparison& comparison = session_.comparison();
    const auto& reference = comparison.side(comparison.reference()).result;
    const bool light = !reference || hasLight(*reference->image);
    const int flip = differenceMode_->findData(static_cast<int>(DifferenceMode::flip));
    QStandardItem* item = static_cast<QStandardItemModel*>(differenceMode_->model())->item(flip);
    item->setEnabled(light);
    item->setToolTip(light ? QString() : DifferencePanel::noFlipReason());
    select(*differenceMode_, display.differenceMode);
    if (differenceScale_->lineEdit()->hasFocus() && differenceScale_->lineEdit()->isModified()) return;  // being typed
    const int row = differenceScale_->findData(display.differenceScale);
    differenceScale_->setCurrentIndex(row);
    if (row < 0) differenceScale_->setEditText(formatSample(display.differenceScale));
}

void ViewPanel::updateBeyond() {
    const auto& beyond = session_.comparison().shown().beyond();
    const bool any = session_.comparison().difference() && beyond.value_or(0) > 0;
    if (any) beyond_->setText(beyondText(*beyond));
    beyond_->setVisible(any);
}

void ViewPanel::updateControls() {
    const QSignalBlocker blockers[] = {
        QSignalBlocker(exposureSlider_), QSignalBlocker(exposure_), QSignalBlocker(offsetSlider_), QSignalBlocker(offset_),
        QSignalBlocker(gamma_),          QSignalBlocker(marks_),    QSignalBlocker(grid_)};
    const DisplaySettings& display = view_.display();
    exposureSlider_->setValue(static_cast<int>(std::lround(display.exposure * kSliderPerStop)));
    exposure_->setValue(display.exposure);
    offset_->setValue(display.offset);
    offsetSlider_->setValue(static_cast<int>(std::lround(std::clamp(display.offset, -1.0, 1.0) * kSliderPerOffset)));
    gamma_->setValue(display.gamma);
    // Window and level rule the display of measurements.
    const bool windowed = session_.original() && holdsMeasurements(*session_.original());
    for (QWidget* widget : windowed_) widget->setVisible(!windowed);
    for (QWidget* widget : {static_cast<QWidget*>(gammaLabel_), static_cast<QWidget*>(gamma_)})
        widget->setVisible(!windowed && display.encoding == DisplayEncoding::gamma);
    select(*encoding_, display.encoding);
    select(*channel_, display.channel);
    select(*map_, display.falseColour);
    updateDifference();
    marks_->setChecked(display.clippingMarks);
    grid_->setChecked(view_.pixelGrid());
}

}  // namespace parallax::ui
