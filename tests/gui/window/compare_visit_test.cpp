// SPDX-License-Identifier: GPL-3.0-or-later
// Files and pipelines compared in three panes, a contact sheet, metrics, and a session that is saved and opened again, by mouse and
// keyboard only: the test reads state directly, but changes it only by clicks, keys and drags.
#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QSettings>
#include <QTabBar>
#include <QTableView>
#include <QTimer>
#include <QToolButton>

#include "core/image/difference.hpp"
#include "core/io/loader.hpp"
#include "core/io/saver.hpp"
#include "core/metrics/image_metrics.hpp"
#include "tests/gui/gui_support.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/pipeline/pane_settings.hpp"
#include "ui/pipeline/parameter_form.hpp"
#include "ui/pipeline/pipeline_panel.hpp"
#include "ui/window/sheet/contact_sheet_dialog.hpp"

using namespace parallax;
using namespace parallax::ui;

namespace {

void click(QWidget& widget) { QTest::mouseClick(&widget, Qt::LeftButton, {}, widget.rect().center()); }

QAbstractButton* buttonCalled(QWidget& in, const QString& name) {
    for (auto* button : in.findChildren<QAbstractButton*>())
        if (button->isVisible() && (button->text().remove('&') == name || button->accessibleName() == name)) return button;
    return nullptr;
}

void toFront(MainWindow& window) {
    window.activateWindow();
    QVERIFY(waitForActive(window));
}

/// Opens the menu of a button and chooses an entry by its text. A popup runs its own loop, so the click comes from a timer.
void chooseIn(QWidget& menuButton, const QString& text) {
    auto* look = new QTimer(&menuButton);
    QObject::connect(look, &QTimer::timeout, &menuButton, [look, text] {
        auto* popup = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        if (!popup) return;  // not open yet
        look->stop();
        look->deleteLater();
        for (QAction* action : popup->actions())
            if (action->text() == text) QTest::mouseClick(popup, Qt::LeftButton, {}, popup->actionGeometry(action).center());
    });
    look->start(100);
    click(menuButton);
}

}  // namespace

class CompareVisitTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    /// Types a path into the open file dialog and confirms it with this button.
    void confirmIn(MainWindow& window, const QString& path, const QString& button) {
        QPointer<QFileDialog> dialog;
        QTRY_VERIFY_WITH_TIMEOUT((dialog = window.findChild<QFileDialog*>()) && dialog->isVisible(), kPatience);
        QVERIFY(waitForActive(*dialog));
        // The dialog may change the name when it has read its folder, and the first click may only close a list of proposed names.
        const auto closed = [&] {
            if (!dialog || !dialog->isVisible()) return true;
            auto* name = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
            // In its folder the name is enough, and a path would select the folder.
            const QFileInfo file(path);
            const QString typed = dialog->directory() == file.dir() ? file.fileName() : path;
            if (name->text() != typed) {
                QTest::keyClick(name, Qt::Key_A, Qt::ControlModifier);
                QTest::keyClicks(name, typed);
            } else if (QWidget* proposed = QApplication::activePopupWidget()) {
                QTest::keyClick(proposed, Qt::Key_Escape);
            } else {
                // A path to another folder is first a folder to open.
                QAbstractButton* confirm = buttonCalled(*dialog, button);
                if (!confirm) confirm = buttonCalled(*dialog, QStringLiteral("Open"));
                if (confirm && confirm->isEnabled()) click(*confirm);
            }
            return false;
        };
        QVERIFY(QTest::qWaitFor(closed, kPatience));
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        toFront(window);
    }
    void openIn(MainWindow& window, const QString& path) { confirmIn(window, path, QStringLiteral("Open")); }
    QString made(const QString& name, const char* input) {
        const QString path = folder_.filePath(name);
        saveImage(openInput(input), path.toStdString());
        return path;
    }

private slots:
    void initTestCase() { QSettings().clear(); }

    void twoFilesTwoPipelinesASheetAndASession() {
        const QString first = made("first.exr", "synthetic:noise:120x90,channels=3"),
                      second = made("second.exr", "synthetic:zone-plate:120x90,channels=3");
        auto window = shownWindow({1300, 900});
        toFront(*window);
        Session& session = window->session();
        PipelineModel& model = session.pipeline();
        PaneSettings& panes = window->pipelinePanel().panes();
        CompareView& compare = window->compareView();

        QTest::keyClick(window.get(), Qt::Key_O, Qt::ControlModifier);
        openIn(*window, first);
        QTRY_VERIFY_WITH_TIMEOUT(session.original(), kPatience);
        QVERIFY(waitForIdle(*window));
        const CompareSetup start = model.setup();

        // B gets the other file: a click on its tab, then the last entry of the inputs.
        QTest::mouseClick(&panes.tabs(), Qt::LeftButton, {}, panes.tabs().tabRect(1).center());
        QCOMPARE(model.active(), Side::b);
        QTest::keyClick(&panes.inputBox(), Qt::Key_End);
        openIn(*window, second);
        QTRY_COMPARE_WITH_TIMEOUT(model.setup().pane(Side::b).input, second, kPatience);
        QVERIFY(waitForIdle(*window));
        QVERIFY(session.comparison().inputOf(Side::b) && session.comparison().inputOf(Side::b) != session.original());
        QVERIFY(compare.pane(PaneRole::b).label().title.contains("second.exr"));

        // B gets steps of its own.
        QVERIFY(panes.sameSteps().isVisible() && panes.sameSteps().isChecked());
        QTest::mouseClick(&panes.sameSteps(), Qt::LeftButton, {}, QPoint(8, panes.sameSteps().height() / 2));
        QVERIFY(model.setup().pane(Side::b).steps);
        QAbstractButton* add = buttonCalled(*window, QStringLiteral("Add an operation"));
        QVERIFY(add);
        chooseIn(*add, QStringLiteral("Tone mapping"));
        QTRY_COMPARE_WITH_TIMEOUT(model.setup().stepsOf(Side::b).steps.size(), start.shared.steps.size() + 1, kPatience);
        QCOMPARE(model.setup().stepsOf(Side::a).steps.size(), start.shared.steps.size());
        QVERIFY(waitForIdle(*window));

        // A third pane, a duplicate of B, with the input of A and half the threads or another backend.
        QAbstractButton* plus = buttonCalled(panes, QStringLiteral("Add a pane, a duplicate of the active one"));
        QVERIFY(plus);
        click(*plus);
        QCOMPARE(model.setup().panes.size(), std::size_t{3});
        QCOMPARE(model.active(), Side::c);
        QCOMPARE(panes.tabs().count(), 3);
        QTest::keyClick(&panes.inputBox(), Qt::Key_Home);
        QVERIFY(model.setup().pane(Side::c).input.isEmpty());
        QTest::keyClick(&panes.targetBox(Side::c), Qt::Key_Home);
        QVERIFY(waitForIdle(*window));
        QVERIFY(session.side(Side::c).result && !session.side(Side::c).error);

        // All panes; a click on one makes it active.
        QTest::keyClick(window.get(), Qt::Key_6, Qt::ControlModifier);
        QVERIFY(waitForIdle(*window));
        for (const PaneRole role : {PaneRole::a, PaneRole::b, PaneRole::c}) QVERIFY(compare.pane(role).isVisible());
        click(compare.pane(PaneRole::b));
        QCOMPARE(model.active(), Side::b);
        QCOMPARE(panes.tabs().currentIndex(), 1);
        // B becomes the reference, C the subject.
        QTest::keyClick(window.get(), Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(model.reference(), Side::b);
        QTest::keyClick(window.get(), Qt::Key_Tab, Qt::ControlModifier);
        QCOMPARE(model.active(), Side::c);
        QVERIFY(waitForIdle(*window));
        QVERIFY(compare.header(PaneRole::b).shownText().contains("reference"));

        // The difference is C - B, in its pane and in the Inspector.
        QTest::keyClick(window.get(), Qt::Key_C);
        QVERIFY(waitForIdle(*window));
        QCOMPARE(compare.pane(PaneRole::difference).label().badge, QStringLiteral("C − B"));
        QVERIFY(session.comparison().difference());
        const DifferenceMetrics expected =
            compareViews(session.side(Side::b).result->image->view(), session.side(Side::c).result->image->view());
        QCOMPARE(session.comparison().difference()->maxAbs, expected.maxAbs);
        QVERIFY(expected.maxAbs > 0);
        readInspector(*window);

        undoAndRedo(*window, start);
        chooseFromSheet(*window);
        readMetrics(*window);
        saveAndOpenAgain(std::move(window));
    }

private:
    /// The Inspector names the compared panes.
    void readInspector(MainWindow& window) {
        QStringList titles;
        for (auto* button : window.findChildren<QAbstractButton*>()) titles << button->text();
        QVERIFY2(titles.contains("Difference C − B"), qPrintable(titles.join('|')));
    }
    void undoAndRedo(MainWindow& window, const CompareSetup& start) {
        PipelineModel& model = window.session().pipeline();
        const CompareSetup end = model.setup();
        int edits = 0;
        for (; model.canUndo() && edits < 50; ++edits) {
            QVERIFY(!model.undoText().isEmpty());
            QTest::keyClick(&window, Qt::Key_Z, Qt::ControlModifier);
        }
        QVERIFY(edits >= 6);
        QVERIFY(sameSetup(model.setup(), start));
        QVERIFY(waitForIdle(window));
        QCOMPARE(window.pipelinePanel().panes().tabs().count(), 2);
        for (int i = 0; i < edits; ++i) window.findChild<QAction*>("redo")->trigger();
        QVERIFY(sameSetup(model.setup(), end));
        QVERIFY(waitForIdle(window));
        QCOMPARE(window.session().sides().size(), std::size_t{3});
    }
    /// Varies a parameter of pane C, and keeps the value of the third picture.
    void chooseFromSheet(MainWindow& window) {
        PipelineModel& model = window.session().pipeline();
        while (model.active() != Side::c) QTest::keyClick(&window, Qt::Key_Tab, Qt::ControlModifier);
        const CompareSetup before = model.setup();
        QTest::keyClick(&window, Qt::Key_K, Qt::ControlModifier | Qt::ShiftModifier);
        QPointer<ContactSheetDialog> dialog;
        QTRY_VERIFY_WITH_TIMEOUT((dialog = window.findChild<ContactSheetDialog*>()) && dialog->isVisible(), kPatience);
        QVERIFY(waitForActive(*dialog));
        const std::size_t pictures = dialog->sheet().size();
        QVERIFY(pictures >= 3);
        QAbstractButton* show = buttonCalled(*dialog, QStringLiteral("Show"));
        QVERIFY(show && show->isEnabled());
        click(*show);
        QTRY_COMPARE_WITH_TIMEOUT(model.setup().panes.size(), pictures, kPatience);
        QVERIFY(waitForIdle(window));
        for (const Side side : window.session().sides()) QVERIFY(window.session().side(side).result);
        const Pipeline chosen = model.setup().stepsOf(Side::c);
        ImagePane& third = window.compareView().pane(PaneRole::c);
        QTest::mouseClick(&third, Qt::LeftButton);
        QTest::mouseDClick(&third, Qt::LeftButton);
        QVERIFY(waitForIdle(window));
        QCOMPARE(model.setup().panes.size(), before.panes.size());
        QVERIFY(sameSteps(model.setup().stepsOf(Side::c), chosen));
        QVERIFY(sameSteps(model.setup().stepsOf(Side::a), before.stepsOf(Side::a)));
    }
    /// The Inspector has the metrics of C against B.
    void readMetrics(MainWindow& window) {
        const auto shown = [&window](const char* name) { return window.findChild<QLabel*>(QLatin1String(name))->text(); };
        QTRY_VERIFY_WITH_TIMEOUT(window.session().comparison().metrics().values(), kPatience);
        const DifferenceMetrics errors =
            compareViews(window.session().side(Side::b).result->image->view(), window.session().side(Side::c).result->image->view());
        QCOMPARE(shown("metricRmse"), ui::formatError(errors.rmse));
        const ImageMetrics& values = *window.session().comparison().metrics().values();
        QVERIFY(values.ssim && values.flip);
        QCOMPARE(shown("metricSsim"), QLocale().toString(*values.ssim, 'f', 6));
        QCOMPARE(shown("metricFlip"), QLocale().toString(values.flip->mean, 'f', 6));
    }
    void saveAndOpenAgain(std::unique_ptr<MainWindow> window) {
        const QString file = folder_.filePath(QStringLiteral("visit.parallax"));
        const CompareSetup saved = window->session().pipeline().setup();
        toFront(*window);
        QTest::keyClick(window.get(), Qt::Key_L, Qt::ControlModifier);  // free panes
        QVERIFY(!window->view().linked());
        QTest::keyClick(window.get(), Qt::Key_S, Qt::ControlModifier | Qt::AltModifier);
        confirmIn(*window, file, QStringLiteral("Save"));
        QTRY_VERIFY_WITH_TIMEOUT(QFileInfo::exists(file) && !window->isWindowModified(), kPatience);
        QTest::keyClick(window.get(), Qt::Key_Q, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(!window->isVisible(), kPatience);
        window.reset();

        window = shownWindow({1300, 900});
        toFront(*window);
        QTest::keyClick(window.get(), Qt::Key_O, Qt::ControlModifier | Qt::AltModifier);
        openIn(*window, file);
        QTRY_COMPARE_WITH_TIMEOUT(window->session().sides().size(), saved.panes.size(), kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(window->session().original(), kPatience);
        QVERIFY(waitForIdle(*window));
        const PipelineModel& model = window->session().pipeline();
        QVERIFY(sameSetup(model.setup(), saved));
        QCOMPARE(model.reference(), Side::b);
        QCOMPARE(model.active(), Side::c);
        QVERIFY(!window->view().linked());
        for (const Side side : window->session().sides()) QVERIFY(window->session().side(side).result);
        QVERIFY(!window->isWindowModified());
    }
};

QTEST_MAIN(CompareVisitTest)
#include "compare_visit_test.moc"
