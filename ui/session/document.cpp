// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/document.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <utility>

#include "core/engine/backend/catalog.hpp"
#include "core/io/loader.hpp"
#include "core/report/record/recipe_json.hpp"
#include "ui/models/document/core_text.hpp"
#include "ui/models/document/input_name.hpp"
#include "ui/models/document/settings.hpp"
#include "ui/session/large_files.hpp"
#include "ui/session/medical_names.hpp"

namespace parallax::ui {

std::function<void(double)> progressInto(const std::shared_ptr<Progress>& progress) {
    progress->start(1000);
    return [progress, done = std::make_shared<std::int64_t>(0)](double fraction) {
        const auto now = static_cast<std::int64_t>(fraction * 1000);
        progress->add(now - *done);
        *done = now;
    };
}

QString sampleFolder() {
    const QDir installed(QCoreApplication::applicationDirPath() + QStringLiteral("/../share/parallax/samples"));
    return installed.exists() ? installed.canonicalPath() : QString();
}

QString defaultSample() {
    const QString folder = sampleFolder();
    for (const char* name : {"atrium.exr", "atrium.png"}) {
        const QString path = folder + QLatin1Char('/') + QLatin1String(name);
        if (!folder.isEmpty() && QFileInfo(path).isFile()) return path;
    }
    return QStringLiteral("synthetic:zone-plate:1024x768,channels=3");
}

bool isReport(const QString& input) {
    // The description of a raw file is JSON too, and raw files may have any name.
    return !isRawInput(input) && input.endsWith(QLatin1String(".json"), Qt::CaseInsensitive) &&
           !input.endsWith(QLatin1String(".raw.json"), Qt::CaseInsensitive);
}

Document::Document(Tasks& tasks, const Catalog& catalog) : tasks_(tasks), catalog_(catalog), pipeline_(catalog) {
    if (catalog.operations().empty()) return;
    Pipeline initial;
    const Operation& operation = *catalog.operations().front();
    initial.steps.push_back({&operation, ParameterBlock(operation.parameters()), true});
    pipeline_.setPipeline(std::move(initial));
}

void Document::openPicture(const QImage& picture, const QString& path) {
    load(path, [picture, path] {
        if (!picture.save(path, "PNG"))
            throw Error(ErrorCode::output, "Cannot write " + path.toStdString(), "the folder for temporary files could not be written",
                        "Check that it exists and has free space");
    });
}

void Document::load(const QString& input, std::function<void()> prepare) {
    auto unpacked = std::make_shared<std::uint64_t>(0);
    tasks_.submit(
        {TaskKind::load}, tr("Opening %1").arg(nameBeforeOpening(input)),
        [input, prepare = std::move(prepare), unpacked, progress = tasks_.progress(),
         patientData = !Settings::instance().hidesPatientData(),
         limit = LargeFiles::instance().limitOf(input)](const std::stop_token& stop) {
            if (prepare) prepare();
            const FileStamp stamp = stampOf(pathOnDisk(input));
            LoadOptions options;
            options.stop = stop;
            options.patientData = patientData;
            options.progress = progressInto(progress);
            options.unpacked = limit;
            return std::pair(openNotingSize(input, options, *unpacked), stamp);
        },
        [this, input](const std::pair<ImagePtr, FileStamp>& opened) {
            const ImagePtr before = std::exchange(original_, opened.first);
            inputStamp_ = opened.second;
            inputName_ = input;
            // Not again for each volume of a series.
            const bool told = before && inOneSeries(*before, *original_) && before->source.warnings == original_->source.warnings;
            if (!told) tasks_.clear(sourceOf({TaskKind::load}));
            emit originalChanged();
            if (!told) raiseWarnings();
        },
        [this, input, unpacked](ErrorCode code, const Message& message) {
            if (LargeFiles::instance().ask(input, *unpacked, [this, input] { open(input); })) return;
            emit openFailed();
            tasks_.raise(code, withoutMedicalPath(message, input));
        });
}

void Document::close() {
    tasks_.drop({TaskKind::load});
    tasks_.clear(sourceOf({TaskKind::load}));
    original_.reset();
    inputName_.clear();
    inputStamp_ = {};
    emit originalChanged();
}

void Document::raiseWarnings() {
    QStringList sentences;
    for (const std::string& warning : original_->source.warnings) sentences << coreText(warning);
    if (sentences.isEmpty()) return;
    const QString whatToDo = original_->source.volumes < 2 ? QString()
                             : original_->geometry         ? tr("Choose another one under Volume in the Inspector")
                                                           : tr("Choose another one under Page in the Inspector");
    tasks_.raise(
        {Message::Kind::warning, tr("Opened with warnings"), sentences.join(QStringLiteral(". ")), whatToDo, sourceOf({TaskKind::load})});
}

void Document::openRecipe(const QString& path) {
    const QString name = QFileInfo(path).fileName();
    tasks_.submit(
        {TaskKind::recipe}, tr("Reading %1").arg(name),
        [&catalog = catalog_, path](const std::stop_token&) { return loadRecipe(catalog, path.toStdString()); },
        [this, name](Pipeline pipeline) {
            tasks_.clear(sourceOf({TaskKind::recipe}));
            pipeline_.replacePipeline(std::move(pipeline), tr("Open %1").arg(name));
        });
}

}  // namespace parallax::ui
