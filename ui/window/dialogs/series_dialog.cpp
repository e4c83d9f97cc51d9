// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/dialogs/series_dialog.hpp"

#include <QDialogButtonBox>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/theme/widgets.hpp"

namespace parallax::ui {

SeriesDialog::SeriesDialog(std::vector<SeriesSummary> series, QWidget* parent)
    : QDialog(parent), series_(std::move(series)), list_(new QListWidget) {
    setObjectName(QStringLiteral("seriesDialog"));
    setWindowTitle(tr("Choose series"));
    for (const SeriesSummary& each : series_) list_->addItem(QString::fromStdString(each.title));
    // The longest series is usually the one wanted, not the scout.
    const auto longest = std::max_element(series_.begin(), series_.end(), [](const auto& a, const auto& b) { return a.slices < b.slices; });
    list_->setCurrentRow(static_cast<int>(longest - series_.begin()));
    described(
        list_, tr("Series in the folder"),
        tr("Number, modality, size, slice spacing and description. [!] marks a series with a warning, which is shown when it is opened."));
    list_->setMinimumSize(560, 200);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Open | QDialogButtonBox::Cancel);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(list_, &QListWidget::itemActivated, this, &QDialog::accept);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(new QLabel(tr("This folder contains %1 series.").arg(series_.size())));
    layout->addWidget(list_, 1);
    layout->addWidget(buttons);
}

QString SeriesDialog::chosen() const {
    const int row = std::clamp(list_->currentRow(), 0, static_cast<int>(series_.size()) - 1);
    return QString::fromStdString(series_[static_cast<std::size_t>(row)].input);
}

}  // namespace parallax::ui
