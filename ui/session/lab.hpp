// SPDX-License-Identifier: GPL-3.0-or-later
// Sweeps, ceilings of the machine, and past runs with their comparison. Runs as tasks of the session.
#pragma once

#include <QObject>
#include <QSet>
#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/measure/sweeps/sweep.hpp"
#include "core/report/charts/chart_data.hpp"
#include "core/report/kept/baselines.hpp"
#include "ui/models/benchmark/history_store.hpp"
#include "ui/models/benchmark/lab_records.hpp"
#include "ui/models/benchmark/timing_model.hpp"

namespace parallax::ui {

class Session;

class Lab : public QObject {
    Q_OBJECT
public:
    explicit Lab(Session& session);
    /// Saves measurements that are not in the history yet. The threads of the session have ended before.
    ~Lab() override;

    /// The axes over which the open image and the pipeline can be swept; empty without an image.
    std::vector<SweepAxis> axes() const;
    /// Measures the available backends, A and B at each value of "size=512,1024". Cancelling keeps the completed points.
    void sweep(const QString& text, const QString& effort);
    bool sweeping() const { return sweeping_; }
    /// "Point 2 of 5 (size=512), about 20 s left"; after an early end "Stopped after 2 of 5 points", else empty.
    const QString& sweepState() const { return sweepState_; }
    /// The last sweep over threads or parts, and the last over any other axis; null if none.
    const std::shared_ptr<const LabRecords>& scaling() const { return scaling_; }
    const std::shared_ptr<const LabRecords>& sweepRecords() const { return sweep_; }

    /// Measures bandwidth and arithmetic rate of all devices, and saves them for other sessions.
    void measureCeilings();
    bool measuringCeilings() const;
    const std::shared_ptr<const RooflineChartData>& roofline() const { return roofline_; }
    /// The record of a point of the roofline; null if it is gone.
    const RunRecord* rooflineRecord(int index) const {
        return index >= 0 && index < static_cast<int>(rooflineRecords_.size()) ? &rooflineRecords_[static_cast<std::size_t>(index)]
                                                                               : nullptr;
    }

    /// Makes this entry of the shown record the baseline of speedups.
    void setBaseline(const QString& label);

    /// Records of a report: the shown benchmark, then the sweeps of this session for the same image and steps. Without a benchmark the
    /// sweeps for the open image and the present steps.
    std::vector<RunRecord> reportRecords() const;
    /// Whether reportRecords() has this sweep.
    bool inReport(const LabRecords& sweep) const;

    // Past runs.
    const QVector<HistoryItem>& history() const { return items_; }
    /// Adds no runs from now on, and lists none.
    void ignoreHistory();
    /// Whether this is the measurement that the charts show, so that a comparison with it says nothing.
    bool isShown(const HistoryItem& item) const;
    /// "This session, 13:40" or "Earlier run, 21.11.2026 13:40".
    QString describe(const HistoryItem& item) const;
    void refreshHistory();
    /// Shows a report from elsewhere and adds it to the history.
    void openReport(const QString& path);
    void showPast(const QString& id);
    /// Compares what the charts show with a past run, unless `id` is empty, and with saved baselines. With neither there is no comparison.
    void compareWith(const QString& id, const QStringList& baselines = {});
    void removePast(const QString& id);
    /// Applies what the settings say about the history, for runs that are added later.
    void limitHistory();
    const std::shared_ptr<const PastComparisons>& comparison() const { return comparison_; }
    /// The comparison as reports hold it; empty if it is of other records than those of reportRecords().
    std::vector<NamedComparison> reportComparisons() const;

    // Saved baselines, which the command line shares.
    const QStringList& baselines() const { return baselineNames_; }
    void refreshBaselines();
    /// Saves a past run, or what the charts show if `id` is empty. A name that is taken or does not suit becomes a message.
    void saveBaseline(const QString& name, const QString& id);
    void renameBaseline(const QString& name, const QString& newName);
    void removeBaseline(const QString& name);
    /// The origin of the shown record; empty: measured in this session.
    QString recordSource() const;

signals:
    void sweepChanged();
    void rooflineChanged();
    void historyChanged();
    void comparisonChanged();
    void baselinesChanged();
    /// An opened report or a past run is shown.
    void reportShown(bool isSweep);

private:
    struct Loaded {
        std::shared_ptr<const TimingSummary> summary;           // of a benchmark
        std::vector<std::shared_ptr<const LabRecords>> sweeps;  // each of one axis
        QVector<HistoryItem> items;                             // with the imported report
    };
    /// Records for the history. The writer sets `begun`, and `id` before it ends.
    struct Kept {
        std::vector<RunRecord> records;
        std::atomic<bool> begun = false;
        QString id;
    };
    /// Image and steps that a sweep of this session started from.
    struct Origin {
        std::weak_ptr<const Image> image;
        std::vector<std::string> recipe;
    };
    /// Shows the records that `read` returns; an imported report is added to the history.
    void load(const QString& source, bool import, std::function<std::vector<RunRecord>()> read);
    void show(const Loaded& loaded, const QString& source);
    void take(const std::shared_ptr<const LabRecords>& lab);
    void setItems(QVector<HistoryItem> items);
    void endSweep();
    void keep(std::vector<RunRecord> records);
    /// Replaces the previous part of the same kind, benchmark or sweep, and makes the roofline.
    void addToRoofline(RooflineChartPart part);
    void makeRoofline();
    const HistoryItem* item(const QString& id) const;
    /// The records to compare with a past run; empty, after a message, if there is nothing to compare.
    std::vector<RunRecord> currentFor(const HistoryItem& chosen);
    void changeBaselines(const QString& title, std::function<void(const Baselines&)> change);
    /// The steps of the pipeline as records have them.
    std::vector<std::string> recipe() const;
    std::vector<RunRecord> shownOfKind(const HistoryItem& item) const;

    Session& session_;
    HistoryStore store_;
    bool sweeping_ = false;
    QString sweepState_;
    std::size_t sweepDone_ = 0, sweepPlanned_ = 0;
    std::shared_ptr<const LabRecords> scaling_, sweep_, running_;
    Origin scalingOrigin_, sweepOrigin_;
    std::vector<CeilingRecord> ceilings_;  // measured in this session
    std::shared_ptr<const RooflineChartData> roofline_;
    std::array<RooflineChartPart, 2> rooflineParts_;  // benchmark and sweep
    bool sweepIsNewer_ = false;
    std::vector<RunRecord> rooflineRecords_;  // of the points shown
    QVector<HistoryItem> items_;
    int kept_ = 0;  // number of measurements so far
    std::vector<std::shared_ptr<Kept>> unwritten_;
    QSet<QString> ownIds_;  // runs of this session
    bool ignoresHistory_ = false;
    std::shared_ptr<const PastComparisons> comparison_;
    QStringList compared_;  // keys of the records that `comparison_` is of
    Baselines baselines_;
    QStringList baselineNames_;
    std::weak_ptr<const RunRecord> loaded_;
    QString loadedSource_;
};

}  // namespace parallax::ui
