// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/quit_signals.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <QSocketNotifier>
#include <cerrno>
#include <csignal>

namespace parallax::app {
namespace {

constexpr int kSignals[] = {SIGTERM, SIGINT, SIGHUP};

// A signal handler may only write to a pipe, and has no object.
volatile sig_atomic_t writeEnd = -1;
int readEnd = -1;

void onSignal(int number) {
    const int before = errno;
    const auto byte = static_cast<unsigned char>(number);
    (void)!write(writeEnd, &byte, 1);
    errno = before;
}

}  // namespace

QuitSignals::QuitSignals(QObject* parent) : QObject(parent) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return;  // signals then keep their default action
    readEnd = ends[0];
    writeEnd = ends[1];
    notifier_ = new QSocketNotifier(readEnd, QSocketNotifier::Read, this);
    connect(notifier_, &QSocketNotifier::activated, this, &QuitSignals::read);
    for (const int number : kSignals) {
        struct sigaction current {};
        // Signals that nohup or a background shell ignores stay ignored.
        if (sigaction(number, nullptr, &current) == 0 && current.sa_handler == SIG_IGN) continue;
        struct sigaction action {};
        action.sa_handler = onSignal;
        action.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND);
        sigemptyset(&action.sa_mask);
        sigaction(number, &action, nullptr);
    }
}

QuitSignals::~QuitSignals() {
    if (!notifier_) return;
    for (const int number : kSignals) {
        struct sigaction current {};
        if (sigaction(number, nullptr, &current) == 0 && current.sa_handler == onSignal) std::signal(number, SIG_DFL);
    }
    delete notifier_;
    const int end = writeEnd;
    writeEnd = -1;
    close(end);
    close(readEnd);
}

void QuitSignals::read() {
    unsigned char byte = 0;
    if (::read(readEnd, &byte, 1) != 1) return;
    received_ = byte;
    emit quitRequested(received_);
}

}  // namespace parallax::app
