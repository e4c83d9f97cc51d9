// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/pipeline/preset_store.hpp"

#include <QCollator>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>
#include <QUrl>
#include <algorithm>

#include "core/image/error.hpp"
#include "core/report/record/recipe_json.hpp"

namespace parallax::ui {
namespace {

constexpr qsizetype kLongestName = 60;
const QString kSuffix = QStringLiteral(".json");

/// Encodes a preset name as a file name.
QString encoded(const QString& name) { return QString::fromLatin1(QUrl::toPercentEncoding(name, " ", ".~")) + kSuffix; }

QString checked(const QString& name) {
    const QString plain = name.simplified();
    if (plain.isEmpty()) throw Error(ErrorCode::usage, "This preset cannot be saved", "it has no name", "Give it one");
    // Each character may need nine of the 255 bytes of a file name.
    if (plain.size() > kLongestName || encoded(plain).size() > 240)
        throw Error(ErrorCode::usage, "This preset cannot be saved", "its name is too long", "Give it a shorter one");
    return plain;
}

/// Versions up to 0.9 used another folder.
void moveOldFolder(const QString& now) {
    const QString old = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/presets");
    if (old == now || !QDir(old).exists() || QDir(now).exists() || !QDir().mkpath(QFileInfo(now).absolutePath())) return;
    if (QDir().rename(old, now)) (void)QDir().rmdir(QFileInfo(old).absolutePath());  // if it is empty
}

}  // namespace

PresetStore::PresetStore(const Catalog& catalog, QString folder) : catalog_(&catalog), folder_(std::move(folder)) {
    if (!folder_.isEmpty()) return;
    folder_ = standardFolder();
    moveOldFolder(folder_);
}

QString PresetStore::standardFolder() {
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + QStringLiteral("/parallax/presets");
}

QString PresetStore::folderOf(const Operation& operation) const {
    return folder_ + QLatin1Char('/') + QString::fromStdString(operation.id());
}

QString PresetStore::pathOf(const Operation& operation, const QString& name) const {
    return folderOf(operation) + QLatin1Char('/') + encoded(name);
}

QStringList PresetStore::names(const Operation& operation) const {
    QStringList list;
    for (const QString& file : QDir(folderOf(operation)).entryList({QLatin1Char('*') + kSuffix}, QDir::Files)) {
        const QString name = QUrl::fromPercentEncoding(file.chopped(kSuffix.size()).toLatin1());
        // Skip files whose name this class would not produce.
        if (encoded(name) == file) list << name;
    }
    QCollator collator;
    collator.setNumericMode(true);
    collator.setCaseSensitivity(Qt::CaseInsensitive);
    std::sort(list.begin(), list.end(), collator);
    return list;
}

bool PresetStore::contains(const Operation& operation, const QString& name) const {
    return QFile::exists(pathOf(operation, name.simplified()));
}

ParameterBlock PresetStore::load(const Operation& operation, const QString& name) const {
    const Pipeline pipeline = loadRecipe(*catalog_, pathOf(operation, name).toStdString());
    if (pipeline.steps.size() != 1 || pipeline.steps.front().operation != &operation)
        throw Error(ErrorCode::input, "The preset '" + name.toStdString() + "' is damaged",
                    "its file does not hold the parameters of one " + operation.title(), "Delete it, or save it again");
    return pipeline.steps.front().parameters;
}

void PresetStore::save(const Operation& operation, const QString& name, const ParameterBlock& values, bool overwrite) {
    const QString path = pathOf(operation, checked(name));
    QDir().mkpath(folderOf(operation));  // if that fails, writing says why
    Pipeline pipeline;
    pipeline.steps.push_back({&operation, values, true});
    saveRecipe(pipeline, path.toStdString(), overwrite);
}

void PresetStore::rename(const Operation& operation, const QString& from, const QString& to) {
    const QString plain = checked(to);
    if (plain == from) return;
    if (contains(operation, plain))
        throw Error(ErrorCode::output, "The preset cannot be renamed", "there is already one of that name", "Choose another name");
    if (!QFile::rename(pathOf(operation, from), pathOf(operation, plain)))
        throw Error(ErrorCode::output, "The preset cannot be renamed", "its file cannot be moved",
                    "Check the folder " + folder_.toStdString());
}

void PresetStore::remove(const Operation& operation, const QString& name) {
    if (!QFile::remove(pathOf(operation, name)) && contains(operation, name))
        throw Error(ErrorCode::output, "The preset cannot be deleted", "its file cannot be removed",
                    "Check the folder " + folder_.toStdString());
}

}  // namespace parallax::ui
