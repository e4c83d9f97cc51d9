// SPDX-License-Identifier: GPL-3.0-or-later
// The Inspector as a panel that scrolls: sections, labels, the wheel, and marks of the histogram that can be dragged and undone.
#include <QAbstractSpinBox>
#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSlider>
#include <QTableView>
#include <QTableWidget>
#include <QtTest>

#include "tests/gui/gui_support.hpp"
#include "ui/charts/plot.hpp"
#include "ui/charts/timing_panel.hpp"
#include "ui/inspector/inspector_panel.hpp"
#include "ui/inspector/view_panel.hpp"
#include "ui/inspector/worst_pixels_panel.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/models/view/display_curve.hpp"
#include "ui/models/view/pixel_model.hpp"
#include "ui/pipeline/parameter_form.hpp"
#include "ui/pipeline/pipeline_panel.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/collapsible_section.hpp"
#include "ui/theme/full_table.hpp"

namespace parallax::ui {
namespace {

/// Controls of both panels whose value the wheel could change.
QList<QWidget*> wheelControls(MainWindow& window) {
    QList<QWidget*> controls;
    for (QWidget* panel : {static_cast<QWidget*>(&window.inspectorPanel()), static_cast<QWidget*>(&window.pipelinePanel())})
        for (QWidget* widget : panel->findChildren<QWidget*>())
            if ((qobject_cast<QComboBox*>(widget) || qobject_cast<QAbstractSpinBox*>(widget) || qobject_cast<QSlider*>(widget)) &&
                widget->isVisible())
                controls << widget;
    return controls;
}

QString valueOf(const QWidget* widget) {
    if (const auto* box = qobject_cast<const QComboBox*>(widget)) return box->currentText();
    if (const auto* box = qobject_cast<const QAbstractSpinBox*>(widget)) return box->text();
    return QString::number(static_cast<const QSlider*>(widget)->value());
}

QCustomPlot* plotOf(MainWindow& window) { return window.findChild<QCustomPlot*>("histogramPlot"); }

/// Sent events do not reach the parent, so the test looks at their acceptance.
bool passesWheelOn(QWidget& widget) {
    const QPointF at = QRectF(widget.rect()).center();
    QWheelEvent event(at, widget.mapToGlobal(at), {}, {0, -120}, Qt::NoButton, {}, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&widget, &event);
    return !event.isAccepted();
}

/// Where a value is drawn in the histogram.
QPoint positionOf(MainWindow& window, double value) {
    const QCPAxisRect& axes = *plotOf(window)->axisRect(0);
    return {static_cast<int>(std::lround(axes.axis(QCPAxis::atBottom)->coordToPixel(value))), axes.bottom() - 10};
}

}  // namespace

class InspectorTest : public QObject {
    Q_OBJECT

private slots:
    void theWheelChangesOnlyTheFocusedControl() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:hdr-ramp:200x50"));
        const QList<QWidget*> controls = wheelControls(*window);
        QVERIFY2(controls.size() > 12, qPrintable(QString::number(controls.size())));
        for (QWidget* control : controls) {
            QVERIFY2(control->focusPolicy() != Qt::WheelFocus, qPrintable(control->accessibleName()));
            window->setFocus();
            const QString before = valueOf(control);
            for (const int delta : {120, -120, -120}) {
                wheel(*control, control->rect().center(), delta);
                QVERIFY2(valueOf(control) == before, qPrintable(control->accessibleName()));
            }
        }
        // With the focus, it does.
        QVERIFY(waitForActive(*window));
        auto* exposure = window->findChild<QSlider*>("exposureSlider");
        exposure->setFocus();
        const int before = exposure->value();
        wheel(*exposure, exposure->rect().center(), 120);
        QVERIFY(exposure->value() != before);
    }
    void tablesAndTheHistogramPassTheWheelOn() {
        auto window = shownWindow({1000, 650});
        QVERIFY(openAndWait(*window, "synthetic:hdr-ramp:200x50"));
        auto* area = window->inspectorPanel().findChild<QScrollArea*>();
        QVERIFY(area->verticalScrollBar()->maximum() > 0);
        const auto tables = window->inspectorPanel().findChildren<QTableView*>();
        QVERIFY(!tables.isEmpty());
        for (const QTableView* table : tables) {
            QVERIFY2(table->verticalScrollBar()->maximum() == 0, qPrintable(table->accessibleName()));
            if (!table->isVisible()) continue;
            QVERIFY2(passesWheelOn(*table->viewport()), qPrintable(table->accessibleName()));
        }
        QVERIFY(passesWheelOn(*plotOf(*window)));
        // The area itself takes it.
        QVERIFY(!passesWheelOn(*area->viewport()));
        QVERIFY(area->verticalScrollBar()->value() > 0);
    }
    void longTablesShowAllOnRequest() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:noise:100x80"));
        setSteps(*window, {"convolve:size=9"});
        window->session().setTarget(Side::b, "reference");
        QVERIFY(waitForIdle(*window));
        bool tested = false;
        for (FullTable* full : window->inspectorPanel().findChildren<FullTable*>()) {
            if (!full->button().isVisible()) continue;
            tested = true;
            const int before = full->table().height();
            full->button().click();
            QVERIFY(full->table().height() > before);
            QTRY_COMPARE_WITH_TIMEOUT(full->table().verticalScrollBar()->maximum(), 0, kPatience);
            full->button().click();
            QCOMPARE(full->table().height(), before);
        }
        QVERIFY(tested);
    }
    void sectionsCloseByKeyboardAndStayClosed() {
        {
            auto window = shownWindow();
            QVERIFY(openAndWait(*window, "synthetic:gradient:60x40"));
            auto* section = window->findChild<CollapsibleSection*>("sectionHistogram");
            QVERIFY(section && section->isOpen() && plotOf(*window)->isVisible());
            QTest::keyClick(&section->header(), Qt::Key_Space);
            QVERIFY(!section->isOpen() && !plotOf(*window)->isVisible());
            QTest::keyClick(&section->header(), Qt::Key_Right);
            QVERIFY(section->isOpen());
            QTest::keyClick(&section->header(), Qt::Key_Return);
            QVERIFY(!section->isOpen());
        }
        auto window = shownWindow();
        auto* section = window->findChild<CollapsibleSection*>("sectionHistogram");
        QVERIFY(!section->isOpen());
        QTest::mouseClick(&section->header(), Qt::LeftButton);
        QVERIFY(section->isOpen());
    }
    void controlsHaveLabels() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:hdr-ramp:200x50"));
        for (QWidget* panel : {static_cast<QWidget*>(&window->inspectorPanel()), static_cast<QWidget*>(&window->timingPanel())}) {
            QSet<const QWidget*> labelled;
            for (const QLabel* label : panel->findChildren<QLabel*>())
                if (!label->text().isEmpty()) labelled << label->buddy();
            const QList<QComboBox*> boxes = panel->findChildren<QComboBox*>();
            QVERIFY(boxes.size() >= 5);
            for (const QComboBox* box : boxes) QVERIFY2(labelled.contains(box), qPrintable(box->accessibleName()));
            for (const char* name : {"sweepValues", "threadValues"})
                if (const auto* values = panel->findChild<QLineEdit*>(QLatin1String(name))) QVERIFY2(labelled.contains(values), name);
        }
    }
    void slidersAreLongEnough() {
        auto window = shownWindow({1000, 650});
        QVERIFY(openAndWait(*window, "synthetic:hdr-ramp:200x50"));
        setSteps(*window, {"tonemap"});
        QVERIFY(waitForIdle(*window));
        // The panels are behind each other in a low window.
        QSet<QString> seen;
        for (const char* dock : {"pipelineDock", "inspectorDock"}) {
            window->findChild<QDockWidget*>(dock)->raise();
            QCoreApplication::processEvents();
            for (QWidget* control : wheelControls(*window))
                if (auto* slider = qobject_cast<QSlider*>(control)) {
                    seen << slider->accessibleName();
                    QVERIFY2(slider->width() >= 120, qPrintable(slider->accessibleName() + QString::number(slider->width())));
                }
        }
        QVERIFY(seen.size() >= 4 && seen.contains("Exposure slider"));
    }
    void parametersKeepTypedValuesBeyondTheirSlider() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:hdr-ramp:200x50"));
        setSteps(*window, {"tonemap"});
        QVERIFY(waitForIdle(*window));
        PipelineModel& pipeline = window->session().pipeline();
        const auto white = [&] { return std::get<double>(pipeline.step(0).parameters.get("white")); };
        ParameterEditor& editor = *window->pipelinePanel().form().editor("white");
        auto* slider = editor.findChild<QSlider*>();
        auto* box = editor.findChild<QDoubleSpinBox*>();
        QVERIFY(slider && box);
        box->setValue(1e6);
        QCOMPARE(white(), 1e6);
        QCOMPARE(slider->value(), slider->maximum());
        slider->setValue(slider->maximum() - 1);
        const double largest = valueScaleOf(*window->session().original()).largest;
        QVERIFY2(white() > largest / 2 && white() <= largest, qPrintable(QString::number(white())));
        QTest::mouseDClick(slider, Qt::LeftButton);
        QCOMPARE(white(), 0.0);
        // An odd size is reached from both sides.
        setSteps(*window, {"convolve:kernel=sharpen,size=5"});
        QVERIFY(waitForIdle(*window));
        auto* size = window->pipelinePanel().form().editor("size")->findChild<QSlider*>();
        QTest::keyClick(size, Qt::Key_Left);
        QCOMPARE(std::get<std::int64_t>(pipeline.step(0).parameters.get("size")), std::int64_t{3});
        QTest::keyClick(size, Qt::Key_Right);
        QCOMPARE(std::get<std::int64_t>(pipeline.step(0).parameters.get("size")), std::int64_t{5});
    }
    void stepsAreListedInWords() {
        auto window = shownWindow();
        setSteps(*window, {"convolve:kernel=custom,size=9,weights='0 -1 0\n-1 5 -1\n0 -1 0'"});
        QCOMPARE(window->session().pipeline().index(0).data().toString(), QStringLiteral("Convolution: Custom 3 × 3"));
    }
    void doubleClicksOnSlidersReset() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:hdr-ramp:200x50"));
        for (const char* name : {"exposureSlider", "offsetSlider"}) {
            auto* slider = window->findChild<QSlider*>(name);
            slider->setValue(slider->maximum() / 2);
            QVERIFY(slider->value() != 0);
            QTest::mouseDClick(slider, Qt::LeftButton);
            QCOMPARE(slider->value(), 0);
        }
    }
    void clicksInTheHistogramChangeNothing() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:hdr-ramp:200x50"));
        QVERIFY(plotOf(*window));
        const DisplaySettings before = window->view().display();
        for (const double part : {0.35, 0.55, 0.9})
            QTest::mouseClick(plotOf(*window), Qt::LeftButton, {},
                              QPoint(static_cast<int>(part * plotOf(*window)->width()), plotOf(*window)->height() / 2));
        // One of them may hit a mark, which a click does not move.
        QVERIFY(window->view().display() == before);
    }
    void marksAreDraggedAndUndone() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:hdr-ramp:200x50"));
        ViewState& view = window->view();
        const DisplaySettings first = view.display();
        QCustomPlot& plot = *plotOf(*window);
        QAction &undo = *window->findChild<QAction*>("undo"), &redo = *window->findChild<QAction*>("redo");
        const QPoint aim(plot.axisRect(0)->left() + plot.axisRect(0)->width() * 3 / 4, plot.axisRect(0)->bottom() - 10);
        const auto moveTo = [&](QPoint to) {
            QMouseEvent move(QEvent::MouseMove, to, plot.mapToGlobal(QPointF(to)), Qt::NoButton, Qt::LeftButton, {});
            QApplication::sendEvent(&plot, &move);
        };
        const auto dragMark = [&](QPoint from, QPoint to) {
            QTest::mousePress(&plot, Qt::LeftButton, {}, from);
            for (const int before : {20, 10, 0}) moveTo(to - QPoint(before, 0));
            QTest::mouseRelease(&plot, Qt::LeftButton, {}, to);
        };
        const auto dragWhite = [&] { dragMark(positionOf(*window, whiteOf(view.display())), aim); };
        // A drag is one entry, however many places it passes.
        dragWhite();
        const DisplaySettings brighter = view.display();
        QVERIFY(brighter.exposure != first.exposure);
        const QString expected = QStringLiteral("White point %1 → %2").arg(formatNumber(whiteOf(first)), formatNumber(whiteOf(brighter)));
        QCOMPARE(window->session().pipeline().undoText(), expected);
        undo.trigger();
        QVERIFY(view.display() == first && !undo.isEnabled());
        redo.trigger();
        QVERIFY(view.display() == brighter && !redo.isEnabled());
        // Other settings of the view stay, and steps have their own entries.
        window->session().pipeline().setEnabled(0, false);
        const QPoint black(plot.axisRect(0)->left() + 1, aim.y());  // 0 is beyond the logarithmic axis
        dragMark(black, (black + aim) / 2);
        QVERIFY(blackOf(view.display()) > 0);
        QVERIFY(window->session().pipeline().undoText().startsWith("Black point 0 → "));
        DisplaySettings marked = view.display();
        marked.clippingMarks = true;
        view.setDisplay(marked);
        undo.trigger();
        QVERIFY(view.display().clippingMarks && blackOf(view.display()) == 0);
        QVERIFY(!window->session().pipeline().step(0).enabled);
        undo.trigger();
        QVERIFY(window->session().pipeline().step(0).enabled && view.display().exposure == brighter.exposure);
        undo.trigger();
        QVERIFY(view.display().exposure == first.exposure && !undo.isEnabled());
        // A double click and the button reset both, and Undo reverts that.
        for (const bool button : {false, true}) {
            dragWhite();
            if (button) window->findChild<QPushButton*>("resetLevels")->click();
            else QTest::mouseDClick(&plot, Qt::LeftButton, {}, positionOf(*window, whiteOf(view.display())));
            QTest::mouseRelease(&plot, Qt::LeftButton);
            QVERIFY(view.display().exposure == first.exposure && view.display().offset == first.offset);
            QCOMPARE(window->session().pipeline().undoText(), QStringLiteral("Reset levels"));
            undo.trigger();
            QVERIFY(view.display().exposure == brighter.exposure);
            undo.trigger();
        }
        // Escape cancels a drag.
        QTest::mousePress(&plot, Qt::LeftButton, {}, positionOf(*window, whiteOf(view.display())));
        moveTo(aim);
        QVERIFY(view.display().exposure != first.exposure);
        QTest::keyClick(&plot, Qt::Key_Escape);
        QVERIFY(view.display().exposure == first.exposure);
        QTest::mouseRelease(&plot, Qt::LeftButton, {}, aim);
        QVERIFY(!undo.isEnabled());
        // Measurements bring a window of their own, to which these entries do not belong.
        dragWhite();
        QVERIFY(undo.isEnabled());
        QVERIFY(openAndWait(*window, "synthetic:shepp-logan:24x24x8"));
        QVERIFY(!undo.isEnabled() && !redo.isEnabled());
    }
    void choosingALargestDifferenceFillsThePixelTable() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:noise:100x80"));
        setSteps(*window, {"convolve:size=9"});
        window->session().setTarget(Side::b, "reference");
        QVERIFY(waitForIdle(*window));
        auto& table = window->findChild<WorstPixelsPanel*>()->table();
        QVERIFY(table.rowCount() > 0);
        emit table.cellClicked(0, 0);
        const auto mark = window->view().mark();
        QVERIFY(mark && !window->view().cursor());
        const auto sample = window->inspectorPanel().pixels().sample(0, PixelModel::originalColumn);
        QVERIFY(sample);
        QCOMPARE(*sample, static_cast<double>(window->session().original()->view().at(mark->x, mark->y, 0, 0)));
        // No difference is left: neither is its mark.
        window->session().setTarget(Side::a, "reference");
        QVERIFY(waitForIdle(*window));
        QVERIFY(!window->view().mark());
    }
    void largestDifferencesHaveRoomInTheirColumns() {
        auto window = shownWindow({1000, 650});
        QVERIFY(openAndWait(*window, "synthetic:noise:3000x1200"));
        setSteps(*window, {"convolve:size=3,sigma=2"});
        window->session().setTarget(Side::a, "openmp");
        window->session().setTarget(Side::b, "reference");
        QVERIFY(waitForIdle(*window));
        QTableWidget& table = window->findChild<WorstPixelsPanel*>()->table();
        window->findChild<QDockWidget*>("inspectorDock")->raise();
        QCoreApplication::processEvents();
        QVERIFY(table.rowCount() > 0 && table.isVisible());
        for (int column = 0; column < table.columnCount(); ++column)
            for (int row = 0; row < table.rowCount(); ++row) {
                const QString text = table.item(row, column)->text();
                QVERIFY2(table.fontMetrics().horizontalAdvance(text) < table.columnWidth(column), qPrintable(text));
            }
        // And no column takes the rest of a wide panel.
        QVERIFY(!table.horizontalHeader()->stretchLastSection());
    }
    void windowAndLevelReplaceTheExposure() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:gradient:60x40"));
        QVERIFY(window->findChild<QSlider*>("exposureSlider")->isVisible());
        QVERIFY(openAndWait(*window, "synthetic:shepp-logan:24x24x8"));
        QVERIFY(window->findChild<QWidget*>("windowLevel")->isVisible());
        QVERIFY(!window->findChild<QSlider*>("exposureSlider")->isVisible());
    }
};

}  // namespace parallax::ui

QTEST_MAIN(parallax::ui::InspectorTest)
#include "inspector_test.moc"
