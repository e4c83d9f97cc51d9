// SPDX-License-Identifier: GPL-3.0-or-later
// Parts, layers and views of OpenEXR files in the window: the bar that offers them, its keys, recent files and sessions.
#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QToolButton>

#include "core/io/loader.hpp"
#include "core/io/saver.hpp"
#include "tests/gui/gui_support.hpp"
#include "ui/models/document/input_name.hpp"
#include "ui/models/document/kept_session.hpp"
#include "ui/window/recent/recent_files.hpp"

using namespace parallax;
using namespace parallax::ui;

namespace {

QString golden(const char* name) { return QStringLiteral(PARALLAX_GOLDEN_FOLDER "/exr/") + QLatin1String(name); }

QComboBox& boxOf(MainWindow& window) { return *window.findChild<QComboBox*>("partOfFile"); }

QStringList choicesIn(const QComboBox& box) {
    QStringList choices;
    for (int i = 0; i < box.count(); ++i) choices << box.itemData(i).toString();
    return choices;
}

}  // namespace

class PartsTest : public QObject {
    Q_OBJECT
private slots:
    void theOtherPartsOfAnExrAreOffered() {
        auto window = shownWindow();
        QVERIFY(!boxOf(*window).isVisible());
        QVERIFY(openAndWait(*window, golden("parts_zip.exr")));
        QComboBox& box = boxOf(*window);
        QVERIFY(box.isVisible());
        QCOMPARE(choicesIn(box), QStringList({"beauty", "depth.raw", "passes", "passes.diffuse", "passes.key", "passes.key.light"}));
        // The first part is open.
        QCOMPARE(box.currentIndex(), 0);
        QCOMPARE(box.currentText(), QStringLiteral("beauty · part 0 · 6 × 5 · R G B"));
        QVERIFY2(box.itemText(1).contains(QStringLiteral("4 × 40 · Z")), qPrintable(box.itemText(1)));
        QVERIFY2(box.itemText(5).contains(QStringLiteral("layer")), qPrintable(box.itemText(5)));
        // By keyboard; the steps of all panes stay.
        const Pipeline steps = window->session().pipeline().pipeline();
        QVERIFY(waitForActive(*window));
        box.setFocus();
        QTest::keyClick(&box, Qt::Key_Down);
        QVERIFY(waitForIdle(*window));
        QCOMPARE(window->session().inputName(), golden("parts_zip.exr#depth.raw"));
        const Image expected = loadImage(golden("parts_zip.exr#depth.raw").toStdString());
        QCOMPARE(window->session().original()->shape(), expected.shape());
        QCOMPARE(window->session().original()->view().at(2, 30), expected.view().at(2, 30));
        QCOMPARE(box.currentIndex(), 1);
        QVERIFY(box.isVisible() && box.hasFocus());
        QVERIFY(sameSteps(window->session().pipeline().pipeline(), steps));
        QVERIFY(window->session().side(Side::a).result && window->session().side(Side::a).result->image->shape() == expected.shape());
        QVERIFY2(window->windowTitle().contains("parts_zip.exr#depth.raw"), qPrintable(window->windowTitle()));
        // Reloading keeps the part.
        window->findChild<QAction*>("reload")->trigger();
        QVERIFY(waitForIdle(*window));
        QCOMPARE(window->session().original()->shape(), expected.shape());
        QCOMPARE(box.currentIndex(), 1);
    }
    void commandsShowTheNextPart() {
        auto window = shownWindow();
        QAction *next = window->findChild<QAction*>("next-part"), *previous = window->findChild<QAction*>("previous-part");
        QVERIFY(!next->isEnabled() && !previous->isEnabled());
        QVERIFY(openAndWait(*window, golden("parts_zip.exr#passes.key")));
        QVERIFY(next->isEnabled() && previous->isEnabled());
        next->trigger();
        QVERIFY(waitForIdle(*window));
        QCOMPARE(window->session().inputName(), golden("parts_zip.exr#passes.key.light"));
        QVERIFY(!next->isEnabled());
        previous->trigger();
        QVERIFY(waitForIdle(*window));
        QCOMPARE(boxOf(*window).currentIndex(), 4);
        // Another file without parts has no bar.
        QVERIFY(openAndWait(*window, QStringLiteral("synthetic:gradient:40x30")));
        QVERIFY(!boxOf(*window).isVisible() && !next->isEnabled());
    }
    void aPartOpenedByNumberIsMarked() {
        auto window = shownWindow();
        const std::pair<const char*, const char*> inputs[] = {
            {"#0", "beauty"}, {"#1", "depth.raw"}, {"#2.diffuse", "passes.diffuse"}, {"#key.light", "passes.key.light"}};
        for (const auto& [choice, part] : inputs) {
            QVERIFY(openAndWait(*window, golden("parts_zip.exr") + QLatin1String(choice)));
            QCOMPARE(boxOf(*window).currentData().toString(), QLatin1String(part));
        }
    }
    void viewsAndLayersOfOnePartAreOfferedBesideAllChannels() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, golden("views_zip.exr")));
        QComboBox& box = boxOf(*window);
        QVERIFY(box.isVisible());
        QCOMPARE(box.currentIndex(), 0);
        QVERIFY2(box.currentText().startsWith("All channels"), qPrintable(box.currentText()));
        const int right = box.findData(QStringLiteral("right"));
        QVERIFY(right > 0);
        box.setCurrentIndex(right);
        emit box.activated(right);
        QVERIFY(waitForIdle(*window));
        QCOMPARE(window->session().inputName(), golden("views_zip.exr#right"));
        QCOMPARE(box.currentIndex(), right);
        box.setCurrentIndex(0);
        emit box.activated(0);
        QVERIFY(waitForIdle(*window));
        QCOMPARE(window->session().inputName(), golden("views_zip.exr"));
    }
    void aFileOfOnePartHasNoBar() {
        auto window = shownWindow();
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("one.exr"));
        (void)saveImage(loadImage(golden("parts_zip.exr").toStdString()), file.toStdString());
        QVERIFY(openAndWait(*window, file));
        QVERIFY(!boxOf(*window).isVisible());
        // It is written again with parts: the bar appears when it is reloaded.
        QVERIFY(QFile::remove(file) && QFile::copy(golden("parts_piz.exr"), file));
        window->findChild<QAction*>("reload")->trigger();
        QVERIFY(waitForIdle(*window));
        QVERIFY(boxOf(*window).isVisible());
    }
    void recentFilesAndSessionsKnowTheFile() {
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("shot.exr"));
        QVERIFY(QFile::copy(golden("parts_zip.exr"), file));
        auto window = shownWindow();
        window->recentFiles().clear();
        QVERIFY(openAndWait(*window, file));
        QVERIFY(openAndWait(*window, file + QStringLiteral("#passes.key")));
        QStringList paths;
        for (const RecentFile& recent : window->recentFiles().files()) paths << recent.path;
        QCOMPARE(paths.filter(folder.path()), QStringList{file});
        QCOMPARE(pathOnDisk(file + QStringLiteral("#passes.key")), file);
        QCOMPARE(choiceOf(file + QStringLiteral("#passes.key")), QStringLiteral("passes.key"));
        QCOMPARE(shortNameOf(file + QStringLiteral("#lights/key")), QStringLiteral("shot.exr#lights/key"));
        QCOMPARE(pathOnDisk(QStringLiteral("a/b#c.png")), QStringLiteral("a/b#c.png"));
        KeptSession kept;
        kept.inputs = QStringList{file + QStringLiteral("#passes.key"), folder.filePath(QStringLiteral("gone.exr#beauty"))};
        kept.current = 0;
        QCOMPARE(removeMissingInputs(kept), QStringList{folder.filePath(QStringLiteral("gone.exr#beauty"))});
        QCOMPARE(kept.inputs, QStringList{file + QStringLiteral("#passes.key")});
    }
};

QTEST_MAIN(PartsTest)
#include "parts_test.moc"
