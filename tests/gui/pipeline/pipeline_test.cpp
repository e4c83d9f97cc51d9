// SPDX-License-Identifier: GPL-3.0-or-later
// The editor of kernels: its table, what it says about a kernel, and how its changes reach the pipeline. Presets: their files, and
// the box and the menu above the parameters.
#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>
#include <cmath>

#include "core/engine/operation/capabilities.hpp"
#include "core/operations/convolution/kernel_analysis.hpp"
#include "tests/gui/gui_support.hpp"
#include "ui/models/pipeline/kernel_model.hpp"
#include "ui/pipeline/kernel_editor.hpp"
#include "ui/pipeline/parameter_form.hpp"
#include "ui/pipeline/pipeline_panel.hpp"
#include "ui/pipeline/preset_bar.hpp"

using namespace parallax;
using namespace parallax::ui;

class PipelineTest : public QObject {
    Q_OBJECT

    static std::string weights(const PipelineModel& pipeline) { return std::get<std::string>(pipeline.step(0).parameters.get("weights")); }
    /// A window whose step has weights of its own, and the dialog opened for them by the keyboard.
    static KernelEditor* openEditor(MainWindow& window, const std::string& text) {
        PipelineModel& pipeline = window.session().pipeline();
        pipeline.setParameter(0, "kernel", ParameterValue(std::string("custom")));
        pipeline.setParameter(0, "weights", ParameterValue(text));
        window.activateWindow();
        if (!waitForActive(window)) return nullptr;
        auto* button = window.pipelinePanel().form().findChild<QPushButton*>("editKernel");
        if (!button || !button->isVisible() || button->shortcut().isEmpty()) return nullptr;
        QTest::keySequence(&window, button->shortcut());
        // A button that is pressed by its key is seen to go down for a moment.
        (void)QTest::qWaitFor([&] { return window.findChild<KernelEditor*>() != nullptr; }, kPatience);
        return window.findChild<KernelEditor*>();
    }

private slots:
    void ownWeightsBeginAsOnesThatChangeNothing() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:noise:40x30"));
        PipelineModel& pipeline = window->session().pipeline();
        emit window->pipelinePanel().form().editor("kernel")->valueEdited(ParameterValue(std::string("custom")));
        QVERIFY(waitForIdle(*window));
        QCOMPARE(weights(pipeline), std::string("0 0 0\n0 1 0\n0 0 0"));
        const SideState& a = window->session().side(Side::a);
        QVERIFY2(!a.error && a.result, a.error ? qPrintable(a.error->plainText()) : "no result");
        QVERIFY(compareViews(window->session().original()->view(), a.result->image->view(), {}).maxAbs == 0);
        // One edit, and weights that are there already stay.
        window->findChild<QAction*>("undo")->trigger();
        QVERIFY(weights(pipeline).empty());
        pipeline.setParameter(0, "weights", ParameterValue(std::string("1 2 1")));
        pipeline.setParameter(0, "kernel", ParameterValue(std::string("custom")));
        QCOMPARE(weights(pipeline), std::string("1 2 1"));
    }
    void stepsGoPastWhatIsRefused() {
        auto window = shownWindow();
        PipelineModel& pipeline = window->session().pipeline();
        auto* box = window->pipelinePanel().form().editor("size")->findChild<QDoubleSpinBox*>();
        const auto size = [&] { return std::get<std::int64_t>(pipeline.step(0).parameters.get("size")); };
        pipeline.setParameter(0, "kernel", ParameterValue(std::string("sharpen")));
        pipeline.setParameter(0, "size", ParameterValue(std::int64_t{5}));
        box->stepUp();
        QCOMPARE(size(), std::int64_t{7});
        box->stepDown();
        box->stepDown();
        QCOMPARE(size(), std::int64_t{3});
        // A mean may have an even size.
        pipeline.setParameter(0, "kernel", ParameterValue(std::string("box")));
        box->stepUp();
        QCOMPARE(size(), std::int64_t{4});
    }
    void kernelTable() {
        KernelModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QSignalSpy changed(&model, &KernelModel::changed);
        model.setText("[[1, 2], [3, 4], [5, 6]]");
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(model.columnCount(), 2);
        QCOMPARE(model.text(), QStringLiteral("1 2\n3 4\n5 6"));
        model.rotate();
        QCOMPARE(model.text(), QStringLiteral("5 3 1\n6 4 2"));
        model.transpose();
        QCOMPARE(model.text(), QStringLiteral("5 6\n3 4\n1 2"));
        model.mirrorHorizontally();
        QCOMPARE(model.text(), QStringLiteral("6 5\n4 3\n2 1"));
        model.mirrorVertically();
        QCOMPARE(model.text(), QStringLiteral("2 1\n4 3\n6 5"));
        model.setText("1");
        model.resize(3, 5);
        QCOMPARE(model.text(), QStringLiteral("0 0 0\n0 0 0\n0 1 0\n0 0 0\n0 0 0"));
        model.resize(1, 1);
        QCOMPARE(model.text(), QStringLiteral("1"));
        model.resize(1000, 0);
        QCOMPARE(model.columnCount(), 127);
        QCOMPARE(model.rowCount(), 1);
        model.setText("1 2 1");
        model.normalise();
        QCOMPARE(model.text(), QStringLiteral("0.25 0.5 0.25"));
        model.setText("-1 0 1");
        QVERIFY(!model.normalisable());
        const auto count = changed.count();
        QVERIFY(model.setData(model.index(0, 1), "2,5", Qt::EditRole));
        QVERIFY(!model.setData(model.index(0, 1), "many", Qt::EditRole));
        QVERIFY(!model.setData(model.index(0, 1), "inf", Qt::EditRole));
        QCOMPARE(changed.count(), count + 1);
        QCOMPARE(model.text(), QStringLiteral("-1 2.5 1"));
        QVERIFY_EXCEPTION_THROWN(model.setText("1 2; 3"), Error);
        QCOMPARE(model.text(), QStringLiteral("-1 2.5 1"));
    }
    void theDialogGoesWithItsStep() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:zone-plate:80x60"));
        PipelineModel& pipeline = window->session().pipeline();
        QPointer<KernelEditor> editor = openEditor(*window, "1 2 1; 2 4 2; 1 2 1");
        QVERIFY(editor);
        editor->kernel().mirrorVertically();
        QVERIFY(QTest::qWaitFor([&] { return window->settled(); }, kPatience));
        // A recipe that has just been read begins with another operation.
        const Pipeline other = pipelineOf({"tonemap"});
        pipeline.replacePipeline(other, "Open it");
        QVERIFY(QTest::qWaitFor([&] { return !editor; }, kPatience));
        QCOMPARE(pipeline.rowCount(), 1);
        QCOMPARE(QString::fromStdString(toText(pipeline.step(0))), QString::fromStdString(toText(other.steps[0])));
        // And the window may go with one open.
        pipeline.undo();
        editor = openEditor(*window, "1 2 1; 2 4 2; 1 2 1");
        QVERIFY(editor);
        editor->kernel().resize(5, 5);
        window.reset();
        QVERIFY(!editor);
    }
    void typedTextIsAppliedToItsOwnStep() {
        auto window = shownWindow();
        PipelineModel& pipeline = window->session().pipeline();
        setSteps(*window, {"convolve:kernel=custom,weights=1", "convolve:kernel=custom,weights=1"});
        auto* list = window->pipelinePanel().findChild<QListView*>(QStringLiteral("steps"));
        QVERIFY(list);
        list->setCurrentIndex(pipeline.index(0));
        auto* text = window->pipelinePanel().form().editor("weights")->findChild<QPlainTextEdit*>();
        QVERIFY(text);
        text->setPlainText("1 2 1");
        // Before the pause in typing is over.
        list->setCurrentIndex(pipeline.index(1));
        QCOMPARE(text->toPlainText(), QStringLiteral("1"));
        QTest::qWait(500);
        QCOMPARE(std::get<std::string>(pipeline.step(0).parameters.get("weights")), std::string("1 2 1"));
        QCOMPARE(std::get<std::string>(pipeline.step(1).parameters.get("weights")), std::string("1"));
    }
    void stepsHaveKeysInTheirList() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:gradient:32x32"));
        window->activateWindow();
        QVERIFY(waitForActive(*window));
        auto* list = window->pipelinePanel().findChild<QListView*>(QStringLiteral("steps"));
        list->setFocus();
        QTest::keyClick(list, Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(window->session().pipeline().rowCount(), 2);
        QTest::keyClick(list, Qt::Key_Delete);
        QCOMPARE(window->session().pipeline().rowCount(), 1);
    }
    void editingIsLiveAndOkKeepsIt() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:zone-plate:80x60"));
        PipelineModel& pipeline = window->session().pipeline();
        KernelEditor* editor = openEditor(*window, "1 2 1; 2 4 2; 1 2 1");
        QVERIFY(editor);
        QCOMPARE(editor->facts(), QStringLiteral("Sum 16 · rank 1, separable"));
        // Type over the element in the middle, as a person does.
        QTableView& grid = editor->grid();
        QCOMPARE(grid.currentIndex(), editor->kernel().index(1, 1));
        QTest::keyClick(&grid, Qt::Key_9);
        auto* line = grid.findChild<QLineEdit*>();
        QVERIFY(line);
        QTest::keyClick(line, Qt::Key_Return);
        QVERIFY(QTest::qWaitFor([&] { return weights(pipeline) == "1 2 1\n2 9 2\n1 2 1"; }, kPatience));
        QVERIFY(editor->isVisible());
        QVERIFY(editor->facts().contains("rank 2"));
        editor->kernel().mirrorVertically();
        editor->kernel().resize(5, 3);
        QVERIFY(QTest::qWaitFor([&] { return weights(pipeline) == "0 1 2 1 0\n0 2 9 2 0\n0 1 2 1 0"; }, kPatience));
        QVERIFY(waitForIdle(*window));
        QVERIFY(!window->session().side(Side::a).error);
        editor->accept();
        QCOMPARE(weights(pipeline), std::string("0 1 2 1 0\n0 2 9 2 0\n0 1 2 1 0"));
        // All of it is one edit.
        pipeline.undo();
        QCOMPARE(weights(pipeline), std::string("1 2 1; 2 4 2; 1 2 1"));
        QVERIFY(waitForIdle(*window));
    }
    void numbersOfTheEditorFollowTheLocale() {
        const QLocale before;
        QLocale::setDefault(QLocale("de_DE"));
        {
            KernelEditor editor(QStringLiteral("0.5 -0.25; 1e-7 1"), QStringLiteral("1"), nullptr);
            QVERIFY2(editor.facts().startsWith(QStringLiteral("Sum 1,25 ")), qPrintable(editor.facts()));
            KernelModel& kernel = editor.kernel();
            const QModelIndex weight = kernel.index(0, 1);
            QCOMPARE(weight.data().toString(), QStringLiteral("−0,25"));
            QVERIFY2(weight.data(Qt::ToolTipRole).toString().endsWith(QStringLiteral("−0,25")), "tooltip");
            // A number that was not changed stays the same, with a comma or a point.
            QCOMPARE(weight.data(Qt::EditRole).toString(), QStringLiteral("-0,25"));
            for (const QModelIndex& each : {weight, kernel.index(1, 0)}) {
                const double value = kernel.kernel().at(each.column(), each.row());
                QVERIFY(kernel.setData(each, each.data(Qt::EditRole), Qt::EditRole));
                QCOMPARE(kernel.kernel().at(each.column(), each.row()), value);
            }
        }
        QLocale::setDefault(before);
    }
    void cancelRestoresAndLeavesNoEdit() {
        auto window = shownWindow();
        PipelineModel& pipeline = window->session().pipeline();
        KernelEditor* editor = openEditor(*window, "1 2; 3 4");
        QVERIFY(editor);
        const QString before = pipeline.undoText();
        editor->kernel().transpose();
        QVERIFY(QTest::qWaitFor([&] { return weights(pipeline) == "1 3\n2 4"; }, kPatience));
        QTest::keyClick(editor, Qt::Key_Escape);
        QCOMPARE(weights(pipeline), std::string("1 2; 3 4"));
        QCOMPARE(pipeline.undoText(), before);
        QVERIFY(!pipeline.canRedo());
    }
    void okWithoutAnEditChangesNothing() {
        auto window = shownWindow();
        PipelineModel& pipeline = window->session().pipeline();
        KernelEditor* editor = openEditor(*window, "[1, 2; 3, 4]");
        QVERIFY(editor);
        editor->accept();
        QCOMPARE(weights(pipeline), std::string("[1, 2; 3, 4]"));
    }
    void pastesWhatOtherProgramsPrint() {
        KernelEditor editor(QStringLiteral("1"), {}, nullptr);
        editor.pasteText("array([[ 0., -1.,  0.],\n       [-1.,  5., -1.],\n       [ 0., -1.,  0.]])");
        QCOMPARE(editor.kernel().text(), QStringLiteral("0 -1 0\n-1 5 -1\n0 -1 0"));
        editor.pasteText("[1 2; 3 4]");
        QCOMPARE(editor.kernel().text(), QStringLiteral("1 2\n3 4"));
        editor.grid().setCurrentIndex(editor.kernel().index(0, 1));
        editor.pasteText("7");
        QCOMPARE(editor.kernel().text(), QStringLiteral("1 7\n3 4"));
        QVERIFY(editor.problem().isEmpty());
        editor.show();
        const auto buttons = [&] {
            QList<QPoint> places;
            for (const QPushButton* button : editor.findChildren<QPushButton*>()) places << button->mapTo(&editor, QPoint());
            return places;
        };
        const QList<QPoint> before = buttons();
        QVERIFY(before.size() > 6);
        editor.pasteText("1 one two");
        QVERIFY2(editor.problem().startsWith("Not a matrix: could not read 'one' in line 1"), qPrintable(editor.problem()));
        QCoreApplication::processEvents();
        QCOMPARE(buttons(), before);
        editor.hide();
        QCOMPARE(editor.kernel().text(), QStringLiteral("1 7\n3 4"));
        // And through the clipboard, with the keys.
        QApplication::clipboard()->setText("1\t2\n3\t5");
        QTest::keyClick(&editor.grid(), Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(editor.kernel().text(), QStringLiteral("1 2\n3 5"));
        QVERIFY(editor.problem().isEmpty());
        QTest::keyClick(&editor.grid(), Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("1 2\n3 5"));
    }
    void everyStartIsAKernel() {
        KernelEditor editor(QStringLiteral("no matrix"), QStringLiteral("0 0 0; 0 1 0; 0 0 0"), nullptr);
        QVERIFY(!editor.problem().isEmpty());
        QCOMPARE(editor.kernel().rowCount(), 3);
        auto* menu = editor.findChild<QMenu*>();
        QVERIFY(menu);
        QCOMPARE(menu->actions().size(), static_cast<qsizetype>(builtInKernels().size()));
        for (QAction* action : menu->actions()) {
            for (const int size : {1, 4, 7}) {
                editor.kernel().setText("1");
                editor.kernel().resize(size, size);
                action->trigger();
                QVERIFY2(editor.kernel().kernel().absoluteSum() > 0, qPrintable(action->text()));
            }
        }
    }
    void everythingSaysWhatItDoes() {
        KernelEditor editor(QStringLiteral("1 2 1"), {}, nullptr);
        for (const QWidget* w : editor.findChildren<QWidget*>()) {
            const bool control =
                qobject_cast<const QPushButton*>(w) || qobject_cast<const QSpinBox*>(w) || qobject_cast<const QTableView*>(w);
            if (!control) continue;
            const auto* button = qobject_cast<const QPushButton*>(w);
            QVERIFY2(!w->toolTip().isEmpty(), w->metaObject()->className());
            QVERIFY2(!w->accessibleName().isEmpty() || (button && !button->text().isEmpty()), w->metaObject()->className());
            QVERIFY2(w->focusPolicy() != Qt::NoFocus, w->metaObject()->className());
        }
    }
    void theLargestKernelDoesNotFreeze() {
        Kernel large = builtInKernel(KernelKind::gaussian, 127);
        for (std::size_t i = 0; i < large.weights.size(); ++i) large.weights[i] += std::sin(static_cast<double>(i * i));
        Promptness prompt(5000);  // 0.1 s, but sanitizers are slow
        while (prompt.again()) {
            KernelEditor editor(QStringLiteral("1"), {}, nullptr);
            editor.show();
            QSignalSpy edited(&editor, &KernelEditor::textEdited);
            prompt.start();
            editor.kernel().setKernel(large);
            QVERIFY(edited.count() > 0 || edited.wait(kPatience));
            QVERIFY(editor.facts().contains("rank 127"));
            prompt.stop();
        }
        QVERIFY2(prompt.held(), prompt.text().c_str());
    }
    void presetsAreKept() {
        const QTemporaryDir folder;
        const Operation& operation = *processCatalog().operations().front();
        PresetStore store(processCatalog(), folder.path());
        QVERIFY(store.names(operation).isEmpty());
        ParameterBlock values(operation.parameters());
        values.set("size", ParameterValue(std::int64_t{11}));
        const QString strange = QStringLiteral("../ä/10 %2e*?");
        store.save(operation, "blur 10", values, false);
        store.save(operation, "Blur 9", values, false);
        store.save(operation, strange, values, false);
        QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot).size(), 1);  // nothing outside
        // A later start finds them all; how they are sorted depends on the locale.
        const QStringList found = PresetStore(processCatalog(), folder.path()).names(operation);
        QCOMPARE(QSet<QString>(found.begin(), found.end()), (QSet<QString>{"Blur 9", "blur 10", strange}));
        QVERIFY(store.load(operation, strange) == values);
        // Nothing is overwritten unasked.
        ParameterBlock others(operation.parameters());
        QVERIFY_EXCEPTION_THROWN(store.save(operation, "Blur 9", others, false), Error);
        QVERIFY(store.load(operation, "Blur 9") == values);
        store.save(operation, "Blur 9", others, true);
        QVERIFY(store.load(operation, "Blur 9") == others);
        QVERIFY_EXCEPTION_THROWN(store.rename(operation, "blur 10", "Blur 9"), Error);
        store.rename(operation, "blur 10", "  soft   one ");
        QVERIFY(store.contains(operation, "soft one") && !store.contains(operation, "blur 10"));
        QVERIFY_EXCEPTION_THROWN(store.save(operation, "  ", values, false), Error);
        QVERIFY_EXCEPTION_THROWN(store.save(operation, QString(500, QLatin1Char('x')), values, false), Error);
        store.remove(operation, strange);
        store.remove(operation, strange);  // gone is gone
        QCOMPARE(store.names(operation).size(), 2);
        QVERIFY_EXCEPTION_THROWN(store.load(operation, strange), Error);
        PresetStore nowhere(processCatalog(), "/proc/none");
        QVERIFY(nowhere.names(operation).isEmpty());
        QVERIFY_EXCEPTION_THROWN(nowhere.save(operation, "a", values, false), Error);
    }
    void presetsInTheWindow() {
        auto window = shownWindow();
        PipelineModel& pipeline = window->session().pipeline();
        PresetBar& bar = window->pipelinePanel().presets();
        const Operation& operation = *pipeline.step(0).operation;
        for (const QString& name : bar.store().names(operation)) bar.store().remove(operation, name);
        bar.setRow(0);
        const auto menuEntry = [&](const char* name) { return bar.findChild<QAction*>(QLatin1String(name)); };
        const auto type = [&](const QString& text) {
            auto* dialog = window->findChild<QInputDialog*>();
            QVERIFY(dialog);
            dialog->setTextValue(text);
            dialog->accept();
            delete dialog;
        };
        const auto press = [&](const QString& text) {
            auto* question = window->findChild<QMessageBox*>();
            QVERIFY(question);
            for (QAbstractButton* button : question->buttons())
                if (button->text() == text) return button->click();
            QFAIL("no such button");
        };
        QVERIFY(!bar.box().isEnabled());
        QVERIFY(!menuEntry("preset-rename")->isEnabled());
        pipeline.setParameter(0, "size", ParameterValue(std::int64_t{13}));
        menuEntry("preset-save")->trigger();
        type("wide");
        QCOMPARE(bar.box().currentText(), QStringLiteral("wide"));
        pipeline.setParameter(0, "size", ParameterValue(std::int64_t{3}));
        QCOMPARE(bar.box().currentIndex(), -1);  // no longer what the preset says
        // Chosen as a person does.
        bar.box().setCurrentIndex(0);
        emit bar.box().activated(0);
        QCOMPARE(std::get<std::int64_t>(pipeline.step(0).parameters.get("size")), 13);
        QCOMPARE(pipeline.undoText(), QStringLiteral("Preset wide"));
        pipeline.undo();
        QCOMPARE(std::get<std::int64_t>(pipeline.step(0).parameters.get("size")), 3);
        // The same name again is asked about.
        menuEntry("preset-save")->trigger();
        type("wide");
        QCOMPARE(std::get<std::int64_t>(bar.store().load(operation, "wide").get("size")), 13);
        press("Replace");
        QCOMPARE(std::get<std::int64_t>(bar.store().load(operation, "wide").get("size")), 3);
        qDeleteAll(window->findChildren<QMessageBox*>());
        menuEntry("preset-rename")->trigger();
        type("narrow");
        QCOMPARE(bar.store().names(operation), QStringList{"narrow"});
        QCOMPARE(bar.box().currentText(), QStringLiteral("narrow"));
        menuEntry("preset-remove")->trigger();
        press("Delete");
        QVERIFY(bar.store().names(operation).isEmpty());
        qDeleteAll(window->findChildren<QMessageBox*>());
        // A damaged file is listed, said to be damaged, and can be deleted; nothing else happens.
        bar.store().save(operation, "broken", pipeline.step(0).parameters, false);
        const QString path =
            PresetStore::standardFolder() + QLatin1Char('/') + QString::fromStdString(operation.id()) + QStringLiteral("/broken.json");
        QVERIFY(writeFile(path, "{\"schema\": 7"));
        bar.setRow(0);
        emit bar.box().activated(0);
        QVERIFY(window->messageBar().isVisible());
        QVERIFY(window->messageBar().message().plainText().contains("broken"));
        QCOMPARE(std::get<std::int64_t>(pipeline.step(0).parameters.get("size")), 3);
        menuEntry("preset-remove")->trigger();
        press("Delete");
        QVERIFY(!QFile::exists(path));
    }
    void presetsAndStatisticsComeWithTheOperation() {
        auto window = shownWindow();
        window->session().setTarget(Side::a, "reference");
        window->session().setTarget(Side::b, "reference");
        PipelineModel& pipeline = window->session().pipeline();
        setSteps(*window, {"convolve:size=3"});
        QVERIFY(openAndWait(*window, "synthetic:hdr-ramp:64x48,channels=3"));
        auto* statistics = window->pipelinePanel().findChild<QLabel*>("statistics");
        QVERIFY(statistics && statistics->isHidden());  // convolution finds out nothing
        // From the menu, where the palette finds it.
        window->findChild<QAction*>("add-tonemap")->trigger();
        QCOMPARE(pipeline.rowCount(), 2);
        QVERIFY(waitForIdle(*window));
        QVERIFY(!statistics->isHidden());
        QVERIFY2(statistics->text().contains("White point") && statistics->text().contains("Clipped"), qPrintable(statistics->text()));
        PresetBar& bar = window->pipelinePanel().presets();
        for (const QString& name : bar.store().names(*pipeline.step(1).operation)) bar.store().remove(*pipeline.step(1).operation, name);
        bar.setRow(1);
        QVERIFY(bar.box().isEnabled());
        QCOMPARE(bar.box().count(), static_cast<int>(presetsOf(*pipeline.step(1).operation).size()));
        QCOMPARE(bar.box().currentIndex(), -1);
        const int pfstools = bar.box().findData(QStringLiteral("pfstools"));
        emit bar.box().activated(pfstools);
        QCOMPARE(std::get<double>(pipeline.step(1).parameters.get("phi")), 1.0);
        QCOMPARE(std::get<std::string>(pipeline.step(1).parameters.get("operator")), std::string("global"));  // not mentioned: as it was
        QCOMPARE(bar.box().currentIndex(), pfstools);
        QCOMPARE(pipeline.undoText(), QStringLiteral("Preset As pfstools"));
        // Users cannot rename or delete them.
        QVERIFY(!bar.findChild<QAction*>("preset-rename")->isEnabled());
        QVERIFY(!bar.findChild<QAction*>("preset-remove")->isEnabled());
        pipeline.setParameter(1, "phi", ParameterValue(2.0));
        QCOMPARE(bar.box().currentIndex(), -1);
        pipeline.undo();
        // One's own preset of the same name stands beside it.
        bar.store().save(*pipeline.step(1).operation, "As pfstools", ParameterBlock(pipeline.step(1).operation->parameters()), true);
        bar.setRow(1);
        const int own = bar.box().count() - 1;
        QVERIFY(own > pfstools && bar.box().itemText(own) == bar.box().itemText(pfstools));
        emit bar.box().activated(own);
        QCOMPARE(std::get<double>(pipeline.step(1).parameters.get("phi")), 8.0);
        QCOMPARE(bar.box().currentIndex(), own);
        QVERIFY(bar.findChild<QAction*>("preset-remove")->isEnabled());
        bar.store().remove(*pipeline.step(1).operation, "As pfstools");
        // Only what the operator needs is shown.
        ParameterForm& form = window->pipelinePanel().form();
        for (const auto& [op, shown] :
             {std::pair{"global", "white"}, {"local", "phi"}, {"photoreceptor", "light"}, {"histogram", "bins"}}) {
            pipeline.setParameter(1, "operator", ParameterValue(std::string(op)));
            for (const char* key : {"white", "phi", "light", "bins"}) QCOMPARE(!form.editor(key)->isHidden(), std::string(key) == shown);
        }
        QVERIFY(waitForIdle(*window));
        QVERIFY(statistics->text().contains("Cut by the ceiling"));
        pipeline.setEnabled(1, false);
        QVERIFY(waitForIdle(*window));
        QVERIFY(statistics->isHidden());
    }
    /// PARALLAX_GRAB names a folder for pictures of the dialogs: to be looked at after a change.
    void dialogsCanBeLookedAt() {
        const QString folder = qEnvironmentVariable("PARALLAX_GRAB");
        if (folder.isEmpty()) QSKIP("PARALLAX_GRAB does not name a folder");
        for (const ThemeChoice theme : {ThemeChoice::light, ThemeChoice::dark}) {
            applyTheme(theme);
            const QString prefix = folder + (theme == ThemeChoice::dark ? QStringLiteral("/dark-") : QStringLiteral("/light-"));
            for (const auto kind : {KernelKind::sobelX, KernelKind::log, KernelKind::motion}) {
                KernelEditor editor(QString::fromStdString(kernelText(builtInKernel(kind, 7))), {}, nullptr);
                editor.show();
                if (kind == KernelKind::motion) editor.pasteText("what?");
                QTest::qWait(50);
                QVERIFY(editor.grab().save(prefix + QStringLiteral("kernel-%1.png").arg(static_cast<int>(kind))));
            }
        }
        auto window = shownWindow();
        PresetBar& bar = window->pipelinePanel().presets();
        const Operation& operation = *window->session().pipeline().step(0).operation;
        bar.store().save(operation, "soft", window->session().pipeline().step(0).parameters, true);
        window->session().pipeline().setParameter(0, "kernel", ParameterValue(std::string("custom")));
        window->session().pipeline().setParameter(0, "weights", ParameterValue(std::string("1 2 1")));
        bar.setRow(0);
        for (const ThemeChoice theme : {ThemeChoice::light, ThemeChoice::dark}) {
            applyTheme(theme);
            QVERIFY(openAndWait(*window, defaultSample()));
            const QString prefix = folder + (theme == ThemeChoice::dark ? QStringLiteral("/dark-") : QStringLiteral("/light-"));
            QVERIFY(window->pipelinePanel().grab().save(prefix + QStringLiteral("pipeline.png")));
        }
        bar.store().remove(operation, "soft");
        applyTheme(ThemeChoice::light);
    }
};

QTEST_MAIN(PipelineTest)
#include "pipeline_test.moc"
