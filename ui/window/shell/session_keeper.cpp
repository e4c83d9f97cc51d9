// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/shell/session_keeper.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>
#include <QUuid>

#include "core/image/error.hpp"

namespace parallax::ui {
namespace {

constexpr int kDelayMilliseconds = 1000;
constexpr qint64 kLargest = 4 << 20;  // bytes: larger files were not written by this class
const QString kSuffix = QStringLiteral(".json");
const QString kLastName = QStringLiteral("last.parallax");  // not the suffix of running sessions

std::unique_ptr<QLockFile> lockFor(const QString& path) {
    auto lock = std::make_unique<QLockFile>(path + QStringLiteral(".lock"));
    lock->setStaleLockTime(0);  // only a process that has ended loses its lock, whatever its age
    return lock->tryLock(0) ? std::move(lock) : nullptr;
}

/// Returns nothing if the file is missing, damaged or of another version.
std::optional<KeptSession> sessionIn(const Catalog& catalog, const QFileInfo& info) {
    QFile file(info.filePath());
    if (info.size() > kLargest || !file.open(QIODevice::ReadOnly)) return {};
    try {
        KeptSession session = sessionFromJson(catalog, file.readAll(), info.fileName());
        if (session.inputs.isEmpty()) return {};
        session.saved = info.lastModified();
        return session;
    } catch (const Error&) {
        return {};
    }
}

/// Written atomically: if the disk is full, the previous file stays.
bool replaceFile(const QString& path, const QByteArray& content) {
    QSaveFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(content) == content.size() && file.commit();
}

}  // namespace

QString SessionKeeper::defaultFolder() {
    const QString state = qEnvironmentVariable("XDG_STATE_HOME");
    const QString base = QDir::isAbsolutePath(state) ? state : QDir::homePath() + QStringLiteral("/.local/state");
    return base + QStringLiteral("/parallax/sessions");
}

SessionKeeper::SessionKeeper(const Catalog& catalog, const QString& folder, Source source, QObject* parent)
    : QObject(parent), source_(std::move(source)) {
    // Names of open files are private.
    if (!QDir().mkpath(folder)) return;
    QFile::setPermissions(folder, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    lastPath_ = folder + QLatin1Char('/') + kLastName;
    claimLeft(catalog, folder);
    if (!left_) left_ = sessionIn(catalog, QFileInfo(lastPath_));
    path_ = QStringLiteral("%1/%2-%3%4")
                .arg(folder)
                .arg(QCoreApplication::applicationPid())
                .arg(QUuid::createUuid().toString(QUuid::Id128), kSuffix);
    lock_ = lockFor(path_);
    if (!lock_) return;  // a full or read-only disk: the window works without
    queue_ = std::make_unique<JobQueue>();
    delay_.setSingleShot(true);
    delay_.setInterval(kDelayMilliseconds);
    connect(&delay_, &QTimer::timeout, this, &SessionKeeper::write);
}

SessionKeeper::~SessionKeeper() {
    queue_.reset();  // joins: pending writes are done
    if (lock_) QFile::remove(path_);
    forgetLeft();
}

void SessionKeeper::claimLeft(const Catalog& catalog, const QString& folder) {
    for (const QFileInfo& info : QDir(folder).entryInfoList({QLatin1Char('*') + kSuffix}, QDir::Files, QDir::Time)) {
        auto lock = lockFor(info.filePath());
        if (!lock) continue;  // belongs to an open window
        left_ = sessionIn(catalog, info);
        if (!left_) {
            QFile::remove(info.filePath());
            continue;
        }
        leftPath_ = info.filePath();
        leftLock_ = std::move(lock);
        return;
    }
}

void SessionKeeper::keepLast() {
    if (!lock_) return;
    if (const QByteArray content = source_(); !content.isEmpty()) replaceFile(lastPath_, content);
    else if (leftByCrash()) replaceFile(lastPath_, toJson(*left_));
}

void SessionKeeper::forgetLeft() {
    if (leftByCrash()) QFile::remove(leftPath_);
    leftLock_.reset();
    left_.reset();
}

void SessionKeeper::touch() {
    if (queue_ && !delay_.isActive()) delay_.start();
}

void SessionKeeper::write() {
    QByteArray content = source_();
    if (content == written_) return;
    written_ = content;
    queue_->submit("session", [content = std::move(content), path = path_](const std::stop_token&) {
        if (content.isEmpty()) {
            QFile::remove(path);
            return;
        }
        replaceFile(path, content);
    });
}

}  // namespace parallax::ui
