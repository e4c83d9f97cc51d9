// SPDX-License-Identifier: GPL-3.0-or-later
// The whole first visit, by mouse and keyboard alone. State is only looked at; everything that changes it is a click, a key
// or a drag, as a person does them.
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
#include "ui/charts/plot.hpp"
#include "ui/charts/timing_panel.hpp"
#include "ui/export/save_data_dialog.hpp"
#include "ui/inspector/worst_pixels_panel.hpp"
#include "ui/models/benchmark/timing_model.hpp"
#include "ui/pipeline/pipeline_panel.hpp"

using namespace parallax;
using namespace parallax::ui;

namespace {

/// What a person can see and click on, by what is written on it.
QAbstractButton* buttonCalled(QWidget& in, const QString& text) {
    for (auto* button : in.findChildren<QAbstractButton*>())
        if (button->isVisible() && (button->text().remove('&') == text || button->accessibleName() == text)) return button;
    return nullptr;
}

void click(QWidget& widget) { QTest::mouseClick(&widget, Qt::LeftButton, {}, widget.rect().center()); }

void drag(QWidget& widget, QPoint from, QPoint to) {
    QTest::mousePress(&widget, Qt::LeftButton, {}, from);
    for (int i = 1; i <= 8; ++i) {
        const QPoint at = from + (to - from) * i / 8;
        QMouseEvent move(QEvent::MouseMove, at, widget.mapToGlobal(QPointF(at)), Qt::NoButton, Qt::LeftButton, {});
        QApplication::sendEvent(&widget, &move);
    }
    QTest::mouseRelease(&widget, Qt::LeftButton, {}, to);
}

/// After a dialog a window manager gives the keyboard back to the window; without one this does.
void toFront(MainWindow& window) {
    window.activateWindow();
    QVERIFY(waitForActive(window));
}

/// Opens a menu button and chooses the first entry with the keyboard. A popup runs its own loop, so the keys come from timers.
void chooseFirst(QWidget& menuButton) {
    auto* look = new QTimer(&menuButton);
    QObject::connect(look, &QTimer::timeout, &menuButton, [look] {
        QWidget* popup = QApplication::activePopupWidget();
        if (!popup) return;  // not yet
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

    /// The save dialog that has come up: a name is typed and confirmed.
    void saveAs(MainWindow& window, const QString& path) {
        QFileDialog* dialog = nullptr;
        QTRY_VERIFY_WITH_TIMEOUT((dialog = window.findChild<QFileDialog*>()) && dialog->isVisible(), kPatience);
        QVERIFY(waitForActive(*dialog));
        QTest::qWait(300);  // it reads its folder in the background, and a person looks first
        auto* name = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
        QVERIFY(name);
        // The dialog reads folders in the background, may change the name when it has one, and takes a path for a folder until it knows
        // better.
        QAbstractButton* save = nullptr;
        QVERIFY(QTest::qWaitFor(
            [&] {
                if (name->text() != path) {
                    QTest::keyClick(name, Qt::Key_A, Qt::ControlModifier);
                    QTest::keyClicks(name, path);
                    return false;  // not before other events have come
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
        // Somebody who has never seen the window: two clicks on what it shows first, and waiting.
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
            // Both results are there, with their names, times and the verdict on them.
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
            // And the table says of each backend how fast and how right it is.
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
        QSettings().clear();
        auto window = shownWindow({1500, 950});
        window->restoreLayout();  // as the program does at its start
        toFront(*window);
        Session& session = window->session();

        // Nothing is open, and the window says what to do about it.
        QAbstractButton* sample = buttonCalled(*window, QStringLiteral("Open sample"));
        QVERIFY(sample);
        click(*sample);
        QTRY_VERIFY_WITH_TIMEOUT(session.original(), kPatience);
        QVERIFY(waitForIdle(*window));

        // Another filter behind the first.
        const int steps = session.pipeline().rowCount();
        QAbstractButton* add = buttonCalled(*window, QStringLiteral("Add an operation"));
        QVERIFY(add);
        chooseFirst(*add);
        QTRY_COMPARE_WITH_TIMEOUT(session.pipeline().rowCount(), steps + 1, kPatience);
        QVERIFY(waitForIdle(*window));

        // Two backends that differ in the last digits: chosen in their boxes with the arrow keys.
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
        QVERIFY(session.difference() && session.difference()->maxAbs > 0);

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
        QWheelEvent wheel(wiped.rect().center(), wiped.mapToGlobal(QPointF(wiped.rect().center())), {}, {0, 240}, Qt::NoButton,
                          Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(&wiped, &wheel);
        QVERIFY(window->view().scale() > fitted);

        // The worst pixel: a click in the list, and every pane shows it.
        QTest::keyClick(window.get(), Qt::Key_C);
        QTableWidget& worst = window->findChild<WorstPixelsPanel*>()->table();
        QVERIFY(worst.rowCount() > 0);
        QTest::mouseClick(worst.viewport(), Qt::LeftButton, {}, worst.visualItemRect(worst.item(0, 0)).center());
        QVERIFY(waitForIdle(*window));
        const WorstPixel& expected = session.difference()->worst.front();
        QCOMPARE(window->view().mark(), std::optional(PixelPosition{expected.x, expected.y}));
        QCOMPARE(compare.pane(PaneRole::b).pixelAt(compare.pane(PaneRole::b).rect().center()), *window->view().mark());

        // Result A into a file.
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

        // Measured, and the report into another.
        toFront(*window);
        QTest::keyClick(window.get(), Qt::Key_F5);
        QTRY_VERIFY_WITH_TIMEOUT(session.record() && !session.measuring(), 4 * kPatience);
        QVERIFY(waitForIdle(*window));
        const QString report = folder_.filePath("report.html");
        QTest::keyClick(window.get(), Qt::Key_R, Qt::ControlModifier);
        saveAs(*window, report);
        QFile html(report);
        QVERIFY(html.open(QIODevice::ReadOnly));
        const QByteArray text = html.readAll();
        QVERIFY(text.contains("openmp") && text.contains("reference"));

        toFront(*window);

        // All undone: the pipeline is what it was.
        for (int i = 0; i < 20 && session.pipeline().canUndo(); ++i) QTest::keyClick(window.get(), Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(!session.pipeline().canUndo());
        QCOMPARE(session.pipeline().rowCount(), steps);
        QVERIFY(waitForIdle(*window));

        // A panel is not needed and closed by its cross; then the window is left.
        auto* inspector = window->findChild<QDockWidget*>(QStringLiteral("inspectorDock"));
        QAbstractButton* cross = nullptr;
        for (auto* button : inspector->findChildren<QAbstractButton*>(QStringLiteral("qt_dockwidget_closebutton"))) cross = button;
        QVERIFY(cross);
        click(*cross);
        QVERIFY(!inspector->isVisible());
        QTest::keyClick(window.get(), Qt::Key_2, Qt::ControlModifier);
        QCOMPARE(compare.layoutKind(), Layout::sideBySide);
        const QSize size = window->size();
        QTest::keyClick(window.get(), Qt::Key_Q, Qt::ControlModifier);
        QVERIFY(!window->isVisible());
        window.reset();

        // The second start finds everything where it was left.
        auto again = shownWindow({900, 700});
        again->restoreLayout();
        QTRY_COMPARE_WITH_TIMEOUT(again->size(), size, kPatience);
        QVERIFY(!again->findChild<QDockWidget*>(QStringLiteral("inspectorDock"))->isVisible());
        QVERIFY(again->findChild<QDockWidget*>(QStringLiteral("pipelineDock"))->isVisible());
        QCOMPARE(again->compareView().layoutKind(), Layout::sideBySide);
        toFront(*again);
        QTest::keyClick(again.get(), Qt::Key_L, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(again->findChild<QDockWidget*>(QStringLiteral("inspectorDock"))->isVisible());
    }
};

QTEST_MAIN(FirstVisitTest)
#include "first_visit_test.moc"
