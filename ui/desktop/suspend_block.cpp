// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/desktop/suspend_block.hpp"

#include <QCoreApplication>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusObjectPath>
#include <QDBusPendingCallWatcher>
#include <QGuiApplication>
#include <QMetaType>
#include <QVariantMap>
#include <array>
#include <optional>

#include "ui/desktop/notification.hpp"

namespace parallax::ui {

struct SuspendBlock::Held {
    QString reason;
    bool wanted = true;
    std::optional<QDBusMessage> release;  ///< sent to end the block; set once a service has accepted
};

namespace {

constexpr uint kSuspend = 4;  // flag of the portal and of GNOME

/// A service that answers a request with a cookie or, the portal, with the path of an object.
struct Service {
    const char *name, *path, *interface, *release;
    QVariantList (*arguments)(const QString& reason);
};

QVariantList nameAndReason(const QString& reason) { return {QGuiApplication::applicationDisplayName(), reason}; }

constexpr std::array kServices{
    Service{"org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop", "org.freedesktop.portal.Inhibit", "Close",
            [](const QString& reason) {
                return QVariantList{QString(), kSuspend, QVariantMap{{QStringLiteral("reason"), reason}}};
            }},
    Service{"org.freedesktop.PowerManagement", "/org/freedesktop/PowerManagement/Inhibit", "org.freedesktop.PowerManagement.Inhibit",
            "UnInhibit", nameAndReason},
    Service{"org.gnome.SessionManager", "/org/gnome/SessionManager", "org.gnome.SessionManager", "Uninhibit",
            [](const QString& reason) {
                return QVariantList{QGuiApplication::desktopFileName(), 0U, reason, kSuspend};
            }},
    Service{"org.freedesktop.ScreenSaver", "/org/freedesktop/ScreenSaver", "org.freedesktop.ScreenSaver", "UnInhibit", nameAndReason},
};

QDBusMessage callOf(const Service& service, const QString& path, const char* interface, const char* method) {
    return QDBusMessage::createMethodCall(QLatin1String(service.name), path, QLatin1String(interface), QLatin1String(method));
}

/// Returns nothing if the answer is no success.
std::optional<QDBusMessage> releaseOf(const Service& service, const QDBusMessage& answer) {
    if (answer.type() != QDBusMessage::ReplyMessage || answer.arguments().isEmpty()) return {};
    const QVariant got = answer.arguments().front();
    if (got.metaType() == QMetaType::fromType<QDBusObjectPath>())
        return callOf(service, got.value<QDBusObjectPath>().path(), "org.freedesktop.portal.Request", service.release);
    QDBusMessage release = callOf(service, QLatin1String(service.path), service.interface, service.release);
    release.setArguments({got.toUInt()});
    return release;
}

void ask(const std::shared_ptr<SuspendBlock::Held>& held, std::size_t number) {
    if (number >= kServices.size() || !held->wanted) return;
    const Service& service = kServices[number];
    QDBusMessage request = callOf(service, QLatin1String(service.path), service.interface, "Inhibit");
    request.setArguments(service.arguments(held->reason));
    auto* watcher = new QDBusPendingCallWatcher(QDBusConnection::sessionBus().asyncCall(request), QCoreApplication::instance());
    QObject::connect(watcher, &QDBusPendingCallWatcher::finished, watcher, [held, number, watcher] {
        watcher->deleteLater();
        held->release = releaseOf(kServices[number], watcher->reply());
        if (!held->release) return ask(held, number + 1);
        if (!held->wanted) QDBusConnection::sessionBus().send(*held->release);
    });
}

}  // namespace

SuspendBlock::SuspendBlock(const QString& reason) : held_(std::make_shared<Held>()) {
    held_->reason = reason;
    if (hasSessionBus()) ask(held_, 0);
}

SuspendBlock::~SuspendBlock() {
    held_->wanted = false;
    if (held_->release) QDBusConnection::sessionBus().send(*held_->release);
}

}  // namespace parallax::ui
