// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/subbands/region_panel.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QSplitter>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/charts/chart_page.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/subbands/energy_chart.hpp"
#include "ui/subbands/region_mosaic.hpp"

namespace parallax::ui {
namespace {

constexpr double kLargestGain = 1e6, kSmallestGain = 0.01;

}  // namespace

RegionPanel::RegionPanel(Session& session, QWidget* parent)
    : QWidget(parent), session_(session), study_(new RegionStudy(session, this)), mosaic_(new RegionMosaic), chart_(new EnergyChart) {
    page_ = new ChartPage(chart_, makeControls(), session_);
    page_->view().setToolTip(tr("Statistics of the sub-bands. Enter or a double click shows one alone. Ctrl+C copies the selection."));
    auto* splitter = new QSplitter;
    splitter->addWidget(makeMosaicSide());
    splitter->addWidget(page_);
    splitter->setStretchFactor(0, 2);
    splitter->setStretchFactor(1, 5);
    splitter->setSizes({380, 900});
    splitter->setChildrenCollapsible(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 6, 8, 6);
    layout->addWidget(splitter);
    setFocusProxy(mosaic_);

    connect(study_, &RegionStudy::changed, this, &RegionPanel::refresh);
    connect(mosaic_, &RegionMosaic::regionChosen, this, &RegionPanel::choose);
    connect(mosaic_, &RegionMosaic::sliceChanged, this, &RegionPanel::showSlices);
    connect(mosaic_, &RegionMosaic::aloneChanged, this, [this](bool alone) {
        const QSignalBlocker blocker(alone_);
        alone_->setChecked(alone);
        showSlices();
    });
    connect(mosaic_, &RegionMosaic::gainStep, this, [this](double factor) { setGain(gain_->value() * factor); });
    connect(page_->view().selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& index) {
        if (index.isValid()) choose(index.row());
    });
    // The chart rebuilds its table when it is drawn again, for example for another theme.
    connect(chart_, &Chart::tableChanged, this, &RegionPanel::showSelected);
    connect(chart_, &Chart::activated, this, [this](int, int region) {
        choose(region);
        mosaic_->setAlone(true);
    });
    refresh();
}

QWidget* RegionPanel::makeMosaicSide() {
    plane_ = new QComboBox;
    plane_->setObjectName(QStringLiteral("regionPlane"));
    plane_->addItems({tr("x, y (axial)"), tr("x, z (coronal)"), tr("y, z (sagittal)")});
    plane_->setAccessibleName(tr("Plane of the mosaic"));
    plane_->setToolTip(tr("Plane of the coefficients to show; images have only one"));
    slice_ = new QSlider(Qt::Horizontal);
    slice_->setObjectName(QStringLiteral("regionSlice"));
    slice_->setAccessibleName(tr("Slice of the mosaic"));
    slice_->setToolTip(
        tr("Slice of the coefficients, counted through consecutive sub-bands. The wheel over the mosaic, Page Up and Page Down change it "
           "too."));
    sliceText_ = new QLabel;
    channel_ = new QComboBox;
    channel_->setObjectName(QStringLiteral("regionChannel"));
    channel_->setAccessibleName(tr("Channel of the sub-bands"));
    channel_->setToolTip(tr("Channel whose coefficients are shown"));
    channelLabel_ = new QLabel(tr("Channel"));
    channelLabel_->setBuddy(channel_);
    alone_ = new QCheckBox(tr("Alone"));
    alone_->setObjectName(QStringLiteral("regionAlone"));
    alone_->setToolTip(tr("Show only the selected sub-band, enlarged. A click on the mosaic does the same."));
    auto* first = new QHBoxLayout;
    first->addWidget(plane_);
    first->addWidget(channelLabel_);
    first->addWidget(channel_);
    first->addWidget(alone_);
    first->addStretch(1);
    auto* second = new QHBoxLayout;
    second->addWidget(slice_, 1);
    second->addWidget(sliceText_);
    auto* side = new QWidget;
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 6, 0);
    column->setSpacing(4);
    column->addLayout(first);
    column->addWidget(mosaic_, 1);
    column->addLayout(second);
    side->setMinimumWidth(200);
    connect(plane_, &QComboBox::currentIndexChanged, this, [this](int index) {
        mosaic_->setPlane(kRegionPlanes[static_cast<std::size_t>(index)]);
        showSlices();
    });
    connect(slice_, &QSlider::valueChanged, this, [this](int value) {
        mosaic_->setSlice(value);
        showSlices();
    });
    connect(channel_, &QComboBox::currentIndexChanged, this, [this] {
        mosaic_->setChannel(channel());
        applyGains();
        showSelected();
    });
    connect(alone_, &QCheckBox::toggled, this, [this](bool on) { mosaic_->setAlone(on); });
    return side;
}

QWidget* RegionPanel::makeControls() {
    error_ = new QLabel;
    error_->setObjectName(QStringLiteral("regionError"));
    error_->setWordWrap(true);
    error_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    error_->setToolTip(
        tr("Error of the image reconstructed from these sub-bands against the opened image: largest absolute difference, RMSE and PSNR, "
           "which refers to the largest value of the original"));
    chosen_ = new QLabel;
    gain_ = new QDoubleSpinBox;
    gain_->setObjectName(QStringLiteral("regionGain"));
    gain_->setRange(kSmallestGain, kLargestGain);
    gain_->setDecimals(2);
    gain_->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    gain_->setPrefix(QStringLiteral("× "));
    gain_->setKeyboardTracking(false);
    gain_->setAccessibleName(tr("Gain of the selected sub-band"));
    gain_->setToolTip(
        tr("Amplify the selected sub-band in the mosaic. At 1 all details share one scale and the largest coefficient is black or white. "
           "Data never change."));
    chosen_->setBuddy(gain_);
    automatic_ = new QToolButton;
    automatic_->setObjectName(QStringLiteral("regionGainsAutomatic"));
    automatic_->setText(tr("All automatic"));
    automatic_->setToolTip(tr("Set each gain so that 95 % of the coefficients of the sub-band lie between black and white"));
    auto* row = new QHBoxLayout;
    row->addWidget(chosen_);
    row->addWidget(gain_);
    row->addWidget(automatic_);
    row->addStretch(1);
    auto* controls = new QWidget;
    auto* column = new QVBoxLayout(controls);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(error_);
    column->addLayout(row);
    connect(gain_, &QDoubleSpinBox::valueChanged, this, &RegionPanel::setGain);
    connect(automatic_, &QToolButton::clicked, this, [this] {
        ownGains_.clear();
        applyGains();
        showSelected();
    });
    return controls;
}

void RegionPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    study_->setActive(true);
}

void RegionPanel::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    study_->setActive(false);
}

int RegionPanel::channel() const { return std::max(0, channel_->currentIndex()); }

void RegionPanel::refresh() {
    if (study_->pending() && study_->result()) return refreshError();  // keep the picture until the next one is ready
    shown_ = study_->result();
    QStringList channels;
    if (shown_)
        for (const std::string& name : shown_->mosaic->channelNames()) channels << QString::fromStdString(name);
    QStringList listed;
    for (int i = 0; i < channel_->count(); ++i) listed << channel_->itemText(i);
    if (channels != listed) {
        const QSignalBlocker blocker(channel_);
        channel_->clear();
        channel_->addItems(channels);
    }
    for (QWidget* widget : std::initializer_list<QWidget*>{channel_, channelLabel_}) widget->setVisible(channels.size() > 1);
    const bool volume = shown_ && shown_->mosaic->shape().depth > 1;
    if (!volume && plane_->currentIndex() != 0) plane_->setCurrentIndex(0);
    plane_->setVisible(volume);
    for (QWidget* widget : std::initializer_list<QWidget*>{alone_, gain_, automatic_}) widget->setEnabled(shown_ != nullptr);
    const QString empty = !session_.original() ? tr("Open an image or a volume first.")
                          : study_->pending()  ? tr("Computing …")
                          : !study_->failure().isEmpty()
                              ? study_->failure()
                              : tr("The result of %1 has no sub-bands. Add one of these as the last step: %2.")
                                    .arg(letterOf(session_.pipeline().active()), study_->suitable().join(QStringLiteral(", ")));
    mosaic_->setChannel(channel());
    mosaic_->setContent(shown_, empty);
    applyGains();
    showSelected();
    showSlices();
    refreshError();
}

void RegionPanel::refreshError() {
    QString text;
    if (shown_) {
        if (const auto& m = shown_->error) {
            text = (shown_->roundTrip ? tr("Round trip of %1 against the original: largest error %2, RMSE %3, PSNR %4 dB")
                                      : tr("Result %1 against the original: largest error %2, RMSE %3, PSNR %4 dB"))
                       .arg(letterOf(shown_->side), formatError(m->maxAbs), formatError(m->rmse), formatPsnr(m->psnr));
            if (m->mismatches() > 0) text += tr(" · NaN or infinity differs: %1").arg(formatCount(m->mismatches()));
        } else {
            text = tr("No error of %1 against the original: an earlier step changes the image").arg(letterOf(shown_->side));
        }
        if (!shown_->seenThrough.isEmpty()) text += tr(" · coefficients from %1").arg(shown_->seenThrough);
    }
    error_->setText(text);
    error_->setVisible(!text.isEmpty());
}

void RegionPanel::choose(int region) {
    if (!shown_ || region < 0 || region >= static_cast<int>(shown_->regions.size())) return;
    if (mosaic_->selected() != region) mosaic_->setSelected(region);
    showSelected();
    showSlices();
}

void RegionPanel::setGain(double gain) {
    if (!shown_) return;
    const auto region = static_cast<std::size_t>(mosaic_->selected());
    ownGains_[QString::fromStdString(shown_->regions[region].key)] = std::clamp(gain, kSmallestGain, kLargestGain);
    applyGains();
    showSelected();
}

void RegionPanel::applyGains() {
    gains_.clear();
    if (shown_) {
        gains_ = automaticGains(shown_->figures[static_cast<std::size_t>(channel())]);
        for (std::size_t i = 0; i < gains_.size(); ++i)
            if (const auto own = ownGains_.constFind(QString::fromStdString(shown_->regions[i].key)); own != ownGains_.cend())
                gains_[i] = *own;
    }
    mosaic_->setGains(gains_);
    chart_->setContent(shown_, channel(), gains_);
}

void RegionPanel::showSelected() {
    const int region = mosaic_->selected();
    if (!shown_ || region >= static_cast<int>(gains_.size())) {
        chosen_->setText(tr("Gain"));
        return;
    }
    chosen_->setText(tr("Gain of %1").arg(QString::fromStdString(shown_->regions[static_cast<std::size_t>(region)].key)));
    const QSignalBlocker blocker(gain_);
    gain_->setValue(gains_[static_cast<std::size_t>(region)]);
    QTableView& table = page_->view();
    if (table.currentIndex().row() != region) {
        table.setCurrentIndex(table.model()->index(region, 0));
    }
    chart_->highlight(region);
}

void RegionPanel::showSlices() {
    const RegionView& view = mosaic_->regionView();
    const std::size_t through = axesOf(view.plane)[2];
    const bool several = shown_ && view.extent[through] > 1;
    slice_->setVisible(several);
    sliceText_->setVisible(several);
    if (!several) return;
    const QSignalBlocker blocker(slice_);
    slice_->setRange(static_cast<int>(view.origin[through]), static_cast<int>(view.origin[through] + view.extent[through] - 1));
    slice_->setValue(static_cast<int>(view.slice));
    sliceText_->setText(tr("Slice %1 / %2").arg(view.slice - view.origin[through] + 1).arg(view.extent[through]));
}

}  // namespace parallax::ui
