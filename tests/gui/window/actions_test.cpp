// SPDX-License-Identifier: GPL-3.0-or-later
// Every action of the window has a description, a place in a menu and a unique shortcut, and is safe at any time. Also command palette,
// shortcuts, messages and About.
#include <QAction>
#include <QClipboard>
#include <QDialog>
#include <QImage>
#include <QLineEdit>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QShortcut>
#include <QToolButton>
#include <QTreeWidget>

#include "core/engine/run/build_info.hpp"
#include "tests/gui/gui_support.hpp"
#include "ui/models/document/fuzzy_match.hpp"
#include "ui/models/document/message_log.hpp"
#include "ui/window/dialogs/about_dialog.hpp"
#include "ui/window/dialogs/command_palette.hpp"
#include "ui/window/recent/recent_files.hpp"
#include "ui/window/shell/action_list.hpp"

using namespace parallax;
using namespace parallax::ui;

namespace {

void closeDialogs(MainWindow& window) {
    for (QDialog* dialog : window.findChildren<QDialog*>()) dialog->close();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
}

CommandPalette& palette(MainWindow& window) { return *window.findChild<CommandPalette*>(); }
QTreeWidget& paletteList(MainWindow& window) { return *palette(window).findChild<QTreeWidget*>(); }

QString firstHit(MainWindow& window, const QString& typed) {
    palette(window).findChild<QLineEdit*>()->setText(typed);
    const QTreeWidgetItem* item = paletteList(window).topLevelItem(0);
    return item ? item->text(0) : QString();
}

}  // namespace

class ActionsTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QSettings().clear(); }

    void everyActionHasADescription() {
        auto window = shownWindow();
        const auto entries = menuActions(*window->menuBar());
        QVERIFY(entries.size() > 30);
        for (const ActionEntry& entry : entries) {
            const QByteArray name = (entry.path + QLatin1Char('/') + entry.title).toUtf8();
            QVERIFY2(!entry.title.isEmpty(), name.constData());
            QVERIFY2(entry.tip.size() > entry.title.size(), name.constData());
            for (const QKeySequence& key : entry.action->shortcuts())
                QVERIFY2(entry.action->toolTip().contains(key.toString(QKeySequence::NativeText)), name.constData());
        }
    }
    void shortcutsAreUnique() {
        auto window = shownWindow();
        QHash<QKeySequence, const QAction*> keys;
        for (const QAction* action : window->findChildren<QAction*>()) {
            if (action->shortcutContext() == Qt::WidgetShortcut) continue;
            for (const QKeySequence& key : action->shortcuts()) {
                QVERIFY2(!keys.contains(key), qPrintable(key.toString() + QLatin1Char(' ') + action->text()));
                keys.insert(key, action);
            }
        }
        QVERIFY(keys.size() > 25);
        // Qt triggers neither of two ambiguous shortcuts.
        for (const QShortcut* shortcut : window->findChildren<QShortcut*>())
            if (static_cast<const QWidget*>(shortcut->parent())->window() == window.get())
                QVERIFY2(!keys.contains(shortcut->key()), qPrintable(shortcut->key().toString()));
    }
    void shortcutsTakeOneHand() {
        auto window = shownWindow();
        for (const QAction* action : window->findChildren<QAction*>())
            for (const QKeySequence& key : action->shortcuts())
                QVERIFY2(key.toString(QKeySequence::PortableText).count(QLatin1Char('+')) <= 2, qPrintable(key.toString()));
    }
    void everyActionIsInAMenu() {
        auto window = shownWindow();
        QSet<const QAction*> inMenus;
        for (const ActionEntry& entry : menuActions(*window->menuBar())) inMenus.insert(entry.action);
        for (const QAction* action : window->findChildren<QAction*>(Qt::FindDirectChildrenOnly)) {
            if (action->isSeparator() || action->menu()) continue;
            QVERIFY2(inMenus.contains(action), qPrintable(action->objectName() + QLatin1Char(' ') + action->text()));
        }
    }
    void mnemonicsAreUniqueInEachMenu() {
        auto window = shownWindow();
        QCOMPARE(doubledMnemonic(*window), QString());
    }
    void everyActionCanBeTriggered_data() {
        QTest::addColumn<QString>("input");
        QTest::newRow("empty") << QString();
        QTest::newRow("with an image") << QStringLiteral("synthetic:zone-plate:64x48,channels=3");
        QTest::newRow("with a volume") << QStringLiteral("synthetic:noise:24x20x16");
    }
    void everyActionCanBeTriggered() {
        QFETCH(const QString, input);
        const QStringList last{QStringLiteral("quit")};
        QStringList names;
        {
            auto window = shownWindow();
            for (const ActionEntry& entry : menuActions(*window->menuBar()))
                if (!entry.action->objectName().isEmpty() && !last.contains(entry.action->objectName()))
                    names << entry.action->objectName();
        }
        auto window = shownWindow();
        for (const QString& name : names + last) {
            if (!input.isEmpty() && !window->session().original()) QVERIFY(openAndWait(*window, input));
            auto* action = window->findChild<QAction*>(name);
            QVERIFY2(action, qPrintable(name));
            action->trigger();
            QCoreApplication::processEvents();
            closeDialogs(*window);
            // Without waiting: the next action runs while this one's work does.
        }
        // Actions may begin work later, such as the check of a new kernel: what needs long on a busy machine is cancelled, too.
        QVERIFY(QTest::qWaitFor(
            [&] {
                window->session().cancel();
                return window->settled();
            },
            kPatience));
    }
    void fuzzyMatchesPreferBeginningsOfWords() {
        QVERIFY(!fuzzyScore("xyz", "Zoom in"));
        QVERIFY(!fuzzyScore("ni", "in"));
        QCOMPARE(fuzzyScore("", "anything"), std::optional(0));
        QVERIFY(*fuzzyScore("zi", "Zoom in") > *fuzzyScore("zi", "Resize it"));
        QVERIFY(*fuzzyScore("fit", "Fit") > *fuzzyScore("fit", "Fitting"));
        QVERIFY(*fuzzyScore("ope", "Open") > *fuzzyScore("ope", "Do it properly"));
        QVERIFY(fuzzyScore("ZOOM", "zoom"));
        QVERIFY(fuzzyScore("aa", "a a"));
        QVERIFY(!fuzzyScore("aaa", "a a"));
    }
    void paletteRunsWithTheKeyboardAlone() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:gradient:60x40"));
        QTest::keyClick(window.get(), Qt::Key_K, Qt::ControlModifier);
        QVERIFY(palette(*window).isVisible());
        QCOMPARE(firstHit(*window, "fit"), QStringLiteral("Fit to window"));
        QCOMPARE(firstHit(*window, "theme dark"), QStringLiteral("Dark"));
        QCOMPARE(firstHit(*window, "Ctrl+B"), QStringLiteral("Benchmark"));
        QCOMPARE(firstHit(*window, "qqqq"), QString());
        auto* search = palette(*window).findChild<QLineEdit*>();
        search->clear();
        // Shortcuts of the window are plain text in the palette.
        QTest::keyClicks(search, "side by side");
        QTest::keyClick(search, Qt::Key_Return);
        QVERIFY(!palette(*window).isVisible());
        QCOMPARE(window->compareView().layoutKind(), ui::Layout::sideBySide);
        // The last command is listed first.
        palette(*window).popUp();
        QCOMPARE(paletteList(*window).topLevelItem(0)->text(0).section(QLatin1String("  "), 0, 0), QStringLiteral("A and B"));
        QTest::keyClick(search, Qt::Key_Down);
        QCOMPARE(paletteList(*window).indexOfTopLevelItem(paletteList(*window).currentItem()), 1);
        QTest::keyClick(search, Qt::Key_Escape);
        QVERIFY(!palette(*window).isVisible());
    }
    void theNameOfAnOperationAddsAStep() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:noise:64x48"));
        palette(*window).popUp();
        QCOMPARE(firstHit(*window, "poisson").left(7), QStringLiteral("Poisson"));
        const int before = window->session().pipeline().rowCount();
        QTest::keyClick(palette(*window).findChild<QLineEdit*>(), Qt::Key_Return);
        QCOMPARE(window->session().pipeline().rowCount(), before + 1);
        palette(*window).popUp();
        (void)firstHit(*window, "new kernel poisson");
        QVERIFY(paletteList(*window).topLevelItem(0)->text(1).contains("New kernel"));
        QVERIFY(waitForIdle(*window));
    }
    void paletteFindsKernelsAndPresets() {
        auto window = shownWindow();
        setSteps(*window, {"convolve:kernel=box"});
        palette(*window).popUp();
        QCOMPARE(firstHit(*window, "gauss").left(8), QStringLiteral("Gaussian"));
        QTest::keyClick(palette(*window).findChild<QLineEdit*>(), Qt::Key_Return);
        const PipelineModel& pipeline = window->session().pipeline();
        QCOMPARE(pipeline.rowCount(), 1);
        QCOMPARE(std::get<std::string>(pipeline.step(0).parameters.get("kernel")), std::string("gaussian"));
        // A choice of another operation adds a step of it.
        palette(*window).popUp();
        firstHit(*window, "tone mapping reinhard");
        QTest::keyClick(palette(*window).findChild<QLineEdit*>(), Qt::Key_Return);
        QCOMPARE(pipeline.rowCount(), 2);
        // Presets and recent files are there, too.
        window->session().pipeline().setParameter(1, "key", ParameterValue(0.5));
        palette(*window).popUp();
        QCOMPARE(firstHit(*window, "published defaults"), QStringLiteral("Published defaults"));
        QTest::keyClick(palette(*window).findChild<QLineEdit*>(), Qt::Key_Return);
        QCOMPARE(std::get<double>(pipeline.step(1).parameters.get("key")), 0.18);
        QTemporaryDir folder;
        const QString file = folder.filePath("a recent picture.png");
        QImage picture(24, 16, QImage::Format_RGB32);
        picture.fill(Qt::darkCyan);
        QVERIFY(picture.save(file));
        window->recentFiles().add(file);
        palette(*window).popUp();
        QVERIFY2(firstHit(*window, "recent picture").contains("a recent picture.png"), qPrintable(firstHit(*window, "recent picture")));
        QTest::keyClick(palette(*window).findChild<QLineEdit*>(), Qt::Key_Return);
        QVERIFY(QTest::qWaitFor([&] { return window->session().inputName() == file; }, kPatience));
    }
    void disabledCommandsComeLastAndDoNothing() {
        auto window = shownWindow();
        palette(*window).popUp();
        QCOMPARE(firstHit(*window, "actual pixels"), QStringLiteral("Actual pixels"));
        QVERIFY(paletteList(*window).topLevelItem(0)->isDisabled());
        QTest::keyClick(palette(*window).findChild<QLineEdit*>(), Qt::Key_Return);
        QVERIFY(palette(*window).isVisible());
    }
    void shortcutsAreListedAndFound() {
        auto window = shownWindow();
        QVERIFY(waitForActive(*window));
        QTest::keyClick(window.get(), Qt::Key_Question);
        auto* sheet = window->findChild<QDialog*>("shortcutSheet");
        QVERIFY(sheet);
        const auto copied = [&] {
            for (QPushButton* button : sheet->findChildren<QPushButton*>())
                if (withoutMnemonic(button->text()) == QLatin1String("Copy")) button->click();
            return QApplication::clipboard()->text();
        };
        const QString all = copied();
        for (const ActionEntry& entry : menuActions(*window->menuBar()))
            if (!entry.shortcuts.isEmpty())
                QVERIFY2(all.contains(QStringLiteral("%1\t%2\t").arg(entry.shortcuts, entry.title)), qPrintable(entry.title));
        sheet->findChild<QLineEdit*>()->setText("benchm");
        const QString found = copied();
        QVERIFY(found.contains("Ctrl+B"));
        QVERIFY(!found.contains("F11"));
        delete sheet;
    }
    void messagesAreKept() {
        auto window = shownWindow();
        MessageLog& log = window->messageLog();
        auto* button = window->findChild<QToolButton*>("messageButton");
        QVERIFY(button);
        QCOMPARE(log.rowCount(), 0);
        const int year = QDate::currentDate().year();  // it may change during the test
        window->openInputs({"/nonexistent/image.exr"});
        QVERIFY(QTest::qWaitFor([&] { return log.rowCount() == 1; }, kPatience));
        QCOMPARE(button->text(), QStringLiteral("1"));
        // A repetition does not add a line.
        window->openInputs({"/nonexistent/image.exr"});
        QVERIFY(QTest::qWaitFor([&] { return log.entry(0).count == 2; }, kPatience));
        QCOMPARE(log.rowCount(), 1);
        button->click();
        auto* dialog = window->findChild<QDialog*>("messageLog");
        QVERIFY(dialog->isVisible());
        QCOMPARE(log.unread(), 0);
        QVERIFY(button->text().isEmpty());
        for (QPushButton* b : dialog->findChildren<QPushButton*>())
            if (withoutMnemonic(b->text()) == QLatin1String("Copy")) b->click();
        const QString copied = QApplication::clipboard()->text();
        QVERIFY(copied.contains("/nonexistent/image.exr"));
        QVERIFY(copied.startsWith(QString::number(year)) || copied.startsWith(QString::number(QDate::currentDate().year())));
        dialog->close();
    }
    void theLogDropsTheOldestMessages() {
        MessageLog log;
        for (std::size_t i = 0; i < MessageLog::kKept + 20; ++i) log.add({Message::Kind::information, QString::number(i), {}, {}, {}});
        QCOMPARE(log.rowCount(), static_cast<int>(MessageLog::kKept));
        QCOMPARE(log.entry(0).message.what, QStringLiteral("20"));
        QCOMPARE(log.unread(), 0);
        log.clear();
        QCOMPARE(log.toText(), QString());
    }
    void aboutNamesEveryLibrary() {
        const QString text = aboutText(processCatalog());
        for (const char* name : {"Qt", "QCustomPlot", "OpenEXR", "libpng", "OpenCV", "reference", "GPL", "BSD-3-Clause", "Apache-2.0"})
            QVERIFY2(text.contains(QLatin1String(name)), name);
        QVERIFY(text.contains(QString::fromStdString(buildInfo().version)));
        QVERIFY(text.contains(QLatin1String(qVersion())));
        auto window = shownWindow();
        window->findChild<QAction*>("about")->trigger();
        auto* dialog = window->findChild<AboutDialog*>();
        QVERIFY(dialog);
        QCOMPARE(dialog->findChild<QPlainTextEdit*>()->toPlainText(), text);
        delete dialog;
    }
};

QTEST_MAIN(ActionsTest)
#include "actions_test.moc"
