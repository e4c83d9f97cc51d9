// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/benchmark/chart_table.hpp"

namespace parallax::ui {
namespace {

bool isNumber(const QVariant& value) { return value.isValid() && value.typeId() != QMetaType::QString; }

QString field(const QVariant& value) {
    if (value.typeId() == QMetaType::Double) return QString::number(value.toDouble(), 'g', 12);
    QString text = value.toString();
    if (!text.contains(QLatin1Char(',')) && !text.contains(QLatin1Char('"')) && !text.contains(QLatin1Char('\n'))) return text;
    return QLatin1Char('"') + text.replace(QLatin1Char('"'), QLatin1String("\"\"")) + QLatin1Char('"');
}

}  // namespace

void ChartTableModel::setTable(ChartTable table) {
    bool same = table.rows.size() == table_.rows.size() && table.columns.size() == table_.columns.size();
    for (qsizetype i = 0; same && i < table.columns.size(); ++i) same = table.columns[i].key == table_.columns[i].key;
    // Live updates keep rows, selection and scroll position.
    if (same) {
        table_ = std::move(table);
        if (rowCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
        return;
    }
    beginResetModel();
    table_ = std::move(table);
    endResetModel();
}

QString ChartTableModel::toText() const {
    QStringList lines, cells;
    for (const ChartColumn& c : table_.columns) cells << c.title;
    lines << cells.join(QLatin1Char('\t'));
    for (const ChartRow& row : table_.rows) {
        cells.clear();
        for (const ChartCell& cell : row.cells) cells << cell.text;
        lines << cells.join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n'));
}

int ChartTableModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(table_.rows.size()); }
int ChartTableModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(table_.columns.size()); }

QVariant ChartTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const ChartRow& row = table_.rows[index.row()];
    if (index.column() >= row.cells.size()) return {};
    const ChartCell& cell = row.cells[index.column()];
    if (role == Qt::DisplayRole) return cell.text;
    if (role == seriesRole) return row.series;
    if (role == Qt::ToolTipRole) return row.tip.isEmpty() ? QVariant() : QVariant(row.tip);
    if (role == Qt::TextAlignmentRole) return QVariant((isNumber(cell.raw) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    return {};
}

QVariant ChartTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section >= table_.columns.size())
        return QAbstractTableModel::headerData(section, orientation, role);
    if (role == Qt::DisplayRole) return table_.columns[section].title;
    if (role == Qt::ToolTipRole && !table_.columns[section].tip.isEmpty()) return table_.columns[section].tip;
    return role == Qt::ToolTipRole ? QVariant() : QAbstractTableModel::headerData(section, orientation, role);
}

QString toCsv(const ChartTable& table) {
    QStringList lines, cells;
    for (const ChartColumn& c : table.columns) cells << c.key;
    lines << cells.join(QLatin1Char(','));
    for (const ChartRow& row : table.rows) {
        cells.clear();
        for (const ChartCell& cell : row.cells) cells << field(cell.raw);
        lines << cells.join(QLatin1Char(','));
    }
    return lines.join(QStringLiteral("\r\n")) + QStringLiteral("\r\n");
}

}  // namespace parallax::ui
