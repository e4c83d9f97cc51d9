// SPDX-License-Identifier: GPL-3.0-or-later
// Inputs of a batch, with what becomes of them.
#pragma once

#include <QAbstractTableModel>
#include <QStringList>
#include <vector>

#include "core/io/batch/batch.hpp"

namespace parallax::ui {

class BatchTable : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { kInput, kOutput, kSize, kState, kTime, kMessage, kColumns };

    using QAbstractTableModel::QAbstractTableModel;

    const std::vector<std::string>& inputs() const { return inputs_; }
    /// Adds inputs that are not there yet.
    void add(const std::vector<std::string>& inputs);
    void removeItems(QList<int> rows);
    /// Outputs of all inputs, or none; results are forgotten.
    void setItems(std::vector<BatchItem> items);
    const std::vector<BatchItem>& items() const { return items_; }
    void setResult(int row, const BatchResult& result);
    const BatchResult& result(int row) const { return results_[static_cast<std::size_t>(row)]; }
    int count(BatchState state) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString text(std::size_t row, int column) const;

    std::vector<std::string> inputs_;
    std::vector<BatchItem> items_;
    std::vector<BatchResult> results_;
};

}  // namespace parallax::ui
