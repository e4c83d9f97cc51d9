// SPDX-License-Identifier: GPL-3.0-or-later
// Tests that every chart passes: its table, its files, tooltips, clicks and keys; and the models behind them. chart_kinds_test.cpp has each
// kind with data of its own.
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

#include "tests/gui/charts/chart_data.hpp"
#include "tests/gui/gui_support.hpp"
#include "ui/charts/chart_export.hpp"
#include "ui/charts/chart_page.hpp"
#include "ui/charts/chart_style.hpp"
#include "ui/charts/kinds/timing_charts.hpp"
#include "ui/charts/plot.hpp"
#include "ui/models/benchmark/timing_model.hpp"
#include "ui/models/pipeline/choice_text.hpp"
#include "ui/session/session.hpp"

using namespace parallax;
using namespace parallax::ui;

namespace {

/// As many turns of the event loop as layouts and drawings that depend on each other need, whatever time they take.
void layOut() {
    for (int turn = 0; turn < 8; ++turn) {
        QCoreApplication::processEvents();
        QCoreApplication::sendPostedEvents();
    }
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
