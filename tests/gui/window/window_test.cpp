// SPDX-License-Identifier: GPL-3.0-or-later
// Typical use of the window: open, process, compare, measure, export, cancel, and errors.
#include <sys/stat.h>
#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QProcess>
#include <QScrollBar>
#include <QSignalSpy>
#include <QStatusBar>
#include <QTableWidget>

#include "core/image/synthetic.hpp"
#include "core/io/loader.hpp"
#include "core/io/saver.hpp"
#include "core/report/record/record_json.hpp"
#include "tests/gui/charts/lab_sample.hpp"
#include "tests/gui/gui_support.hpp"
#include "tests/gui/short_measurements.hpp"
#include "ui/charts/timing_panel.hpp"
#include "ui/inspector/worst_pixels_panel.hpp"
#include "ui/models/benchmark/timing_model.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/models/pipeline/target_model.hpp"
#include "ui/pipeline/pane_settings.hpp"
#include "ui/pipeline/parameter_form.hpp"
#include "ui/pipeline/pipeline_panel.hpp"

using namespace parallax;
using namespace parallax::ui;

class WindowTest : public QObject {
    Q_OBJECT
    ShortMeasurements short_;
    QTemporaryDir folder_;

    QString file(const QString& name) const { return folder_.filePath(name); }
    QString sampleFile(const QString& name) const {
        SaveOptions options;
        options.overwrite = true;
        saveImage(makeSynthetic(parseSynthetic("synthetic:zone-plate:160x120,channels=3")), file(name).toStdString(), options);
        return file(name);
    }
    static bool raised(MainWindow& window, Message::Kind kind, const QString& part) {
        return QTest::qWaitFor(
            [&] {
                const MessageBar& bar = window.messageBar();
                return bar.isVisible() && bar.message().kind == kind && bar.message().plainText().contains(part);
            },
            kPatience);
    }
    static int runProgram(const QStringList& arguments) {
        QProcess process;
        process.start(PARALLAX_PROGRAM, arguments);
        return process.waitForFinished(4 * kPatience) ? process.exitCode() : -1;
    }

private slots:
    void startsEmptyAndUsable() {
        auto window = shownWindow();
        QVERIFY(window->settled());
        QVERIFY(!window->session().original());
        QVERIFY(window->findChild<QAction*>("open")->isEnabled());
        QVERIFY(!window->findChild<QAction*>("benchmark")->isEnabled());
        QVERIFY(!window->messageBar().isVisible());
    }
    void opensFiltersAndCompares() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, sampleFile("sample.exr")));
        Session& session = window->session();
        QVERIFY(session.original());
        QVERIFY(window->windowTitle().contains("sample.exr"));
        for (const Side side : {Side::a, Side::b}) {
            QVERIFY(session.side(side).result);
            QVERIFY(!session.side(side).error);
            QVERIFY(session.side(side).result->times.compute() > 0);
            QVERIFY(!session.side(side).result->device.isEmpty());
        }
        QVERIFY(session.comparison().difference());
        QCOMPARE(session.comparison().referenceCheck(Side::b).state, ReferenceCheck::State::known);
        QVERIFY(session.comparison().difference()->within(2 * session.comparison().referenceCheck(Side::b).tolerance));
        QVERIFY(window->compareView().pane(PaneRole::a).label().details.contains(session.side(Side::a).result->device));
        QVERIFY(window->compareView().pane(PaneRole::a).label().verdict.contains("reference"));
        QVERIFY(window->compareView().pane(PaneRole::difference).pyramid());
    }
    void aChangedParameterUpdatesTheResult() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:noise:200x150"));
        const ImagePtr before = window->session().side(Side::a).result->image;
        ParameterForm& form = window->pipelinePanel().form();
        // The newest change wins.
        for (std::int64_t size = 3; size <= 15; size += 2) emit form.editor("size")->valueEdited(ParameterValue(size));
        QVERIFY(waitForIdle(*window));
        const auto& result = *window->session().side(Side::a).result;
        QVERIFY(result.image != before);
        QVERIFY(result.plan.front().step.find("size=15") != std::string::npos);
        window->findChild<QAction*>("undo")->trigger();
        QVERIFY(waitForIdle(*window));
        QVERIFY(window->session().side(Side::a).result->plan.front().step.find("size=15") == std::string::npos);
    }
    void stepsAreCheckedAloneWhenTheToleranceAllowsAnyResult() {
        auto window = shownWindow();
        Session& session = window->session();
        session.setTarget(Side::b, "reference");
        QVERIFY(openAndWait(*window, "synthetic:noise:200x150,channels=3"));
        const auto verdict = [&] { return window->compareView().pane(PaneRole::a).label().verdict; };
        const auto status = [&] {
            QString all;
            for (const QLabel* label : window->statusBar()->findChildren<QLabel*>()) all += label->text();
            return all;
        };
        QVERIFY2(verdict().startsWith(QStringLiteral("✓")), qPrintable(verdict()));
        QVERIFY(!verdict().contains(" alone"));
        // Blurred samples near black: in the worst case tone mapping amplifies their rounding beyond any result.
        session.pipeline().addStep(processCatalog().operation("tonemap"));
        QVERIFY(waitForIdle(*window));
        const auto judged = [&](Side side) {
            const ReferenceCheck& check = session.comparison().referenceCheck(side);
            return check.state == ReferenceCheck::State::known && check.tolerance > 1 && check.step &&
                   check.verification() == Verification::agrees && check.allowed() < 0.1 && check.judged().maxAbs <= check.allowed();
        };
        QVERIFY(judged(Side::a) && !session.comparison().referenceCheck(Side::b).step);
        const std::string step = session.comparison().referenceCheck(Side::a).step->step;
        const QString name = QString::fromStdString(processCatalog().operation(step).title());
        for (const QString& said : {verdict(), status()})
            QVERIFY2(said.contains(name + " alone") && !said.contains("inconclusive"), qPrintable(said));
        QVERIFY(verdict().startsWith(QStringLiteral("✓")));
        QVERIFY(!window->compareView().pane(PaneRole::a).label().alert);
        // Neither is the reference: both are judged.
        session.setTarget(Side::b, "openmp.scalar");
        QVERIFY(waitForIdle(*window));
        QVERIFY(judged(Side::a) && judged(Side::b));
        // A cancelled check has no verdict. Cancelled by an event that comes before its end: polling would miss short checks.
        bool cancelled = false;
        const auto whenPending = connect(&session.comparison(), &Comparison::referenceChanged, this, [&] {
            const ReferenceCheck& check = session.comparison().referenceCheck(Side::a);
            if (cancelled || check.state != ReferenceCheck::State::pending) return;
            cancelled = true;
            QVERIFY(!check.step && !check.metrics);
            QMetaObject::invokeMethod(
                &session, [&] { session.cancel(); }, Qt::QueuedConnection);
        });
        session.pipeline().setParameter(0, "size", ParameterValue(std::int64_t{7}));
        QVERIFY(QTest::qWaitFor([&] { return cancelled; }, kPatience));
        QVERIFY(waitForIdle(*window));
        disconnect(whenPending);
        QCOMPARE(session.comparison().referenceCheck(Side::a).state, ReferenceCheck::State::unknown);
        QVERIFY(!verdict().contains(" alone"));
    }
    void aSingleChangeIsCheckedAtOnce() {
        auto window = shownWindow();
        Session& session = window->session();
        QVERIFY(openAndWait(*window, "synthetic:noise:60x40"));
        Promptness prompt(200);  // less than the pause that checks wait for while a slider moves
        for (std::int64_t size = 3; prompt.again(); size += 2) {
            prompt.start();
            session.pipeline().setParameter(0, "size", ParameterValue(size));
            QVERIFY(session.comparison().referenceCheck(Side::a).state == ReferenceCheck::State::unknown);
            QVERIFY(QTest::qWaitFor([&] { return session.comparison().referenceCheck(Side::a).state == ReferenceCheck::State::known; },
                                    kPatience));
            prompt.stop();
            QVERIFY(waitForIdle(*window));
        }
        QVERIFY2(prompt.held(), prompt.text().c_str());
    }
    void aSmallScreenIsEnough() {
        auto window = shownWindow({1500, 900});
        QVERIFY(openAndWait(*window, "synthetic:noise:40x30x20"));
        for (const char* step : {"convolve:size=3", "tonemap:operator=local", "wavelet-denoise"}) {
            setSteps(*window, {step});
            QVERIFY(waitForIdle(*window));
            // Resize in steps: forms need a moment until they scroll.
            const auto small = [&] {
                window->resize(std::max(800, window->width() - 100), 600);
                return window->width() <= 800;
            };
            QVERIFY2(QTest::qWaitFor(small, kPatience), qPrintable(QStringLiteral("%1 for %2").arg(window->width()).arg(step)));
            window->resize(1500, 900);
        }
    }
    void targetsAreChosenInTheBoxes() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:gradient:100x80"));
        QComboBox& box = window->pipelinePanel().targetBox(Side::b);
        const int row = window->pipelinePanel().panes().targets(Side::b).find("reference");
        box.setCurrentIndex(row);
        emit box.activated(row);
        QVERIFY(waitForIdle(*window));
        QCOMPARE(window->session().side(Side::b).result->target.backend, std::string("reference"));
        QCOMPARE(window->compareView().pane(PaneRole::b).label().verdict, QStringLiteral("reference"));
        window->findChild<QAction*>("swap")->trigger();
        QVERIFY(waitForIdle(*window));
        QCOMPARE(window->session().side(Side::a).result->target.backend, std::string("reference"));
    }
    void theLargestDifferencesAreListedAndShown() {
        auto window = shownWindow();
        window->session().setTarget(Side::b, "reference");
        QVERIFY(openAndWait(*window, "synthetic:noise:200x150,channels=3"));
        auto& table = window->findChild<WorstPixelsPanel*>()->table();
        const auto& worst = window->session().comparison().difference()->worst;
        QCOMPARE(worst.size(), std::size_t{20});
        QVERIFY(table.rowCount() > 0 && table.rowCount() <= 20);
        QStringList columns, cells;
        for (int column = 0; column < table.columnCount(); ++column) {
            columns << table.horizontalHeaderItem(column)->text();
            cells << table.item(0, column)->text();
        }
        QCOMPARE(columns, (QStringList{"x, y", "B − A", "A", "B"}));
        QVERIFY2(!table.horizontalScrollBar()->isVisible(), "a column is cut off");
        const auto valueIn = [&](Side side) {
            const Image& image = *window->session().side(side).result->image;
            return formatSample(static_cast<double>(image.view().at(worst[0].x, worst[0].y, worst[0].z, worst[0].channel)));
        };
        const std::string& channel = window->session().original()->channelNames()[static_cast<std::size_t>(worst[0].channel)];
        QCOMPARE(cells[0], QStringLiteral("%1, %2 %3").arg(worst[0].x).arg(worst[0].y).arg(QString::fromStdString(channel)));
        QCOMPARE(cells.mid(2), (QStringList{valueIn(Side::a), valueIn(Side::b)}));
        emit table.cellClicked(0, 0);
        const PixelPosition expected{worst.front().x, worst.front().y};
        QCOMPARE(window->view().mark(), std::optional(expected));
        QVERIFY(window->view().scale() >= 1);
        ImagePane& pane = window->compareView().pane(PaneRole::a);
        QCOMPARE(pane.pixelAt(pane.rect().center()), expected);
        // The keyboard does it, too.
        window->view().setMark(std::nullopt);
        window->view().fit();
        table.setCurrentCell(0, 0);
        QTest::keyClick(&table, Qt::Key_Return);
        QCOMPARE(window->view().mark(), std::optional(expected));
        // Identical results have nothing to list, and another image no mark.
        window->session().setTarget(Side::a, "reference");
        QVERIFY(waitForIdle(*window));
        QCOMPARE(table.rowCount(), 0);
        QVERIFY(openAndWait(*window, "synthetic:noise:90x70"));
        QVERIFY(!window->view().mark());
    }
    void aBackendThatIsMissingSaysWhy() {
        for (const auto& backend : processCatalog().backends()) {
            if (backend->availability().yes) continue;
            auto window = shownWindow();
            window->session().setTarget(Side::b, QString::fromStdString(backend->id()));
            window->openInputs({"synthetic:gradient:60x40"});
            QVERIFY(raised(*window, Message::Kind::error, QString::fromStdString(backend->availability().reason)));
            QVERIFY(waitForIdle(*window));
            QVERIFY(window->session().side(Side::b).error);
            QVERIFY(window->session().side(Side::a).result);  // the other side works
            return;
        }
        QSKIP("every backend is available on this machine");
    }
    void wrongParametersAreExplainedAndForgiven() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:gradient:60x40"));
        PipelineModel& pipeline = window->session().pipeline();
        pipeline.setParameter(0, "kernel", ParameterValue(std::string("custom")));
        pipeline.setParameter(0, "weights", ParameterValue(std::string("1 2 three")));
        QVERIFY(raised(*window, Message::Kind::error, ""));
        pipeline.setParameter(0, "weights", ParameterValue(std::string("1 2 1")));
        QVERIFY(waitForIdle(*window));
        QVERIFY(!window->session().side(Side::a).error);
        QVERIFY(!window->messageBar().isVisible());
    }
    void everyParameterOfEveryOperationHasAnEditor() {
        PipelineModel model(processCatalog());
        ParameterForm form(model);
        for (const auto& operation : processCatalog().operations()) {
            model.addStep(*operation);
            form.setRow(model.rowCount() - 1);
            for (const ParameterInfo& info : operation->parameters().infos()) {
                ParameterEditor* editor = form.editor(info.key);
                QVERIFY2(editor, info.key.c_str());
                QVERIFY2(!editor->toolTip().isEmpty(), info.key.c_str());
                QCOMPARE(!editor->isHidden(), model.step(form.row()).parameters.isShown(info.key));
            }
        }
    }
    void measuresAndWritesReports() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:noise:128x128"));
        window->findChild<QAction*>("benchmark")->trigger();
        QVERIFY(QTest::qWaitFor([&] { return window->session().record() && window->settled(); }, 2 * kPatience));
        const RunRecord& record = *window->session().record();
        QVERIFY(!record.entries.empty());
        QCOMPARE(window->timingPanel().model().rowCount(), static_cast<int>(record.entries.size()));
        for (const RunEntry& entry : record.entries) {
            QVERIFY2(!entry.samples.empty(), entry.label.c_str());
            // Each result but the reference's own has metrics.
            QVERIFY2(entry.metrics.has_value() == (entry.backend != kReferenceBackend), entry.label.c_str());
        }
        for (const char* name : {"r.html", "r.json", "r.csv", "r.md"}) {
            QSignalSpy saved(&window->session().saver(), &FileSaver::saved);
            window->session().saveReport(file(name), false);
            QVERIFY(saved.wait(kPatience));
            QVERIFY(QFile(file(name)).size() > 100);
        }
        QVERIFY(readFile(file("r.html")).contains("SSIM"));
        // Nothing is overwritten unasked.
        window->session().saveReport(file("r.csv"), false);
        QVERIFY(raised(*window, Message::Kind::error, "r.csv"));
        // A changed pipeline makes the times outdated, and says so.
        window->session().pipeline().setParameter(0, "size", ParameterValue(std::int64_t{9}));
        QVERIFY(window->session().benchmark().outdated());
    }
    void exportsImages() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:zone-plate:64x48,channels=3"));
        QSignalSpy saved(&window->session().saver(), &FileSaver::saved);
        window->session().saveImage(PaneRole::a, file("a.exr"));
        QVERIFY(saved.wait(kPatience));
        const Image back = loadImage(file("a.exr").toStdString());
        const Image& a = *window->session().side(Side::a).result->image;
        QCOMPARE(back.shape().width, a.shape().width);
        QCOMPARE(back.view().at(20, 20, 0, 1), a.view().at(20, 20, 0, 1));
        const QByteArray old = readFile(file("a.exr"));
        window->session().saveImage(PaneRole::b, file("a.exr"));
        QVERIFY(raised(*window, Message::Kind::error, "a.exr"));
        QCOMPARE(readFile(file("a.exr")), old);
        window->session().saveImage(PaneRole::a, "/nonexistent/folder/a.exr");
        QVERIFY(raised(*window, Message::Kind::error, "/nonexistent"));
    }
    void recipesAreSavedAndOpened() {
        auto window = shownWindow();
        QVERIFY(window->findChild<QAction*>("open-recipe") && window->findChild<QAction*>("save-recipe"));
        Session& session = window->session();
        PipelineModel& pipeline = session.pipeline();
        pipeline.duplicateStep(0);
        pipeline.setParameter(0, "size", ParameterValue(std::int64_t{9}));
        pipeline.setEnabled(1, false);
        QSignalSpy saved(&session.saver(), &FileSaver::saved);
        session.saveRecipe(file("recipe.json"), false);
        QVERIFY(saved.wait(kPatience));
        session.saveRecipe(file("recipe.json"), false);  // nothing is overwritten unasked
        QVERIFY(raised(*window, Message::Kind::error, "recipe.json"));
        pipeline.removeStep(1);
        pipeline.setParameter(0, "size", ParameterValue(std::int64_t{3}));
        session.document().openRecipe(file("recipe.json"));
        QVERIFY(QTest::qWaitFor([&] { return pipeline.rowCount() == 2; }, kPatience));
        QCOMPARE(std::get<std::int64_t>(pipeline.step(0).parameters.get("size")), 9);
        QVERIFY(!pipeline.step(1).enabled);
        QVERIFY(window->findChild<QAction*>("undo")->text().contains("Open recipe.json"));
        window->findChild<QAction*>("undo")->trigger();
        QCOMPARE(pipeline.rowCount(), 1);
        // A damaged one says so and changes nothing.
        QVERIFY(writeFile(file("broken.json"), "{\"schema\": \"parallax.recipe\", "));
        session.document().openRecipe(file("broken.json"));
        QVERIFY(raised(*window, Message::Kind::error, "broken.json"));
        QCOMPARE(pipeline.rowCount(), 1);
        session.document().openRecipe(file("missing.json"));
        QVERIFY(raised(*window, Message::Kind::error, "missing.json"));
    }
    void missingAndDamagedFilesLeaveTheWindowUsable() {
        auto window = shownWindow();
        window->openInputs({file("missing.exr")});
        QVERIFY(raised(*window, Message::Kind::error, "missing.exr"));
        QVERIFY(writeFile(file("broken.png"), "\x89PNG\r\n\x1a\nnot really"));
        window->openInputs({file("broken.png")});
        QVERIFY(raised(*window, Message::Kind::error, "broken.png"));
        QVERIFY(openAndWait(*window, sampleFile("fine.png")));
        QVERIFY(window->session().original());
        QVERIFY(!window->messageBar().isVisible());
        // And a failure later keeps what is open.
        const ImagePtr open = window->session().original();
        window->openInputs({file("missing.exr")});
        QVERIFY(raised(*window, Message::Kind::error, "missing.exr"));
        QCOMPARE(window->session().original(), open);
    }
    void dropOpens() {
        auto window = shownWindow();
        QMimeData mime;
        mime.setUrls({QUrl::fromLocalFile(sampleFile("dropped.png"))});
        QVERIFY(drop(*window, mime));
        QVERIFY(waitForIdle(*window));
        QVERIFY(window->windowTitle().contains("dropped.png"));
    }
    void foldersOpenTheirImages() {
        sampleFile("1.png");
        sampleFile("2.png");
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, folder_.path()));
        QVERIFY(window->windowTitle().contains("1.png"));
        window->findChild<QAction*>("next")->trigger();
        QVERIFY(waitForIdle(*window));
        QVERIFY(window->windowTitle().contains("2.png"));
    }
    void cancelStopsWithinASecond() {
#ifdef __SANITIZE_ADDRESS__
        Promptness prompt(10'000);  // the sanitizer, not the program
#else
        Promptness prompt(1'000);
#endif
        while (prompt.again()) {
            auto window = shownWindow();
            Session& session = window->session();
            session.setTarget(Side::a, "reference");
            session.pipeline().setParameter(0, "size", ParameterValue(std::int64_t{101}));
            // Takes minutes unless it is cancelled.
            window->openInputs({"synthetic:noise:2000x2000,channels=3"});
            QVERIFY(QTest::qWaitFor([&] { return session.side(Side::a).pending; }, kPatience));
            QTest::qWait(200);
            QVERIFY(session.side(Side::a).pending);
            prompt.start();
            window->findChild<QAction*>("cancel")->trigger();
            QVERIFY(!session.side(Side::a).pending && !session.side(Side::b).pending);
            QVERIFY(session.side(Side::a).error);
            // The worker is free again: a small request goes through at once.
            session.setTarget(Side::b, "openmp");
            session.setTarget(Side::a, "openmp");
            session.pipeline().setParameter(0, "size", ParameterValue(std::int64_t{1}));
            window->openInputs({"synthetic:gradient:32x20"});
            QVERIFY(QTest::qWaitFor([&] { return session.inputName().endsWith("32x20") && session.side(Side::a).result != nullptr; },
                                    kPatience));
            prompt.stop();
            QVERIFY(waitForIdle(*window));
        }
        QVERIFY2(prompt.held(), prompt.text().c_str());
    }
    void closingWhileBusyIsSafe() {
        auto window = shownWindow();
        window->session().pipeline().setParameter(0, "size", ParameterValue(std::int64_t{51}));
        window->openInputs({"synthetic:noise:1500x1500"});
        QTest::qWait(150);
        window->close();
        window.reset();
        QTest::qWait(50);
    }
    void everyActionSaysWhatItDoes() {
        auto window = shownWindow();
        QHash<QString, QString> keys;
        int count = 0;
        for (const QAction* action : window->findChildren<QAction*>()) {
            if (action->isSeparator() || action->menu()) continue;
            if (action->objectName().isEmpty() || action->objectName().startsWith("_q_")) continue;
            ++count;
            QVERIFY2(!action->text().isEmpty(), qPrintable(action->objectName()));
            QVERIFY2(!action->toolTip().isEmpty() && action->toolTip() != action->text(), qPrintable(action->objectName()));
            for (const QKeySequence& key : action->shortcuts()) {
                QVERIFY2(!keys.contains(key.toString()),
                         qPrintable(key.toString() + ": " + action->objectName() + ", " + keys.value(key.toString())));
                keys.insert(key.toString(), action->objectName());
            }
        }
        QVERIFY(count > 25);
    }
    void layoutComesBack() {
        {
            auto window = shownWindow();
            window->setViewName("side-by-side");
            window->findChild<QDockWidget*>("timingDock")->show();
            window->close();
        }
        auto window = shownWindow();
        window->restoreLayout();
        QCOMPARE(window->compareView().layoutKind(), ui::Layout::sideBySide);
        QVERIFY(!window->findChild<QDockWidget*>("timingDock")->isHidden());
        window->resetLayout();
        QVERIFY(window->findChild<QDockWidget*>("timingDock")->isHidden());
    }
    void themesSwitch() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:gradient:100x80"));
        window->findChild<QAction*>("theme-dark")->trigger();
        QVERIFY(QApplication::palette().color(QPalette::Window).lightness() < 100);
        window->findChild<QAction*>("theme-light")->trigger();
        QVERIFY(QApplication::palette().color(QPalette::Window).lightness() > 150);
    }
    void screenshotMode() {
        const auto run = [](QStringList arguments) { return runProgram(arguments << "--force"); };
        const QString shot = file("shot.png");
        QCOMPARE(run({"--screenshot", shot, "--size", "900x600", "--theme", "dark", "synthetic:zone-plate:200x150"}), 0);
        QCOMPARE(QImage(shot).size(), QSize(900, 600));
        QCOMPARE(run({"--screenshot", shot, "--size", "900x600", "--scale", "2", "--view", "empty"}), 0);
        QCOMPARE(QImage(shot).size(), QSize(1800, 1200));
        const QString none = file("none.png");
        QCOMPARE(run({"--screenshot", none, "/nonexistent.exr"}), 3);
        QVERIFY(!QFile::exists(none));
        QCOMPARE(run({"--screenshot", "/nonexistent/shot.png", "synthetic:gradient:20x20"}), 4);
        QCOMPARE(run({"--nonsense"}), 2);
        QCOMPARE(run({"--theme", "pink"}), 2);
        QCOMPARE(run({"--compare", "reference", "--screenshot", shot}), 2);
        QCOMPARE(run({"--compare", "reference,nonsense", "--screenshot", shot}), 2);
        QCOMPARE(run({"--compare", "reference,reference", "--screenshot", shot, "synthetic:gradient:20x20"}), 0);
        QCOMPARE(run({"--help"}), 0);
        QCOMPARE(run({"--version"}), 0);
    }
    void screenshotKeepsFilesAndDevices() {
        const QString shot = file("precious.png");
        QVERIFY(writeFile(shot, "precious"));
        QCOMPARE(runProgram({"--screenshot", shot, "--view", "empty"}), 4);
        QFile kept(shot);
        QVERIFY(kept.open(QIODevice::ReadOnly));
        QCOMPARE(kept.readAll(), QByteArray("precious"));
        // A pipe stands for every device.
        QCOMPARE(::mkfifo(file("pipe.png").toLocal8Bit().constData(), 0600), 0);
        QVERIFY(QFile::link(file("pipe.png"), file("link.png")));
        QCOMPARE(runProgram({"--screenshot", file("link.png"), "--force", "--view", "empty"}), 4);
        QVERIFY(!QFileInfo(file("pipe.png")).isFile());
        QCOMPARE(runProgram({"--screenshot", shot, "--force", "--view", "empty"}), 0);
        QVERIFY(!QImage(shot).isNull());
    }
    void screenshotOfStepsAndReports() {
        const QString shot = file("steps.png");
        QCOMPARE(runProgram({"--op", "convolve:scale=0,offset=1", "--view", "single", "--compare", "reference,reference", "--force",
                             "--screenshot", shot, "synthetic:zone-plate:300x300"}),
                 0);
        QCOMPARE(runProgram({"--op", "nonsense", "--force", "--screenshot", shot}), 2);
        QCOMPARE(runProgram({"--op", "convolve:size=0", "--force", "--screenshot", shot}), 2);
        // A report alone has nothing to be measured, and one that is none is said at once.
        QVERIFY(writeFile(file("report.json"), QByteArray::fromStdString(toJson({sampleRecordOf(3, 2e7)}))));
        QVERIFY(writeFile(file("other.json"), "{}"));
        QCOMPARE(runProgram({"--force", "--screenshot", shot, file("report.json")}), 0);
        QVERIFY(QFile::remove(shot));
        QCOMPARE(runProgram({"--screenshot", shot, file("other.json")}), 3);
        QVERIFY(!QFile::exists(shot));
    }
};

QTEST_MAIN(WindowTest)
#include "window_test.moc"
