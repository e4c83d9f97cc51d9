// SPDX-License-Identifier: GPL-3.0-or-later
// Services of the desktop over the session bus (D-Bus). Without a bus or a service every call does nothing, at once and without a warning.
#pragma once

#include <QString>

namespace parallax::ui {

/// Is there a session bus to connect to? Starts none.
bool hasSessionBus();

/// Shows a notification of the desktop (Desktop Notifications Specification 1.2). Returns without waiting for the service.
void notifyDesktop(const QString& title, const QString& text);

}  // namespace parallax::ui
