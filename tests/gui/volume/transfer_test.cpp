// SPDX-License-Identifier: GPL-3.0-or-later
// The editor of transfer functions over the histogram of a volume: nodes by mouse and keyboard, presets, undo, the rendering that follows,
// and the step of the pipeline.
#include <QAction>
#include <QColorDialog>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>
#include <cmath>

#include "core/image/error.hpp"
#include "tests/gui/volume/volume_support.hpp"
#include "ui/pipeline/parameter_form.hpp"
#include "ui/pipeline/pipeline_panel.hpp"
#include "ui/transfer/transfer_dialog.hpp"
#include "ui/transfer/transfer_plot.hpp"
#include "ui/volume/volume_view.hpp"

using namespace parallax;
using namespace parallax::ui;

namespace {

const QString kPhantom = QStringLiteral("synthetic:shepp-logan:31x41x27");
const QString kCurve = QStringLiteral("0.1:0:#000000 0.3:0.2:#ff0000 0.9:0.5:#ffffff");

RenderState& stateOf(MainWindow& window) { return window.volumeView().renderings().state(); }
QString curveOf(MainWindow& window) { return QString::fromStdString(stateOf(window).parameters().text("curve")); }

/// A window with a volume and its rendering by kCurve.
std::unique_ptr<MainWindow> renderingWindow() {
    auto window = volumeWindow();
    window->setViewName("single");
    window->findChild<QAction*>("original")->setChecked(false);
    if (!openAndWait(*window, kPhantom)) return nullptr;
    window->findChild<QAction*>("rendering")->trigger();
    stateOf(*window).setMode("transfer", 0);
    stateOf(*window).set("curve", kCurve.toStdString());
    return waitForIdle(*window) ? std::move(window) : nullptr;
}

/// Opens the editor by the button over the rendering.
TransferDialog* openEditor(MainWindow& window) {
    RenderPane& pane = window.volumeView().renderings().pane(PaneRole::a);
    pane.bar().findChild<QToolButton*>("renderCurve")->click();
    auto* dialog = window.findChild<TransferDialog*>();
    const bool counted = dialog && QTest::qWaitFor([&] { return !dialog->counting(); }, kPatience);
    return counted && waitForActive(*dialog) ? dialog : nullptr;
}

const OpacityNode& node(TransferDialog& dialog, std::size_t i) { return dialog.plot().curve().nodes().at(i); }
QPoint placeOf(TransferDialog& dialog, std::size_t i) {
    return dialog.plot().placeOf(node(dialog, i).value, node(dialog, i).opacity).toPoint();
}

}  // namespace

class TransferTest : public QObject {
    Q_OBJECT
private slots:
    void textsOfCurvesSurviveTheRoundTrip() {
        for (const CurvePreset& preset : curvePresets(processCatalog().operation("render")))
            QCOMPARE(OpacityCurve(preset.curve).text(), preset.curve);
        QCOMPARE(OpacityCurve(kCurve).text(), kCurve);
        QCOMPARE(OpacityCurve(QStringLiteral(" -1e3:0  5:1 ")).text(), QStringLiteral("-1000:0:#ffffff 5:0.999:#ffffff"));
        QVERIFY_THROWS_EXCEPTION(Error, OpacityCurve(QStringLiteral("1:0 1:0")));
    }
    void nodesStayInOrderAndWithinTheLimits() {
        OpacityCurve curve(kCurve);
        curve.move(1, 5, 7);
        QVERIFY(curve.nodes()[1].value < 0.9 && curve.nodes()[1].value > 0.89);
        QCOMPARE(curve.nodes()[1].opacity, OpacityCurve::kMaxOpaque);
        curve.move(1, -5, -1);
        QVERIFY(curve.nodes()[1].value > 0.1 && curve.nodes()[1].value < 0.11);
        QCOMPARE(curve.nodes()[1].opacity, 0.0);
        QCOMPARE(OpacityCurve(curve.text()).nodes().size(), std::size_t{3});  // the operation accepts it
        QVERIFY(!curve.add(0.9, 0.1));                                        // there is one
        while (curve.nodes().size() < OpacityCurve::kMaxNodes) QVERIFY(curve.add(1 + 0.1 * static_cast<double>(curve.nodes().size()), 0.1));
        QVERIFY(!curve.add(100, 0.1));
        while (curve.nodes().size() > 2) QVERIFY(curve.remove(1));
        QVERIFY(!curve.remove(0));
        // Half-way in value is half-way in linear light.
        QCOMPARE(OpacityCurve(QStringLiteral("0:0:#000000 1:0.5:#ffffff")).at(0.5).colour.name(), QStringLiteral("#bcbcbc"));
    }
    void theRenderingFollowsADraggedNode() {
        auto window = renderingWindow();
        QVERIFY(window);
        TransferDialog* dialog = openEditor(*window);
        QVERIFY(dialog);
        QCOMPARE(dialog->plot().curve().text(), kCurve);
        const RenderPane& pane = window->volumeView().renderings().pane(PaneRole::a);
        const ImagePtr before = pane.picture();
        const QPoint from = placeOf(*dialog, 1), to = from + QPoint(60, -30);
        drag(dialog->plot(), from, to);
        QCOMPARE(dialog->plot().selected(), std::size_t{1});
        QVERIFY((dialog->plot().placeOf(node(*dialog, 1).value, node(*dialog, 1).opacity) - to).manhattanLength() < 3);
        QVERIFY(node(*dialog, 1).value > 0.3 && node(*dialog, 1).opacity > 0.2);
        QCOMPARE(curveOf(*window), dialog->plot().curve().text());
        QVERIFY(waitForIdle(*window));
        QVERIFY(pane.picture() != before);
        QCOMPARE(QString::fromStdString(pane.pictureParameters().text("curve")), curveOf(*window));
        // One step back is the whole drag.
        auto *undo = dialog->findChild<QToolButton*>("undoCurve"), *redo = dialog->findChild<QToolButton*>("redoCurve");
        const QString moved = curveOf(*window);
        QVERIFY(undo->isEnabled() && !redo->isEnabled());
        QTest::keyClick(&dialog->plot(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(curveOf(*window), kCurve);
        QVERIFY(!undo->isEnabled() && redo->isEnabled());
        redo->click();
        QCOMPARE(curveOf(*window), moved);
        // A node does not pass its neighbours.
        drag(dialog->plot(), placeOf(*dialog, 1), dialog->plot().rect().bottomRight());
        QVERIFY(node(*dialog, 1).value < node(*dialog, 2).value);
        QCOMPARE(node(*dialog, 1).opacity, 0.0);
    }
    void nodesAreAddedAndDeleted() {
        auto window = renderingWindow();
        QVERIFY(window);
        TransferDialog* dialog = openEditor(*window);
        QVERIFY(dialog);
        TransferPlot& plot = dialog->plot();
        const QPoint at = plot.placeOf(0.6, 0.7).toPoint();
        QTest::mouseDClick(&plot, Qt::LeftButton, {}, at);
        QCOMPARE(plot.curve().nodes().size(), std::size_t{4});
        QCOMPARE(plot.selected(), std::size_t{2});
        QVERIFY(std::fabs(node(*dialog, 2).value - 0.6) < 0.02 && std::fabs(node(*dialog, 2).opacity - 0.7) < 0.03);
        QCOMPARE(node(*dialog, 2).colour, OpacityCurve(kCurve).at(node(*dialog, 2).value).colour);
        QCOMPARE(curveOf(*window), plot.curve().text());
        QTest::keyClick(&plot, Qt::Key_Delete);
        QCOMPARE(curveOf(*window), kCurve);
        auto* remove = dialog->findChild<QToolButton*>("removeNode");
        remove->click();
        QCOMPARE(plot.curve().nodes().size(), std::size_t{2});
        QVERIFY(!remove->isEnabled());
        QTest::keyClick(&plot, Qt::Key_Delete);  // the operation needs two
        QCOMPARE(plot.curve().nodes().size(), std::size_t{2});
    }
    void keysMoveChooseAndAddNodes() {
        auto window = renderingWindow();
        QVERIFY(window);
        TransferDialog* dialog = openEditor(*window);
        QVERIFY(dialog);
        TransferPlot& plot = dialog->plot();
        QTest::keyClick(&plot, Qt::Key_Right, Qt::ControlModifier);
        QCOMPARE(plot.selected(), std::size_t{1});
        const double value = node(*dialog, 1).value;
        QTest::keyClick(&plot, Qt::Key_Right);
        const double step = node(*dialog, 1).value - value;
        QVERIFY(step > 0 && step < 0.1);
        QTest::keyClick(&plot, Qt::Key_Left, Qt::ShiftModifier);
        QVERIFY(std::fabs(node(*dialog, 1).value - (value + step - 10 * step)) < 1e-9);
        QTest::keyClick(&plot, Qt::Key_Up);
        QCOMPARE(node(*dialog, 1).opacity, 0.22);
        QCOMPARE(dialog->findChild<QDoubleSpinBox*>("nodeOpacity")->value(), 0.22);
        QTest::keyClick(&plot, Qt::Key_Insert);
        QCOMPARE(plot.curve().nodes().size(), std::size_t{4});
        QCOMPARE(plot.selected(), std::size_t{2});
        QCOMPARE(curveOf(*window), plot.curve().text());
        // From transparent, too.
        QTest::keyClick(&plot, Qt::Key_Left, Qt::ControlModifier);
        QTest::keyClick(&plot, Qt::Key_Left, Qt::ControlModifier);
        QCOMPARE(plot.selected(), std::size_t{0});
        QTest::keyClick(&plot, Qt::Key_Up);
        QCOMPARE(node(*dialog, 0).opacity, 0.005);
    }
    void fieldsAndColoursChangeTheSelectedNode() {
        auto window = renderingWindow();
        QVERIFY(window);
        TransferDialog* dialog = openEditor(*window);
        QVERIFY(dialog);
        QTest::mouseClick(&dialog->plot(), Qt::LeftButton, {}, placeOf(*dialog, 2));
        QCOMPARE(curveOf(*window), kCurve);  // a click alone moves nothing
        dialog->findChild<QDoubleSpinBox*>("nodeValue")->setValue(0.8);
        dialog->findChild<QDoubleSpinBox*>("nodeOpacity")->setValue(0.25);
        QTest::keyClick(&dialog->plot(), Qt::Key_Return);
        auto* colours = dialog->findChild<QColorDialog*>();
        QVERIFY(colours);
        QCOMPARE(colours->currentColor(), QColor(255, 255, 255));
        colours->setCurrentColor(QColor(0, 128, 255));
        colours->accept();
        QCOMPARE(curveOf(*window), QStringLiteral("0.1:0:#000000 0.3:0.2:#ff0000 0.8:0.25:#0080ff"));
    }
    void presetsReplaceTheCurve() {
        auto window = renderingWindow();
        QVERIFY(window);
        TransferDialog* dialog = openEditor(*window);
        QVERIFY(dialog);
        auto* preset = dialog->findChild<QComboBox*>("curvePreset");
        QCOMPARE(preset->currentIndex(), 0);  // custom
        const int lung = preset->findText(QStringLiteral("CT: lung"));
        QVERIFY(lung > 0);
        preset->setCurrentIndex(lung);
        emit preset->activated(lung);
        QVERIFY2(curveOf(*window).startsWith("-980:0:#16324f"), qPrintable(curveOf(*window)));
        QVERIFY(waitForIdle(*window));
        dialog->findChild<QToolButton*>("undoCurve")->click();
        QCOMPARE(curveOf(*window), kCurve);
        QCOMPARE(preset->currentIndex(), 0);
        // A preset of the menu over the rendering is shown here, too.
        window->volumeView().renderings().pane(PaneRole::a).bar().findChild<QAction*>("render-bone")->trigger();
        QCOMPARE(preset->currentText(), QStringLiteral("CT: bone"));
        QVERIFY(dialog->plot().curve().text().startsWith("180:0"));
    }
    void itIsOfferedForTransferFunctionsOnly() {
        auto window = renderingWindow();
        QVERIFY(window);
        RenderBar& bar = window->volumeView().renderings().pane(PaneRole::a).bar();
        auto* button = bar.findChild<QToolButton*>("renderCurve");
        auto* entry = bar.findChild<QAction*>("render-edit-curve");
        QVERIFY(button->isVisible() && entry->isEnabled());
        stateOf(*window).setMode("maximum", 0);
        QVERIFY(!button->isVisible() && !entry->isEnabled());
        stateOf(*window).setMode("transfer", 0);
        TransferDialog* dialog = openEditor(*window);
        QVERIFY(dialog);
        // The same one again.
        entry->trigger();
        QCOMPARE(window->findChildren<TransferDialog*>().size(), 1);
        window.reset();  // closes it
    }
    void aStepIsEditedTheSameWay() {
        auto window = volumeWindow();
        QVERIFY(openAndWait(*window, kPhantom));
        setSteps(*window, {"render:mode=transfer,curve='" + kCurve.toStdString() + "',width=60"});
        QVERIFY(waitForIdle(*window));
        ParameterForm& form = window->pipelinePanel().form();
        ParameterEditor* editor = form.editor("curve");
        QVERIFY(editor && editor->isVisible());
        QCOMPARE(editor->findChild<QLineEdit*>()->text(), kCurve);
        editor->findChild<QPushButton*>("editCurve")->click();
        auto* dialog = window->findChild<TransferDialog*>();
        QVERIFY(dialog);
        QTRY_VERIFY_WITH_TIMEOUT(!dialog->counting(), kPatience);
        PipelineModel& pipeline = window->session().pipeline();
        const auto stored = [&] { return QString::fromStdString(pipeline.step(0).parameters.text("curve")); };
        const ImagePtr before = window->session().imageOf(PaneRole::a);
        // A drag of several moves is one change of the pipeline.
        const QPoint from = placeOf(*dialog, 1);
        TransferPlot& plot = dialog->plot();
        QTest::mousePress(&plot, Qt::LeftButton, {}, from);
        for (const QPoint by : {QPoint(10, -5), QPoint(20, -10), QPoint(40, -20)}) {
            QMouseEvent move(QEvent::MouseMove, from + by, plot.mapToGlobal(QPointF(from + by)), Qt::NoButton, Qt::LeftButton, {});
            QApplication::sendEvent(&plot, &move);
        }
        QTest::mouseRelease(&plot, Qt::LeftButton, {}, from + QPoint(40, -20));
        QVERIFY(stored() != kCurve);
        QCOMPARE(stored(), plot.curve().text());
        QVERIFY(waitForIdle(*window));
        QVERIFY(window->session().imageOf(PaneRole::a) != before);
        pipeline.undo();
        QCOMPARE(stored(), kCurve);
        QCOMPARE(plot.curve().text(), kCurve);
        // Another step in the form closes it.
        setSteps(*window, {"convolve:kernel=box,size=3"});
        QTRY_VERIFY_WITH_TIMEOUT(window->findChildren<TransferDialog*>().isEmpty(), kPatience);
        QVERIFY(waitForIdle(*window));
    }
};

QTEST_MAIN(TransferTest)
#include "transfer_test.moc"
