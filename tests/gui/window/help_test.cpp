// SPDX-License-Identifier: GPL-3.0-or-later
// The manual in the window: all pages and links, context help of panels, operations and dialogs, search, history.
#include <QAbstractTextDocumentLayout>
#include <QAction>
#include <QComboBox>
#include <QDialog>
#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QLineEdit>
#include <QListView>
#include <QMenuBar>
#include <QScrollBar>
#include <QSet>
#include <QTabBar>
#include <QTextBlock>
#include <QTextTable>
#include <QToolButton>
#include <QTreeWidget>
#include <utility>

#include "tests/gui/gui_support.hpp"
#include "ui/charts/chart.hpp"
#include "ui/charts/timing_panel.hpp"
#include "ui/help/context_help.hpp"
#include "ui/help/manual.hpp"
#include "ui/help/manual_browser.hpp"
#include "ui/help/manual_window.hpp"
#include "ui/pipeline/pipeline_panel.hpp"

using namespace parallax;
using namespace parallax::ui;

namespace {

const Manual& manual() { return Manual::instance(); }

/// Returns the top of the section in pixels of the document; -1 if it has no anchor.
double anchorPosition(const ManualBrowser& browser, const QString& anchor) {
    for (QTextBlock block = browser.document()->begin(); block.isValid(); block = block.next())
        for (auto it = block.begin(); !it.atEnd(); ++it)
            if (it.fragment().charFormat().anchorNames().contains(anchor))
                return browser.document()->documentLayout()->blockBoundingRect(block).top();
    return -1;
}

}  // namespace

class HelpTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { applyTheme(ThemeChoice::light); }

    void everyPageOfTheFolderIsCompiledInAndLinkedFromTheIndex() {
        QStringList linked{Manual::indexPage()};
        for (const ManualChapter& chapter : manual().chapters()) linked << chapter.pages;
        const QStringList files = QDir(QStringLiteral(PARALLAX_MANUAL)).entryList({QStringLiteral("*.md")}, QDir::Files);
        QVERIFY(files.size() > 10);
        for (const QString& file : files) {
            QVERIFY2(manual().page(file), qPrintable(file));
            QCOMPARE(linked.count(file), 1);
        }
        QCOMPARE(manual().pages().size(), files.size());
    }
    void everyLinkLeadsToAPageASectionOrAPicture() {
        int links = 0, pictures = 0;
        for (const ManualPage& page : manual().pages())
            for (QString link : markdownLinks(page.markdown)) {
                const QString where = page.name + QStringLiteral(": ") + link;
                if (link.startsWith(QLatin1String("https://"))) continue;
                if (link.endsWith(QLatin1String(".png"))) {
                    QVERIFY2(QFile::exists(manual().folder() + QLatin1Char('/') + link), qPrintable(where));
                    ++pictures;
                    continue;
                }
                if (link.startsWith(QLatin1Char('#'))) link.prepend(page.name);
                QVERIFY2(manual().contains(link), qPrintable(where));
                ++links;
            }
        QVERIFY(links > 30);
        QVERIFY(pictures > 10);
        QVERIFY(!manual().contains(QStringLiteral("charts.md#no-such-section")));
        QVERIFY(!manual().contains(QStringLiteral("no_such_page.md")));
    }
    void everyPageAndSectionOpens() {
        ManualWindow window(manual());
        window.open({});
        QCOMPARE(window.browser().address(), Manual::indexPage());
        for (const ManualPage& page : manual().pages()) {
            window.open(page.name);
            QVERIFY2(window.browser().toPlainText().startsWith(page.title), qPrintable(page.name));
            QVERIFY2(!window.browser().toPlainText().contains(QLatin1String("topics:")), qPrintable(page.name));
            for (const ManualSection& section : page.sections) {
                window.open(section.address);
                QCOMPARE(window.browser().address(), section.address);
                if (section.level == 1) continue;
                const double top = anchorPosition(window.browser(), section.address.section('#', 1));
                QVERIFY2(top > 0, qPrintable(section.address));
                const QScrollBar* bar = window.browser().verticalScrollBar();
                QVERIFY2(bar->value() == bar->maximum() || std::abs(bar->value() - top) < 40, qPrintable(section.address));
            }
        }
    }
    void picturesFitTheWidthAndTablesHaveBorders() {
        ManualWindow window(manual());
        window.open(QStringLiteral("first_steps.md"));
        for (const int width : {700, 1200, 640}) {
            window.resize(width, 600);
            QTRY_COMPARE(window.browser().horizontalScrollBar()->maximum(), 0);
        }
        int tables = 0;
        for (QTextFrame* frame : window.browser().document()->rootFrame()->childFrames())
            if (auto* table = qobject_cast<QTextTable*>(frame)) {
                QVERIFY(table->format().border() > 0);
                ++tables;
            }
        QVERIFY(tables > 0);
    }
    void searchListsSectionsAndMarksWords() {
        ManualWindow window(manual());
        window.open({});
        auto* search = window.findChild<QLineEdit*>();
        auto* tree = window.findChild<QTreeWidget*>("manualContents");
        const int chapters = tree->topLevelItemCount();
        search->setText(QStringLiteral("amdahl"));
        QVERIFY(tree->topLevelItemCount() > 0);
        QCOMPARE(window.browser().address(), tree->topLevelItem(0)->data(0, Qt::UserRole).toString());
        QVERIFY(!window.browser().extraSelections().isEmpty());
        QCOMPARE(window.browser().extraSelections().first().cursor.selectedText().toLower(), QStringLiteral("amdahl"));
        search->setText(QStringLiteral("no-such-word"));
        QCOMPARE(tree->topLevelItemCount(), 0);
        search->clear();
        QCOMPARE(tree->topLevelItemCount(), chapters);
        QVERIFY(window.browser().extraSelections().isEmpty());
    }
    void linksAndHistory() {
        ManualWindow window(manual());
        window.open({});
        auto* back = window.findChild<QToolButton*>("manual-back");
        auto* forward = window.findChild<QToolButton*>("manual-forward");
        QVERIFY(!back->isEnabled());
        emit window.browser().anchorClicked(QUrl(QStringLiteral("measuring.md#reading-the-table")));
        QCOMPARE(window.browser().address(), QStringLiteral("measuring.md#reading-the-table"));
        auto* tree = window.findChild<QTreeWidget*>("manualContents");
        QCOMPARE(tree->currentItem()->text(0), QStringLiteral("Reading the table"));
        back->click();
        QCOMPARE(window.browser().address(), Manual::indexPage());
        QVERIFY(!back->isEnabled());
        forward->click();
        QCOMPARE(window.browser().address(), QStringLiteral("measuring.md#reading-the-table"));
        QVERIFY(anchorPosition(window.browser(), QStringLiteral("reading-the-table")) > 0);
    }
    void followsTheTheme() {
        ManualWindow window(manual());
        window.open(QStringLiteral("command_line.md"));
        const auto codeColour = [&] {
            for (QTextBlock block = window.browser().document()->begin(); block.isValid(); block = block.next())
                if (block.blockFormat().hasProperty(QTextFormat::BlockCodeFence)) return block.blockFormat().background().color();
            return QColor();
        };
        const QColor light = codeColour();
        applyTheme(ThemeChoice::dark);
        QVERIFY(codeColour().isValid());
        QVERIFY(codeColour().lightness() < light.lightness() - 100);
        applyTheme(ThemeChoice::light);
    }
    void everyOperationHasASection() {
        for (const auto& operation : processCatalog().operations()) {
            const QString address = manual().addressOf(QString::fromStdString(operation->id()));
            QVERIFY2(manual().contains(address), operation->id().c_str());
        }
    }
    void everyTopicBelongsToAnOperationOrAWidget() {
        auto window = shownWindow();
        QSet<QString> known{"batchWindow", "kernelEditor", "transferDialog", "shortcutSheet",     "seriesDialog",
                            "rawDialog",   "saveDialog",   "settingsDialog", "windowPresetDialog"};
        for (const auto& operation : processCatalog().operations()) known << QString::fromStdString(operation->id());
        for (const QWidget* widget : window->findChildren<QWidget*>())
            known << widget->objectName() << widget->property("helpTopic").toString();
        for (const QString& topic : manual().topics()) QVERIFY2(known.contains(topic), qPrintable(topic));
    }
    void everyPanelHasASection() {
        auto window = shownWindow();
        const auto docks = window->findChildren<QDockWidget*>();
        QVERIFY(docks.size() >= 4);
        for (const QDockWidget* dock : docks) QVERIFY2(manual().contains(helpAddress(dock)), qPrintable(dock->objectName()));
        for (const Chart* chart : window->timingPanel().charts())
            QCOMPARE(helpAddress(chart), QStringLiteral("charts.md#") + chart->name());
        QCOMPARE(helpAddress(&window->compareView()), QStringLiteral("comparing.md#look-at-the-difference"));
    }
    void f1OpensTheSectionOfTheFocusedStep() {
        auto window = shownWindow();
        QVERIFY(waitForActive(*window));
        window->session().pipeline().addStep(processCatalog().operation("tonemap"));
        auto* steps = window->findChild<QListView*>("steps");
        steps->setFocus();
        QTest::keyClick(steps, Qt::Key_F1);
        QCOMPARE(window->help().manual().browser().address(), manual().addressOf("tonemap"));
        window->help().manual().hide();
        QVERIFY(waitForActive(*window));
        steps->setCurrentIndex(steps->model()->index(0, 0));
        steps->setFocus();
        QTest::keyClick(steps, Qt::Key_F1);
        QCOMPARE(window->help().manual().browser().address(), manual().addressOf("convolve"));
    }
    void f1OpensTheSectionOfAStepThatWasJustAdded() {
        auto window = shownWindow();
        QVERIFY(waitForActive(*window));
        QVERIFY(openAndWait(*window, "synthetic:gradient:60x40"));
        auto* steps = window->findChild<QListView*>("steps");
        const auto f1 = [&] {
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_F1);
            const QString address = window->help().manual().browser().address();
            window->help().manual().hide();
            return waitForActive(*window) ? address : QString();
        };
        const auto start = [&] { window->compareView().pane(PaneRole::a).setFocus(); };
        // By the menu of the window, and by that of the plus button.
        auto* ofMenuBar = window->menuBar()->findChild<QAction*>("add-tonemap");
        auto* ofButton = window->pipelinePanel().findChild<QAction*>("add-dwt");
        QVERIFY(ofMenuBar && ofButton);
        for (const auto& [add, operation] : {std::pair(ofMenuBar, "tonemap"), std::pair(ofButton, "dwt")}) {
            start();
            QCOMPARE(f1(), QStringLiteral("comparing.md#look-at-the-difference"));
            start();
            add->trigger();
            QCOMPARE(steps->currentIndex().row(), steps->model()->rowCount() - 1);
            QCOMPARE(f1(), manual().addressOf(operation));
        }
        // Undo leaves the keyboard where it is.
        start();
        window->session().pipeline().undo();
        window->session().pipeline().redo();
        QVERIFY(!steps->hasFocus());
    }
    void f1WorksInDialogs() {
        auto window = shownWindow();
        QVERIFY(waitForActive(*window));
        window->findChild<QAction*>("shortcuts")->trigger();
        auto* sheet = window->findChild<QDialog*>("shortcutSheet");
        QVERIFY(sheet && waitForActive(*sheet));
        QTest::keyClick(sheet->findChild<QLineEdit*>(), Qt::Key_F1);
        QCOMPARE(window->help().manual().browser().address(), manual().addressOf("shortcutSheet"));
        QVERIFY(!window->help().manual().isModal());
        delete sheet;
    }
    void whatsThisOpensTheSectionOfTheClickedWidget() {
        auto window = shownWindow();
        QVERIFY(waitForActive(*window));
        window->findChild<QAction*>("whats-this")->trigger();
        QTest::mouseClick(&window->pipelinePanel().targetBox(Side::a), Qt::LeftButton);
        QCOMPARE(window->help().manual().browser().address(), QStringLiteral("comparing.md#backends-and-variants"));
    }
};

QTEST_MAIN(HelpTest)
#include "help_test.moc"
