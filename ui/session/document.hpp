// SPDX-License-Identifier: GPL-3.0-or-later
// The open image and the pipeline with its history of edits.
#pragma once

#include <QImage>
#include <QObject>
#include <functional>

#include "core/image/image.hpp"
#include "ui/models/document/file_stamp.hpp"
#include "ui/models/pipeline/pipeline_model.hpp"
#include "ui/session/tasks.hpp"

namespace parallax::ui {

class Document : public QObject {
    Q_OBJECT
public:
    /// Starts with the first operation of the catalog and no image.
    Document(Tasks& tasks, const Catalog& catalog);

    /// A file, "synthetic:..." or "raw:...", as for openInput().
    void open(const QString& input) { load(input, {}); }
    /// Forgets the image; the pipeline stays.
    void close();
    /// Writes a picture to a PNG file and opens that.
    void openPicture(const QImage& picture, const QString& path);
    /// Replaces the steps of the pipeline, as one edit that can be undone. A damaged file changes nothing.
    void openRecipe(const QString& path);

    /// Null if no image is open.
    const ImagePtr& original() const { return original_; }
    const QString& inputName() const { return inputName_; }
    /// The state of the file before it was read.
    const FileStamp& inputStamp() const { return inputStamp_; }
    PipelineModel& pipeline() { return pipeline_; }
    const PipelineModel& pipeline() const { return pipeline_; }

signals:
    void originalChanged();
    /// An input cannot be opened; its message follows.
    void openFailed();

private:
    /// `prepare`, if any, runs before in the same thread.
    void load(const QString& input, std::function<void()> prepare);
    void raiseWarnings();

    Tasks& tasks_;
    const Catalog& catalog_;
    PipelineModel pipeline_;
    ImagePtr original_;
    QString inputName_;
    FileStamp inputStamp_;
};

/// Folder with the bundled samples, empty if there is none.
QString sampleFolder();
/// The bundled sample, or a generated image if it is missing.
QString defaultSample();
/// Is an input a report, to be shown in the charts? Judges by the name: the file may be slow to reach.
bool isReport(const QString& input);
/// Returns a function that adds a fraction from 0 to 1 to the progress.
std::function<void(double)> progressInto(const std::shared_ptr<Progress>& progress);

}  // namespace parallax::ui
