// SPDX-License-Identifier: GPL-3.0-or-later
// Measures the input and steps of A on all available backends and on those of the panes that compute the same, as one record, beside the
// plain serial loops that speedups refer to.
#pragma once

#include <QObject>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/engine/run/live_series.hpp"
#include "core/engine/run/run_record.hpp"
#include "core/measure/energy/energy_counters.hpp"
#include "core/measure/sampling/sampler.hpp"
#include "core/report/charts/pictures.hpp"
#include "ui/models/benchmark/timing_model.hpp"
#include "ui/session/compare/comparison.hpp"

namespace parallax::ui {

class Benchmark : public QObject {
    Q_OBJECT
public:
    Benchmark(Tasks& tasks, const Document& document, const Comparison& comparison, const Engine& engine);

    void measure(const QString& effort);
    void cancel() { tasks_.drop({TaskKind::measure}); }
    bool measuring() const { return tasks_.pending({TaskKind::measure}); }

    std::shared_ptr<const RunRecord> record() const { return summary_ ? summary_->record : nullptr; }
    const std::shared_ptr<const TimingSummary>& summary() const { return summary_; }
    /// Series of the first run that is being measured; null unless a benchmark runs.
    std::shared_ptr<const LiveSeries> live() const { return measuring() ? live_ : nullptr; }
    /// Is the record of the benchmark that runs, and not of the one before?
    bool isLive() const { return measuring() && isLive_; }
    /// Pictures of the last measurement; null before its end, and for medical images.
    const std::shared_ptr<const ReportPictures>& pictures() const { return pictures_; }
    /// Has the document changed since the record was measured?
    bool outdated() const { return outdated_; }
    void show(std::shared_ptr<const TimingSummary> summary, bool outdated);
    /// Discards the record without a signal.
    void reset();
    /// Marks the record as outdated and cancels a running measurement if input or steps of A have changed.
    void checkProblem();

    /// All available backends, and those of the panes that compute the same as A. Raises a message and returns nothing if there is nothing
    /// to measure.
    std::vector<Target> targets();
    /// These targets, and the serial baseline if it is not one of them.
    std::vector<MeasuredRow> rowsFor(const std::vector<Target>& targets) const;
    /// Label of the row that the next measurements take as baseline if they have it; empty: that of defaultBaseline().
    void setBaseline(std::string label) { baseline_ = std::move(label); }
    /// Whether the next measurements empty the caches before each timing sample.
    void setColdCaches(bool cold) { coldCaches_ = cold; }
    /// Whether the next measurements measure the energy of a run, if this machine has a counter.
    void setEnergy(bool measured) { energy_ = measured; }
    /// Looks for energy counters in the background, once; then emits energyCountersFound().
    void findEnergyCounters();
    /// Nothing until they were looked for.
    const std::optional<EnergyCounters>& counters() const { return counters_; }
    ProtocolRecord protocol(const QString& effort) const;
    /// The command of parallax-cli that measures the same.
    std::string command(const std::vector<Target>& targets, const QString& effort) const;

signals:
    void recordChanged();
    void measured(const std::shared_ptr<const RunRecord>& record);
    void energyCountersFound();

private:
    void markOutdated();
    void showLive(std::shared_ptr<const TimingSummary> summary);
    /// After a measurement that was cancelled or failed, shows the record again that its partial ones replaced.
    void endWithoutResult();
    bool measuresEnergy() const { return energy_ && counters_ && !counters_->sources.empty(); }
    bool computesAsA(Side side) const;
    const CompareSetup& setup() const { return document_.pipeline().setup(); }
    const Pipeline& steps() const { return setup().stepsOf(Side::a); }
    QString inputName() const;
    /// Says which panes are not measured.
    void tellOthers();

    Tasks& tasks_;
    const Document& document_;
    const Comparison& comparison_;
    const Engine& engine_;
    std::shared_ptr<const TimingSummary> summary_;
    std::shared_ptr<const ReportPictures> pictures_;
    std::shared_ptr<LiveSeries> live_;
    bool running_ = false;  // a benchmark, whose result has not arrived
    bool isLive_ = false;   // the record is a partial one
    bool outdated_ = false;
    struct {
        std::shared_ptr<const TimingSummary> summary;
        std::shared_ptr<const ReportPictures> pictures;
        bool outdated = false;
    } beforeLive_;
    std::string baseline_;
    bool coldCaches_ = false, energy_ = false, looksForCounters_ = false;
    std::optional<EnergyCounters> counters_;
    Pipeline knownSteps_;  // at the last call of checkProblem()
    QString knownInput_;
    bool knownEncoded_ = false;
};

}  // namespace parallax::ui
