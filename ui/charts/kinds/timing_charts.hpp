// SPDX-License-Identifier: GPL-3.0-or-later
// The charts of the Timing panel.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/engine/backend/catalog.hpp"
#include "core/engine/run/run_record.hpp"
#include "core/report/charts/chart_data.hpp"
#include "core/report/charts/series_data.hpp"
#include "ui/charts/chart.hpp"
#include "ui/models/benchmark/history_store.hpp"
#include "ui/models/benchmark/lab_records.hpp"
#include "ui/models/benchmark/timing_model.hpp"

namespace parallax::ui {

/// One stacked bar of stages per backend.
class StageChart : public ChartOf<TimingSummary> {
    Q_OBJECT
public:
    explicit StageChart(QWidget* parent = nullptr);
    /// Name of a stage in every chart; styleOf() is its look.
    static QString titleOf(Stage stage);

protected:
    void draw() override;
};

/// Speedup over the baseline: compute and end to end, with 95 % intervals.
class SpeedupChart : public ChartOf<TimingSummary> {
    Q_OBJECT
public:
    explicit SpeedupChart(QWidget* parent = nullptr);

protected:
    void draw() override;

private:
    struct Series;
    void drawSeries(const Series& series, const std::vector<const SummaryRow*>& rows, bool withTexts);
};

/// A chart of one record and the name of the report that it is from, if any.
class RecordChart : public ChartOf<RunRecord> {
public:
    void setRecord(std::shared_ptr<const RunRecord> record, const QString& source) {
        source_ = source;
        setData(std::move(record));
    }

protected:
    using ChartOf<RunRecord>::ChartOf;
    QString source_;
};

/// Every timing sample as it arrives; shows drift, outliers and warm-up.
class LiveChart : public RecordChart {
    Q_OBJECT
public:
    explicit LiveChart(QWidget* parent = nullptr);
    /// One row per timing sample, including those that the chart has no room for.
    QString csv() const override;

protected:
    void draw() override;
};

struct ConvergenceData {
    std::vector<SeriesChartData> charts;
    QString source;       ///< name of the report that they are from, if any
    QStringList running;  ///< labels of the entries that have not ended
};

/// Series of iterative operations, all backends over each other: the residual over iterations or time, with the tolerance.
class ConvergenceChart : public ChartOf<ConvergenceData> {
    Q_OBJECT
public:
    explicit ConvergenceChart(const Catalog& catalog, QWidget* parent = nullptr);
    /// Choices for the horizontal axis: "Iteration", "Time".
    QStringList choices() const;
    /// Shows one of the choices; the first one while there is no such choice.
    void setShown(const QString& choice);
    /// One row per recorded point, including those that the chart has no room for.
    QString csv() const override;

protected:
    void draw() override;

private:
    const SeriesChartData* shown() const;
    QString emptyText() const;
    void fillTable(const SeriesChartData& chart);
    void drawTolerances(QCPAxisRect& axes, const SeriesChartData& chart);
    void drawCurve(QCPAxisRect& axes, const SeriesChartData& chart, int row, const std::vector<SeriesChartData::Point>& points,
                   QStringList& listed);

    const Catalog& catalog_;
    QString shown_;
};

/// Timeline of a typical run of each backend: start, end and overlap of its stages.
class TimelineChart : public RecordChart {
    Q_OBJECT
public:
    explicit TimelineChart(QWidget* parent = nullptr);

protected:
    void draw() override;
};

/// One stacked bar per backend of the parts of its compute stage.
class LapsChart : public RecordChart {
    Q_OBJECT
public:
    explicit LapsChart(const Catalog& catalog, QWidget* parent = nullptr);

protected:
    void draw() override;

private:
    QString emptyText() const;

    const Catalog& catalog_;
};

/// Strong scaling: speedup over threads or parts with the ideal line and a fit of Amdahl's law, and the efficiency beside it. Predictions
/// of the cost model for more parts are dashed.
class ScalingChart : public ChartOf<LabRecords> {
    Q_OBJECT
public:
    explicit ScalingChart(QWidget* parent = nullptr);

protected:
    void draw() override;

private:
    void drawCurve(const ScalingCurve& curve, int index, double fewestThreads);
    void drawModel(const CostPrediction& prediction, int index);

    bool parts_ = false;  // not threads
};

/// Time over size, threads or a parameter, one line per variant, with the points where the fastest changes.
class SweepChart : public ChartOf<LabRecords> {
    Q_OBJECT
public:
    explicit SweepChart(const Catalog& catalog, QWidget* parent = nullptr);
    /// Shows end to end instead of compute.
    void setEndToEnd(bool endToEnd);

protected:
    void draw() override;

private:
    const SampleSummary& timeOf(const SeriesPoint& point) const { return endToEnd_ ? point.endToEnd : point.compute; }
    const std::vector<Crossover>& crossings() const { return endToEnd_ ? data_->endToEndCrossings : data_->computeCrossings; }
    void fillTable();
    QStringList describeCrossings() const;
    void drawCrossings(QCPAxisRect& axes);

    const Catalog& catalog_;
    bool endToEnd_ = false;
};

/// The roofline: what was reached over operations a byte, under the measured ceilings of all devices. Points of the last
/// benchmark and of the last sweep are told apart by their size and filling.
class RooflineChart : public ChartOf<RooflineChartData> {
    Q_OBJECT
public:
    /// Points to show, in the order of the combo box.
    enum class Points { all, benchmark, sweep };

    explicit RooflineChart(const Catalog& catalog, QWidget* parent = nullptr);
    void setPoints(Points points);
    /// Chooses the vertical axis.
    void setQuantity(RooflineQuantity quantity);

protected:
    void draw() override;

private:
    bool isShown(const RooflinePoint& point) const;
    int seriesIndex(const RooflinePoint& point) const;
    QString positionOf(const RooflinePoint& point) const;
    void fillTable();
    QStringList describe() const;
    void setRanges(QCPAxisRect& axes) const;
    void drawCeilings(QCPAxisRect& axes);
    void drawPoints(QCPAxisRect& axes);
    void drawOwnCeilings(QCPAxisRect& axes);
    void drawAlarm(QCPAxisRect& axes, const RooflinePoint& point);
    double valueOf(const RooflinePoint& point) const { return point.gigaflops * point.scale(quantity_); }

    const Catalog& catalog_;
    std::vector<std::string> labels_;  // labels of the series, in order
    Points points_ = Points::all;
    RooflineQuantity quantity_ = RooflineQuantity::operations;
};

/// Compares a measurement with past ones: ratio of the times of each backend, to each of them.
class CompareChart : public ChartOf<PastComparisons> {
    Q_OBJECT
public:
    explicit CompareChart(QWidget* parent = nullptr);

protected:
    void draw() override;

private:
    struct Range;
    /// Draws the ratios to one of the past measurements at the places of `names`, and returns their range.
    Range drawSet(QCPAxisRect& axes, int set, const QStringList& names);
};

}  // namespace parallax::ui
