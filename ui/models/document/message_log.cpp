// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/document/message_log.hpp"

#include <QLocale>

namespace parallax::ui {

void MessageLog::add(const Message& message, const QDateTime& time) {
    if (message.kind != Message::Kind::information) ++unread_;
    if (!entries_.empty() && entries_.back().message.plainText() == message.plainText()) {
        entries_.back().time = time;
        ++entries_.back().count;
        const int last = rowCount() - 1;
        emit dataChanged(index(last, 0), index(last, columnTotal - 1));
        emit changed();
        return;
    }
    if (entries_.size() == kKept) {
        beginRemoveRows({}, 0, 0);
        entries_.pop_front();
        endRemoveRows();
    }
    beginInsertRows({}, rowCount(), rowCount());
    entries_.push_back({time, message});
    endInsertRows();
    emit changed();
}

void MessageLog::clear() {
    beginResetModel();
    entries_.clear();
    unread_ = 0;
    endResetModel();
    emit changed();
}

void MessageLog::markRead() {
    if (unread_ == 0) return;
    unread_ = 0;
    emit changed();
}

QString MessageLog::toText() const {
    QList<int> rows;
    for (int row = 0; row < rowCount(); ++row) rows << row;
    return toText(rows);
}

QString MessageLog::toText(const QList<int>& rows) const {
    QString text;
    for (const int row : rows) {
        const Entry& e = entry(row);
        text += QStringLiteral("%1\t%2\t%3").arg(e.time.toString(Qt::ISODate), kindText(e.message.kind), e.message.plainText());
        text += e.count > 1 ? QStringLiteral(" (%1×)\n").arg(e.count) : QStringLiteral("\n");
    }
    return text;
}

QString MessageLog::kindText(Message::Kind kind) {
    switch (kind) {
        case Message::Kind::error: return tr("Error");
        case Message::Kind::warning: return tr("Warning");
        case Message::Kind::information: break;
    }
    return tr("Note");
}

int MessageLog::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(entries_.size()); }
int MessageLog::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columnTotal; }

QVariant MessageLog::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const Entry& e = entry(index.row());
    if (role == Qt::ToolTipRole) return e.message.plainText();
    if (role != Qt::DisplayRole) return {};
    switch (index.column()) {
        case timeColumn: return QLocale().toString(e.time.time(), QStringLiteral("HH:mm:ss"));
        case kindColumn: return kindText(e.message.kind);
        default: return e.count > 1 ? tr("%1 (%2×)").arg(e.message.what).arg(e.count) : e.message.what;
    }
}

QVariant MessageLog::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role != Qt::DisplayRole || orientation != Qt::Horizontal) return {};
    switch (section) {
        case timeColumn: return tr("Time");
        case kindColumn: return tr("Kind");
        default: return tr("Message");
    }
}

}  // namespace parallax::ui
