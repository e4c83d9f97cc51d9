// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/volume/volume_panel.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QLabel>
#include <QLocale>
#include <QSignalBlocker>
#include <QSpinBox>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/image/orientation.hpp"
#include "ui/session/session.hpp"

namespace parallax::ui {
namespace {

constexpr double kLargest = 1e7;

/// Three figures of a width, and two after the point from 10 on.
int decimalsFor(double width) {
    return width >= 10 ? 2 : width > 0 ? std::clamp(2 - static_cast<int>(std::floor(std::log10(width))), 2, 12) : 2;
}

QDoubleSpinBox* numberBox(double least, double most, int decimals) {
    auto* box = new QDoubleSpinBox;
    box->setRange(least, most);
    box->setDecimals(decimals);
    box->setKeyboardTracking(false);  // a number counts when it is whole
    box->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    // Wide enough for values of CT; the box must not widen the panel for the largest number that it takes.
    box->setMinimumWidth(box->fontMetrics().horizontalAdvance(QStringLiteral("100.0 mm")) + 26);
    box->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    return box;
}

}  // namespace

VolumePanel::VolumePanel(Session& session, ViewState& view, VolumeState& state, QWidget* parent)
    : QWidget(parent),
      session_(session),
      view_(view),
      state_(state),
      preset_(new QComboBox),
      slab_(new QComboBox),
      planes_(new QComboBox),
      level_(numberBox(-kLargest, kLargest, 2)),
      width_(numberBox(0, kLargest, 2)),
      thickness_(numberBox(0, VolumeState::kLargestSlab, 1)),
      smooth_(new QCheckBox(tr("smooth"))),
      radiological_(new QCheckBox(tr("radiological"))),
      crosshair_(new QCheckBox(tr("crosshair"))),
      inverted_(new QCheckBox(tr("inverted"))),
      volume_(new QSpinBox),
      volumeLabel_(new QLabel(tr("Volume"))),
      about_(new QLabel) {
    volume_->setObjectName(QStringLiteral("volumeOfFile"));
    volume_->setAccessibleName(tr("Volume of the file"));
    volume_->setToolTip(tr("Which of the volumes of the file is open, from 0. Window, planes and crosshair stay."));
    volume_->setKeyboardTracking(false);  // a number counts when it is whole
    volumeLabel_->setBuddy(volume_);
    preset_->setObjectName(QStringLiteral("windowPreset"));
    preset_->setAccessibleName(tr("Window preset"));
    preset_->setToolTip(
        tr("Usual ranges of values for tissues in CT (width, level), and those that the file proposes. View only: data never change."));
    level_->setObjectName(QStringLiteral("windowLevel"));
    level_->setAccessibleName(tr("Level"));
    level_->setToolTip(tr("The value that is shown as middle grey. Dragging with the right button up and down over a picture changes it."));
    width_->setObjectName(QStringLiteral("windowWidth"));
    width_->setAccessibleName(tr("Width"));
    width_->setToolTip(
        tr("From the value that is shown black to the one that is shown white. Dragging with the right button to the sides "
           "over a picture changes it."));
    slab_->setObjectName(QStringLiteral("slabMode"));
    slab_->setAccessibleName(tr("Slab"));
    slab_->setToolTip(
        tr("What is shown of several slices around the crosshair: the largest value (MIP), the least (MinIP) or the mean. Of a "
           "difference, MIP and MinIP show the value of largest magnitude."));
    slab_->addItem(tr("one slice"), static_cast<int>(SlabMode::slice));
    slab_->addItem(tr("MIP"), static_cast<int>(SlabMode::maximum));
    slab_->addItem(tr("MinIP"), static_cast<int>(SlabMode::minimum));
    slab_->addItem(tr("mean"), static_cast<int>(SlabMode::mean));
    thickness_->setObjectName(QStringLiteral("slabThickness"));
    thickness_->setSuffix(tr(" mm"));
    thickness_->setAccessibleName(tr("Thickness of the slab"));
    thickness_->setToolTip(tr("Slices whose middle is no farther from the crosshair than half of this belong to the slab"));
    planes_->setObjectName(QStringLiteral("planes"));
    planes_->setAccessibleName(tr("Planes"));
    planes_->setToolTip(tr("All three planes, or one that has all the room (Alt+1 to Alt+4)"));
    planes_->addItem(tr("all three"), static_cast<int>(PlaneChoice::all));
    planes_->addItem(tr("axial"), static_cast<int>(PlaneChoice::axial));
    planes_->addItem(tr("coronal"), static_cast<int>(PlaneChoice::coronal));
    planes_->addItem(tr("sagittal"), static_cast<int>(PlaneChoice::sagittal));
    radiological_->setObjectName(QStringLiteral("radiological"));
    smooth_->setToolTip(
        tr("Interpolate between voxels for the screen; else each voxel is a rectangle. Values under the mouse are always those of "
           "the voxel."));
    radiological_->setToolTip(
        tr("The patient's right is on the left of axial and coronal planes, as if one stood at the feet; else on the right"));
    crosshair_->setToolTip(tr("Show the lines of the crosshair (H)"));
    inverted_->setToolTip(tr("Small values bright (I)"));
    about_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    about_->setWordWrap(true);
    about_->setAccessibleName(tr("Extent of the volume"));
    about_->setToolTip(tr("Distances between voxels, and how far the volume reaches"));

    for (QComboBox* box : {preset_, planes_}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(8);
    }

    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    const auto label = [&](const QString& text, int row) {
        auto* made = new QLabel(text);
        grid->addWidget(made, row, 0);
        return made;
    };
    const auto pair = [](QWidget* first, QWidget* second) {
        auto* row = new QHBoxLayout;
        row->addWidget(first, 1);
        row->addWidget(second, 1);
        return row;
    };
    grid->addWidget(volumeLabel_, 0, 0);
    grid->addWidget(volume_, 0, 1);
    label(tr("Window"), 1);
    grid->addWidget(preset_, 1, 1);
    // One beside the other would be wider than the panel usually is.
    label(tr("Level"), 2);
    grid->addWidget(level_, 2, 1);
    label(tr("Width"), 3);
    grid->addWidget(width_, 3, 1);
    QLabel* slabLabel = label(tr("Slab"), 4);
    grid->addLayout(pair(slab_, thickness_), 4, 1);
    QLabel* planesLabel = label(tr("Planes"), 5);
    grid->addWidget(planes_, 5, 1);
    grid->addLayout(pair(smooth_, radiological_), 6, 0, 1, 2);
    grid->addLayout(pair(crosshair_, inverted_), 7, 0, 1, 2);
    grid->addWidget(about_, 8, 0, 1, 2);
    grid->setColumnStretch(1, 1);
    ofVolumes_ = {slabLabel, slab_, thickness_, planesLabel, planes_, smooth_, radiological_, crosshair_, inverted_, about_};

    connect(preset_, &QComboBox::activated, this, [this](int row) {
        if (row < 1 || row > static_cast<int>(presets_.size())) return;
        const WindowPreset& chosen = presets_[static_cast<std::size_t>(row) - 1];
        view_.setDisplay(withWindow(view_.display(), chosen.centre, chosen.width));
    });
    // The other number stays as it is, which is more precise than what its box shows.
    connect(level_, &QDoubleSpinBox::valueChanged, this,
            [this](double level) { view_.setDisplay(withWindow(view_.display(), level, windowWidth(view_.display()))); });
    connect(width_, &QDoubleSpinBox::valueChanged, this, [this](double width) {
        if (!(width > 0)) return updateWindow();
        view_.setDisplay(withWindow(view_.display(), windowCentre(view_.display()), width));
    });
    connect(slab_, &QComboBox::activated, this, [this] { state_.setSlabMode(static_cast<SlabMode>(slab_->currentData().toInt())); });
    connect(thickness_, &QDoubleSpinBox::valueChanged, &state_, &VolumeState::setSlabThickness);
    connect(planes_, &QComboBox::activated, this, [this] { state_.setPlanes(static_cast<PlaneChoice>(planes_->currentData().toInt())); });
    connect(smooth_, &QCheckBox::toggled, &state_, &VolumeState::setSmooth);
    connect(radiological_, &QCheckBox::toggled, &state_, &VolumeState::setRadiological);
    connect(crosshair_, &QCheckBox::toggled, &state_, &VolumeState::setCrosshairShown);
    connect(inverted_, &QCheckBox::toggled, &state_, &VolumeState::setInverted);
    connect(volume_, &QSpinBox::valueChanged, this, &VolumePanel::volumeAsked);
    connect(&view_, &ViewState::displayChanged, this, &VolumePanel::updateWindow);
    connect(&state_, &VolumeState::optionsChanged, this, &VolumePanel::updateOptions);
    connect(&state_, &VolumeState::planesChanged, this, &VolumePanel::updateOptions);
    connect(&session_, &Session::originalChanged, this, &VolumePanel::fillPresets);
    fillPresets();
    updateOptions();
}

void VolumePanel::fillPresets() {
    const ImagePtr& image = session_.original();
    presets_ = windowPresets(image.get());
    preset_->clear();
    preset_->addItem(tr("custom"));
    const QLocale locale;
    for (const WindowPreset& p : presets_)
        preset_->addItem(tr("%1 (%2, %3)").arg(p.name, locale.toString(p.width, 'g', 6), locale.toString(p.centre, 'g', 6)));
    preset_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    preset_->setMinimumContentsLength(12);
    const QString unit = sampleUnit(image.get());
    for (QDoubleSpinBox* box : {level_, width_}) {
        const QSignalBlocker blocker(box);
        box->setSuffix(unit.isEmpty() ? QString() : QLatin1Char(' ') + unit);
    }
    for (QWidget* widget : ofVolumes_) widget->setVisible(!image || image->isVolume());
    const std::int64_t volumes = image ? image->source.volumes : 1;
    for (QWidget* widget : {static_cast<QWidget*>(volume_), static_cast<QWidget*>(volumeLabel_)}) widget->setVisible(volumes > 1);
    if (volumes > 1) {
        const QSignalBlocker blocker(volume_);
        volume_->setRange(0, static_cast<int>(std::min<std::int64_t>(volumes - 1, std::numeric_limits<int>::max())));
        volume_->setSuffix(tr(" of 0–%1").arg(volumes - 1));
        volume_->setValue(static_cast<int>(image->source.volume));
    }
    about_->clear();
    if (image && image->isVolume() && image->geometry) {
        const auto number = [&](double v) { return locale.toString(v, 'g', 4); };
        const auto& s = image->geometry->spacing;
        const VolumeFrame frame(*image);
        about_->setText(
            tr("Voxels of %1 × %2 × %3 mm, in all %4 × %5 × %6 mm")
                .arg(number(s[0]), number(s[1]), number(s[2]), number(frame.axis(0).extent()), number(frame.axis(1).extent()),
                     number(frame.axis(2).extent())) +
            (frame.obliqueness() > 0.5 ? tr(", up to %1° oblique").arg(locale.toString(frame.obliqueness(), 'f', 1)) : QString()) +
            (frame.placed() ? QString() : tr(". The file does not say how it lies in the patient")));
    }
    const bool placed = !image || orientationKnown(*image);
    radiological_->setEnabled(placed);
    radiological_->setToolTip(placed
                                  ? tr("The patient's right is on the left of axial and coronal planes, as if one stood at the feet; else "
                                       "on the right")
                                  : tr("The file does not say how the volume lies in the patient: sides and planes are called by the axes "
                                       "x, y and z of the file, and x goes to the right"));
    const QString axes[] = {tr("x, y"), tr("x, z"), tr("y, z")}, names[] = {tr("axial"), tr("coronal"), tr("sagittal")};
    for (int plane = 0; plane < 3; ++plane) planes_->setItemText(plane + 1, placed ? names[plane] : axes[plane]);
    updateWindow();
}

void VolumePanel::updateWindow() {
    const QSignalBlocker blockers[] = {QSignalBlocker(level_), QSignalBlocker(width_), QSignalBlocker(preset_)};
    const double centre = windowCentre(view_.display()), width = windowWidth(view_.display());
    for (QDoubleSpinBox* box : {level_, width_}) box->setDecimals(decimalsFor(width));
    level_->setValue(centre);
    width_->setValue(width);
    int row = 0;
    for (std::size_t i = 0; i < presets_.size() && row == 0; ++i)
        if (std::fabs(presets_[i].centre - centre) <= 1e-6 * presets_[i].width &&
            std::fabs(presets_[i].width - width) <= 1e-6 * presets_[i].width)
            row = static_cast<int>(i) + 1;
    preset_->setCurrentIndex(row);
}

void VolumePanel::updateOptions() {
    const QSignalBlocker blockers[] = {QSignalBlocker(slab_),    QSignalBlocker(planes_),       QSignalBlocker(thickness_),
                                       QSignalBlocker(smooth_),  QSignalBlocker(radiological_), QSignalBlocker(crosshair_),
                                       QSignalBlocker(inverted_)};
    slab_->setCurrentIndex(slab_->findData(static_cast<int>(state_.slabMode())));
    planes_->setCurrentIndex(planes_->findData(static_cast<int>(state_.planes())));
    thickness_->setValue(state_.slabThickness());
    thickness_->setEnabled(state_.slabMode() != SlabMode::slice);
    smooth_->setChecked(state_.smooth());
    radiological_->setChecked(state_.radiological());
    crosshair_->setChecked(state_.crosshairShown());
    inverted_->setChecked(state_.inverted());
}

}  // namespace parallax::ui
