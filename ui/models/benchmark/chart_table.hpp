// SPDX-License-Identifier: GPL-3.0-or-later
// Data of a chart as a table: shown beside it, read by screen readers, exported as CSV.
#pragma once

#include <QAbstractTableModel>
#include <QStringList>
#include <QVariant>
#include <QVector>

#include "ui/models/document/formatting.hpp"

namespace parallax::ui {

struct ChartColumn {
    QString key;    ///< in CSV: "median_ns"; the same in every language
    QString title;  ///< for people
    QString tip = {};
};
struct ChartCell {
    QString text;  ///< formatted for display
    QVariant raw;  ///< number or text for CSV; invalid: empty

    ChartCell() = default;
    ChartCell(const QString& words) : text(words), raw(words) {}
    ChartCell(QString shown, const QVariant& value) : text(std::move(shown)), raw(value) {}
};
inline ChartCell durationCell(double nanoseconds) { return {formatDuration(nanoseconds), nanoseconds}; }
inline ChartCell factorCell(double factor) { return {formatFactor(factor), factor}; }
inline ChartCell numberCell(double value) { return {formatNumber(value), value}; }
struct ChartRow {
    QVector<ChartCell> cells;
    int record = -1, entry = -1;  ///< run of this row; -1: none
    int series = -1;              ///< series of this row; -1: none
    QString tip = {};
};
struct ChartTable {
    QVector<ChartColumn> columns;
    QVector<ChartRow> rows;
};

class ChartTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    /// Series of a row.
    static constexpr int seriesRole = Qt::UserRole;

    using QAbstractTableModel::QAbstractTableModel;
    void setTable(ChartTable table);
    const ChartTable& table() const { return table_; }
    /// Tab separated, with a heading.
    QString toText() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    ChartTable table_;
};

/// Header and rows (RFC 4180); numbers do not depend on the locale.
QString toCsv(const ChartTable& table);

}  // namespace parallax::ui
