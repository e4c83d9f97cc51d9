// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/worst_pixels_panel.hpp"

#include <QTableWidget>
#include <QVBoxLayout>

#include "ui/inspector/stale_notice.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/models/view/view_state.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/full_table.hpp"
#include "ui/theme/widgets.hpp"

namespace parallax::ui {
namespace {

constexpr int kShownRows = 6;  // more by a button

}  // namespace

WorstPixelsPanel::WorstPixelsPanel(Session& session, ViewState& view, QWidget* parent)
    : QWidget(parent), session_(session), view_(view), table_(new QTableWidget(0, 4)), none_(new QLabel) {
    auto* layout = makeLayout<QVBoxLayout>(this);
    layout->addWidget(none_);
    layout->addWidget(list_ = new FullTable(table_, kShownRows));
    table_->setAccessibleName(tr("Largest differences"));
    table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    styleTable(*table_);
    table_->verticalHeader()->hide();
    table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table_->horizontalHeader()->setStretchLastSection(false);
    connect(table_, &QTableWidget::cellClicked, this, &WorstPixelsPanel::jumpTo);
    connect(table_, &QTableWidget::cellActivated, this, &WorstPixelsPanel::jumpTo);
    connect(&session_.comparison(), &Comparison::differenceChanged, this, &WorstPixelsPanel::updateRows);
    connect(new StaleNotice(session_, this), &StaleNotice::changed, list_, &QWidget::setDisabled);
    updateRows();
}

void WorstPixelsPanel::updateRows() {
    table_->setRowCount(0);
    const auto& metrics = session_.comparison().difference();
    const Comparison& comparison = session_.comparison();
    const QString reference = letterOf(comparison.reference()), subject = letterOf(comparison.subject());
    table_->setHorizontalHeaderLabels({tr("x, y"), tr("%1 − %2").arg(subject, reference), reference, subject});
    table_->setToolTip(
        tr("Largest differences between %1 and %2. A click or Enter shows the pixel in every pane and marks it.").arg(subject, reference));
    const auto& result = session_.side(comparison.reference()).result;
    if (!metrics || !result) return showTable(tr("No comparison yet"));
    const auto& names = result->image->channelNames();
    table_->horizontalHeaderItem(0)->setText(result->image->isVolume() ? tr("x, y, z") : tr("x, y"));
    for (const WorstPixel& pixel : metrics->worst) {
        if (pixel.error() == 0) break;  // sorted, so both agree from here
        const int row = table_->rowCount();
        table_->insertRow(row);
        const auto channel = static_cast<std::size_t>(pixel.channel);
        const QString name = channel < names.size() ? QString::fromStdString(names[channel]) : QString::number(pixel.channel);
        const QString place =
            result->image->isVolume() ? tr("%1, %2, %3").arg(pixel.x).arg(pixel.y).arg(pixel.z) : tr("%1, %2").arg(pixel.x).arg(pixel.y);
        // A column for the channel alone would not fit.
        const QStringList texts{names.size() > 1 ? place + QLatin1Char(' ') + name : place, ui::formatError(pixel.b - pixel.a),
                                formatSample(pixel.a), formatSample(pixel.b)};
        for (int column = 0; column < texts.size(); ++column) {
            auto* item = new QTableWidgetItem(texts[column]);
            item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
            table_->setItem(row, column, item);
        }
    }
    if (table_->rowCount() == 0 && chosen_ && chosen_ == view_.mark()) view_.setMark(std::nullopt);  // no difference is left there
    showTable(tr("None: %1 and %2 are identical").arg(reference, subject));
}

void WorstPixelsPanel::showTable(const QString& ifEmpty) {
    const bool empty = table_->rowCount() == 0;
    none_->setText(ifEmpty);
    none_->setVisible(empty);
    list_->setVisible(!empty);
}

void WorstPixelsPanel::jumpTo(int row) {
    const auto& metrics = session_.comparison().difference();
    if (!metrics || row < 0 || row >= static_cast<int>(metrics->worst.size())) return;
    const WorstPixel& pixel = metrics->worst[static_cast<std::size_t>(row)];
    chosen_ = PixelPosition{pixel.x, pixel.y, pixel.z};
    view_.goTo(*chosen_);
}

}  // namespace parallax::ui
