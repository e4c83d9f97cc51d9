// SPDX-License-Identifier: GPL-3.0-or-later
// The messages of this session.
#pragma once

#include <QAbstractTableModel>
#include <QDateTime>
#include <deque>

#include "ui/models/document/message.hpp"

namespace parallax::ui {

class MessageLog : public QAbstractTableModel {
    Q_OBJECT
public:
    static constexpr std::size_t kKept = 500;
    enum Column { timeColumn, kindColumn, textColumn, columnTotal };
    struct Entry {
        QDateTime time;  ///< of the newest repetition
        Message message;
        int count = 1;  ///< repetitions in a row
    };

    using QAbstractTableModel::QAbstractTableModel;
    void add(const Message& message, const QDateTime& time = QDateTime::currentDateTime());
    void clear();
    const Entry& entry(int row) const { return entries_[static_cast<std::size_t>(row)]; }
    /// Errors and warnings that were added since markRead().
    int unread() const { return unread_; }
    void markRead();
    /// All messages, or the given rows, as text: one line each, tab separated.
    QString toText() const;
    QString toText(const QList<int>& rows) const;
    static QString kindText(Message::Kind kind);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

signals:
    void changed();

private:
    std::deque<Entry> entries_;
    int unread_ = 0;
};

}  // namespace parallax::ui
