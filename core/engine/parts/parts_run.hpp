// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/engine/parts/halo.hpp"
#include "core/engine/parts/part_execution.hpp"
#include "core/engine/parts/rank_order.hpp"
#include "core/engine/plan/planner.hpp"
#include "core/engine/run/run_record.hpp"
#include "core/parallel/thread_team.hpp"

namespace parallax {

/// A pipeline on parts of an image: in host memory, each on a device of its own, or each on a rank. Each part has a thread, with its share
/// of the threads of the run, and executions and buffers of its own: results stay with their parts from step to step, and parts exchange
/// nothing but halos. The bits are those of a run on one part, except where Distribution::sameBits says no. A part that is too large for
/// its device is streamed through it (RunPlan::partStrips).
///
/// On ranks, rank 0 has the whole image and prepares and runs: it hands each rank the rows of its part and takes those of the result. The
/// other ranks do the same work by its orders, see serveRanks().
class PartsRun {
public:
    /// Both must outlive it. Throws std::system_error if a thread cannot be started.
    PartsRun(const RunPlan& plan, const RunTarget& target);
    ~PartsRun();
    PartsRun(const PartsRun&) = delete;
    PartsRun& operator=(const PartsRun&) = delete;
    /// Prepares all parts at the same time. Throws the first error of any of them, like run().
    void prepare(const RunContext& context);
    /// Runs once. The time of a stage is that of its slowest part; `exchange` is what the run took longer than `compute` because parts
    /// waited for halos, or for each other. Each part has a piece of each stage.
    StageTimes run(const View<const float>& input, const View<float>& result, const RunContext& context);

    /// The work of one rank: what prepare() and run() do on its thread. Only rank 0 has an image and a result.
    void prepareRank(Communicator& communicator, const RunContext& context);
    void runRank(const View<const float>& input, const View<float>& result, Communicator& communicator, const RunContext& context);
    /// The same where every rank has the rows (or slices) of its part, and keeps those of the result.
    void runRankOnRows(const View<const float>& rows, const View<float>& result, Communicator& communicator, const RunContext& context);
    /// Times of the last run: see run().
    StageTimes times() const;

    /// Traffic of the compute and exchange stages of the last run.
    TrafficRecord traffic() const;

    /// The execution of the first part of this process.
    Execution& execution(std::size_t step) const { return *parts_.front().executions[step]; }
    /// The largest of all parts.
    double dataTolerance(std::size_t step) const;
    int threads() const { return threads_; }  ///< of all parts, once prepared
    void releaseBuffers();

private:
    /// A step as all parts see it.
    struct StepHalo {
        StripPlan plan;
        std::vector<HaloRows> halo;
        EdgeRows edges;
        bool sendsEdgesFirst = false;  // to the next step, before it computes the interior
    };
    struct Part {
        std::vector<PartRange> ranges;  // of the input, then of the result of each step
        std::vector<std::unique_ptr<Execution>> executions;
        Buffer input;                            // in the memory of a device
        Buffer rows, result;                     // of the image and of the result, on another rank than 0
        std::vector<Buffer> work;                // RunPlan::buffers
        std::vector<std::vector<Buffer>> edges;  // inputs of the edges of each step
        PartTraffic traffic;                     // in the last run; on ranks, of the busiest
    };
    /// Input and output of a step of a part.
    struct StepViews {
        View<const float> input{};
        View<float> output{};
        const View<const float>* image = nullptr;  // the whole input of the first step
        bool withHalo = false;                     // the input has the rows beside the part, too
    };

    /// Whether a step works on rows of the part and of its neighbours.
    bool hasHalo(std::size_t step) const {
        const PlannedStep& planned = plan_.steps[step];
        return planned.problem.shape.depth == 1 && !planned.distribution.phases;
    }

    using Work = std::function<void(Communicator&)>;
    Part& partOf(int rank) { return parts_[static_cast<std::size_t>(rank - target_.firstPart())]; }
    void together(RankOrder order, const Work& work, const RunContext& context);
    RankOrder prepareOrder();
    void shareReports(Communicator& communicator, std::int64_t together);
    View<const float> uploadOnRank(Part& part, const View<const float>& image, Communicator& communicator, BackendSession& session) const;
    void downloadOnRank(Part& part, const View<const float>& rows, const View<float>& result, Communicator& communicator,
                        BackendSession& session) const;
    void scatter(Part& part, const View<const float>& image, Communicator& communicator) const;
    void collect(const Part& part, const View<const float>& rows, const View<float>& result, Communicator& communicator) const;
    View<float> lastRows(Part& part, const View<float>& result) const;
    std::vector<StageTimes::Piece> piecesOfParts() const;
    std::unique_ptr<Execution> prepareStep(const PlannedStep& step, RunContext& context) const;
    void sendEdgesFirst(std::size_t step, const Partition& input);
    RunContext contextOf(const Communicator& communicator, const RunContext& context) const;
    void allocate(Part& part, int rank) const;
    void beginTogether(Communicator& communicator);
    /// Whether the parts of a device get the halo of the first step with their rows. Ranks exchange it.
    bool uploadsHalo() const { return !target_.onHost() && !target_.ranks() && hasHalo(0); }
    void upload(Part& part, const View<const float>& image, BackendSession& session) const;
    void runPart(Part& part, const View<const float>& input, const View<float>& result, Communicator& communicator,
                 const RunContext& context);
    void streamPart(Part& part, const View<const float>& input, const View<float>& result, const RunContext& context, int rank);
    void runSteps(Part& part, StepViews& views, const View<float>& result, Communicator& communicator, const RunContext& context);
    ImagePart partOf(const Part& part, std::size_t step) const;
    static KeepsOwnSamples* keeper(const Part& part, std::size_t step);
    void take(Part& part, std::size_t step, const StepViews& views, Communicator& communicator, RunContext& context) const;
    void give(Part& part, std::size_t step, const StepViews& views, Communicator& communicator, RunContext& context) const;
    void runStep(Part& part, std::size_t step, const StepViews& views, std::unique_ptr<HaloExchange>& exchange, Communicator& communicator,
                 RunContext& context) const;
    void runSlices(Part& part, std::size_t step, const StepViews& views, RunContext& context) const;
    void runRows(Part& part, std::size_t step, const StepViews& views, std::unique_ptr<HaloExchange>& exchange, Communicator& communicator,
                 RunContext& context) const;
    std::unique_ptr<HaloExchange> startExchange(Part& part, std::size_t step, const StepViews& views, Communicator& communicator) const;
    void fillEdges(Part& part, std::size_t step, const StepViews& views, int rank) const;

    const RunPlan& plan_;
    const RunTarget& target_;
    std::vector<StepHalo> steps_;
    std::vector<Part> parts_;         // of this process
    std::vector<StageTimes> times_;   // of all parts, in the last run
    std::vector<double> tolerances_;  // of the steps: the largest of all ranks, after the last run
    int threads_ = 0;
    bool ownRows_ = false;                                            // runRankOnRows()
    std::int64_t id_ = 0;                                             // of the orders of rank 0; 0: none was given
    std::shared_ptr<SampleTransport> transport_;                      // between devices
    std::vector<std::shared_ptr<SampleTransport::Moment>> uploaded_;  // of each part, in the last run
    std::optional<ThreadTeam> team_;                                  // unless parts are on ranks
};

}  // namespace parallax
