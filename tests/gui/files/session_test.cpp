// SPDX-License-Identifier: GPL-3.0-or-later
// Session files: saving and opening, missing inputs, damaged and hostile files, and the question before quitting.
#include <sys/stat.h>

#include <QAction>
#include <QDir>
#include <QDockWidget>
#include <QFileDialog>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <random>

#include "core/image/error.hpp"
#include "core/image/synthetic.hpp"
#include "core/io/saver.hpp"
#include "core/measure/sampling/sampler.hpp"
#include "tests/gui/gui_support.hpp"
#include "tests/support/dicom_writer.hpp"
#include "ui/models/document/kept_session.hpp"
#include "ui/models/document/settings.hpp"
#include "ui/models/pipeline/pane_edits.hpp"
#include "ui/window/dialogs/quit_dialog.hpp"
#include "ui/window/recent/recent_files.hpp"

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
        kept.setup.shared = pipelineOf({"convolve:kernel=gaussian,size=7"});
        kept.setup.panes = {{.input = {}, .steps = {}, .target = parseTarget("openmp")},
                            {.input = {}, .steps = {}, .target = parseTarget("reference")}};
        kept.view = QStringLiteral("wipe");
        kept.volume = KeptVolumeView{};
        kept.panels.insert(QStringLiteral("pipelineDock"), {});
        return kept;
    }
    /// The message of the error; empty if the text can be read.
    static QString refusal(const QByteArray& text) {
        try {
            (void)sessionFromJson(processCatalog(), text, QStringLiteral("x.parallax"));
            return {};
        } catch (const Error& e) {
            return e.code() == ErrorCode::input ? QString::fromUtf8(e.what()) : QStringLiteral("another kind of error");
        }
    }
    /// A session with one value replaced.
    static QByteArray with(const char* key, const QJsonValue& value) {
        QJsonObject o = QJsonDocument::fromJson(toJson(example())).object();
        o[QLatin1String(key)] = value;
        return QJsonDocument(o).toJson();
    }
    static QJsonArray panesOf(int count, const QJsonValue& each) {
        QJsonArray list;
        for (int i = 0; i < count; ++i) list << each;
        return list;
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
        QCOMPARE(window->compareView().layoutKind(), ui::Layout::sideBySide);
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
    void sessionsOfDicomFilesAreReadableByTheirOwnerOnly() {
        const mode_t before = ::umask(022);
        const auto modeOf = [](const QString& path) {
            struct stat info {};
            return ::stat(path.toUtf8().constData(), &info) == 0 ? static_cast<int>(info.st_mode & 0777) : -1;
        };
        test::MadeDicom().write(file("slice.dcm").toStdString());
        for (const auto& [input, mode] : {std::pair(file("slice.dcm"), 0600), std::pair(make("public.exr"), 0644)}) {
            const QString path = input + QStringLiteral(".parallax");
            auto window = shownWindow();
            QVERIFY(openAndWait(*window, input));
            QVERIFY(answer(*window, "save-session-as", path));
            QVERIFY(QTest::qWaitFor([&] { return window->windowTitle().contains(".parallax"); }, kPatience));
            QCOMPARE(modeOf(path), mode);
        }
        ::umask(before);
    }
    void panesKeepTheirInputsAndSteps() {
        QVERIFY(QDir(folder_.path()).mkpath("pair"));
        const QString first = make("pair/first.exr"), second = make("pair/second.exr", 64), path = file("panes.parallax");
        {
            auto window = shownWindow();
            QVERIFY(openAndWait(*window, first));
            PipelineModel& pipeline = window->session().pipeline();
            setSteps(*window, {"convolve:kernel=box,size=5"});
            CompareSetup setup = pipeline.setup();
            setup.panes.resize(2);
            setup.panes[1] = {.input = second, .steps = {}, .target = targetOfLabel("openmp.scalar:2t")};
            setup.panes.push_back(
                {.input = {}, .steps = pipelineOf({"convolve:kernel=gaussian,size=9,sigma=3"}), .target = parseTarget("reference")});
            setup.reference = Side::b;
            pipeline.replaceSetup(setup, "three panes");
            pipeline.setActive(Side::c);
            pipeline.setActive(Side::b);
            window->setViewName("all");
            QVERIFY(waitForIdle(*window));
            QVERIFY(answer(*window, "save-session-as", path));
            QVERIFY(QTest::qWaitFor([&] { return window->windowTitle().contains("panes.parallax"); }, kPatience));
            QVERIFY(!window->isWindowModified());
            // A change of a pane that is not shown counts.
            setInput(pipeline, Side::c, second);
            QVERIFY(QTest::qWaitFor([&] { return window->isWindowModified(); }, kPatience));
        }
        QVERIFY(!readFile(path).contains(folder_.path().toUtf8()));
        auto window = shownWindow();
        window->openInputs({path});
        QVERIFY(QTest::qWaitFor([&] { return window->session().original() != nullptr; }, kPatience));
        QVERIFY(waitForIdle(*window));
        const PipelineModel& pipeline = window->session().pipeline();
        const CompareSetup& setup = pipeline.setup();
        QCOMPARE(setup.panes.size(), std::size_t{3});
        QCOMPARE(setup.pane(Side::a).input, QString());
        QCOMPARE(setup.pane(Side::b).input, second);
        QVERIFY(!setup.pane(Side::b).steps);
        QVERIFY(setup.pane(Side::b).target == targetOfLabel("openmp.scalar:2t"));
        QVERIFY(sameSteps(setup.stepsOf(Side::b), pipelineOf({"convolve:kernel=box,size=5"})));
        QVERIFY(setup.pane(Side::c).steps);
        QVERIFY(sameSteps(*setup.pane(Side::c).steps, pipelineOf({"convolve:kernel=gaussian,size=9,sigma=3"})));
        QVERIFY(setup.pane(Side::c).target == parseTarget("reference"));
        QCOMPARE(pipeline.reference(), Side::b);
        QCOMPARE(pipeline.active(), Side::b);
        QCOMPARE(pipeline.subject(), Side::c);
        QCOMPARE(window->compareView().layoutKind(), ui::Layout::all);
        for (const Side side : {Side::a, Side::b, Side::c}) QVERIFY(window->session().side(side).result);
        QCOMPARE(window->session().comparison().inputOf(Side::b)->shape().width, 64);
        QVERIFY(!window->isWindowModified());
        // The pane whose file is gone is named; the others are computed.
        QVERIFY(QFile::remove(second));
        auto partial = shownWindow();
        partial->openInputs({path});
        QVERIFY(shows(*partial, "second.exr"));
        QVERIFY(QTest::qWaitFor([&] { return partial->session().original() != nullptr; }, kPatience));
        QVERIFY(waitForIdle(*partial));
        QVERIFY(partial->session().side(Side::a).result && partial->session().side(Side::c).result);
        QVERIFY(partial->session().side(Side::b).error);
        QCOMPARE(partial->session().pipeline().setup().pane(Side::b).input, second);
    }
    void encodedValuesOfAPaneAreKept() {
        KeptSession kept = example();
        kept.setup.panes[1].encoded = true;
        const KeptSession read = sessionFromJson(processCatalog(), toJson(kept), "light");
        QVERIFY(!read.setup.panes[0].encoded && read.setup.panes[1].encoded);
        QVERIFY(sameSetup(read.setup, kept.setup) && !sameSetup(read.setup, example().setup));
        QVERIFY2(refusal(with("panes", panesOf(2, QJsonObject{{"light", "dim"}}))).contains("neither linear nor encoded"),
                 qPrintable(refusal(with("panes", panesOf(2, QJsonObject{{"light", "dim"}})))));
    }
    void aContactSheetIsKeptWithThePanesBefore() {
        KeptSession kept = example();
        kept.setup.panes[1].input = QStringLiteral("synthetic:noise:8x8");
        kept.setup.beforeSheet = kept.setup.panes;
        kept.setup.referenceBeforeSheet = kept.setup.sheetOf = Side::b;
        kept.linked = false;
        kept.setup.panes.resize(5, {.input = {}, .steps = pipelineOf({"convolve:kernel=box,size=3"}), .target = parseTarget("openmp")});
        const KeptSession read = sessionFromJson(processCatalog(), toJson(kept), "sheet");
        QVERIFY(sameSetup(read.setup, kept.setup));
        QCOMPARE(read.setup.beforeSheet.size(), std::size_t{2});
        QCOMPARE(read.setup.beforeSheet[1].input, QStringLiteral("synthetic:noise:8x8"));
        QCOMPARE(read.setup.referenceBeforeSheet, Side::b);
        QCOMPARE(read.setup.sheetOf, Side::b);
        QVERIFY(!read.linked);
    }
    void earlierVersionsAreRead() {
        QJsonObject o = QJsonDocument::fromJson(toJson(example())).object();
        o.remove("reference");
        o.remove("active");
        o.remove("subject");
        o["schema_version"] = 2;
        o["panes"] = QJsonArray{QJsonObject{{"target", "openmp.scalar"}}, QJsonObject{{"target", "reference"}}};
        const KeptSession second = sessionFromJson(processCatalog(), QJsonDocument(o).toJson(), "v2");
        const QJsonObject one{{"schema", "parallax.session"},
                              {"schema_version", 1},
                              {"inputs", QJsonArray{"synthetic:gradient:40x30"}},
                              {"current", 0},
                              {"recipe", QString::fromUtf8(QJsonDocument(o["recipe"].toObject()).toJson())},
                              {"a", "openmp.scalar"},
                              {"b", "reference"},
                              {"view", "wipe"},
                              {"original_shown", false},
                              {"fitting", false},
                              {"scale", 2.5},
                              {"centre", QJsonArray{3, 4}},
                              {"display", QJsonObject{{"exposure", 1.5}, {"encoding", 2}, {"false_colour", 3}, {"difference_mode", 1}}}};
        const KeptSession first = sessionFromJson(processCatalog(), QJsonDocument(one).toJson(), "v1");
        for (const KeptSession& read : {first, second}) {
            QCOMPARE(read.inputs, QStringList{"synthetic:gradient:40x30"});
            QVERIFY(sameSteps(read.setup.shared, example().setup.shared));
            QCOMPARE(read.setup.panes.size(), std::size_t{2});
            QVERIFY(read.setup.pane(Side::a).target == parseTarget("openmp.scalar"));
            QVERIFY(read.setup.pane(Side::b).target == parseTarget("reference"));
            QCOMPARE(read.setup.reference, Side::a);
            QCOMPARE(read.active, Side::a);
            QCOMPARE(read.subject, Side::b);
            QCOMPARE(read.view, QStringLiteral("wipe"));
        }
        QVERIFY(!first.originalShown && !first.fitting);
        QCOMPARE(first.scale, 2.5);
        QCOMPARE(first.centre, QPointF(3, 4));
        QCOMPARE(first.display.exposure, 1.5);
        QCOMPARE(first.display.encoding, DisplayEncoding::linear);
        QCOMPARE(first.display.falseColour, FalseColour::diverging);
        QCOMPARE(first.display.differenceMode, DifferenceMode::absolute);
    }
    void threadsOfEarlierVersionsStayThreads() {
        QJsonObject o = QJsonDocument::fromJson(toJson(example())).object();
        o["panes"] = o["panes_before_sheet"] = QJsonArray{QJsonObject{{"target", "openmp.scalar@4"}}, QJsonObject{{"target", "reference"}}};
        o["schema_version"] = 3;
        const KeptSession third = sessionFromJson(processCatalog(), QJsonDocument(o).toJson(), "v3");
        QVERIFY(third.setup.pane(Side::a).target == targetOfLabel("openmp.scalar:4t"));
        QVERIFY(third.setup.beforeSheet[0].target == targetOfLabel("openmp.scalar:4t"));
        o["schema_version"] = 4;
        const KeptSession fourth = sessionFromJson(processCatalog(), QJsonDocument(o).toJson(), "v4");
        QVERIFY(fourth.setup.pane(Side::a).target == parseTarget("openmp.scalar@4"));
    }
    void hostileFilesAreRefusedWithAReason() {
        const QJsonObject pane{{"target", "openmp"}};
        const QByteArray deep =
            "{\"schema\": \"parallax.session\", \"inputs\": " + QByteArray(100'000, '[') + QByteArray(100'000, ']') + "}";
        for (const auto& [text, said] :
             {std::pair{with("panes", panesOf(9999, pane)), "it has 9999 panes, and at most 9"},
              {with("panes_before_sheet", panesOf(10, pane)), "it has 10 panes"},
              {with("panes", 5), "its panes are not a list"},
              {with("panes", QJsonArray{pane, "b"}), "pane B is not an object"},
              {with("panes", QJsonArray{pane, QJsonObject{{"input", 7}}}), "the input of pane B is not text"},
              {with("panes", QJsonArray{QJsonObject{{"recipe", "blur"}}, pane}), "the recipe of pane A is not an object"},
              {with("panes", QJsonArray{pane, pane, QJsonObject{{"recipe", QJsonObject()}}}), "the recipe of pane C cannot be used"},
              {with("recipe", QJsonArray()), "the recipe of the session is not an object"},
              {with("inputs", "a.exr"), "its inputs are not a list"},
              {with("inputs", panesOf(10'001, "a.exr")), "more than 10000 inputs"},
              {with("schema_version", 0), "version 0"},
              {with("schema_version", "two"), "version 0"},
              {deep, "nested too deeply"}}) {
            const QString message = refusal(text);
            QVERIFY2(message.contains(QLatin1String(said)), qPrintable(message));
            QVERIFY(message.startsWith("Cannot open session 'x.parallax': "));
        }
        // Letters that are no pane, one pane only, and targets of another machine are no reason.
        QCOMPARE(refusal(with("reference", "Z")), QString());
        QCOMPARE(refusal(with("active", 3)), QString());
        QCOMPARE(refusal(with("panes", QJsonArray{QJsonObject{{"target", "no-such-backend"}}})), QString());
    }
    void missingInputsAreNamedAndTheRestOpens() {
        KeptSession kept = example();
        kept.inputs = {file("gone.exr"), make("there.exr"), "raw:4x4,type=uint8:" + file("gone.bin"), file("Doeling_Jane")};
        QVERIFY(writeFile(file("partial.parallax"), toJson(kept, folder_.path())));
        auto window = shownWindow();
        QMimeData mime;
        mime.setUrls({QUrl::fromLocalFile(file("partial.parallax"))});
        QVERIFY(drop(*window, mime));
        QVERIFY(shows(*window, "gone.exr"));
        QVERIFY(shows(*window, "gone.bin"));
        // What may be a series is not named.
        QVERIFY(shows(*window, "medical data"));
        QVERIFY(!window->messageBar().message().plainText().contains("Doeling"));
        QVERIFY(QTest::qWaitFor([&] { return window->session().inputName() == file("there.exr"); }, kPatience));
    }
    void damagedFilesChangeNothing() {
        const QByteArray good = toJson(example());
        QByteArray newer = good;
        newer.replace("\"schema_version\": 4", "\"schema_version\": 5");
        QByteArray unknown = good;
        unknown.replace("\"convolve\"", "\"no-such-operation\"");
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:gradient:20x20"));
        const std::string before = toText(window->session().pipeline().step(0));
        for (const auto& [content, said] : {std::pair{good.left(good.size() / 2), "JSON"},
                                            {newer, "version 5"},
                                            {unknown, "no-such-operation"},
                                            {QByteArray("[]"), "not a session"},
                                            {QByteArray(5 << 20, ' '), "larger"}}) {
            QVERIFY(writeFile(file("bad.parallax"), content));
            window->openInputs({file("bad.parallax")});
            QVERIFY2(shows(*window, said), said);
            QVERIFY(waitForIdle(*window));
            QCOMPARE(toText(window->session().pipeline().step(0)), before);
            QCOMPARE(window->session().inputName(), QStringLiteral("synthetic:gradient:20x20"));
            QCOMPARE(window->compareView().layoutKind(), ui::Layout::compare);
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
        QPushButton* stay = button(*dialog, "Stay open");
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
