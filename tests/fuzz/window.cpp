// SPDX-License-Identifier: GPL-3.0-or-later
// Reads thousands of damaged files of the window: sessions, settings, presets and past runs. Each must give a result, a default or an
// Error. Meant for the address sanitizer.
//   parallax_fuzz_window [ROUNDS [SEED [READER|each]]]
#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QSettings>
#include <map>

#include "core/engine/backend/catalog.hpp"
#include "tests/fuzz/damage.hpp"
#include "tests/report/sample_record.hpp"
#include "tests/support/temporary_folder.hpp"
#include "ui/models/benchmark/history_store.hpp"
#include "ui/models/document/kept_session.hpp"
#include "ui/models/document/settings.hpp"
#include "ui/models/pipeline/preset_store.hpp"

namespace parallax::test {
namespace {

using namespace ui;

QByteArray text(const Bytes& b) { return {reinterpret_cast<const char*>(b.data()), static_cast<qsizetype>(b.size())}; }
Bytes bytesOf(const QByteArray& text) { return {text.begin(), text.end()}; }

void put(const QString& path, const Bytes& bytes) {
    QDir().mkpath(QFileInfo(path).absolutePath());
    write(path.toStdString(), bytes);
}

void takeSettings(const Bytes& bytes) {
    put(Settings::filePath(), bytes);
    QSettings().sync();  // reads it again
    const Settings& settings = Settings::instance();
    for (const SettingInfo& info : Settings::all()) {
        const QVariant value = settings.value(QString::fromLatin1(info.key));
        if (value.typeId() != info.fallback.typeId()) throw std::runtime_error(std::string("another type of ") + info.key);
        if (info.fallback.typeId() == QMetaType::Int && (value.toInt() < info.low || value.toInt() > info.high))
            throw std::runtime_error(std::string("out of its range: ") + info.key);
    }
    (void)settings.problems();
}

/// A run is stored as a report, and what the list shows of it.
constexpr const char *kReportOfRun = "*.json", *kFactsOfRun = "*.facts";

void takeRun(const Bytes& bytes, const char* pattern) {
    const TemporaryFolder folder;
    const QString path = QString::fromStdString(folder / "runs");
    const HistoryStore store(path);
    const QString id = store.add({sampleRecord()});
    for (const QString& name : QDir(path).entryList({pattern}, QDir::Files)) put(path + '/' + name, bytes);
    for (const HistoryItem& item : store.list()) (void)item.isOf({sampleRecord()});
    (void)store.load(id);
}

void takePreset(const Bytes& bytes) {
    const TemporaryFolder folder;
    const QString root = QString::fromStdString(folder / "presets");
    const Operation& operation = processCatalog().operation("convolve");
    PresetStore store(processCatalog(), root);
    store.save(operation, QStringLiteral("mine"), ParameterBlock(operation.parameters()), true);
    const QDir presets(root + '/' + QString::fromStdString(operation.id()));
    for (const QString& name : presets.entryList(QDir::Files)) put(presets.filePath(name), bytes);
    for (const QString& name : store.names(operation)) (void)store.load(operation, name);
}

/// The reader of each sample; the name up to the first blank says which.
const std::map<std::string, void (*)(const Bytes&)> kReaders{
    {"session",
     [](const Bytes& b) {
         const KeptSession session = sessionFromJson(processCatalog(), text(b), QStringLiteral("damaged.parallax"), QStringLiteral("/tmp"));
         (void)toJson(session, QStringLiteral("/tmp"));
     }},
    {"settings", takeSettings},
    {"run", [](const Bytes& b) { takeRun(b, kReportOfRun); }},
    {"facts", [](const Bytes& b) { takeRun(b, kFactsOfRun); }},
    {"preset", takePreset},
};

/// The only file of that kind below a folder.
Bytes onlyFile(const QString& folder, const char* pattern = "*") {
    for (const QString& name : QDir(folder).entryList({pattern}, QDir::Files)) return contents((folder + '/' + name).toStdString());
    for (const QString& name : QDir(folder).entryList(QDir::Dirs | QDir::NoDotAndDotDot)) return onlyFile(folder + '/' + name, pattern);
    return {};
}

std::vector<Sample> samples() {
    const TemporaryFolder folder;
    KeptSession session;
    session.inputs = {QStringLiteral("a.exr"), QStringLiteral("synthetic:noise:8x8")};
    session.setup.panes.resize(2);
    HistoryStore(QString::fromStdString(folder / "runs")).add({sampleRecord()});
    const Operation& operation = processCatalog().operation("convolve");
    PresetStore(processCatalog(), QString::fromStdString(folder / "presets"))
        .save(operation, QStringLiteral("mine"), ParameterBlock(operation.parameters()), true);
    const QByteArray settings =
        "[appearance]\ntheme=dark\ndigits=6\nlanguage=de\n[compute]\nthreads=2\nbackend=openmp.scalar\nmemory-limit=1000\n"
        "[files]\nsave-folder=/tmp\nlist=a, b\n[history]\nmax-runs=20\n[window]\ngeometry=@ByteArray(\\x1\\xd9)\n";
    return {
        {"session", bytesOf(toJson(session))},
        {"settings", bytesOf(settings)},
        {"run", onlyFile(QString::fromStdString(folder / "runs"), kReportOfRun)},
        {"facts", onlyFile(QString::fromStdString(folder / "runs"), kFactsOfRun)},
        {"preset", onlyFile(QString::fromStdString(folder / "presets"))},
    };
}

int fuzzWindow(const FuzzArguments& arguments) {
    const TemporaryFolder home;
    qputenv("XDG_CONFIG_HOME", QByteArray::fromStdString(home / "config"));
    return fuzz(samples(), arguments, damagedText, [](const Sample& s) { kReaders.at(s.name.substr(0, s.name.find(' ')))(s.bytes); });
}

}  // namespace
}  // namespace parallax::test

int main(int argc, char** argv) {
    const QCoreApplication application(argc, argv);
    QCoreApplication::setOrganizationName(QStringLiteral("parallax"));
    QCoreApplication::setApplicationName(QStringLiteral("parallax-fuzz"));
    return parallax::test::fuzzingProgram(argc, argv, parallax::test::fuzzWindow);
}
