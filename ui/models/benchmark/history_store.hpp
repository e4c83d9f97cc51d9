// SPDX-License-Identifier: GPL-3.0-or-later
// Past runs as report files in a folder, with a small file of facts beside each so that a list does not read all samples. Bounded in
// number and size: the oldest go. No state of its own: any thread may ask.
#pragma once

#include <QDateTime>
#include <QString>
#include <QVector>
#include <vector>

#include "core/engine/run/run_record.hpp"

namespace parallax::ui {

struct HistoryItem {
    QString id;            ///< name of the file without its ending
    QDateTime when;        ///< local time of the measurement
    QString pipeline;      ///< "convolve:size=7 → ..."
    QString input;         ///< name, without the folders
    QString extent;        ///< "1024 × 768"
    QString backends;      ///< "openmp, cuda"
    QString machine;       ///< processor
    QString sweep;         ///< axis; empty: a single comparison
    int points = 1;        ///< records
    QString importedFrom;  ///< file that it came from; empty: measured here
};

class HistoryStore {
public:
    static constexpr int kMostItems = 60;
    static constexpr qint64 kMostBytes = 512LL << 20;

    explicit HistoryStore(QString folder) : folder_(std::move(folder)) {}
    /// The folder for data of this program: $XDG_DATA_HOME/.../history.
    static QString standardFolder();

    /// Keeps a copy and removes the oldest beyond the limits. Throws Error(output) when it cannot be written. The id.
    QString add(const std::vector<RunRecord>& records, const QString& importedFrom = {}) const;
    /// The newest first. What cannot be read is left out.
    QVector<HistoryItem> list() const;
    /// Throws Error(input).
    std::vector<RunRecord> load(const QString& id) const;
    void remove(const QString& id) const;

private:
    QString pathOf(const QString& id) const;
    void trim() const;

    QString folder_;
};

}  // namespace parallax::ui
