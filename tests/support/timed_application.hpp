// SPDX-License-Identifier: GPL-3.0-or-later
// An application that remembers which events took longest: the ones to look at when others have to wait.
#pragma once

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <QApplication>
#include <QElapsedTimer>
#include <QString>
#include <cstdio>

#include "tests/support/promptness.hpp"

namespace parallax {

class TimedApplication : public QApplication {
public:
    /// In milliseconds.
    struct Longest {
        double time = 0;
        QString event;
        QString text() const { return QStringLiteral("%1 ms: %2").arg(time, 0, 'f', 1).arg(event); }
    };
    using QApplication::QApplication;

    /// From now on, and from nothing.
    void watch() {
        watching_ = true;
        elapsed = processor = waited = {};
    }
    /// Elapsed time, including what other threads and programs took from it.
    Longest elapsed;
    /// Processor time of its own: what would hold up others on an idle machine, too.
    Longest processor;
    /// Elapsed time of events that waited for a lock or a file, so that their thread yielded its CPU. Without the time in which it could
    /// have run but others did, if the system reports that.
    Longest waited;

    bool notify(QObject* receiver, QEvent* event) override {
        if (!watching_) return QApplication::notify(receiver, event);
        // Both are perhaps gone afterwards.
        const QEvent::Type type = event->type();
        const char* name = receiver->metaObject()->className();
        const Reading before = read();
        QElapsedTimer clock;
        clock.start();
        const bool done = QApplication::notify(receiver, event);
        const double time = static_cast<double>(clock.nsecsElapsed()) / 1e6;
        const Reading after = read();
        const auto note = [&](Longest& longest, double t) {
            if (t > longest.time) longest = {t, QStringLiteral("%1, event %2").arg(QLatin1String(name)).arg(static_cast<int>(type))};
        };
        note(elapsed, time);
        note(processor, after.processor - before.processor);
        if (after.waits > before.waits) note(waited, time - (after.queued - before.queued));
        return done;
    }

private:
    struct Reading {
        double processor;  ///< milliseconds
        long waits;
        double queued;  ///< milliseconds for which it was ready to run and had no processor
    };
    static Reading read() {
        rusage usage{};
        getrusage(RUSAGE_THREAD, &usage);
        return {processorTime(), usage.ru_nvcsw, queued()};
    }
    static double queued() {
        static thread_local const Statistics statistics;
        char text[96] = {};
        long long running = 0, waiting = 0;
        if (statistics.file < 0 || pread(statistics.file, text, sizeof text - 1, 0) <= 0) return 0;
        return std::sscanf(text, "%lld %lld", &running, &waiting) == 2 ? static_cast<double>(waiting) / 1e6 : 0;
    }
    /// Nanoseconds on a processor and in the queue for one. Not every kernel counts them.
    struct Statistics {
        int file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
        ~Statistics() {
            if (file >= 0) close(file);
        }
    };
    bool watching_ = false;
};

}  // namespace parallax
