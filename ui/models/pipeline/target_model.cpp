// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/pipeline/target_model.hpp"

#include "ui/models/document/formatting.hpp"

namespace parallax::ui {

TargetModel::TargetModel(const Catalog& catalog, QObject* parent) : QAbstractListModel(parent) {
    for (const auto& backend : catalog.backends()) {
        const QString id = QString::fromStdString(backend->id());
        const QString title = QString::fromStdString(backend->title());
        const Availability availability = backend->availability();
        if (!availability.yes) {
            QString tip = tr("%1 is not available: %2.").arg(title, QString::fromStdString(availability.reason));
            if (!availability.whatToDo.empty()) tip += QLatin1Char(' ') + QString::fromStdString(availability.whatToDo);
            rows_.push_back({id, tr("%1 (not available)").arg(id), tip, false, true});
            continue;
        }
        QStringList devices;
        for (const DeviceInfo& device : backend->devices()) {
            QString text = QString::fromStdString(device.name);
            if (device.memoryTotal > 0) text += QStringLiteral(", ") + formatBytes(static_cast<double>(device.memoryTotal));
            devices << text;
        }
        rows_.push_back({id, id, title + QLatin1Char('\n') + devices.join(QLatin1Char('\n')), true, true});
        QStringList seen;
        for (const Implementation* implementation : backend->implementations()) {
            const QString variant = QString::fromStdString(implementation->variant());
            if (seen.contains(variant)) continue;
            seen << variant;
            rows_.push_back({id + QLatin1Char('.') + variant, id + QLatin1Char('.') + variant,
                             QString::fromStdString(implementation->summary()), true, false});
        }
        // A backend with a single variant needs no second row.
        if (seen.size() == 1) rows_.pop_back();
        for (const ModeInfo& mode : backend->modes()) {
            const QString label = id + QLatin1Char('+') + QString::fromStdString(toText(mode.modes));
            rows_.push_back({label, label, QString::fromStdString(mode.summary), true, false});
        }
    }
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

int TargetModel::findOrList(const QString& label) {
    if (const int row = find(label); row >= 0) return row;
    const Target target = parseTarget(label.toStdString());
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
