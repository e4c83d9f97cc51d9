// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/benchmark/timing_model.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "ui/models/benchmark/memory_text.hpp"
#include "ui/models/document/core_text.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/models/pipeline/catalog_text.hpp"
#include "ui/models/pipeline/choice_text.hpp"

namespace parallax::ui {

std::shared_ptr<const TimingSummary> summariseTimings(RunRecord record) {
    std::vector<SummaryRow> rows = summarise(record);
    return std::make_shared<const TimingSummary>(TimingSummary{std::make_shared<const RunRecord>(std::move(record)), std::move(rows)});
}

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

bool TimingModel::isEmpty(Column column) const {
    for (int row = 0; row < rowCount(); ++row)
        if (!text(static_cast<std::size_t>(row), column).isEmpty()) return false;
    return true;
}

QString TimingModel::toText() const {
    QStringList lines;
    for (int row = -1; row < rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < columnTotal; ++column) {
            const bool isOptional = std::find(kOptionalColumns.begin(), kOptionalColumns.end(), column) != kOptionalColumns.end();
            if (isOptional && isEmpty(static_cast<Column>(column))) continue;
            cells << (row < 0 ? headerData(column, Qt::Horizontal, Qt::DisplayRole) : data(index(row, column), Qt::DisplayRole)).toString();
        }
        lines << cells.join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n'));
}

int TimingModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !summary_ ? 0 : static_cast<int>(summary_->rows.size());
}
int TimingModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columnTotal; }

QString TimingModel::text(std::size_t index, int column) const {
    const SummaryRow& row = summary_->rows[index];
    const RunEntry& entry = summary_->record->entries[index];
    const bool isMeasured = measured(row);
    switch (column) {
        case backendColumn: return QString::fromStdString(row.label);
        case computeColumn:
            return isMeasured                           ? formatDuration(row.compute.median)
                   : row.status == RunStatus::failed    ? tr("failed")
                   : row.status == RunStatus::skipped   ? tr("skipped")
                   : row.status == RunStatus::cancelled ? tr("cancelled")
                                                        : tr("waiting");
        case intervalColumn:
            return !isMeasured
                       ? QString()
                       : tr("%1 – %2").arg(formatDuration(row.compute.medianInterval.low), formatDuration(row.compute.medianInterval.high));
        case endToEndColumn: return isMeasured ? formatDuration(row.endToEnd.median) : QString();
        case speedupColumn:
            return row.isBaseline && isMeasured ? tr("baseline")
                   : row.isOracle && isMeasured ? tr("oracle")
                   : row.computeSpeedup         ? formatFactor(row.computeSpeedup->ratio)
                                                : QString();
        case errorColumn:
            if (row.verification == Verification::notDone) return isMeasured ? tr("not verified") : QString();
            // A judgement is no difference from the reference: its value is in the tip.
            if (row.judgement)
                return row.verification == Verification::holds       ? tr("✓ holds")
                       : row.verification == Verification::disagrees ? tr("✗ fails")
                                                                     : tr("inconclusive");
            return (row.verification == Verification::agrees         ? QStringLiteral("✓ ")
                    : row.verification == Verification::inconclusive ? QStringLiteral("? ")
                                                                     : QStringLiteral("✗ ")) +
                   ui::formatError(row.maxAbsError);
        case energyColumn: return entry.energy ? tr("%1 J").arg(ui::formatNumber(entry.energy->perRun())) : QString();
        case memoryColumn: return shortMemoryText(entry.memory);
        case samplesColumn: return isMeasured ? formatCount(row.compute.count) : QString();
        case deviceColumn: {
            QString device = QString::fromStdString(entry.device);
            if (!entry.variant.empty()) device = tr("%1 on %2").arg(QString::fromStdString(entry.variant), device);
            return entry.threads > 0 ? device + QStringLiteral(", ") + formatThreads(entry.threads) : device;
        }
        default: return {};
    }
}

QString TimingModel::tip(std::size_t index) const {
    const SummaryRow& row = summary_->rows[index];
    const RunEntry& entry = summary_->record->entries[index];
    QStringList lines{QString::fromStdString(row.label)};
    if (!row.reason.empty()) lines << coreText(row.reason);
    lines << choiceTexts(entry);
    if (measured(row)) {
        lines << tr("Compute: median of %1 timing samples, bootstrap 95 % interval, fastest %2")
                     .arg(formatCount(row.compute.count), formatDuration(row.compute.minimum));
        lines << tr("End to end: allocate + upload + compute + download");
        lines << tr("Prepare (once): %1").arg(formatDuration(static_cast<double>(entry.prepare[Stage::prepare])));
    }
    if (entry.energy)
        lines << tr("Energy: %1 J a run, %2 W, by %3")
                     .arg(ui::formatNumber(entry.energy->perRun()), ui::formatNumber(entry.energy->watts()),
                          QString::fromStdString(entry.energy->source));
    if (entry.memory.estimatedHost > 0 || entry.memory.host > 0) lines << memoryText(entry.memory);
    if (row.judgement)
        lines << tr("%1: %2, allowed %3; judged by the operation itself, not compared with the reference")
                     .arg(catalogText(row.judgement->criterion), ui::formatError(row.judgement->value),
                          ui::formatError(row.judgement->bound));
    else if (row.verification == Verification::inconclusive)
        lines << tr("Largest error %1; inconclusive, since the tolerance of this pipeline allows any result")
                     .arg(ui::formatError(row.maxAbsError));
    else if (row.verification != Verification::notDone)
        lines << tr("Largest error %1, tolerance %2 (%3)")
                     .arg(ui::formatError(row.maxAbsError), ui::formatError(row.tolerance), QString::fromStdString(entry.toleranceReason));
    if (row.verification == Verification::disagrees) lines << tr("No speedup is shown for a wrong result.");
    for (const std::string& warning : row.warnings) lines << coreText(warning);
    return lines.join(QLatin1Char('\n'));
}

QVariant TimingModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const auto row = static_cast<std::size_t>(index.row());
    if (role == Qt::DisplayRole) return text(row, index.column());
    if (role == Qt::ToolTipRole) return tip(row);
    if (role == Qt::TextAlignmentRole) {
        const bool number = index.column() != backendColumn && index.column() != deviceColumn;
        return QVariant((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }
    return {};
}

QVariant TimingModel::headerData(int section, Qt::Orientation orientation, int role) const {
    // Title and tooltip of each column.
    const std::array<std::pair<QString, QString>, columnTotal> columns{
        {{tr("Backend"), {}},
         {tr("Compute"), tr("Median compute time")},
         {tr("95 % interval"), tr("95 % interval of the median")},
         {tr("Speedup"),
          tr("Compute time of the baseline divided by this compute time; none for the reference, an oracle, unless it is the baseline")},
         {tr("Max error"), tr("Largest absolute error against the reference; ✓ means within tolerance")},
         {tr("End to end"), tr("Median of allocate + upload + compute + download; less than their sum where they overlap")},
         {tr("Energy"), tr("Energy of one run, measured after the timing samples with warm caches")},
         {tr("Memory"), tr("Most memory that preparation and first run took besides the input, with a device: host + device. The tooltip "
                           "of a row has the estimates.")},
         {tr("Runs"), tr("Number of timing samples; none is dropped")},
         {tr("Ran on"), tr("Variant, device and threads of the run; the tooltip of a row says why this variant was chosen")}}};
    if (orientation != Qt::Horizontal || section >= columnTotal || (role != Qt::ToolTipRole && role != Qt::DisplayRole))
        return QAbstractTableModel::headerData(section, orientation, role);
    const auto& [title, tip] = columns[static_cast<std::size_t>(section)];
    return role == Qt::DisplayRole ? title : tip.isEmpty() ? QVariant() : QVariant(tip);
}

}  // namespace parallax::ui
