// SPDX-License-Identifier: GPL-3.0-or-later
// Composes document, comparison, benchmark and what is shown of them, and owns the threads that compute. Methods return at once; signals
// come in the GUI thread.
#pragma once

#include <QImage>
#include <QObject>
#include <QTimer>
#include <memory>

#include "core/engine/run/engine.hpp"
#include "core/image/recycling_allocator.hpp"
#include "ui/session/benchmark.hpp"
#include "ui/session/compare/comparison.hpp"
#include "ui/session/document.hpp"
#include "ui/session/file_saver.hpp"
#include "ui/session/kernels/kernels.hpp"
#include "ui/session/pane_data.hpp"
#include "ui/session/previews.hpp"
#include "ui/session/tasks.hpp"

namespace parallax::ui {

class Lab;

class Session : public QObject {
    Q_OBJECT
public:
    explicit Session(const Catalog& catalog, QObject* parent = nullptr);
    ~Session() override;

    const Catalog& catalog() const { return engine_.catalog(); }
    const Engine& engine() const { return engine_; }
    /// Memory of results and of what is made of them.
    const std::shared_ptr<RecyclingAllocator>& memory() const { return memory_; }
    /// Frees the memory that waits for the next results. Happens automatically after a few idle seconds.
    void releaseSpareMemory() { memory_->trim(); }
    Tasks& tasks() { return tasks_; }
    const Tasks& tasks() const { return tasks_; }
    Document& document() { return document_; }
    Comparison& comparison() { return comparison_; }
    const Comparison& comparison() const { return comparison_; }
    PaneData& panes() { return panes_; }
    Previews& previews() { return previews_; }
    Benchmark& benchmark() { return benchmark_; }
    FileSaver& saver() { return saver_; }
    Kernels& kernels() { return kernels_; }
    /// Sweeps, ceilings and past runs.
    Lab& lab() const { return *lab_; }

    // What most callers need of the parts.
    PipelineModel& pipeline() { return document_.pipeline(); }
    const PipelineModel& pipeline() const { return document_.pipeline(); }
    const ImagePtr& original() const { return document_.original(); }
    const QString& inputName() const { return document_.inputName(); }
    void setTarget(Side side, const QString& label) { comparison_.setTarget(side, label); }
    const SideState& side(Side side) const { return comparison_.side(side); }
    std::vector<Side> sides() const { return comparison_.sides(); }
    bool measuring() const { return benchmark_.measuring(); }
    std::shared_ptr<const RunRecord> record() const { return benchmark_.record(); }

    /// Opens an input as Document::open(), or a report in the charts.
    void open(const QString& input);
    void openPicture(const QImage& picture, const QString& path);
    /// Closes the image and stops what is computed from it.
    void close();
    void requestHistogram(PaneRole role, HistogramScale scale, const QRect& pixels = {}, HistogramOf of = HistogramOf::channels) {
        panes_.requestHistogram(imageOf(role), scale, pixels, of);
    }
    /// Computes statistics of the original, the reference and the subject of the difference.
    void requestRegion(const SampleBox& box) {
        panes_.requestRegion(box, original(), imageOf(roleOf(comparison_.reference())), imageOf(roleOf(comparison_.subject())));
    }
    /// Nothing is overwritten unless the options or `overwrite` say that the user agreed.
    void saveImage(PaneRole role, const QString& path, const SaveOptions& options = {});
    /// Saves Lab::reportRecords(), with pictures of the benchmark if it was measured in this session.
    void saveReport(const QString& path, bool overwrite);
    void saveRecipe(const QString& path, bool overwrite) { saver_.saveRecipe(pipeline().pipeline(), path, overwrite); }

    /// The complete result of a pane, which may show a first picture of the next one; null if there is none.
    ImagePtr imageOf(PaneRole role) const;
    /// Stops everything that runs, but saves only if nothing else runs. Existing results and finished measurements stay.
    void cancel();
    bool idle() const { return tasks_.idle() && !comparison_.waiting() && !previews_.waiting(); }

signals:
    /// The parts have discarded what belongs to the previous image; their own signals follow.
    void originalChanged();
    void busyChanged();

private:
    void connectParts();
    void takeOriginal();

    Engine engine_;
    std::shared_ptr<RecyclingAllocator> memory_;
    QTimer trimDelay_;
    Tasks tasks_;
    Document document_;
    PaneData panes_;
    Previews previews_;
    Comparison comparison_;
    Benchmark benchmark_;
    FileSaver saver_;
    Kernels kernels_;
    std::unique_ptr<Lab> lab_;
};

}  // namespace parallax::ui
