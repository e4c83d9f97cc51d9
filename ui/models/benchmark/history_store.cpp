// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/benchmark/history_store.hpp"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>
#include <QStandardPaths>
#include <algorithm>

#include "core/image/error.hpp"
#include "core/report/record/record_json.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/models/document/input_name.hpp"

namespace parallax::ui {
namespace {

const QString kReport = QStringLiteral(".json");
const QString kFacts = QStringLiteral(".facts");

HistoryItem factsOf(const std::vector<RunRecord>& records, const QString& id, const QString& importedFrom) {
    const RunRecord& first = records.front();
    HistoryItem item;
    item.id = id;
    item.when = QDateTime::fromString(QString::fromStdString(first.when), Qt::ISODate).toLocalTime();
    QStringList backends;
    for (const std::string& s : first.recipe) item.recipe << QString::fromStdString(s);
    for (const RunEntry& e : first.entries)
        if (!e.samples.empty()) backends << QString::fromStdString(e.label);
    const QString input = QString::fromStdString(first.input.name);
    item.input = shortNameOf(input);
    item.extent = formatExtent(first.input.shape.width, first.input.shape.height, first.input.shape.depth);
    item.backends = backends.join(QStringLiteral(", "));
    item.machine = QString::fromStdString(first.machine.cpu);
    item.sweep = QString::fromStdString(first.sweep.axis);
    item.points = static_cast<int>(records.size());
    item.importedFrom = importedFrom;
    return item;
}

QByteArray toJson(const HistoryItem& i) {
    return QJsonDocument(QJsonObject{{"when", i.when.toUTC().toString(Qt::ISODate)},
                                     {"recipe", QJsonArray::fromStringList(i.recipe)},
                                     {"input", i.input},
                                     {"extent", i.extent},
                                     {"backends", i.backends},
                                     {"machine", i.machine},
                                     {"sweep", i.sweep},
                                     {"points", i.points},
                                     {"imported_from", i.importedFrom}})
        .toJson();
}

HistoryItem itemFrom(const QJsonObject& o, const QString& id) {
    HistoryItem i;
    i.id = id;
    i.when = QDateTime::fromString(o["when"].toString(), Qt::ISODate).toLocalTime();
    for (const QJsonValue& step : o["recipe"].toArray()) i.recipe << step.toString();
    i.input = o["input"].toString();
    i.extent = o["extent"].toString();
    i.backends = o["backends"].toString();
    i.machine = o["machine"].toString();
    i.sweep = o["sweep"].toString();
    i.points = o["points"].toInt(1);
    i.importedFrom = o["imported_from"].toString();
    return i;
}

/// Writes a file completely or not at all.
bool write(const QString& path, const QByteArray& bytes) {
    QSaveFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.commit();
}

}  // namespace

bool HistoryItem::isOf(const std::vector<RunRecord>& records) const {
    if (records.empty()) return false;
    const HistoryItem item = factsOf(records, id, importedFrom);
    return item.when == when && item.recipe == recipe && item.input == input && item.extent == extent && item.machine == machine &&
           item.sweep == sweep && item.points == points;
}

QString HistoryStore::standardFolder() {
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + QStringLiteral("/parallax/history");
}

QString HistoryStore::baselineFolder() {
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + QStringLiteral("/parallax/baselines");
}

void HistoryStore::moveOldFolder() {
    const QString old = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/history");
    const QString now = standardFolder();
    if (old == now || !QDir(old).exists() || !QDir().mkpath(now)) return;
    for (const QFileInfo& file : QDir(old).entryInfoList({QLatin1Char('*') + kReport, QLatin1Char('*') + kFacts}, QDir::Files))
        (void)QFile::rename(file.filePath(), now + QLatin1Char('/') + file.fileName());  // a file that is there already stays in both
    // Removes empty folders alone.
    if (QDir().rmdir(old)) (void)QDir().rmdir(QFileInfo(old).absolutePath());
}

QString HistoryStore::pathOf(const QString& id) const { return folder_ + QLatin1Char('/') + id; }

QString HistoryStore::add(const std::vector<RunRecord>& records, const QString& importedFrom) const {
    if (records.empty() || !limits_.keeps) return {};
    const auto fail = [&] {
        throw Error(ErrorCode::output, "The measurement was not kept in the history", "'" + folder_.toStdString() + "' cannot be written",
                    "Check that the folder exists and has room");
    };
    if (!QDir().mkpath(folder_)) fail();
    // Ids sort by time; several of the same millisecond are numbered.
    const QString base = QDateTime::currentDateTimeUtc().toString(QStringLiteral("yyyyMMdd-HHmmss-zzz"));
    QString id = base;
    for (int n = 2; QFileInfo::exists(pathOf(id) + kReport); ++n) id = QStringLiteral("%1-%2").arg(base).arg(n);
    const std::string text = parallax::toJson(records);
    if (!write(pathOf(id) + kReport, QByteArray(text.data(), static_cast<qsizetype>(text.size())))) fail();
    (void)write(pathOf(id) + kFacts, toJson(factsOf(records, id, importedFrom)));  // derived again if it is missing
    trim();
    return id;
}

QFileInfoList HistoryStore::reports() const {
    QFileInfoList files = QDir(folder_).entryInfoList({QLatin1Char('*') + kReport}, QDir::Files, QDir::Unsorted);
    // By id: a number comes after none, but its "-" before the "." of the file.
    std::sort(files.begin(), files.end(),
              [](const QFileInfo& a, const QFileInfo& b) { return a.completeBaseName() > b.completeBaseName(); });
    return files;
}

QVector<HistoryItem> HistoryStore::list() const {
    QVector<HistoryItem> items;
    for (const QFileInfo& report : reports()) {
        const QString id = report.completeBaseName();
        QFile facts(pathOf(id) + kFacts);
        const QJsonObject o = facts.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(facts.readAll()).object() : QJsonObject();
        if (o.contains("recipe")) {  // versions up to 0.9 wrote one text
            items << itemFrom(o, id);
            continue;
        }
        try {
            items << factsOf(load(id), id, {});
            (void)write(pathOf(id) + kFacts, toJson(items.back()));
        } catch (const Error&) {
            // Skip damaged files.
        }
    }
    return items;
}

std::vector<RunRecord> HistoryStore::load(const QString& id) const { return loadRecords((pathOf(id) + kReport).toStdString()); }

void HistoryStore::remove(const QString& id) const {
    QFile::remove(pathOf(id) + kReport);
    QFile::remove(pathOf(id) + kFacts);
}

void HistoryStore::trim() const {
    qint64 bytes = 0;
    int count = 0;
    for (const QFileInfo& report : reports()) {
        bytes += report.size();
        ++count;
        const bool isOld = limits_.days > 0 && report.lastModified().daysTo(QDateTime::currentDateTime()) > limits_.days;
        // The newest is always kept, however large.
        if (isOld || count > limits_.runs || (count > 1 && bytes > kMaxBytes)) remove(report.completeBaseName());
    }
}

}  // namespace parallax::ui
