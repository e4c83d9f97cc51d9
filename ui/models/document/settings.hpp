// SPDX-License-Identifier: GPL-3.0-or-later
// The settings of the window, kept in one INI file that users may edit: resources/manual/settings.md lists every key. Also what the window
// remembers between sessions (sizes, folders, recent files), which has no control in the dialog.
#pragma once

#include <QHash>
#include <QObject>
#include <QStringList>
#include <QVariant>
#include <cstdint>
#include <vector>

#include "ui/theme/theme_choice.hpp"

namespace parallax::ui {

/// A key of the file. Its type is that of the default.
struct SettingInfo {
    const char* key;        ///< "compute/threads"
    QVariant fallback;      ///< default: bool, int or QString
    int low = 0, high = 0;  ///< range of numbers
    QStringList choices;    ///< of texts; empty: any text
};

/// Used in the GUI thread. Values outside their range are clamped, and other damaged values are replaced by their default.
class Settings : public QObject {
    Q_OBJECT
public:
    static Settings& instance();
    /// Every setting, in the order of the manual.
    static const std::vector<SettingInfo>& all();
    static QString filePath();

    // By key, for the dialog. Throws std::out_of_range for an unknown key.
    QVariant value(const QString& key) const;
    /// Stores a value within its range; the default is stored as absence. Emits changed() if it differs.
    void set(const QString& key, const QVariant& value);

    /// "en", "de"; empty: language of the desktop.
    QString language() const { return value(QStringLiteral("appearance/language")).toString(); }
    ThemeChoice theme() const;
    void setTheme(ThemeChoice choice);
    /// Significant digits of samples.
    int digits() const { return value(QStringLiteral("appearance/digits")).toInt(); }
    /// Are grey and colours on the screen dithered instead of rounded to 8 bits?
    bool dithers() const { return value(QStringLiteral("appearance/dither")).toBool(); }
    /// Backend of A in a new window, such as "openmp.scalar"; empty: the first available.
    QString backend() const { return value(QStringLiteral("compute/backend")).toString(); }
    /// Index among the devices of that backend.
    int device() const { return value(QStringLiteral("compute/device")).toInt(); }
    /// Are the renderings beside planes left to the CPU, even if there is a GPU?
    bool rendersOnProcessor() const { return value(QStringLiteral("compute/rendering")).toString() == QLatin1String("cpu"); }
    /// 0: all.
    int threads() const { return value(QStringLiteral("compute/threads")).toInt(); }
    /// Bytes; 0: no limit.
    std::uint64_t memoryLimit() const { return mebibytes(QStringLiteral("compute/memory-limit")); }
    std::uint64_t deviceMemoryLimit() const { return mebibytes(QStringLiteral("compute/device-memory-limit")); }
    /// Does the desktop show a notification when long work ends while the window is inactive?
    bool notifies() const { return value(QStringLiteral("compute/notify")).toBool(); }
    /// Folder where files are saved; empty: the folder that was used last.
    QString saveFolder() const { return value(QStringLiteral("files/save-folder")).toString(); }
    /// Extension of the format for saving samples, without dot; empty: the format that was used last.
    QString saveFormat() const { return value(QStringLiteral("files/save-format")).toString(); }
    bool reloadsAutomatically() const { return value(QStringLiteral("files/auto-reload")).toBool(); }
    bool keepsRecentFiles() const { return value(QStringLiteral("privacy/recent-files")).toBool(); }
    /// Are patient data, and paths and names of medical files, kept out of the metadata, window title, pictures, lists and this file?
    bool hidesPatientData() const { return value(QStringLiteral("privacy/hide-patient-data")).toBool(); }
    bool keepsHistory() const { return value(QStringLiteral("history/keep")).toBool(); }
    /// Number of runs that are kept.
    int historyRuns() const { return value(QStringLiteral("history/max-runs")).toInt(); }
    /// Days after which a run is removed; 0: never.
    int historyDays() const { return value(QStringLiteral("history/max-days")).toInt(); }
    /// Does the window start with the session that was open when it was closed?
    bool restoresSession() const { return value(QStringLiteral("session/restore")).toBool(); }

    /// Sentences about a damaged file or values, with the values that are used instead; empty: all is well.
    QStringList problems() const;

    // Sizes, folders and lists that are remembered between sessions.
    QVariant remembered(const QString& key, const QVariant& fallback = {}) const;
    void remember(const QString& key, const QVariant& value);
    /// The same without writing it to the file.
    void rememberUntilExit(const QString& key, const QVariant& value) { untilExit_[key] = value; }
    void forget(const QString& key);

signals:
    void changed();

private:
    Settings();
    /// Makes number formats and engine follow.
    void apply() const;
    std::uint64_t mebibytes(const QString& key) const { return static_cast<std::uint64_t>(value(key).toInt()) << 20; }

    QHash<QString, QVariant> untilExit_;
};

}  // namespace parallax::ui
