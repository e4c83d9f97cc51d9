// SPDX-License-Identifier: GPL-3.0-or-later
// Texts that the manual and users rely on, each in the state of the window that shows it.
#include <QAction>
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QSettings>
#include <functional>
#include <vector>

#include "tests/gui/gui_support.hpp"
#include "ui/inspector/selection_panel.hpp"
#include "ui/window/dialogs/command_palette.hpp"
#include "ui/window/recent/recent_files.hpp"

using namespace parallax;
using namespace parallax::ui;

namespace {

/// Texts of the window: of widgets, actions, items of boxes, and labels of panes.
QStringList textsOf(MainWindow& window) {
    QStringList texts;
    for (const QObject* object : window.findChildren<QObject*>()) {
        for (const char* property : {"text", "title", "windowTitle"}) texts << object->property(property).toString();
        if (const auto* box = qobject_cast<const QComboBox*>(object))
            for (int item = 0; item < box->count(); ++item) texts << box->itemText(item);
    }
    for (const PaneRole role : {PaneRole::a, PaneRole::b}) {
        const PaneLabel& label = window.compareView().pane(role).label();
        texts << label.title << label.hint;
    }
    for (QString& text : texts) text.remove(QLatin1Char('&'));
    return texts;
}

struct State {
    const char* name;
    std::function<bool(MainWindow&)> enter;
    QStringList texts;
};

void trigger(MainWindow& window, const char* action) { window.findChild<QAction*>(QLatin1String(action))->trigger(); }

const std::vector<State>& states() {
    static const std::vector<State> all{
        {"start",
         [](MainWindow& window) {
             window.recentFiles().add("/data/picture.png");
             return true;
         },
         {"Recent files", "Toolbar", "Stop computing", "Show sub-bands", "Measure scaling", "Threads:", "Effort:", "perceptually uniform"}},
        {"palette",
         [](MainWindow& window) {
             auto* palette = window.findChild<CommandPalette*>();
             palette->popUp();
             palette->findChild<QLineEdit*>()->setText("qzqzqz");
             return true;
         },
         {"No matching command"}},
        {"messages",
         [](MainWindow& window) {
             trigger(window, "messages");
             return true;
         },
         {"No messages yet."}},
        {"no steps",
         [](MainWindow& window) {
             window.session().pipeline().setEnabled(0, false);
             window.setViewName("single");
             return openAndWait(window, "synthetic:gradient:60x40");
         },
         {"all steps off (original)", "[B] flips to B"}},
        {"volume",
         [](MainWindow& window) { return openAndWait(window, "synthetic:gradient:24x20x16"); },
         {"MIP", "MinIP", "Bone (W 1500, L 300)", "Lung (W 1400, L −500)"}},
        {"tone mapping",
         [](MainWindow& window) {
             setSteps(window, {"tonemap"});
             return openAndWait(window, "synthetic:hdr-ramp:60x40,channels=3");
         },
         {"Published defaults"}},
    };
    return all;
}

}  // namespace

class WordingTest : public QObject {
    Q_OBJECT
private slots:
    void init() { QSettings().clear(); }
    void cleanupTestCase() { QSettings().clear(); }

    void everyStateHasItsTexts_data() {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < states().size(); ++i) QTest::newRow(states()[i].name) << static_cast<int>(i);
    }
    void everyStateHasItsTexts() {
        QFETCH(const int, index);
        const State& state = states()[static_cast<std::size_t>(index)];
        auto window = shownWindow();
        QVERIFY(state.enter(*window));
        const QStringList texts = textsOf(*window);
        QStringList missing = state.texts;
        missing.removeIf([&](const QString& text) { return texts.contains(text); });
        QVERIFY2(missing.isEmpty(), qPrintable(missing.join(", ") + " not among\n" + texts.join('\n')));
    }
    void themeAndLanguageFollowTheSystem() {
        auto window = shownWindow();
        trigger(*window, "settings");
        auto* dialog = window->findChild<QDialog*>("settingsDialog");
        QVERIFY(dialog);
        for (const char* key : {"appearance/language", "appearance/theme"})
            QCOMPARE(dialog->findChild<QComboBox*>(QLatin1String(key))->itemText(0), QStringLiteral("Follow system"));
        QCOMPARE(window->findChild<QAction*>("theme-system")->text().remove('&'), QStringLiteral("Follow system"));
    }
    void timesOfAResultAreNamed() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:gradient:60x40"));
        const QString details = window->compareView().pane(PaneRole::a).label().details;
        static const QRegularExpression times(QStringLiteral("this run: [\\d.]+ [mµn]?s compute, [\\d.]+ [mµn]?s end to end"));
        QVERIFY2(times.match(details).hasMatch(), qPrintable(details));
    }
    void statisticsOfASelectionHaveTitles() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:noise:60x40"));
        trigger(*window, "select-all");
        auto* panel = window->findChild<SelectionPanel*>();
        QTRY_VERIFY_WITH_TIMEOUT(panel->text().contains("RMSE"), kPatience);
        for (const char* title : {"min", "max", "mean", "σ"}) QVERIFY2(panel->text().contains(QLatin1String(">") + title + "<"), title);
    }
};

QTEST_MAIN(WordingTest)
#include "wording_test.moc"
