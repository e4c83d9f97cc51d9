// SPDX-License-Identifier: GPL-3.0-or-later
// Saves files in the background and reports the outcome.
#pragma once

#include <QByteArray>
#include <QObject>
#include <QStringList>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/engine/pipeline/pipeline.hpp"
#include "core/image/image.hpp"
#include "core/io/atomic_file.hpp"
#include "core/io/saver.hpp"
#include "core/report/record/report.hpp"
#include "ui/session/tasks.hpp"

namespace parallax::ui {

class FileSaver : public QObject {
    Q_OBJECT
public:
    explicit FileSaver(Tasks& tasks) : tasks_(tasks) {}

    /// Nothing is overwritten unless `overwrite` says that the user agreed.
    void saveImage(const ImagePtr& image, const QString& path, const SaveOptions& options);
    /// Saves what `make`, called in the background, returns; empty counts as a failure. The file is written completely or not at all.
    void saveBytes(const QString& path, bool overwrite, std::function<QByteArray()> make,
                   AtomicFile::Readers readers = AtomicFile::Readers::standard);
    void saveReport(Report report, const QString& path, bool overwrite);
    void saveRecipe(const Pipeline& pipeline, const QString& path, bool overwrite);

    /// Is this file being saved?
    bool saving(const QString& path) const;
    /// Stops saving this file.
    void cancel(const QString& path);
    /// Did one of the files that were last saved together fail?
    bool anyFailed() const { return !failedSources_.isEmpty(); }

signals:
    void saved(const QString& path);
    /// Not for cancelled saves.
    void failed(const QString& path, const parallax::ui::Message& message);

private:
    /// Runs a save and reports the outcome. `work` returns sentences about what the format could not keep. Saves to different files run
    /// beside each other; a second one to the same file replaces the first.
    void save(const QString& path, std::function<std::vector<std::string>(const std::stop_token&)> work);

    Tasks& tasks_;
    QStringList failedSources_;  ///< whose messages may still be shown
};

}  // namespace parallax::ui
