// SPDX-License-Identifier: GPL-3.0-or-later
// Past runs as report files in a folder, each with a small summary file, so that listing reads no samples. Limited in number and size; the
// oldest are removed. Stateless, so any thread may call it.
#pragma once

#include <QDateTime>
#include <QFileInfo>
#include <QString>
#include <QStringList>
#include <QVector>
#include <vector>

#include "core/report/record/compare.hpp"

namespace parallax::ui {

struct HistoryItem {
    QString id;            ///< file name without extension
    QDateTime when;        ///< local time of the measurement
    QStringList recipe;    ///< enabled steps, as in a record: "convolve:size=7"
    QString input;         ///< name, without the folders
    QString extent;        ///< "1024 × 768"
    QString backends;      ///< "openmp, cuda"
    QString machine;       ///< CPU
    QString sweep;         ///< axis; empty: a single comparison
    int points = 1;        ///< records
    QString importedFrom;  ///< imported file; empty: measured here

    /// Whether these records are the ones of this item.
    bool isOf(const std::vector<RunRecord>& records) const;
};

/// A run compared with a past one.
struct PastComparison {
    QString baseline;  ///< name of the baseline for display
    RecordComparison result;
};
/// A run compared with several, in the order of the series of the chart.
using PastComparisons = std::vector<PastComparison>;

struct HistoryLimits {
    bool keeps = true;  ///< false: nothing is added
    int runs = 60;
    int days = 0;  ///< age; 0: any
};

class HistoryStore {
public:
    static constexpr qint64 kMaxBytes = 512LL << 20;

    explicit HistoryStore(QString folder) : folder_(std::move(folder)) {}
    /// For runs that are added later.
    void setLimits(const HistoryLimits& limits) { limits_ = limits; }
    /// The folder for data of this program: $XDG_DATA_HOME/parallax/history.
    static QString standardFolder();
    /// The folder of the baselines beside it, which the command line shares.
    static QString baselineFolder();
    /// Moves the runs of the former folder, $XDG_DATA_HOME/parallax/parallax/history, to the standard one.
    static void moveOldFolder();

    /// Stores a copy, removes the oldest beyond the limits and returns the id; empty if the limits keep nothing. Throws Error(output) if it
    /// cannot be written.
    QString add(const std::vector<RunRecord>& records, const QString& importedFrom = {}) const;
    /// Newest first, without unreadable files.
    QVector<HistoryItem> list() const;
    /// Throws Error(input).
    std::vector<RunRecord> load(const QString& id) const;
    void remove(const QString& id) const;
    /// Removes the oldest beyond the limits.
    void trim() const;

private:
    QString pathOf(const QString& id) const;
    QFileInfoList reports() const;  ///< newest first

    QString folder_;
    HistoryLimits limits_;
};

}  // namespace parallax::ui
