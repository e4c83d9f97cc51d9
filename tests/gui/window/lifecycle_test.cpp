// SPDX-License-Identifier: GPL-3.0-or-later
// How the program ends by a signal or is killed, and what the next start offers. Runs real processes where it matters.
#include <signal.h>

#include <QAction>
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QSettings>
#include <QToolButton>

#include "core/image/synthetic.hpp"
#include "core/io/saver.hpp"
#include "tests/gui/gui_support.hpp"
#include "tests/gui/window/program.hpp"
#include "ui/models/document/kept_session.hpp"
#include "ui/pipeline/pipeline_panel.hpp"

using namespace parallax;
using namespace parallax::ui;

namespace {

constexpr const char* kInput = "synthetic:zone-plate:96x64,channels=3";

QString folderIn(const QTemporaryDir& home) { return home.filePath(QStringLiteral("state/parallax/sessions")); }
QStringList keptIn(const QString& folder) { return QDir(folder).entryList({QStringLiteral("*.json")}, QDir::Files); }
bool waitForKept(const QString& folder, int count) {
    return QTest::qWaitFor([&] { return keptIn(folder).size() == count; }, kPatience);
}

/// Has everything of running windows and of crashed ones been removed?
bool onlyLastIsKept(const QString& folder) {
    const QStringList files = QDir(folder).entryList(QDir::Files | QDir::Hidden);
    return files.isEmpty() || files == QStringList{QStringLiteral("last.parallax")};
}

bool offered(MainWindow& window) {
    const Message& message = window.messageBar().message();
    return window.messageBar().isVisible() && message.source == QLatin1String("restore") &&
           message.what == QLatin1String("Parallax was closed unexpectedly");
}

/// The action button of the message bar.
QToolButton* restoreButton(MainWindow& window) {
    for (auto* button : window.messageBar().findChildren<QToolButton*>())
        if (button->isVisible() && button->defaultAction() == window.findChild<QAction*>("restore-session")) return button;
    return nullptr;
}

}  // namespace

class LifecycleTest : public QObject {
    Q_OBJECT
private slots:
    void init() { QSettings().clear(); }

    void signalsExitCleanly_data() {
        QTest::addColumn<int>("number");
        QTest::newRow("SIGTERM") << SIGTERM;
        QTest::newRow("SIGINT") << SIGINT;
        QTest::newRow("SIGHUP") << SIGHUP;
    }
    void signalsExitCleanly() {
        QFETCH(const int, number);
        QTemporaryDir home;
        Program program(home, {kInput, "--view", "wipe"});
        QVERIFY(waitForKept(folderIn(home), 1));
        program.send(number);
        QCOMPARE(program.finish(), 128 + number);
        QVERIFY(onlyLastIsKept(folderIn(home)));
        const QSettings settings(home.filePath("config/parallax/parallax.conf"), QSettings::IniFormat);
        QCOMPARE(settings.value("window/view").toString(), QStringLiteral("wipe"));
        QVERIFY(!settings.value("window/layout").toByteArray().isEmpty());
    }
    void aSignalStopsComputing() {
        Promptness prompt(2000);
        while (prompt.again()) {
            QTemporaryDir home;
            // Some seconds of work for each side.
            Program program(home, {"synthetic:noise:3000x3000,channels=3", "--compare", "reference,reference"});
            QVERIFY(waitForKept(folderIn(home), 1));
            QVERIFY(program.waitUntilItHandles(SIGTERM));
            prompt.start();
            program.send(SIGTERM);
            QCOMPARE(program.finish(), 128 + SIGTERM);
            prompt.stop();
        }
        QVERIFY2(prompt.held(), prompt.text().c_str());
    }
    void quittingDoesNotWaitForADecoder() {
#if defined(__SANITIZE_ADDRESS__)
        QSKIP("the sanitizer must be the first library");
#endif
        QTemporaryDir home;
        const QString file = home.filePath("image.tif"), runs = home.filePath("decoder-runs");
        (void)saveImage(makeSynthetic(parseSynthetic("synthetic:zone-plate:96x64,channels=3")), file.toStdString());
        Promptness prompt(2500);
        while (prompt.again()) {
            QFile::remove(runs);
            Program program(home, {file}, {{"LD_PRELOAD", PARALLAX_SLOW_TIFF}, {"PARALLAX_DECODER_RUNS", runs}});
            QVERIFY(QTest::qWaitFor([&] { return QFile::exists(runs); }, kPatience));
            QVERIFY(program.waitUntilItHandles(SIGTERM));
            prompt.start();
            program.send(SIGTERM);
            QCOMPARE(program.finish(), 128 + SIGTERM);
            prompt.stop();
            QVERIFY(onlyLastIsKept(folderIn(home)));
        }
        QVERIFY2(prompt.held(), prompt.text().c_str());
    }
    void aSignalStopsAScreenshot() {
        // At any stage: starting, opening, computing.
        for (int wait : {0, 500, 1500}) {
            int code = 0;
            for (int attempt = 0; attempt < 5 && code == 0; ++attempt, wait /= 2) {
                QTemporaryDir home;
                const QString picture = home.filePath("window.png");
                Program program(home,
                                {"--screenshot", picture, "--compare", "reference,reference", "synthetic:noise:3000x3000,channels=3"});
                QVERIFY(program.waitUntilItHandles(SIGTERM));
                QTest::qWait(wait);
                program.send(SIGTERM);
                code = program.finish();
                if (code == 0) continue;  // the machine was so busy that the screenshot was done first
                QCOMPARE(code, 128 + SIGTERM);
                QVERIFY(!QFile::exists(picture));
                const QSettings settings(home.filePath("config/parallax/parallax.conf"), QSettings::IniFormat);
                QVERIFY(!settings.contains("window/layout"));
                QVERIFY(!QDir(folderIn(home)).exists());
            }
            QCOMPARE(code, 128 + SIGTERM);
        }
    }
    void aKilledSessionIsOfferedAtTheNextStart() {
        QTemporaryDir home;
        {
            Program program(home, {kInput, "--view", "difference", "--compare", "reference,openmp"});
            QVERIFY(waitForKept(folderIn(home), 1));
            // Sessions of running windows are not offered.
            auto other = shownWindow();
            other->keepSession(folderIn(home));
            QVERIFY(!offered(*other));
            other.reset();
            QVERIFY(program.running());
            QCOMPARE(keptIn(folderIn(home)).size(), 1);
            program.send(SIGKILL);
            QCOMPARE(program.finish(), -2);
        }
        QCOMPARE(keptIn(folderIn(home)).size(), 1);
        auto window = shownWindow();
        window->keepSession(folderIn(home));
        QVERIFY(offered(*window));
        QVERIFY(window->messageBar().message().plainText().contains("zone-plate"));
        QVERIFY(!window->session().original());  // only offered
        QToolButton* button = restoreButton(*window);
        QVERIFY(button);
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(QTest::qWaitFor([&] { return window->session().original() != nullptr; }, kPatience));
        QVERIFY(waitForIdle(*window));
        QCOMPARE(window->session().inputName(), QString(kInput));
        QCOMPARE(window->session().side(Side::a).target.backend, std::string("reference"));
        QCOMPARE(window->session().side(Side::b).target.backend, std::string("openmp"));
        QCOMPARE(window->compareView().layoutKind(), ui::Layout::difference);
        QVERIFY(!offered(*window));
        QVERIFY(!window->findChild<QAction*>("restore-session")->isEnabled());
        // Once restored, it belongs to this window and is removed with it.
        QVERIFY(waitForKept(folderIn(home), 1));
        window.reset();
        QVERIFY(onlyLastIsKept(folderIn(home)));
    }
    void restoringRestoresTheWholeState() {
        QTemporaryDir home;
        const QString left = home.filePath("left");
        {
            auto window = shownWindow();
            window->keepSession(home.filePath("first"));
            QVERIFY(!offered(*window));
            QVERIFY(openAndWait(*window, kInput));
            window->session().setTarget(Side::b, "openmp.scalar");
            PipelineModel& pipeline = window->session().pipeline();
            pipeline.setParameter(0, "size", ParameterValue(std::int64_t{9}));
            pipeline.duplicateStep(0);
            pipeline.setEnabled(1, false);
            window->setViewName("wipe");
            window->findChild<QAction*>("original")->setChecked(false);
            DisplaySettings display = window->view().display();
            display.exposure = 1.5;
            display.falseColour = FalseColour::heat;
            window->view().setDisplay(display);
            window->view().setScale(8);
            window->view().lookAt({20, 30});
            QVERIFY(waitForIdle(*window));
            QVERIFY(QTest::qWaitFor(
                [&] {
                    const QStringList kept = keptIn(home.filePath("first"));
                    return !kept.isEmpty() && readFile(home.filePath("first/" + kept.front())).contains("\"scale\": 8");
                },
                kPatience));
            QVERIFY(QDir().mkpath(left));
            QVERIFY(QFile::copy(home.filePath("first/" + keptIn(home.filePath("first")).front()), left + "/1-a.json"));
        }
        QVERIFY(onlyLastIsKept(home.filePath("first")));
        auto window = shownWindow();
        window->keepSession(left);
        QVERIFY(offered(*window));
        window->findChild<QAction*>("restore-session")->trigger();
        QVERIFY(QTest::qWaitFor([&] { return window->session().original() != nullptr; }, kPatience));
        QVERIFY(waitForIdle(*window));
        const PipelineModel& pipeline = window->session().pipeline();
        QCOMPARE(pipeline.rowCount(), 2);
        QCOMPARE(std::get<std::int64_t>(pipeline.step(0).parameters.get("size")), 9);
        QVERIFY(!pipeline.step(1).enabled);
        QVERIFY(pipeline.canUndo());  // restoring can be undone
        QCOMPARE(QString::fromStdString(window->session().side(Side::b).target.label()), QStringLiteral("openmp.scalar"));
        QCOMPARE(window->compareView().layoutKind(), ui::Layout::wipe);
        QVERIFY(!window->compareView().originalShown());
        QCOMPARE(window->view().display().exposure, 1.5);
        QCOMPARE(window->view().display().falseColour, FalseColour::heat);
        QCOMPARE(window->view().scale(), 8.0);
        QCOMPARE(window->view().centre(), QPointF(20, 30));
    }
    void windowsDoNotClash() {
        QTemporaryDir home;
        Program first(home, {"synthetic:gradient:31x20"}), second(home, {"synthetic:gradient:32x20"});
        QVERIFY(waitForKept(folderIn(home), 2));
        first.send(SIGKILL);
        QCOMPARE(first.finish(), -2);
        second.send(SIGKILL);
        QCOMPARE(second.finish(), -2);
        // Each is offered once; a third window has nothing to restore.
        auto one = shownWindow(), two = shownWindow(), three = shownWindow();
        for (MainWindow* window : {one.get(), two.get(), three.get()}) window->keepSession(folderIn(home));
        QVERIFY(offered(*one) && offered(*two) && !offered(*three));
        QVERIFY(one->messageBar().message().why != two->messageBar().message().why);
        // Closing without restoring discards it.
        one.reset();
        two.reset();
        three.reset();
        QVERIFY(onlyLastIsKept(folderIn(home)));
    }
    void damagedSessionFilesAreRemoved() {
        QTemporaryDir home;
        const QString folder = home.path();
        QVERIFY(writeFile(folder + "/1-a.json", "{\"schema\": \"parallax.session\", "));
        QVERIFY(writeFile(folder + "/2-b.json", "{\"schema\": \"parallax.session\", \"schema_version\": 1, \"inputs\": []}"));
        QVERIFY(writeFile(folder + "/3-c.json", ""));
        QVERIFY(writeFile(folder + "/notes.txt", "of somebody else"));
        auto window = shownWindow();
        window->keepSession(folder);
        QVERIFY(!offered(*window));
        QVERIFY(keptIn(folder).isEmpty());
        QVERIFY(QFile::exists(folder + "/notes.txt"));
    }
    void aMissingInputIsReported() {
        QTemporaryDir home;
        KeptSession kept;
        kept.inputs << "/nonexistent/image.exr";
        QByteArray text = toJson(kept);
        QVERIFY(text.contains("\"panes\": [\n"));
        text.replace(text.indexOf("\"panes\""), text.indexOf(']', text.indexOf("\"panes\"")) - text.indexOf("\"panes\""),
                     "\"panes\": [{\"target\": \"no-such-backend\"}, {\"target\": \"reference\"}");
        QVERIFY(writeFile(home.filePath("1-a.json"), text));
        auto window = shownWindow();
        window->keepSession(home.path());
        QVERIFY(offered(*window));
        window->findChild<QAction*>("restore-session")->trigger();
        QVERIFY(QTest::qWaitFor([&] { return window->messageBar().message().plainText().contains("/nonexistent/image.exr"); }, kPatience));
        QVERIFY(window->session().side(Side::a).target.backend != "no-such-backend");
        QCOMPARE(window->session().side(Side::b).target.backend, std::string("reference"));
    }
    void theWindowWorksWithoutASessionFolder() {
        auto window = shownWindow();
        window->keepSession("/proc/no/such/folder");
        QVERIFY(openAndWait(*window, kInput));
        QVERIFY(!offered(*window));
    }
};

QTEST_MAIN(LifecycleTest)
#include "lifecycle_test.moc"
