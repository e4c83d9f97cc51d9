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

QString changeName(const ParameterInfo& info, const ParameterValue& before, const ParameterValue& after) {
    constexpr qsizetype kLongest = 24;
    const QString name = catalogText(info.title), from = valueText(info, before), to = valueText(info, after);
    if (info.multiline || from.size() > kLongest || to.size() > kLongest || from.isEmpty() || to.isEmpty())
        return PipelineModel::tr("Change %1").arg(name);
    return PipelineModel::tr("%1 %2 → %3").arg(name, from, to);
}

}  // namespace

PipelineModel::PipelineModel(const Catalog& catalog, QObject* parent) : QAbstractListModel(parent), catalog_(&catalog) {}

int PipelineModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(pipeline().steps.size()); }

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

void PipelineModel::clearHistory() {
    history_.clear();
    position_ = 0;
    joinable_ = false;
    emit historyChanged();
}

void PipelineModel::setPipeline(Pipeline pipeline) {
    CompareSetup setup = setup_;
    for (PaneSetup& pane : setup.panes) pane.steps.reset();
    setup.shared = std::move(pipeline);
    restore(std::move(setup));
}

void PipelineModel::restore(CompareSetup setup) {
    goTo(setup);
    clearHistory();
}

void PipelineModel::take(CompareSetup setup) {
    const Side active = setup.has(active_) ? active_ : Side::a, reference = setup_.reference;
    const bool rows = !sameSteps(pipeline(), setup.stepsOf(active));
    if (rows) beginResetModel();
    setup_ = std::move(setup);
    activate(active, rows, reference);
}

void PipelineModel::goTo(const CompareSetup& setup) {
    const bool steps = !sameStepsEverywhere(setup, setup_);
    take(setup);
    announce(steps);
}

void PipelineModel::announce(bool steps) {
    emit setupChanged();
    if (steps) emit pipelineChanged();
}

void PipelineModel::activate(Side side, bool rows, Side referenceBefore) {
    const Side activeBefore = active_, subjectBefore = subject_;
    active_ = side;
    if (active_ != setup_.reference) subject_ = active_;
    else if (subject_ == setup_.reference || !setup_.has(subject_)) subject_ = setup_.reference == Side::a ? Side::b : Side::a;
    // Slots of these signals ask for the pair, so it is chosen before.
    if (rows) endResetModel();
    if (active_ != activeBefore) emit activeChanged();
    if (subject_ != subjectBefore || setup_.reference != referenceBefore) emit pairChanged();
}

void PipelineModel::setActive(Side side) {
    if (side == active_ || !setup_.has(side)) return;
    const bool rows = !sameSteps(pipeline(), setup_.stepsOf(side));
    joinable_ = false;
    if (rows) beginResetModel();
    activate(side, rows, setup_.reference);
}

void PipelineModel::setTargetSilently(Side side, const Target& target, bool automatic) {
    setup_.pane(side).target = target;
    setup_.pane(side).automatic = automatic;
}

void PipelineModel::replaceSetup(CompareSetup setup, const QString& name) {
    if (sameSetup(setup, setup_)) return;
    CompareSetup before = setup_;
    take(std::move(setup));
    record(name, {}, std::move(before));
}

void PipelineModel::replacePipeline(Pipeline pipeline, const QString& name) {
    if (sameSteps(pipeline, this->pipeline())) return;
    CompareSetup before = setup_;
    beginResetModel();
    edited() = std::move(pipeline);
    endResetModel();
    record(name, {}, std::move(before));
}

void PipelineModel::record(const QString& name, const QString& mergeKey, CompareSetup before) {
    const bool steps = !sameStepsEverywhere(before, setup_);
    history_.resize(position_);
    if (joins(mergeKey)) {
        Edit& edit = history_.back();
        edit.name = name;
        edit.after = setup_;
        edit.bytes = bytesOf(edit.before) + bytesOf(edit.after);
        // Back at the start, so there is nothing to undo, except during a drag that may continue.
        if (!merging_ && sameSetup(edit.before, edit.after)) {
            history_.pop_back();
            joinable_ = false;
        }
    } else {
        const std::size_t bytes = bytesOf(before) + bytesOf(setup_);
        history_.push_back({name, mergeKey, std::move(before), setup_, bytes, {}, {}});
        joinable_ = !mergeKey.isEmpty();
    }
    position_ = history_.size();
    trim();
    sinceEdit_.start();
    emit historyChanged();
    announce(steps);
}

void PipelineModel::recordView(const QString& name, std::function<void()> undo, std::function<void()> redo) {
    history_.resize(position_);
    history_.push_back({name, {}, {}, {}, sizeof(Edit), std::move(undo), std::move(redo)});
    joinable_ = false;
    trim();
    emit historyChanged();
}

void PipelineModel::forgetViewEdits() {
    const auto isView = [](const Edit& edit) { return edit.undo != nullptr; };
    const auto position = history_.begin() + static_cast<std::ptrdiff_t>(position_);
    position_ -= static_cast<std::size_t>(std::count_if(history_.begin(), position, isView));
    if (std::erase_if(history_, isView) > 0) emit historyChanged();
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
    if (joinable_ && position_ == history_.size() && canUndo() && sameSetup(history_.back().before, history_.back().after)) {
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
    CompareSetup before = setup_;
    beginInsertRows({}, rowCount(), rowCount());
    edited().steps.push_back({&operation, ParameterBlock(operation.parameters()), true});
    endInsertRows();
    record(tr("Add %1").arg(catalogText(operation.title())), {}, std::move(before));
}

void PipelineModel::duplicateStep(int row) {
    if (!valid(row)) return;
    CompareSetup before = setup_;
    beginInsertRows({}, row + 1, row + 1);
    edited().steps.insert(edited().steps.begin() + row + 1, Step(step(row)));
    endInsertRows();
    record(tr("Duplicate %1").arg(title(step(row))), {}, std::move(before));
}

void PipelineModel::removeStep(int row) {
    if (!valid(row)) return;
    CompareSetup before = setup_;
    const QString name = title(step(row));
    beginRemoveRows({}, row, row);
    edited().steps.erase(edited().steps.begin() + row);
    endRemoveRows();
    record(tr("Remove %1").arg(name), {}, std::move(before));
}

void PipelineModel::moveStep(int row, int to) {
    if (!valid(row) || !valid(to) || row == to) return;
    CompareSetup before = setup_;
    beginMoveRows({}, row, row, {}, to > row ? to + 1 : to);
    const auto begin = edited().steps.begin();
    if (to > row) std::rotate(begin + row, begin + row + 1, begin + to + 1);
    else std::rotate(begin + to, begin + row, begin + row + 1);
    endMoveRows();
    record(tr("Move %1").arg(title(step(to))), {}, std::move(before));
}

void PipelineModel::setEnabled(int row, bool enabled) {
    if (!valid(row) || step(row).enabled == enabled) return;
    CompareSetup before = setup_;
    edited().steps[static_cast<std::size_t>(row)].enabled = enabled;
    emit dataChanged(index(row), index(row));
    record(enabled ? tr("Switch on %1").arg(title(step(row))) : tr("Switch off %1").arg(title(step(row))), {}, std::move(before));
}

void PipelineModel::setParameter(int row, const std::string& key, const ParameterValue& value) {
    if (!valid(row)) return;
    Step& s = edited().steps[static_cast<std::size_t>(row)];
    if (s.parameters.get(key) == value) return;
    CompareSetup before = setup_;
    s.parameters.set(key, value);
    // A matrix that comes into play empty would be an error before anything could be typed: it begins as one that changes nothing.
    for (const ParameterInfo& each : s.parameters.table().infos())
        if (!each.startText.empty() && each.shownIfKey == key && s.parameters.isShown(each.key) && s.parameters.text(each.key).empty())
            s.parameters.setText(each.key, each.startText);
    const QString mergeKey = QStringLiteral("%1/%2/%3").arg(letterOf(active_)).arg(row).arg(QString::fromStdString(key));
    const ParameterInfo& info = s.parameters.table().infos().at(static_cast<std::size_t>(s.parameters.table().find(key)));
    // A merged edit is named after its first value.
    const CompareSetup& start = joins(mergeKey) ? history_[position_ - 1].before : before;
    const QString name =
        changeName(info, start.stepsOf(active_).steps.at(static_cast<std::size_t>(row)).parameters.get(key), s.parameters.get(key));
    emit dataChanged(index(row), index(row));
    emit parametersChanged(row);
    record(name, mergeKey, std::move(before));
}

void PipelineModel::setParameters(int row, const ParameterBlock& values, const QString& name) {
    if (!valid(row) || step(row).parameters == values) return;
    CompareSetup before = setup_;
    edited().steps[static_cast<std::size_t>(row)].parameters = values;
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
    const Edit edit = history_[--position_];
    joinable_ = false;
    if (edit.undo) edit.undo();
    else goTo(edit.before);
    emit historyChanged();
}

void PipelineModel::redo() {
    if (!canRedo()) return;
    const Edit edit = history_[position_++];
    joinable_ = false;
    if (edit.redo) edit.redo();
    else goTo(edit.after);
    emit historyChanged();
}

}  // namespace parallax::ui
