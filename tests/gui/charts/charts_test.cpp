// SPDX-License-Identifier: GPL-3.0-or-later
// Each chart alone: its table, its files, tooltips, clicks and keys; and the models behind them.
#include <QAbstractItemModelTester>
#include <QHeaderView>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QToolTip>
#include <QWheelEvent>

#include "tests/gui/charts/lab_sample.hpp"
#include "tests/gui/gui_support.hpp"
#include "ui/charts/chart_export.hpp"
#include "ui/charts/chart_page.hpp"
#include "ui/charts/chart_style.hpp"
#include "ui/charts/kinds/timing_charts.hpp"
#include "ui/charts/plot.hpp"
#include "ui/models/benchmark/timing_model.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/models/pipeline/choice_text.hpp"
#include "ui/session/session.hpp"

using namespace parallax;
using namespace parallax::ui;

namespace {

std::shared_ptr<const LabRecords> lab(const char* axis, int series) { return makeLabRecords(sampleSweep(axis, series, 2e7)); }

/// As many turns of the event loop as layouts and drawings that depend on each other need, whatever time they take.
void layOut() {
    for (int turn = 0; turn < 8; ++turn) {
        QCoreApplication::processEvents();
        QCoreApplication::sendPostedEvents();
    }
}

std::shared_ptr<const ConvergenceData> convergenceOf(const RunRecord& record) {
    return std::make_shared<const ConvergenceData>(ConvergenceData{seriesCharts(record), {}, {}});
}

/// Every kind, with data.
struct AllCharts {
    StageChart stages;
    SpeedupChart speedup;
    LiveChart live;
    TimelineChart timeline;
    ScalingChart scaling;
    SweepChart sweep{processCatalog()};
    RooflineChart roofline{processCatalog()};
    CompareChart compare;
    ConvergenceChart convergence{processCatalog()};
    LapsChart laps{processCatalog()};
    std::vector<Chart*> all{&stages, &speedup, &live, &timeline, &scaling, &sweep, &roofline, &compare, &convergence, &laps};

    explicit AllCharts(int series = 3) {
        auto record = std::make_shared<const RunRecord>(sampleRecordOf(series, 2e7));
        auto summary = summariseTimings(*record);
        stages.setData(summary);
        speedup.setData(summary);
        live.setRecord(record, {});
        timeline.setRecord(record, {});
        scaling.setData(lab("threads", series));
        sweep.setData(lab("size", series));
        roofline.setData(std::make_shared<const RooflineChartData>(rooflineChartData({{{*record}, {}}}, {})));
        compare.setData(std::make_shared<const PastComparisons>(PastComparisons{{"yesterday", compareRecords(*record, *record, -1)}}));
        convergence.setData(convergenceOf(sampleSolves(series, 2e7)));
        laps.setRecord(std::make_shared<const RunRecord>(sampleSolves(series, 2e7)), {});
        for (Chart* chart : all) {
            chart->resize(600, 320);
            chart->show();
        }
        for (Chart* chart : all) (void)QTest::qWaitForWindowExposed(chart, kPatience);
        layOut();
    }
};

}  // namespace

class ChartsTest : public QObject {
    Q_OBJECT
private slots:
    void legendsHaveRoomForWhatHangsBelowTheLine() {
        AllCharts charts;
        int items = 0;
        for (Chart* chart : charts.all) {
            chart->resize(430, 165);
            chart->show();
            layOut();
            const QList<QCPLayoutElement*> elements = chart->plot().plotLayout()->elements(true);
            for (QCPLayoutElement* element : elements) {
                const auto* legend = qobject_cast<QCPLegend*>(element);
                if (!legend || legend->wrap() == 0) continue;  // one beside the axes
                for (int i = 0; i < legend->itemCount(); ++i, ++items)
                    QVERIFY2(legend->item(i)->rect().height() > QFontMetrics(legend->font()).height(), qPrintable(chart->name()));
            }
        }
        QVERIFY(items > 3);
    }
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        applyTheme(ThemeChoice::light);
    }
    void everyChartHasATableAndFiles() {
        AllCharts charts;
        for (const Chart* chart : charts.all) {
            QVERIFY2(!chart->table().rows.isEmpty(), qPrintable(chart->name()));
            for (const ChartRow& row : chart->table().rows) QCOMPARE(row.cells.size(), chart->table().columns.size());
            QVERIFY(!chart->accessibleName().isEmpty());
            QVERIFY(!chart->toolTip().isEmpty());
            const QStringList lines = chart->csv().split("\r\n", Qt::SkipEmptyParts);
            QVERIFY2(lines.size() >= 2, qPrintable(chart->name()));
            for (const QString& line : lines) QCOMPARE(line.count(','), lines.front().count(','));
            if (chart != &charts.live && chart != &charts.convergence) QCOMPARE(lines.size(), chart->table().rows.size() + 1);
        }
        for (Chart* chart : charts.all) {
            QVERIFY(chartAs(chart->plot(), "png").startsWith("\x89PNG"));
            QVERIFY(chartAs(chart->plot(), "svg").contains("<svg"));
            QVERIFY(chartAs(chart->plot(), "pdf").startsWith("%PDF"));
        }
        // Every run, not what the chart has room for.
        QCOMPARE(charts.live.csv().count("\r\n"), 1 + 3 * 20);
        qsizetype points = 0;
        for (const RunEntry& e : sampleSolves(3, 2e7).entries) points += static_cast<qsizetype>(e.series.front().x.size());
        QCOMPARE(charts.convergence.csv().count("\r\n"), 1 + points);
        QVERIFY(charts.convergence.csv().startsWith("backend,part,iteration,relative_residual\r\n"));
    }
    void everyBarHasItsNameAlsoWhereItIsLow() {
        AllCharts charts(12);
        for (Chart* chart : std::initializer_list<Chart*>{&charts.stages, &charts.speedup, &charts.timeline, &charts.compare}) {
            chart->resize(300, 120);
            layOut();
            QCustomPlot& plot = chart->plot();
            const auto names = qSharedPointerDynamicCast<QCPAxisTickerText>(plot.axisRect(0)->axis(QCPAxis::atLeft)->ticker());
            QVERIFY2(names, qPrintable(chart->name()));
            QCOMPARE(names->ticks().size(), 12);
            // A line of text for each, and a bar to scroll with.
            QVERIFY(plot.axisRect(0)->height() >= 12 * (chart->fontMetrics().height() - 1));
            QVERIFY(plot.height() > chart->height());
            auto* area = chart->findChild<QScrollArea*>();
            QTRY_VERIFY_WITH_TIMEOUT(area->verticalScrollBar()->isVisible(), kPatience);
            // The wheel turns it, and the keyboard brings what it goes to into sight.
            QWheelEvent wheel(QPointF(50, 50), plot.mapToGlobal(QPointF(50, 50)), {}, QPoint(0, -120), {}, {}, Qt::NoScrollPhase, false);
            QCoreApplication::sendEvent(&plot, &wheel);
            QVERIFY2(area->verticalScrollBar()->value() > 0, qPrintable(chart->name()));
            area->verticalScrollBar()->setValue(0);
            QTest::keyClick(&plot, Qt::Key_End);
            if (chart != &charts.speedup) QVERIFY2(area->verticalScrollBar()->value() > 0, qPrintable(chart->name()));
            // A file of it holds all.
            QCOMPARE(QImage::fromData(chartAs(plot, "png")).height(), 2 * plot.height());
            // High enough, it does not scroll.
            chart->resize(600, 600);
            QTRY_VERIFY_WITH_TIMEOUT(!area->verticalScrollBar()->isVisible(), kPatience);
            QToolTip::hideText();
        }
    }
    void aNameIsToldInFullWithTheReason() {
        RunRecord record = sampleRecordOf(3, 2e7);
        record.entries[2].label = "cuda.with_a_name_that_is_far_too_long_for_this";
        record.entries[2].implementations = {"convolve / cuda / separable"};
        record.entries[2].choices = {"14 instead of 49 multiply-adds a sample"};
        record.entries[1].implementations = {"convolve / openmp / simd"};
        record.entries[1].choices = {kFirstListed};
        StageChart chart;
        chart.resize(300, 200);
        chart.setData(summariseTimings(record));
        chart.show();
        QVERIFY(QTest::qWaitForWindowExposed(&chart, kPatience));
        layOut();
        QCPAxis* axis = chart.plot().axisRect(0)->axis(QCPAxis::atLeft);
        const QString shown = qSharedPointerDynamicCast<QCPAxisTickerText>(axis->ticker())->ticks().value(1);
        QVERIFY2(shown.contains(QStringLiteral("…")) && shown.startsWith("cuda"), qPrintable(shown));
        const auto tellsAt = [&](double place, const char* name, const char* reason) {
            // Qt hides tips when a window becomes active, which may be late.
            return QTest::qWaitFor(
                [&, x = 12]() mutable {
                    QTest::mouseMove(&chart.canvas(), QPoint(x = 25 - x, static_cast<int>(axis->coordToPixel(place))));
                    return QToolTip::isVisible() && QToolTip::text().contains(name) && QToolTip::text().contains(reason);
                },
                kPatience);
        };
        QVERIFY2(tellsAt(1, "far_too_long_for_this", "separable: 14 instead of 49"), qPrintable(QToolTip::text()));
        QVERIFY2(tellsAt(2, "openmp", "first variant of its backend"), qPrintable(QToolTip::text()));
        // Hidden by something else, it comes back with the next move.
        QToolTip::hideText();
        QTRY_VERIFY_WITH_TIMEOUT(!QToolTip::isVisible(), kPatience);
        QVERIFY2(tellsAt(2, "openmp", "first variant of its backend"), qPrintable(QToolTip::text()));
        QToolTip::hideText();
        // And in the table.
        TimingModel table;
        table.setSummary(summariseTimings(record));
        QVERIFY(table.data(table.index(2, 0), Qt::ToolTipRole).toString().contains("14 instead of 49"));
        // Older records have none.
        record.entries[2].choices.clear();
        QCOMPARE(choiceTexts(record.entries[2]), QStringList{"convolve / cuda / separable"});
    }
    void emptyChartsSayWhatToDo() {
        StageChart stages;
        SweepChart sweep(processCatalog());
        RooflineChart roofline{processCatalog()};
        TimelineChart timeline;
        ConvergenceChart convergence{processCatalog()};
        LapsChart laps{processCatalog()};
        for (Chart* chart : std::initializer_list<Chart*>{&stages, &sweep, &roofline, &timeline, &convergence, &laps}) {
            chart->resize(400, 200);
            chart->show();
            QVERIFY(chart->table().rows.isEmpty());
            QVERIFY(!chartAs(chart->plot(), "png").isEmpty());
        }
        // A report from before stages had a beginning.
        RunRecord old = sampleRecordOf(2, 1e6);
        for (RunEntry& e : old.entries)
            for (StageTimes& s : e.samples) {
                StageTimes times;
                times[Stage::compute] = s.compute();
                s = times;
            }
        timeline.setRecord(std::make_shared<const RunRecord>(old), {});
        QVERIFY(timeline.table().rows.isEmpty());
        // One without series; the text names the operations that have them.
        convergence.setData(convergenceOf(old));
        QVERIFY(convergence.table().rows.isEmpty() && convergence.choices().isEmpty());
        QVERIFY(convergence.plot().axisRectCount() == 0);
        const auto* text = convergence.plot().plotLayout()->elementAt(0);
        const QString operations = qobject_cast<const QCPTextElement*>(text)->text();
        QVERIFY2(operations.contains("Poisson equation"), qPrintable(operations));
        QVERIFY2(operations.contains("Tone mapping (Gradient domain)"), qPrintable(operations));
    }
    void keysGoOverThePointsAndChooseThem() {
        AllCharts charts;
        for (Chart* chart : charts.all) {
            if (chart == &charts.compare) continue;  // is about two runs
            QSignalSpy activated(chart, &Chart::activated);
            QWidget& plot = chart->canvas();
            QTest::keyClick(&plot, Qt::Key_Right);
            QVERIFY2(!plot.accessibleDescription().isEmpty(), qPrintable(chart->name()));
            const QString first = plot.accessibleDescription();
            // The roofline begins with its ceilings, which are no runs.
            for (int i = 0; i < 40 && activated.isEmpty(); ++i) {
                QTest::keyClick(&plot, Qt::Key_Return);
                if (activated.isEmpty()) QTest::keyClick(&plot, Qt::Key_Right);
            }
            QVERIFY2(activated.count() == 1, qPrintable(chart->name()));
            QTest::keyClick(&plot, Qt::Key_End);
            QVERIFY2(plot.accessibleDescription() != first, qPrintable(chart->name()));
            QTest::keyClick(&plot, Qt::Key_Home);
            QCOMPARE(plot.accessibleDescription(), first);
            QToolTip::hideText();
        }
    }
    void aBackendHasTheSameSeriesInEveryChart() {
        AllCharts charts;
        // The reference does not scale, so the charts list different backends.
        QHash<QString, QSet<int>> found;
        const std::pair<Chart*, int> columns[] = {
            {&charts.live, 0}, {&charts.scaling, 0}, {&charts.sweep, 1}, {&charts.roofline, 0}, {&charts.convergence, 0}};
        for (const auto& [chart, column] : columns)
            for (const ChartRow& row : chart->table().rows) found[row.cells[column].text] << row.series;
        QVERIFY(found.contains("openmp") && found.contains("cuda") && found.contains("reference"));
        for (const auto& [label, series] : found.asKeyValueRange()) QVERIFY2(series.size() == 1, qPrintable(label));
        QVERIFY(found["openmp"] != found["reference"]);
    }
    void computeHasOneColour() {
        AllCharts charts;
        // The compute bars of both charts, and every other stage of the first.
        QSet<QRgb> compute, others;
        for (Chart* chart : {static_cast<Chart*>(&charts.stages), static_cast<Chart*>(&charts.speedup)})
            for (int i = 0; i < chart->plot().plottableCount(); ++i) {
                const QCPAbstractPlottable& bars = *chart->plot().plottable(i);
                if (bars.name().isEmpty() || bars.name() == QLatin1String("end to end")) continue;
                (bars.name() == QLatin1String("compute") ? compute : others).insert(bars.brush().color().rgb());
                if (bars.name() == QLatin1String("compute")) QVERIFY(bars.brush().style() == Qt::SolidPattern);
            }
        QCOMPARE(compute, QSet<QRgb>{seriesColour(0).rgb()});
        QVERIFY(others.size() >= 2 && !others.contains(seriesColour(0).rgb()));
    }
    void filesCarryTheTitleOfTheChart() {
        AllCharts charts;
        const QByteArray svg = chartAs(charts.sweep.plot(), "svg");
        QVERIFY(svg.contains("<title>Sweep chart</title>"));
        QVERIFY(!svg.contains("Qt SVG Document"));
    }
    void anEmptyChartHasNoScrollBar() {
        SweepChart chart(processCatalog());
        chart.resize(300, 70);
        chart.show();
        QVERIFY(QTest::qWaitForWindowExposed(&chart, kPatience));
        layOut();
        QVERIFY(!chart.findChild<QScrollArea*>()->verticalScrollBar()->isVisible());
    }
    void manyNotesLeaveRoomForTheTable() {
        Session session(processCatalog());
        auto* chart = new CompareChart;
        ChartPage page(chart, nullptr, session);
        page.resize(700, 240);
        page.show();
        QVERIFY(QTest::qWaitForWindowExposed(&page, kPatience));
        PastComparison comparison{"yesterday", compareRecords(sampleRecordOf(3, 2e7), sampleRecordOf(3, 2e7), -1)};
        for (int i = 0; i < 12; ++i)
            comparison.result.warnings.push_back("Note " + std::to_string(i) + " says at some length what is doubtful in this record");
        chart->setData(std::make_shared<const PastComparisons>(PastComparisons{comparison}));
        layOut();
        auto* notes = page.findChild<QLabel*>();
        QVERIFY(notes && notes->text().contains("Note 0") && !notes->text().contains("Note 11"));
        QVERIFY2(notes->text().contains("more notes"), qPrintable(notes->text()));
        QVERIFY(notes->toolTip().contains("Note 11"));
        QVERIFY2(page.view().height() > page.height() / 2, qPrintable(QString::number(page.view().height())));
        emit notes->linkActivated(QStringLiteral("notes"));
        QVERIFY(notes->text().contains("Note 11"));
    }
    void numbersStayBesideTheirNames() {
        Session session(processCatalog());
        auto* chart = new CompareChart;
        ChartPage page(chart, nullptr, session);
        page.resize(1600, 300);
        page.show();
        const RunRecord record = sampleRecordOf(3, 2e7);
        chart->setData(std::make_shared<const PastComparisons>(PastComparisons{{"yesterday", compareRecords(record, record, -1)}}));
        layOut();
        const QHeaderView& header = *page.view().horizontalHeader();
        QVERIFY2(header.length() < page.view().viewport()->width(), qPrintable(QString::number(header.length())));
    }
    void aDoubleClickOnAPointChoosesIt() {
        AllCharts charts;
        QSignalSpy activated(&charts.sweep, &Chart::activated);
        QWidget& plot = charts.sweep.canvas();
        // Somewhere in the chart there is a point; nothing in the corner is one.
        QTest::mouseDClick(&plot, Qt::LeftButton, {}, QPoint(2, 2));
        QVERIFY(activated.isEmpty());
        for (int y = 30; y < plot.height() - 30 && activated.isEmpty(); y += 10)
            for (int x = 60; x < plot.width() - 60 && activated.isEmpty(); x += 10)
                QTest::mouseDClick(&plot, Qt::LeftButton, {}, QPoint(x, y));
        QCOMPARE(activated.count(), 1);
        QVERIFY(activated.front().at(0).toInt() >= 0);
    }
    void sweepTellsWhereTheFastestChanges() {
        AllCharts charts;
        QVERIFY2(charts.sweep.notes().contains("cuda"), qPrintable(charts.sweep.notes()));
        QCOMPARE(charts.sweep.table().rows.size(), 3 * 6);
        charts.sweep.setEndToEnd(true);
        QCOMPARE(charts.sweep.table().rows.size(), 3 * 6);
        // A wrong result stays in the table and takes no part.
        auto records = sampleSweep("size", 3, 2e7);
        for (RunRecord& r : records) r.entries[2].verification = Verification::disagrees;
        charts.sweep.setData(makeLabRecords(records));
        QVERIFY2(!charts.sweep.notes().contains("cuda"), qPrintable(charts.sweep.notes()));
        QVERIFY(charts.sweep.table().rows.back().cells.back().text.contains("disagrees"));
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
    void timelineShowsOverlap() {
        AllCharts charts;
        QVERIFY2(charts.timeline.notes().contains("cuda"), qPrintable(charts.timeline.notes()));
        QVERIFY(!charts.timeline.notes().contains("openmp"));
    }
    void tableModelKeepsItsRows() {
        ChartTableModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        AllCharts charts;
        QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
        model.setTable(charts.sweep.table());
        model.setTable(charts.sweep.table());
        QCOMPARE(reset.count(), 1);  // the second time only values changed
        QCOMPARE(model.toText().count('\n'), model.rowCount());
        model.setTable({});
        QCOMPARE(model.rowCount(), 0);
    }
    void csvIsQuoted() {
        ChartTable table;
        table.columns = {{"a", {}, {}}, {"b", {}, {}}};
        ChartRow row;
        row.cells = {ChartCell(QStringLiteral("x, \"y\"")), ChartCell(QStringLiteral("1,5 ms"), 1.5e6)};
        table.rows << row;
        QCOMPARE(toCsv(table), QStringLiteral("a,b\r\n\"x, \"\"y\"\"\",1500000\r\n"));
    }
};

QTEST_MAIN(ChartsTest)
#include "charts_test.moc"
