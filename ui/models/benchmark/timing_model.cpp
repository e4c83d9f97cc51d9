// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/benchmark/timing_model.hpp"

#include "ui/models/document/formatting.hpp"

namespace parallax::ui {

void TimingModel::setSummary(std::shared_ptr<const TimingSummary> summary) {
    const bool sameRows = summary_ && summary && summary_->rows.size() == summary->rows.size();
    // Live updates keep rows, selection and scroll position.
    if (sameRows) {
        summary_ = std::move(summary);
        if (rowCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, columnTotal - 1));
        return;
    }
    beginResetModel();
    summary_ = std::move(summary);
    endResetModel();
}

QString TimingModel::toText() const {
    QStringList lines;
    for (int row = -1; row < rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < columnTotal; ++column)
            cells << (row < 0 ? headerData(column, Qt::Horizontal, Qt::DisplayRole) : data(index(row, column), Qt::DisplayRole)).toString();
        lines << cells.join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n'));
}

int TimingModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !summary_ ? 0 : static_cast<int>(summary_->rows.size());
}
int TimingModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columnTotal; }

QString TimingModel::text(const TimingRow& row, int column) const {
    const bool measured = row.measured();
    const SummaryRow& n = row.numbers;
    switch (column) {
        case backendColumn: return row.label;
        case computeColumn:
            if (measured) return formatDuration(row.numbers.compute.median);
            return row.numbers.status == RunStatus::failed      ? tr("failed")
                   : row.numbers.status == RunStatus::skipped   ? tr("skipped")
                   : row.numbers.status == RunStatus::cancelled ? tr("cancelled")
                                                                : tr("waiting");
        case intervalColumn:
            if (!measured) return {};
            return tr("%1 – %2").arg(formatDuration(row.numbers.compute.medianInterval.low),
                                     formatDuration(row.numbers.compute.medianInterval.high));
        case endToEndColumn: return measured ? formatDuration(row.numbers.endToEnd.median) : QString();
        case speedupColumn:
            return row.numbers.isBaseline && measured ? tr("baseline")
                   : n.computeSpeedup                 ? formatFactor(n.computeSpeedup->ratio)
                                                      : QString();
        case errorColumn:
            if (row.numbers.verification == Verification::notDone) return measured ? tr("not verified") : QString();
            return (row.numbers.verification == Verification::agrees         ? QStringLiteral("✓ ")
                    : row.numbers.verification == Verification::inconclusive ? QStringLiteral("? ")
                                                                             : QStringLiteral("✗ ")) +
                   ui::formatError(row.numbers.maxAbsError);
        case samplesColumn: return measured ? QString::number(row.numbers.compute.count) : QString();
        case deviceColumn: {
            QString device = row.variant.isEmpty() ? row.device : tr("%1 on %2").arg(row.variant, row.device);
            if (row.threads > 0) device += QStringLiteral(", ") + formatThreads(row.threads);
            return device;
        }
        default: return {};
    }
}

QString TimingModel::tip(const TimingRow& row) const {
    QStringList lines{row.label};
    if (!row.reason.isEmpty()) lines << row.reason;
    lines << row.choices;
    if (row.measured()) {
        lines << tr("Compute: median of %1 timing samples, bootstrap 95 % interval, fastest %2")
                     .arg(row.numbers.compute.count)
                     .arg(formatDuration(row.numbers.compute.minimum));
        lines << tr("End to end: allocate + upload + compute + download");
        lines << tr("Prepare (once): %1").arg(formatDuration(row.prepare));
    }
    if (row.numbers.verification == Verification::inconclusive)
        lines << tr("Largest error %1; inconclusive, since the tolerance of this pipeline allows any result")
                     .arg(ui::formatError(row.numbers.maxAbsError));
    else if (row.numbers.verification != Verification::notDone)
        lines << tr("Largest error %1, tolerance %2 (%3)")
                     .arg(ui::formatError(row.numbers.maxAbsError), ui::formatError(row.numbers.tolerance), row.toleranceReason);
    if (row.numbers.verification == Verification::disagrees) lines << tr("No speedup is shown for a wrong result.");
    lines << row.warnings;
    return lines.join(QLatin1Char('\n'));
}

QVariant TimingModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const TimingRow& row = summary_->rows[static_cast<std::size_t>(index.row())];
    if (role == Qt::DisplayRole) return text(row, index.column());
    if (role == Qt::ToolTipRole) return tip(row);
    if (role == Qt::TextAlignmentRole) {
        const bool number = index.column() != backendColumn && index.column() != deviceColumn;
        return QVariant((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }
    return {};
}

QVariant TimingModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return QAbstractTableModel::headerData(section, orientation, role);
    if (role == Qt::ToolTipRole) {
        switch (section) {
            case computeColumn: return tr("Median compute time");
            case intervalColumn: return tr("95 % interval of the median");
            case endToEndColumn: return tr("Median of allocate + upload + compute + download; less than their sum where they overlap");
            case speedupColumn: return tr("Compute time of the baseline divided by this compute time");
            case errorColumn: return tr("Largest absolute error against the reference; ✓ means within tolerance");
            case deviceColumn: return tr("Variant, device and threads of the run; the tooltip of a row says why this variant was chosen");
            case samplesColumn: return tr("Number of timing samples; none is dropped");
            default: return {};
        }
    }
    if (role != Qt::DisplayRole) return QAbstractTableModel::headerData(section, orientation, role);
    switch (section) {
        case backendColumn: return tr("Backend");
        case computeColumn: return tr("Compute");
        case intervalColumn: return tr("95 % interval");
        case endToEndColumn: return tr("End to end");
        case speedupColumn: return tr("Speedup");
        case errorColumn: return tr("Max error");
        case samplesColumn: return tr("Runs");
        case deviceColumn: return tr("Ran on");
        default: return {};
    }
}

}  // namespace parallax::ui
