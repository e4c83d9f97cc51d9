// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of every chart with one, three and twelve series, tiny and huge times, in the size that the dock has, in a narrow low one and in
// a large one, to be looked at. gallery.sh runs it for every theme and scale. With records of measurements it makes only their rooflines:
// NAME-1 with the first entry, NAME-2 with the first two, and so on.   gui_charts_gallery FOLDER light|dark [RECORD.json]...
#include <memory>

#include "core/report/record/record_json.hpp"
#include "tests/gui/charts/lab_sample.hpp"
#include "tests/gui/gallery/gallery_support.hpp"
#include "ui/charts/kinds/timing_charts.hpp"

using namespace parallax;
using namespace parallax::ui;

namespace {

void save(Chart& chart, const QString& name) {
    for (const auto& [kind, size] :
         {std::pair{"dock", QSize(430, 165)}, std::pair{"low", QSize(260, 120)}, std::pair{"large", QSize(760, 400)}}) {
        chart.resize(size);
        chart.show();
        (void)QTest::qWaitForWindowExposed(&chart);
        QTest::qWait(60);  // it is drawn again when its size is known
        savePicture(chart, QStringLiteral("%1-%2-%3").arg(chart.name(), name, QLatin1String(kind)));
    }
    chart.hide();
}

std::shared_ptr<const LabRecords> sweep(const char* axis, int series, double scale) {
    return makeLabRecords(sampleSweep(axis, series, scale));
}

/// A run in parts on two streams: transfers both ways go on while it computes, with pauses in between.
RunRecord streams() {
    RunRecord record = sampleRecordOf(3, 2e7);
    RunEntry& cuda = record.entries[2];
    cuda.choices = {"the kernel is a column times a row: 14 instead of 49 multiply-adds a sample"};
    cuda.implementations = {"convolve / cuda / separable"};
    for (StageTimes& s : cuda.samples) {
        s = {};
        const auto stage = [&](Stage which, std::int64_t begin, std::int64_t end, std::int64_t busy) {
            s[which] = busy;
            s.extendSpan(which, begin, end);
        };
        stage(Stage::allocate, 0, 300'000, 300'000);
        stage(Stage::upload, 300'000, 5'300'000, 4'800'000);
        stage(Stage::compute, 900'000, 5'600'000, 2'000'000);
        stage(Stage::download, 1'200'000, 6'300'000, 4'800'000);
    }
    return record;
}

/// A serial run that takes three hundred times as long as the others: its bar is cut, or theirs could not be seen.
RunRecord far() {
    RunRecord record = streams();
    for (StageTimes& s : record.entries[0].samples) {
        const std::int64_t took = 300 * s.compute();
        s = {};
        s[Stage::compute] = took;
        s.extendSpan(Stage::compute, 0, took);
    }
    return record;
}

int saveRooflines(const QStringList& files) {
    RooflineChart roofline(processCatalog());
    for (const QString& file : files) {
        const RunRecord record = loadRecords(QFile::encodeName(file).toStdString()).front();
        for (std::size_t count = 1; count <= record.entries.size(); ++count) {
            RunRecord part = record;
            part.entries.resize(count);
            roofline.setData(std::make_shared<const RooflineChartData>(rooflineChartData({{{part}, {}}}, {})));
            save(roofline, QStringLiteral("%1-%2").arg(QFileInfo(file).baseName()).arg(count));
        }
    }
    return failures == 0 ? 0 : 4;
}

}  // namespace

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    if (const auto code = beginGallery()) return *code;
    if (const QStringList files = QApplication::arguments().mid(3); !files.isEmpty()) return saveRooflines(files);
    StageChart stages;
    SpeedupChart speedup;
    LiveChart live;
    TimelineChart timeline;
    ScalingChart scaling;
    SweepChart sweeps(processCatalog());
    RooflineChart roofline(processCatalog());
    CompareChart compare;
    ConvergenceChart convergence(processCatalog());
    LapsChart laps(processCatalog());
    for (const auto& [kind, series, scale] :
         {std::tuple{"1-usual", 1, 2e7}, std::tuple{"3-usual", 3, 2e7}, std::tuple{"12-usual", 12, 2e7}, std::tuple{"3-tiny", 3, 40.0},
          std::tuple{"3-huge", 3, 6e12}, std::tuple{"12-huge", 12, 6e12}}) {
        const QString name = QLatin1String(kind);
        auto record = std::make_shared<const RunRecord>(sampleRecordOf(series, scale));
        auto summary = summariseTimings(*record);
        stages.setData(summary);
        speedup.setData(summary);
        live.setRecord(record, {});
        timeline.setRecord(record, {});
        roofline.setData(std::make_shared<const RooflineChartData>(rooflineChartData({{{*record}, {}}}, {})));
        scaling.setData(sweep("threads", std::max(2, series), scale));
        save(scaling, name);
        for (const char* axis : {"parts", "weak"}) {
            scaling.setData(sweep(axis, series, scale));
            save(scaling, name + QLatin1Char('-') + QLatin1String(axis));
        }
        RunRecord slower = *record;
        for (std::size_t i = 0; i < slower.entries.size(); ++i)
            for (StageTimes& s : slower.entries[i].samples)
                s[Stage::compute] =
                    static_cast<std::int64_t>(static_cast<double>(s[Stage::compute]) * (0.9 + 0.1 * static_cast<double>(i % 3))) + 1;
        const PastComparison past{QStringLiteral("31.01.2026 12:00"), compareRecords(slower, *record, -1)};
        compare.setData(std::make_shared<const PastComparisons>(PastComparisons{
            past, {QStringLiteral("release 1.0"), compareRecords(*record, *record, -1)}, {QStringLiteral("mine"), past.result}}));
        save(compare, name + "-several");
        compare.setData(std::make_shared<const PastComparisons>(PastComparisons{past}));
        for (Chart* chart : std::initializer_list<Chart*>{&stages, &speedup, &live, &timeline, &roofline, &compare}) save(*chart, name);
        convergence.setData(std::make_shared<const ConvergenceData>(ConvergenceData{seriesCharts(sampleSolves(series, scale)), {}, {}}));
        for (const QString& choice : convergence.choices()) {
            convergence.setShown(choice);
            save(convergence, name + QLatin1Char('-') + (choice == convergence.choices().front() ? "iterations" : "time"));
        }
        laps.setRecord(std::make_shared<const RunRecord>(sampleSolves(series, scale)), {});
        save(laps, name);
        sweeps.setData(sweep("size", series, scale));
        save(sweeps, name + "-size");
        sweeps.setData(sweep("convolve.size", series, scale));
        save(sweeps, name + "-kernel");
        std::vector<RunRecord> swept = sampleSweep("convolve.size", series, scale * 4);
        for (RunRecord& r : swept)
            for (RunEntry& e : r.entries) e.flops = 0.02 * e.bytes * std::pow(std::stod(r.sweep.value), 2);
        roofline.setData(std::make_shared<const RooflineChartData>(rooflineChartData({{{*record}, {}}, {swept, {}}}, {})));
        save(roofline, name + "-sweep");
        for (const auto& [quantity, suffix] :
             {std::pair{RooflineQuantity::bytes, "-bytes"}, std::pair{RooflineQuantity::samples, "-samples"}}) {
            roofline.setQuantity(quantity);
            save(roofline, name + QLatin1String(suffix));
        }
        roofline.setQuantity(RooflineQuantity::operations);
    }
    timeline.setRecord(std::make_shared<const RunRecord>(streams()), {});
    save(timeline, "streams");
    auto record = std::make_shared<const RunRecord>(far());
    auto summary = summariseTimings(*record);
    timeline.setRecord(record, {});
    stages.setData(summary);
    speedup.setData(summary);
    for (Chart* chart : std::initializer_list<Chart*>{&timeline, &stages, &speedup}) save(*chart, "far");
    return failures == 0 ? 0 : 4;
}
