// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/stale_notice.hpp"

#include "ui/session/session.hpp"

namespace parallax::ui {
namespace {

constexpr int kDelayMilliseconds = 150;  // results that arrive sooner replace the old ones without a notice

}  // namespace

StaleNotice::StaleNotice(Session& session, QObject* parent) : QObject(parent), session_(session) {
    delay_.setSingleShot(true);
    delay_.setInterval(kDelayMilliseconds);
    connect(&delay_, &QTimer::timeout, this, [this] { setStale(session_.comparison().comparing()); });
    // Queued: between a result and its difference nothing is pending for a moment.
    connect(&session_.comparison(), &Comparison::sideChanged, this, &StaleNotice::update, Qt::QueuedConnection);
    connect(&session_, &Session::busyChanged, this, &StaleNotice::update, Qt::QueuedConnection);
}

void StaleNotice::update() {
    if (!session_.comparison().comparing()) {
        delay_.stop();
        setStale(false);
    } else if (!stale_ && !delay_.isActive()) {
        delay_.start();
    }
}

void StaleNotice::setStale(bool stale) {
    if (stale == stale_) return;
    stale_ = stale;
    emit changed(stale);
}

}  // namespace parallax::ui
