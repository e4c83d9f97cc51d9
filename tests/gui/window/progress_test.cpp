// SPDX-License-Identifier: GPL-3.0-or-later
// The status bar shows stage, progress and time left of running work, and Cancel stops it within a second.
#include <QAction>
#include <QElapsedTimer>
#include <QLabel>
#include <QProgressBar>
#include <QSettings>
#include <QStatusBar>
#include <QToolButton>
#include <algorithm>

#include "core/image/synthetic.hpp"
#include "core/io/saver.hpp"
#include "tests/gui/gui_support.hpp"
#include "tests/support/timed_application.hpp"
#include "ui/models/benchmark/time_left.hpp"

using namespace parallax;
using namespace parallax::ui;

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr qint64 kPromptly = 10'000;  // the sanitizers, not the program
constexpr double kLongestWait = 200;
#else
constexpr qint64 kPromptly = 1'000;
constexpr double kLongestWait = 16;  // milliseconds: a frame
#endif

QString activity(MainWindow& window) {
    const auto* label = window.statusBar()->findChild<QLabel*>("activity");
    return label->isVisible() ? label->text() : QString();
}
QProgressBar& bar(MainWindow& window) { return *window.statusBar()->findChild<QProgressBar*>(); }
QToolButton& cancelButton(MainWindow& window) {
    for (auto* button : window.statusBar()->findChildren<QToolButton*>())
        if (button->defaultAction() == window.findChild<QAction*>("cancel")) return *button;
    qFatal("no Cancel in the status bar");
}
/// Waits for a stage whose name contains `text`.
bool waitForStage(MainWindow& window, const QString& part) {
    return QTest::qWaitFor([&] { return activity(window).contains(part); }, kPatience);
}

}  // namespace

class ProgressTest : public QObject {
    Q_OBJECT
private slots:
    void init() { QSettings().clear(); }

    void timeLeftIsShownOnceKnown() {
        TimeLeft left;
        // 1 % each 100 ms: ten seconds in all.
        for (int i = 0; i <= 100; ++i) {
            left.update("Computing", i / 100.0, 5000 + i * 100);
            if (i < 15) QVERIFY2(left.text().isEmpty(), qPrintable(left.text()));
            if (i == 35) QVERIFY2(left.text() == "about 7 s left" || left.text() == "about 8 s left", qPrintable(left.text()));
            if (i == 65) QVERIFY2(left.text() == "about 4 s left" || left.text() == "about 5 s left", qPrintable(left.text()));
            if (i > 91) QVERIFY2(left.text().isEmpty(), qPrintable(left.text()));
        }
        // The next stage starts without an estimate.
        left.update("Comparing", 0.9, 16000);
        QVERIFY(left.text().isEmpty());
        // So does the same stage when it restarts.
        left.update("Comparing", 0.1, 20000);
        QVERIFY(left.text().isEmpty());
    }
    void timeLeftFollowsTheSpeed() {
        TimeLeft left;
        qint64 now = 0;
        double share = 0;
        for (; share < 0.5; share += 0.01) left.update("Computing", share, now += 100);
        // Ten times slower from here on: 50 % take 500 times 100 ms.
        for (int i = 0; i < 150; ++i, share += 0.001) left.update("Computing", share, now += 100);
        QCOMPARE(left.text(), QStringLiteral("about 40 s left"));  // 350 times 100 ms, in steps of five seconds, never less
        for (int i = 0; i < 3; ++i) left.update("Waiting", 1e-9, now += 1000);
        QVERIFY(left.text().isEmpty());  // no progress: no estimate
    }
    void longTimesAreMinutes() {
        TimeLeft left;
        for (int i = 1; i <= 60; ++i) left.update("Computing", 0.02 + i * 0.0002, i * 1000);
        QCOMPARE(left.text(), QStringLiteral("about 1 h 21 min left"));
        left.reset();
        QVERIFY(left.text().isEmpty());
    }
    void elapsedTimeIsShownWithoutProgress() {
        TimeLeft left;
        for (int i = 0; i <= 50; ++i) {
            left.update("Measuring", -1, i * 100);
            if (i < 30) QVERIFY(left.text().isEmpty());
        }
        QVERIFY2(left.text().endsWith("s so far"), qPrintable(left.text()));
    }
    void theStageAndTheTimeLeftAreShown() {
        auto window = shownWindow();
        window->session().setTarget(Side::a, "reference");
        window->session().setTarget(Side::b, "reference");
        window->session().pipeline().setParameter(0, "size", ParameterValue(std::int64_t{101}));
        QVERIFY(activity(*window).isEmpty());
        QVERIFY(!bar(*window).isVisible());
        QVERIFY(!cancelButton(*window).isVisible());
        window->openInputs({"synthetic:noise:1500x1500,channels=3"});
        QVERIFY(waitForStage(*window, "Computing A with reference"));
        QVERIFY(cancelButton(*window).isVisible());
        QVERIFY(QTest::qWaitFor([&] { return bar(*window).maximum() > 0 && bar(*window).value() > 0; }, kPatience));
        QVERIFY(waitForStage(*window, " left"));
        QCOMPARE(bar(*window).accessibleDescription(), activity(*window));
        if (const QString folder = qEnvironmentVariable("PARALLAX_GRAB"); !folder.isEmpty()) {
            QTest::qWait(50);  // a longer text needs a new layout
            QVERIFY(window->grab().save(folder + "/light-progress.png"));
            applyTheme(ThemeChoice::dark);
            QTest::qWait(50);
            QVERIFY(window->grab().save(folder + "/dark-progress.png"));
            applyTheme(ThemeChoice::light);
        }
        QTest::mouseClick(&cancelButton(*window), Qt::LeftButton);
        QVERIFY(waitForIdle(*window));
        QVERIFY(activity(*window).isEmpty());
        QVERIFY(!cancelButton(*window).isVisible());
    }
    void workWithoutProgressShowsAMovingBar() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:noise:1024x1024"));  // measured for more than a moment
        bool seen = false;
        for (int attempt = 0; attempt < 5 && !seen; ++attempt) {
            window->findChild<QAction*>("benchmark")->trigger();
            // On a busy machine, measuring may end before the test looks.
            QVERIFY(QTest::qWaitFor([&] { return activity(*window).contains("Measuring") || !window->session().measuring(); }, kPatience));
            QTest::qWait(300);
            seen = window->session().measuring() && activity(*window).contains("Measuring");
            if (seen) QCOMPARE(bar(*window).maximum(), 0);  // no leftover of earlier work
            QTest::keyClick(window.get(), Qt::Key_Escape);
            QVERIFY(waitForIdle(*window));
        }
        QVERIFY(seen);
    }
    void onlySlowResultsDimThePane() {
        auto window = shownWindow();
        Session& session = window->session();
        session.setTarget(Side::a, "reference");
        session.setTarget(Side::b, "reference");
        QVERIFY(openAndWait(*window, "synthetic:noise:700x700,channels=3"));
        ImagePane& pane = window->compareView().pane(PaneRole::a);
        const PaneLabel before = pane.label();
        QVERIFY(before.details.contains("this run"));
        // A result that is replaced soon keeps its label.
        session.pipeline().setParameter(0, "sigma", ParameterValue(2.5));
        QVERIFY(session.side(Side::a).pending);
        QVERIFY(pane.label() == before);
        QVERIFY(waitForIdle(*window));
        QVERIFY(pane.label().details.contains("this run"));
        // 15 billion multiplications.
        session.pipeline().setParameter(0, "size", ParameterValue(std::int64_t{101}));
        QVERIFY(pane.label().details.contains("this run"));
        QVERIFY(QTest::qWaitFor([&] { return pane.label().details.contains("computing"); }, kPatience));
        QVERIFY(session.side(Side::a).pending);
        // Another backend changes the label at once.
        session.cancel();
        QVERIFY(waitForIdle(*window));
        session.pipeline().setParameter(0, "size", ParameterValue(std::int64_t{3}));
        QVERIFY(waitForIdle(*window));
        session.setTarget(Side::a, "openmp");
        QVERIFY(pane.label().details.contains("computing"));
        QVERIFY(waitForIdle(*window));
    }
    void aCancelledLoadKeepsTheImage() {
        QTemporaryDir folder;
        const QString before = "synthetic:gradient:32x20", large = folder.filePath("large.png");
        saveImage(makeSynthetic(parseSynthetic("synthetic:noise:6000x4000")), large.toStdString(), {.depth = StoredDepth::uint16});
        auto window = shownWindow();
        Session& session = window->session();
        session.pipeline().setPipeline({});
        QVERIFY(openAndWait(*window, before));
        const ImagePtr image = session.original();
        Promptness prompt(kPromptly);
        while (prompt.again()) {
            window->openInputs({large});
            QTest::qWait(20);  // it reads; the status bar tells only of what takes longer
            if (!session.idle() && session.inputName() != large) {
                prompt.start();
                QTest::keyClick(window.get(), Qt::Key_Escape);
                QVERIFY(waitForIdle(*window));
                prompt.stop();
                QCOMPARE(session.inputName(), before);
                QCOMPARE(session.original(), image);
                QVERIFY(window->messageBar().message().kind != Message::Kind::error);
            } else {
                QVERIFY(openAndWait(*window, before));  // it was read before the test looked
            }
        }
        QVERIFY2(prompt.held(), prompt.text().c_str());
    }
    void noEventWaitsForTheWorker() {
        // One of several attempts must hold: other programs on a busy machine cause stalls too.
        constexpr int kAttempts = 12;
        auto& application = *static_cast<TimedApplication*>(qApp);
        auto window = shownWindow({760, 560});
        Session& session = window->session();
        session.setTarget(Side::a, QStringLiteral("reference"));
        session.setTarget(Side::b, QStringLiteral("reference"));
        QVERIFY(openAndWait(*window, "synthetic:noise:400x300,channels=3"));
        QTemporaryDir folder;
        TimedApplication::Longest processor{.time = 1e9, .event = {}}, waited = processor;
        for (int attempt = 0; attempt < kAttempts && std::max(processor.time, waited.time) > kLongestWait; ++attempt) {
            const double slow = slowness();
            // Long computations, replaced work, cancelling, reading and writing.
            session.pipeline().setParameter(0, "size", ParameterValue(std::int64_t{101 + 2 * (attempt % 2)}));
            QTest::qWait(50);
            application.watch();
            for (int i = 0; i < 8; ++i) {
                session.pipeline().setParameter(0, "sigma", ParameterValue(5 + 0.5 * i));
                QTest::qWait(20);
                session.saveImage(PaneRole::original, folder.filePath(QStringLiteral("%1-%2.exr").arg(attempt).arg(i)));
                session.requestHistogram(PaneRole::original, HistogramScale::linear);
                session.requestRegion(boxOf(QRect(10, 10, 200, 200)));
                QTest::qWait(20);
                if (i == 4) window->findChild<QAction*>("cancel")->trigger();
                if (i == 6) session.setTarget(Side::b, QStringLiteral("openmp"));
                QTest::qWait(20);
            }
            if (application.processor.time < processor.time) processor = application.processor;
            application.waited.time /= slow;
            if (application.waited.time < waited.time) waited = application.waited;
            session.setTarget(Side::b, QStringLiteral("reference"));
            session.cancel();
        }
        QVERIFY2(waited.time <= kLongestWait, qPrintable(QStringLiteral("waited ") + waited.text()));
        QVERIFY2(processor.time <= kLongestWait, qPrintable(QStringLiteral("computed ") + processor.text()));
    }
    void cancelFreesTheWorkerWithinASecond_data() {
        QTest::addColumn<QString>("input");
        QTest::addColumn<QString>("a");
        QTest::addColumn<int>("size");
        QTest::addColumn<QString>("stage");
        QTest::newRow("loading") << "synthetic:noise:9000x9000"
                                 << "openmp" << 1 << "Opening";
        QTest::newRow("computing, serial") << "synthetic:noise:2000x2000"
                                           << "reference" << 101 << "Computing A";
        QTest::newRow("computing, threads") << "synthetic:noise:3000x3000,channels=3"
                                            << "openmp.scalar" << 101 << "Computing A";
        QTest::newRow("computing, peer") << "synthetic:noise:4000x4000,channels=3"
                                         << "opencv" << 31 << "Computing A";
        QTest::newRow("measuring") << "synthetic:noise:400x400"
                                   << "openmp" << 9 << "Measuring";
        QTest::newRow("checking") << "synthetic:noise:2000x2000"
                                  << "openmp" << 23 << "Checking";
    }
    void cancelFreesTheWorkerWithinASecond() {
        QFETCH(const QString, input);
        QFETCH(const QString, a);
        QFETCH(const int, size);
        QFETCH(const QString, stage);
        if (!processCatalog().backend(a.section('.', 0, 0).toStdString()).availability().yes) QSKIP("the backend is not available");
        Promptness prompt(kPromptly);
        while (prompt.again()) {
            auto window = shownWindow();
            Session& session = window->session();
            session.setTarget(Side::a, a);
            session.pipeline().setParameter(0, "size", ParameterValue(std::int64_t{size}));
            window->openInputs({input});
            if (stage == "Measuring") {
                QVERIFY(waitForIdle(*window));
                window->findChild<QAction*>("benchmark")->trigger();
            }
            // The work ended too early: try again.
            QVERIFY(QTest::qWaitFor([&] { return activity(*window).contains(stage) || (stage != "Measuring" && window->settled()); },
                                    kPatience));
            if (!activity(*window).contains(stage)) continue;
            QTest::qWait(150);
            if (session.idle()) continue;
            prompt.start();
            QTest::keyClick(window.get(), Qt::Key_Escape);
            // A free worker runs the next task.
            session.setTarget(Side::a, "openmp");
            session.setTarget(Side::b, "openmp");
            session.pipeline().setPipeline({});
            const QString next = QStringLiteral("synthetic:gradient:32x20");
            window->openInputs({next});
            QVERIFY(QTest::qWaitFor(
                [&] { return session.inputName() == next && session.comparison().difference() && !session.measuring(); }, kPatience));
            prompt.stop();
            QVERIFY(waitForIdle(*window));
        }
        QVERIFY2(prompt.held(), prompt.text().c_str());
        qInfo("%s", prompt.text().c_str());
    }
};

int main(int argc, char** argv) {
    TimedApplication application(argc, argv);
    ProgressTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "progress_test.moc"
