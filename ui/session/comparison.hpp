// SPDX-License-Identifier: GPL-3.0-or-later
// The results of A and B, their difference, and the check against the reference.
#pragma once

#include <QObject>
#include <QTimer>
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "core/engine/run/engine.hpp"
#include "core/engine/run/run_record.hpp"
#include "core/measure/sampling/verify.hpp"
#include "ui/session/document.hpp"
#include "ui/session/pane_data.hpp"

namespace parallax::ui {

enum class Side { a, b };

/// The result of one side.
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
    /// Against the original, if the result should approximate it.
    std::optional<DifferenceMetrics> againstOriginal;
};

struct SideState {
    Target target;
    std::shared_ptr<const SideResult> result;  ///< of the last completed run; may be outdated
    bool pending = false;                      ///< a newer result is being computed
    std::optional<Message> error;
};

/// The results of A and B against the reference, or why there is no comparison.
struct ReferenceCheck {
    enum class State { unknown, pending, tooSlow, known };
    State state = State::unknown;
    std::array<std::optional<DifferenceMetrics>, 2> metrics;  ///< of A and B
    double tolerance = 0, ambiguous = 0;                      ///< see Tolerance
    double inputPeak = 0;                                     ///< largest magnitude of the original
    /// If the tolerance of the whole pipeline allows any result: the step that is nearest to its own tolerance, each checked alone.
    std::array<std::optional<StepJudgement>, 2> steps;
    /// Difference and tolerance that the verdict uses; only if there are metrics.
    const DifferenceMetrics& judged(std::size_t side) const { return steps[side] ? steps[side]->difference : *metrics[side]; }
    double allowed(std::size_t side) const { return steps[side] ? steps[side]->tolerance.absolute : tolerance; }
    Verification verification(std::size_t side) const {
        if (metrics[side] && steps[side]) return steps[side]->verification;
        return metrics[side] ? judge(*metrics[side], tolerance, ambiguous, inputPeak) : Verification::notDone;
    }
};

class Comparison : public QObject {
    Q_OBJECT
public:
    Comparison(Tasks& tasks, PaneData& panes, const Document& document, const Engine& engine, std::shared_ptr<Allocator> memory);

    const SideState& side(Side side) const { return sides_[static_cast<std::size_t>(side)]; }
    /// The user's choice. Until there is one for B, B is the first other backend than that of A that can run the pipeline.
    void setTarget(Side side, const QString& label);
    /// Discards results and difference of the previous image, without signals.
    void reset();
    /// Computes A and B for the document as it is now.
    void recompute();

    const std::optional<DifferenceMetrics>& difference() const { return difference_; }
    const ImagePtr& differenceImage() const { return differenceImage_; }
    /// Is the difference outdated or being computed?
    bool comparing() const { return side(Side::a).pending || side(Side::b).pending || tasks_.pending({TaskKind::difference}); }
    /// The range of a colour map of the difference; 0 if A and B are identical.
    double differenceRange() const { return differenceRange_; }
    /// Shows |B - A| / max(|A|, |B|) instead of B - A, as soon as it is computed. Metrics and exports stay those of B - A.
    void setRelativeDifference(bool relative);
    bool shownRelative() const { return shownRelative_; }
    const ReferenceCheck& referenceCheck() const { return reference_; }

    /// Is a check against the reference about to start?
    bool waiting() const { return referenceDelay_.isActive(); }
    void stopWaiting() { referenceDelay_.stop(); }
    /// Marks as cancelled what Tasks::cancel() has stopped. `comparing`: the difference was being computed.
    void markCancelled(bool comparing);

signals:
    void sideChanged(parallax::ui::Side side);
    void differenceChanged();
    void referenceChanged();
    void waitingChanged();

private:
    /// Chooses another target for B if the user has not chosen one and the pipeline needs it. Returns whether it changed.
    bool updateDefaultB();
    void compute(Side side);
    void take(Side side, std::shared_ptr<const SideResult> result);
    void compare();
    /// When there is no difference of the current results.
    void discardDifference();
    void showDifference();
    void checkAgainstReference();
    /// Compares the results with the reference, which runs unless metrics are known, then judges steps one by one where the tolerance of
    /// the whole pipeline allows any result.
    void submitCheck();
    SideState& state(Side side) { return sides_[static_cast<std::size_t>(side)]; }
    Message cancelledMessage(Side side) const;

    Tasks& tasks_;
    PaneData& panes_;
    const Document& document_;
    const Engine& engine_;
    std::shared_ptr<Allocator> memory_;
    std::array<SideState, 2> sides_;
    bool choseB_ = false;  // by the user
    ImagePtr differenceImage_;
    std::optional<DifferenceMetrics> difference_;
    double differenceRange_ = 0;
    bool relativeDifference_ = false, shownRelative_ = false;
    ReferenceCheck reference_;
    QTimer referenceDelay_;
};

}  // namespace parallax::ui
