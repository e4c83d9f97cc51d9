// SPDX-License-Identifier: GPL-3.0-or-later
// Says when the numbers of a comparison belong to the previous result, because a newer one is being computed.
#pragma once

#include <QObject>
#include <QTimer>

namespace parallax::ui {

class Session;

class StaleNotice : public QObject {
    Q_OBJECT
public:
    explicit StaleNotice(Session& session, QObject* parent = nullptr);
    bool stale() const { return stale_; }

signals:
    void changed(bool stale);

private:
    void update();
    void setStale(bool stale);

    Session& session_;
    QTimer delay_;
    bool stale_ = false;
};

}  // namespace parallax::ui
