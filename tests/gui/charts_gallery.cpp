// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of every chart with one, three and twelve series, tiny and huge times, in the size that the dock has, in a narrow low one and in
// a large one, to be looked at. gallery.sh runs it for every theme and scale.   gui_charts_gallery FOLDER light|dark
#include <QApplication>
#include <QDir>
#include <cstdio>
#include <memory>

#include "tests/gui/gui_support.hpp"
#include "tests/gui/lab_sample.hpp"
#include "ui/charts/kinds/compare_chart.hpp"
#include "ui/charts/kinds/roofline_chart.hpp"
#include "ui/charts/kinds/scaling_chart.hpp"
#include "ui/charts/kinds/speedup_chart.hpp"
#include "ui/charts/kinds/stage_chart.hpp"
#include "ui/charts/kinds/sweep_chart.hpp"
#include "ui/charts/kinds/timeline_chart.hpp"
#include "ui/charts/live_chart.hpp"
#include "ui/window/shell/language.hpp"

using namespace parallax;
using namespace parallax::ui;

namespace {

QDir folder;
int failures = 0;

void save(Chart& chart, const QString& name) {
    for (const auto& [kind, size] :
         {std::pair{"dock", QSize(430, 165)}, std::pair{"low", QSize(260, 120)}, std::pair{"large", QSize(760, 400)}}) {
        chart.resize(size);
        chart.show();
        (void)QTest::qWaitForWindowExposed(&chart);
        QTest::qWait(60);  // it is drawn again when its size is known
        if (!chart.grab().save(folder.filePath(QStringLiteral("%1-%2-%3.png").arg(chart.name(), name, QLatin1String(kind))))) ++failures;
    }
    chart.hide();
}

std::shared_ptr<const LabRecords> sweep(const char* axis, int series, double scale) {
    return std::make_shared<const LabRecords>(makeLabRecords(sampleSweep(axis, series, scale), 0, {}));
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

}  // namespace

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    (void)useLanguage(qEnvironmentVariable("GALLERY_LANGUAGE"));
    const QStringList arguments = QApplication::arguments();
    if (arguments.size() != 3 || (arguments[2] != "light" && arguments[2] != "dark")) {
        std::fputs("usage: gui_charts_gallery FOLDER light|dark\n", stderr);
        return 2;
    }
    folder = QDir(arguments[1]);
    if (!folder.mkpath(".")) return 4;
    applyTheme(arguments[2] == "dark" ? ThemeChoice::dark : ThemeChoice::light);
    StageChart stages;
    SpeedupChart speedup;
    LiveChart live;
    TimelineChart timeline;
    ScalingChart scaling;
    SweepChart sweeps(processCatalog());
    RooflineChart roofline(processCatalog());
    CompareChart compare;
    for (const auto& [kind, series, scale] :
         {std::tuple{"1-usual", 1, 2e7}, std::tuple{"3-usual", 3, 2e7}, std::tuple{"12-usual", 12, 2e7}, std::tuple{"3-tiny", 3, 40.0},
          std::tuple{"3-huge", 3, 6e12}, std::tuple{"12-huge", 12, 6e12}}) {
        const QString name = QLatin1String(kind);
        auto record = std::make_shared<const RunRecord>(sampleRecordOf(series, scale));
        auto summary = std::make_shared<const TimingSummary>(summariseTimings(*record));
        stages.setSummary(summary);
        speedup.setSummary(summary);
        live.setRecord(record, {});
        timeline.setRecord(record, {});
        roofline.setData(std::make_shared<const RooflineData>(makeRooflineData({*record}, {}, {})));
        scaling.setRecords(sweep("threads", std::max(2, series), scale));
        RunRecord slower = *record;
        for (std::size_t i = 0; i < slower.entries.size(); ++i)
            for (StageTimes& s : slower.entries[i].samples)
                s[Stage::compute] =
                    static_cast<std::int64_t>(static_cast<double>(s[Stage::compute]) * (0.9 + 0.1 * static_cast<double>(i % 3))) + 1;
        compare.setComparison(std::make_shared<const PastComparison>(
            PastComparison{QStringLiteral("31.01.2026 12:00"), compareRecords(slower, *record, -1)}));
        for (Chart* chart : std::initializer_list<Chart*>{&stages, &speedup, &live, &timeline, &roofline, &scaling, &compare})
            save(*chart, name);
        sweeps.setRecords(sweep("size", series, scale));
        save(sweeps, name + "-size");
        sweeps.setRecords(sweep("convolve.size", series, scale));
        save(sweeps, name + "-kernel");
        std::vector<RunRecord> swept = sampleSweep("convolve.size", series, scale * 4);
        for (RunRecord& r : swept)
            for (RunEntry& e : r.entries) e.flops = 0.02 * e.bytes * std::pow(std::stod(r.sweep.value), 2);
        roofline.setData(std::make_shared<const RooflineData>(makeRooflineData({{{*record}, {}}, {swept, {}}}, {})));
        save(roofline, name + "-sweep");
    }
    timeline.setRecord(std::make_shared<const RunRecord>(streams()), {});
    save(timeline, "streams");
    auto record = std::make_shared<const RunRecord>(far());
    auto summary = std::make_shared<const TimingSummary>(summariseTimings(*record));
    timeline.setRecord(record, {});
    stages.setSummary(summary);
    speedup.setSummary(summary);
    for (Chart* chart : std::initializer_list<Chart*>{&timeline, &stages, &speedup}) save(*chart, "far");
    return failures == 0 ? 0 : 4;
}
