// SPDX-License-Identifier: GPL-3.0-or-later
// The document and everything that happens to it in the background. The owner of all threads that compute: widgets call
// its methods, which return at once, and listen to its signals, which come in the GUI thread.
#pragma once

#include <QHash>
#include <QImage>
#include <QObject>
#include <QSet>
#include <QTimer>
#include <array>
#include <memory>
#include <optional>

#include "core/engine/run/engine.hpp"
#include "core/engine/run/job_queue.hpp"
#include "core/engine/run/run_record.hpp"
#include "core/image/recycling_allocator.hpp"
#include "core/io/saver.hpp"
#include "core/measure/sampling/verify.hpp"
#include "core/report/charts/pictures.hpp"
#include "ui/models/benchmark/timing_summary.hpp"
#include "ui/models/document/file_stamp.hpp"
#include "ui/models/pipeline/pipeline_model.hpp"
#include "ui/models/regions/region_statistics.hpp"
#include "ui/models/view/histogram.hpp"
#include "ui/models/view/pyramid.hpp"
#include "ui/session/worker.hpp"

namespace parallax::ui {

enum class Side { a, b };
enum class PaneRole { original, a, b, difference };
inline constexpr std::array<PaneRole, 4> kAllPanes{PaneRole::a, PaneRole::b, PaneRole::original, PaneRole::difference};

/// What one side has computed.
struct SideResult {
    ImagePtr image;
    StageTimes times;
    Target target;
    QString device;
    int threads = 0;
    std::vector<StepPlan> plan;
    std::vector<StatisticRecord> statistics;
    std::vector<TransferRecord> transfers;
    double tolerance = 0, ambiguous = 0;  ///< see Tolerance
    double inputPeak = 0;                 ///< see PreparedRun
    int borderWidth = 0;
    /// Against the original, where the result should look like it.
    std::optional<DifferenceMetrics> againstOriginal;
};

struct SideState {
    Target target;
    std::shared_ptr<const SideResult> result;  ///< the last one that went through; may be outdated
    bool pending = false;                      ///< a newer one is on its way
    std::optional<Message> error;
};

/// What a pipeline makes of a small version of the original.
struct Preview {
    ImagePtr image;  ///< null if it failed
    QString error;
    bool ofLess = false;  ///< of a smaller version of the original: what depends on its size or its brightest pixels may differ
};

/// Against the reference, or why it is not known.
struct ReferenceCheck {
    enum class State { unknown, pending, tooSlow, known };
    State state = State::unknown;
    std::array<std::optional<DifferenceMetrics>, 2> metrics;  ///< of A and B
    double tolerance = 0, ambiguous = 0;                      ///< see Tolerance
    double inputPeak = 0;                                     ///< largest magnitude of the original
    /// Where the bound of all steps together allows any result: the step that comes closest to its own, each compared alone.
    std::array<std::optional<StepJudgement>, 2> steps;
    /// What the verdict is about, and by which bound; only where there are metrics.
    const DifferenceMetrics& judged(std::size_t side) const { return steps[side] ? steps[side]->difference : *metrics[side]; }
    double allowed(std::size_t side) const { return steps[side] ? steps[side]->tolerance.absolute : tolerance; }
    Verification verification(std::size_t side) const {
        if (metrics[side] && steps[side]) return steps[side]->verification;
        return metrics[side] ? judge(*metrics[side], tolerance, ambiguous, inputPeak) : Verification::notDone;
    }
};

class Lab;
class RegionStudy;

class Session : public QObject {
    Q_OBJECT
    friend class Lab;  // works in the threads of the session
    friend class RegionStudy;

public:
    explicit Session(const Catalog& catalog, QObject* parent = nullptr);
    ~Session() override;

    const Catalog& catalog() const { return engine_.catalog(); }
    PipelineModel& pipeline() { return pipeline_; }

    // The document. An input is a file, "synthetic:..." or "raw:...", as for openInput().
    void open(const QString& input);
    /// Writes a picture to a PNG file and opens that.
    void openPicture(const QImage& picture, const QString& path);
    QString inputName() const { return inputName_; }
    /// The file as it was before it was read.
    const FileStamp& inputStamp() const { return inputStamp_; }
    const ImagePtr& original() const { return original_; }
    /// A person's choice. Until there is one for B, it is the first backend besides that of A that can run the pipeline.
    void setTarget(Side side, const QString& label);
    const SideState& side(Side side) const { return sides_[static_cast<std::size_t>(side)]; }
    const std::optional<DifferenceMetrics>& difference() const { return difference_; }
    /// Is that of older results, and the one of A and B as they are now on its way?
    bool comparing() const { return side(Side::a).pending || side(Side::b).pending || pending_.contains(QStringLiteral("difference")); }
    /// What a colour map of the difference should span; 0 when A and B are identical.
    double differenceRange() const { return differenceRange_; }
    /// The pane of the difference shows |B - A| / max(|A|, |B|) instead of B - A, as soon as it is computed.
    void setRelativeDifference(bool relative);
    /// Is it what is shown now?
    bool shownRelative() const { return shownRelative_; }
    const ReferenceCheck& referenceCheck() const { return reference_; }
    /// What a pane shows; null if nothing yet. Complete pyramids follow as soon as they are made.
    PyramidPtr pyramid(PaneRole role) const { return pyramids_[static_cast<std::size_t>(role)]; }

    /// Counts the values of what a pane shows; histogramChanged() follows. The newest request wins.
    /// Of a rectangle, or of everything if that is empty.
    void requestHistogram(PaneRole role, HistogramScale scale, const QRect& pixels = {}, HistogramOf of = HistogramOf::channels);
    const std::shared_ptr<const Histogram>& histogram() const { return histogram_; }
    /// Statistics of a rectangle of the images; regionChanged() follows. None for an empty one.
    void requestRegion(const QRect& pixels);
    const std::shared_ptr<const RegionStatistics>& region() const { return region_; }

    /// Runs pipelines on the original and makes the results small, at most kPreviewSize pixels wide and high, once nothing was asked for
    /// during a moment. Of originals larger than kPreviewPixels it is a smaller version that they run on, which each preview says;
    /// previewsChanged() follows. The newest request wins; until it is done previews() are those of the last one.
    void requestPreviews(std::vector<Pipeline> pipelines);
    const std::vector<Preview>& previews() const { return previews_; }
    static constexpr int kPreviewSize = 128;
    static constexpr std::int64_t kPreviewPixels = 1 << 20;

    // Measuring: all available backends and the two sides, as one record.
    void measure(const QString& effort);
    const std::shared_ptr<const RunRecord>& record() const { return record_; }
    const std::shared_ptr<const TimingSummary>& summary() const { return summary_; }
    bool recordOutdated() const { return recordOutdated_; }
    bool measuring() const { return pending_.contains(QStringLiteral("measure")); }

    /// Sweeps, roofs and past runs.
    Lab& lab() const { return *lab_; }

    // Export. Nothing is overwritten unless `overwrite` says that the person agreed.
    void saveImage(PaneRole role, const QString& path, const SaveOptions& options = {});
    /// What `make`, called in the background, returns: a file of it, whole or not at all. Nothing is a failure.
    void saveBytes(const QString& path, bool overwrite, std::function<QByteArray()> make);
    /// Of the shown record, with pictures if it was measured in this session.
    void saveReport(const QString& path, bool overwrite);
    /// Of these records, as of a sweep.
    void saveReport(std::vector<RunRecord> records, const QString& path, bool overwrite);
    void saveRecipe(const QString& path, bool overwrite);
    /// Its steps replace those of the pipeline, as one edit that can be undone. A damaged file changes nothing.
    void openRecipe(const QString& path);

    /// Stops everything that runs; files that are being saved only if nothing else does. What is already there stays, and what has
    /// been measured is kept.
    void cancel();
    /// Are files being written?
    bool saving() const { return std::any_of(pending_.begin(), pending_.end(), isSave); }
    /// Did one of the last files that were to be saved together fail?
    bool saveFailed() const { return !failedSaves_.isEmpty(); }
    bool idle() const { return pending_.isEmpty() && !referenceDelay_.isActive() && !previewDelay_.isActive(); }
    /// Gives back the memory that waits for the next results. After a few seconds of rest it goes by itself.
    void releaseSpareMemory() { memory_->trim(); }

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
    /// fraction < 0: not known.
    void progressChanged(double fraction, const QString& text);
    void messageRaised(const parallax::ui::Message& message);
    /// What this source complained about is over.
    void messageCleared(const QString& source);
    void saved(const QString& path);

private:
    /// Runs work under a key; `done` follows in the GUI thread unless a newer request of the key came in between.
    void submit(JobQueue& queue, const QString& key, const QString& title, std::function<void(const std::stop_token&)> work,
                std::function<void()> done, std::function<void(ErrorCode, const Message&)> failed,
                JobQueue::Pace pace = JobQueue::Pace::nice);
    void finish(const QString& key);
    /// Is this the key of a file that is being saved?
    static bool isSave(const QString& key);
    void drop(JobQueue& queue, const QString& key);

    /// Runs a save, and says how it went. `work` returns what could not be kept, as sentences. Saves to different files go on
    /// beside each other; a second one to the same file takes the place of the first.
    void save(const QString& path, std::function<std::vector<std::string>(const std::stop_token&)> work);

    void recompute();
    /// Takes another target for B if nobody chose it and the pipeline asks for it. Was there a change?
    bool takeComparison();
    void compute(Side side);
    void compare();
    /// For when there is none of what A and B are now.
    void forgetDifference();
    void computePreviews();
    void showDifference();
    void checkAgainstReference();
    /// In the background: the results against the reference's, which is computed if `known` does not hold how far they are from it; then
    /// step by step what cannot be judged by that.
    void submitCheck(const std::array<std::optional<DifferenceMetrics>, 2>& known);
    /// `prepare` runs before in the same thread, if there is one.
    void load(const QString& input, std::function<void()> prepare);
    void setOriginal(Image image, const QString& name, const FileStamp& stamp);
    void showImage(PaneRole role, const ImagePtr& image);
    void pollProgress();
    /// What a measurement takes: every available backend, A and B. Says why not and gives none when there is nothing to measure.
    std::vector<Target> measuredTargets();
    std::string benchCommand(const std::vector<Target>& targets, const QString& effort) const;
    SideState& state(Side side) { return sides_[static_cast<std::size_t>(side)]; }
    ImagePtr imageOf(PaneRole role) const;

    Engine engine_;
    std::shared_ptr<RecyclingAllocator> memory_;  ///< of results and what is made of them
    PipelineModel pipeline_;
    QString inputName_;
    FileStamp inputStamp_;
    ImagePtr original_, differenceImage_;
    std::array<SideState, 2> sides_;
    bool choseB_ = false;  // somebody did
    std::optional<DifferenceMetrics> difference_;
    double differenceRange_ = 0;
    bool relativeDifference_ = false, shownRelative_ = false;
    ReferenceCheck reference_;
    std::array<PyramidPtr, 4> pyramids_;
    std::shared_ptr<const Histogram> histogram_;
    std::vector<Pipeline> wantedPreviews_;
    std::vector<Preview> previews_;
    ImagePtr smallOriginal_;  ///< for previews; null until it is needed
    std::shared_ptr<const RegionStatistics> region_;
    std::shared_ptr<const RunRecord> record_;
    std::shared_ptr<const TimingSummary> summary_;
    std::shared_ptr<const ReportPictures> pictures_;  ///< of the last measurement; null before its end
    bool recordOutdated_ = false;
    std::unique_ptr<Lab> lab_;

    QSet<QString> pending_;
    QStringList failedSaves_;  ///< keys of those whose message may still be shown
    QHash<QString, quint64> newest_;
    QHash<QString, QString> titles_;
    std::shared_ptr<Progress> progress_ = std::make_shared<Progress>();
    QTimer progressTimer_, referenceDelay_, trimDelay_, previewDelay_;
    Inbox inbox_;
    // Last: their threads end before anything that they could use goes.
    JobQueue computeQueue_, ioQueue_, viewQueue_;
    JobQueue keepQueue_;  // of finished measurements into the history: no cancel reaches it
};

/// Folder with the bundled samples, empty if there is none.
QString sampleFolder();
/// The sample that is worth looking at, or a generated image if it is not there.
QString defaultSample();
/// Is an input a report, to be shown in the charts? By its name: the file may be slow to reach.
bool isReport(const QString& input);

}  // namespace parallax::ui
