// SPDX-License-Identifier: GPL-3.0-or-later
// Session files: saving and opening, missing inputs, damaged and hostile files, and the question before quitting.
#include <QAction>
#include <QDir>
#include <QDockWidget>
#include <QFileDialog>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <random>

#include "core/image/error.hpp"
#include "core/image/synthetic.hpp"
#include "core/io/saver.hpp"
#include "tests/gui/gui_support.hpp"
#include "ui/models/document/kept_session.hpp"
#include "ui/models/document/settings.hpp"
#include "ui/window/dialogs/quit_dialog.hpp"
#include "ui/window/shell/recent_files.hpp"

using namespace parallax;
using namespace parallax::ui;

class SessionTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString file(const QString& name) const { return folder_.filePath(name); }
    QString make(const QString& name, int width = 80) const {
        const std::string request = "synthetic:zone-plate:" + std::to_string(width) + "x60,channels=3";
        (void)saveImage(makeSynthetic(parseSynthetic(request)), file(name).toStdString(), {.overwrite = true});
        return file(name);
    }
    /// Answers the file dialog that an action opens.
    static bool answer(MainWindow& window, const char* action, const QString& path) {
        window.findChild<QAction*>(QLatin1String(action))->trigger();
        auto* dialog = window.findChild<QFileDialog*>();
        if (!dialog) return false;
        auto* name = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
        name->setText(path);
        QTest::keyClick(name, Qt::Key_Return);
        return QTest::qWaitFor([&] { return !window.findChild<QFileDialog*>(); }, kPatience);
    }
    static bool shows(MainWindow& window, const QString& text) {
        return QTest::qWaitFor([&] { return window.messageBar().isVisible() && window.messageBar().message().plainText().contains(text); },
                               kPatience);
    }
    static KeptSession example() {
        KeptSession kept;
        kept.inputs << QStringLiteral("synthetic:gradient:40x30");
        kept.pipeline = pipelineOf({"convolve:kernel=gaussian,size=7"});
        kept.a = QStringLiteral("openmp");
        kept.b = QStringLiteral("reference");
        kept.view = QStringLiteral("wipe");
        kept.volume = KeptVolumeView{};
        kept.panels.insert(QStringLiteral("pipelineDock"), {});
        return kept;
    }
    static QPushButton* button(const QDialog& dialog, const QString& text) {
        for (QPushButton* each : dialog.findChildren<QPushButton*>())
            if (each->text().remove(QLatin1Char('&')) == text) return each;
        return nullptr;
    }

private slots:
    void init() { QStandardPaths::setTestModeEnabled(true); }

    void aSavedSessionOpensAsItWas() {
        QVERIFY(QDir(folder_.path()).mkpath("images"));
        const QString first = make("images/a.exr"), second = make("images/b.exr", 96), path = file("work.parallax");
        {
            auto window = shownWindow();
            window->openInputs({first, second});
            QVERIFY(QTest::qWaitFor([&] { return window->session().original() != nullptr; }, kPatience));
            QVERIFY(waitForIdle(*window));
            window->findChild<QAction*>("next")->trigger();
            QVERIFY(QTest::qWaitFor([&] { return window->session().inputName() == second; }, kPatience));
            setSteps(*window, {"convolve:kernel=box,size=5"});
            window->session().setTarget(Side::a, "reference");
            window->setViewName("side-by-side");
            window->view().setScale(4);
            window->view().lookAt({30, 20});
            window->view().setSelection({10, 12, 20, 16});
            window->view().setExposure(2);
            window->findChild<QDockWidget*>("timingDock")->hide();
            QVERIFY(waitForIdle(*window));
            QVERIFY(answer(*window, "save-session-as", path));
            QVERIFY(QTest::qWaitFor([&] { return window->windowTitle().contains("work.parallax"); }, kPatience));
            QVERIFY(!window->isWindowModified());
            window->view().setExposure(3);
            QVERIFY(QTest::qWaitFor([&] { return window->isWindowModified(); }, kPatience));
            window->view().setExposure(2);
            QVERIFY(QTest::qWaitFor([&] { return !window->isWindowModified(); }, kPatience));
        }
        // Session and images are moved together.
        const QByteArray text = readFile(path);
        QVERIFY(text.contains("\"images/a.exr\"") && !text.contains(folder_.path().toUtf8()));
        QVERIFY(QDir(folder_.path()).mkpath("moved"));
        QVERIFY(QDir(folder_.path()).rename("images", "moved/images"));
        QVERIFY(QFile::rename(path, file("moved/work.parallax")));
        auto window = shownWindow();
        window->openInputs({file("moved/work.parallax")});
        QVERIFY(QTest::qWaitFor([&] { return window->session().original() != nullptr; }, kPatience));
        QVERIFY(waitForIdle(*window));
        QCOMPARE(window->session().inputName(), file("moved/images/b.exr"));
        QVERIFY(window->findChild<QAction*>("previous")->isEnabled());
        QCOMPARE(toText(window->session().pipeline().step(0)), toText(pipelineOf({"convolve:kernel=box,size=5"}).steps[0]));
        QCOMPARE(window->session().side(Side::a).target.backend, std::string("reference"));
        QCOMPARE(window->compareView().layoutKind(), Layout::sideBySide);
        QCOMPARE(window->view().scale(), 4.0);
        QCOMPARE(window->view().centre(), QPointF(30, 20));
        QCOMPARE(window->view().selection(), QRect(10, 12, 20, 16));
        QCOMPARE(window->view().display().exposure, 2.0);
        QVERIFY(window->findChild<QDockWidget*>("timingDock")->isHidden());
        QVERIFY(!window->isWindowModified());
        QCOMPARE(window->recentFiles().files().isEmpty(), false);
        // Saving again asks nothing.
        window->view().setExposure(1);
        QVERIFY(QTest::qWaitFor([&] { return window->isWindowModified(); }, kPatience));
        window->findChild<QAction*>("save-session")->trigger();
        QVERIFY(QTest::qWaitFor([&] { return !window->isWindowModified(); }, kPatience));
    }
    void missingInputsAreNamedAndTheRestOpens() {
        KeptSession kept = example();
        kept.inputs = {file("gone.exr"), make("there.exr"), "raw:4x4,type=uint8:" + file("gone.bin")};
        QVERIFY(writeFile(file("partial.parallax"), toJson(kept, folder_.path())));
        auto window = shownWindow();
        QMimeData mime;
        mime.setUrls({QUrl::fromLocalFile(file("partial.parallax"))});
        QVERIFY(drop(*window, mime));
        QVERIFY(shows(*window, "gone.exr"));
        QVERIFY(shows(*window, "gone.bin"));
        QVERIFY(QTest::qWaitFor([&] { return window->session().inputName() == file("there.exr"); }, kPatience));
    }
    void damagedFilesChangeNothing() {
        const QByteArray good = toJson(example());
        QByteArray newer = good;
        newer.replace("\"schema_version\": 2", "\"schema_version\": 3");
        QByteArray unknown = good;
        unknown.replace("\"convolve\"", "\"no-such-operation\"");
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:gradient:20x20"));
        const std::string before = toText(window->session().pipeline().step(0));
        for (const auto& [content, said] : {std::pair{good.left(good.size() / 2), "JSON"},
                                            {newer, "version 3"},
                                            {unknown, "no-such-operation"},
                                            {QByteArray("[]"), "not a session"},
                                            {QByteArray(5 << 20, ' '), "larger"}}) {
            QVERIFY(writeFile(file("bad.parallax"), content));
            window->openInputs({file("bad.parallax")});
            QVERIFY2(shows(*window, said), said);
            QVERIFY(waitForIdle(*window));
            QCOMPARE(toText(window->session().pipeline().step(0)), before);
            QCOMPARE(window->session().inputName(), QStringLiteral("synthetic:gradient:20x20"));
            QCOMPARE(window->compareView().layoutKind(), Layout::compare);
            window->messageBar().hide();
        }
    }
    void hostileValuesAreClamped() {
        const QByteArray good = toJson(example());
        std::mt19937 random(7);
        const QList<QByteArray> values{"-1", "1e308", "-1e308", "99999999999999999999", "null", "true", "\"x\"", "[]", "{}", "[[[]]]"};
        int opened = 0;
        for (int round = 0; round < 4000; ++round) {
            QByteArray text = good;
            for (int edit = 0; edit <= round % 4; ++edit) {
                const auto at = static_cast<qsizetype>(random() % static_cast<unsigned>(text.size()));
                if (round % 2 == 0) {
                    text[at] = static_cast<char>(random());
                    continue;
                }
                // Another value after the next colon.
                const qsizetype colon = text.indexOf(':', at), end = text.indexOf('\n', colon);
                if (colon < 0 || end < 0) continue;
                const bool comma = text[end - 1] == ',';
                text.replace(colon + 1, end - colon - (comma ? 2 : 1), values[static_cast<int>(random() % 10)]);
            }
            try {
                const KeptSession kept = sessionFromJson(processCatalog(), text, "fuzz");
                ++opened;
                QVERIFY(kept.current >= 0 && kept.current <= kept.inputs.size());
                QVERIFY(kept.scale >= ViewState::kMinimumScale && kept.scale <= ViewState::kMaximumScale);
                QVERIFY(std::abs(kept.display.exposure) <= 60);
                QVERIFY(kept.display.channel >= DisplaySettings::kLuminance);
                QVERIFY(std::isfinite(kept.centre.x()) && std::isfinite(kept.centre.y()));
                for (const KeptPanel& panel : kept.panels) QVERIFY(panel.size >= 0 && panel.size <= 10000);
            } catch (const Error& e) {
                QCOMPARE(e.code(), ErrorCode::input);
            }
        }
        QVERIFY2(opened > 200, qPrintable(QString::number(opened)));
    }
    void quittingDuringAMeasurementAsks() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:noise:1500x1500,channels=3"));
        window->session().benchmark().measure("quick");
        QVERIFY(window->session().measuring());
        QVERIFY(!window->close());
        auto* dialog = window->findChild<QuitDialog*>();
        QVERIFY(dialog && dialog->isVisible());
        QPushButton* stay = button(*dialog, "Keep running");
        QVERIFY(stay);
        stay->click();
        QVERIFY(window->isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(!window->findChild<QuitDialog*>(), kPatience);
        if (!window->session().measuring()) window->session().benchmark().measure("quick");
        QVERIFY(!window->close());
        dialog = window->findChild<QuitDialog*>();
        QVERIFY(dialog);
        button(*dialog, "Quit anyway")->click();
        QVERIFY(QTest::qWaitFor([&] { return !window->isVisible(); }, kPatience));
        QVERIFY(!window->session().measuring());
    }
    void signalsAndScreenshotsNeverAsk() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:noise:1500x1500,channels=3"));
        window->session().benchmark().measure("quick");
        QVERIFY(window->closeWithoutAsking());
        auto picture = shownWindow();
        picture->setUnattended();
        QVERIFY(openAndWait(*picture, "synthetic:noise:1500x1500,channels=3"));
        picture->session().benchmark().measure("quick");
        QVERIFY(picture->close());
    }
    void theLastSessionIsRestoredAfterANormalEnd() {
        QTemporaryDir home;
        for (const bool atOnce : {false, true}) {
            {
                auto window = shownWindow();
                window->keepSession(home.path());
                QVERIFY(openAndWait(*window, "synthetic:gradient:48x32"));
                setSteps(*window, {"convolve:kernel=box,size=3"});
                QVERIFY(waitForIdle(*window));
                QVERIFY(window->close());
            }
            Settings::instance().set(QStringLiteral("session/restore"), atOnce);
            auto window = shownWindow();
            window->keepSession(home.path());
            QVERIFY(!window->messageBar().isVisible());  // it did not crash
            QAction* restore = window->findChild<QAction*>("restore-session");
            QVERIFY(restore->isEnabled());
            QCOMPARE(window->restoreAtStart(), atOnce);
            if (!atOnce) restore->trigger();
            QVERIFY(QTest::qWaitFor([&] { return window->session().inputName() == "synthetic:gradient:48x32"; }, kPatience));
            QCOMPARE(toText(window->session().pipeline().step(0)), toText(pipelineOf({"convolve:kernel=box,size=3"}).steps[0]));
            QVERIFY(waitForIdle(*window));
        }
        Settings::instance().set(QStringLiteral("session/restore"), false);
    }
};

QTEST_MAIN(SessionTest)
#include "session_test.moc"
