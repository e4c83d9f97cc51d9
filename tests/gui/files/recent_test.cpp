// SPDX-License-Identifier: GPL-3.0-or-later
// Recent files that are pinned, and the names of DICOM files and folders, which are neither shown nor stored while patient data are hidden.
#include <QAbstractItemModel>
#include <QAbstractItemView>
#include <QAction>
#include <QContextMenuEvent>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QImage>
#include <QMenu>
#include <QPointer>
#include <QPushButton>
#include <QSettings>

#include "tests/gui/gui_support.hpp"
#include "tests/support/dicom_writer.hpp"
#include "ui/export/export_folder.hpp"
#include "ui/export/save_data_dialog.hpp"
#include "ui/models/document/settings.hpp"
#include "ui/models/pipeline/pane_edits.hpp"
#include "ui/session/medical_names.hpp"
#include "ui/window/dialogs/file_dialog.hpp"
#include "ui/window/filmstrip/filmstrip.hpp"
#include "ui/window/recent/empty_state.hpp"
#include "ui/window/recent/recent_files.hpp"
#include "ui/window/shell/message_bar.hpp"

using namespace parallax;
using namespace parallax::ui;

namespace {

constexpr const char* kName = "Doeling";  // of the patient

QStringList pathsOf(const RecentFiles& recent) {
    QStringList paths;
    for (const RecentFile& file : recent.files()) paths << file.path;
    return paths;
}

QMenu* recentMenu(const MainWindow& window) {
    for (QMenu* menu : window.findChildren<QMenu*>())
        if (menu->actions().contains(window.findChild<QAction*>("clear-recent"))) return menu;
    return nullptr;
}

/// Chooses an entry of the context menu of a recent file.
bool choose(MainWindow& window, const QString& text) {
    QMenu* menu = nullptr;
    for (QMenu* each : window.findChildren<QMenu*>("recentEntryMenu"))
        if (each->isVisible()) menu = each;
    if (!menu) return false;
    for (QAction* action : menu->actions())
        if (action->text().remove(QLatin1Char('&')) == text) {
            action->trigger();
            menu->close();
            return true;
        }
    return false;
}

void askForMenu(QWidget& widget, const QPoint& at, QContextMenuEvent::Reason reason) {
    QContextMenuEvent event(reason, at, widget.mapToGlobal(at));
    QApplication::sendEvent(&widget, &event);
}

QString allStored() {
    QSettings().sync();
    return QString::fromUtf8(readFile(Settings::filePath()));
}

/// Every text of the window that users can see or a screen reader says.
QString allTexts(const MainWindow& window) {
    QStringList texts{window.windowTitle()};
    for (const QObject* object : window.findChildren<QObject*>())
        for (const char* property :
             {"text", "title", "windowTitle", "toolTip", "statusTip", "accessibleName", "accessibleDescription", "currentText"})
            texts << object->property(property).toString();
    for (const QAbstractItemView* view : window.findChildren<QAbstractItemView*>()) {
        const QAbstractItemModel* model = view->model();
        for (int row = 0; model && row < model->rowCount(); ++row)
            for (int column = 0; column < model->columnCount(); ++column)
                for (const int role : {Qt::DisplayRole, Qt::ToolTipRole}) texts << model->index(row, column).data(role).toString();
    }
    for (const Message& message : window.findChildren<MessageBar*>().value(0)->isVisible()
                                      ? QList<Message>{window.findChildren<MessageBar*>().value(0)->message()}
                                      : QList<Message>{})
        texts << message.plainText();
    return texts.join(QLatin1Char('\n'));
}

}  // namespace

class RecentTest : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    QString file(const QString& name) const { return folder_.filePath(name); }
    QString makePicture(const QString& name) const {
        QImage picture(24, 16, QImage::Format_RGB32);
        picture.fill(Qt::darkCyan);
        return picture.save(file(name), "PNG") ? file(name) : QString();
    }
    /// Makes a folder that is named after a patient, with three slices.
    QString makeSeries() const {
        const QString series = file(QStringLiteral("Doeling_Jane"));
        QDir().mkpath(series);
        for (int i = 0; i < 3; ++i) {
            test::MadeDicom slice;
            slice.instance = i + 1;
            slice.position = {0, 0, 2.0 * i};
            slice.texts[0x00100010] = {"PN", "Doeling^Jane"};
            slice.write(QStringLiteral("%1/Doeling-%2.dcm").arg(series).arg(i).toStdString());
        }
        return series;
    }

private slots:
    void init() {
        QSettings().clear();
        QSettings().sync();
        QSettings(QSettings::UserScope, QStringLiteral("QtProject")).clear();
    }

    void pinnedFilesStayOnTop() {
        RecentFiles recent;
        for (int i = 0; i < 12; ++i) recent.add(file(QStringLiteral("%1.png").arg(i)));
        QCOMPARE(recent.files().size(), qsizetype{RecentFiles::kKept});
        recent.setPinned(file("2.png"), true);
        recent.setPinned(file("7.png"), true);
        for (int i = 20; i < 40; ++i) recent.add(file(QStringLiteral("%1.png").arg(i)));
        recent.add(file("7.png"));  // opened again
        QCOMPARE(recent.files().size(), qsizetype{RecentFiles::kKept + 2});
        QCOMPARE(pathsOf(recent).first(3), (QStringList{file("2.png"), file("7.png"), file("39.png")}));
        recent.clear();
        QCOMPARE(pathsOf(recent), (QStringList{file("2.png"), file("7.png")}));
        // At the next start.
        RecentFiles later;
        QCOMPARE(pathsOf(later), (QStringList{file("2.png"), file("7.png")}));
        QVERIFY(later.isPinned(file("2.png")) && later.files()[1].pinned);
        later.add(file("new.png"));
        later.setPinned(file("2.png"), false);
        QCOMPARE(pathsOf(later), (QStringList{file("7.png"), file("2.png"), file("new.png")}));
        QVERIFY(!later.isPinned(file("2.png")));
        later.remove(file("7.png"));
        QCOMPARE(pathsOf(later), (QStringList{file("2.png"), file("new.png")}));
        // Off means: nothing is kept.
        later.setPinned(file("2.png"), true);
        Settings::instance().set("privacy/recent-files", false);
        QVERIFY(later.files().isEmpty());
        later.setPinned(file("2.png"), true);
        QVERIFY(later.files().isEmpty());
        QVERIFY(!allStored().contains("2.png"));
        Settings::instance().set("privacy/recent-files", true);
    }
    void theMenuPinsTheCurrentFile() {
        const QString first = makePicture("first.png"), second = makePicture("second.png");
        auto window = shownWindow();
        QAction* pin = window->findChild<QAction*>("pin-current");
        QVERIFY(!pin->isEnabled());
        QVERIFY(openAndWait(*window, "synthetic:gradient:20x20"));
        QVERIFY(!pin->isEnabled());
        QVERIFY(openAndWait(*window, first));
        QVERIFY(pin->isEnabled() && !pin->isChecked());
        pin->trigger();
        QVERIFY(pin->isChecked());
        QVERIFY(openAndWait(*window, second));
        QVERIFY(!pin->isChecked());
        const QMenu* menu = recentMenu(*window);
        QVERIFY(menu);
        QCOMPARE(menu->actions()[0]->text(), QStringLiteral("first.png"));
        QVERIFY(!menu->actions()[0]->icon().isNull());
        QVERIFY(menu->actions()[1]->isSeparator());
        QCOMPARE(menu->actions()[2]->text(), QStringLiteral("second.png"));
        QVERIFY(menu->actions()[2]->icon().isNull());
        QAction* clear = window->findChild<QAction*>("clear-recent");
        QVERIFY(clear->toolTip().contains("pinned"));
        clear->trigger();
        QCOMPARE(pathsOf(window->recentFiles()), QStringList{first});
        QVERIFY(!clear->isEnabled());
        QVERIFY(openAndWait(*window, first));
        QVERIFY(pin->isChecked());
        pin->trigger();
        QVERIFY(!pin->isChecked() && !window->recentFiles().isPinned(first));
    }
    void entriesOfTheEmptyWindowHaveAMenu() {
        const QString first = makePicture("first.png"), second = makePicture("second.png");
        auto window = shownWindow();
        window->recentFiles().add(first);
        window->recentFiles().add(second);
        auto* empty = window->findChild<EmptyState*>();
        // A layout shows new widgets with later events.
        const auto entry = [empty](const QString& name) {
            QPushButton* found = nullptr;
            const auto find = [&] {
                for (auto* button : empty->findChildren<QPushButton*>())
                    if (button->isFlat() && button->isVisible() && button->text() == name) found = button;
                return found != nullptr;
            };
            return QTest::qWaitFor(find, kPatience) ? found : nullptr;
        };
        // By mouse.
        QPushButton* button = entry("first.png");
        QVERIFY(button && button->icon().isNull());
        askForMenu(*button, button->rect().center(), QContextMenuEvent::Mouse);
        QVERIFY(choose(*window, "Pin"));
        QCOMPARE(pathsOf(window->recentFiles()), (QStringList{first, second}));
        button = entry("first.png");
        QVERIFY(button && !button->icon().isNull());
        // By keyboard.
        window->activateWindow();  // after the menu
        QVERIFY(waitForActive(*window));
        button->setFocus();
        QTRY_VERIFY_WITH_TIMEOUT(button->hasFocus(), kPatience);
        askForMenu(*button, {}, QContextMenuEvent::Keyboard);
        QVERIFY(choose(*window, "Unpin"));
        QVERIFY(!window->recentFiles().isPinned(first));
        // A missing file can be removed too.
        QVERIFY(QFile::remove(second));
        window->recentFiles().refresh();
        const QPushButton* missing = entry("second.png – not found");
        QVERIFY(missing && !missing->isEnabled());
        askForMenu(*empty, missing->mapTo(empty, missing->rect().center()), QContextMenuEvent::Mouse);
        QVERIFY(choose(*window, "Remove from the list"));
        QCOMPARE(pathsOf(window->recentFiles()), QStringList{first});
    }
    void asManyAreShownAsFitIntoTheEmptyWindow() {
        QWidget window;
        QAction open, sample, generate;
        EmptyState empty(open, sample, generate, &window);
        QList<RecentFile> files;
        for (int i = 0; i < 5; ++i) files.append({QStringLiteral("/a/%1.png").arg(i), {}, false});
        empty.setRecent(files);
        window.resize(700, 700);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        int before = 5;
        for (const int height : {600, 360, 330, 300, empty.minimumSizeHint().height(), 600}) {
            empty.setGeometry(0, 0, 700, height);
            QCoreApplication::processEvents();
            int shown = 0;
            for (const QPushButton* button : empty.findChildren<QPushButton*>()) {
                if (!button->isVisible() || !button->isFlat()) continue;
                ++shown;
                QVERIFY2(button->mapTo(&empty, button->rect().bottomLeft()).y() < height - 16, qPrintable(button->text()));
            }
            QVERIFY(height == 600 ? shown == 5 : shown <= before);
            before = shown;
            if (height == empty.minimumSizeHint().height()) QCOMPARE(shown, 0);
        }
    }
    void entriesOfTheMenuHaveAMenu() {
        const QString first = makePicture("first.png"), second = makePicture("second.png");
        auto window = shownWindow();
        window->recentFiles().add(first);
        window->recentFiles().add(second);
        QMenu* menu = recentMenu(*window);
        menu->popup(window->mapToGlobal(QPoint(10, 10)));
        QTRY_VERIFY_WITH_TIMEOUT(menu->isVisible(), kPatience);
        askForMenu(*menu, menu->actionGeometry(menu->actions()[1]).center(), QContextMenuEvent::Mouse);
        QVERIFY(choose(*window, "Pin"));
        QCOMPARE(pathsOf(window->recentFiles()), (QStringList{first, second}));
        // The open menu shows it.
        QCOMPARE(menu->actions()[0]->text(), QStringLiteral("first.png"));
        menu->setActiveAction(menu->actions()[0]);
        askForMenu(*menu, {}, QContextMenuEvent::Keyboard);
        QVERIFY(choose(*window, "Unpin"));
        menu->setActiveAction(menu->actions()[0]);
        QTest::keyClick(menu, Qt::Key_Delete);
        QCOMPARE(pathsOf(window->recentFiles()), QStringList{second});
        // Delete on a command does nothing.
        menu->setActiveAction(window->findChild<QAction*>("clear-recent"));
        QTest::keyClick(menu, Qt::Key_Delete);
        QCOMPARE(pathsOf(window->recentFiles()), QStringList{second});
        menu->close();
    }

    void foldersOfPicturesAreRemembered() {
        QVERIFY(QDir(folder_.path()).mkpath("pictures"));
        const QString picture = makePicture("pictures/a.png");
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, file("pictures")));
        QCOMPARE(window->session().inputName(), picture);
        QCOMPARE(QSettings().value(kOpenFolderKey).toString(), file("pictures"));
    }
    void dicomIsRecognisedByName_data() {
        QTest::addColumn<QString>("input");
        QTest::addColumn<bool>("may");
        QTest::newRow("series") << "/scans/Doeling_Jane" << true;
        QTest::newRow("chosen series") << "/scans/Doeling.Jane#3" << true;
        QTest::newRow("slice") << "/scans/1.dcm" << true;
        QTest::newRow("Siemens") << "/scans/1.IMA" << true;
        QTest::newRow("without extension") << "/scans/IM0001" << true;
        QTest::newRow("picture") << "/home/x/photo.PNG" << false;
        QTest::newRow("volume of a file") << "/home/x/head.nii.gz#2" << false;
        QTest::newRow("session") << "/home/x/work.parallax" << false;
        QTest::newRow("raw samples") << "raw:4x3x2:/home/x/samples" << false;
        QTest::newRow("generated") << "synthetic:gradient:20x20" << false;
    }
    void dicomIsRecognisedByName() {
        QFETCH(const QString, input);
        QFETCH(const bool, may);
        QCOMPARE(mayBeDicom(input), may);
    }
    void namesOfPatientsAreNeitherShownNorStored() {
        const QString series = makeSeries(), slice = series + QStringLiteral("/Doeling-1.dcm");
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, slice));
        QVERIFY(window->session().original());
        // Another program changes the file: the message has no name either.
        test::MadeDicom changed;
        changed.width = 6;
        changed.write(slice.toStdString());
        QVERIFY(QTest::qWaitFor([&] { return window->messageBar().isVisible(); }, kPatience));
        QVERIFY(window->messageBar().message().what.contains("was changed"));
        QVERIFY2(!allTexts(*window).contains(kName), qPrintable(allTexts(*window).split('\n').filter(kName).join('\n')));
        QVERIFY(openAndWait(*window, series));
        QVERIFY(window->showsVolume());
        setInput(window->session().pipeline(), Side::b, slice);
        QVERIFY(waitForIdle(*window));
        QVERIFY(window->findChild<QAction*>("undo")->text().contains("Input of B"));
        for (const QString& name :
             {proposedBaseName(window->session()), proposedReportName(window->session()),
              proposedImageName(window->session(), PaneRole::a, "png"), proposedImageName(window->session(), PaneRole::b, "png"),
              window->compareView().pane(PaneRole::b).label().title})
            QVERIFY2(!name.isEmpty() && !name.contains(kName), qPrintable(name));
        QVERIFY2(!allTexts(*window).contains(kName), qPrintable(allTexts(*window).split('\n').filter(kName).join('\n')));
        // Several files have a strip of thumbnails with their names.
        window->openInputs({slice, series + QStringLiteral("/Doeling-2.dcm")});
        QVERIFY(waitForIdle(*window));
        QVERIFY(window->findChild<Filmstrip*>()->isVisible());
        QVERIFY2(!allTexts(*window).contains(kName), qPrintable(allTexts(*window).split('\n').filter(kName).join('\n')));
        QVERIFY(window->recentFiles().files().isEmpty());
        QVERIFY(!window->findChild<QAction*>("pin-current")->isEnabled());
        window->recentFiles().setPinned(series, true);
        QVERIFY(window->recentFiles().files().isEmpty());
        // Folders of the dialogs are remembered until the program ends.
        rememberFolder(kOpenFolderKey, series, true);
        QCOMPARE(keptFolder(kOpenFolderKey), series);
        setExportFolder(series);
        QCOMPARE(exportFolder(), series);
        window->close();
        QVERIFY(allStored().contains("geometry"));
        QVERIFY2(!allStored().contains(kName), qPrintable(allStored()));
        Settings::instance().forget(kOpenFolderKey);
        Settings::instance().forget(kExportFolderKey);
    }
    void namesOfPatientsAreInNoMessage() {
        const QString series = makeSeries(), gone = series + QStringLiteral("/Doeling-9.dcm");
        const QString damaged = series + QStringLiteral("/Doeling's scan.dcm"), empty = file(QStringLiteral("Doeling_Empty"));
        QVERIFY(writeFile(damaged, "no DICOM"));
        QVERIFY(QDir().mkpath(empty));
        for (const bool hidden : {true, false}) {
            Settings::instance().set("privacy/hide-patient-data", hidden);
            auto window = shownWindow();
            QVERIFY(openAndWait(*window, "synthetic:gradient:20x20"));
            for (const QString& input : {gone, damaged, empty}) {
                QVERIFY(openAndWait(*window, input));
                QTRY_VERIFY_WITH_TIMEOUT(window->messageBar().isVisible(), kPatience);
                const Message message = window->messageBar().message();
                QCOMPARE(message.kind, Message::Kind::error);
                QVERIFY2(message.what.contains(hidden ? "'medical data'" : kName), qPrintable(message.plainText()));
                QCOMPARE(allTexts(*window).contains(kName), !hidden);
            }
            // A pane says why it has no result.
            setInput(window->session().pipeline(), Side::b, gone);
            QVERIFY(waitForIdle(*window));
            const PaneLabel& label = window->compareView().pane(PaneRole::b).label();
            QVERIFY2(label.notice.contains("does not exist"), qPrintable(label.notice));
            QCOMPARE(label.notice.contains(kName), !hidden);
            QCOMPARE(label.title.contains(kName), !hidden);
            QCOMPARE(allTexts(*window).contains(kName), !hidden);
        }
        Settings::instance().set("privacy/hide-patient-data", true);
    }
    void textsLoseMedicalPaths_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("input");
        QTest::addColumn<QString>("shown");
        QTest::newRow("file") << "Cannot open '/a/Doe.dcm'"
                              << "/a/Doe.dcm"
                              << "Cannot open 'medical data'";
        QTest::newRow("file of a folder") << "'/a/O'Doe/O'Doe 1.dcm': damaged"
                                          << "/a/O'Doe"
                                          << "'medical data': damaged";
        QTest::newRow("series") << "for example '/a/Doe#3':\n 3: CT"
                                << "/a/Doe#4"
                                << "for example 'medical data':\n 3: CT";
        QTest::newRow("error of the system") << "filesystem error: denied [/a/Doe/1]"
                                             << "/a/Doe"
                                             << "filesystem error: denied [medical data";
        QTest::newRow("short name") << "Cannot read 'e': the end"
                                    << "e"
                                    << "Cannot read 'medical data': the end";
        QTest::newRow("picture") << "Cannot open '/a/b.png'"
                                 << "/a/b.png"
                                 << "Cannot open '/a/b.png'";
        QTest::newRow("generated") << "synthetic:x is unknown"
                                   << "synthetic:x"
                                   << "synthetic:x is unknown";
    }
    void textsLoseMedicalPaths() {
        QFETCH(const QString, text);
        QFETCH(const QString, input);
        QFETCH(const QString, shown);
        QCOMPARE(withoutMedicalPath(text, input), shown);
    }
    void fileDialogsLeaveNoHistory() {
        const QString series = makeSeries();
        const auto history = [] {
            QSettings file(QSettings::UserScope, QStringLiteral("QtProject"));
            file.sync();
            return QString::fromUtf8(readFile(file.fileName()));
        };
        auto window = shownWindow();
        for (const bool hidden : {true, false}) {
            Settings::instance().set("privacy/hide-patient-data", hidden);
            window->findChild<QAction*>("open")->trigger();
            QPointer<QFileDialog> dialog = window->findChild<QFileDialog*>();
            QVERIFY(dialog);
            dialog->setDirectory(series);
            dialog->close();
            QTRY_VERIFY_WITH_TIMEOUT(!dialog, kPatience);
            QCOMPARE(history().contains(kName), !hidden);
        }
        Settings::instance().set("privacy/hide-patient-data", true);
    }
    void namesOfPatientsAreStoredIfTheSettingsSaySo() {
        const QString series = makeSeries();
        Settings::instance().set("privacy/hide-patient-data", false);
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, series));
        QCOMPARE(pathsOf(window->recentFiles()), QStringList{series});
        window->findChild<QAction*>("pin-current")->trigger();
        QVERIFY(window->recentFiles().isPinned(series));
        QVERIFY(window->windowTitle().contains("Doeling_Jane"));
        // On again: they are removed at once.
        Settings::instance().set("privacy/hide-patient-data", true);
        QVERIFY(window->recentFiles().files().isEmpty());
        QVERIFY(!window->findChild<QAction*>("pin-current")->isEnabled());
        QVERIFY2(!allStored().contains(kName), qPrintable(allStored()));
        QVERIFY2(!window->windowTitle().contains(kName), qPrintable(window->windowTitle()));
    }
    void filesAreRemovedAtTheStartIfListingIsOff() {
        const QString picture = makePicture("kept.png");
        {
            QSettings stored;
            stored.setValue("open/recent", QStringList{picture});
            stored.setValue("open/pinned", QStringList{picture});
            stored.setValue("privacy/recent-files", false);
        }
        auto window = shownWindow();
        QVERIFY(window->recentFiles().files().isEmpty());
        QVERIFY2(!allStored().contains("kept.png"), qPrintable(allStored()));
    }
    void storedNamesOfPatientsAreRemovedAtTheStart() {
        const QString series = makeSeries(), picture = makePicture("kept.png");
        {
            QSettings stored;
            stored.setValue("open/recent", QStringList{series, picture, series + "/Doeling-0.dcm", file("gone/Doeling_Jim")});
            stored.setValue("open/pinned", QStringList{series + "#1"});
            stored.setValue("open/folder", series);
            stored.setValue("export/folder", folder_.path());  // its subfolder holds DICOM files
            stored.setValue("session/folder", QDir::homePath());
        }
        auto window = shownWindow();
        QCOMPARE(pathsOf(window->recentFiles()), QStringList{picture});
        QTRY_VERIFY_WITH_TIMEOUT(!QSettings().contains("open/folder") && !QSettings().contains("export/folder"), kPatience);
        QVERIFY(QSettings().contains("session/folder"));
        QVERIFY2(!allStored().contains(kName), qPrintable(allStored()));
    }
};

QTEST_MAIN(RecentTest)
#include "recent_test.moc"
