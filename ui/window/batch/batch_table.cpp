// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/batch/batch_table.hpp"

#include <QColor>
#include <QFile>
#include <QFileInfo>
#include <algorithm>
#include <functional>
#include <set>

#include "ui/models/document/core_text.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/models/document/input_name.hpp"
#include "ui/models/document/message.hpp"
#include "ui/theme/theme.hpp"

namespace parallax::ui {
namespace {

QString nameOf(const std::string& path) { return QFile::decodeName(QByteArray::fromStdString(path)); }

QString shortName(const std::string& input) {
    const QString name = nameOf(input);
    return isGeneratedInput(name) ? name : QFileInfo(name).fileName();
}

QString stateText(BatchState state) {
    switch (state) {
        case BatchState::waiting: return {};
        case BatchState::running: return BatchTable::tr("running …");
        case BatchState::done: return BatchTable::tr("done");
        case BatchState::upToDate: return BatchTable::tr("up to date");
        case BatchState::failed: return BatchTable::tr("failed");
        case BatchState::notRun: return BatchTable::tr("not run");
    }
    return {};
}

}  // namespace

void BatchTable::add(const std::vector<std::string>& inputs) {
    beginResetModel();
    std::set<std::string> known(inputs_.begin(), inputs_.end());
    for (const std::string& input : inputs)
        if (known.insert(input).second) inputs_.push_back(input);
    results_.assign(inputs_.size(), {});
    items_.clear();
    endResetModel();
}

void BatchTable::removeItems(QList<int> rows) {
    beginResetModel();
    std::sort(rows.begin(), rows.end(), std::greater<>());
    for (const int row : rows) inputs_.erase(inputs_.begin() + row);
    results_.assign(inputs_.size(), {});
    items_.clear();
    endResetModel();
}

void BatchTable::setItems(std::vector<BatchItem> items) {
    items_ = std::move(items);
    results_.assign(inputs_.size(), {});
    if (!inputs_.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
}

void BatchTable::setResult(int row, const BatchResult& result) {
    results_[static_cast<std::size_t>(row)] = result;
    emit dataChanged(index(row, 0), index(row, kColumns - 1));
}

int BatchTable::count(BatchState state) const {
    return static_cast<int>(std::count_if(results_.begin(), results_.end(), [&](const BatchResult& r) { return r.state == state; }));
}

int BatchTable::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(inputs_.size()); }
int BatchTable::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(kColumns); }

QString BatchTable::text(std::size_t row, int column) const {
    const BatchResult& r = results_[row];
    switch (column) {
        case kInput: return shortName(inputs_[row]);
        case kOutput: return row < items_.size() ? QFileInfo(nameOf(items_[row].output)).fileName() : QString();
        case kSize: return r.state == BatchState::done ? formatExtent(r.shape.width, r.shape.height, r.shape.depth) : QString();
        case kState: return stateText(r.state);
        case kTime: return r.state == BatchState::done ? formatDuration(static_cast<double>(r.wholeNs)) : QString();
        case kMessage: {
            // Summaries repeat the name of the file.
            if (r.error) return coreText(r.error->why().empty() ? r.error->summary() : r.error->why());
            QStringList notes;
            for (const std::string& note : r.notes) notes << coreText(note);
            return notes.join(QLatin1Char(' '));
        }
        default: return {};
    }
}

QVariant BatchTable::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const auto row = static_cast<std::size_t>(index.row());
    if (role == Qt::DisplayRole) return text(row, index.column());
    if (role == Qt::ToolTipRole) {
        if (index.column() == kInput) return nameOf(inputs_[row]);
        if (index.column() == kOutput && row < items_.size()) return nameOf(items_[row].output);
        if (index.column() == kMessage && results_[row].error) return toMessage(*results_[row].error, {}).plainText();
        return text(row, index.column());
    }
    if (role == Qt::ForegroundRole && results_[row].state == BatchState::failed && (index.column() == kState || index.column() == kMessage))
        return QColor(currentTheme().error);
    if (role == Qt::TextAlignmentRole && index.column() == kTime) return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    return {};
}

QVariant BatchTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole && section == kTime) return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    switch (section) {
        case kInput: return tr("Input");
        case kOutput: return tr("Output");
        case kSize: return tr("Size");
        case kState: return tr("State");
        case kTime: return tr("Time");
        case kMessage: return tr("Problem or note");
        default: return {};
    }
}

}  // namespace parallax::ui
