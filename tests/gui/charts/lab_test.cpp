// SPDX-License-Identifier: GPL-3.0-or-later
// Benchmarks, sweeps and ceilings in the window.
#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSettings>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QThread>
#include <cstdio>
#include <thread>

#include "core/engine/run/run_context.hpp"
#include "tests/gui/charts/lab_sample.hpp"
#include "tests/gui/charts/lab_window.hpp"
#include "tests/gui/short_measurements.hpp"
#include "ui/charts/chart.hpp"
#include "ui/charts/chart_page.hpp"
#include "ui/charts/kinds/timing_charts.hpp"
#include "ui/charts/plot.hpp"
#include "ui/charts/timing_panel.hpp"
#include "ui/models/pipeline/pane_edits.hpp"
#include "ui/session/lab.hpp"
#include "ui/window/dialogs/quit_dialog.hpp"

using namespace parallax;
using namespace parallax::ui;

namespace {

bool waitForSweep(MainWindow& window) {
    return QTest::qWaitFor([&] { return !window.session().lab().sweeping() && window.settled(); }, 4 * kPatience);
}

}  // namespace

class LabTest : public QObject {
    Q_OBJECT
    ShortMeasurements short_;

private slots:
    void init() {
        QSettings().clear();
        QStandardPaths::setTestModeEnabled(true);
        QDir(HistoryStore::standardFolder()).removeRecursively();
    }

    void aSweepIsOneClick() {
        auto window = windowWith("synthetic:noise:64x48");
        TimingPanel& panel = window->timingPanel();
        panel.showPage(TimingPanel::sweepPage);
        auto& axis = named<QComboBox>(*window, "sweepAxis");
        QCOMPARE(axis.itemData(0).toString(), QStringLiteral("size"));
        QVERIFY(axis.findData("convolve.size") > 0);
        QVERIFY(axis.findData("threads") < 0);  // it has its own page
        axis.setCurrentIndex(axis.findData("convolve.size"));
        auto& values = named<QLineEdit>(*window, "sweepValues");
        QVERIFY2(values.text().startsWith("3, 5, 7"), qPrintable(values.text()));
        values.setText("3, 5");
        // Recorded from the signal: polling would miss short states. The panel is connected before.
        QStringList shown;
        connect(&window->session().lab(), &Lab::sweepChanged, this,
                [&, &label = named<QLabel>(*window, "timingState")] { shown << label.text(); });
        QTest::mouseClick(&named<QPushButton>(*window, "sweep"), Qt::LeftButton);
        QVERIFY(window->session().lab().sweeping());
        QVERIFY(waitForSweep(*window));
        disconnect(&window->session().lab(), nullptr, this, nullptr);
        QVERIFY2(!shown.filter("Point 2 of 2 (convolve.size=5)").isEmpty(), qPrintable(shown.join('\n')));
        const auto& lab = window->session().lab().sweepRecords();
        QVERIFY(lab);
        QCOMPARE(lab->records.size(), std::size_t{2});
        QCOMPARE(lab->records[1].sweep.value, std::string("5"));
        QVERIFY(lab->records[0].command.find("--sweep 'convolve.size=3,5'") != std::string::npos);
        QCOMPARE(lab->records[0].baseline, std::string("openmp.scalar:1t"));
        for (const RunEntry& e : lab->records[0].entries)
            if (e.status == RunStatus::done) QCOMPARE(e.verification, Verification::agrees);
        Chart& chart = *panel.charts()[5];
        QCOMPARE(chart.name(), QStringLiteral("sweep"));
        QVERIFY(chart.table().rows.size() >= 4);
        // The sweep is in the history.
        QVERIFY(QTest::qWaitFor([&] { return window->session().lab().history().size() == 1; }, kPatience));
        QCOMPARE(window->session().lab().history().front().sweep, QStringLiteral("convolve.size"));
        // Choosing a point sets its parameter; undo restores it.
        int row = -1;
        for (int i = 0; i < chart.table().rows.size(); ++i)
            if (chart.table().rows[i].cells[1].text.startsWith("openmp") && chart.table().rows[i].cells[0].text == "3") row = i;
        QVERIFY(row >= 0);
        emit chart.activated(chart.table().rows[row].record, chart.table().rows[row].entry);
        QVERIFY(waitForIdle(*window));
        QCOMPARE(window->session().side(Side::b).target.backend, std::string("openmp"));
        QCOMPARE(window->session().pipeline().step(0).parameters.text("size"), std::string("3"));
        QVERIFY(window->messageBar().isVisible());
        window->findChild<QAction*>("undo")->trigger();
        QCOMPARE(window->session().pipeline().step(0).parameters.text("size"), std::string("5"));
    }
    void aPointOfASizeSweepOpensThatSize() {
        // A generated image is opened in that size.
        auto window = windowWith("synthetic:noise:64x48");
        Session& session = window->session();
        const auto sweepAndChoose = [&](const char* values, int record) {
            window->timingPanel().showPage(TimingPanel::sweepPage);
            named<QComboBox>(*window, "sweepAxis").setCurrentIndex(0);
            named<QLineEdit>(*window, "sweepValues").setText(QLatin1String(values));
            QTest::mouseClick(&named<QPushButton>(*window, "sweep"), Qt::LeftButton);
            if (!waitForSweep(*window)) return false;
            const auto& records = session.lab().sweepRecords()->records;
            int entry = -1;
            for (std::size_t i = 0; i < records.front().entries.size(); ++i)
                if (records.front().entries[i].label == "openmp") entry = static_cast<int>(i);
            emit window->timingPanel().charts()[5]->activated(record, entry);
            return waitForIdle(*window);
        };
        QVERIFY(sweepAndChoose("16,24", 1));
        QCOMPARE(session.original()->shape().width, 24);
        QCOMPARE(session.original()->shape().height, 24);
        QCOMPARE(session.side(Side::b).target.backend, std::string("openmp"));
        QVERIFY(session.side(Side::b).result && session.side(Side::b).result->image->shape().width == 24);
        // For a file, the part is selected, unless it is larger than the image.
        QTemporaryDir folder;
        QImage picture(60, 40, QImage::Format_RGB32);
        picture.fill(Qt::darkCyan);
        const QString path = folder.path() + "/picture.png";
        QVERIFY(picture.save(path));
        QVERIFY(openAndWait(*window, path));
        QSignalSpy part(&window->timingPanel(), &TimingPanel::partChosen);
        QVERIFY(sweepAndChoose("32,64", 0));
        QCOMPARE(part.count(), 1);
        QCOMPARE(part.front().front().toRect(), QRect(0, 0, 32, 32));
        QCOMPARE(window->view().selection(), QRect(0, 0, 32, 32));
        QCOMPARE(session.original()->shape().width, 60);
        QVERIFY(window->messageBar().isVisible());
        emit window->timingPanel().charts()[5]->activated(1, 1);
        QVERIFY(waitForIdle(*window));
        QCOMPARE(part.count(), 1);
        QCOMPARE(session.original()->shape().width, 60);
    }
    void tooltipsExplainTheChoiceOfVariant() {
        auto window = windowWith("synthetic:noise:64x48");
        const QString tip = window->compareView().pane(PaneRole::a).toolTip();
        QVERIFY2(tip.contains("A ran convolve / openmp / "), qPrintable(tip));
        QVERIFY2(window->compareView().pane(PaneRole::b).toolTip().contains("B ran convolve / reference"), "B");
        window->session().setTarget(Side::a, "openmp.scalar");
        QVERIFY(waitForIdle(*window));
        QVERIFY(window->compareView().pane(PaneRole::a).toolTip().contains("scalar: requested by name"));
    }
    void cancellingASweepKeepsCompletedPoints() {
        auto window = windowWith("synthetic:noise:64x48");
        window->timingPanel().showPage(TimingPanel::sweepPage);
        named<QLineEdit>(*window, "sweepValues").setText("16,24,3000,3100,3200,3300");  // seconds each, from the third on
        QStringList shown;
        connect(&window->session().lab(), &Lab::sweepChanged, this,
                [&, &label = named<QLabel>(*window, "timingState")] { shown << label.text(); });
        auto& button = named<QPushButton>(*window, "sweep");
        QTest::mouseClick(&button, Qt::LeftButton);
        QCOMPARE(button.text(), QStringLiteral("Stop"));
        QVERIFY(!window->findChild<QAction*>("benchmark")->isEnabled());
        const Lab& lab = window->session().lab();
        // The time left follows from the points so far, and is shown from 1.5 s on.
        const auto someAreDone = [&] {
            return lab.sweepRecords() && lab.sweepRecords()->records.size() >= 2 && !shown.filter(" left").isEmpty();
        };
        QVERIFY2(QTest::qWaitFor(someAreDone, 4 * kPatience), qPrintable(shown.join('\n')));
        const std::size_t before = lab.sweepRecords()->records.size();
        QTest::mouseClick(&button, Qt::LeftButton);
        QVERIFY(!lab.sweeping());
        QVERIFY(waitForIdle(*window));
        QCOMPARE(button.text(), QStringLiteral("Sweep"));
        QVERIFY(lab.sweepRecords()->records.size() >= before && lab.sweepRecords()->records.size() < 6);
        QVERIFY2(state(*window).contains(" of 6 points"), qPrintable(state(*window)));
        for (const RunRecord& r : lab.sweepRecords()->records)
            for (const RunEntry& e : r.entries) QVERIFY(e.status != RunStatus::cancelled);
        QVERIFY(QTest::qWaitFor([&] { return lab.history().size() == 1; }, kPatience));
        // The next sweep is unaffected.
        named<QLineEdit>(*window, "sweepValues").setText("16,24");
        QTest::mouseClick(&button, Qt::LeftButton);
        QVERIFY(waitForSweep(*window));
        QCOMPARE(lab.sweepRecords()->records.size(), std::size_t{2});
        disconnect(&lab, nullptr, this, nullptr);
    }
    void invalidSweepsAreRefusedWithAMessage() {
        auto window = windowWith("synthetic:noise:64x48");
        window->timingPanel().showPage(TimingPanel::sweepPage);
        for (const char* bad : {"", "16,x", "0", "16,,32", "-3"}) {
            named<QLineEdit>(*window, "sweepValues").setText(QLatin1String(bad));
            QTest::mouseClick(&named<QPushButton>(*window, "sweep"), Qt::LeftButton);
            QVERIFY2(!window->session().lab().sweeping(), bad);
            QVERIFY2(window->messageBar().isVisible(), bad);
        }
        QVERIFY(!window->session().lab().sweepRecords());
    }
    void scalingOverThreads() {
        if (effectiveThreads({}) < 2) QSKIP("one thread is all there is");
        auto window = windowWith("synthetic:noise:256x256");
        window->timingPanel().showPage(TimingPanel::scalingPage);
        QVERIFY(named<QLineEdit>(*window, "threadValues").text().startsWith("1, 2"));
        named<QLineEdit>(*window, "threadValues").setText("1,2");
        QTest::mouseClick(&named<QPushButton>(*window, "sweepThreads"), Qt::LeftButton);
        QVERIFY(waitForSweep(*window));
        QVERIFY(window->session().lab().scaling());
        QVERIFY(!window->session().lab().sweepRecords());
        const Chart& chart = *window->timingPanel().charts()[4];
        QVERIFY(chart.table().rows.size() >= 2);
        QVERIFY2(chart.notes().contains("Amdahl"), qPrintable(chart.notes()));
    }
    void convergenceGrowsWhileARunIterates() {
        auto window = windowWith("synthetic:noise:768x512");
        Session& session = window->session();
        TimingPanel& panel = window->timingPanel();
        panel.showPage(TimingPanel::convergencePage);
        Chart* chart = nullptr;
        for (Chart* each : panel.charts())
            if (each->name() == QLatin1String("convergence")) chart = each;
        QVERIFY(chart && chart->table().rows.isEmpty());
        QVERIFY(!named<QComboBox>(*window, "convergenceAxis").isEnabled());
        session.pipeline().setPipeline(pipelineOf({"poisson"}));
        QVERIFY(waitForIdle(*window));
        // The last runs of the panes, without a benchmark.
        QVERIFY(!session.record());
        QCOMPARE(chart->table().rows.size(), 2);
        QCOMPARE(chart->table().rows[0].cells[0].text, QString::fromStdString(session.side(Side::a).target.label()));
        QCOMPARE(chart->table().rows[0].entry, -1);
        QCOMPARE(named<QComboBox>(*window, "convergenceAxis").count(), 2);
        QVector<qsizetype> running;  // points of the run that iterates
        connect(chart, &Chart::tableChanged, this, [&] {
            for (const ChartRow& row : chart->table().rows) {
                if (row.cells.back().raw.toString() != QLatin1String("running")) continue;
                if (row.cells[0].text == "reference" && session.measuring()) running << row.cells[1].raw.toLongLong();
            }
        });
        window->findChild<QAction*>("benchmark")->trigger();
        QVERIFY(QTest::qWaitFor([&] { return session.record() && !session.measuring() && window->settled(); }, 8 * kPatience));
        disconnect(chart, nullptr, this, nullptr);
        QVERIFY2(running.size() >= 2, "the reference iterates for many updates");
        // Within a run; the next one begins at 0 again.
        QVERIFY(std::adjacent_find(running.begin(), running.end(), std::less<>()) != running.end());
        qsizetype rows = 0;
        for (const RunEntry& e : session.record()->entries) rows += e.series.empty() ? 0 : 1;
        QVERIFY(rows >= 2);
        QCOMPARE(chart->table().rows.size(), rows);
        for (const ChartRow& row : chart->table().rows)
            QVERIFY(row.cells.back().raw.toString() != QLatin1String("running") && row.entry >= 0);
        named<QComboBox>(*window, "convergenceAxis").setCurrentIndex(1);
        emit named<QComboBox>(*window, "convergenceAxis").activated(1);
        QCOMPARE(chart->table().columns[2].title, QStringLiteral("Time"));
        // And the parts of the same record.
        panel.showPage(TimingPanel::partsPage);
        for (Chart* each : panel.charts())
            if (each->name() == QLatin1String("parts")) QVERIFY(!each->table().rows.isEmpty());
    }
    void partsOfRunsAreMeasuredWhenTheirPageAsks() {
        auto window = windowWith("synthetic:noise:64x48");
        Session& session = window->session();
        TimingPanel& panel = window->timingPanel();
        session.pipeline().setPipeline(pipelineOf({"poisson"}));
        QVERIFY(waitForIdle(*window));
        QVERIFY(session.side(Side::a).result->laps.empty());
        panel.showPage(TimingPanel::partsPage);
        QVERIFY(waitForIdle(*window));
        QVERIFY(!session.side(Side::a).result->laps.empty());
        const auto charts = panel.charts();
        const auto parts = std::find_if(charts.begin(), charts.end(), [](Chart* c) { return c->name() == QLatin1String("parts"); });
        QCOMPARE((*parts)->table().rows.isEmpty(), false);
        // Runs with laps are not repeated, and other pages do without.
        const auto before = session.side(Side::a).result;
        panel.showPage(TimingPanel::stagesPage);
        panel.showPage(TimingPanel::partsPage);
        QVERIFY(waitForIdle(*window));
        QCOMPARE(session.side(Side::a).result, before);
    }
    void encodedValuesAreMeasuredAndRecorded() {
        auto window = windowWith("synthetic:noise:32x24,channels=3");
        setEncoded(window->session().pipeline(), Side::a, true);
        QVERIFY(window->settled() || QTest::qWaitFor([&] { return window->settled(); }, kPatience));
        window->findChild<QAction*>("benchmark")->trigger();
        QVERIFY(QTest::qWaitFor([&] { return window->session().record() && !window->session().measuring() && window->settled(); },
                                4 * kPatience));
        QCOMPARE(window->session().record()->input.light, std::string("encoded"));
        QVERIFY(window->session().record()->command.find(" --light encoded") != std::string::npos);
        for (const RunEntry& e : window->session().record()->entries)
            if (e.status == RunStatus::done) QCOMPARE(e.verification, Verification::agrees);
        window->timingPanel().showPage(TimingPanel::sweepPage);
        window->session().lab().sweep("size=16,24", "quick");
        QVERIFY(waitForSweep(*window));
        QCOMPARE(window->session().lab().sweepRecords()->records[1].input.light, std::string("encoded"));
        QVERIFY(window->session().lab().inReport(*window->session().lab().sweepRecords()));
        setEncoded(window->session().pipeline(), Side::a, false);
        QVERIFY(window->session().benchmark().outdated());
    }
    void plainSerialLoopsAreTheBaselineUntilAnotherIsChosen() {
        auto window = windowWith("synthetic:noise:64x48");
        const auto measure = [&window] {
            window->findChild<QAction*>("benchmark")->trigger();
            return QTest::qWaitFor([&] { return window->session().record() && !window->session().measuring() && window->settled(); },
                                   4 * kPatience);
        };
        const auto speedupOf = [&window](const QString& label) {
            const TimingModel& model = window->timingPanel().model();
            for (int row = 0; row < model.rowCount(); ++row)
                if (model.index(row, TimingModel::backendColumn).data() == label)
                    return model.index(row, TimingModel::speedupColumn).data().toString();
            return QString();
        };
        QVERIFY(measure());
        auto& baseline = named<QComboBox>(*window, "baseline");
        QCOMPARE(baseline.currentText(), QStringLiteral("openmp.scalar:1t"));
        QCOMPARE(speedupOf("openmp.scalar:1t"), QStringLiteral("baseline"));
        QCOMPARE(speedupOf("reference"), QStringLiteral("oracle"));
        // The command line has the same default.
        QVERIFY2(window->session().record()->command.find("scalar") == std::string::npos, window->session().record()->command.c_str());
        const int other = baseline.findText("reference");
        QVERIFY(other >= 0);
        baseline.setCurrentIndex(other);
        emit baseline.activated(other);
        QVERIFY(QTest::qWaitFor([&] { return window->session().record()->baseline == "reference"; }, kPatience));
        QCOMPARE(baseline.currentText(), QStringLiteral("reference"));
        QCOMPARE(speedupOf("reference"), QStringLiteral("baseline"));
        QVERIFY(window->session().lab().recordSource().isEmpty());
        // The next benchmark keeps the choice.
        QVERIFY(measure());
        QCOMPARE(window->session().record()->baseline, std::string("reference"));
        QCOMPARE(baseline.currentText(), QStringLiteral("reference"));
        QVERIFY(window->session().record()->command.ends_with(" --baseline reference"));
        // All pages show the benchmark.
        TimingPanel& panel = window->timingPanel();
        for (const auto& [page, chart] :
             {std::pair{TimingPanel::runsPage, 2}, std::pair{TimingPanel::timelinePage, 3}, std::pair{TimingPanel::rooflinePage, 6}}) {
            panel.showPage(page);
            QVERIFY(QTest::qWaitFor([&, index = chart] { return !panel.charts()[static_cast<std::size_t>(index)]->table().rows.isEmpty(); },
                                    kPatience));
        }
    }
    void theMemoryOfEachBackendIsShown() {
        auto window = windowWith("synthetic:noise:64x48");
        const auto tables = window->timingPanel().findChildren<QTableView*>();
        const QTableView& table = **std::find_if(tables.begin(), tables.end(),
                                                 [&](const QTableView* each) { return each->model() == &window->timingPanel().model(); });
        QVERIFY(table.isColumnHidden(TimingModel::memoryColumn));
        window->findChild<QAction*>("benchmark")->trigger();
        QVERIFY(QTest::qWaitFor([&] { return window->session().record() && !window->session().measuring() && window->settled(); },
                                4 * kPatience));
        for (const RunEntry& e : window->session().record()->entries) QVERIFY(e.memory.host >= 64 * 48 * sizeof(float));
        QVERIFY(!table.isColumnHidden(TimingModel::memoryColumn));
        const QString tip = table.model()->index(0, 0).data(Qt::ToolTipRole).toString();
        QVERIFY2(tip.contains("Memory besides the input: ") && tip.contains(" at most"), qPrintable(tip));
    }
    void energyIsMeasuredWhereTheMachineTellsIt() {
        QTemporaryDir none, powercap;
        const auto choice = [](MainWindow& window) -> QCheckBox& { return named<QCheckBox>(window, "measureEnergy"); };
        qputenv("PARALLAX_POWERCAP", none.path().toLocal8Bit());
        {
            auto window = windowWith("synthetic:noise:64x48");
            QVERIFY(QTest::qWaitFor([&] { return window->session().benchmark().counters().has_value(); }, kPatience));
            QVERIFY(!choice(*window).isEnabled());
            QVERIFY2(choice(*window).toolTip().contains("no counters of RAPL"), qPrintable(choice(*window).toolTip()));
            QVERIFY(window->session().benchmark().command({}, "quick").find("--energy") == std::string::npos);
        }
        // A counter that moves all the time.
        const QString zone = powercap.filePath("intel-rapl:0"), counter = zone + "/energy_uj";
        QVERIFY(QDir().mkpath(zone));
        QVERIFY(writeFile(zone + "/name", "package-0\n") && writeFile(zone + "/max_energy_range_uj", "1000000000000\n"));
        QVERIFY(writeFile(counter, "0\n"));
        qputenv("PARALLAX_POWERCAP", powercap.path().toLocal8Bit());
        const std::jthread ticks([&](const std::stop_token& stop) {
            for (quint64 microjoules = 0; !stop.stop_requested(); microjoules += 1000) {
                // As a whole, since a reader comes at any time.
                (void)writeFile(counter + ".next", QByteArray::number(microjoules) + "\n");
                (void)std::rename(qPrintable(counter + ".next"), qPrintable(counter));
                QThread::msleep(2);
            }
        });
        auto window = windowWith("synthetic:noise:64x48");
        QVERIFY(QTest::qWaitFor([&] { return choice(*window).isEnabled(); }, kPatience));
        QVERIFY2(choice(*window).toolTip().contains("RAPL (package-0)"), qPrintable(choice(*window).toolTip()));
        const TimingModel& model = window->timingPanel().model();
        auto measure = [&] {
            window->findChild<QAction*>("benchmark")->trigger();
            return QTest::qWaitFor([&] { return window->session().record() && !window->session().measuring() && window->settled(); },
                                   8 * kPatience);
        };
        QVERIFY(measure());
        QVERIFY(model.isEmpty(TimingModel::energyColumn));
        QVERIFY(!model.toText().contains("Energy"));
        choice(*window).setChecked(true);
        QVERIFY(measure());
        QVERIFY(window->session().record()->command.find(" --energy") != std::string::npos);
        QVERIFY(!model.isEmpty(TimingModel::energyColumn));
        const RunEntry& entry = window->session().record()->entries.front();
        QVERIFY(entry.energy && entry.energy->joules > 0);
        QVERIFY2(model.index(0, TimingModel::energyColumn).data().toString().endsWith(" J"), qPrintable(model.toText()));
        QVERIFY(model.index(0, 0).data(Qt::ToolTipRole).toString().contains("RAPL (package-0)"));
        QVERIFY(model.toText().contains("Energy"));
        qunsetenv("PARALLAX_POWERCAP");
    }
    void coldCachesAreChosen() {
        auto window = windowWith("synthetic:noise:64x48");
        named<QCheckBox>(*window, "coldCaches").setChecked(true);
        window->findChild<QAction*>("benchmark")->trigger();
        QVERIFY(QTest::qWaitFor([&] { return window->session().record() && window->settled(); }, 4 * kPatience));
        QVERIFY(window->session().record()->protocol.coldCaches);
        QVERIFY(window->session().record()->command.find(" --cache cold") != std::string::npos);
    }
    void emptyTablesHaveNoScrollBars() {
        auto window = windowWith("synthetic:noise:64x48");
        TimingPanel& panel = window->timingPanel();
        panel.resize(420, 300);
        for (int page = 0; page <= TimingPanel::historyPage; ++page) {
            panel.showPage(static_cast<TimingPanel::Page>(page));
            QVERIFY(waitForIdle(*window));
            for (const QTableView* table : panel.findChildren<QTableView*>())
                if (table->isVisible() && table->model()->rowCount() == 0)
                    QVERIFY2(!table->horizontalScrollBar()->isVisible(), qPrintable(table->accessibleName()));
        }
    }
    void aChartSelectsAndNeverMakesBothPanesTheSame() {
        auto window = windowWith("synthetic:noise:64x48");
        Session& session = window->session();
        window->findChild<QAction*>("benchmark")->trigger();
        QVERIFY(QTest::qWaitFor([&] { return session.record() && !session.measuring() && window->settled(); }, 4 * kPatience));
        Chart& chart = window->timingPanel().stages();
        int openmp = -1;
        for (std::size_t i = 0; i < session.record()->entries.size(); ++i)
            if (session.record()->entries[i].label == "openmp") openmp = static_cast<int>(i);
        QVERIFY(openmp >= 0);
        // A click selects and changes no pane.
        QSignalSpy activated(&chart, &Chart::activated), selected(&chart, &Chart::rowSelected);
        for (int y = 20; y < chart.canvas().height() && selected.isEmpty(); y += 4)
            QTest::mouseClick(&chart.canvas(), Qt::LeftButton, {}, QPoint(chart.canvas().width() / 3, y));
        QVERIFY(!selected.isEmpty());
        QVERIFY(activated.isEmpty());
        QCOMPARE(session.side(Side::a).target.backend, std::string("openmp"));
        QCOMPARE(session.side(Side::b).target.backend, std::string("reference"));
        // A and B exchange their backends instead of becoming equal.
        emit chart.activated(0, openmp);
        QVERIFY(waitForIdle(*window));
        QCOMPARE(session.side(Side::a).target.backend, std::string("reference"));
        QCOMPARE(session.side(Side::b).target.backend, std::string("openmp"));
        emit chart.activated(0, openmp, Chart::paneA);
        QVERIFY(waitForIdle(*window));
        QCOMPARE(session.side(Side::a).target.backend, std::string("openmp"));
        QCOMPARE(session.side(Side::b).target.backend, std::string("reference"));
    }
    void theReportHasTheSweepsOfTheSession() {
        auto window = windowWith("synthetic:noise:64x48");
        Session& session = window->session();
        const auto sweep = [&](const char* values) {
            session.lab().sweep(QLatin1String(values), QStringLiteral("quick"));
            return waitForSweep(*window);
        };
        QVERIFY(sweep("size=16,24"));
        QCOMPARE(session.lab().reportRecords().size(), std::size_t{2});
        QVERIFY(sweep("threads=1,2"));
        window->findChild<QAction*>("benchmark")->trigger();
        QVERIFY(QTest::qWaitFor([&] { return session.record() && !session.measuring() && window->settled(); }, 4 * kPatience));
        QCOMPARE(session.lab().reportRecords().size(), std::size_t{5});
        QVERIFY(session.lab().reportRecords().front().sweep.axis.empty());
        QTemporaryDir folder;
        const QString page = folder.path() + "/r.html", data = folder.path() + "/r.json";
        session.saveReport(page, false);
        session.saveReport(data, false);
        QVERIFY(QTest::qWaitFor([&] { return QFile::exists(page) && QFile::exists(data) && window->settled(); }, kPatience));
        QFile file(page);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray html = file.readAll();
        for (const char* title : {"Scaling over threads, 2 measurements", "Sweep over size, 2 measurements"})
            QVERIFY2(html.contains(title), title);
        // The window shows all of it again.
        auto later = windowWith("synthetic:noise:32x32");
        later->openInputs({data});
        const Lab& lab = later->session().lab();
        QVERIFY(QTest::qWaitFor([&] { return !lab.recordSource().isEmpty(); }, kPatience));
        QVERIFY(lab.scaling() && lab.sweepRecords());
        QCOMPARE(lab.scaling()->records.size(), std::size_t{2});
        QCOMPARE(lab.reportRecords().size(), std::size_t{5});
        // Sweeps of other steps do not belong to the report.
        session.pipeline().setParameter(0, "size", ParameterValue(std::int64_t{3}));
        QVERIFY(waitForIdle(*window));
        window->findChild<QAction*>("benchmark")->trigger();
        QVERIFY(
            QTest::qWaitFor([&] { return !session.measuring() && !session.benchmark().outdated() && window->settled(); }, 4 * kPatience));
        QCOMPARE(session.lab().reportRecords().size(), std::size_t{1});
    }
    void theHeadingNamesStepsInWords() {
        auto window = windowWith("synthetic:noise:64x48");
        RunRecord record = sampleRecordOf(2, 1e6);
        record.recipe = {"convolve:kernel=custom,size=9,weights='0 -1 0\n-1 5 -1\n0 -1 0'"};
        record.warnings.clear();
        window->session().benchmark().show(summariseTimings(record), false);
        QVERIFY2(state(*window).contains(QStringLiteral("Convolution: Custom 3 × 3 on ")), qPrintable(state(*window)));
        QVERIFY2(!state(*window).contains("weights") && !state(*window).contains('\n'), qPrintable(state(*window)));
    }
    void quittingDuringASweepOrCeilingsAsks_data() {
        QTest::addColumn<bool>("sweeps");
        QTest::newRow("sweep") << true;
        QTest::newRow("ceilings") << false;
    }
    void quittingDuringASweepOrCeilingsAsks() {
        QFETCH(const bool, sweeps);
        auto window = windowWith("synthetic:noise:64x48");
        window->timingPanel().showPage(sweeps ? TimingPanel::sweepPage : TimingPanel::rooflinePage);
        if (sweeps) named<QLineEdit>(*window, "sweepValues").setText("3000,3100,3200");  // seconds each
        QTest::mouseClick(&named<QPushButton>(*window, sweeps ? "sweep" : "measureCeilings"), Qt::LeftButton);
        const Lab& lab = window->session().lab();
        const auto measuring = [&] { return sweeps ? lab.sweeping() : lab.measuringCeilings(); };
        QVERIFY(measuring());
        QVERIFY(!window->close());
        auto* question = window->findChild<QuitDialog*>();
        QVERIFY(question && question->isVisible());
        QCOMPARE(question->text(), QStringLiteral("A measurement is running."));
        question->reject();
        QVERIFY(window->isVisible() && measuring());
        window->session().cancel();
        QVERIFY(waitForIdle(*window));
    }
    void ceilingsAreMeasuredInTheBackgroundAndCancelled() {
        auto window = windowWith("synthetic:noise:64x48");
        window->timingPanel().showPage(TimingPanel::rooflinePage);
        auto& button = named<QPushButton>(*window, "measureCeilings");
        QTest::mouseClick(&button, Qt::LeftButton);
        QVERIFY(window->session().lab().measuringCeilings());
        QVERIFY(!button.isEnabled());
        QTest::qWait(300);
        QTest::keyClick(window.get(), Qt::Key_Escape);
        QVERIFY(QTest::qWaitFor([&] { return !window->session().lab().measuringCeilings() && button.isEnabled(); }, kPatience));
    }
};

QTEST_MAIN(LabTest)
#include "lab_test.moc"
