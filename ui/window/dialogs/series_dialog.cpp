// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/dialogs/series_dialog.hpp"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/models/document/core_text.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/models/document/settings.hpp"
#include "ui/theme/widgets.hpp"
#include "ui/window/filmstrip/thumbnails.hpp"

namespace parallax::ui {
namespace {

constexpr QSize kPicture(64, 52);
constexpr int kSortKey = Qt::UserRole, kIndex = Qt::UserRole + 1;

/// Sorted by a number instead of the text.
class NumberItem : public QTableWidgetItem {
public:
    NumberItem(const QString& text, double key) : QTableWidgetItem(text) {
        setData(kSortKey, key);
        setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    }
    bool operator<(const QTableWidgetItem& other) const override { return data(kSortKey).toDouble() < other.data(kSortKey).toDouble(); }
};

QString nameOf(const SeriesSummary& series) {
    QStringList parts;
    for (const std::string& part : {series.modality, series.description})
        if (!part.empty()) parts << QString::fromStdString(part);
    return parts.isEmpty() ? SeriesDialog::tr("Images") : parts.join(QStringLiteral(", "));
}

QString spacingText(const SeriesSummary& series) {
    const QLocale locale;
    QStringList axes;
    for (const double mm : series.spacing) axes << locale.toString(mm, 'g', 4);
    if (series.slices < 2) return SeriesDialog::tr("%1 × %2 mm").arg(axes[0], axes[1]);
    return SeriesDialog::tr("%1 × %2 × %3 mm").arg(axes[0], axes[1], axes[2]);
}

}  // namespace

SeriesDialog::SeriesDialog(std::vector<SeriesSummary> series, QWidget* parent)
    : QDialog(parent), series_(std::move(series)), table_(new QTableWidget(0, columns)), thumbnails_(new Thumbnails(this)) {
    setObjectName(QStringLiteral("seriesDialog"));
    setWindowTitle(tr("Choose series"));
    described(table_, tr("Series in the folder"),
              tr("Series in the folder: double click or Enter opens one, a click on a title sorts them"));
    setUpTable();
    fill();
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Open | QDialogButtonBox::Cancel);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(table_, &QTableWidget::itemActivated, this, &QDialog::accept);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(new QLabel(tr("This folder contains %1 series.").arg(series_.size())));
    layout->addWidget(table_, 1);
    layout->addWidget(buttons);
    table_->setFocus();
    resize(960, 420);
    connect(thumbnails_, &Thumbnails::thumbnailMade, this, &SeriesDialog::showThumbnail);
    // The chosen series is opened while this dialog still exists.
    connect(this, &QDialog::finished, thumbnails_, [this] { thumbnails_->use({}); });
    QStringList slices;
    for (int row = 0; row < table_->rowCount(); ++row) slices << QString::fromStdString(seriesOf(row).middleSlice);
    thumbnails_->use(slices);
}

void SeriesDialog::setUpTable() {
    styleTable(*table_);
    table_->setWordWrap(true);  // of remarks
    table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setIconSize(kPicture);
    table_->verticalHeader()->hide();
    table_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table_->verticalHeader()->setDefaultSectionSize(kPicture.height() + 6);
    table_->horizontalHeader()->setStretchLastSection(true);
}

void SeriesDialog::fill() {
    table_->setHorizontalHeaderLabels({tr("Series"), tr("Number"), tr("Slices"), tr("Size"), tr("Spacing"), tr("Remarks")});
    table_->setRowCount(static_cast<int>(series_.size()));
    for (int row = 0; row < table_->rowCount(); ++row) {
        const SeriesSummary& s = series_[static_cast<std::size_t>(row)];
        auto* name = new QTableWidgetItem(nameOf(s));
        name->setData(kIndex, row);
        name->setIcon(thumbnailIcon({}, kPicture, 1));
        QStringList remarks;
        for (const std::string& warning : s.warnings) remarks << coreText(warning);
        auto* remark = new QTableWidgetItem(remarks.join(QStringLiteral(". ")));
        remark->setToolTip(remarks.join(QLatin1Char('\n')));
        table_->setItem(row, seriesColumn, name);
        table_->setItem(row, numberColumn, new NumberItem(QString::fromStdString(s.id), row));  // the list is in this order
        table_->setItem(row, slicesColumn,
                        new NumberItem(formatCount(static_cast<std::uint64_t>(s.slices)), static_cast<double>(s.slices)));
        table_->setItem(row, sizeColumn, new NumberItem(formatExtent(s.width, s.height), static_cast<double>(s.width * s.height)));
        table_->setItem(row, spacingColumn, new NumberItem(spacingText(s), s.spacing[2]));
        table_->setItem(row, remarksColumn, remark);
    }
    // The longest series is usually the one wanted, not the scout.
    table_->setSortingEnabled(true);
    table_->sortByColumn(slicesColumn, Qt::DescendingOrder);
    table_->selectRow(0);
    constexpr int kWidestSeries = 240;
    for (int column = seriesColumn; column < remarksColumn; ++column) table_->resizeColumnToContents(column);
    table_->setColumnWidth(seriesColumn, std::min(table_->columnWidth(seriesColumn), kWidestSeries));
}

void SeriesDialog::showThumbnail(const QString& middleSlice) {
    const Thumbnail* made = thumbnails_->find(middleSlice);
    for (int row = 0; made && row < table_->rowCount(); ++row) {
        if (QString::fromStdString(seriesOf(row).middleSlice) != middleSlice) continue;
        QTableWidgetItem& item = *table_->item(row, seriesColumn);
        item.setIcon(thumbnailIcon(made->picture, kPicture, devicePixelRatioF()));
        // Problems name the file, which may identify a patient.
        if (!made->problem.isEmpty())
            item.setToolTip(Settings::instance().hidesPatientData() ? tr("The slice in the middle cannot be shown") : made->problem);
    }
}

const SeriesSummary& SeriesDialog::seriesOf(int row) const {
    return series_[static_cast<std::size_t>(table_->item(row, seriesColumn)->data(kIndex).toInt())];
}

QString SeriesDialog::chosen() const { return QString::fromStdString(seriesOf(std::max(0, table_->currentRow())).input); }

}  // namespace parallax::ui
