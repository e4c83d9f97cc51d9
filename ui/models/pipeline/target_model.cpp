// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/pipeline/target_model.hpp"

#include <algorithm>

#include "core/engine/backend/backend.hpp"
#include "core/engine/backend/ranks_target.hpp"
#include "ui/models/document/core_text.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/models/pipeline/catalog_text.hpp"

namespace parallax::ui {

TargetModel::TargetModel(const Catalog& catalog, QObject* parent) : QAbstractListModel(parent), catalog_(catalog) { setPipeline({}); }

bool TargetModel::setPipeline(const Pipeline& pipeline) {
    std::vector<std::string> operations;
    for (const Step& step : pipeline.steps)
        if (step.enabled && std::find(operations.begin(), operations.end(), step.operation->id()) == operations.end())
            operations.push_back(step.operation->id());
    if (operations == operations_ && !rows_.empty()) return false;
    operations_ = std::move(operations);
    refresh();
    return true;
}

std::vector<TargetModel::Row> TargetModel::rowsOf(const Backend& backend) const {
    const QString id = QString::fromStdString(backend.id()), title = QString::fromStdString(backend.title());
    if (const Availability availability = backend.availability(); !availability.yes) {
        QString tip = tr("%1 is not available: %2.").arg(title, coreText(availability.reason));
        if (!availability.whatToDo.empty()) tip += QLatin1Char(' ') + coreText(availability.whatToDo);
        return {{id, tr("%1 (not available)").arg(id), tip, false, true}};
    }
    const auto implements = [&](const std::string& operation, const std::string& variant) {
        const auto all = catalog_.implementations(operation, backend.id());
        return std::any_of(all.begin(), all.end(), [&](const Implementation* i) { return variant.empty() || i->variant() == variant; });
    };
    for (const std::string& operation : operations_)
        if (!implements(operation, {}))
            return {{id, tr("%1 (not for these steps)").arg(id),
                     tr("%1 does not implement %2.").arg(title, catalogText(catalog_.operation(operation).title())), false, true}};
    QStringList devices;
    for (const DeviceInfo& device : backend.devices()) {
        QString text = QString::fromStdString(device.name);
        if (device.memoryTotal > 0) text += QStringLiteral(", ") + formatBytes(static_cast<double>(device.memoryTotal));
        devices << text;
    }
    std::vector<Row> rows{{id, id, title + QLatin1Char('\n') + devices.join(QLatin1Char('\n')), true, true}};
    for (int count = 2; count <= devices.size(); ++count) {
        const QString label = QStringLiteral("%1@%2").arg(id).arg(count);
        rows.push_back({label, label, tr("%1 on %2 devices that each have a part of the image").arg(title).arg(count), true, false});
    }
    const bool onRanks = runsOnlyWhenNamed(backend.id());
    // A named variant must implement every step.
    for (const Implementation* implementation : backend.implementations()) {
        const std::string variant = implementation->variant();
        if (onRanks && variant.find('.') != std::string::npos) continue;  // can be named, but the list would be long
        if (!std::all_of(operations_.begin(), operations_.end(), [&](const std::string& o) { return implements(o, variant); })) continue;
        const QString label = id + QLatin1Char('.') + QString::fromStdString(variant);
        if (std::any_of(rows.begin(), rows.end(), [&](const Row& row) { return row.label == label; })) continue;
        // Variants of the same name differ from operation to operation: describe the one of the first step.
        if (!operations_.empty() && implementation->operation() != operations_.front()) continue;
        rows.push_back({label, label, QString::fromStdString(implementation->summary()), true, false});
    }
    // A backend with a single variant needs no second row.
    if (rows.size() == 2 && devices.size() < 2) rows.pop_back();
    for (const ModeInfo& mode : backend.modes()) {
        const QString label = id + QLatin1Char('+') + QString::fromStdString(toText(mode.modes));
        rows.push_back({label, label, QString::fromStdString(mode.summary), true, false});
    }
    return rows;
}

int TargetModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(rows_.size()); }

QVariant TargetModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const Row& row = rows_[static_cast<std::size_t>(index.row())];
    if (role == Qt::DisplayRole) return row.isBackend ? row.title : QStringLiteral("    ") + row.title;
    if (role == Qt::ToolTipRole) return row.tip;
    if (role == labelRole) return row.label;
    return {};
}

Qt::ItemFlags TargetModel::flags(const QModelIndex& index) const {
    if (!index.isValid() || index.row() >= rowCount()) return Qt::NoItemFlags;
    return rows_[static_cast<std::size_t>(index.row())].available ? Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren
                                                                  : Qt::ItemNeverHasChildren;
}

void TargetModel::refresh() {
    beginResetModel();
    rows_.clear();
    for (const auto& backend : catalog_.backends())
        for (Row& row : rowsOf(*backend)) rows_.push_back(std::move(row));
    endResetModel();
}

int TargetModel::findOrList(const QString& label) {
    if (const int row = find(label); row >= 0) return row;
    const Target target = parseTarget(label.toStdString());
    // The number of ranks is chosen beside the list.
    if (const QString name = label.section(QLatin1Char('@'), 0, 0); runsOnlyWhenNamed(target.backend) && name != label)
        return findOrList(name);
    int row = find(QString::fromStdString(target.backend));
    if (row < 0) return -1;
    const bool available = rows_[static_cast<std::size_t>(row)].available;
    const QString tip = rows_[static_cast<std::size_t>(row)].tip;
    do ++row;
    while (row < rowCount() && !rows_[static_cast<std::size_t>(row)].isBackend);
    beginInsertRows({}, row, row);
    rows_.insert(rows_.begin() + row, {label, label, tip, available, false});
    endInsertRows();
    return row;
}

int TargetModel::find(const QString& label) const {
    for (std::size_t i = 0; i < rows_.size(); ++i)
        if (rows_[i].label == label) return static_cast<int>(i);
    return -1;
}

QStringList TargetModel::availableBackends() const {
    QStringList labels;
    for (const Row& row : rows_)
        if (row.available && row.isBackend) labels << row.label;
    return labels;
}

}  // namespace parallax::ui
