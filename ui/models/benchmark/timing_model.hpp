// SPDX-License-Identifier: GPL-3.0-or-later
// The timing table: data of the charts for screen readers and for copying.
#pragma once

#include <QAbstractTableModel>
#include <memory>

#include "ui/models/benchmark/timing_summary.hpp"

namespace parallax::ui {

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
        samplesColumn,
        deviceColumn,
        columnTotal
    };

    using QAbstractTableModel::QAbstractTableModel;
    void setSummary(std::shared_ptr<const TimingSummary> summary);
    /// Tab separated, with a heading.
    QString toText() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString text(const TimingRow& row, int column) const;
    QString tip(const TimingRow& row) const;

    std::shared_ptr<const TimingSummary> summary_;
};

}  // namespace parallax::ui
