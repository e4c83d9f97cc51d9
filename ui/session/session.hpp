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
#include "ui/session/comparison.hpp"
#include "ui/session/document.hpp"
#include "ui/session/file_saver.hpp"
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
    Benchmark& benchmark() { return benchmark_; }
    /// Sweeps, ceilings and past runs.
    Lab& lab() const { return *lab_; }

    // Document.
    /// Opens an input as Document::open(), or a report in the charts.
    void open(const QString& input);
    void openPicture(const QImage& picture, const QString& path);
    void openRecipe(const QString& path) { document_.openRecipe(path); }
    PipelineModel& pipeline() { return document_.pipeline(); }
    const PipelineModel& pipeline() const { return document_.pipeline(); }
    const ImagePtr& original() const { return document_.original(); }
    const QString& inputName() const { return document_.inputName(); }
    const FileStamp& inputStamp() const { return document_.inputStamp(); }

    // Comparison.
    void setTarget(Side side, const QString& label) { comparison_.setTarget(side, label); }
    const SideState& side(Side side) const { return comparison_.side(side); }
    const std::optional<DifferenceMetrics>& difference() const { return comparison_.difference(); }
    bool comparing() const { return comparison_.comparing(); }
    double differenceRange() const { return comparison_.differenceRange(); }
    void setRelativeDifference(bool relative) { comparison_.setRelativeDifference(relative); }
    bool shownRelative() const { return comparison_.shownRelative(); }
    const ReferenceCheck& referenceCheck() const { return comparison_.referenceCheck(); }

    // Data for panes and panels.
    PyramidPtr pyramid(PaneRole role) const { return panes_.pyramid(role); }
    void requestHistogram(PaneRole role, HistogramScale scale, const QRect& pixels = {}, HistogramOf of = HistogramOf::channels) {
        panes_.requestHistogram(imageOf(role), scale, pixels, of);
    }
    const std::shared_ptr<const Histogram>& histogram() const { return panes_.histogram(); }
    void requestRegion(const QRect& pixels) { panes_.requestRegion(pixels, original(), imageOf(PaneRole::a), imageOf(PaneRole::b)); }
    const std::shared_ptr<const RegionStatistics>& region() const { return panes_.region(); }
    void requestPreviews(std::vector<Pipeline> pipelines) { previews_.request(std::move(pipelines)); }
    const std::vector<Preview>& previews() const { return previews_.list(); }

    // Benchmark.
    void measure(const QString& effort) { benchmark_.measure(effort); }
    bool measuring() const { return benchmark_.measuring(); }
    const std::shared_ptr<const RunRecord>& record() const { return benchmark_.record(); }
    const std::shared_ptr<const TimingSummary>& summary() const { return benchmark_.summary(); }
    bool recordOutdated() const { return benchmark_.outdated(); }

    // Saving. Nothing is overwritten unless `overwrite` says that the user agreed.
    void saveImage(PaneRole role, const QString& path, const SaveOptions& options = {});
    void saveBytes(const QString& path, bool overwrite, std::function<QByteArray()> make) {
        saver_.saveBytes(path, overwrite, std::move(make));
    }
    /// Saves the shown record, with pictures if it was measured in this session.
    void saveReport(const QString& path, bool overwrite);
    void saveReport(std::vector<RunRecord> records, const QString& path, bool overwrite) {
        saver_.saveReport(std::move(records), nullptr, path, overwrite);
    }
    void saveRecipe(const QString& path, bool overwrite) { saver_.saveRecipe(pipeline().pipeline(), path, overwrite); }
    bool saving() const { return tasks_.saving(); }
    bool saveFailed() const { return saver_.failed(); }

    /// Stops everything that runs, but saves only if nothing else runs. Existing results and finished measurements stay.
    void cancel();
    bool idle() const { return tasks_.idle() && !comparison_.waiting() && !previews_.waiting(); }

signals:
    void originalChanged();
    void sideChanged(parallax::ui::Side side);
    void differenceChanged();
    void referenceChanged();
    void pyramidChanged(parallax::ui::PaneRole role);
    void histogramChanged();
    void previewsChanged();
    void regionChanged();
    void recordChanged();
    void busyChanged();
    /// fraction < 0: unknown.
    void progressChanged(double fraction, const QString& text);
    void messageRaised(const parallax::ui::Message& message);
    /// Messages from this source no longer apply.
    void messageCleared(const QString& source);
    void saved(const QString& path);

private:
    void connectParts();
    void takeOriginal();
    ImagePtr imageOf(PaneRole role) const;

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
    std::unique_ptr<Lab> lab_;
};

}  // namespace parallax::ui
