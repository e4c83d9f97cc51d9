// SPDX-License-Identifier: GPL-3.0-or-later
// The timing table: data of the charts for screen readers and for copying.
#pragma once

#include <QAbstractTableModel>
#include <array>
#include <memory>
#include <vector>

#include "core/engine/run/run_record.hpp"
#include "core/report/record/summary.hpp"

namespace parallax::ui {

/// A record with its summary, made in the measuring thread because bootstrap intervals are slow.
struct TimingSummary {
    std::shared_ptr<const RunRecord> record;
    std::vector<SummaryRow> rows;  ///< of its entries
};
std::shared_ptr<const TimingSummary> summariseTimings(RunRecord record);

inline bool measured(const SummaryRow& row) { return row.compute.count > 0; }

class TimingModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        backendColumn,
        computeColumn,
        intervalColumn,
        speedupColumn,
        errorColumn,
        endToEndColumn,
        energyColumn,
        memoryColumn,
        samplesColumn,
        deviceColumn,
        columnTotal
    };

    using QAbstractTableModel::QAbstractTableModel;
    void setSummary(std::shared_ptr<const TimingSummary> summary);
    /// Columns that are left out while they are empty.
    static constexpr std::array kOptionalColumns{energyColumn, memoryColumn};
    bool isEmpty(Column column) const;
    /// Tab separated, with a heading; without optional columns that are empty.
    QString toText() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString text(std::size_t row, int column) const;
    QString tip(std::size_t row) const;

    std::shared_ptr<const TimingSummary> summary_;
};

}  // namespace parallax::ui
