// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/desktop/notification.hpp"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QFile>
#include <QGuiApplication>
#include <QVariantMap>

namespace parallax::ui {

bool hasSessionBus() {
    // Without an address, libdbus would look for the bus of systemd and then start one of its own.
    if (!qEnvironmentVariableIsEmpty("DBUS_SESSION_BUS_ADDRESS")) return QDBusConnection::sessionBus().isConnected();
    const QString runtime = qEnvironmentVariable("XDG_RUNTIME_DIR");
    return !runtime.isEmpty() && QFile::exists(runtime + QStringLiteral("/bus")) && QDBusConnection::sessionBus().isConnected();
}

void notifyDesktop(const QString& title, const QString& text) {
    if (!hasSessionBus()) return;
    QDBusMessage call =
        QDBusMessage::createMethodCall(QStringLiteral("org.freedesktop.Notifications"), QStringLiteral("/org/freedesktop/Notifications"),
                                       QStringLiteral("org.freedesktop.Notifications"), QStringLiteral("Notify"));
    const QString id = QGuiApplication::desktopFileName();
    constexpr uint kReplaced = 0;  // none
    constexpr int kDuration = -1;  // as the desktop has it
    // The text may hold marks like those of HTML.
    call.setArguments({QGuiApplication::applicationDisplayName(), kReplaced, id, title, text.toHtmlEscaped(), QStringList(),
                       QVariantMap{{QStringLiteral("desktop-entry"), id}}, kDuration});
    QDBusConnection::sessionBus().send(call);  // asks for no reply: there is nothing to do if it fails
}

}  // namespace parallax::ui
