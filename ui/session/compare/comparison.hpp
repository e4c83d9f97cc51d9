// SPDX-License-Identifier: GPL-3.0-or-later
// The results of the compared panes, the difference of two of them, and the check of each against the reference backend.
#pragma once

#include <QObject>
#include <QSet>
#include <QTimer>
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "core/engine/run/engine.hpp"
#include "core/engine/run/live_series.hpp"
#include "core/engine/run/run_record.hpp"
#include "core/measure/sampling/verify.hpp"
#include "ui/session/compare/encoded_inputs.hpp"
#include "ui/session/compare/first_picture.hpp"
#include "ui/session/compare/input_store.hpp"
#include "ui/session/compare/pair_metrics.hpp"
#include "ui/session/compare/reference_check.hpp"
#include "ui/session/compare/shown_difference.hpp"
#include "ui/session/document.hpp"
#include "ui/session/pane_data.hpp"

namespace parallax::ui {

/// The result of one side.
struct SideResult {
    ImagePtr image;
    ImagePtr input;
    ImagePtr computed, stepsInput;  ///< result and input of the steps: these, or with encoded colours
    StageTimes times;
    Target target;
    QString device;
    int threads = 0;
    std::vector<StepPlan> plan;
    bool changesQuantity = false;  ///< see Pipeline
    std::vector<StatisticRecord> statistics;
    std::vector<SeriesRecord> series;
    LapsRecord laps;  ///< if they were asked for, see Comparison::setMeasuresLaps()
    std::vector<TransferRecord> transfers;
    double tolerance = 0, ambiguous = 0;  ///< see Tolerance
    LocalTolerance localTolerance;        ///< see PreparedRun
    double inputPeak = 0;                 ///< see PreparedRun
    RunMemory memory;
    int borderWidth = 0;
    QString problem;        ///< names target, implementations and size; empty if nothing ran
    bool firstRun = false;  ///< the times include loading and building: no run of this kind came before
    /// Against the input, if the result should approximate it.
    std::optional<DifferenceMetrics> againstOriginal;
};

struct SideState {
    Target target;
    std::shared_ptr<const SideResult> result;  ///< of the last completed run; may be outdated
    std::optional<FirstPicture> first;         ///< in the pane instead of the result, while that is refined
    bool pending = false;                      ///< a newer result is being computed, or its input opened
    std::optional<Message> error;
};

class Comparison : public QObject {
    Q_OBJECT
public:
    Comparison(Tasks& tasks, PaneData& panes, Document& document, const Engine& engine, std::shared_ptr<Allocator> memory);

    int sideCount() const { return static_cast<int>(setup().panes.size()); }
    /// The sides that are compared, A first.
    std::vector<Side> sides() const;
    const SideState& side(Side side) const { return sides_[indexOf(side)]; }
    /// Null while it is opened, or if it could not be.
    ImagePtr inputOf(Side side) const;
    /// Sets the user's choice of a backend, as an edit. Until there is one for B, B is the first other backend than that of A that can run
    /// the steps.
    void setTarget(Side side, const QString& label);
    /// Discards results and difference of the previous image, without signals.
    void reset();
    /// Computes each side whose input, steps or target have changed.
    void update();
    /// Computes each side on this backend, whose code has changed.
    void computeAgain(const std::string& backend);

    /// The difference is subject - reference.
    Side reference() const { return document_.pipeline().reference(); }
    Side subject() const { return document_.pipeline().subject(); }
    const std::optional<DifferenceMetrics>& difference() const { return difference_; }
    const ImagePtr& differenceImage() const { return differenceImage_; }
    /// Why there is no difference of the current results, such as different sizes; empty if there is one or if it is being computed.
    QString noDifference() const;
    /// Is the difference outdated or being computed?
    bool comparing() const { return side(reference()).pending || side(subject()).pending || tasks_.pending({TaskKind::difference}); }
    /// SSIM, FLIP and ULP distance of the difference.
    const PairMetrics& metrics() const { return metrics_; }
    /// The image in the difference pane. Metrics and exports are those of the signed difference whatever it shows.
    ShownDifference& shown() { return shown_; }
    const ShownDifference& shown() const { return shown_; }
    /// Whether runs measure SideResult::laps, which may take more time. Results that lack them are computed again.
    void setMeasuresLaps(bool yes);
    /// Series of the run of a side that is being computed; null if it is not.
    std::shared_ptr<const LiveSeries> live(Side of) const { return side(of).pending ? live_[indexOf(of)] : nullptr; }
    const ReferenceCheck& referenceCheck(Side side) const { return checks_[indexOf(side)]; }

    /// Are checks against the reference, or the metrics, about to start?
    bool waiting() const { return checkDelay_.isActive(); }
    void stopWaiting() { checkDelay_.stop(); }
    /// Marks as cancelled what Tasks::cancel() has stopped. `comparing`: the difference was being computed.
    void markCancelled(bool comparing);
    InputStore& inputs() { return inputs_; }

signals:
    void sideChanged(parallax::ui::Side side);
    /// Sides were added or removed.
    void sidesChanged();
    void differenceChanged();
    void referenceChanged();
    void waitingChanged();

private:
    /// The problem that a side was asked to solve.
    struct Request {
        ImagePtr input;
        Pipeline steps;
        Target target;
        bool encoded = false;
        bool laps = false;
    };
    const CompareSetup& setup() const { return document_.pipeline().setup(); }
    ImagePtr original() const { return document_.original(); }
    bool usesDocument(const PaneSetup& pane) const { return pane.input.isEmpty() || pane.input == document_.inputName(); }
    bool inPair(Side side) const { return side == reference() || side == subject(); }
    void chooseTargets();
    void openInputs();
    void updateSide(Side side);
    void dropSide(Side side);
    void invalidate(Side side);
    void compute(Side side, const Request& request);
    /// Returns the steps of a first picture; empty if it is not worth its time.
    std::optional<Pipeline> firstSteps(Side side, const Request& request);
    void computeFirst(Side side, const Request& request, const Pipeline& steps);
    void computeResult(Side side, const Request& request);
    static FirstPicture runFirst(const Engine& engine, const Request& request, const Pipeline& steps, EncodedInputs& encoded,
                                 RunContext& context);
    static std::shared_ptr<const SideResult> solve(const Engine& engine, const Request& request, EncodedInputs& encoded,
                                                   const QSet<QString>& warm, RunContext& context);
    void takeFirst(Side side, FirstPicture picture);
    /// Shows the last result again, if there is one.
    void dropFirst(Side side);
    void take(Side side, std::shared_ptr<const SideResult> result);
    void fail(Side side, ErrorCode code, const Message& message);
    void changePair();
    void compare();
    /// When there is no difference of the current results.
    void discardDifference();
    /// Starts the checks a moment after everything is computed.
    void settle();
    void startChecks();
    void checkAgainstReference();
    void submitChecks(std::vector<CheckGroup> groups);
    /// Returns whether there were any.
    bool forgetPendingChecks();
    SideState& state(Side side) { return sides_[indexOf(side)]; }
    QString titleOf(Side side) const;
    Message cancelledMessage(Side side) const;

    Tasks& tasks_;
    PaneData& panes_;
    Document& document_;
    const Engine& engine_;
    std::shared_ptr<Allocator> memory_;
    InputStore inputs_;
    std::shared_ptr<EncodedInputs> encoded_ = std::make_shared<EncodedInputs>();
    PairMetrics metrics_;
    ShownDifference shown_;
    std::array<SideState, kMaxSides> sides_;
    std::array<std::shared_ptr<LiveSeries>, kMaxSides> live_;
    std::array<std::optional<Request>, kMaxSides> requests_;
    std::array<ReferenceCheck, kMaxSides> checks_;
    std::array<FirstPicturePace, kMaxSides> paces_;
    QSet<QString> warmProblems_;  ///< that have run in this process
    int count_ = 0;
    bool measuresLaps_ = false;
    ImagePtr differenceImage_;
    std::optional<DifferenceMetrics> difference_;
    QTimer checkDelay_;
};

}  // namespace parallax::ui
