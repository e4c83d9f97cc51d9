// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/kernels/version_table.hpp"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLocale>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTableWidget>

#include "core/measure/kernel_check/kernel_check.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/session/kernels/kernels.hpp"
#include "ui/theme/widgets.hpp"

namespace parallax::ui {
namespace {

constexpr int kTime = 3;  // column

QString outcomeText(const KernelVersion& v) {
    switch (v.outcome) {
        case KernelVersion::Outcome::open: return QStringLiteral("…");
        case KernelVersion::Outcome::failed: return VersionTable::tr("does not compile");
        case KernelVersion::Outcome::disagrees: return VersionTable::tr("disagrees");
        case KernelVersion::Outcome::memoryError: return VersionTable::tr("memory error");
        case KernelVersion::Outcome::agrees: return VersionTable::tr("agrees");
        case KernelVersion::Outcome::replaced: return VersionTable::tr("not checked");
    }
    return {};
}

/// "1.31x v6, faster".
QString speedupText(const std::optional<KernelSpeedup>& s) {
    if (!s) return {};
    const QString text = VersionTable::tr("%1 v%2").arg(formatFactor(s->factor)).arg(s->before);
    switch (s->verdict) {
        case Verdict::faster: return VersionTable::tr("%1, faster").arg(text);
        case Verdict::slower: return VersionTable::tr("%1, slower").arg(text);
        case Verdict::same: return VersionTable::tr("%1, the same").arg(text);
        case Verdict::undecided: return VersionTable::tr("%1, undecided").arg(text);
    }
    return text;
}

/// "3.46 GFLOP/s, 0.17 GB/s".
QString rateText(const KernelVersion& v) {
    const double nanoseconds = v.times.values.empty() ? 0 : median(v.times.values);
    if (!(nanoseconds > 0)) return {};
    const auto number = [](double value) { return QLocale().toString(value, 'g', 3); };
    return VersionTable::tr("%1 GFLOP/s, %2 GB/s").arg(number(v.flops / nanoseconds), number(v.bytes / nanoseconds));
}

}  // namespace

VersionTable::VersionTable(QWidget* parent)
    : QWidget(parent),
      table_(described(new QTableWidget(0, 6), tr("Versions"), tr("Versions of the kernel, the newest first"), "kernelVersions")),
      restore_(described(new QPushButton(tr("&Restore")), tr("Restore"), tr("Write the source of the selected version into the file"),
                         "restoreVersion")) {
    table_->setHorizontalHeaderLabels({tr("Version"), tr("Saved"), tr("Result"), tr("Time"), tr("Speed"), tr("Rate")});
    table_->horizontalHeaderItem(kTime)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    table_->horizontalHeaderItem(kTime)->setToolTip(tr("Median time of the computation, for %1 and the defaults of the operation; "
                                                       "upload and download are left out")
                                                        .arg(QLatin1String(kKernelTimedInput)));
    table_->horizontalHeaderItem(4)->setToolTip(
        tr("Against the last version before that was measured. The two were measured one after the other, not in turn."));
    table_->horizontalHeaderItem(5)->setToolTip(
        tr("Modelled operations and bytes divided by the median time. A benchmark shows the place of the kernel in the roofline."));
    table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    styleTable(*table_);
    table_->verticalHeader()->hide();
    table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table_->horizontalHeader()->setStretchLastSection(true);
    auto* layout = makeLayout<QHBoxLayout>(this);
    layout->addWidget(table_, 1);
    layout->addWidget(restore_, 0, Qt::AlignTop);
    connect(table_, &QTableWidget::itemSelectionChanged, this, [this] {
        updateButton();
        emit selectionChanged();
    });
    connect(restore_, &QPushButton::clicked, this, [this] {
        if (const int number = selected(); number > 0) emit restoreWanted(number);
    });
    updateButton();
}

int VersionTable::selected() const {
    const QList<QTableWidgetItem*> items = table_->selectedItems();
    return items.isEmpty() ? 0 : table_->item(items.front()->row(), 0)->data(Qt::UserRole).toInt();
}

void VersionTable::clear() {
    table_->setRowCount(0);
    updateButton();
}

void VersionTable::show(const OpenKernelState& kernel) {
    const int before = selected();
    const bool newest = before == 0 || table_->item(0, 0)->data(Qt::UserRole).toInt() == before;
    const QSignalBlocker blocker(table_);
    table_->setRowCount(static_cast<int>(kernel.versions.size()));
    int row = 0;
    for (auto v = kernel.versions.rbegin(); v != kernel.versions.rend(); ++v, ++row) {
        const bool measuring = row == 0 && kernel.measuring;
        const QString time = !v->times.values.empty() ? formatDuration(median(v->times.values))
                             : measuring              ? QStringLiteral("…")
                                                      : QString();
        const QString texts[] = {QString::number(v->number),
                                 QLocale().toString(v->time.time(), QLocale::LongFormat),
                                 outcomeText(*v),
                                 time,
                                 speedupText(kernel.speedupOf(*v)),
                                 rateText(*v)};
        for (int column = 0; column < static_cast<int>(std::size(texts)); ++column) {
            QTableWidgetItem* item = table_->item(row, column);
            if (!item) table_->setItem(row, column, item = new QTableWidgetItem);
            item->setText(texts[column]);
            if (column == kTime) item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        }
        table_->item(row, 0)->setData(Qt::UserRole, v->number);
        if ((newest && row == 0) || (!newest && v->number == before)) table_->selectRow(row);
    }
    updateButton();
    emit selectionChanged();
}

/// The newest version is what the file holds.
void VersionTable::updateButton() { restore_->setEnabled(selected() > 0 && table_->item(0, 0)->data(Qt::UserRole).toInt() != selected()); }

}  // namespace parallax::ui
