// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the session that goes beyond one measurement: sweeps, roofs of the machine, past runs and what is compared with them.
// Works in the session's threads, under its progress and its cancel.
#pragma once

#include <QObject>
#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "core/measure/sweeps/sweep.hpp"
#include "ui/models/benchmark/history_store.hpp"
#include "ui/models/benchmark/lab_records.hpp"
#include "ui/models/benchmark/past_comparison.hpp"
#include "ui/models/benchmark/roofline_data.hpp"
#include "ui/models/benchmark/timing_summary.hpp"

namespace parallax::ui {

class Session;

class Lab : public QObject {
    Q_OBJECT
public:
    /// How the keys of jobs begin that write what was measured: no cancel stops them.
    static constexpr QLatin1String kKeep{"keep "};

    explicit Lab(Session& session);
    /// Writes what has been measured and not been written. The threads of the session have ended before.
    ~Lab() override;

    /// What can be swept over with the open image and the pipeline as it is; empty without an image.
    std::vector<SweepAxis> axes() const;
    /// "size=512,1024": measures the available backends, A and B at each value. A cancel keeps the points that are done.
    void sweep(const QString& text, const QString& effort);
    bool sweeping() const { return sweeping_; }
    /// "Point 2 of 5 (size=512), about 20 s left"; what is left of it after the end: "Cancelled after 2 of 5 points", or nothing.
    const QString& sweepState() const { return sweepState_; }
    /// The last sweep over the number of threads, and the last over anything else; null if none.
    const std::shared_ptr<const LabRecords>& scaling() const { return scaling_; }
    const std::shared_ptr<const LabRecords>& sweepRecords() const { return sweep_; }

    /// Measures what this machine can do at most, and keeps it for other sessions.
    void measureRoofs();
    bool measuringRoofs() const;
    const std::shared_ptr<const RooflineData>& roofline() const { return roofline_; }
    /// That a point of the roofline is about; null if it is gone.
    const RunRecord* rooflineRecord(int index) const {
        return index >= 0 && index < static_cast<int>(rooflineRecords_.size()) ? &rooflineRecords_[static_cast<std::size_t>(index)]
                                                                               : nullptr;
    }

    /// Speedups of the shown record refer to this entry from now on.
    void setBaseline(const QString& label);

    // Past runs.
    const QVector<HistoryItem>& history() const { return items_; }
    void refreshHistory();
    /// Shows a report from elsewhere and adds it to the history.
    void openReport(const QString& path);
    void showPast(const QString& id);
    void compareWith(const QString& id);
    void removePast(const QString& id);
    const std::shared_ptr<const PastComparison>& comparison() const { return comparison_; }
    /// Where the session's record is from; empty: measured in this session.
    QString recordSource() const;

    /// A measurement has ended: it is kept, and its roofline made.
    void recordMeasured(const std::shared_ptr<const RunRecord>& record);

signals:
    void sweepChanged();
    void rooflineChanged();
    void historyChanged();
    void comparisonChanged();
    /// A report from elsewhere, or a past run, is shown now.
    void reportShown(bool isSweep);

private:
    struct Loaded {
        std::vector<RunRecord> records;
        std::shared_ptr<const RunRecord> record;
        std::shared_ptr<const TimingSummary> summary;
        std::shared_ptr<const LabRecords> lab;
        QString source;
    };
    /// What goes into the history. `begun` is set by who writes it.
    struct Kept {
        std::vector<RunRecord> records;
        std::atomic<bool> begun = false;
    };
    static void prepareLoaded(Loaded& loaded);
    void show(const Loaded& loaded);
    void take(const std::shared_ptr<const LabRecords>& lab);
    void endSweep();
    void keep(std::vector<RunRecord> records);
    /// The part takes the place of the last one of its kind, benchmark or sweep, and the roofline is made anew.
    void addToRoofline(RooflinePart part);
    void makeRoofline();
    const HistoryItem* item(const QString& id) const;

    Session& session_;
    HistoryStore store_;
    bool sweeping_ = false;
    QString sweepState_;
    std::size_t sweepDone_ = 0, sweepPlanned_ = 0;
    std::shared_ptr<const LabRecords> scaling_, sweep_, running_;
    std::shared_ptr<const RooflineData> roofline_;
    std::array<RooflinePart, 2> rooflineParts_;  // benchmark and sweep
    bool sweepIsNewer_ = false;
    std::vector<RunRecord> rooflineRecords_;  // of those, what is shown
    QVector<HistoryItem> items_;
    int kept_ = 0;  // so far, for keys of jobs
    std::vector<std::shared_ptr<Kept>> unwritten_;
    std::shared_ptr<const PastComparison> comparison_;
    std::weak_ptr<const RunRecord> loaded_;
    QString loadedSource_;
};

/// How a past run is named: "21.11.2026 13:40".
QString describe(const HistoryItem& item);

}  // namespace parallax::ui
