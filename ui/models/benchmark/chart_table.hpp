// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers of a chart as a table: what stands beside it, what a screen reader reads, and what its CSV holds.
#pragma once

#include <QAbstractTableModel>
#include <QStringList>
#include <QVariant>
#include <QVector>

namespace parallax::ui {

struct ChartColumn {
    QString key;    ///< in CSV: "median_ns"; the same in every language
    QString title;  ///< for people
    QString tip;
};
struct ChartCell {
    QString text;  ///< as people read it
    QVariant raw;  ///< number or text for CSV; invalid: empty

    ChartCell() = default;
    ChartCell(const QString& words) : text(words), raw(words) {}
    ChartCell(QString shown, const QVariant& value) : text(std::move(shown)), raw(value) {}
};
struct ChartRow {
    QVector<ChartCell> cells;
    int record = -1, entry = -1;  ///< the run that it is about; -1: none
    int series = -1;              ///< of which it is a part in the chart; -1: none
    QString tip;
};
struct ChartTable {
    QVector<ChartColumn> columns;
    QVector<ChartRow> rows;
};

class ChartTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    /// Number of the series of a row.
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

/// Header and rows after RFC 4180; numbers do not depend on the locale.
QString toCsv(const ChartTable& table);

}  // namespace parallax::ui
