// SPDX-License-Identifier: GPL-3.0-or-later
// Edits of pipelines and panes, and how they are undone.
#include <QAbstractItemModelTester>
#include <QLocale>
#include <QMimeData>
#include <QSignalSpy>
#include <QTest>
#include <utility>

#include "ui/models/document/setup_json.hpp"
#include "ui/models/pipeline/pane_edits.hpp"
#include "ui/models/pipeline/pipeline_model.hpp"
#include "ui/models/pipeline/step_text.hpp"

using namespace parallax;
using namespace parallax::ui;

namespace {

constexpr auto kMode = QAbstractItemModelTester::FailureReportingMode::QtTest;

}  // namespace

class EditsTest : public QObject {
    Q_OBJECT
private slots:
    void pipelineEdits() {
        PipelineModel model(processCatalog());
        QAbstractItemModelTester tester(&model, kMode);
        QSignalSpy changed(&model, &PipelineModel::pipelineChanged);
        const Operation& operation = *processCatalog().operations().front();
        model.addStep(operation);
        model.addStep(operation);
        model.setParameter(0, "size", ParameterValue(std::int64_t{9}));
        model.setParameter(0, "size", ParameterValue(std::int64_t{11}));
        QCOMPARE(std::get<std::int64_t>(model.step(0).parameters.get("size")), 11);
        model.moveStep(0, 1);
        QCOMPARE(std::get<std::int64_t>(model.step(1).parameters.get("size")), 11);
        model.duplicateStep(1);
        QCOMPARE(model.rowCount(), 3);
        model.removeStep(0);
        QVERIFY(model.setData(model.index(0), Qt::Unchecked, Qt::CheckStateRole));
        QVERIFY(!model.step(0).enabled);
        QVERIFY(changed.count() >= 7);

        while (model.canUndo()) model.undo();
        QCOMPARE(model.rowCount(), 0);
        while (model.canRedo()) model.redo();
        QCOMPARE(model.rowCount(), 2);
        QVERIFY(!model.step(0).enabled);
    }
    void editsOfPanesAreUndone() {
        PipelineModel model(processCatalog());
        model.addStep(processCatalog().operation("convolve"));
        model.clearHistory();
        const CompareSetup start = model.setup();

        setTarget(model, Side::a, Target{.backend = "reference", .variant = {}});
        setTarget(model, Side::b, Target{.backend = "openmp", .variant = {}});
        QCOMPARE(model.setup().pane(Side::a).target.backend, std::string("reference"));
        setInput(model, Side::b, QStringLiteral("other.exr"));
        setOwnSteps(model, Side::b, true);
        model.setActive(Side::b);
        model.setParameter(0, "size", ParameterValue(std::int64_t{11}));
        const auto size = [&](Side side) {
            return std::get<std::int64_t>(model.setup().stepsOf(side).steps.front().parameters.get("size"));
        };
        QCOMPARE(size(Side::b), 11);
        QVERIFY(size(Side::a) != 11);
        duplicatePane(model, Side::b);
        QCOMPARE(model.active(), Side::c);
        QCOMPARE(model.setup().pane(Side::c).input, QStringLiteral("other.exr"));
        setReference(model, Side::c);
        swapPanes(model, Side::a, Side::b);
        QCOMPARE(size(Side::a), 11);
        removePane(model, Side::a);
        QCOMPARE(model.setup().panes.size(), std::size_t{2});
        QCOMPARE(model.reference(), Side::b);  // the pane that was C

        const CompareSetup end = model.setup();
        const InputRule unchanged = [](const QString& input) { return input; };
        QVERIFY(sameSetup(compareSetupFromJson(processCatalog(), toJson(end, unchanged), unchanged), end));
        while (model.canUndo()) model.undo();
        QVERIFY(sameSetup(model.setup(), start));
        while (model.canRedo()) model.redo();
        QVERIFY(sameSetup(model.setup(), end));
    }
    void atMostNinePanesAndAtLeastTwo() {
        PipelineModel model(processCatalog());
        for (int i = 0; i < 20; ++i) addPane(model);
        QCOMPARE(model.setup().panes.size(), std::size_t{kMaxSides});
        for (int i = 0; i < 20; ++i) removePane(model, Side::b);
        QCOMPARE(model.setup().panes.size(), std::size_t{2});
    }
    void aContactSheetIsAdoptedOrClosed() {
        PipelineModel model(processCatalog());
        model.addStep(processCatalog().operation("convolve"));
        std::vector<Pipeline> steps;
        for (const std::int64_t size : {3, 5, 7}) {
            steps.push_back(model.pipeline());
            steps.back().steps.front().parameters.set("size", ParameterValue(size));
        }
        const CompareSetup before = model.setup();
        showSheet(model, steps, QStringLiteral("Sheet"));
        QCOMPARE(model.setup().panes.size(), std::size_t{3});
        closeSheet(model);
        QVERIFY(sameSetup(model.setup(), before));
        showSheet(model, steps, QStringLiteral("Sheet"));
        adoptSteps(model, Side::c);
        QCOMPARE(model.setup().panes.size(), before.panes.size());
        QCOMPARE(std::get<std::int64_t>(model.setup().shared.steps.front().parameters.get("size")), 7);
    }
    void aDraggedSliderIsOneEdit() {
        PipelineModel model(processCatalog());
        model.addStep(*processCatalog().operations().front());
        for (std::int64_t size = 3; size < 30; size += 2) model.setParameter(0, "size", ParameterValue(size));
        model.undo();
        const ParameterTableBase& table = model.step(0).parameters.table();
        QCOMPARE(model.step(0).parameters.get("size"), table.infos()[static_cast<std::size_t>(table.find("size"))].defaultValue);
        QVERIFY(model.canUndo());  // adding the step
    }
    void editsAreNamedAndMergedBetweenBeginAndEnd() {
        PipelineModel model(processCatalog());
        model.addStep(*processCatalog().operations().front());
        const auto size = [&](std::int64_t value) { model.setParameter(0, "size", ParameterValue(value)); };
        size(6);
        size(7);
        QCOMPARE(model.undoText(), QStringLiteral("Size 5 → 7"));
        model.beginMerge();
        size(9);
        size(5);
        size(11);
        model.endMerge();
        QCOMPARE(model.undoText(), QStringLiteral("Size 7 → 11"));
        // A drag that ends at its start is not an edit.
        model.beginMerge();
        size(21);
        size(11);
        model.endMerge();
        QCOMPARE(model.undoText(), QStringLiteral("Size 7 → 11"));
        model.undo();
        QCOMPARE(model.undoText(), QStringLiteral("Size 5 → 7"));
        QCOMPARE(model.redoText(), QStringLiteral("Size 7 → 11"));
        size(8);  // after an undo no edits are merged
        QCOMPARE(model.undoText(), QStringLiteral("Size 7 → 8"));
        QVERIFY(!model.canRedo());
        model.setParameter(0, "kernel", ParameterValue(std::string("box")));
        QCOMPARE(model.undoText(), QStringLiteral("Kernel Gaussian → Box"));
        model.setParameter(0, "normalise", ParameterValue(std::string("false")));
        QCOMPARE(model.undoText(), QStringLiteral("Normalise Automatic → Off"));
        model.replacePipeline({}, QStringLiteral("Open x.json"));
        QCOMPARE(model.rowCount(), 0);
        QCOMPARE(model.undoText(), QStringLiteral("Open x.json"));
        model.undo();
        QCOMPARE(model.rowCount(), 1);
        QCOMPARE(std::get<std::string>(model.step(0).parameters.get("normalise")), std::string("false"));
    }
    void numbersOfStepsFollowTheLocale() {
        PipelineModel model(processCatalog());
        model.setPipeline({{parseStep(processCatalog(), "convolve:size=7,sigma=2.5")}});
        Pipeline other = model.pipeline();
        other.steps.front().parameters.set("sigma", ParameterValue(0.25));
        const QLocale before;
        for (const auto& [locale, sign] : {std::pair(QLocale::c(), '.'), std::pair(QLocale(QLocale::German, QLocale::Germany), ',')}) {
            const auto local = [sign = sign](QString text) { return text.replace(QLatin1Char('.'), QLatin1Char(sign)); };
            QLocale::setDefault(locale);
            QCOMPARE(model.data(model.index(0), Qt::DisplayRole).toString(),
                     local(QStringLiteral("Convolution: Gaussian 7 × 7, Sigma 2.5")));
            QCOMPARE(recipeText({toText(model.step(0)), "convolve:kernel=motion,angle=22.5"}),
                     local(QStringLiteral("Convolution: Gaussian 7 × 7, Sigma 2.5 → Convolution: Motion blur 5 × 5, Angle 22.5°")));
            QCOMPARE(stepsNote(model.pipeline(), other), local(QStringLiteral("Sigma 0.25")));
            model.setParameter(0, "sigma", ParameterValue(0.5));
            QCOMPARE(model.undoText(), local(QStringLiteral("Sigma 2.5 → 0.5")));
            model.undo();
            // Recipes and command lines do not depend on the locale.
            QCOMPARE(toText(model.step(0)), std::string("convolve:size=7,sigma=2.5"));
        }
        QLocale::setDefault(before);
    }
    void inputsBeyondThePanesAddOne() {
        PipelineModel model(processCatalog());
        QCOMPARE(setInputs(model, 8, {"late.exr"}), 1);  // panes may have been removed since the drop
        QCOMPARE(model.setup().panes.size(), std::size_t{3});
        QCOMPARE(model.setup().pane(Side::c).input, QStringLiteral("late.exr"));
        QVERIFY(!model.undoText().contains("late"));
    }
    void historyIsBounded() {
        PipelineModel model(processCatalog());
        model.addStep(*processCatalog().operations().front());
        const std::string longText(std::size_t{2} << 20, ' ');
        for (int i = 0; i < 40; ++i) {
            model.setParameter(0, "weights", ParameterValue(longText + std::to_string(i)));
            model.setParameter(0, "size", ParameterValue(std::int64_t{3 + i}));
        }
        int undone = 0;
        for (; model.canUndo(); ++undone) model.undo();
        QVERIFY2(undone >= 4 && undone <= 16, qPrintable(QString::number(undone)));
    }
    void stepsAreReorderedByDragging() {
        PipelineModel model(processCatalog());
        QAbstractItemModelTester tester(&model, kMode);
        for (std::int64_t size : {3, 5, 7}) {
            model.addStep(*processCatalog().operations().front());
            model.setParameter(model.rowCount() - 1, "size", ParameterValue(size));
        }
        const auto order = [&] {
            QList<int> sizes;
            for (int row = 0; row < model.rowCount(); ++row)
                sizes << static_cast<int>(std::get<std::int64_t>(model.step(row).parameters.get("size")));
            return sizes;
        };
        QVERIFY(model.index(0).flags() & Qt::ItemIsDragEnabled);
        const auto drop = [&](int from, int before) {
            const std::unique_ptr<QMimeData> data(model.mimeData({model.index(from)}));
            return model.dropMimeData(data.get(), Qt::MoveAction, before, 0, {});
        };
        QVERIFY(drop(0, 3));
        QCOMPARE(order(), (QList<int>{5, 7, 3}));
        QVERIFY(drop(2, 1));
        QCOMPARE(order(), (QList<int>{5, 3, 7}));
        QVERIFY(!drop(1, 1));
        QVERIFY(!drop(1, 2));
        QVERIFY(model.moveRows({}, 2, 1, {}, 0));
        QCOMPARE(order(), (QList<int>{7, 5, 3}));
        QMimeData strange;
        strange.setText(QStringLiteral("0"));
        QVERIFY(!model.dropMimeData(&strange, Qt::MoveAction, 1, 0, {}));
        model.undo();
        QCOMPARE(order(), (QList<int>{5, 3, 7}));
    }
    void invalidValuesChangeNothing() {
        PipelineModel model(processCatalog());
        model.addStep(*processCatalog().operations().front());
        QVERIFY_EXCEPTION_THROWN(model.setParameter(0, "size", ParameterValue(std::int64_t{100000})), Error);
        QCOMPARE(model.undoText(), QStringLiteral("Add Convolution"));
    }
};

QTEST_GUILESS_MAIN(EditsTest)
#include "edits_test.moc"
