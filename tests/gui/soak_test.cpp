// SPDX-License-Identifier: GPL-3.0-or-later
// Random actions for as long as one likes: every command of the menus, mouse and keys on the panes, parameters, backends,
// good and broken inputs, in any order. PARALLAX_SOAK sets how many, PARALLAX_SOAK_SEED which.
#include <malloc.h>

#include <QAction>
#include <QComboBox>
#include <QDialog>
#include <QElapsedTimer>
#include <QFile>
#include <QSettings>
#include <QTimer>
#include <random>

#include "gui_support.hpp"
#include "parallax/ui/pipeline/parameter_form.hpp"
#include "parallax/ui/pipeline/pipeline_panel.hpp"
#include "parallax/ui/window/action_list.hpp"

using namespace parallax;
using namespace parallax::ui;

namespace {

constexpr int kQuickCount = 300;
constexpr int kSettledEvery = 50;

int fromEnvironment(const char* name, int otherwise) {
    bool ok = false;
    const int value = qEnvironmentVariableIntValue(name, &ok);
    return ok ? value : otherwise;
}

/// Closes whatever asks something, so that a modal question never waits for a person.
void closeDialogs() {
    for (QWidget* popup = QApplication::activePopupWidget(); popup; popup = QApplication::activePopupWidget()) popup->close();
    for (QWidget* widget : QApplication::topLevelWidgets())
        if (auto* dialog = qobject_cast<QDialog*>(widget); dialog && dialog->isVisible()) dialog->reject();
    for (QWidget* widget : QApplication::allWidgets())
        if (auto* dialog = qobject_cast<QDialog*>(widget); dialog && dialog->isVisible()) dialog->reject();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
}

std::size_t bytesInUse() {
#ifdef __SANITIZE_ADDRESS__
    return 0;  // its own leak check says more
#else
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
#endif
}

}  // namespace

class SoakTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    std::mt19937 random_{static_cast<unsigned>(fromEnvironment("PARALLAX_SOAK_SEED", 1))};

    int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
    template <class List>
    auto& anyOf(List& list) {
        return list[static_cast<typename List::size_type>(below(static_cast<int>(list.size())))];
    }

    QStringList inputs() {
        const QString text = folder_.filePath("no image.png");
        QFile file(text);
        if (file.open(QIODevice::WriteOnly)) file.write("this is text");
        return {"synthetic:noise:200x150,channels=3",
                "synthetic:hdr-ramp:333x77",
                "synthetic:gradient:1x1",
                "synthetic:noise:64x48,channels=4",
                "synthetic:checker:1500x900,channels=3",
                "/nonexistent.exr",
                text,
                "synthetic:nonsense:3x3",
                folder_.path()};
    }

    QString command(MainWindow& window) {
        QList<QAction*> actions;
        for (const ActionEntry& entry : menuActions(*window.menuBar()))
            if (entry.action->isEnabled() && entry.action->objectName() != QLatin1String("quit")) actions << entry.action;
        QAction* action = anyOf(actions);
        const QString name = action->objectName() + QLatin1Char(' ') + action->text();
        action->trigger();
        return name;
    }
    QString mouse(MainWindow& window) {
        QList<ImagePane*> panes;
        for (const PaneRole role : kAllPanes)
            if (window.compareView().pane(role).isVisible()) panes << &window.compareView().pane(role);
        if (panes.isEmpty()) return QStringLiteral("no pane");
        ImagePane& pane = *anyOf(panes);
        const auto place = [&] { return QPoint(below(pane.width() + 40) - 20, below(pane.height() + 40) - 20); };
        const QPoint at = place();
        if (below(2) == 0) {
            QWheelEvent wheel(at, pane.mapToGlobal(QPointF(at)), {}, {0, 240 * (below(9) - 4)}, Qt::NoButton, Qt::NoModifier,
                              Qt::NoScrollPhase, false);
            QApplication::sendEvent(&pane, &wheel);
            return QStringLiteral("wheel");
        }
        const Qt::KeyboardModifiers modifiers = below(2) == 0 ? Qt::ShiftModifier : Qt::NoModifier;
        QTest::mousePress(&pane, Qt::LeftButton, modifiers, at);
        for (int i = 0; i < 3; ++i) {
            const QPoint to = place();
            QMouseEvent move(QEvent::MouseMove, to, pane.mapToGlobal(QPointF(to)), Qt::NoButton, Qt::LeftButton, modifiers);
            QApplication::sendEvent(&pane, &move);
        }
        QTest::mouseRelease(&pane, Qt::LeftButton, modifiers, place());
        return QStringLiteral("drag");
    }
    QString key(MainWindow& window) {
        static constexpr Qt::Key keys[] = {Qt::Key_Left,  Qt::Key_Right,  Qt::Key_Up, Qt::Key_Down,  Qt::Key_Tab,
                                           Qt::Key_Space, Qt::Key_W,      Qt::Key_B,  Qt::Key_Plus,  Qt::Key_A,
                                           Qt::Key_F,     Qt::Key_Delete, Qt::Key_Z,  Qt::Key_Comma, Qt::Key_Escape};
        const Qt::Key chosen = keys[below(static_cast<int>(std::size(keys)))];
        QWidget* target = QApplication::focusWidget() && below(2) == 0 ? QApplication::focusWidget() : &window;
        QTest::keyClick(target, chosen, below(6) == 0 ? Qt::ControlModifier : Qt::NoModifier);
        return QStringLiteral("key %1").arg(static_cast<int>(chosen), 0, 16);
    }
    QString parameter(MainWindow& window) {
        PipelineModel& pipeline = window.session().pipeline();
        if (pipeline.rowCount() == 0 || (pipeline.rowCount() < 4 && below(4) == 0)) {
            pipeline.addStep(*window.session().catalog().operations().front());
            return QStringLiteral("add");
        }
        if (below(5) == 0) {
            pipeline.removeStep(below(pipeline.rowCount()));
            return QStringLiteral("remove");
        }
        QList<QWidget*> editors;
        for (QWidget* editor : window.pipelinePanel().findChildren<QWidget*>())
            if (editor->isVisible() && editor->focusPolicy() != Qt::NoFocus) editors << editor;
        if (editors.isEmpty()) return QStringLiteral("no editor");
        QWidget* editor = anyOf(editors);
        editor->setFocus();
        for (int i = below(4); i >= 0; --i) QTest::keyClick(editor, below(2) == 0 ? Qt::Key_Up : Qt::Key_Down);
        return QStringLiteral("parameter ") + editor->accessibleName();
    }
    QString target(MainWindow& window) {
        QStringList labels;
        for (const auto& backend : processCatalog().backends()) labels << QString::fromStdString(backend->id());
        window.session().setTarget(below(2) == 0 ? Side::a : Side::b, anyOf(labels));
        return QStringLiteral("backend");
    }

private slots:
    void anythingInAnyOrder() {
        QSettings().clear();
        const int count = fromEnvironment("PARALLAX_SOAK", kQuickCount);
        const QStringList files = inputs();
        auto window = shownWindow();
        // Modal questions run their own loops.
        QTimer closer;
        connect(&closer, &QTimer::timeout, closeDialogs);
        closer.start(100);
        QElapsedTimer turn;
        qint64 longest = 0;
        QString slowest;
        std::size_t early = 0, late = 0;
        for (int i = 0; i < count; ++i) {
            turn.start();
            QString what;
            switch (below(10)) {
                case 0:
                    what = files[below(static_cast<int>(files.size()))];
                    window->openInputs({what});
                    break;
                case 1: what = target(*window); break;
                case 2:
                case 3: what = parameter(*window); break;
                case 4:
                case 5: what = mouse(*window); break;
                case 6: what = key(*window); break;
                default: what = command(*window); break;
            }
            QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
            closeDialogs();
            if (!window->isVisible()) window->show();
            if (turn.elapsed() > longest) {
                longest = turn.elapsed();
                slowest = what;
            }
            if (i % kSettledEvery == kSettledEvery - 1) {
                if (below(2) == 0) window->session().cancel();
                QVERIFY2(waitForIdle(*window), qPrintable(what));
                // The same small document each time: what is in use then must not rise.
                window->session().pipeline().setPipeline({});
                QVERIFY2(openAndWait(*window, "synthetic:gradient:64x48"), qPrintable(what));
                malloc_trim(0);
                if (i < count / 2) early = std::max(early, bytesInUse());
                else late = std::max(late, bytesInUse());
            }
        }
        qInfo("%d actions; the slowest took %lld ms: %s; in use at most %.1f MB in the first half, %.1f MB in the second", count,
              static_cast<long long>(longest), qPrintable(slowest), static_cast<double>(early) / 1e6, static_cast<double>(late) / 1e6);
        // Undo steps, messages and recent files are bounded; pictures of 64 x 48 are nothing.
        QVERIFY2(late < early + (24U << 20), "memory in use grows");
    }
};

QTEST_MAIN(SoakTest)
#include "soak_test.moc"
