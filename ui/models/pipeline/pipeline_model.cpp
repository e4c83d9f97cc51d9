// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/pipeline/pipeline_model.hpp"
#include "ui/models/pipeline/catalog_text.hpp"
#include "ui/models/pipeline/step_text.hpp"

#include <QMimeData>
#include <algorithm>
#include <utility>

namespace parallax::ui {
namespace {

constexpr std::size_t kHistoryLimit = 200;
constexpr std::size_t kHistoryBytes = std::size_t{32} << 20;  // limits memory of long pasted weights
constexpr qint64 kMergeMilliseconds = 1000;
const QString kStepType = QStringLiteral("application/x-parallax-step");

QString title(const Step& step) { return catalogText(step.operation->title()); }

bool same(const Pipeline& a, const Pipeline& b) {
    return std::equal(a.steps.begin(), a.steps.end(), b.steps.begin(), b.steps.end(), [](const Step& x, const Step& y) {
        return x.operation == y.operation && x.enabled == y.enabled && x.parameters == y.parameters;
    });
}

/// Approximate size of a snapshot; only texts can be large.
std::size_t bytesOf(const Pipeline& pipeline) {
    std::size_t bytes = sizeof(Pipeline);
    for (const Step& step : pipeline.steps) {
        bytes += sizeof(Step);
        for (const ParameterInfo& info : step.parameters.table().infos()) {
            bytes += sizeof(ParameterValue);
            const ParameterValue value = step.parameters.get(info.key);
            if (const auto* text = std::get_if<std::string>(&value)) bytes += text->size();
        }
    }
    return bytes;
}

/// Formats a value for names such as "Size 5 → 7".
QString shown(const ParameterInfo& info, const ParameterValue& value) {
    if (info.kind == ParameterKind::boolean) return std::get<bool>(value) ? PipelineModel::tr("on") : PipelineModel::tr("off");
    for (const ParameterChoice& choice : info.choices)
        if (ParameterValue(choice.key) == value) return catalogText(choice.title);
    if (!info.minimumMeans.empty() &&
        (value == ParameterValue(info.minimum) || value == ParameterValue(static_cast<std::int64_t>(info.minimum))))
        return catalogText(info.minimumMeans);
    if (info.kind == ParameterKind::real) return QString::number(std::get<double>(value), 'g', 4);
    return QString::fromStdString(toText(value)).simplified();
}

QString changeName(const ParameterInfo& info, const ParameterValue& before, const ParameterValue& after) {
    constexpr qsizetype kLongest = 24;
    const QString name = catalogText(info.title), from = shown(info, before), to = shown(info, after);
    if (info.multiline || from.size() > kLongest || to.size() > kLongest || from.isEmpty() || to.isEmpty())
        return PipelineModel::tr("Change %1").arg(name);
    return PipelineModel::tr("%1 %2 → %3").arg(name, from, to);
}

}  // namespace

PipelineModel::PipelineModel(const Catalog& catalog, QObject* parent) : QAbstractListModel(parent), catalog_(&catalog) {}

int PipelineModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(pipeline_.steps.size()); }

QVariant PipelineModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || !valid(index.row())) return {};
    const Step& s = step(index.row());
    switch (role) {
        case Qt::DisplayRole: return stepText(s);
        case Qt::ToolTipRole: return QString::fromStdString(toText(s)) + QLatin1Char('\n') + catalogText(s.operation->help());
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
    if (!index.isValid()) return Qt::ItemIsDropEnabled;  // between the steps, not on one
    return Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable | Qt::ItemIsDragEnabled | Qt::ItemNeverHasChildren;
}

void PipelineModel::setPipeline(Pipeline pipeline) {
    history_.clear();
    position_ = 0;
    joinable_ = false;
    restore(pipeline);
    emit historyChanged();
}

void PipelineModel::restore(const Pipeline& pipeline) {
    beginResetModel();
    pipeline_ = pipeline;
    endResetModel();
    emit pipelineChanged();
}

void PipelineModel::replacePipeline(Pipeline pipeline, const QString& name) {
    if (same(pipeline, pipeline_)) return;
    Pipeline before = std::move(pipeline_);
    beginResetModel();
    pipeline_ = std::move(pipeline);
    endResetModel();
    record(name, {}, std::move(before));
}

void PipelineModel::record(const QString& name, const QString& mergeKey, Pipeline before) {
    history_.resize(position_);
    if (joins(mergeKey)) {
        Edit& edit = history_.back();
        edit.name = name;
        edit.after = pipeline_;
        edit.bytes = bytesOf(edit.before) + bytesOf(edit.after);
        // Back at the start, so there is nothing to undo, except during a drag that may continue.
        if (!merging_ && same(edit.before, edit.after)) {
            history_.pop_back();
            joinable_ = false;
        }
    } else {
        const std::size_t bytes = bytesOf(before) + bytesOf(pipeline_);
        history_.push_back({name, mergeKey, std::move(before), pipeline_, bytes});
        joinable_ = !mergeKey.isEmpty();
    }
    position_ = history_.size();
    trim();
    sinceEdit_.start();
    emit historyChanged();
    emit pipelineChanged();
}

bool PipelineModel::joins(const QString& mergeKey) const {
    return joinable_ && !mergeKey.isEmpty() && canUndo() && history_[position_ - 1].mergeKey == mergeKey &&
           (merging_ || sinceEdit_.elapsed() < kMergeMilliseconds);
}

void PipelineModel::trim() {
    std::size_t bytes = 0, kept = 0;
    while (kept < history_.size() && kept < kHistoryLimit) {
        bytes += history_[history_.size() - 1 - kept].bytes;
        if (kept > 0 && bytes > kHistoryBytes) break;
        ++kept;
    }
    history_.erase(history_.begin(), history_.end() - static_cast<std::ptrdiff_t>(kept));
    position_ = history_.size();
}

void PipelineModel::beginMerge() {
    merging_ = true;
    joinable_ = false;  // earlier changes are separate edits
}

void PipelineModel::endMerge() {
    if (!merging_) return;
    merging_ = false;
    if (joinable_ && position_ == history_.size() && canUndo() && same(history_.back().before, history_.back().after)) {
        history_.pop_back();
        position_ = history_.size();
        emit historyChanged();
    }
    joinable_ = false;
}

bool PipelineModel::moveRows(const QModelIndex& from, int row, int count, const QModelIndex& to, int destination) {
    if (from.isValid() || to.isValid() || count != 1 || !valid(row) || destination < 0 || destination > rowCount()) return false;
    const int target = destination > row ? destination - 1 : destination;  // counted after the removal
    if (target == row) return false;
    moveStep(row, target);
    return true;
}

QStringList PipelineModel::mimeTypes() const { return {kStepType}; }

QMimeData* PipelineModel::mimeData(const QModelIndexList& indexes) const {
    if (indexes.isEmpty()) return nullptr;
    auto* data = new QMimeData;
    data->setData(kStepType, QByteArray::number(indexes.front().row()));
    return data;
}

bool PipelineModel::canDropMimeData(const QMimeData* data, Qt::DropAction action, int, int, const QModelIndex&) const {
    return action == Qt::MoveAction && data && data->hasFormat(kStepType);
}

bool PipelineModel::dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column, const QModelIndex& parent) {
    if (!canDropMimeData(data, action, row, column, parent)) return false;
    const int destination = parent.isValid() ? parent.row() : (row < 0 ? rowCount() : row);
    bool number = false;
    const int source = data->data(kStepType).toInt(&number);
    return number && moveRows({}, source, 1, {}, destination);
}

void PipelineModel::addStep(const Operation& operation) {
    Pipeline before = pipeline_;
    beginInsertRows({}, rowCount(), rowCount());
    pipeline_.steps.push_back({&operation, ParameterBlock(operation.parameters()), true});
    endInsertRows();
    record(tr("Add %1").arg(catalogText(operation.title())), {}, std::move(before));
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
    // A matrix that comes into play empty would be an error before anything could be typed: it begins as one that changes nothing.
    for (const ParameterInfo& each : s.parameters.table().infos())
        if (!each.startText.empty() && each.shownIfKey == key && s.parameters.isShown(each.key) && s.parameters.text(each.key).empty())
            s.parameters.setText(each.key, each.startText);
    const QString mergeKey = QStringLiteral("%1/%2").arg(row).arg(QString::fromStdString(key));
    const ParameterInfo& info = s.parameters.table().infos().at(static_cast<std::size_t>(s.parameters.table().find(key)));
    // A merged edit is named after its first value.
    const Pipeline& start = joins(mergeKey) ? history_[position_ - 1].before : before;
    const QString name = changeName(info, start.steps.at(static_cast<std::size_t>(row)).parameters.get(key), s.parameters.get(key));
    emit dataChanged(index(row), index(row));
    emit parametersChanged(row);
    record(name, mergeKey, std::move(before));
}

void PipelineModel::setParameters(int row, const ParameterBlock& values, const QString& name) {
    if (!valid(row) || step(row).parameters == values) return;
    Pipeline before = pipeline_;
    pipeline_.steps[static_cast<std::size_t>(row)].parameters = values;
    emit dataChanged(index(row), index(row));
    emit parametersChanged(row);
    record(name, {}, std::move(before));
}

void PipelineModel::resetParameter(int row, const std::string& key) {
    if (!valid(row)) return;
    const ParameterTableBase& table = step(row).parameters.table();
    setParameter(row, key, table.infos().at(static_cast<std::size_t>(table.find(key))).defaultValue);
}

void PipelineModel::resetStep(int row) {
    if (valid(row)) setParameters(row, ParameterBlock(step(row).parameters.table()), tr("Reset %1").arg(title(step(row))));
}

void PipelineModel::undo() {
    if (!canUndo()) return;
    --position_;
    joinable_ = false;
    restore(history_[position_].before);
    emit historyChanged();
}

void PipelineModel::redo() {
    if (!canRedo()) return;
    ++position_;
    joinable_ = false;
    restore(history_[position_ - 1].after);
    emit historyChanged();
}

}  // namespace parallax::ui
