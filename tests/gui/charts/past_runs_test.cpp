// SPDX-License-Identifier: GPL-3.0-or-later
// Past runs, opened reports and baselines in the window.
#include <QAction>
#include <QComboBox>
#include <QInputDialog>
#include <QListWidget>
#include <QPushButton>
#include <QSettings>
#include <QStyle>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>

#include "core/report/kept/baselines.hpp"
#include "core/report/record/record_json.hpp"
#include "tests/gui/charts/lab_sample.hpp"
#include "tests/gui/charts/lab_window.hpp"
#include "tests/gui/short_measurements.hpp"
#include "ui/charts/chart.hpp"
#include "ui/charts/kinds/history_page.hpp"
#include "ui/charts/kinds/timing_charts.hpp"
#include "ui/charts/plot.hpp"
#include "ui/charts/timing_panel.hpp"
#include "ui/session/lab.hpp"

using namespace parallax;
using namespace parallax::ui;

namespace {

/// Texts of a table that are elided or behind its right edge.
QStringList cutCells(const QTableView& table) {
    QStringList cut;
    const QAbstractItemModel& model = *table.model();
    for (int column = 0; column < model.columnCount(); ++column) {
        const QString title = model.headerData(column, Qt::Horizontal).toString();
        if (table.columnViewportPosition(column) + table.columnWidth(column) > table.viewport()->width()) cut << title;
        for (int row = 0; row < model.rowCount(); ++row) {
            const QString text = model.index(row, column).data().toString();
            const int margin = 2 * (table.style()->pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, &table) + 1);
            const QRect room(0, 0, table.columnWidth(column) - margin, 10000);
            const QRect needed = table.fontMetrics().boundingRect(room, table.wordWrap() ? Qt::TextWordWrap : Qt::TextSingleLine, text);
            if (needed.width() > room.width() || needed.height() > table.rowHeight(row)) cut << text;
        }
    }
    return cut;
}

/// Texts of a bar chart that are shortened or outside of it.
QStringList cutTexts(CompareChart& chart) {
    QStringList cut;
    QCustomPlot& plot = chart.plot();
    const QWidget& visible = *plot.parentWidget();
    for (int i = 0; i < plot.itemCount(); ++i)
        if (const auto* text = qobject_cast<const QCPItemText*>(plot.item(i));
            text && (text->left->pixelPosition().x() < 0 || text->right->pixelPosition().x() > visible.width()))
            cut << text->text();
    for (int i = 0; i < plot.axisRectCount(); ++i)
        for (const QString& name : qSharedPointerDynamicCast<QCPAxisTickerText>(plot.axisRect(i)->axis(QCPAxis::atLeft)->ticker())->ticks())
            if (name.contains(QChar(0x2026))) cut << name;
    for (const QCPLayoutElement* element : plot.plotLayout()->elements(true))
        if (const auto* heading = qobject_cast<const QCPTextElement*>(element);
            heading && QFontMetrics(heading->font()).horizontalAdvance(heading->text()) > heading->rect().width())
            cut << heading->text();
    return cut;
}

/// The folder of baselines, emptied.
Baselines withoutBaselines() {
    Baselines saved(HistoryStore::baselineFolder().toStdString());
    for (const std::string& old : saved.names()) saved.remove(old);
    return saved;
}

}  // namespace

class PastRunsTest : public QObject {
    Q_OBJECT
    ShortMeasurements short_;

private slots:
    void init() {
        QSettings().clear();
        QStandardPaths::setTestModeEnabled(true);
        QDir(HistoryStore::standardFolder()).removeRecursively();
    }

    void cancellingKeepsFinishedMeasurements() {
        const auto kept = [] { return HistoryStore(HistoryStore::standardFolder()).list().size(); };
        auto window = windowWith("synthetic:noise:64x48");
        const auto record = std::make_shared<const RunRecord>(sampleRecordOf(3, 2e7));
        for (int i = 0; i < 8; ++i) emit window->session().benchmark().measured(record);
        QTest::keyClick(window.get(), Qt::Key_Escape);
        window->session().cancel();
        QVERIFY(QTest::qWaitFor([&] { return window->session().lab().history().size() == 8; }, kPatience));
        QCOMPARE(kept(), 8);
        // Also if the window is closed before it was written.
        for (int i = 0; i < 8; ++i) emit window->session().benchmark().measured(record);
        window->close();
        window.reset();
        QCOMPARE(kept(), 16);
    }
    void aCancelledBenchmarkLeavesTheCompleteOne() {
        auto window = windowWith("synthetic:noise:64x48");
        Benchmark& benchmark = window->session().benchmark();
        auto& run = *window->findChild<QAction*>("benchmark");
        for (const bool first : {true, false}) {
            const auto before = benchmark.record();
            qputenv("PARALLAX_SAMPLING_SECONDS", "20");
            run.trigger();
            QVERIFY(QTest::qWaitFor([&] { return benchmark.isLive(); }, kPatience));
            QVERIFY(benchmark.record() != before);
            window->session().cancel();
            QCOMPARE(benchmark.record(), before);
            QCOMPARE(benchmark.pictures() != nullptr, !first);
            QVERIFY2(!state(*window).contains("Measuring"), qPrintable(state(*window)));
            QCOMPARE(named<QComboBox>(*window, "baseline").isEnabled(), !first);
            QVERIFY(run.isEnabled());
            qputenv("PARALLAX_SAMPLING_SECONDS", "0.05");
            if (first) run.trigger();
            QVERIFY(QTest::qWaitFor([&] { return !benchmark.measuring(); }, kPatience));
            QVERIFY(benchmark.record());
        }
        QVERIFY(waitForIdle(*window));
    }
    void anOpenedReportIsShownAndCompared() {
        QTemporaryDir folder;
        const QString path = folder.path() + "/other.json";
        QVERIFY(writeFile(path, QByteArray::fromStdString(toJson({sampleRecordOf(3, 2e7)}))));
        auto window = windowWith("synthetic:noise:64x48");
        TimingPanel& panel = window->timingPanel();
        panel.showPage(TimingPanel::historyPage);
        const Lab& lab = window->session().lab();
        // The same as File > Open, or a drop.
        window->openInputs({path});
        QVERIFY(QTest::qWaitFor([&] { return lab.recordSource() == "Earlier run, other.json"; }, kPatience));
        QCOMPARE(window->session().inputName(), QStringLiteral("synthetic:noise:64x48"));  // the image stays
        QCOMPARE(panel.page(), TimingPanel::stagesPage);
        QVERIFY2(state(*window).contains("Earlier run, other.json"), qPrintable(state(*window)));
        QVERIFY(QTest::qWaitFor([&] { return lab.history().size() == 1; }, kPatience));
        QCOMPARE(lab.history().front().importedFrom, QStringLiteral("other.json"));
        // Steps are in words.
        QCOMPARE(panel.history().model().table().rows.front().cells[1].text, QStringLiteral("Convolution: Gaussian 7 × 7"));
        // A new benchmark replaces the report in the charts.
        window->findChild<QAction*>("benchmark")->trigger();
        QVERIFY(QTest::qWaitFor([&] { return lab.history().size() == 2 && window->settled(); }, 4 * kPatience));
        QVERIFY(lab.recordSource().isEmpty());
        panel.showPage(TimingPanel::historyPage);
        HistoryPage& page = panel.history();
        QVERIFY(!named<QPushButton>(*window, "comparePast").isEnabled());
        page.list().selectRow(1);
        QVERIFY(named<QPushButton>(*window, "comparePast").isEnabled());
        QTest::mouseClick(&named<QPushButton>(*window, "comparePast"), Qt::LeftButton);
        QVERIFY(QTest::qWaitFor([&] { return lab.comparison() != nullptr; }, kPatience));
        QVERIFY(lab.comparison()->front().baseline.startsWith("Earlier run, other.json, "));
        QVERIFY(!page.chart().table().rows.isEmpty());
        QVERIFY(!page.chart().notes().isEmpty());  // another image
        QTest::mouseClick(&named<QPushButton>(*window, "showPast"), Qt::LeftButton);
        QVERIFY(QTest::qWaitFor([&] { return lab.recordSource().startsWith("Earlier run, other.json, "); }, kPatience));
        panel.showPage(TimingPanel::historyPage);
        page.list().selectRow(1);
        QTest::mouseClick(&named<QPushButton>(*window, "removePast"), Qt::LeftButton);
        QVERIFY(QTest::qWaitFor([&] { return lab.history().size() == 1; }, kPatience));
    }
    void severalBaselinesAreSavedAndCompared() {
        const Baselines saved = withoutBaselines();
        auto window = windowWith("synthetic:noise:64x48");
        TimingPanel& panel = window->timingPanel();
        panel.showPage(TimingPanel::historyPage);
        const Lab& lab = window->session().lab();
        auto& list = named<QListWidget>(*window, "baselines");
        named<QTabWidget>(*window, "historyTabs").setCurrentIndex(1);
        QCOMPARE(list.count(), 0);
        QVERIFY(!named<QPushButton>(*window, "saveBaseline").isEnabled());
        window->findChild<QAction*>("benchmark")->trigger();
        QVERIFY(QTest::qWaitFor([&] { return window->session().record() && window->settled(); }, 4 * kPatience));
        const auto answer = [&](const char* button, const QString& name) {
            QTest::mouseClick(&named<QPushButton>(*window, button), Qt::LeftButton);
            auto* dialog = window->findChild<QInputDialog*>();
            QVERIFY(dialog);
            dialog->setTextValue(name);
            dialog->accept();
            QVERIFY(QTest::qWaitFor([&] { return window->findChild<QInputDialog*>() == nullptr; }, kPatience));
        };
        answer("saveBaseline", "first");
        QVERIFY(QTest::qWaitFor([&] { return list.count() == 1; }, kPatience));
        answer("saveBaseline", "second");
        QVERIFY(QTest::qWaitFor([&] { return list.count() == 2; }, kPatience));
        answer("saveBaseline", "first");  // the name is taken
        QVERIFY(waitForIdle(*window));
        QCOMPARE(list.count(), 2);
        for (int i = 0; i < 2; ++i) list.item(i)->setCheckState(Qt::Checked);
        QVERIFY(QTest::qWaitFor([&] { return lab.comparison() && lab.comparison()->size() == 2; }, kPatience));
        const CompareChart& chart = panel.history().chart();
        const auto entries = static_cast<int>(lab.comparison()->front().result.entries.size());
        QVERIFY(entries > 0);
        QCOMPARE(chart.table().rows.size(), 2 * entries);
        QCOMPARE(chart.table().rows.front().cells.back().text, QStringLiteral("first"));
        QCOMPARE(chart.table().rows.back().cells.back().text, QStringLiteral("second"));
        QCOMPARE(chart.table().rows.front().cells[7].text, QStringLiteral("same bits"));
        // Reports hold the comparison of what they are of.
        QTemporaryDir folder;
        const QString page = folder.filePath("r.md");
        window->session().saveReport(page, false);
        QVERIFY(QTest::qWaitFor([&] { return QFile::exists(page) && window->settled(); }, kPatience));
        QVERIFY(readFile(page).contains("Comparison with 2 baselines"));
        window->findChild<QAction*>("benchmark")->trigger();
        QVERIFY(QTest::qWaitFor([&] { return !window->session().measuring() && window->settled(); }, 4 * kPatience));
        QVERIFY(lab.reportComparisons().empty());
        list.setCurrentRow(1);
        answer("renameBaseline", "latest");
        QVERIFY(QTest::qWaitFor([&] { return lab.baselines() == QStringList({"first", "latest"}); }, kPatience));
        // The command line reads the same files.
        QVERIFY(saved.has("latest"));
        list.setCurrentRow(0);
        QTest::mouseClick(&named<QPushButton>(*window, "removeBaseline"), Qt::LeftButton);
        QVERIFY(QTest::qWaitFor([&] { return lab.baselines() == QStringList("latest"); }, kPatience));
        QVERIFY(QTest::qWaitFor([&] { return !lab.comparison() || lab.comparison()->size() <= 1; }, kPatience));
    }
    void theHistoryIsReadableInASmallWindow() {
        (void)withoutBaselines();
        auto window = windowWith("synthetic:noise:64x48");
        window->resize(1000, 650);
        window->resetLayout();
        window->showTiming();
        TimingPanel& panel = window->timingPanel();
        panel.showPage(TimingPanel::historyPage);
        Lab& lab = window->session().lab();
        for (qsizetype runs = 1; runs <= 2; ++runs) {
            window->findChild<QAction*>("benchmark")->trigger();
            QVERIFY(QTest::qWaitFor([&] { return lab.history().size() == runs && window->settled(); }, 4 * kPatience));
            QTest::qWait(1100);  // runs are told apart by their second
        }
        QTableView& list = panel.history().list();
        QVERIFY(list.isVisible());
        QCOMPARE(cutCells(list).join(", "), QString());
        list.selectRow(1);
        QVERIFY(named<QPushButton>(*window, "comparePast").isEnabled());
        QTest::mouseClick(&named<QPushButton>(*window, "comparePast"), Qt::LeftButton);
        QVERIFY(QTest::qWaitFor([&] { return lab.comparison() && window->settled(); }, kPatience));
        CompareChart& chart = panel.history().chart();
        QVERIFY(chart.isVisible());  // without another click
        QTest::qWait(100);           // it is drawn again when its size is known
        QCOMPARE(cutTexts(chart).join(", "), QString());
        // Several baselines, each with a row for each backend.
        for (const char* name : {"release 1.0", "before"}) lab.saveBaseline(QLatin1String(name), {});
        auto& baselines = named<QListWidget>(*window, "baselines");
        QVERIFY(QTest::qWaitFor([&] { return baselines.count() == 2; }, kPatience));
        for (int i = 0; i < 2; ++i) baselines.item(i)->setCheckState(Qt::Checked);
        QVERIFY(QTest::qWaitFor([&] { return lab.comparison()->size() == 2 && window->settled(); }, kPatience));
        QTest::qWait(100);
        QCOMPARE(cutTexts(chart).join(", "), QString());
        named<QTabWidget>(*window, "historyTabs").setCurrentIndex(2);
        QTest::qWait(50);
        auto* numbers = named<QTabWidget>(*window, "historyTabs").currentWidget()->findChild<QTableView*>();
        QVERIFY(numbers && numbers->isVisible());
        QCOMPARE(cutCells(*numbers).join(", "), QString());
        for (const char* name : {"release 1.0", "before"}) lab.removeBaseline(QLatin1String(name));
        QVERIFY(waitForIdle(*window));
    }
    void theHistoryKnowsTheRunsOfThisSession() {
        auto window = windowWith("synthetic:noise:64x48");
        Lab& lab = window->session().lab();
        const auto measure = [&](qsizetype total) {
            window->findChild<QAction*>("benchmark")->trigger();
            return QTest::qWaitFor([&] { return lab.history().size() == total && window->settled(); }, 4 * kPatience);
        };
        QVERIFY(measure(1));
        QVERIFY2(lab.describe(lab.history().front()).startsWith("This session, "), qPrintable(lab.describe(lab.history().front())));
        // Nothing is compared with itself.
        window->timingPanel().showPage(TimingPanel::historyPage);
        window->timingPanel().history().list().selectRow(0);
        QVERIFY(lab.isShown(lab.history().front()));
        QVERIFY(!named<QPushButton>(*window, "comparePast").isEnabled());
        QVERIFY(named<QPushButton>(*window, "showPast").isEnabled());
        lab.compareWith(lab.history().front().id);
        QVERIFY(waitForIdle(*window));
        QVERIFY(!lab.comparison());
        // Another window did not measure it.
        auto later = windowWith("synthetic:noise:64x48");
        later->session().lab().refreshHistory();
        QVERIFY(QTest::qWaitFor([&] { return later->session().lab().history().size() == 1; }, kPatience));
        const QString name = later->session().lab().describe(later->session().lab().history().front());
        QVERIFY2(name.startsWith("Earlier run, "), qPrintable(name));
    }
    void anIgnoredHistoryStaysAsItIs() {
        const auto kept = [] { return HistoryStore(HistoryStore::standardFolder()).list().size(); };
        auto window = windowWith("synthetic:noise:64x48");
        window->session().lab().ignoreHistory();
        window->findChild<QAction*>("benchmark")->trigger();
        QVERIFY(QTest::qWaitFor([&] { return window->session().record() && !window->session().measuring() && window->settled(); },
                                4 * kPatience));
        QVERIFY(window->session().lab().history().isEmpty());
        window.reset();
        QCOMPARE(kept(), 0);
    }
    void aDamagedReportChangesNothing() {
        QTemporaryDir folder;
        const QString path = folder.path() + "/other.json";
        QVERIFY(writeFile(path, "{\"schema\": \"something\"}"));
        auto window = windowWith("synthetic:noise:64x48");
        window->openInputs({path});
        QVERIFY(QTest::qWaitFor([&] { return window->messageBar().isVisible(); }, kPatience));
        QVERIFY(waitForIdle(*window));
        QVERIFY(!window->session().record());
        QVERIFY(window->session().lab().history().isEmpty());
    }
};

QTEST_MAIN(PastRunsTest)
#include "past_runs_test.moc"
