// SPDX-License-Identifier: GPL-3.0-or-later
// Random actions in any order: commands of the menus, mouse and keys on panes, parameters, backends, good and broken inputs.
// PARALLAX_SOAK sets the number of actions, PARALLAX_SOAK_SEED the seed.
#include <dlfcn.h>
#include <execinfo.h>
#include <malloc.h>
#include <unistd.h>

#include <QAction>
#include <QComboBox>
#include <QDialog>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QFile>
#include <QMenuBar>
#include <QPixmapCache>
#include <QPointer>
#include <QSettings>
#include <QTimer>
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <random>
#include <vector>

#include "tests/gui/gui_support.hpp"
#include "ui/charts/timing_panel.hpp"
#include "ui/pipeline/parameter_form.hpp"
#include "ui/pipeline/pipeline_panel.hpp"
#include "ui/window/shell/action_list.hpp"

#ifdef __SANITIZE_ADDRESS__
// Declared here: not every compiler has the sanitizer's header.
extern "C" std::size_t __sanitizer_get_current_allocated_bytes();
#endif

using namespace parallax;
using namespace parallax::ui;

namespace {

constexpr int kQuickCount = 600;
constexpr int kSettledEvery = 50;

/// The action under way, for a program that is aborted: by an uncaught exception, or by the C library on damaged memory.
char currentAction[200] = "none";
void setCurrentAction(const QString& what) { qstrncpy(currentAction, what.toUtf8().constData(), sizeof(currentAction)); }

struct Stack {
    void* frames[60];
    int depth = 0;
    void take() { depth = backtrace(frames, static_cast<int>(std::size(frames))); }
    void print() const { backtrace_symbols_fd(frames, depth, STDERR_FILENO); }
};
thread_local Stack lastThrow;  // QtTest catches what nothing else does, and its stack no longer shows where it came from

void sayWhere(int signal) {
    constexpr char action[] = "\naborted during: ", thrown[] = "\nlast exception of this thread, from:\n", here[] = "aborted from:\n";
    (void)!write(STDERR_FILENO, action, sizeof(action) - 1);
    (void)!write(STDERR_FILENO, currentAction, qstrlen(currentAction));
    (void)!write(STDERR_FILENO, thrown, sizeof(thrown) - 1);
    lastThrow.print();
    (void)!write(STDERR_FILENO, here, sizeof(here) - 1);
    Stack stack;
    stack.take();
    stack.print();
    (void)std::signal(signal, SIG_DFL);
    (void)std::raise(signal);
}

int fromEnvironment(const char* name, int otherwise) {
    bool ok = false;
    const int value = qEnvironmentVariableIntValue(name, &ok);
    return ok ? value : otherwise;
}

/// Closes dialogs, so that no modal question waits for a user.
void closeDialogs() {
    for (QWidget* popup = QApplication::activePopupWidget(); popup; popup = QApplication::activePopupWidget()) popup->close();
    for (QWidget* widget : QApplication::topLevelWidgets())
        if (auto* dialog = qobject_cast<QDialog*>(widget); dialog && dialog->isVisible()) dialog->reject();
    for (QWidget* widget : QApplication::allWidgets())
        if (auto* dialog = qobject_cast<QDialog*>(widget); dialog && dialog->isVisible()) dialog->reject();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
}

#ifdef __SANITIZE_ADDRESS__
constexpr qint64 kLongestTurn = 30'000;
#else
constexpr qint64 kLongestTurn = 5'000;
#endif
constexpr double kTolerance = 6e6;

/// Bytes in use, without the spare memory for the next results, which varies.
double bytesInUse(MainWindow& window) {
    window.session().releaseSpareMemory();
    QPixmapCache::clear();  // pixmaps of the style, bounded at 10 MB
#ifdef __SANITIZE_ADDRESS__
    // The sanitizer's own allocator; freed memory in its quarantine does not count.
    return static_cast<double>(__sanitizer_get_current_allocated_bytes());
#else
    const struct mallinfo2 info = mallinfo2();
    return static_cast<double>(info.uordblks + info.hblkhd);
#endif
}

}  // namespace

#ifndef __SANITIZE_ADDRESS__  // the sanitizer replaces it, too
/// Replaces the function of the C++ library that throws, with the types that the compiler knows it by.
extern "C" [[noreturn]] void __cxa_throw(void* object, void* type, void (*destroy)(void*)) {
    lastThrow.take();
    static const auto original = reinterpret_cast<void (*)(void*, void*, void (*)(void*))>(dlsym(RTLD_NEXT, "__cxa_throw"));
    original(object, type, destroy);
    std::abort();
}
#endif

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
        (void)writeFile(text, "this is text");
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
        setCurrentAction(name);
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
            wheel(pane, at, 240 * (below(9) - 4));
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
    /// Clicks, scrolls or types on a random visible widget.
    QString anywhere(MainWindow& window) {
        QList<QWidget*> widgets;
        for (QWidget* widget : window.findChildren<QWidget*>())
            if (widget->isVisible() && widget->isEnabled() && widget->window() == &window && !qobject_cast<QMenuBar*>(widget) &&
                !qobject_cast<QDockWidget*>(widget))
                widgets << widget;
        QWidget* widget = anyOf(widgets);
        const QString name = QLatin1String(widget->metaObject()->className()) + QLatin1Char(' ') + widget->accessibleName();
        const QPoint at(below(std::max(1, widget->width())), below(std::max(1, widget->height())));
        const QPointer<QWidget> alive(widget);
        setCurrentAction(QStringLiteral("anywhere: ") + name);
        switch (below(4)) {
            case 0: wheel(*widget, at, below(2) == 0 ? 120 : -120); break;
            case 1:
                widget->setFocus();
                for (const char c : {'3', '.', '7', ' ', 'x'})
                    if (alive) QTest::keyClick(widget, c);
                if (alive) QTest::keyClick(widget, Qt::Key_Return);
                break;
            default: QTest::mouseClick(widget, below(5) == 0 ? Qt::RightButton : Qt::LeftButton, {}, at);
        }
        return QStringLiteral("anywhere: ") + name;
    }
    QString target(MainWindow& window) {
        QStringList labels;
        for (const auto& backend : processCatalog().backends()) labels << QString::fromStdString(backend->id());
        window.session().setTarget(below(2) == 0 ? Side::a : Side::b, anyOf(labels));
        return QStringLiteral("backend");
    }

    /// Returns the bytes that each repetition leaves behind after a warm-up.
    template <class Action>
    double leftBehind(MainWindow& window, Action&& action) {
        constexpr int kWarm = 6, kCounted = 12;
        double before = 0;
        for (int i = 0; i < kWarm + kCounted; ++i) {
            action();
            QCoreApplication::processEvents();
            closeDialogs();
            if (!window.isVisible()) window.show();
            if (i == kWarm - 1 || i == kWarm + kCounted - 1) {
                if (!waitForIdle(window)) return 1e9;
                QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
                if (i == kWarm - 1) before = bytesInUse(window);
            }
        }
        return (bytesInUse(window) - before) / kCounted;
    }

private slots:
    void initTestCase() {
        lastThrow.take();  // loads what it needs, while memory is sound
        (void)std::signal(SIGABRT, sayWhere);
    }
    void repetitionsDoNotLeakMemory() {
#ifdef __SANITIZE_ADDRESS__
        QSKIP("the sanitizer counts leaks itself");
#endif
        QSettings().clear();
        auto window = shownWindow();
        QTimer closer;
        connect(&closer, &QTimer::timeout, closeDialogs);
        closer.start(100);
        QVERIFY(openAndWait(*window, "synthetic:noise:64x48,channels=3"));
        QStringList faults;
        const auto check = [&](const QString& name, const auto& action) {
            constexpr double kMaxBytes = 64e3;
            setCurrentAction(name);
            double bytes = leftBehind(*window, action);
            // Ignore growth that happens once, such as a table made on first use.
            for (int again = 0; again < 4 && bytes > kMaxBytes; ++again) bytes = std::min(bytes, leftBehind(*window, action));
            if (qEnvironmentVariableIsSet("DBG")) qInfo("%8.0f %s", bytes, qPrintable(name));
            if (bytes > kMaxBytes) faults << QStringLiteral("%1: %2 bytes each time").arg(name).arg(bytes);
        };
        // Some actions are recreated for each document.
        QList<QPointer<QAction>> actions;
        for (const ActionEntry& entry : menuActions(*window->menuBar())) actions << entry.action;
        for (const QPointer<QAction>& action : actions) {
            if (!action) continue;
            const QString name = action->objectName();
            if (name == QLatin1String("quit") || name == QLatin1String("benchmark") || name.isEmpty()) continue;
            check(name, [&] {
                // A longer pipeline may make larger images, such as coefficients of coefficients.
                if (name.startsWith(QLatin1String("add-"))) window->session().pipeline().setPipeline({});
                if (action) action->trigger();
            });
        }
        check("open", [&] { openAndWait(*window, "synthetic:noise:64x48,channels=3"); });
        check("both themes", [&] {
            applyTheme(ThemeChoice::dark);
            applyTheme(ThemeChoice::light);
        });
        check("parameter", [&] {
            PipelineModel& pipeline = window->session().pipeline();
            pipeline.setPipeline({});
            pipeline.addStep(*processCatalog().operations().front());
        });
        check("broken file", [&] { openAndWait(*window, "/nonexistent.exr"); });
        for (const QString& fault : faults) qWarning("%s", qPrintable(fault));
        QVERIFY(faults.isEmpty());
    }
    void anythingInAnyOrder() {
        QSettings().clear();
        const int count = fromEnvironment("PARALLAX_SOAK", kQuickCount);
        const QStringList files = inputs();
        auto window = shownWindow();
        window->keepSession(folder_.filePath("sessions"));
        // Each chart keeps its picture once its page was shown.
        for (int page = 0; page <= TimingPanel::historyPage; ++page) {
            window->timingPanel().showPage(static_cast<TimingPanel::Page>(page));
            QCoreApplication::processEvents();
        }
        window->timingPanel().showPage(TimingPanel::stagesPage);
        // Modal dialogs run their own event loops.
        QTimer closer;
        connect(&closer, &QTimer::timeout, closeDialogs);
        closer.start(100);
        QElapsedTimer turn;
        qint64 longest = 0;
        QString slowest;
        QStringList tooSlow;
        std::vector<double> used;
        for (int i = 0; i < count; ++i) {
            turn.start();
            const double processorBefore = processorTime();
            QString what;
            setCurrentAction(QStringLiteral("action %1").arg(i));
            switch (below(12)) {
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
                case 7:
                case 8: what = anywhere(*window); break;
                default: what = command(*window); break;
            }
            QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
            closeDialogs();
            if (!window->isVisible()) window->show();
            if (turn.elapsed() > longest) {
                longest = turn.elapsed();
                slowest = what;
            }
            QVERIFY2(processorTime() - processorBefore < kLongestTurn, qPrintable(what));
            if (const auto took = static_cast<double>(turn.elapsed()); took > kLongestTurn && took / slowness() > kLongestTurn)
                tooSlow << what;
            if (i % kSettledEvery == kSettledEvery - 1) {
                if (below(2) == 0) window->session().cancel();
                QVERIFY2(waitForIdle(*window), qPrintable(what));
                // The same small document in the same window each time: the memory in use must not grow.
                window->showNormal();
                window->resetLayout();
                window->resize(1300, 850);
                window->session().pipeline().setPipeline({});
                QVERIFY2(openAndWait(*window, "synthetic:gradient:64x48"), qPrintable(what));
                malloc_trim(0);
                used.push_back(bytesInUse(*window));
            }
        }
        qInfo("%d actions; the slowest took %lld ms: %s", count, static_cast<long long>(longest), qPrintable(slowest));
        // None computes for long. A slow action may have waited for earlier ones: repeat it alone.
        QVERIFY2(tooSlow.size() < 2, qPrintable(tooSlow.join('\n')));
        // Undo steps, messages and recent files are bounded; what is created on first use adds its memory once. The first third warms up.
        if (used.size() < 6) return;
        const auto third = [&](std::size_t i) { return used.begin() + static_cast<std::ptrdiff_t>(used.size() * i / 3); };
        const double early = *std::max_element(third(1), third(2)), late = *std::min_element(third(2), third(3));
        qInfo("in use after warming up %.1f MB, at the end %.1f MB", early / 1e6, late / 1e6);
        // A leak grows with the number of actions.
        const double allowed = kTolerance * std::max(1.0, count / 2000.0);
        QVERIFY2(late < early + allowed, "memory in use grows");
    }
};

QTEST_MAIN(SoakTest)
#include "soak_test.moc"
