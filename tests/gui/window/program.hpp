// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the program itself, for tests of how it starts and ends.
#pragma once

#include <signal.h>

#include <QFile>
#include <QHash>
#include <QProcess>

#include "tests/gui/gui_support.hpp"

namespace parallax::ui {

/// A process of the program with its own settings, state, data and cache in `home`, and with more variables of the environment.
class Program {
public:
    explicit Program(const QTemporaryDir& home, const QStringList& arguments, const QHash<QString, QString>& variables = {}) {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
        for (const char* kind : {"CONFIG", "STATE", "DATA", "CACHE"})
            environment.insert(QStringLiteral("XDG_%1_HOME").arg(QLatin1String(kind)), home.filePath(QString::fromLatin1(kind).toLower()));
        for (auto it = variables.begin(); it != variables.end(); ++it) environment.insert(it.key(), it.value());
        process_.setProcessEnvironment(environment);
        process_.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        process_.start(QStringLiteral(PARALLAX_PROGRAM), arguments);
        (void)process_.waitForStarted(kPatience);  // until then it is a copy of this process, with its handlers
    }
    ~Program() {
        process_.kill();
        process_.waitForFinished(kPatience);
    }
    void send(int number) const { ::kill(static_cast<pid_t>(process_.processId()), number); }
    qint64 id() const { return process_.processId(); }
    bool running() const { return process_.state() == QProcess::Running; }
    /// Waits for the program's signal handler: before, a signal has its default effect.
    bool waitUntilItHandles(int number) const {
        return QTest::qWaitFor(
            [&] {
                QFile status(QStringLiteral("/proc/%1/status").arg(process_.processId()));
                if (!status.open(QIODevice::ReadOnly)) return false;
                for (const QByteArray& line : status.readAll().split('\n'))
                    if (line.startsWith("SigCgt:")) return (line.mid(7).trimmed().toULongLong(nullptr, 16) >> (number - 1) & 1) != 0;
                return false;
            },
            kPatience);
    }
    /// The exit code; -1 if it did not exit, -2 if it crashed.
    int finish() {
        if (!process_.waitForFinished(kPatience)) return -1;
        return process_.exitStatus() == QProcess::NormalExit ? process_.exitCode() : -2;
    }
    QString output() { return QString::fromUtf8(process_.readAllStandardOutput()); }

private:
    QProcess process_;
};

}  // namespace parallax::ui
