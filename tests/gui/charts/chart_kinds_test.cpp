// SPDX-License-Identifier: GPL-3.0-or-later
// Each kind of chart with data of its own.
#include <QTest>

#include "tests/gui/charts/chart_data.hpp"
#include "tests/gui/gui_support.hpp"
#include "ui/charts/chart_style.hpp"
#include "ui/charts/plot.hpp"
#include "ui/models/benchmark/timing_model.hpp"
#include "ui/models/document/formatting.hpp"

using namespace parallax;
using namespace parallax::ui;

class ChartKindsTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        applyTheme(ThemeChoice::light);
    }
    void convergenceShowsResidualsAndTolerances() {
        ConvergenceChart chart(processCatalog());
        chart.resize(700, 400);
        const RunRecord record = sampleSolves(3, 2e7);
        chart.setData(convergenceOf(record));
        QCOMPARE(chart.choices(), (QStringList{"Iteration", "Time"}));
        QCOMPARE(chart.table().rows.size(), 3);
        QCOMPARE(chart.table().columns[2].title, QStringLiteral("Iteration"));
        QCOMPARE(chart.table().rows[1].cells[2].raw.toDouble(), record.entries[1].series[0].x.back());
        QCOMPARE(chart.table().rows[1].cells[4].raw.toDouble(), record.entries[1].series[0].y.back());
        QCOMPARE(chart.table().rows[1].cells[5].text, QStringLiteral("converged"));
        const auto texts = [&chart] {
            QStringList all;
            for (int i = 0; i < chart.plot().itemCount(); ++i)
                if (const auto* text = qobject_cast<QCPItemText*>(chart.plot().item(i))) all << text->text();
            return all;
        };
        QCOMPARE(texts(), (QStringList{"tolerance 1e−8 (openmp, cuda)", "tolerance 1e−12 (reference)"}));
        const QCPAxisRect* axes = chart.plot().axisRect(0);
        QCOMPARE(axes->axis(QCPAxis::atLeft)->scaleType(), QCPAxis::stLogarithmic);
        // The reference has many times the iterations of the others.
        QCOMPARE(axes->axis(QCPAxis::atBottom)->scaleType(), QCPAxis::stLogarithmic);
        QVERIFY2(chart.notes().contains("logarithmic"), qPrintable(chart.notes()));
        QVERIFY(axes->axis(QCPAxis::atLeft)->range().contains(1e-12) && axes->axis(QCPAxis::atLeft)->range().contains(1));
        chart.setShown("Time");
        QCOMPARE(chart.table().columns[2].title, QStringLiteral("Time"));
        QVERIFY2(chart.table().rows[0].cells[2].text.endsWith("ms"), qPrintable(chart.table().rows[0].cells[2].text));
        QVERIFY(chart.csv().startsWith("backend,part,time_s,relative_residual\r\n"));
        QCOMPARE(chart.plot().axisRect(0)->axis(QCPAxis::atBottom)->scaleType(), QCPAxis::stLinear);
        // Backends alone, with one tolerance, and one that has not ended.
        RunRecord fast = record;
        fast.entries.erase(fast.entries.begin());
        chart.setShown("Iteration");
        chart.setData(std::make_shared<const ConvergenceData>(ConvergenceData{seriesCharts(fast), {}, {"cuda"}}));
        QCOMPARE(texts(), QStringList{"tolerance 1e−8"});
        QCOMPARE(chart.plot().axisRect(0)->axis(QCPAxis::atBottom)->scaleType(), QCPAxis::stLinear);
        QCOMPARE(chart.table().rows[1].cells[5].text, QStringLiteral("running"));
        QVERIFY2(chart.notes().contains("cuda is still running"), qPrintable(chart.notes()));
        // Several solves of a run are curves of one colour, listed once.
        for (RunEntry& e : fast.entries)
            for (SeriesRecord& s : e.series) s.label = "step 1";
        SeriesRecord second = fast.entries[0].series[0];
        second.label = "step 2";
        fast.entries[0].series.push_back(second);
        chart.setData(convergenceOf(fast));
        QCOMPARE(chart.table().rows.size(), 3);
        QCOMPARE(chart.table().rows[0].series, chart.table().rows[1].series);
        QCOMPARE(chart.table().rows[1].cells[1].text, QStringLiteral("step 2"));
        int listed = 0;
        for (int i = 0; i < chart.plot().plottableCount(); ++i) listed += chart.plot().plottable(i)->property("inLegend").toBool() ? 1 : 0;
        QCOMPARE(listed, 2);
    }
    void partsAddUpToTheComputeTime() {
        LapsChart chart(processCatalog());
        chart.resize(600, 300);
        const RunRecord record = sampleSolves(3, 2e7);
        chart.setRecord(std::make_shared<const RunRecord>(record), {});
        // The reference has no parts. The table has all parts, even if they are too small for a bar.
        QHash<QString, double> sums;
        QStringList parts;
        for (const ChartRow& row : chart.table().rows) {
            sums[row.cells[0].text] += row.cells[2].raw.toDouble();
            if (row.cells[0].text == "openmp") parts << row.cells[1].text;
        }
        QCOMPARE(sums.size(), 2);
        QCOMPARE(parts, (QStringList{"Set-up", "V-cycle, level 0", "V-cycle, level 1", "V-cycle, level 2", "Direction and stencil",
                                     "Updates and residual", "other"}));
        for (std::size_t i = 1; i < 3; ++i) {
            const double compute = static_cast<double>(record.entries[i].laps.compute);
            QVERIFY(std::fabs(sums[QString::fromStdString(record.entries[i].label)] - compute) < 1e-9 * compute + 8);
        }
        QVERIFY2(chart.notes().contains("below 3 %"), qPrintable(chart.notes()));
        QStringList bars;
        for (int i = 0; i < chart.plot().plottableCount(); ++i) bars << chart.plot().plottable(i)->name();
        QVERIFY2(!bars.contains("V-cycle, level 2") && bars.contains("V-cycle, level 1") && bars.contains("other"),
                 qPrintable(bars.join(' ')));
        chart.setRecord(std::make_shared<const RunRecord>(sampleRecordOf(3, 2e7)), {});
        QVERIFY(chart.table().rows.isEmpty());
    }
    void scalingShowsLawAndEfficiency() {
        ScalingChart chart;
        chart.resize(600, 300);
        chart.setData(lab("threads", 2));
        QCOMPARE(chart.table().rows.size(), 6);  // the serial reference does not scale
        QVERIFY2(chart.notes().contains("2.0 % serial"), qPrintable(chart.notes()));
        QCOMPARE(chart.table().rows.front().cells[4].text, QStringLiteral("100 %"));
        chart.setData(lab("size", 3));  // not over threads
        QVERIFY(chart.table().rows.isEmpty());
    }
    void scalingShowsThePredictionApart() {
        ScalingChart chart;
        chart.resize(900, 300);
        const auto dashed = [&] {
            int lines = 0;
            for (int i = 0; i < chart.plot().graphCount(); ++i)
                if (const QPen pen = chart.plot().graph(i)->pen(); pen.style() == Qt::CustomDashLine) {
                    ++lines;
                    if (chart.plot().graph(i)->scatterStyle().shape() != QCPScatterStyle::ssNone)
                        return -1;                                               // only measured points have markers
                    if (chart.plot().graph(i)->data()->size() != 11) return -2;  // 1 to 1,024
                }
            return lines;
        };
        for (const char* axis : {"parts", "weak"}) {
            chart.setData(lab(axis, 3));
            QCOMPARE(chart.table().rows.size(), 3 * 4);
            QCOMPARE(dashed(), 2 * 3);  // speedup and efficiency
            QVERIFY2(chart.notes().contains("cuda: the model (dashed) predicts an efficiency of"), qPrintable(chart.notes()));
            QVERIFY2(chart.notes().contains("with 32 parts") && chart.notes().contains("with 1,024 parts"), qPrintable(chart.notes()));
            QVERIFY2(chart.notes().contains("It deviates from the measured points by"), qPrintable(chart.notes()));
            QCOMPARE(chart.table().columns.last().title, QStringLiteral("Model"));
            QVERIFY(!chart.table().rows.last().cells.last().text.isEmpty());
            QVERIFY(chart.plot().axisRect(0)->axis(QCPAxis::atBottom)->range().upper >= 1024);
        }
        QVERIFY2(!chart.notes().contains("Amdahl"), qPrintable(chart.notes()));  // not of weak scaling
        // Without a latency there is the reason instead of a line.
        std::vector<RunRecord> records = sampleSweep("parts", 1, 2e7);
        for (RunRecord& r : records) std::erase_if(r.machine.ceilings, [](const CeilingRecord& c) { return c.level == "latency"; });
        chart.setData(makeLabRecords(records));
        QCOMPARE(dashed(), 0);
        QVERIFY2(chart.notes().contains("no model, because the latency between threads was not measured"), qPrintable(chart.notes()));
        QCOMPARE(chart.table().rows.last().cells.last().text, QString());
        // A sweep over threads has no model.
        chart.setData(lab("threads", 2));
        QCOMPARE(dashed(), 0);
        QVERIFY(!chart.notes().contains("model"));
    }
    void rooflineAlarmsAboveACeiling() {
        RunRecord record = sampleRecordOf(2, 2e7);
        for (RunEntry& e : record.entries) e.flops = 4e10;  // 2000 GFLOP/s
        RooflineChart chart(processCatalog());
        chart.setData(std::make_shared<const RooflineChartData>(rooflineChartData({{{record}, {}}}, {})));
        const auto note = [&](int row) { return chart.table().rows[row].cells.back().text; };
        QVERIFY(chart.notes().contains("⚠"));
        QVERIFY2(note(0).contains("ceiling"), qPrintable(note(0)));
        for (RunEntry& e : record.entries) e.flops = 1e8, e.bytes = 1e8;
        chart.setData(std::make_shared<const RooflineChartData>(rooflineChartData({{{record}, {}}}, {})));
        QCOMPARE(note(0), QString());
        QCOMPARE(chart.notes(), QString());
        record.machine.ceilings.clear();
        chart.setData(std::make_shared<const RooflineChartData>(rooflineChartData({{{record}, {}}}, {})));
        QVERIFY2(chart.notes().contains("are not measured"), qPrintable(chart.notes()));
        // The ceilings of this machine say nothing of a report from another one.
        const auto here = sampleRecordOf(1, 1e6).machine.ceilings;
        QVERIFY(!rooflineChartData({{{record}, {}}}, here).ceilings.empty());
        QVERIFY(rooflineChartData({{{record}, "report.json"}}, here).ceilings.empty());
    }
    void rooflineShowsBytesAndSamplesAsWell() {
        const RunRecord record = sampleRecordOf(2, 2e7);
        const RooflineChartData data = rooflineChartData({{{record}, {}}}, {});
        RooflineChart chart(processCatalog());
        chart.resize(600, 300);
        chart.setData(std::make_shared<const RooflineChartData>(data));
        const auto column = [&](const char* key) {
            const auto& columns = chart.table().columns;
            const auto at = std::find_if(columns.begin(), columns.end(), [&](const auto& c) { return c.key == QLatin1String(key); });
            return static_cast<int>(at - columns.begin());
        };
        // Each point lies at its value of the table on the chosen axis.
        for (const auto& [quantity, key, label] :
             {std::tuple{RooflineQuantity::operations, "gflops", "GFLOP/s"}, std::tuple{RooflineQuantity::bytes, "gbytes", "GB/s"},
              std::tuple{RooflineQuantity::samples, "gsamples", "Gsample/s"}}) {
            chart.setQuantity(quantity);
            QCOMPARE(chart.plot().axisRect()->axis(QCPAxis::atLeft)->label(), QString::fromLatin1(label));
            QVector<double> drawn;
            for (int i = 0; i < chart.plot().plottableCount(); ++i)
                if (const auto* graph = qobject_cast<QCPGraph*>(chart.plot().plottable(i)))
                    for (const QCPGraphData& point : *graph->data()) drawn << point.value;
            QCOMPARE(chart.table().rows.size(), 2);
            for (const ChartRow& row : chart.table().rows) {
                const double value = row.cells[column(key)].raw.toDouble();
                QVERIFY(value > 0);
                QVERIFY2(std::any_of(drawn.begin(), drawn.end(), [&](double d) { return std::abs(d - value) < 1e-6 * value; }), key);
            }
        }
        const RooflinePoint& p = data.points.front();
        const double nanoseconds = record.entries[p.entry].flops / p.gigaflops;
        QCOMPARE(p.gigasamples, static_cast<double>(record.input.shape.samples()) / nanoseconds);
    }
    void rooflineShowsBenchmarkAndSweep() {
        const RunRecord record = sampleRecordOf(2, 2e7);
        const auto swept = sampleSweep("size", 2, 2e7);
        RooflineChart chart(processCatalog());
        chart.resize(600, 300);
        chart.setData(std::make_shared<const RooflineChartData>(rooflineChartData({{{record}, {}}, {swept, {}}}, {})));
        const auto place = [&](int row) { return chart.table().rows[row].cells[1].text; };
        QCOMPARE(chart.table().rows.size(), 2 + 2 * 6);
        QCOMPARE(place(0), QString());
        QVERIFY2(place(2).contains("128"), qPrintable(place(2)));
        QVERIFY2(place(13).contains("4096"), qPrintable(place(13)));
        QCOMPARE(chart.table().rows[2].record, 1);  // records are counted through
        QCOMPARE(chart.table().rows[13].record, 6);
        // The same backend has the same marker.
        QCOMPARE(chart.table().rows[0].series, chart.table().rows[2].series);
        QVERIFY2(chart.notes().contains("sweep"), qPrintable(chart.notes()));
        chart.setPoints(RooflineChart::Points::benchmark);
        QCOMPARE(chart.table().rows.size(), 2);
        QVERIFY(!chart.notes().contains("sweep"));
        chart.setPoints(RooflineChart::Points::sweep);
        QCOMPARE(chart.table().rows.size(), 12);
        chart.setData(std::make_shared<const RooflineChartData>(rooflineChartData({{{record}, {}}}, {})));
        QVERIFY(chart.table().rows.isEmpty());
        chart.setPoints(RooflineChart::Points::all);
        // Threads are no series of their own.
        chart.setData(std::make_shared<const RooflineChartData>(rooflineChartData({{sampleSweep("threads", 2, 2e7), {}}}, {})));
        QSet<int> series;
        for (const ChartRow& row : chart.table().rows) series << row.series;
        QCOMPARE(series.size(), 2);
        // Points of another machine are not drawn under these ceilings; a note says so.
        auto elsewhere = swept;
        for (RunRecord& r : elsewhere) r.machine.cpu = "Another processor";
        const RooflineChartData data = rooflineChartData({{{record}, {}}, {elsewhere, "other.json"}}, {});
        QCOMPARE(data.points.size(), std::size_t{2});
        QVERIFY(data.sources.empty());
        chart.setData(std::make_shared<const RooflineChartData>(data));
        QVERIFY2(chart.notes().contains("Another processor"), qPrintable(chart.notes()));
    }
    void aBarFarLongerThanTheOthersIsCutAndSaysSo() {
        QCOMPARE(rangeOfBars({}), 0.0);
        QCOMPARE(rangeOfBars({3}), 3.0);
        QCOMPARE(rangeOfBars({3000, 1}), 3000.0);     // two of them: their ratio is what one looks for
        QCOMPARE(rangeOfBars({3, 5, 4, 20}), 20.0);   // not far enough
        QCOMPARE(rangeOfBars({3, 5, 4, 2000}), 5.0);  // one of four
        QCOMPARE(rangeOfBars({1450, 31, 4, 3.9, 3.1, 1.05}), 4.0);
        QCOMPARE(rangeOfBars({1e6, 1e5, 1e4, 1e3}), 1e4);  // no more than half
        RunRecord record = sampleRecordOf(4, 2e7);
        for (StageTimes& s : record.entries[0].samples) s[Stage::compute] = 4'000'000'000;
        // Stages at work at the same time: a run takes less than their sum.
        for (StageTimes& s : record.entries[3].samples) {
            s[Stage::upload] = s[Stage::compute] = s[Stage::download] = 9'000'000;
            s.setOverlapped(12'000'000);
        }
        StageChart stages;
        TimelineChart timeline;
        stages.setData(summariseTimings(record));
        timeline.setRecord(std::make_shared<const RunRecord>(record), {});
        const auto texts = [](Chart& chart) {
            QStringList all;
            for (int i = 0; i < chart.plot().itemCount(); ++i)
                if (const auto* text = qobject_cast<QCPItemText*>(chart.plot().item(i))) all << text->text();
            return all;
        };
        QVERIFY2(texts(stages).contains(formatDuration(12e6)), qPrintable(texts(stages).join(' ')));
        QCOMPARE(texts(stages).filter("»").size(), 1);
        QVERIFY2(stages.notes().contains(QString::fromStdString(record.entries[0].label)), qPrintable(stages.notes()));
        QVERIFY2(stages.notes().contains(QString::fromStdString(record.entries[3].label)), qPrintable(stages.notes()));
        QVERIFY(stages.plot().axisRect(0)->axis(QCPAxis::atBottom)->range().upper < 1000);
    }
};

QTEST_MAIN(ChartKindsTest)
#include "chart_kinds_test.moc"
