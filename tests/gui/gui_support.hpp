// SPDX-License-Identifier: GPL-3.0-or-later
// Shared helpers of the window tests.
#pragma once

#include <QMenu>
#include <QMenuBar>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

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
    return QTest::qWaitFor([&] { return window.settled(); }, kPatience);
}

/// Opens an input and waits until everything is computed and drawn.
inline bool openAndWait(MainWindow& window, const QString& input) {
    window.openInputs({input});
    return waitForIdle(window);
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
