// SPDX-License-Identifier: GPL-3.0-or-later
// SIGTERM, SIGINT and SIGHUP as something that the event loop hears.
#pragma once

#include <QObject>

class QSocketNotifier;

namespace parallax::app {

/// One at a time. Each signal is caught once: the second of the same kind ends the program at once, whatever it does.
class QuitSignals : public QObject {
    Q_OBJECT
public:
    explicit QuitSignals(QObject* parent = nullptr);
    ~QuitSignals() override;
    /// The signal that came, or 0.
    int received() const { return received_; }

signals:
    void asked(int number);

private:
    void read();

    int received_ = 0;
    QSocketNotifier* notifier_ = nullptr;
};

}  // namespace parallax::app
