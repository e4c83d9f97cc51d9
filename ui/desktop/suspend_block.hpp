// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps the machine from suspending while no one uses it.
#pragma once

#include <QString>
#include <memory>

namespace parallax::ui {

/// Asks services of the desktop, in this order, until one accepts: the portal, org.freedesktop.PowerManagement (KDE, Xfce), the session
/// manager of GNOME, and org.freedesktop.ScreenSaver. All calls are asynchronous. A service also ends the block when the program ends.
class SuspendBlock {
public:
    /// `reason` is shown by the desktop.
    explicit SuspendBlock(const QString& reason);
    /// Ends the block, also if the service answers only later.
    ~SuspendBlock();
    SuspendBlock(const SuspendBlock&) = delete;
    SuspendBlock& operator=(const SuspendBlock&) = delete;

    struct Held;

private:
    std::shared_ptr<Held> held_;
};

}  // namespace parallax::ui
