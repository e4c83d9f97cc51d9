// SPDX-License-Identifier: GPL-3.0-or-later
// Shared helpers of the window tests.
#pragma once

#include <QApplication>
#include <QDropEvent>
#include <QFile>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>

#include "core/engine/backend/catalog.hpp"
#include "tests/support/promptness.hpp"
#include "ui/compare/compare_view.hpp"
#include "ui/theme/theme.hpp"
#include "ui/window/shell/main_window.hpp"
#include "ui/window/shell/message_bar.hpp"

namespace parallax::ui {

/// Timeout in milliseconds of waits for a condition: long enough for sanitizers and busy machines.
constexpr int kPatience = 600'000;

/// Waits until the window receives keys.
inline bool waitForActive(QWidget& window) { return QTest::qWaitForWindowActive(&window, kPatience); }

/// Shows a window with settings separate from the user's.
inline std::unique_ptr<MainWindow> shownWindow(QSize size = {1300, 850}) {
    QStandardPaths::setTestModeEnabled(true);
    applyTheme(ThemeChoice::light);
    auto window = std::make_unique<MainWindow>(processCatalog());
    window->resize(size);
    window->show();
    return window;
}

inline bool waitForIdle(MainWindow& window) {
    if (QTest::qWaitFor([&] { return window.settled(); }, kPatience)) return true;
    qWarning("not idle: the session is %s", window.session().idle() ? "idle, so panes wait to be drawn" : "busy");
    return false;
}

/// Opens an input and waits until everything is computed and drawn.
inline bool openAndWait(MainWindow& window, const QString& input) {
    window.openInputs({input});
    return waitForIdle(window);
}

/// Steps as written on the command line.
inline Pipeline pipelineOf(const std::vector<std::string>& steps) {
    Pipeline pipeline;
    for (const std::string& text : steps) pipeline.steps.push_back(parseStep(processCatalog(), text));
    return pipeline;
}
inline void setSteps(MainWindow& window, const std::vector<std::string>& steps) {
    window.session().pipeline().setPipeline(pipelineOf(steps));
}

inline void drag(QWidget& widget, QPoint from, QPoint to, Qt::KeyboardModifiers modifiers = {}, Qt::MouseButton button = Qt::LeftButton) {
    QTest::mousePress(&widget, button, modifiers, from);
    QMouseEvent move(QEvent::MouseMove, to, widget.mapToGlobal(QPointF(to)), Qt::NoButton, button, modifiers);
    QApplication::sendEvent(&widget, &move);
    QTest::mouseRelease(&widget, button, modifiers, to);
}

inline void wheel(QWidget& widget, QPointF at, int delta, Qt::KeyboardModifiers modifiers = {}) {
    QWheelEvent event(at, widget.mapToGlobal(at), {}, {0, delta}, Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&widget, &event);
}

/// Drops data on a widget; returns false if it does not accept them.
inline bool drop(QWidget& widget, const QMimeData& mime, QPoint at = {100, 100}) {
    QDragEnterEvent enter(at, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&widget, &enter);
    if (!enter.isAccepted()) return false;
    QDropEvent event(at, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&widget, &event);
    return true;
}

inline bool writeFile(const QString& path, const QByteArray& content) {
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(content) == content.size();
}

inline QByteArray readFile(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Returns two entries of one menu with the same mnemonic; empty if there are none.
inline QString doubledMnemonic(MainWindow& window) {
    QList<QWidget*> holders{window.menuBar()};
    for (QMenu* menu : window.menuBar()->findChildren<QMenu*>()) holders << menu;
    for (const QWidget* holder : holders) {
        QHash<QKeySequence, QString> seen;
        for (const QAction* action : holder->actions()) {
            const QKeySequence key = QKeySequence::mnemonic(action->text());
            if (key.isEmpty()) continue;
            if (seen.contains(key)) return action->text() + QStringLiteral(", ") + seen.value(key);
            seen.insert(key, action->text());
        }
    }
    return {};
}

}  // namespace parallax::ui
