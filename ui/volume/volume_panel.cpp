// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/volume/volume_panel.hpp"

#include <QAbstractItemView>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QLabel>
#include <QLocale>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStyleOptionComboBox>
#include <QStylePainter>
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>

#include "core/image/orientation.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/widgets.hpp"
#include "ui/volume/presets/window_preset_menu.hpp"

namespace parallax::ui {
namespace {

constexpr double kLargest = 1e7;

/// Decimals that show three digits of a width; two from 10 on.
int decimalsFor(double width) {
    return width >= 10 ? 2 : width > 0 ? std::clamp(2 - static_cast<int>(std::floor(std::log10(width))), 2, 12) : 2;
}

QDoubleSpinBox* numberBox(double least, double most, int decimals) {
    auto* box = new QDoubleSpinBox;
    box->setRange(least, most);
    box->setDecimals(decimals);
    box->setKeyboardTracking(false);  // reacts to complete numbers
    box->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    // Wide enough for values of CT; the largest allowed number must not widen the panel.
    box->setMinimumWidth(box->fontMetrics().horizontalAdvance(QStringLiteral("100.0 mm")) + 26);
    box->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    return box;
}

constexpr int kNameRole = Qt::UserRole + 1;

/// Shows the item's name alone where its range has no room.
class PresetBox : public QComboBox {
protected:
    void paintEvent(QPaintEvent*) override {
        QStylePainter painter(this);
        QStyleOptionComboBox option;
        initStyleOption(&option);
        painter.drawComplexControl(QStyle::CC_ComboBox, option);
        const int room = style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this).width() - 4;
        const QString name = currentData(kNameRole).toString();
        if (!name.isEmpty() && fontMetrics().horizontalAdvance(option.currentText) > room) option.currentText = name;
        option.currentText = fontMetrics().elidedText(option.currentText, Qt::ElideRight, room);
        painter.drawControl(QStyle::CE_ComboBoxLabel, option);
    }
};

}  // namespace

VolumePanel::VolumePanel(Session& session, ViewState& view, VolumeState& state, QWidget* parent)
    : QWidget(parent),
      session_(session),
      view_(view),
      state_(state),
      presetMenu_(new WindowPresetMenu(view)),
      preset_(new PresetBox),
      slab_(new QComboBox),
      planes_(new QComboBox),
      level_(numberBox(-kLargest, kLargest, 2)),
      width_(numberBox(0, kLargest, 2)),
      thickness_(numberBox(0, VolumeState::kLargestSlab, 1)),
      smooth_(new QCheckBox(tr("Smooth"))),
      radiological_(new QCheckBox(tr("Radiological"))),
      crosshair_(new QCheckBox(tr("Crosshair"))),
      inverted_(new QCheckBox(tr("Inverted"))),
      volume_(new QSpinBox),
      volumeLabel_(new QLabel(tr("Volume"))),
      about_(new QLabel) {
    describeControls();
    layOut();
    connectControls();
    takeImage();
    updateOptions();
}

void VolumePanel::describeControls() {
    volume_->setObjectName(QStringLiteral("volumeOfFile"));
    volume_->setKeyboardTracking(false);  // reacts to complete numbers
    volumeLabel_->setBuddy(volume_);
    described(preset_, tr("Window preset"),
              tr("Windows for tissues in CT (width W, level L), those stored in the file and your own. Affects only the display."),
              "windowPreset");
    described(level_, tr("Level"), tr("Value shown as middle grey. Right-drag up or down in a pane to change it."), "windowLevel");
    described(width_, tr("Width"), tr("Range of values from black to white. Right-drag left or right in a pane to change it."),
              "windowWidth");
    described(slab_, tr("Slab"),
              tr("How several slices around the crosshair are combined: maximum (MIP), minimum (MinIP) or mean. For differences, MIP and "
                 "MinIP show the value of largest magnitude."),
              "slabMode");
    addChoices<SlabMode>(*slab_, {{tr("Single slice"), SlabMode::slice},
                                  {tr("MIP"), SlabMode::maximum},
                                  {tr("MinIP"), SlabMode::minimum},
                                  {tr("Mean"), SlabMode::mean}});
    thickness_->setSuffix(tr(" mm"));
    described(thickness_, tr("Slab thickness"),
              tr("Slab thickness: includes the slices whose centres are within half of it from the crosshair"), "slabThickness");
    described(planes_, tr("Planes"), tr("Planes to show (Alt+1 to Alt+4)"), "planes");
    addChoices<PlaneChoice>(*planes_, {{tr("All three"), PlaneChoice::all},
                                       {tr("Axial"), PlaneChoice::axial},
                                       {tr("Coronal"), PlaneChoice::coronal},
                                       {tr("Sagittal"), PlaneChoice::sagittal}});
    radiological_->setObjectName(QStringLiteral("radiological"));
    smooth_->setToolTip(tr("Interpolate between voxels on the screen. Values under the mouse are always those of the voxels."));
    crosshair_->setToolTip(tr("Show the crosshair (H)"));
    inverted_->setToolTip(tr("Show small values bright and large values dark (I)"));
    selectable(about_);
    about_->setWordWrap(true);
    described(about_, tr("Volume size"), tr("Voxel spacing and size of the volume"));
    setNarrow(*preset_, 12);
    setNarrow(*planes_, 8);
}

void VolumePanel::layOut() {
    auto* grid = makeLayout<QGridLayout>(this);
    grid->addWidget(volumeLabel_, 0, 0);
    grid->addWidget(volume_, 0, 1);
    const auto line = [grid](const QString& text, std::initializer_list<QWidget*> widgets) {
        QLabel* label = addLine(*grid, text, widgets);
        label->setBuddy(*widgets.begin());
        return label;
    };
    auto* presets = new QWidget;
    auto* presetRow = makeLayout<QHBoxLayout>(presets, 4);
    presetRow->addWidget(preset_, 1);
    presetRow->addWidget(presetMenu_);
    QLabel* windowLabel = line(tr("Window"), {presets});
    windowLabel->setBuddy(preset_);
    // Side by side they would be wider than the panel usually is.
    QLabel* levelLabel = line(tr("Level"), {level_});
    QLabel* widthLabel = line(tr("Width"), {width_});
    QLabel* slabLabel = line(tr("Slab"), {slab_, thickness_});
    QLabel* planesLabel = line(tr("Planes"), {planes_});
    grid->addLayout(makeRow({smooth_, radiological_}), 6, 0, 1, 2);
    grid->addLayout(makeRow({crosshair_, inverted_}), 7, 0, 1, 2);
    grid->addWidget(about_, 8, 0, 1, 2);
    grid->setColumnStretch(1, 1);
    measuredOnly_ = {windowLabel, presets, levelLabel, level_, widthLabel, width_};
    volumeOnly_ = {slabLabel, slab_, thickness_, planesLabel, planes_, smooth_, radiological_, crosshair_, inverted_, about_};
}

void VolumePanel::connectControls() {
    connect(preset_, &QComboBox::activated, this, [this](int row) {
        const QVariant number = preset_->itemData(row);
        if (!number.isValid()) return choosePreset();
        const WindowPreset& chosen = presets_[number.toUInt()];
        view_.setDisplay(withWindow(view_.display(), chosen.centre, chosen.width));
    });
    // The value that the other box shows is rounded: keep the exact one.
    connect(level_, &QDoubleSpinBox::valueChanged, this,
            [this](double level) { view_.setDisplay(withWindow(view_.display(), level, windowWidth(view_.display()))); });
    connect(width_, &QDoubleSpinBox::valueChanged, this, [this](double width) {
        if (!(width > 0)) return updateWindow();
        view_.setDisplay(withWindow(view_.display(), windowCentre(view_.display()), width));
    });
    connect(slab_, &QComboBox::activated, this, [this] { state_.setSlabMode(chosenIn<SlabMode>(*slab_)); });
    connect(thickness_, &QDoubleSpinBox::valueChanged, &state_, &VolumeState::setSlabThickness);
    connect(planes_, &QComboBox::activated, this, [this] { state_.setPlanes(chosenIn<PlaneChoice>(*planes_)); });
    connect(smooth_, &QCheckBox::toggled, &state_, &VolumeState::setSmooth);
    connect(radiological_, &QCheckBox::toggled, &state_, &VolumeState::setRadiological);
    connect(crosshair_, &QCheckBox::toggled, &state_, &VolumeState::setCrosshairShown);
    connect(inverted_, &QCheckBox::toggled, &state_, &VolumeState::setInverted);
    connect(volume_, &QSpinBox::valueChanged, this, [this](int number) { emit volumeAsked(number - 1); });
    connect(&view_, &ViewState::displayChanged, this, &VolumePanel::updateWindow);
    connect(&state_, &VolumeState::optionsChanged, this, &VolumePanel::updateOptions);
    connect(&state_, &VolumeState::planesChanged, this, &VolumePanel::updateOptions);
    connect(&session_, &Session::originalChanged, this, &VolumePanel::takeImage);
    connect(&OwnWindows::instance(), &OwnWindows::changed, this, &VolumePanel::fillPresets);
}

void VolumePanel::fillPresets() {
    const QSignalBlocker blocker(preset_);
    presets_ = windowPresets(session_.original().get());
    ownPresets_ = OwnWindows::instance().all();
    preset_->clear();
    preset_->addItem(tr("Custom"));
    QLocale ungrouped;
    ungrouped.setNumberOptions(QLocale::OmitGroupSeparator);
    const auto add = [&](const WindowPreset& p, uint number, const QString& key) {
        const QString text =
            tr("%1 (W %2, L %3)").arg(p.name, ungrouped.toString(p.width, 'g', 6), withMinus(ungrouped.toString(p.centre, 'g', 6)));
        preset_->addItem(text + key, number);
        preset_->setItemData(preset_->count() - 1, p.name, kNameRole);
    };
    for (uint i = 0; i < presets_.size(); ++i) add(presets_[i], i, {});
    if (!ownPresets_.empty()) preset_->insertSeparator(preset_->count());
    for (const OwnWindow& own : ownPresets_) {
        presets_.push_back({QStringLiteral("own"), own.name, own.centre, own.width});
        add(presets_.back(), static_cast<uint>(presets_.size()) - 1, own.key > 0 ? QStringLiteral("  [%1]").arg(own.key) : QString());
    }
    preset_->view()->setMinimumWidth(preset_->view()->sizeHintForColumn(0) + 24);
    choosePreset();
}

void VolumePanel::takeImage() {
    const ImagePtr& image = session_.original();
    const QLocale locale;
    fillPresets();
    const QString unit = sampleUnit(image.get());
    for (QDoubleSpinBox* box : {level_, width_}) {
        const QSignalBlocker blocker(box);
        box->setSuffix(unit.isEmpty() ? QString() : QLatin1Char(' ') + unit);
    }
    for (QWidget* widget : volumeOnly_) widget->setVisible(!image || image->isVolume());
    for (QWidget* widget : measuredOnly_) widget->setVisible(!image || holdsMeasurements(*image));
    const bool pages = image && !image->geometry;
    volumeLabel_->setText(pages ? tr("Page") : tr("Volume"));
    const std::int64_t volumes = image ? image->source.volumes : 1;
    for (QWidget* widget : {static_cast<QWidget*>(volume_), static_cast<QWidget*>(volumeLabel_)}) widget->setVisible(volumes > 1);
    volume_->setAccessibleName(pages ? tr("Page of the file") : tr("Volume of the file"));
    volume_->setToolTip((pages ? tr("Page of the file to show; in commands FILE#%1")
                               : tr("Volume of the file to show; in commands FILE#%1. Window, planes and crosshair are kept."))
                            .arg(image ? image->source.volume : 0));
    if (volumes > 1) {
        const QSignalBlocker blocker(volume_);
        volume_->setRange(1, static_cast<int>(std::min<std::int64_t>(volumes, std::numeric_limits<int>::max())));
        volume_->setSuffix(tr(" / %1").arg(volumes));
        volume_->setValue(static_cast<int>(image->source.volume) + 1);
    }
    about_->clear();
    if (image && image->isVolume() && image->geometry) {
        const auto number = [&](double v) { return locale.toString(v, 'g', 4); };
        const auto& s = image->geometry->spacing;
        const VolumeFrame frame(*image);
        about_->setText(
            tr("Voxel spacing %1 × %2 × %3 mm, size %4 × %5 × %6 mm")
                .arg(number(s[0]), number(s[1]), number(s[2]), number(frame.axis(0).extent()), number(frame.axis(1).extent()),
                     number(frame.axis(2).extent())) +
            (frame.obliqueness() > 0.5 ? tr(", up to %1° oblique").arg(locale.toString(frame.obliqueness(), 'f', 1)) : QString()) +
            (frame.placed() ? QString() : tr(". The file holds no patient orientation")));
    }
    const bool placed = !image || orientationKnown(*image);
    radiological_->setEnabled(placed);
    radiological_->setToolTip(placed
                                  ? tr("Show the patient's right on the left of axial and coronal planes, as seen from the feet; otherwise "
                                       "on the right")
                                  : tr("The file holds no patient orientation: planes are named by the axes x, y and z of the file, and x "
                                       "points right"));
    const QString axes[] = {tr("x, y"), tr("x, z"), tr("y, z")}, names[] = {tr("Axial"), tr("Coronal"), tr("Sagittal")};
    for (int plane = 0; plane < 3; ++plane) planes_->setItemText(plane + 1, placed ? names[plane] : axes[plane]);
    updateWindow();
}

void VolumePanel::updateWindow() {
    const QSignalBlocker blockers[] = {QSignalBlocker(level_), QSignalBlocker(width_)};
    const double centre = windowCentre(view_.display()), width = windowWidth(view_.display());
    for (QDoubleSpinBox* box : {level_, width_}) box->setDecimals(decimalsFor(width));
    level_->setValue(centre);
    width_->setValue(width);
    choosePreset();
}

void VolumePanel::choosePreset() {
    const QSignalBlocker blocker(preset_);
    const double centre = windowCentre(view_.display()), width = windowWidth(view_.display());
    const auto matches = [&](const WindowPreset& p) {
        return std::fabs(p.centre - centre) <= 1e-6 * p.width && std::fabs(p.width - width) <= 1e-6 * p.width;
    };
    const std::size_t builtIn = presets_.size() - ownPresets_.size();
    std::optional<OwnWindow> own;
    for (std::size_t i = 0; i < ownPresets_.size() && !own; ++i)
        if (matches(presets_[builtIn + i])) own = ownPresets_[i];
    const auto first = std::find_if(presets_.begin(), presets_.end(), matches);
    const auto number = static_cast<uint>(first - presets_.begin());
    preset_->setCurrentIndex(first == presets_.end() ? 0 : preset_->findData(number));
    // Saved windows can be edited even if one of the file has the same range.
    presetMenu_->setChosen(std::move(own));
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
