// SPDX-License-Identifier: GPL-3.0-or-later
#include "parallax/ui/inspector/inspector_panel.hpp"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSlider>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <cmath>

#include "parallax/ui/bridge/session.hpp"
#include "parallax/ui/inspector/histogram_panel.hpp"
#include "parallax/ui/inspector/worst_pixels_panel.hpp"
#include "parallax/ui/models/formatting.hpp"
#include "parallax/ui/models/metadata_model.hpp"
#include "parallax/ui/models/pixel_model.hpp"
#include "parallax/ui/models/view_state.hpp"
#include "parallax/ui/theme/section.hpp"
#include "parallax/ui/theme/theme.hpp"

namespace parallax::ui {
namespace {

constexpr int kSliderPerStop = 10;

void styleTable(QTableView& table) {
    table.setAlternatingRowColors(true);
    table.setShowGrid(false);
    table.setWordWrap(false);
    table.horizontalHeader()->setHighlightSections(false);
    table.horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table.verticalHeader()->setDefaultSectionSize(table.fontMetrics().height() + 7);
}

}  // namespace

InspectorPanel::InspectorPanel(Session& session, ViewState& view, QWidget* parent)
    : QWidget(parent), session_(session), view_(view), pixels_(new PixelModel(this)), metadata_(new MetadataModel(this)) {
    // On a small screen the panel scrolls instead of forcing a height on the window.
    auto* content = new QWidget;
    auto* area = new QScrollArea;
    area->setWidget(content);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(area);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(10, 8, 10, 8);
    layout->setSpacing(10);
    layout->addWidget(makePixelGroup());
    layout->addWidget(makeViewGroup());
    layout->addWidget(makeDifferenceGroup());
    layout->addWidget(makeSection(tr("Largest differences"), {new WorstPixelsPanel(session_, view_)}));
    layout->addWidget(makeSection(tr("Histogram"), {new HistogramPanel(session_, view_)}));
    layout->addWidget(makeMetadataGroup(), 1);
    connect(&session_, &Session::originalChanged, this, [this] {
        metadata_->setImage(session_.original());
        updateImages();
    });
    connect(&session_, &Session::sideChanged, this, &InspectorPanel::updateImages);
    connect(&session_, &Session::differenceChanged, this, &InspectorPanel::updateMetrics);
    connect(&view_, &ViewState::cursorChanged, this, &InspectorPanel::updateCursor);
    connect(&view_, &ViewState::displayChanged, this, &InspectorPanel::updateDisplay);
    updateImages();
    updateCursor();
    updateMetrics();
}

QWidget* InspectorPanel::makePixelGroup() {
    position_ = new QLabel;
    pixelTable_ = new QTableView;
    pixelTable_->setModel(pixels_);
    styleTable(*pixelTable_);
    pixelTable_->horizontalHeader()->setDefaultAlignment(Qt::AlignRight | Qt::AlignVCenter);
    pixelTable_->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    pixelTable_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    pixelTable_->setAccessibleName(tr("Samples under the cursor"));
    pixelTable_->setToolTip(tr("Linear samples under the cursor. NaN and infinity are shown as such."));
    pixelTable_->setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    return makeSection(tr("Pixel"), {position_, pixelTable_});
}

QWidget* InspectorPanel::makeViewGroup() {
    exposureSlider_ = new QSlider(Qt::Horizontal);
    exposureSlider_->setRange(-10 * kSliderPerStop, 10 * kSliderPerStop);
    exposureSlider_->setAccessibleName(tr("Exposure slider"));
    exposure_ = new QDoubleSpinBox;
    exposure_->setRange(-20, 20);
    exposure_->setDecimals(1);
    exposure_->setSingleStep(0.5);
    exposure_->setSuffix(tr(" EV"));
    exposure_->setAccessibleName(tr("Exposure"));
    auto* reset = new QToolButton;
    reset->setIcon(actionIcon(QStringLiteral("reset")));
    reset->setAutoRaise(true);
    reset->setToolTip(tr("Back to 0 EV and automatic difference range (R)"));
    reset->setAccessibleName(tr("Reset the view of values"));
    const QString tip = tr("Brightness of the view in stops: +1 doubles it. Data never change. Keys E and Shift+E.");
    exposureSlider_->setToolTip(tip);
    exposure_->setToolTip(tip);
    differenceScale_ = new QComboBox;
    differenceScale_->setToolTip(
        tr("Which difference reaches the ends of the colour map. Automatic: 99 % of the samples that differ lie within."));
    differenceScale_->setAccessibleName(tr("Range of the difference"));
    differenceScale_->addItem(tr("automatic"), 0.0);
    for (int power = 0; power >= -8; --power)
        differenceScale_->addItem(tr("up to %1").arg(ui::formatError(std::pow(10.0, power))), std::pow(10.0, power));
    differenceMode_ = new QComboBox;
    differenceMode_->setObjectName(QStringLiteral("differenceMode"));
    differenceMode_->setToolTip(
        tr("What the pane of the difference shows: B − A with its sign, its magnitude, its magnitude as a part of the "
           "larger of |A| and |B|, or its square. Of all channels the largest."));
    differenceMode_->setAccessibleName(tr("Kind of difference"));
    differenceMode_->addItem(tr("signed"), static_cast<int>(DifferenceMode::signedValue));
    differenceMode_->addItem(tr("absolute"), static_cast<int>(DifferenceMode::absolute));
    differenceMode_->addItem(tr("relative"), static_cast<int>(DifferenceMode::relative));
    differenceMode_->addItem(tr("squared"), static_cast<int>(DifferenceMode::squared));
    auto* box = new QWidget;
    auto* grid = new QGridLayout(box);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->addWidget(new QLabel(tr("Exposure")), 0, 0);
    grid->addWidget(exposureSlider_, 0, 1);
    grid->addWidget(exposure_, 0, 2);
    grid->addWidget(reset, 0, 3);
    grid->addWidget(new QLabel(tr("Difference")), 1, 0);
    auto* difference = new QHBoxLayout;
    difference->addWidget(differenceMode_, 1);
    difference->addWidget(differenceScale_, 1);
    grid->addLayout(difference, 1, 1, 1, 3);
    grid->setColumnStretch(1, 1);
    connect(exposureSlider_, &QSlider::valueChanged, this, [this](int v) { view_.setExposure(static_cast<double>(v) / kSliderPerStop); });
    connect(exposure_, &QDoubleSpinBox::valueChanged, this, [this](double v) { view_.setExposure(v); });
    connect(reset, &QToolButton::clicked, &view_, &ViewState::resetDisplay);
    connect(differenceMode_, &QComboBox::activated, this,
            [this](int row) { view_.setDifferenceMode(static_cast<DifferenceMode>(differenceMode_->itemData(row).toInt())); });
    connect(differenceScale_, &QComboBox::activated, this,
            [this](int row) { view_.setDifferenceScale(differenceScale_->itemData(row).toDouble()); });
    return makeSection(tr("View"), {box});
}

QWidget* InspectorPanel::makeDifferenceGroup() {
    metrics_ = new QLabel;
    metrics_->setTextFormat(Qt::RichText);
    metrics_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    metrics_->setToolTip(
        tr("B against A over all channels. PSNR refers to the largest finite |A|. The border band is where border rules matter."));
    return makeSection(tr("Difference B − A"), {metrics_});
}

QWidget* InspectorPanel::makeMetadataGroup() {
    auto* search = new QLineEdit;
    search->setPlaceholderText(tr("Search metadata"));
    search->setClearButtonEnabled(true);
    search->setAccessibleName(tr("Search metadata"));
    search->setToolTip(tr("Show only entries whose name or value contains this text"));
    auto* proxy = new QSortFilterProxyModel(this);
    proxy->setSourceModel(metadata_);
    proxy->setFilterKeyColumn(-1);
    proxy->setFilterCaseSensitivity(Qt::CaseInsensitive);
    connect(search, &QLineEdit::textChanged, proxy, &QSortFilterProxyModel::setFilterFixedString);
    auto* table = new QTableView;
    table->setModel(proxy);
    styleTable(*table);
    table->verticalHeader()->hide();
    table->horizontalHeader()->setStretchLastSection(true);
    table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setAccessibleName(tr("Metadata"));
    table->setTextElideMode(Qt::ElideMiddle);
    table->setMinimumHeight(120);
    return makeSection(tr("Metadata"), {search, table});
}

void InspectorPanel::updateImages() {
    const auto image = [&](Side side) { return session_.side(side).result ? session_.side(side).result->image : nullptr; };
    pixels_->setImages(session_.original(), image(Side::a), image(Side::b));
    const int rows = std::clamp(pixels_->rowCount(), 1, 6);
    const int height =
        pixelTable_->horizontalHeader()->sizeHint().height() + rows * pixelTable_->verticalHeader()->defaultSectionSize() + 4;
    pixelTable_->setFixedHeight(height);
}

void InspectorPanel::updateCursor() {
    const auto& cursor = view_.cursor();
    pixels_->setPosition(cursor);
    position_->setText(cursor ? tr("x %1, y %2").arg(cursor->x).arg(cursor->y) : tr("Move the mouse over an image"));
}

void InspectorPanel::updateMetrics() {
    const auto& m = session_.difference();
    if (!m) return metrics_->setText(tr("Nothing compared yet"));
    QString rows;
    const auto row = [&](const QString& name, const QString& value) {
        rows += QStringLiteral("<tr><td style='padding-right:14px'>%1</td><td align='right'>%2</td></tr>").arg(name, value.toHtmlEscaped());
    };
    const QString psnr = std::isinf(m->psnr) ? QStringLiteral("∞") : QString::number(m->psnr, 'f', 1);
    row(tr("Largest"), ui::formatError(m->maxAbs));
    row(tr("Mean"), ui::formatError(m->meanAbs));
    row(tr("RMSE"), ui::formatError(m->rmse));
    row(tr("Relative L2"), ui::formatError(m->relativeL2));
    row(tr("PSNR (peak %1)").arg(formatSample(m->peak)), tr("%1 dB").arg(psnr));
    if (m->borderBand > 0)
        row(tr("Border band / interior"), ui::formatError(m->maxAbsBorder) + QStringLiteral(" / ") + ui::formatError(m->maxAbsInterior));
    if (m->mismatches() > 0) row(tr("NaN or infinity differ"), QString::number(m->mismatches()));
    metrics_->setText(QStringLiteral("<table>%1</table>").arg(rows));
}

void InspectorPanel::updateDisplay() {
    const QSignalBlocker first(exposureSlider_), second(exposure_);
    const DisplaySettings& display = view_.display();
    exposureSlider_->setValue(static_cast<int>(std::lround(display.exposure * kSliderPerStop)));
    exposure_->setValue(display.exposure);
    differenceMode_->setCurrentIndex(differenceMode_->findData(static_cast<int>(display.differenceMode)));
    differenceScale_->setCurrentIndex(std::max(0, differenceScale_->findData(display.differenceScale)));
}

}  // namespace parallax::ui
