// SPDX-License-Identifier: GPL-3.0-or-later
// Delivers SIGTERM, SIGINT and SIGHUP to the event loop.
#pragma once

#include <QObject>

class QSocketNotifier;

namespace parallax::app {

/// At most one instance. Each signal is caught once: a second one of the same kind terminates the program immediately.
class QuitSignals : public QObject {
    Q_OBJECT
public:
    explicit QuitSignals(QObject* parent = nullptr);
    ~QuitSignals() override;
    /// The received signal, or 0.
    int received() const { return received_; }

signals:
    void quitRequested(int number);

private:
    void read();

    int received_ = 0;
    QSocketNotifier* notifier_ = nullptr;
};

}  // namespace parallax::app
