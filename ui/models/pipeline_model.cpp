// SPDX-License-Identifier: GPL-3.0-or-later
#include "parallax/ui/models/pipeline_model.hpp"

#include <algorithm>
#include <utility>

namespace parallax::ui {
namespace {

constexpr std::size_t kHistoryLimit = 200;

QString title(const Step& step) { return QString::fromStdString(step.operation->title()); }

}  // namespace

PipelineModel::PipelineModel(const Catalog& catalog, QObject* parent) : QAbstractListModel(parent), catalog_(&catalog) {}

int PipelineModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(pipeline_.steps.size()); }

QVariant PipelineModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || !valid(index.row())) return {};
    const Step& s = step(index.row());
    switch (role) {
        case Qt::DisplayRole: {
            const QString text = QString::fromStdString(toText(s));
            const qsizetype colon = text.indexOf(QLatin1Char(':'));
            const QString summary = colon < 0 ? tr("defaults") : text.mid(colon + 1).replace(QLatin1Char(','), QStringLiteral(", "));
            return tr("%1 · %2").arg(title(s), summary);
        }
        case Qt::ToolTipRole: return QString::fromStdString(toText(s) + "\n" + s.operation->help());
        case Qt::CheckStateRole: return s.enabled ? Qt::Checked : Qt::Unchecked;
        default: return {};
    }
}

bool PipelineModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::CheckStateRole || !index.isValid() || !valid(index.row())) return false;
    setEnabled(index.row(), value.toInt() == Qt::Checked);
    return true;
}

Qt::ItemFlags PipelineModel::flags(const QModelIndex& index) const {
    if (!index.isValid()) return Qt::NoItemFlags;
    return Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable | Qt::ItemNeverHasChildren;
}

void PipelineModel::setPipeline(Pipeline pipeline) {
    history_.clear();
    position_ = 0;
    restore(pipeline);
    emit historyChanged();
}

void PipelineModel::restore(const Pipeline& pipeline) {
    beginResetModel();
    pipeline_ = pipeline;
    endResetModel();
    emit pipelineChanged();
}

void PipelineModel::record(const QString& name, const QString& mergeKey, Pipeline before) {
    history_.resize(position_);
    // A drag of a slider is one edit, not a hundred.
    if (!mergeKey.isEmpty() && !history_.empty() && history_.back().mergeKey == mergeKey) {
        history_.back().after = pipeline_;
    } else {
        history_.push_back({name, mergeKey, std::move(before), pipeline_});
        if (history_.size() > kHistoryLimit) history_.erase(history_.begin());
    }
    position_ = history_.size();
    emit historyChanged();
    emit pipelineChanged();
}

void PipelineModel::addStep(const Operation& operation) {
    Pipeline before = pipeline_;
    beginInsertRows({}, rowCount(), rowCount());
    pipeline_.steps.push_back({&operation, ParameterBlock(operation.parameters()), true});
    endInsertRows();
    record(tr("Add %1").arg(QString::fromStdString(operation.title())), {}, std::move(before));
}

void PipelineModel::duplicateStep(int row) {
    if (!valid(row)) return;
    Pipeline before = pipeline_;
    beginInsertRows({}, row + 1, row + 1);
    pipeline_.steps.insert(pipeline_.steps.begin() + row + 1, Step(step(row)));
    endInsertRows();
    record(tr("Duplicate %1").arg(title(step(row))), {}, std::move(before));
}

void PipelineModel::removeStep(int row) {
    if (!valid(row)) return;
    Pipeline before = pipeline_;
    const QString name = title(step(row));
    beginRemoveRows({}, row, row);
    pipeline_.steps.erase(pipeline_.steps.begin() + row);
    endRemoveRows();
    record(tr("Remove %1").arg(name), {}, std::move(before));
}

void PipelineModel::moveStep(int row, int to) {
    if (!valid(row) || !valid(to) || row == to) return;
    Pipeline before = pipeline_;
    beginMoveRows({}, row, row, {}, to > row ? to + 1 : to);
    const auto begin = pipeline_.steps.begin();
    if (to > row) std::rotate(begin + row, begin + row + 1, begin + to + 1);
    else std::rotate(begin + to, begin + row, begin + row + 1);
    endMoveRows();
    record(tr("Move %1").arg(title(step(to))), {}, std::move(before));
}

void PipelineModel::setEnabled(int row, bool enabled) {
    if (!valid(row) || step(row).enabled == enabled) return;
    Pipeline before = pipeline_;
    pipeline_.steps[static_cast<std::size_t>(row)].enabled = enabled;
    emit dataChanged(index(row), index(row));
    record(enabled ? tr("Switch on %1").arg(title(step(row))) : tr("Switch off %1").arg(title(step(row))), {}, std::move(before));
}

void PipelineModel::setParameter(int row, const std::string& key, const ParameterValue& value) {
    if (!valid(row)) return;
    Step& s = pipeline_.steps[static_cast<std::size_t>(row)];
    if (s.parameters.get(key) == value) return;
    Pipeline before = pipeline_;
    s.parameters.set(key, value);
    const int position = s.parameters.table().find(key);
    const QString name = QString::fromStdString(s.parameters.table().infos().at(static_cast<std::size_t>(position)).title);
    emit dataChanged(index(row), index(row));
    emit parametersChanged(row);
    record(tr("Change %1").arg(name), QStringLiteral("%1/%2").arg(row).arg(QString::fromStdString(key)), std::move(before));
}

void PipelineModel::resetParameter(int row, const std::string& key) {
    if (!valid(row)) return;
    const ParameterTableBase& table = step(row).parameters.table();
    setParameter(row, key, table.infos().at(static_cast<std::size_t>(table.find(key))).defaultValue);
}

void PipelineModel::resetStep(int row) {
    if (!valid(row)) return;
    Pipeline before = pipeline_;
    pipeline_.steps[static_cast<std::size_t>(row)].parameters.reset();
    emit dataChanged(index(row), index(row));
    emit parametersChanged(row);
    record(tr("Reset %1").arg(title(step(row))), {}, std::move(before));
}

void PipelineModel::undo() {
    if (!canUndo()) return;
    --position_;
    restore(history_[position_].before);
    emit historyChanged();
}

void PipelineModel::redo() {
    if (!canRedo()) return;
    ++position_;
    restore(history_[position_ - 1].after);
    emit historyChanged();
}

}  // namespace parallax::ui
