// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/document/settings.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSettings>
#include <algorithm>
#include <stdexcept>

#include "core/engine/backend/rank_launcher.hpp"
#include "core/engine/backend/resource_limits.hpp"
#include "ui/models/document/formatting.hpp"

namespace parallax::ui {
namespace {

const QString kTheme = QStringLiteral("appearance/theme");
constexpr int kMaxMebibytes = 16 << 20;

/// A stored value as it is used. `damaged`: it is not the stored one.
struct Read {
    QVariant value;
    bool damaged = false;
};

Read readFlag(const QString& text, const SettingInfo& info) {
    if (text == QLatin1String("true") || text == QLatin1String("1")) return {true};
    if (text == QLatin1String("false") || text == QLatin1String("0")) return {false};
    return {info.fallback, true};
}

Read readNumber(const QString& text, const SettingInfo& info) {
    bool isNumber = false;
    const qlonglong number = text.toLongLong(&isNumber);
    if (!isNumber) return {info.fallback, true};
    const auto within = static_cast<int>(std::clamp<qlonglong>(number, info.low, info.high));
    return {within, within != number};
}

Read read(const QVariant& stored, const SettingInfo& info) {
    if (!stored.isValid()) return {info.fallback};
    // A text with a comma is read as a list.
    const QString text = stored.typeId() == QMetaType::QStringList ? stored.toStringList().join(QLatin1Char(',')) : stored.toString();
    switch (info.fallback.typeId()) {
        case QMetaType::Bool: return readFlag(text.trimmed(), info);
        case QMetaType::Int: return readNumber(text.trimmed(), info);
        default: break;
    }
    if (info.choices.isEmpty() || info.choices.contains(text)) return {text};
    return {info.fallback, true};
}

const SettingInfo& infoOf(const QString& key) {
    for (const SettingInfo& info : Settings::all())
        if (key == QLatin1String(info.key)) return info;
    throw std::out_of_range("unknown setting " + key.toStdString());
}

/// Makes the file readable by its owner only, before anything is written to it: it holds paths of files. Qt keeps these permissions.
void makePrivate() {
    constexpr QFile::Permissions kOwner = QFile::ReadOwner | QFile::WriteOwner;
    constexpr QFile::Permissions kOthers =
        QFile::ReadGroup | QFile::WriteGroup | QFile::ExeGroup | QFile::ReadOther | QFile::WriteOther | QFile::ExeOther;
    QFile file(Settings::filePath());
    if (file.exists()) {
        if ((file.permissions() & kOthers) != 0) file.setPermissions(kOwner);
    } else if (QDir().mkpath(QFileInfo(file).absolutePath())) {
        (void)file.open(QIODevice::WriteOnly | QIODevice::NewOnly, kOwner);  // a disk that cannot be written has no settings
    }
}

/// Moves keys of earlier versions.
void migrate() {
    QSettings file;
    const QString oldTheme = QStringLiteral("window/theme"), oldReload = QStringLiteral("open/autoReload");
    if (file.contains(oldTheme)) {
        const int index = file.value(oldTheme).toInt();
        if (!file.contains(kTheme) && index > 0 && index <= 2) file.setValue(kTheme, infoOf(kTheme).choices[index]);
        file.remove(oldTheme);
    }
    if (file.contains(oldReload)) {
        if (file.value(oldReload).toBool()) file.setValue(QStringLiteral("files/auto-reload"), true);
        file.remove(oldReload);
    }
}

}  // namespace

const std::vector<SettingInfo>& Settings::all() {
    static const std::vector<SettingInfo> infos{
        {"appearance/language", QString(), 0, 0, {}},
        {"appearance/theme",
         QStringLiteral("system"),
         0,
         0,
         // In the order of ThemeChoice.
         {QStringLiteral("system"), QStringLiteral("light"), QStringLiteral("dark"), QStringLiteral("high-contrast")}},
        {"appearance/digits", kDefaultDigits, 3, 9, {}},
        {"appearance/dither", false, 0, 0, {}},
        {"compute/backend", QString(), 0, 0, {}},
        {"compute/device", 0, 0, 63, {}},
        {"compute/rendering", QStringLiteral("automatic"), 0, 0, {QStringLiteral("automatic"), QStringLiteral("cpu")}},
        {"compute/threads", 0, 0, 4096, {}},
        {"compute/memory-limit", 0, 0, kMaxMebibytes, {}},
        {"compute/device-memory-limit", 0, 0, kMaxMebibytes, {}},
        {"compute/mpi-launcher", QString(), 0, 0, {}},
        {"compute/notify", true, 0, 0, {}},
        {"files/save-folder", QString(), 0, 0, {}},
        {"files/save-format", QString(), 0, 0, {}},
        {"files/auto-reload", false, 0, 0, {}},
        {"privacy/recent-files", true, 0, 0, {}},
        {"privacy/hide-patient-data", true, 0, 0, {}},
        {"history/keep", true, 0, 0, {}},
        {"history/max-runs", 60, 1, 1000, {}},
        {"history/max-days", 0, 0, 3650, {}},
        {"session/restore", false, 0, 0, {}},
    };
    return infos;
}

Settings::Settings() {
    if (QFile::exists(filePath())) makePrivate();
    migrate();
    apply();
}

void Settings::apply() const {
    setShownDigits(digits());
    setMpiLauncher(value(QStringLiteral("compute/mpi-launcher")).toString().toStdString());
    setResourceLimits({.threads = threads(), .hostBytes = memoryLimit(), .deviceBytes = deviceMemoryLimit()});
}

Settings& Settings::instance() {
    static Settings settings;
    return settings;
}

QString Settings::filePath() { return QSettings().fileName(); }

QVariant Settings::value(const QString& key) const { return read(QSettings().value(key), infoOf(key)).value; }

void Settings::set(const QString& key, const QVariant& value) {
    const SettingInfo& info = infoOf(key);
    const QVariant before = this->value(key), wanted = read(value, info).value;
    makePrivate();
    QSettings file;
    if (wanted == info.fallback) file.remove(key);
    else file.setValue(key, wanted);
    if (wanted == before) return;
    apply();
    emit changed();
}

ThemeChoice Settings::theme() const {
    return static_cast<ThemeChoice>(std::max<qsizetype>(0, infoOf(kTheme).choices.indexOf(value(kTheme).toString())));
}

void Settings::setTheme(ThemeChoice choice) { set(kTheme, infoOf(kTheme).choices.value(static_cast<int>(choice))); }

QStringList Settings::problems() const {
    QStringList sentences;
    const QSettings file;
    if (file.status() == QSettings::FormatError)
        sentences << tr("The settings file '%1' is damaged; lines that cannot be read are ignored.").arg(file.fileName());
    for (const SettingInfo& info : all()) {
        const QString key = QLatin1String(info.key);
        const QVariant stored = file.value(key);
        const Read used = read(stored, info);
        if (!used.damaged) continue;
        const QString shown = used.value.toString();
        sentences << tr("%1 is '%2'; %3 is used.").arg(key, stored.toString(), shown.isEmpty() ? tr("the default") : shown);
    }
    return sentences;
}

QVariant Settings::remembered(const QString& key, const QVariant& fallback) const {
    const auto temporary = untilExit_.find(key);
    return temporary != untilExit_.end() ? *temporary : QSettings().value(key, fallback);
}

void Settings::remember(const QString& key, const QVariant& value) {
    untilExit_.remove(key);
    makePrivate();
    QSettings().setValue(key, value);
}

void Settings::forget(const QString& key) {
    untilExit_.remove(key);
    QSettings().remove(key);
}

}  // namespace parallax::ui
