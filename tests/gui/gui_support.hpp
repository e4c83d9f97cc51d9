// SPDX-License-Identifier: GPL-3.0-or-later
// What the window tests share.
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

/// Milliseconds until something has surely gone wrong: sanitizers are slow, and so is a machine on which others work. For every wait for
/// something that is to happen; none takes longer than what it waits for.
constexpr int kPatience = 600'000;

/// A window that is active gets keys.
inline bool waitForActive(QWidget& window) { return QTest::qWaitForWindowActive(&window, kPatience); }

/// A window that is shown, with its test settings apart from those of the person.
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

/// Opens and waits until all has been computed and drawn.
inline bool openAndWait(MainWindow& window, const QString& input) {
    window.openInputs({input});
    return waitForIdle(window);
}

/// Two entries of one menu with the same underlined letter; empty if there are none.
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
