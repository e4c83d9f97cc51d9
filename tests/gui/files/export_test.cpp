// SPDX-License-Identifier: GPL-3.0-or-later
// What leaves the window as a file: samples, views, charts and reports. Nothing is overwritten unasked, and a full disk leaves the
// old file whole.
#include <QCheckBox>
#include <QComboBox>
#include <QDesktopServices>
#include <QDir>
#include <QFileDialog>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QScopeGuard>
#include <QSettings>
#include <QSignalSpy>
#include <QToolButton>
#include <algorithm>
#include <cstdlib>
#include <semaphore>

#include "core/image/synthetic.hpp"
#include "core/io/loader.hpp"
#include "core/io/saver.hpp"
#include "tests/gui/gui_support.hpp"
#include "tests/gui/short_measurements.hpp"
#include "ui/charts/plot.hpp"
#include "ui/charts/timing_panel.hpp"
#include "ui/export/export_folder.hpp"
#include "ui/export/save_data_dialog.hpp"
#include "ui/models/pipeline/pane_edits.hpp"
#include "ui/window/dialogs/quit_dialog.hpp"

using namespace parallax;
using namespace parallax::ui;

class ExportTest : public QObject {
    Q_OBJECT

    ShortMeasurements short_;
    QTemporaryDir folder_;
    QUrl shownUrl_;
    QString file(const QString& name) const { return folder_.filePath(name); }
    void write(const QString& name, const QByteArray& text) const { QVERIFY(writeFile(file(name), text)); }
    QStringList files() const { return QDir(folder_.path()).entryList(QDir::Files, QDir::Name); }

    /// The dialog that an action opens, with its fields.
    static SaveDataDialog* opened(MainWindow& window, const char* action) {
        window.findChild<QAction*>(QLatin1String(action))->trigger();
        for (SaveDataDialog* dialog : window.findChildren<SaveDataDialog*>())
            if (dialog->isVisible()) return dialog;  // others are being deleted
        return nullptr;
    }
    static QComboBox& box(const QDialog& dialog, const char* name) { return *dialog.findChild<QComboBox*>(QLatin1String(name)); }
    static QLineEdit& line(const QDialog& dialog, const char* name) { return *dialog.findChild<QLineEdit*>(QLatin1String(name)); }
    static QCheckBox& check(const QDialog& dialog, const char* name) { return *dialog.findChild<QCheckBox*>(QLatin1String(name)); }
    static void choose(QComboBox& box, const QString& data) {
        const int index = box.findData(data);
        QVERIFY2(index >= 0, qPrintable(data));
        box.setCurrentIndex(index);
    }
    static QPushButton& saveButton(const QDialog& dialog) {
        for (QPushButton* button : dialog.findChildren<QPushButton*>())
            if (button->isDefault()) return *button;
        qFatal("no default button");
    }
    /// Types a path into the dialog that asks where to, and saves.
    static bool answer(MainWindow& window, const QString& path) {
        auto* dialog = window.findChild<QFileDialog*>();
        if (!dialog) return false;
        auto* name = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
        name->setText(path);
        QTest::keyClick(name, Qt::Key_Return);
        return QTest::qWaitFor([&] { return !window.findChild<QFileDialog*>(); }, kPatience);
    }
    static bool raised(MainWindow& window, const QString& text) {
        return QTest::qWaitFor(
            [&] {
                const Message& m = window.messageBar().message();
                return window.messageBar().isVisible() && m.kind == Message::Kind::error && m.plainText().contains(text);
            },
            kPatience);
    }

public:
    Q_INVOKABLE void takeUrl(const QUrl& url) { shownUrl_ = url; }

private slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init() {
        QSettings().clear();
        for (const QString& name : files()) QVERIFY(QFile::remove(file(name)));
        setExportFolder(folder_.path());
    }
    void cleanupTestCase() { QSettings().clear(); }

    void dataAreSavedAsChosen() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:gradient:64x48,channels=3"));
        SaveDataDialog* dialog = opened(*window, "save-result");
        QVERIFY(dialog);
        choose(box(*dialog, "format"), "png");
        QCOMPARE(box(*dialog, "depth").count(), 2);
        QCOMPARE(box(*dialog, "encoding").count(), 2);
        QVERIFY(box(*dialog, "encoding").isEnabled());
        box(*dialog, "encoding").setCurrentIndex(box(*dialog, "encoding").findData(static_cast<int>(StoredEncoding::linear)));
        line(*dialog, "path").setText(file("a.png"));
        QSignalSpy saved(&window->session().saver(), &FileSaver::saved);
        QTest::mouseClick(&saveButton(*dialog), Qt::LeftButton);
        QVERIFY(saved.wait(kPatience));
        const Image back = loadImage(file("a.png").toStdString());
        QCOMPARE(back.source.storedChannels[0].type, std::string("uint16"));
        QVERIFY(back.source.transfer == TransferFunction::linear);
        const Image& a = *window->session().side(Side::a).result->image;
        QVERIFY(std::abs(back.view().at(30, 20, 0, 1) - a.view().at(30, 20, 0, 1)) < 1e-4F);
        // Floats have one encoding, and it is said.
        dialog = opened(*window, "save-other-result");
        choose(box(*dialog, "format"), "exr");
        QCOMPARE(box(*dialog, "encoding").count(), 1);
        QVERIFY(!box(*dialog, "encoding").isEnabled());
        dialog->reject();
    }
    void typedNamesChooseFormatAndFolder() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:gradient:64x48,channels=3"));
        SaveDataDialog* dialog = opened(*window, "save-result");
        QVERIFY(dialog);
        const auto encoding = [&] { return static_cast<StoredEncoding>(box(*dialog, "encoding").currentData().toInt()); };
        const struct {
            const char *typed, *format, *file;
            StoredEncoding encoding;
        } cases[] = {{"first.exr", "exr", "first.exr", StoredEncoding::linear},
                     {"second.png", "png", "second.png", StoredEncoding::sRgb},  // although the floats before were linear
                     {"third", "png", "third.png", StoredEncoding::sRgb},
                     {"fourth.v2", "png", "fourth.v2.png", StoredEncoding::sRgb},
                     {"fifth.exr", "exr", "fifth.exr", StoredEncoding::linear},
                     {"last.png", "png", "last.png", StoredEncoding::sRgb}};
        for (const auto& each : cases) {
            line(*dialog, "path").selectAll();
            QTest::keyClicks(&line(*dialog, "path"), QLatin1String(each.typed));
            QCOMPARE(box(*dialog, "format").currentData().toString(), QLatin1String(each.format));
            QCOMPARE(dialog->paths(), QStringList{file(QLatin1String(each.file))});
            QVERIFY2(encoding() == each.encoding, each.typed);
        }
        QSignalSpy saved(&window->session().saver(), &FileSaver::saved);
        saveButton(*dialog).click();
        QVERIFY(saved.wait(kPatience));
        QVERIFY(loadImage(file("last.png").toStdString()).source.transfer == TransferFunction::sRgb);
        QCOMPARE(files(), QStringList{"last.png"});
    }
    void aFileThatAppearsAfterTheQuestionStays() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:gradient:64x48"));
        SaveDataDialog* dialog = opened(*window, "save-result");
        choose(box(*dialog, "format"), "pfm");
        line(*dialog, "path").setText(file("a.pfm"));
        QCOMPARE(saveButton(*dialog).text(), QStringLiteral("&Save"));
        write("a.pfm", "mine");
        QPointer<SaveDataDialog> closes(dialog);
        saveButton(*dialog).click();
        QVERIFY(raised(*window, "a.pfm"));
        QVERIFY(waitForIdle(*window));
        QCoreApplication::processEvents();
        QVERIFY(closes);
        QCOMPARE(readFile(file("a.pfm")), QByteArray("mine"));
        // The dialog is still there, with the error and the file that it would replace now.
        QTRY_VERIFY_WITH_TIMEOUT(saveButton(*dialog).isEnabled(), kPatience);
        QVERIFY(dialog->isVisible());
        auto* error = dialog->findChild<QLabel*>("error");
        QVERIFY(error && error->isVisible());
        QVERIFY2(error->text().contains("a.pfm"), qPrintable(error->text()));
        QCOMPARE(line(*dialog, "path").text(), file("a.pfm"));
        QCOMPARE(box(*dialog, "format").currentData().toString(), QStringLiteral("pfm"));
        QCOMPARE(saveButton(*dialog).text(), QStringLiteral("&Replace"));
        const QList<QLabel*> labels = dialog->findChildren<QLabel*>();
        QVERIFY(std::any_of(labels.begin(), labels.end(),
                            [](const QLabel* label) { return label->text().contains("a.pfm exists and will be replaced"); }));
        QSignalSpy saved(&window->session().saver(), &FileSaver::saved);
        saveButton(*dialog).click();
        QVERIFY(saved.wait(kPatience));
        QCOMPARE(loadImage(file("a.pfm").toStdString()).shape().width, 64);
        QTRY_VERIFY_WITH_TIMEOUT(!closes, kPatience);
        // The complaint of the first attempt is gone.
        QVERIFY(window->messageBar().message().kind != Message::Kind::error);
    }
    void aFailedFileDialogOpensAgainWithTheError() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:gradient:64x48"));
        window->findChild<QAction*>("save-recipe")->trigger();
        auto* name = window->findChild<QLineEdit*>("fileNameEdit");
        QVERIFY(name);
        name->setText(file("no-such-folder/mine.json"));
        QTest::keyClick(name, Qt::Key_Return);
        const auto error = [&] { return window->findChild<QLabel*>("saveError"); };
        QVERIFY(QTest::qWaitFor([&] { return error() && error()->isVisible(); }, kPatience));
        QVERIFY2(error()->text().contains("no-such-folder"), qPrintable(error()->text()));
        auto* dialog = qobject_cast<QFileDialog*>(error()->window());
        QVERIFY(dialog && dialog->windowTitle().startsWith("Save recipe"));
        QCOMPARE(dialog->findChild<QLineEdit*>("fileNameEdit")->text(), QStringLiteral("mine.json"));
        QTRY_COMPARE_WITH_TIMEOUT(window->findChildren<QFileDialog*>().size(), 1, kPatience);
        QSignalSpy saved(&window->session().saver(), &FileSaver::saved);
        QVERIFY(answer(*window, file("mine.json")));
        QVERIFY(saved.count() == 1 || saved.wait(kPatience));
        QVERIFY(readFile(file("mine.json")).contains("parallax.recipe"));
        QVERIFY(!window->findChild<QFileDialog*>());
        // A later failure to save the same file elsewhere asks nothing.
        window->session().saver().saveBytes(file("mine.json"), false, [] { return QByteArray("x"); });
        QVERIFY(raised(*window, "mine.json"));
        QVERIFY(!window->findChild<QFileDialog*>());
    }
    void aSavedFileIsShownInItsFolder() {
        auto window = shownWindow();
        window->session().saver().saveBytes(file("a file.txt"), false, [] { return QByteArray("text"); });
        const auto button = [&] { return window->messageBar().findChild<QToolButton*>("showInFolder"); };
        QVERIFY(QTest::qWaitFor([&] { return button() && button()->isVisible(); }, kPatience));
        QDesktopServices::setUrlHandler("file", this, "takeUrl");
        button()->click();
        QDesktopServices::unsetUrlHandler("file");
        QCOMPARE(shownUrl_, QUrl::fromLocalFile(folder_.path()));
    }
    void theActivePaneIsSaved() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:gradient:64x48"));
        const QAction &active = *window->findChild<QAction*>("save-result"), &other = *window->findChild<QAction*>("save-other-result");
        const QAction& difference = *window->findChild<QAction*>("export-difference");
        const auto texts = [&] { return QStringList{active.text(), other.text(), difference.text()}.join('|').remove('&'); };
        QCOMPARE(texts(), QStringLiteral("Save result A …|Save result B …|Save difference B − A …"));
        PipelineModel& pipeline = window->session().pipeline();
        duplicatePane(pipeline, Side::a);
        QCOMPARE(texts(), QStringLiteral("Save result C …|Save result A …|Save difference C − A …"));
        QVERIFY(waitForIdle(*window));
        SaveDataDialog* dialog = opened(*window, "save-result");
        QCOMPARE(dialog->windowTitle(), QStringLiteral("Save result C"));
        QCOMPARE(dialog->roles(), std::vector{PaneRole::c});
        box(*dialog, "image").setCurrentIndex(box(*dialog, "image").findData(static_cast<int>(PaneRole::original)));
        QCOMPARE(dialog->windowTitle(), QStringLiteral("Save original"));
        dialog->reject();
        pipeline.setActive(Side::b);
        QCOMPARE(texts(), QStringLiteral("Save result B …|Save result A …|Save difference B − A …"));
    }
    void filtersNameEachExtensionOnce() {
        auto window = shownWindow();
        for (const char* action : {"open", "save-recipe", "open-session"}) {
            window->findChild<QAction*>(QLatin1String(action))->trigger();
            auto* dialog = window->findChild<QFileDialog*>();
            QVERIFY(dialog);
            for (const QString& filter : dialog->nameFilters()) {
                QStringList extensions = filter.section('(', 1).remove(')').toLower().split(' ');
                QVERIFY2(extensions.removeDuplicates() == 0, qPrintable(filter));
            }
            delete dialog;
        }
    }
    void reportsAreNamedAfterInputStepsAndDate() {
        auto window = shownWindow();
        setSteps(*window, {"convolve:kernel=gaussian", "tonemap"});
        QVERIFY(openAndWait(*window, "synthetic:gradient:64x48"));
        window->session().pipeline().setEnabled(1, false);
        const QString date = QDate::currentDate().toString(Qt::ISODate);
        QCOMPARE(proposedReportName(window->session()), QStringLiteral("gradient_convolve_") + date);
    }
    void volumesGoOutInFormatsOfTwoPartsAndTwoFiles() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:noise:20x16x8"));
        SaveDataDialog* dialog = opened(*window, "save-result");
        QVERIFY(dialog);
        choose(box(*dialog, "format"), "nii.gz");
        line(*dialog, "path").setText(file("volume.nii.gz"));
        QVERIFY(saveButton(*dialog).isEnabled());
        QSignalSpy saved(&window->session().saver(), &FileSaver::saved);
        saveButton(*dialog).click();
        QVERIFY(saved.wait(kPatience));
        QCOMPARE(loadImage(file("volume.nii.gz").toStdString()).shape().depth, 8);
        // A description that is there is named, although its samples are not.
        write("volume.raw.json", "mine");
        dialog = opened(*window, "save-result");
        choose(box(*dialog, "format"), "raw");
        line(*dialog, "path").setText(file("volume.raw"));
        QCOMPARE(saveButton(*dialog).text(), QStringLiteral("&Replace"));
        saveButton(*dialog).click();
        QVERIFY(saved.wait(kPatience));
        QVERIFY(readFile(file("volume.raw.json")) != "mine");
    }
    void aResultThatIsNotThereIsNotSaved() {
        auto window = shownWindow();
        Session& session = window->session();
        session.setTarget(Side::a, "reference");
        QVERIFY(openAndWait(*window, "synthetic:noise:32x32"));
        QVERIFY(session.comparison().difference());
        SaveDataDialog* dialog = opened(*window, "save-result");
        QVERIFY(saveButton(*dialog).isEnabled());
        // It is computed again, without success, while the dialog is open.
        session.setTarget(Side::a, "reference.nonsense");
        QVERIFY(waitForIdle(*window));
        QVERIFY(session.side(Side::a).error);
        QVERIFY(!saveButton(*dialog).isEnabled());
        dialog->reject();
        // And neither is there a difference between what is no longer compared.
        QVERIFY(!session.comparison().difference());
        QVERIFY(!session.panes().pyramid(PaneRole::difference));
        session.setTarget(Side::a, "reference");
        QVERIFY(waitForIdle(*window));
        QVERIFY(session.comparison().difference());
    }
    void closingWaitsForFilesThatAreBeingSaved() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:gradient:64x48"));
        const auto gate = std::make_shared<std::counting_semaphore<>>(0);
        const auto open = qScopeGuard([gate] { gate->release(8); });  // a failure must not wait for the files
        const auto make = [gate] {
            gate->acquire();
            return QByteArray("whole");
        };
        Session& session = window->session();
        session.saver().saveBytes(file("late.bin"), false, make);
        // Who stops a computation keeps the file.
        session.pipeline().setEnabled(0, false);
        session.pipeline().setEnabled(0, true);
        QVERIFY(session.side(Side::a).pending);
        session.cancel();
        QVERIFY(session.side(Side::a).error);
        QVERIFY(session.tasks().saving());
        QVERIFY(!window->close());
        QVERIFY(window->isVisible());
        auto* question = window->findChild<QuitDialog*>();
        QVERIFY(question && question->isVisible());
        QCOMPARE(question->text(), QStringLiteral("A file is being saved."));
        gate->release();
        QVERIFY(QTest::qWaitFor([&] { return !window->isVisible(); }, kPatience));
        QCOMPARE(readFile(file("late.bin")), QByteArray("whole"));
        // If nothing else runs, the message names the file.
        window->show();
        session.saver().saveBytes(file("never.bin"), false, make);
        session.cancel();
        QVERIFY(!session.tasks().saving());
        QVERIFY(window->messageBar().message().plainText().contains("never.bin"));
        // Who asks twice leaves at once.
        session.saver().saveBytes(file("unwanted.bin"), false, make);
        QVERIFY(!window->close());
        QVERIFY(window->close());
        gate->release(2);
        window.reset();
        QVERIFY(!QFile::exists(file("never.bin")));
        QVERIFY(!QFile::exists(file("unwanted.bin")));
    }
    void allPanesGoOutTogether() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:zone-plate:64x48,channels=3"));
        window->findChild<QAction*>("benchmark")->trigger();
        QVERIFY(QTest::qWaitFor([&] { return window->session().record() && window->settled(); }, 2 * kPatience));
        SaveDataDialog* dialog = opened(*window, "export-all");
        choose(box(*dialog, "format"), "exr");
        line(*dialog, "path").setText(folder_.path());
        line(*dialog, "pattern").setText("{input}_{pane}");
        check(*dialog, "views").setChecked(true);
        check(*dialog, "report").setChecked(true);
        QStringList expected{proposedReportName(window->session()) + ".html",
                             "zone-plate_A-view.png",
                             "zone-plate_A.exr",
                             "zone-plate_B-view.png",
                             "zone-plate_B.exr",
                             "zone-plate_difference-view.png",
                             "zone-plate_difference.exr",
                             "zone-plate_original-view.png",
                             "zone-plate_original.exr"};
        std::sort(expected.begin(), expected.end());
        QCOMPARE(dialog->paths().size(), expected.size());
        QSignalSpy saved(&window->session().saver(), &FileSaver::saved);
        saveButton(*dialog).click();
        QVERIFY(QTest::qWaitFor([&] { return saved.count() == expected.size(); }, kPatience));
        QCOMPARE(files(), expected);
        for (const QString& name : expected) {
            if (name.endsWith(".html")) QVERIFY(readFile(file(name)).contains("zone-plate"));
            else QVERIFY2(loadImage(file(name).toStdString()).shape().width > 0, qPrintable(name));
        }
        // A pattern without fields does not make one file of all, and a folder in it is refused.
        dialog = opened(*window, "export-all");
        line(*dialog, "pattern").setText("same");
        QStringList paths = dialog->paths();
        QCOMPARE(paths.removeDuplicates(), 0);
        line(*dialog, "pattern").setText("../same");
        QVERIFY(!saveButton(*dialog).isEnabled());
        dialog->reject();
    }
    void savesGoOnBesideEachOther() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:noise:512x512,channels=3"));
        QSignalSpy saved(&window->session().saver(), &FileSaver::saved);
        Session& session = window->session();
        session.saveRecipe(file("recipe.json"), false);
        session.saveImage(PaneRole::a, file("a.exr"));
        session.saveImage(PaneRole::a, file("b.exr"));
        session.saver().saveBytes(file("c.txt"), false, [] { return QByteArray("text"); });
        QVERIFY(QTest::qWaitFor([&] { return saved.count() == 4; }, kPatience));
        QCOMPARE(files(), (QStringList{"a.exr", "b.exr", "c.txt", "recipe.json"}));
    }
    void anEmptyAlphaIsSaidAndCanBeLeftOut() {
        // Edges of an opaque image: their alpha is 0.
        auto window = shownWindow();
        setSteps(*window, {"convolve:kernel=laplacian"});
        Image opaque = makeSynthetic(parseSynthetic("synthetic:noise:24x20,channels=4"));
        for (std::int64_t y = 0; y < 20; ++y)
            for (std::int64_t x = 0; x < 24; ++x) opaque.view().at(x, y, 0, 3) = 1;
        (void)saveImage(opaque, file("opaque.exr").toStdString());
        QVERIFY(openAndWait(*window, file("opaque.exr")));
        window->session().saveImage(PaneRole::a, file("edges.png"));
        const auto said = [&] {
            const Message& m = window->messageBar().message();
            return window->messageBar().isVisible() && m.kind == Message::Kind::warning && m.plainText().contains("look empty");
        };
        QVERIFY(QTest::qWaitFor(said, kPatience));
        SaveDataDialog* dialog = opened(*window, "save-result");
        auto* without = dialog->findChild<QCheckBox*>("withoutAlpha");
        QVERIFY(without);
        QComboBox& formats = *dialog->findChild<QComboBox*>("format");
        formats.setCurrentIndex(formats.findData("exr"));
        QVERIFY(!without->isVisible());
        formats.setCurrentIndex(formats.findData("png"));
        QVERIFY(without->isVisible());
        without->setChecked(true);
        line(*dialog, "path").setText(file("colours.png"));
        QSignalSpy saved(&window->session().saver(), &FileSaver::saved);
        saveButton(*dialog).click();
        QVERIFY(QTest::qWaitFor([&] { return saved.count() == 1; }, kPatience));
        QCOMPARE(loadImage(file("colours.png").toStdString()).shape().channels, std::int64_t{3});
    }
    void unevenSlicesCanBeResampled() {
        auto window = shownWindow();
        setSteps(*window, {"convolve:kernel=box,size=1"});
        Image volume = makeSynthetic(parseSynthetic("synthetic:noise:12x10x4"));
        volume.geometry.emplace().slicePositions = {0, 1, 3, 4};
        (void)saveImage(volume, file("uneven.raw").toStdString());
        QVERIFY(openAndWait(*window, file("uneven.raw")));
        SaveDataDialog* dialog = opened(*window, "save-result");
        auto* regular = dialog->findChild<QCheckBox*>("regularGrid");
        QVERIFY(regular);
        QComboBox& formats = *dialog->findChild<QComboBox*>("format");
        formats.setCurrentIndex(formats.findData("nii"));
        QVERIFY(regular->isVisible() && !regular->isChecked());
        regular->setChecked(true);
        line(*dialog, "path").setText(file("regular.nii"));
        QSignalSpy saved(&window->session().saver(), &FileSaver::saved);
        saveButton(*dialog).click();
        QVERIFY(QTest::qWaitFor([&] { return saved.count() == 1; }, kPatience));
        QCOMPARE(loadImage(file("regular.nii").toStdString()).shape().depth, std::int64_t{5});
        // Other volumes do not need it.
        QVERIFY(openAndWait(*window, "synthetic:noise:12x10x4"));
        dialog = opened(*window, "save-result");
        QVERIFY(!dialog->findChild<QCheckBox*>("regularGrid")->isVisible());
    }
    void nothingIsNoFile() {
        auto window = shownWindow();
        write("a.png", "mine");
        window->session().saver().saveBytes(file("a.png"), true, [] { return QByteArray(); });
        QVERIFY(raised(*window, "a.png"));
        QCOMPARE(readFile(file("a.png")), QByteArray("mine"));
    }
    void viewsAreSavedByTheMenuOfAPane() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:zone-plate:64x48"));
        CompareView& compare = window->compareView();
        ImagePane& pane = compare.pane(PaneRole::b);
        QContextMenuEvent event(QContextMenuEvent::Mouse, pane.rect().center(), pane.mapToGlobal(pane.rect().center()));
        QApplication::sendEvent(&pane, &event);
        QMenu* menu = nullptr;
        for (QMenu* each : window->findChildren<QMenu*>())
            if (each->isVisible()) menu = each;
        QVERIFY(menu);
        QAction* save = nullptr;
        for (QAction* each : menu->actions()) {
            if (!each->isSeparator()) QVERIFY2(!each->statusTip().isEmpty(), qPrintable(each->text()));
            if (each->text().contains("view of B") && each->text().contains("Save")) save = each;
        }
        QVERIFY(save);
        const QSize size = pane.size();  // the message afterwards takes some of the room
        save->trigger();
        menu->close();
        QSignalSpy saved(&window->session().saver(), &FileSaver::saved);
        QVERIFY(answer(*window, file("b.png")));
        QVERIFY(saved.count() == 1 || saved.wait(kPatience));
        QCOMPARE(QImage(file("b.png")).size(), size * pane.devicePixelRatioF());
    }
    void chartsAreSavedInEveryFormat() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:noise:128x128"));
        window->findChild<QAction*>("benchmark")->trigger();
        QVERIFY(QTest::qWaitFor([&] { return window->session().record() && window->settled(); }, 2 * kPatience));
        const QList<QCustomPlot*> plots = window->timingPanel().findChildren<QCustomPlot*>();
        QVERIFY(!plots.isEmpty());
        for (QCustomPlot* plot : plots) {
            if (!plot->isVisible()) continue;
            QAction* save = plot->actions().constLast();
            for (const auto& [name, start] : {std::pair{"c.svg", "<?xml"}, {"c.pdf", "%PDF"}, {"c.png", "\x89PNG"}, {"c.csv", ""}}) {
                QFile::remove(file(name));
                QSignalSpy saved(&window->session().saver(), &FileSaver::saved);
                save->trigger();
                QVERIFY(answer(*window, file(name)));
                QVERIFY(saved.count() == 1 || saved.wait(kPatience));
                QVERIFY2(readFile(file(name)).startsWith(start), name);
                QVERIFY2(readFile(file(name)).size() > 20, name);
            }
            QVERIFY(readFile(file("c.csv")).contains("openmp"));  // the reference has no speedup
        }
    }
    void aFullDiskLeavesTheOldFile() {
        // A memory file system stands for the full disk; where it cannot be mounted there is nothing to test.
        QVERIFY(QDir(folder_.path()).mkdir("disk"));
        const QString disk = file("disk");
        if (std::system(qPrintable("mount -t tmpfs -o size=64k tmpfs " + disk + " 2>/dev/null")) != 0)
            QSKIP("needs the right to mount a small disk");
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:noise:512x512,channels=3"));
        window->findChild<QAction*>("benchmark")->trigger();
        QVERIFY(QTest::qWaitFor([&] { return window->session().record() && window->settled(); }, 2 * kPatience));
        for (const char* name : {"disk/a.exr", "disk/a.png", "disk/a.html"}) write(QLatin1String(name), "mine");
        {
            QFile filler(disk + "/filler");
            QVERIFY(filler.open(QIODevice::WriteOnly | QIODevice::Unbuffered));
            while (filler.write(QByteArray(4096, 'x')) == 4096) {}
        }
        window->session().saveImage(PaneRole::a, disk + "/a.exr", {.overwrite = true});
        QVERIFY(raised(*window, "a.exr"));
        window->session().saver().saveBytes(disk + "/a.png", true, [] { return QByteArray(1 << 20, 'x'); });
        QVERIFY(raised(*window, "a.png"));
        window->session().saveReport(disk + "/a.html", true);
        QVERIFY(raised(*window, "a.html"));
        QVERIFY(waitForIdle(*window));
        for (const char* name : {"a.exr", "a.png", "a.html"}) QCOMPARE(readFile(disk + '/' + name), QByteArray("mine"));
        QCOMPARE(QDir(disk).entryList(QDir::Files, QDir::Name), (QStringList{"a.exr", "a.html", "a.png", "filler"}));
        QCOMPARE(std::system(qPrintable("umount " + disk)), 0);
    }
};

QTEST_MAIN(ExportTest)
#include "export_test.moc"
