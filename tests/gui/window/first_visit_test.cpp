// SPDX-License-Identifier: GPL-3.0-or-later
// A first visit by mouse and keyboard only: the test reads state directly, but changes it only by clicks, keys and drags.
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QFileDialog>
#include <QFileInfo>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>
#include <QTableWidget>
#include <QTimer>
#include <QToolButton>

#include "core/image/difference.hpp"
#include "core/io/loader.hpp"
#include "tests/gui/gui_support.hpp"
#include "tests/gui/short_measurements.hpp"
#include "ui/charts/plot.hpp"
#include "ui/charts/timing_panel.hpp"
#include "ui/export/save_data_dialog.hpp"
#include "ui/inspector/worst_pixels_panel.hpp"
#include "ui/models/benchmark/timing_model.hpp"
#include "ui/pipeline/pipeline_panel.hpp"

using namespace parallax;
using namespace parallax::ui;

namespace {

/// The visible button with this text.
QAbstractButton* buttonCalled(QWidget& in, const QString& text) {
    for (auto* button : in.findChildren<QAbstractButton*>())
        if (button->isVisible() && (button->text().remove('&') == text || button->accessibleName() == text)) return button;
    return nullptr;
}

void click(QWidget& widget) { QTest::mouseClick(&widget, Qt::LeftButton, {}, widget.rect().center()); }

/// Gives the focus back to the window after a dialog, as a window manager would.
void toFront(MainWindow& window) {
    window.activateWindow();
    QVERIFY(waitForActive(window));
}

/// Opens a menu button and chooses the first entry with the keyboard. A popup runs its own loop, so the keys come from timers.
void chooseFirst(QWidget& menuButton) {
    auto* look = new QTimer(&menuButton);
    QObject::connect(look, &QTimer::timeout, &menuButton, [look] {
        QWidget* popup = QApplication::activePopupWidget();
        if (!popup) return;  // not open yet
        look->deleteLater();
        look->stop();
        QTest::keyClick(popup, Qt::Key_Down);
        QTest::keyClick(popup, Qt::Key_Return);
    });
    look->start(100);
    click(menuButton);
}

}  // namespace

class FirstVisitTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    /// Types a name into the open save dialog and confirms it.
    void saveAs(MainWindow& window, const QString& path) {
        QFileDialog* dialog = nullptr;
        QTRY_VERIFY_WITH_TIMEOUT((dialog = window.findChild<QFileDialog*>()) && dialog->isVisible(), kPatience);
        QVERIFY(waitForActive(*dialog));
        QTest::qWait(300);  // it reads its folder in the background
        auto* name = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
        QVERIFY(name);
        // The dialog may change the name when a folder has been read, and may take the path for a folder until then.
        QAbstractButton* save = nullptr;
        QVERIFY(QTest::qWaitFor(
            [&] {
                if (name->text() != path) {
                    QTest::keyClick(name, Qt::Key_A, Qt::ControlModifier);
                    QTest::keyClicks(name, path);
                    return false;  // after other events
                }
                return (save = buttonCalled(*dialog, QStringLiteral("Save"))) && save->isEnabled();
            },
            kPatience));
        click(*save);
        QTRY_VERIFY_WITH_TIMEOUT(QFileInfo(path).size() > 0, kPatience);
        QVERIFY(waitForIdle(window));
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }

private slots:
    void aComparisonWithChartsWithinAMinute() {
        // Two clicks on visible buttons, and waiting.
        Promptness prompt(60'000, 3);
        while (prompt.again()) {
            QSettings().clear();
            prompt.start();
            auto window = shownWindow({1500, 950});
            window->restoreLayout();
            toFront(*window);
            QAbstractButton* sample = nullptr;
            QTRY_VERIFY_WITH_TIMEOUT((sample = buttonCalled(*window, QStringLiteral("Open sample"))), kPatience);
            click(*sample);
            // Both results are shown with names, times and verdicts.
            for (const PaneRole role : {PaneRole::a, PaneRole::b}) {
                ImagePane& pane = window->compareView().pane(role);
                QTRY_VERIFY_WITH_TIMEOUT(pane.isVisible() && !pane.label().verdict.isEmpty(), kPatience);
                QVERIFY(!pane.label().title.isEmpty() && pane.label().details.contains("this run"));
            }
            QAbstractButton* benchmark = nullptr;
            QTRY_VERIFY_WITH_TIMEOUT((benchmark = buttonCalled(*window, QStringLiteral("Benchmark"))) && benchmark->isEnabled(), kPatience);
            click(*benchmark);
            QTRY_VERIFY_WITH_TIMEOUT(window->session().record() && window->settled(), 2 * kPatience);
            int charts = 0;
            for (QCustomPlot* plot : window->findChildren<QCustomPlot*>()) {
                if (!window->timingPanel().isAncestorOf(plot) || plot->visibleRegion().isEmpty()) continue;
                QVERIFY2(plot->plottableCount() > 0, qPrintable(plot->accessibleName()));
                ++charts;
            }
            QVERIFY(charts > 0);
            // The table lists time and error of each backend.
            const QAbstractItemModel& table = window->timingPanel().model();
            QVERIFY(table.rowCount() >= 2);
            QStringList cells;
            for (int row = 0; row < table.rowCount(); ++row)
                for (int column = 0; column < table.columnCount(); ++column) cells << table.index(row, column).data().toString();
            QVERIFY(cells.contains("baseline") && !cells.filter(QStringLiteral("✓")).isEmpty());
            QVERIFY(!cells.filter(QRegularExpression(QStringLiteral("^[0-9.,]+×"))).isEmpty());
            prompt.stop();
        }
        QVERIFY2(prompt.held(), prompt.text().c_str());
    }
    void fromTheFirstStartToTheSecond() {
        const ShortMeasurements shortly;
        QSettings().clear();
        auto window = shownWindow({1500, 950});
        window->restoreLayout();  // as the program does at its start
        toFront(*window);
        Session& session = window->session();

        // The empty window offers ways to begin.
        QAbstractButton* sample = buttonCalled(*window, QStringLiteral("Open sample"));
        QVERIFY(sample);
        click(*sample);
        QTRY_VERIFY_WITH_TIMEOUT(session.original(), kPatience);
        QVERIFY(waitForIdle(*window));

        // Add a second step.
        const int steps = session.pipeline().rowCount();
        QAbstractButton* add = buttonCalled(*window, QStringLiteral("Add an operation"));
        QVERIFY(add);
        chooseFirst(*add);
        QTRY_COMPARE_WITH_TIMEOUT(session.pipeline().rowCount(), steps + 1, kPatience);
        QVERIFY(waitForIdle(*window));

        // Choose two backends with the arrow keys.
        QComboBox& boxA = window->pipelinePanel().targetBox(Side::a);
        QComboBox& boxB = window->pipelinePanel().targetBox(Side::b);
        const auto choose = [](QComboBox& box, const QString& name) {
            QTest::keyClick(&box, Qt::Key_Home);
            for (int i = 0; i < box.count() && box.currentText() != name; ++i) QTest::keyClick(&box, Qt::Key_Down);
        };
        choose(boxA, QStringLiteral("openmp"));
        choose(boxB, QStringLiteral("reference"));
        QVERIFY(waitForIdle(*window));
        QCOMPARE(session.side(Side::a).target.backend, std::string("openmp"));
        QCOMPARE(QString::fromStdString(session.side(Side::b).target.label()), QStringLiteral("reference"));
        QVERIFY(session.comparison().difference() && session.comparison().difference()->maxAbs > 0);

        // The wipe: a key, then the line is dragged.
        QTest::keyClick(window.get(), Qt::Key_W);
        QVERIFY(waitForIdle(*window));
        CompareView& compare = window->compareView();
        ImagePane& wiped = compare.pane(PaneRole::a);
        QVERIFY(wiped.wiping());
        drag(wiped, QPoint(wiped.width() / 2, wiped.height() / 3), QPoint(wiped.width() / 4, wiped.height() / 3));
        QVERIFY(std::abs(wiped.wipePosition() - 0.25) < 0.02);

        // Zoom at the cursor, then back.
        const double fitted = window->view().scale();
        wheel(wiped, wiped.rect().center(), 240);
        QVERIFY(window->view().scale() > fitted);

        // A click on the worst pixel centres it in every pane.
        QTest::keyClick(window.get(), Qt::Key_C);
        QTableWidget& worst = window->findChild<WorstPixelsPanel*>()->table();
        QVERIFY(worst.rowCount() > 0);
        QTest::mouseClick(worst.viewport(), Qt::LeftButton, {}, worst.visualItemRect(worst.item(0, 0)).center());
        QVERIFY(waitForIdle(*window));
        const WorstPixel& expected = session.comparison().difference()->worst.front();
        QCOMPARE(window->view().mark(), std::optional(PixelPosition{expected.x, expected.y}));
        QCOMPARE(compare.pane(PaneRole::b).pixelAt(compare.pane(PaneRole::b).rect().center()), *window->view().mark());

        // Save result A.
        const QString image = folder_.filePath("result a.exr");
        QTest::keyClick(window.get(), Qt::Key_S, Qt::ControlModifier);
        SaveDataDialog* data = nullptr;
        QTRY_VERIFY_WITH_TIMEOUT((data = window->findChild<SaveDataDialog*>()) && data->isVisible(), kPatience);
        auto* path = data->findChild<QLineEdit*>(QStringLiteral("path"));
        QTest::keyClick(path, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(path, image);
        QTest::keyClick(path, Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(QFileInfo(image).size() > 0, kPatience);
        QVERIFY(waitForIdle(*window));
        const DifferenceMetrics kept = compareViews(session.side(Side::a).result->image->view(), loadImage(image.toStdString()).view());
        QCOMPARE(kept.maxAbs, 0.0);

        // Benchmark and export the report.
        toFront(*window);
        QTest::keyClick(window.get(), Qt::Key_B, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(session.record() && !session.measuring(), 4 * kPatience);
        QVERIFY(waitForIdle(*window));
        const QString report = folder_.filePath("report.html");
        QTest::keyClick(window.get(), Qt::Key_R, Qt::ControlModifier);
        saveAs(*window, report);
        const QByteArray text = readFile(report);
        QVERIFY(text.contains("openmp") && text.contains("reference"));

        toFront(*window);

        // Undo everything: the pipeline is as before.
        for (int i = 0; i < 20 && session.pipeline().canUndo(); ++i) QTest::keyClick(window.get(), Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(!session.pipeline().canUndo());
        QCOMPARE(session.pipeline().rowCount(), steps);
        QVERIFY(waitForIdle(*window));

        // Close a panel, then the window.
        auto* inspector = window->findChild<QDockWidget*>(QStringLiteral("inspectorDock"));
        QAbstractButton* cross = nullptr;
        for (auto* button : inspector->findChildren<QAbstractButton*>(QStringLiteral("qt_dockwidget_closebutton"))) cross = button;
        QVERIFY(cross);
        click(*cross);
        QVERIFY(!inspector->isVisible());
        QTest::keyClick(window.get(), Qt::Key_2, Qt::ControlModifier);
        QCOMPARE(compare.layoutKind(), ui::Layout::sideBySide);
        const QSize size = window->size();
        QTest::keyClick(window.get(), Qt::Key_Q, Qt::ControlModifier);
        QVERIFY(!window->isVisible());
        window.reset();

        // The second start restores the layout.
        auto again = shownWindow({900, 700});
        again->restoreLayout();
        QTRY_COMPARE_WITH_TIMEOUT(again->size(), size, kPatience);
        QVERIFY(!again->findChild<QDockWidget*>(QStringLiteral("inspectorDock"))->isVisible());
        QVERIFY(again->findChild<QDockWidget*>(QStringLiteral("pipelineDock"))->isVisible());
        QCOMPARE(again->compareView().layoutKind(), ui::Layout::sideBySide);
        toFront(*again);
        QTest::keyClick(again.get(), Qt::Key_L, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(again->findChild<QDockWidget*>(QStringLiteral("inspectorDock"))->isVisible());
    }
};

QTEST_MAIN(FirstVisitTest)
#include "first_visit_test.moc"
