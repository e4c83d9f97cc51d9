// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/inspector_panel.hpp"

#include <QComboBox>
#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QSortFilterProxyModel>
#include <QStyle>
#include <QTableView>
#include <QVBoxLayout>

#include "ui/help/context_help.hpp"
#include "ui/inspector/difference_panel.hpp"
#include "ui/inspector/histogram_panel.hpp"
#include "ui/inspector/result_panel.hpp"
#include "ui/inspector/selection_panel.hpp"
#include "ui/inspector/view_panel.hpp"
#include "ui/inspector/worst_pixels_panel.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/models/document/metadata_model.hpp"
#include "ui/models/document/settings.hpp"
#include "ui/models/view/pixel_model.hpp"
#include "ui/models/view/view_state.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/collapsible_section.hpp"
#include "ui/theme/full_table.hpp"
#include "ui/theme/tips.hpp"
#include "ui/theme/widgets.hpp"
#include "ui/volume/volume_panel.hpp"

namespace parallax::ui {
namespace {

constexpr int kPixelRows = 6, kMetadataRows = 12;  // more by a button

}  // namespace

InspectorPanel::InspectorPanel(Session& session, ViewState& view, VolumeState& volume, QWidget* parent)
    : QWidget(parent), session_(session), view_(view), pixels_(new PixelModel(this)), metadata_(new MetadataModel(this)) {
    // On a small screen the panel scrolls.
    auto* content = new QWidget;
    auto* area = new QScrollArea;
    setScrolled(*area, content);
    auto* outer = makeLayout<QVBoxLayout>(this);
    outer->addWidget(area);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(10, 8, 10, 8);
    layout->setSpacing(8);
    layout->addWidget(makePixelGroup());
    auto* volumePanel = new VolumePanel(session_, view_, volume);
    setHelpTopic(*volumePanel, QStringLiteral("volumePanel"));
    connect(volumePanel, &VolumePanel::volumeAsked, this, &InspectorPanel::volumeAsked);
    layout->addWidget(volumeGroup_ = new CollapsibleSection(tr("Volume"), "sectionVolume", {volumePanel}));
    layout->addWidget(new CollapsibleSection(tr("View"), "sectionView", {viewPanel_ = new ViewPanel(session_, view_)}));
    layout->addWidget(new CollapsibleSection(tr("Histogram"), "sectionHistogram", {new HistogramPanel(session_, view_)}));
    layout->addWidget(differenceGroup_ = new CollapsibleSection({}, "sectionDifference", {new DifferencePanel(session_)}));
    layout->addWidget(new CollapsibleSection(tr("Largest differences"), "sectionWorst", {new WorstPixelsPanel(session_, view_)}));
    auto* result = new ResultPanel(session_);
    connect(result, &ResultPanel::regionsAsked, this, &InspectorPanel::regionsAsked);
    layout->addWidget(result);
    layout->addWidget(new CollapsibleSection(tr("Selection"), "sectionSelection", {new SelectionPanel(session_, view_, volume)}));
    layout->addWidget(makeMetadataGroup());
    layout->addStretch(1);
    connect(&session_, &Session::originalChanged, this, [this] {
        metadata_->setImage(session_.original());
        updateImages();
    });
    connect(&Settings::instance(), &Settings::changed, metadata_, [this] { metadata_->setImage(session_.original()); });
    connect(&session_.comparison(), &Comparison::sideChanged, this, &InspectorPanel::updateImages);
    connect(&session_.comparison(), &Comparison::differenceChanged, this, &InspectorPanel::updateTitle);
    connect(&session_.comparison(), &Comparison::differenceChanged, this, &InspectorPanel::updateCursor);
    connect(&session_.pipeline(), &PipelineModel::pairChanged, this, &InspectorPanel::updateImages);
    connect(&view_, &ViewState::cursorChanged, this, &InspectorPanel::updateCursor);
    connect(&view_, &ViewState::viewChanged, this, [this] {
        if (!view_.cursor() && view_.mark() != shownPixel_) updateCursor();
    });
    connect(&view_, &ViewState::displayChanged, this, [this] { pixels_->setDisplay(view_.display()); });
    updateImages();
    updateCursor();
    updateTitle();
    // Wide enough for every language.
    area->setMinimumWidth(content->minimumSizeHint().width() + style()->pixelMetric(QStyle::PM_ScrollBarExtent));
}

QWidget* InspectorPanel::makePixelGroup() {
    position_ = new QLabel;
    position_->setObjectName(QStringLiteral("pixelPosition"));
    auto* format = new QComboBox;
    described(
        format, tr("Number format"),
        tr("Linear: the data. Display: the 8-bit value on the screen after exposure, offset and encoding. Hex: the same in hexadecimal."),
        "pixelFormat");
    addChoices<SampleFormat>(
        *format, {{tr("linear"), SampleFormat::linear}, {tr("display"), SampleFormat::display}, {tr("hex"), SampleFormat::hexadecimal}});
    connect(format, &QComboBox::currentIndexChanged, this, [this, format] { pixels_->setFormat(chosenIn<SampleFormat>(*format)); });
    // Below the position, which needs the width of the panel.
    auto* head = new QWidget;
    auto* grid = makeLayout<QGridLayout>(head, 4);
    grid->addWidget(position_, 0, 0, 1, 2);
    auto* label = new QLabel(tr("Format"));
    label->setBuddy(format);
    grid->addWidget(label, 1, 0);
    grid->addWidget(format, 1, 1);
    grid->setColumnStretch(1, 1);
    pixelTable_ = new QTableView;
    pixelTable_->setModel(pixels_);
    styleTable(*pixelTable_);
    pixelTable_->horizontalHeader()->setDefaultAlignment(Qt::AlignRight | Qt::AlignVCenter);
    pixelTable_->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    pixelTable_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    described(pixelTable_, tr("Samples at the cursor"), tr("Linear samples at the cursor. NaN and infinity are shown as such."));
    showTipBeside(pixelTable_);
    // Room for the longest number of the model.
    const int each = static_cast<int>(PixelModel::kRoom * pixelTable_->fontMetrics().horizontalAdvance(QLatin1Char('0'))) + 8;
    pixelTable_->horizontalHeader()->setMinimumSectionSize(each);
    pixelTable_->setMinimumWidth(PixelModel::columnTotal * each + pixelTable_->fontMetrics().horizontalAdvance(QStringLiteral("R")) + 18);
    pixelTable_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    return new CollapsibleSection(tr("Pixel"), "sectionPixel", {head, new FullTable(pixelTable_, kPixelRows)});
}

QWidget* InspectorPanel::makeMetadataGroup() {
    auto* search = new QLineEdit;
    search->setPlaceholderText(tr("Search metadata"));
    search->setClearButtonEnabled(true);
    described(search, tr("Search metadata"), tr("Show only entries whose name or value contains this text"));
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
    described(table, tr("Metadata"), tr("Metadata of the file. Ctrl+C copies the selection."));
    table->setTextElideMode(Qt::ElideMiddle);
    return new CollapsibleSection(tr("Metadata"), "sectionMetadata", {search, new FullTable(table, kMetadataRows)});
}

void InspectorPanel::updateImages() {
    const bool isVolume = session_.original() && session_.original()->isVolume();
    const bool measured = session_.original() && holdsMeasurements(*session_.original());
    volumeGroup_->setVisible(measured || (session_.original() && session_.original()->source.volumes > 1));
    volumeGroup_->setTitle(isVolume ? tr("Volume") : measured ? tr("Window and level") : tr("Pages"));
    const auto image = [&](Side side) { return session_.side(side).result ? session_.side(side).result->image : nullptr; };
    pixels_->setImages(session_.original(), image(session_.comparison().reference()), image(session_.comparison().subject()));
}

void InspectorPanel::updateCursor() {
    // Without the mouse over an image, the marked pixel counts, such as one of the largest differences.
    const std::optional<PixelPosition> cursor = view_.cursor() ? view_.cursor() : view_.mark();
    shownPixel_ = cursor;
    pixels_->setPosition(cursor);
    if (!cursor) return position_->setText(tr("Point at an image"));
    const bool isVolume = session_.original() && session_.original()->isVolume();
    QString text =
        isVolume ? tr("x %1, y %2, z %3").arg(cursor->x).arg(cursor->y).arg(cursor->z) : tr("x %1, y %2").arg(cursor->x).arg(cursor->y);
    if (const QString unit = sampleUnit(session_.original().get()); !unit.isEmpty()) text = tr("%1, in %2").arg(text, unit);
    if (const QString value = mapValue(*cursor); !value.isEmpty()) text += QStringLiteral(" · ") + value;
    position_->setText(text);
}

QString InspectorPanel::mapValue(const PixelPosition& at) const {
    const ShownDifference& shown = session_.comparison().shown();
    if (!shown.isMap() || !shown.image()) return {};
    const Shape& s = shown.image()->shape();
    if (at.x < 0 || at.y < 0 || at.z < 0 || at.x >= s.width || at.y >= s.height || at.z >= s.depth) return {};
    const QString value = formatSample(static_cast<double>(shown.image()->view().at(at.x, at.y, at.z)));
    if (shown.content() == DifferenceMode::flip) return tr("FLIP %1").arg(value);
    return shown.content() == DifferenceMode::ssim ? tr("1 − SSIM %1").arg(value) : tr("relative %1").arg(value);
}

void InspectorPanel::updateTitle() {
    const QString reference = letterOf(session_.comparison().reference()), subject = letterOf(session_.comparison().subject());
    differenceGroup_->setTitle(tr("Difference %1 − %2").arg(subject, reference));
    pixels_->setNames(reference, subject);
}

}  // namespace parallax::ui
