// SPDX-License-Identifier: GPL-3.0-or-later
// Contact sheets: their values, the dialog, choosing a picture, and closing.
#include <QAction>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QSignalSpy>
#include <QSpinBox>
#include <array>

#include "core/image/error.hpp"
#include "tests/gui/gui_support.hpp"
#include "ui/canvas/pane_header.hpp"
#include "ui/models/pipeline/pane_edits.hpp"
#include "ui/pipeline/parameter_form.hpp"
#include "ui/pipeline/pipeline_panel.hpp"
#include "ui/volume/volume_view.hpp"
#include "ui/window/filmstrip/filmstrip.hpp"
#include "ui/window/sheet/contact_sheet_dialog.hpp"

using namespace parallax;
using namespace parallax::ui;

namespace {

const ParameterInfo& infoOf(const Step& step, const char* key) {
    const ParameterTableBase& table = step.parameters.table();
    return table.infos().at(static_cast<std::size_t>(table.find(key)));
}

double number(const ParameterValue& value) {
    const auto* integer = std::get_if<std::int64_t>(&value);
    return integer ? static_cast<double>(*integer) : std::get<double>(value);
}

std::vector<double> numbers(const std::vector<ParameterValue>& values) {
    std::vector<double> list;
    for (const ParameterValue& value : values) list.push_back(number(value));
    return list;
}

}  // namespace

class ContactSheetTest : public QObject {
    Q_OBJECT

    static Step blur() { return parseStep(processCatalog(), "convolve:kernel=gaussian,size=7,sigma=2"); }
    static double sigmaOf(const Pipeline& steps) { return number(steps.steps.at(0).parameters.get("sigma")); }
    static ContactSheetDialog* openDialog(MainWindow& window) {
        window.findChild<QAction*>("contact-sheet")->trigger();
        return window.findChild<ContactSheetDialog*>();
    }
    static void choose(ContactSheetDialog& dialog, const char* key) {
        auto* box = dialog.findChild<QComboBox*>("sheetParameter");
        box->setCurrentIndex(box->findData(QString::fromLatin1(key)));
    }
    static void type(ContactSheetDialog& dialog, const char* name, const QString& text) {
        auto* edit = dialog.findChild<QLineEdit*>(QLatin1String(name));
        edit->selectAll();
        QTest::keyClicks(edit, text);
    }
    /// Shows sigma 1, 2, 4.
    static void showThree(MainWindow& window) {
        ContactSheetDialog* dialog = openDialog(window);
        choose(*dialog, "sigma");
        type(*dialog, "sheetValues", "1; 2; 4");
        dialog->accept();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }

private slots:
    void valuesFillARange() {
        const Step step = blur();
        const ParameterInfo& sigma = infoOf(step, "sigma");
        QCOMPARE(numbers(valuesIn(step, sigma, {1, 5, false}, 5)), (std::vector<double>{1, 2, 3, 4, 5}));
        QCOMPARE(numbers(valuesIn(step, sigma, {0.25, 16, true}, 4)), (std::vector<double>{0.25, 1, 4, 16}));
        QVERIFY_EXCEPTION_THROWN(valuesIn(step, sigma, {0, 16, true}, 4), Error);
        // Integers are whole, different, and odd where the operation needs it.
        const Step sharpen = parseStep(processCatalog(), "convolve:kernel=sharpen,size=5");
        QCOMPARE(numbers(valuesIn(sharpen, infoOf(sharpen, "size"), {3, 9, false}, 7)), (std::vector<double>{3, 5, 7, 9}));
    }
    void initialRangesSurroundTheValue() {
        const Step step = blur();
        const SheetRange range = initialRange(step, infoOf(step, "sigma"), {});
        QCOMPARE(range.from, 0.5);
        QCOMPARE(range.to, 8.0);
        QVERIFY(!range.logarithmic);
        const Step mapping = parseStep(processCatalog(), "tonemap");
        bool logarithmic = false;
        for (const ParameterInfo* info : sheetParameters(mapping))
            logarithmic = logarithmic || initialRange(mapping, *info, {}).logarithmic;
        QVERIFY(logarithmic);
    }
    void listsAreRead() {
        const ParameterInfo& sigma = infoOf(blur(), "sigma");
        for (const char* list : {"1; 2;4", "1 2 4", "1, 2, 4"})
            QCOMPARE(numbers(valuesOf(sigma, QString::fromLatin1(list))), (std::vector<double>{1, 2, 4}));
        const QLocale before;
        QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
        const std::array german{numberOf("0,125"), numberOf("0.125")};
        QLocale::setDefault(before);
        QCOMPARE(german[0], 0.125);
        QCOMPARE(german[1], 0.125);
        QVERIFY_EXCEPTION_THROWN(numberOf("0,125"), Error);
        QVERIFY_EXCEPTION_THROWN(valuesOf(sigma, "1; 100"), Error);
        QVERIFY_EXCEPTION_THROWN(valuesOf(sigma, "one"), Error);
        QVERIFY_EXCEPTION_THROWN(valuesOf(infoOf(blur(), "size"), "1.5"), Error);
        const Pipeline steps = pipelineOf({"convolve:kernel=gaussian"});
        QVERIFY_EXCEPTION_THROWN(sheetSteps(steps, 0, "sigma", {ParameterValue(1.0)}), Error);
        QVERIFY_EXCEPTION_THROWN(sheetSteps(steps, 0, "sigma", std::vector<ParameterValue>(10, ParameterValue(1.0))), Error);
    }
    void thePanesShowOneValueEach() {
        auto window = shownWindow();
        setSteps(*window, {"convolve:kernel=gaussian,size=7,sigma=2"});
        QVERIFY(openAndWait(*window, "synthetic:noise:90x60,channels=3"));
        PipelineModel& model = window->session().pipeline();
        ContactSheetDialog* dialog = openDialog(*window);
        QVERIFY(dialog);
        choose(*dialog, "sigma");
        QCOMPARE(dialog->sheet().size(), std::size_t{9});
        dialog->findChild<QSpinBox*>("sheetNumber")->setValue(4);
        QCOMPARE(dialog->sheet().size(), std::size_t{4});
        type(*dialog, "sheetFrom", "1");
        type(*dialog, "sheetTo", "7");
        QCOMPARE(dialog->findChild<QLineEdit*>("sheetValues")->text(), QStringLiteral("1; 3; 5; 7"));
        type(*dialog, "sheetFrom", "nothing");
        QVERIFY(dialog->sheet().empty() && !dialog->findChild<QLabel*>("sheetProblem")->text().isEmpty());
        type(*dialog, "sheetValues", "1; 2; 4");
        dialog->accept();
        QVERIFY(waitForIdle(*window));
        QCOMPARE(model.undoText(), QStringLiteral("Contact sheet of Sigma"));
        QCOMPARE(model.setup().panes.size(), std::size_t{3});
        QCOMPARE(window->compareView().layoutKind(), ui::Layout::all);
        QVERIFY(!window->compareView().originalShown());
        QVERIFY(window->findChild<QWidget*>("contactSheet")->isVisible());
        const char* expected[] = {"Sigma 1", "Sigma 2", "Sigma 4"};
        for (const Side side : window->session().sides()) {
            QVERIFY(window->compareView().pane(roleOf(side)).isVisible());
            const QString header = window->compareView().header(roleOf(side)).shownText();
            QVERIFY2(header.contains(QLatin1String(expected[indexOf(side)])), qPrintable(header));
            QVERIFY(window->session().side(side).result);
        }
        // One step of the history.
        model.undo();
        QVERIFY(waitForIdle(*window));
        QCOMPARE(model.setup().panes.size(), std::size_t{2});
        QCOMPARE(window->compareView().layoutKind(), ui::Layout::compare);
        QVERIFY(window->compareView().originalShown());
        QVERIFY(!window->findChild<QWidget*>("contactSheet")->isVisible());
    }
    void choicesAndSwitchesAreListed() {
        auto window = shownWindow();
        setSteps(*window, {"convolve:kernel=gaussian,size=7,sigma=2"});
        QVERIFY(openAndWait(*window, "synthetic:noise:90x60,channels=3"));
        ContactSheetDialog* dialog = openDialog(*window);
        choose(*dialog, "border");
        auto* list = dialog->findChild<QListWidget*>("sheetChoices");
        QVERIFY(list->isVisible() && list->count() >= 3);
        QCOMPARE(dialog->sheet().size(), std::min<std::size_t>(kMaxSides, static_cast<std::size_t>(list->count())));
        list->item(0)->setCheckState(Qt::Unchecked);
        const std::size_t values = dialog->sheet().size();
        dialog->accept();
        QVERIFY(waitForIdle(*window));
        QCOMPARE(window->session().pipeline().setup().panes.size(), values);
    }
    void choicesThatCannotBeComputedAreNotOffered() {
        auto window = shownWindow();
        setSteps(*window, {"convolve:kernel=gaussian,size=7,sigma=2"});
        QVERIFY(openAndWait(*window, "synthetic:noise:90x60,channels=3"));
        ContactSheetDialog* dialog = openDialog(*window);
        choose(*dialog, "kernel");
        int excluded = 0;
        auto* list = dialog->findChild<QListWidget*>("sheetChoices");
        for (int i = 0; i < list->count(); ++i)
            if (!(list->item(i)->flags() & Qt::ItemIsEnabled)) {
                ++excluded;
                QCOMPARE(list->item(i)->checkState(), Qt::Unchecked);
                QVERIFY(!list->item(i)->toolTip().isEmpty());
            }
        QVERIFY(excluded >= 1);  // Scharr has size 3 only
        dialog->accept();
        QVERIFY(waitForIdle(*window));
        for (const Side side : window->session().sides()) QVERIFY(window->session().side(side).result);
    }
    void aChosenPictureGivesItsSteps_data() {
        QTest::addColumn<QString>("how");
        for (const char* how : {"double click", "key", "action"}) QTest::newRow(how) << QString::fromLatin1(how);
    }
    void aChosenPictureGivesItsSteps() {
        QFETCH(QString, how);
        auto window = shownWindow();
        setSteps(*window, {"convolve:kernel=gaussian,size=7,sigma=3"});
        QVERIFY(openAndWait(*window, "synthetic:noise:90x60,channels=3"));
        PipelineModel& model = window->session().pipeline();
        setReference(model, Side::b);
        showThree(*window);
        QVERIFY(waitForIdle(*window));
        ImagePane& third = window->compareView().pane(PaneRole::c);
        QTest::mouseClick(&third, Qt::LeftButton);
        QVERIFY(window->findChild<QLabel*>("sheetChosen")->text().contains("C: Sigma 4"));
        if (how == "double click") QTest::mouseDClick(&third, Qt::LeftButton);
        else if (how == "key") QTest::keyClick(&third, Qt::Key_Return);
        else window->findChild<QAction*>("adopt-steps")->trigger();
        QVERIFY(waitForIdle(*window));
        QVERIFY(model.setup().beforeSheet.empty());
        QCOMPARE(model.setup().panes.size(), std::size_t{2});
        QCOMPARE(sigmaOf(model.setup().shared), 4.0);
        QVERIFY(!model.setup().pane(Side::a).steps);
        QCOMPARE(model.reference(), Side::b);
        QCOMPARE(window->compareView().layoutKind(), ui::Layout::compare);
        QCOMPARE(model.undoText(), QStringLiteral("Use Sigma 4"));
        model.undo();
        QCOMPARE(model.setup().panes.size(), std::size_t{3});
        QCOMPARE(window->compareView().layoutKind(), ui::Layout::all);
    }
    void ownStepsOfAPaneAreVaried() {
        auto window = shownWindow();
        setSteps(*window, {"convolve:kernel=gaussian,size=7,sigma=3"});
        QVERIFY(openAndWait(*window, "synthetic:noise:90x60,channels=3"));
        PipelineModel& model = window->session().pipeline();
        setOwnSteps(model, Side::b, true);
        setInput(model, Side::b, "synthetic:gradient:90x60,channels=3");
        model.setActive(Side::b);
        showThree(*window);
        QCOMPARE(model.setup().pane(Side::a).input, QStringLiteral("synthetic:gradient:90x60,channels=3"));
        adoptSteps(model, Side::a);
        QVERIFY(waitForIdle(*window));
        QCOMPARE(model.active(), Side::b);
        QCOMPARE(sigmaOf(model.setup().shared), 3.0);
        QCOMPARE(sigmaOf(model.setup().stepsOf(Side::b)), 1.0);
    }
    void closingRestoresThePanes() {
        auto window = shownWindow();
        setSteps(*window, {"convolve:kernel=gaussian,size=7,sigma=3"});
        QVERIFY(openAndWait(*window, "synthetic:noise:90x60,channels=3"));
        window->setViewName("wipe");
        PipelineModel& model = window->session().pipeline();
        const CompareSetup before = model.setup();
        showThree(*window);
        QVERIFY(waitForIdle(*window));
        QVERIFY(!sameSetup(before, model.setup()));
        window->findChild<QAction*>("cancel")->trigger();  // Esc
        QVERIFY(waitForIdle(*window));
        QVERIFY(sameSetup(before, model.setup()));
        QCOMPARE(window->compareView().layoutKind(), ui::Layout::wipe);
        QVERIFY(!window->findChild<QAction*>("close-sheet")->isEnabled());
    }
    void comparingAFileClosesTheSheet() {
        auto window = shownWindow();
        setSteps(*window, {"convolve:kernel=gaussian,size=7,sigma=3"});
        QVERIFY(openAndWait(*window, "synthetic:noise:90x60,channels=3"));
        showThree(*window);
        QVERIFY(waitForIdle(*window));
        emit window->findChild<Filmstrip*>()->compareRequested(0, false);
        QVERIFY(waitForIdle(*window));
        const CompareSetup& setup = window->session().pipeline().setup();
        QVERIFY(setup.beforeSheet.empty());
        QCOMPARE(setup.panes.size(), std::size_t{2});
        QVERIFY(!setup.pane(Side::b).input.isEmpty());
    }
    void volumesShowOnePlane() {
        auto window = shownWindow();
        setSteps(*window, {"convolve:kernel=gaussian,size=3,sigma=3"});
        QVERIFY(openAndWait(*window, "synthetic:shepp-logan:24x20x16"));
        showThree(*window);
        QVERIFY(waitForIdle(*window));
        int panes = 0;
        for (const VolumePane* pane : window->volumeView().findChildren<VolumePane*>()) panes += pane->isVisible() ? 1 : 0;
        QCOMPARE(panes, 3);
        QTest::mouseClick(&window->volumeView().pane(PaneRole::b, PlaneKind::axial), Qt::LeftButton);
        QCOMPARE(window->session().pipeline().active(), Side::b);
        QTest::mouseDClick(&window->volumeView().pane(PaneRole::b, PlaneKind::axial), Qt::LeftButton);
        QVERIFY(waitForIdle(*window));
        QCOMPARE(sigmaOf(window->session().pipeline().setup().shared), 2.0);
        QCOMPARE(window->volume().planes(), PlaneChoice::all);
    }
    void theMenuOfAParameterBeginsASheet() {
        auto window = shownWindow();
        setSteps(*window, {"convolve:kernel=gaussian,size=7,sigma=3"});
        QVERIFY(openAndWait(*window, "synthetic:noise:90x60,channels=3"));
        ParameterForm& form = window->pipelinePanel().form();
        const QPoint at = form.editor("sigma")->geometry().topLeft() + QPoint(3, 3);
        QContextMenuEvent event(QContextMenuEvent::Mouse, at, form.mapToGlobal(at));
        QApplication::sendEvent(&form, &event);
        auto* entry = form.findChild<QAction*>("sheet-of-parameter");
        QVERIFY(entry && entry->isEnabled());
        entry->trigger();
        for (QMenu* menu : form.findChildren<QMenu*>()) menu->close();
        auto* dialog = window->findChild<ContactSheetDialog*>();
        QVERIFY(dialog);
        QCOMPARE(dialog->title(), QStringLiteral("Sigma"));
        dialog->reject();
    }
};

QTEST_MAIN(ContactSheetTest)
#include "contact_sheet_test.moc"
