// SPDX-License-Identifier: GPL-3.0-or-later
// Several files: the filmstrip, stepping through a folder, and dropping files onto panes.
#include <QAction>
#include <QContextMenuEvent>
#include <QLabel>
#include <QListWidget>
#include <QSettings>

#include "core/image/synthetic.hpp"
#include "core/io/saver.hpp"
#include "tests/gui/gui_support.hpp"
#include "ui/models/document/settings.hpp"
#include "ui/models/pipeline/pane_edits.hpp"
#include "ui/volume/volume_view.hpp"
#include "ui/window/drop/drop_overlay.hpp"
#include "ui/window/filmstrip/filmstrip.hpp"
#include "ui/window/filmstrip/folder_files.hpp"

using namespace parallax;
using namespace parallax::ui;

class FilmstripTest : public QObject {
    Q_OBJECT
    std::unique_ptr<QTemporaryDir> folder_;

    QString make(const QString& name, int width = 80) const {
        SaveOptions options;
        options.overwrite = true;
        const std::string request = "synthetic:zone-plate:" + std::to_string(width) + "x60,channels=3";
        const QString path = folder_->filePath(name);
        saveImage(makeSynthetic(parseSynthetic(request)), path.toStdString(), options);
        return path;
    }
    static bool shows(MainWindow& window, const QString& path) {
        return QTest::qWaitFor([&] { return window.session().inputName() == path && window.settled(); }, kPatience);
    }
    static Filmstrip& strip(MainWindow& window) { return *window.findChild<Filmstrip*>(); }
    static DropOverlay& overlay(MainWindow& window) { return *window.findChild<DropOverlay*>(); }
    static QPoint middleOf(const MainWindow& window, const QWidget& widget) { return widget.mapTo(&window, widget.rect().center()); }
    static void enter(MainWindow& window, const QMimeData& mime, QPoint at) {
        QDragEnterEvent enter(at, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&window, &enter);
        QDragMoveEvent move(at, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&window, &move);
    }
    static QString inputOf(MainWindow& window, Side side) { return window.session().pipeline().setup().pane(side).input; }

private slots:
    void init() {
        QSettings().clear();
        QStandardPaths::setTestModeEnabled(true);
        Settings::instance().forget("window/filmstrip");
        folder_ = std::make_unique<QTemporaryDir>();
    }

    void theStripAppearsWithSeveralFiles() {
        const QString one = make("one.png"), two = make("two.png", 90), three = make("three.png", 100);
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, one));
        QVERIFY(!strip(*window).isVisible());
        window->openInputs({one, two, three});
        QVERIFY(shows(*window, one));
        QVERIFY(strip(*window).isVisible());
        QCOMPARE(strip(*window).list().count(), 3);
        QCOMPARE(strip(*window).findChild<QLabel*>("filmstripPosition")->text(), QStringLiteral("1 of 3"));
        QVERIFY(window->windowTitle().contains("1 of 3"));
        for (const QString& path : {one, two, three})
            QTRY_VERIFY_WITH_TIMEOUT(strip(*window).thumbnails().find(path) && !strip(*window).thumbnails().find(path)->picture.isNull(),
                                     kPatience);
        QCOMPARE(strip(*window).list().item(1)->text(), QStringLiteral("two.png"));
        QVERIFY(strip(*window).list().item(1)->toolTip().contains(strip(*window).thumbnails().find(two)->extent));
        QListWidget& list = strip(*window).list();
        QTest::mouseClick(list.viewport(), Qt::LeftButton, {}, list.visualItemRect(list.item(1)).center());
        QVERIFY(shows(*window, two));
        QCOMPARE(list.currentRow(), 1);
        QTest::keyClick(window.get(), Qt::Key_PageDown);
        QVERIFY(shows(*window, three));
        QCOMPARE(list.currentRow(), 2);
        QVERIFY(!window->findChild<QAction*>("next")->isEnabled());
    }
    void theUserSwitchesItOffAndOn() {
        const QString one = make("one.png"), two = make("two.png");
        {
            auto window = shownWindow();
            QAction* action = window->findChild<QAction*>("filmstrip");
            window->openInputs({one, two});
            QVERIFY(shows(*window, one));
            QVERIFY(action->isChecked());
            action->trigger();
            QVERIFY(!strip(*window).isVisible());
        }
        auto window = shownWindow();
        QAction* action = window->findChild<QAction*>("filmstrip");
        window->openInputs({one, two});
        QVERIFY(shows(*window, one));
        QVERIFY(!strip(*window).isVisible() && !action->isChecked());
        action->trigger();
        QVERIFY(strip(*window).isVisible());
        window->openInputs({two});
        QVERIFY(shows(*window, two));
        QVERIFY(!strip(*window).isVisible());  // pictures first
        action->trigger();
        QVERIFY(strip(*window).isVisible());
    }
    void filesAreClosedAndCompared() {
        const QString one = make("one.png"), two = make("two.png", 90), three = make("three.png", 100);
        auto window = shownWindow();
        window->openInputs({one, two, three});
        QVERIFY(shows(*window, one));
        QListWidget& list = strip(*window).list();
        const auto choose = [&](int row, const char* entry) {
            const QPoint at = list.viewport()->mapTo(&strip(*window), list.visualItemRect(list.item(row)).center());
            QContextMenuEvent event(QContextMenuEvent::Mouse, at, strip(*window).mapToGlobal(at));
            QApplication::sendEvent(&strip(*window), &event);
            strip(*window).findChild<QAction*>(QLatin1String(entry))->trigger();
            for (QMenu* menu : strip(*window).findChildren<QMenu*>()) {
                menu->close();
                delete menu;
            }
        };
        choose(1, "filmstrip-compare");
        QVERIFY(waitForIdle(*window));
        QCOMPARE(inputOf(*window, Side::b), two);
        QCOMPARE(window->session().side(Side::b).result->image->shape().width, 90);
        choose(2, "filmstrip-new-pane");
        QVERIFY(waitForIdle(*window));
        QCOMPARE(window->session().sides().size(), std::size_t{3});
        QCOMPARE(inputOf(*window, Side::c), three);
        QVERIFY(window->compareView().pane(PaneRole::c).isVisible());
        choose(1, "filmstrip-close");
        QCOMPARE(list.count(), 2);
        QCOMPARE(window->session().inputName(), one);
        choose(0, "filmstrip-close");
        QVERIFY(shows(*window, three));
    }
    void aDamagedFileHasNoThumbnail() {
        const QString one = make("one.png"), bad = folder_->filePath("bad.png");
        QVERIFY(writeFile(bad, "no picture"));
        auto window = shownWindow();
        window->openInputs({one, bad});
        QVERIFY(shows(*window, one));
        QTRY_VERIFY_WITH_TIMEOUT(strip(*window).thumbnails().find(bad), kPatience);
        QVERIFY(strip(*window).list().item(1)->toolTip().contains(strip(*window).thumbnails().find(bad)->problem));
        QVERIFY(!window->messageBar().isVisible());
    }
    void keysStepThroughTheFolderInNaturalOrder() {
        const QString two = make("2.png", 62), ten = make("10.png", 70), one = make("1.png", 61);
        QVERIFY(writeFile(folder_->filePath("3.txt"), "text"));
        QCOMPARE(imagesIn(folder_->path()), (QStringList{one, two, ten}));
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, one));
        QTest::keyClick(window.get(), Qt::Key_PageDown);
        QVERIFY(shows(*window, two));
        QVERIFY(window->windowTitle().contains("2 of 3"));
        QTest::keyClick(window.get(), Qt::Key_Right, Qt::AltModifier);
        QVERIFY(shows(*window, ten));
        window->findChild<QAction*>("next")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(window->messageBar().isVisible(), kPatience);
        QVERIFY(window->messageBar().message().plainText().contains("last"));
        QTest::keyClick(window.get(), Qt::Key_PageUp);
        QVERIFY(shows(*window, two));
        QVERIFY(!window->messageBar().isVisible());
        QVERIFY(openAndWait(*window, "synthetic:gradient:20x20"));
        QVERIFY(!window->findChild<QAction*>("next")->isEnabled());
    }
    void droppedFilesBecomeInputs() {
        const QString one = make("one.png", 90), two = make("two.png", 100);
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:gradient:80x60,channels=3"));
        QMimeData mime;
        mime.setUrls({QUrl::fromLocalFile(one)});
        const QPoint onB = middleOf(*window, window->compareView().pane(PaneRole::b));
        enter(*window, mime, onB);
        QVERIFY(overlay(*window).isVisible());
        QCOMPARE(overlay(*window).zones().size(), std::size_t{4});  // open, A, B, new pane
        const auto zone = overlay(*window).zoneAt(overlay(*window).mapFrom(window.get(), onB));
        QVERIFY(zone && zone->kind == DropZone::Kind::pane && zone->pane == 1);
        QDragLeaveEvent leave;
        QApplication::sendEvent(window.get(), &leave);
        QVERIFY(!overlay(*window).isVisible());
        QVERIFY(drop(*window, mime, onB));
        QVERIFY(!overlay(*window).isVisible());
        QVERIFY(waitForIdle(*window));
        QCOMPARE(inputOf(*window, Side::b), one);
        QCOMPARE(inputOf(*window, Side::a), QString());
        QCOMPARE(window->session().side(Side::b).result->image->shape().width, 90);
        // The right edge makes a pane.
        const CompareView& view = window->compareView();
        mime.setUrls({QUrl::fromLocalFile(two)});
        QVERIFY(drop(*window, mime, view.mapTo(window.get(), QPoint(view.width() - 10, view.height() / 2))));
        QVERIFY(waitForIdle(*window));
        QCOMPARE(window->session().sides().size(), std::size_t{3});
        QCOMPARE(inputOf(*window, Side::c), two);
        QCOMPARE(window->compareView().layoutKind(), ui::Layout::all);
        // Elsewhere they are opened.
        QVERIFY(drop(*window, mime, view.mapTo(window.get(), QPoint(10, view.height() / 2))));
        QVERIFY(shows(*window, two));
    }
    void severalDroppedFilesFillThePanes() {
        QStringList files;
        QList<QUrl> urls;
        for (int i = 0; i < 10; ++i) {
            files << make(QStringLiteral("%1.png").arg(i), 60 + i);
            urls << QUrl::fromLocalFile(files.back());
        }
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:gradient:80x60,channels=3"));
        QMimeData mime;
        mime.setUrls(urls);
        PipelineModel& model = window->session().pipeline();
        QVERIFY(drop(*window, mime, middleOf(*window, window->compareView().pane(PaneRole::b))));
        QVERIFY(waitForIdle(*window));
        QCOMPARE(model.setup().panes.size(), std::size_t{9});
        for (int i = 0; i < 8; ++i) QCOMPARE(inputOf(*window, static_cast<Side>(i + 1)), files[i]);
        QVERIFY(window->messageBar().message().plainText().contains("8 of 10"));
        model.undo();
        QCOMPARE(model.setup().panes.size(), std::size_t{2});
    }
    void filesAreDroppedOnVolumes() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:shepp-logan:24x20x16"));
        QMimeData mime;
        mime.setUrls({QUrl::fromLocalFile(make("one.png"))});
        const QWidget* pane = nullptr;
        for (const auto& [side, area] : window->volumeView().sideAreas())
            if (side == Side::a && area.width() > 50) pane = window->volumeView().childAt(area.center());
        QVERIFY(pane);
        QVERIFY(drop(*window, mime, middleOf(*window, *pane)));
        QVERIFY(!inputOf(*window, Side::a).isEmpty());
        QVERIFY(waitForIdle(*window));
    }
    void sessionsOpenWhereverTheyFall() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:gradient:80x60,channels=3"));
        QMimeData mime;
        mime.setUrls({QUrl::fromLocalFile(folder_->filePath("work.parallax"))});
        enter(*window, mime, middleOf(*window, window->compareView().pane(PaneRole::a)));
        QVERIFY(!overlay(*window).isVisible());
        QDragLeaveEvent leave;
        QApplication::sendEvent(window.get(), &leave);
    }
};

QTEST_MAIN(FilmstripTest)
#include "filmstrip_test.moc"
