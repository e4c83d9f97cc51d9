// SPDX-License-Identifier: GPL-3.0-or-later
// Accessibility: each control of the window and of its dialogs has a name for screen readers and a tooltip, and can be reached with Tab.
#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QAction>
#include <QComboBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QScrollBar>
#include <QSettings>
#include <QSlider>
#include <QSplitterHandle>
#include <QTabBar>
#include <QTextEdit>
#include <QToolButton>

#include "tests/gui/gui_support.hpp"
#include "tests/gui/short_measurements.hpp"
#include "ui/pipeline/parameter_form.hpp"
#include "ui/pipeline/pipeline_panel.hpp"
#include "ui/window/shell/action_list.hpp"

using namespace parallax;
using namespace parallax::ui;

namespace {

QString nameOf(QWidget& widget) {
    // Not the current text of a box; its buddy label also counts.
    if (qobject_cast<QComboBox*>(&widget) && widget.accessibleName().isEmpty()) {
        for (const QLabel* label : widget.window()->findChildren<QLabel*>())
            if (label->buddy() == &widget) return label->text();
        return {};
    }
    const QAccessibleInterface* interface = QAccessible::queryAccessibleInterface(&widget);
    return interface ? interface->text(QAccessible::Name) : QString();
}

/// The tooltip that Qt shows: a widget without one shows its parent's.
QString tooltipOf(const QWidget& widget) {
    for (const QWidget* w = &widget; w && !w->isWindow(); w = w->parentWidget())
        if (!w->toolTip().isEmpty()) return w->toolTip();
    return {};
}

/// Is the widget a part that Qt makes inside a control?
bool isPart(const QWidget& widget) {
    if (widget.objectName().startsWith(QLatin1String("qt_"))) return true;
    for (const QWidget* w = widget.parentWidget(); w && !w->isWindow(); w = w->parentWidget())
        if (qobject_cast<const QLineEdit*>(w) || qobject_cast<const QAbstractSpinBox*>(w) || qobject_cast<const QComboBox*>(w) ||
            qobject_cast<const QAbstractItemView*>(w) || qobject_cast<const QMenuBar*>(w))
            return true;
    return qobject_cast<const QScrollBar*>(&widget) || qobject_cast<const QSplitterHandle*>(&widget);
}

bool isControl(const QWidget& widget) {
    if (isPart(widget) || qobject_cast<const QMenuBar*>(&widget) || widget.isWindow()) return false;
    if (qobject_cast<const QAbstractButton*>(&widget)) return true;
    return widget.focusPolicy() != Qt::NoFocus;
}

/// Standard buttons need no explanation.
bool isUsualButton(const QWidget& widget) {
    const auto* box = qobject_cast<const QDialogButtonBox*>(widget.parentWidget());
    auto* button = qobject_cast<QAbstractButton*>(const_cast<QWidget*>(&widget));
    return box && button && box->standardButton(button) != QDialogButtonBox::NoButton;
}

/// Is the widget hidden until it has something to show?
bool isUnused(const QWidget& widget) {
    const auto* button = qobject_cast<const QAbstractButton*>(&widget);
    const auto* label = qobject_cast<const QLabel*>(&widget);
    const auto* tabs = qobject_cast<const QTabBar*>(&widget);
    if (tabs) return tabs->count() == 0;  // the panels are closed
    if (button) return !button->isVisible() && button->text().isEmpty() && button->icon().isNull();
    return !widget.isVisible() && ((label && label->text().isEmpty()) || qobject_cast<const ImagePane*>(&widget));
}

QString describe(QWidget& widget) {
    QStringList path;
    for (QWidget* w = &widget; w; w = w->parentWidget())
        path.prepend(QLatin1String(w->metaObject()->className()) + (w->objectName().isEmpty() ? QString() : '#' + w->objectName()));
    return path.mid(std::max<qsizetype>(0, path.size() - 5)).join('/') + " '" + nameOf(widget) + "' tip '" + tooltipOf(widget) + '\'';
}

bool none(const QStringList& found) {
    for (const QString& fault : found) qWarning("%s", qPrintable(fault));
    return found.isEmpty();
}

/// Returns the faults of all widgets below `root`.
QStringList faults(QWidget& root) {
    QStringList found;
    int count = 0;
    for (QWidget* widget : root.findChildren<QWidget*>()) {
        if (widget->window() != root.window() || !isControl(*widget) || isUnused(*widget)) continue;
        ++count;
        if (nameOf(*widget).trimmed().isEmpty()) found << QStringLiteral("no name: ") + describe(*widget);
        if (!isUsualButton(*widget) && !qobject_cast<QLabel*>(widget) && tooltipOf(*widget).isEmpty())
            found << QStringLiteral("no tooltip: ") + describe(*widget);
    }
    if (count == 0) found << QStringLiteral("nothing in ") + describe(root);
    return found;
}

}  // namespace

class AccessibilityTest : public QObject {
    Q_OBJECT
    ShortMeasurements short_;
private slots:
    void initTestCase() { QSettings().clear(); }

    void emptyWindow() {
        auto window = shownWindow();
        const QStringList found = faults(*window);
        QVERIFY(none(found));
    }
    void windowWithEverything() {
        auto window = shownWindow();
        window->session().setTarget(Side::b, "reference");
        QVERIFY(openAndWait(*window, "synthetic:noise:120x80,channels=3"));
        window->findChild<QAction*>("benchmark")->trigger();
        QVERIFY(QTest::qWaitFor([&] { return window->session().record() && window->settled(); }, 2 * kPatience));
        window->openInputs({"/nonexistent.exr"});
        QVERIFY(QTest::qWaitFor([&] { return window->messageBar().isVisible(); }, kPatience));
        QStringList found = faults(*window);
        // Show the parameters of every operation.
        PipelineModel& pipeline = window->session().pipeline();
        for (const auto& operation : processCatalog().operations()) {
            pipeline.addStep(*operation);
            found << faults(window->pipelinePanel());
        }
        found.removeDuplicates();
        QVERIFY(none(found));
    }
    void windowWithAVolume() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:noise:24x20x16"));
        const QStringList found = faults(*window);
        QVERIFY(none(found));
    }
    void dialogs() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:noise:120x80,channels=3"));
        window->findChild<QAction*>("benchmark")->trigger();
        QVERIFY(QTest::qWaitFor([&] { return window->session().record() && window->settled(); }, 2 * kPatience));
        PipelineModel& pipeline = window->session().pipeline();
        pipeline.setParameter(0, "kernel", ParameterValue(std::string("custom")));
        pipeline.setParameter(0, "weights", ParameterValue(std::string("1 2 1")));
        QVERIFY(waitForIdle(*window));
        QStringList found, titles;
        const auto look = [&] {
            QCoreApplication::processEvents();
            for (QDialog* dialog : window->findChildren<QDialog*>()) {
                // Qt's file dialog is not checked.
                if (dialog->isVisible() && !qobject_cast<QFileDialog*>(dialog)) {
                    titles << dialog->windowTitle();
                    if (dialog->windowTitle().isEmpty()) found << QStringLiteral("no title: ") + describe(*dialog);
                    found << faults(*dialog);
                }
                dialog->close();
            }
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        };
        // Some actions are recreated for each document, such as those of recent files.
        QList<QPointer<QAction>> actions;
        for (const ActionEntry& entry : menuActions(*window->menuBar())) actions << entry.action;
        for (const QPointer<QAction>& action : actions) {
            if (!action) continue;
            const QString name = action->objectName();
            if (name == "quit" || name == "close-file" || name.startsWith("theme") || name.startsWith("show-") || name == "full-screen" ||
                name.isEmpty())
                continue;
            if (!action->isEnabled() || action->isCheckable()) continue;
            action->trigger();
            look();
        }
        // The dialog for raw samples needs a file.
        QTemporaryDir folder;
        QFile samples(folder.filePath("4x3x2.raw"));
        QVERIFY(samples.open(QIODevice::WriteOnly) && samples.write(QByteArray(25, 'x')) == 25);
        samples.close();
        window->openInputs({samples.fileName()});
        QVERIFY(QTest::qWaitFor([&] { return window->findChild<QDialog*>("rawDialog") != nullptr; }, kPatience));
        look();
        // The kernel editor opens from a button in the form of the convolution, the first step.
        window->session().pipeline().setPipeline({});
        window->session().pipeline().addStep(*processCatalog().operations().front());
        QCoreApplication::processEvents();
        auto* editor = window->pipelinePanel().form().editor("weights");
        QVERIFY(editor);
        for (auto* button : editor->findChildren<QAbstractButton*>())
            if (button->isEnabled()) {
                button->click();
                look();
            }
        // The editor of transfer functions opens from the form of a rendering.
        setSteps(*window, {"render:mode=transfer"});
        QCoreApplication::processEvents();
        auto* curve = window->pipelinePanel().form().editor("curve");
        QVERIFY(curve);
        curve->findChild<QAbstractButton*>("editCurve")->click();
        look();
        QVERIFY(titles.contains("Transfer function"));
        found.removeDuplicates();
        titles.removeDuplicates();
        QVERIFY2(titles.size() >= 5, qPrintable(titles.join(", ")));
        qInfo("%s", qPrintable(titles.join(", ")));
        QVERIFY(none(found));
    }
    void tabReachesEveryControl() {
        auto window = shownWindow();
        QVERIFY(waitForActive(*window));
        QVERIFY(openAndWait(*window, "synthetic:noise:120x80,channels=3"));
        QSet<const QWidget*> reached;
        window->compareView().pane(PaneRole::a).setFocus();
        for (int i = 0; i < 400; ++i) {
            QWidget* focus = QApplication::focusWidget();
            QVERIFY(focus);
            if (i > 0 && focus == &window->compareView().pane(PaneRole::a)) break;
            reached << focus;
            QTest::keyClick(focus, Qt::Key_Tab);
        }
        QStringList missed;
        for (QWidget* widget : window->findChildren<QWidget*>()) {
            if (widget->window() != window.get() || !isControl(*widget) || !widget->isVisible() || !widget->isEnabled()) continue;
            if (!(widget->focusPolicy() & Qt::TabFocus)) continue;
            // The box beside a parameter's slider takes the same values.
            if (qobject_cast<QSlider*>(widget) && qobject_cast<ParameterEditor*>(widget->parentWidget())) continue;
            const QWidget* proxy = widget->focusProxy() ? widget->focusProxy() : widget;
            if (!reached.contains(widget) && !reached.contains(proxy)) missed << describe(*widget);
        }
        QVERIFY(none(missed));
        QVERIFY(reached.size() > 25);
    }
};

QTEST_MAIN(AccessibilityTest)
#include "accessibility_test.moc"
