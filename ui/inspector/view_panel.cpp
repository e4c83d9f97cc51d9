// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/view_panel.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>
#include <cmath>

#include "ui/models/document/formatting.hpp"
#include "ui/models/view/auto_display.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/theme.hpp"

namespace parallax::ui {
namespace {

constexpr int kSliderPerStop = 10;

QDoubleSpinBox* numberBox(double from, double to, int decimals, double step, const QString& name, const QString& tip) {
    auto* box = new QDoubleSpinBox;
    box->setRange(from, to);
    box->setDecimals(decimals);
    box->setSingleStep(step);
    box->setAccessibleName(name);
    box->setToolTip(tip);
    return box;
}

QComboBox* choice(const QString& name, const QString& tip) {
    auto* box = new QComboBox;
    box->setAccessibleName(name);
    box->setToolTip(tip);
    // Long channel names must not widen the dock.
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(4);
    return box;
}

template <class T>
void select(QComboBox& box, T value) {
    box.setCurrentIndex(std::max(0, box.findData(static_cast<int>(value))));
}

}  // namespace

ViewPanel::ViewPanel(Session& session, ViewState& view, QWidget* parent)
    : QWidget(parent), session_(session), view_(view), exposureSlider_(new QSlider(Qt::Horizontal)) {
    const QString tip = tr("Brightness of the view in stops; +1 doubles it. Data never change. Keys: E and Shift+E.");
    exposureSlider_->setRange(-10 * kSliderPerStop, 10 * kSliderPerStop);
    exposureSlider_->setMinimumWidth(30);
    exposureSlider_->setAccessibleName(tr("Exposure slider"));
    exposureSlider_->setToolTip(tip);
    exposure_ = numberBox(-40, 40, 1, 0.5, tr("Exposure"), tip);
    exposure_->setSuffix(tr(" EV"));
    offset_ = numberBox(-1e6, 1e6, 3, 0.01, tr("Offset"), tr("Value added after the exposure; 0 is black, 1 is white"));
    encoding_ = choice(tr("Encoding"), tr("Transfer function of the display. sRGB is correct for linear light."));
    encoding_->addItem(tr("sRGB"), static_cast<int>(DisplayEncoding::srgb));
    encoding_->addItem(tr("gamma"), static_cast<int>(DisplayEncoding::gamma));
    encoding_->addItem(tr("linear"), static_cast<int>(DisplayEncoding::linear));
    gamma_ = numberBox(0.1, 10, 2, 0.1, tr("Gamma"), tr("The displayed value is raised to the power of 1 / gamma"));
    channel_ = choice(tr("Channels"), tr("Channels to show: all colours, their luminance (Rec. 709) or a single channel"));
    map_ = choice(tr("Colour map"), tr("False colours for a single channel or the luminance, from black point to white point"));
    map_->addItem(tr("none"), static_cast<int>(FalseColour::none));
    map_->addItem(tr("perceptually uniform"), static_cast<int>(FalseColour::evenRamp));
    map_->addItem(tr("heat"), static_cast<int>(FalseColour::heat));
    map_->addItem(tr("blue–orange"), static_cast<int>(FalseColour::diverging));
    marks_ = new QCheckBox(tr("Mark clipping"));
    marks_->setToolTip(tr("Mark values above white in red and below black in blue. NaN is always magenta. Key: M."));
    grid_ = new QCheckBox(tr("Pixel grid"));
    grid_->setToolTip(tr("Show grid lines and values at high zoom. Key: G."));
    differenceScale_ = choice(tr("Range of the difference"),
                              tr("Difference at the ends of the colour map. Automatic: 99 % of the differing samples lie within."));
    differenceScale_->addItem(tr("automatic"), 0.0);
    for (int power = 0; power >= -8; --power)
        differenceScale_->addItem(tr("up to %1").arg(ui::formatError(std::pow(10.0, power))), std::pow(10.0, power));
    differenceMode_ =
        choice(tr("Kind of difference"), tr("Kind of difference in its pane: B − A with its sign, its magnitude, its magnitude relative to "
                                            "the larger of |A| and |B|, or its square; of all channels the largest."));
    differenceMode_->setObjectName(QStringLiteral("differenceMode"));
    differenceMode_->addItem(tr("signed"), static_cast<int>(DifferenceMode::signedValue));
    differenceMode_->addItem(tr("absolute"), static_cast<int>(DifferenceMode::absolute));
    differenceMode_->addItem(tr("relative"), static_cast<int>(DifferenceMode::relative));
    differenceMode_->addItem(tr("squared"), static_cast<int>(DifferenceMode::squared));
    channel_->setObjectName(QStringLiteral("channel"));
    map_->setObjectName(QStringLiteral("falseColour"));
    encoding_->setObjectName(QStringLiteral("encoding"));

    auto* automatic = new QToolButton;
    automatic->setText(tr("Auto"));
    automatic->setToolTip(
        tr("Set the exposure so that 99 % of the pixels are at most white; for a single channel or false colours, set black and white "
           "point. Uses the selection if there is one. Key: A."));
    automatic->setAccessibleName(tr("Automatic exposure"));
    auto* reset = new QToolButton;
    reset->setIcon(actionIcon(QStringLiteral("reset")));
    reset->setAutoRaise(true);
    reset->setToolTip(tr("Reset all settings of the view (R)"));
    reset->setAccessibleName(tr("Reset view settings"));

    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    const auto pair = [](QWidget* first, QWidget* second) {
        auto* row = new QHBoxLayout;
        row->addWidget(first, 1);
        row->addWidget(second, 1);
        return row;
    };
    const auto label = [&](const QString& text, int row) { grid->addWidget(new QLabel(text), row, 0); };
    label(tr("Exposure"), 0);
    auto* exposureRow = new QHBoxLayout;
    exposureRow->addWidget(exposureSlider_, 1);
    exposureRow->addWidget(exposure_);
    exposureRow->addWidget(automatic);
    exposureRow->addWidget(reset);
    grid->addLayout(exposureRow, 0, 1);
    label(tr("Offset"), 1);
    grid->addWidget(offset_, 1, 1);
    label(tr("Encoding"), 2);
    grid->addLayout(pair(encoding_, gamma_), 2, 1);
    label(tr("Channels"), 3);
    grid->addLayout(pair(channel_, map_), 3, 1);
    label(tr("Difference"), 4);
    grid->addLayout(pair(differenceMode_, differenceScale_), 4, 1);
    grid->addLayout(pair(marks_, grid_), 5, 1);
    grid->setColumnStretch(1, 1);
    connect(automatic, &QToolButton::clicked, this, &ViewPanel::chooseAutomatically);
    connect(reset, &QToolButton::clicked, &view_, &ViewState::resetDisplay);
    connectControls();
    connect(&view_, &ViewState::displayChanged, this, &ViewPanel::updateControls);
    connect(&view_, &ViewState::viewChanged, this, [this] {
        const QSignalBlocker blocker(grid_);
        grid_->setChecked(view_.pixelGrid());
    });
    connect(&session_, &Session::originalChanged, this, &ViewPanel::updateChannels);
    updateChannels();
}

void ViewPanel::connectControls() {
    connect(exposureSlider_, &QSlider::valueChanged, this, [this](int v) { view_.setExposure(static_cast<double>(v) / kSliderPerStop); });
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
    connect(marks_, &QCheckBox::toggled, this, [this](bool on) { change([on](auto& s) { s.clippingMarks = on; }); });
    connect(grid_, &QCheckBox::toggled, &view_, &ViewState::setPixelGrid);
}

void ViewPanel::chooseAutomatically() {
    const auto& result = session_.side(Side::a).result;
    const ImagePtr image = result ? result->image : session_.original();
    if (!image) return;
    const QRect whole(0, 0, static_cast<int>(image->shape().width), static_cast<int>(image->shape().height));
    view_.setDisplay(automaticDisplay(*image, view_.selection() & whole, view_.display()));
}

void ViewPanel::updateChannels() {
    channel_->clear();
    channel_->addItem(tr("colour"), DisplaySettings::kColour);
    channel_->addItem(tr("luminance"), DisplaySettings::kLuminance);
    int count = 0;
    if (session_.original())
        for (const std::string& name : session_.original()->channelNames()) channel_->addItem(QString::fromStdString(name), count++);
    if (view_.display().channel >= count) change([](auto& s) { s.channel = DisplaySettings::kColour; });
    updateControls();
}

void ViewPanel::updateControls() {
    const QSignalBlocker blockers[] = {QSignalBlocker(exposureSlider_), QSignalBlocker(exposure_), QSignalBlocker(offset_),
                                       QSignalBlocker(gamma_),          QSignalBlocker(marks_),    QSignalBlocker(grid_)};
    const DisplaySettings& display = view_.display();
    exposureSlider_->setValue(static_cast<int>(std::lround(display.exposure * kSliderPerStop)));
    exposure_->setValue(display.exposure);
    offset_->setValue(display.offset);
    gamma_->setValue(display.gamma);
    gamma_->setEnabled(display.encoding == DisplayEncoding::gamma);
    select(*encoding_, display.encoding);
    select(*channel_, display.channel);
    select(*map_, display.falseColour);
    select(*differenceMode_, display.differenceMode);
    differenceScale_->setCurrentIndex(std::max(0, differenceScale_->findData(display.differenceScale)));
    marks_->setChecked(display.clippingMarks);
    grid_->setChecked(view_.pixelGrid());
}

}  // namespace parallax::ui
