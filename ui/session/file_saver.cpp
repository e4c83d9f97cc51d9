// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/file_saver.hpp"

#include <QDir>
#include <QFileInfo>
#include <utility>

#include "core/report/record/recipe_json.hpp"
#include "ui/models/document/core_text.hpp"
#include "ui/session/document.hpp"

namespace parallax::ui {
namespace {

/// Paths of folders end with a slash.
QFileInfo fileOf(const QString& path) { return QFileInfo(QDir::cleanPath(path)); }

TaskId taskOf(const QString& path) { return {TaskKind::save, fileOf(path).absoluteFilePath()}; }

}  // namespace

void FileSaver::save(const QString& path, std::function<std::vector<std::string>(const std::stop_token&)> work) {
    const TaskId id = taskOf(path);
    const QString source = sourceOf(id);
    // A new attempt clears the messages of earlier ones, unless it runs beside them.
    if (!tasks_.saving())
        for (const QString& failed : std::exchange(failedSources_, {})) tasks_.clear(failed);
    tasks_.submit(
        id, tr("Saving %1").arg(fileOf(path).fileName()), std::move(work),
        [this, path, source](const std::vector<std::string>& lost) {
            emit saved(path);
            QStringList remarks;
            for (const std::string& sentence : lost) remarks << coreText(sentence);
            tasks_.raise({remarks.isEmpty() ? Message::Kind::information : Message::Kind::warning,
                          tr("Saved %1").arg(path),
                          remarks.join(QLatin1Char(' ')),
                          {},
                          source,
                          path});
        },
        [this, path, source](ErrorCode code, const Message& message) {
            failedSources_ << source;
            tasks_.raise(code, message);
            if (code != ErrorCode::cancelled) emit failed(path, message);
        });
}

bool FileSaver::saving(const QString& path) const { return tasks_.pending(taskOf(path)); }

void FileSaver::cancel(const QString& path) { tasks_.drop(taskOf(path)); }

void FileSaver::saveImage(const ImagePtr& image, const QString& path, const SaveOptions& options) {
    save(path, [image, path, options, progress = tasks_.progress()](const std::stop_token& stop) {
        SaveOptions complete = options;
        complete.stop = stop;
        complete.progress = progressInto(progress);
        return parallax::saveImage(*image, path.toStdString(), complete);
    });
}

void FileSaver::saveBytes(const QString& path, bool overwrite, std::function<QByteArray()> make, AtomicFile::Readers readers) {
    save(path, [path, overwrite, readers, make = std::move(make)](const std::stop_token& stop) {
        const QByteArray bytes = make();
        if (stop.stop_requested()) throw Error(ErrorCode::cancelled, "Saving was cancelled");
        if (bytes.isEmpty())
            throw Error(ErrorCode::output, "'" + path.toStdString() + "' was not written", "its contents could not be encoded",
                        "Free some memory, or choose another format or size");
        AtomicFile file(path.toStdString(), overwrite, readers);
        file.write(bytes.constData(), static_cast<std::size_t>(bytes.size()));
        file.commit();
        return std::vector<std::string>{};
    });
}

void FileSaver::saveReport(Report report, const QString& path, bool overwrite) {
    save(path, [report = std::move(report), path, overwrite](const std::stop_token&) {
        writeReport(report, path.toStdString(), overwrite);
        return std::vector<std::string>{};
    });
}

void FileSaver::saveRecipe(const Pipeline& pipeline, const QString& path, bool overwrite) {
    save(path, [pipeline, path, overwrite](const std::stop_token&) {
        parallax::saveRecipe(pipeline, path.toStdString(), overwrite);
        return std::vector<std::string>{};
    });
}

}  // namespace parallax::ui
