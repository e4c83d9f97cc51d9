// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a pipeline on a target. Only the engine moves data between memory spaces, so results stay on the device through a pipeline and
// every transfer is a stage. There is no silent fallback: what cannot run throws an Error.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/engine/pipeline/pipeline.hpp"
#include "core/engine/run/run_memory.hpp"
#include "core/image/difference.hpp"

namespace parallax {

/// The curve that a step applied.
struct TransferRecord {
    int step = 0;           ///< among the enabled ones
    std::string operation;  ///< id
    TransferInfo info;
    TransferCurve curve;
};

/// One pipeline, prepared for one input on one target. Buffers are kept between runs.
class PreparedRun {
public:
    ~PreparedRun();
    PreparedRun(PreparedRun&&) noexcept;
    PreparedRun& operator=(PreparedRun&&) noexcept;

    const Target& target() const;
    const std::string& deviceName() const;
    int threads() const;                  ///< in use; 0 for a device with memory of its own
    std::vector<RankHost> hosts() const;  ///< machines of the ranks; empty unless it runs on ranks
    const std::vector<StepPlan>& plan() const;
    const StageTimes& prepareTimes() const;
    Work work() const;            ///< sum over the enabled steps
    Tolerance tolerance() const;  ///< of the final result; includes what the data of the last run add
    /// Tolerance of each sample of the result, if it follows the input around the sample in every step: see HasLocalTolerance. Empty where
    /// a step has none or its implementation spreads errors; tolerance() holds then.
    LocalTolerance localTolerance() const;
    double inputPeak() const;  ///< largest magnitude of the finite samples of the input
    int borderWidth() const;   ///< of the whole pipeline, in pixels
    std::uint64_t estimatedHostBytes() const;
    std::uint64_t estimatedDeviceBytes() const;
    std::uint64_t estimatedScratchBytes() const;  ///< of estimatedHostBytes(): those that have no room in memory
    /// Returns what the preparation and the first run took so far.
    RunMemory memory() const;

    /// From the next run on, leaves the input on the device, so that it is uploaded once. Runs in strips or on parts upload each time.
    void keepInput();
    /// Runs once: allocate (the first time), upload, compute, download. Throws Error; can be called again after an error.
    StageTimes run(RunContext& context);
    /// Limits a profiler to the runs in between, see BackendSession. Both wait for all work in flight first.
    void startProfiler();
    void stopProfiler();
    /// Statistics of the steps of the last run; empty if there was none or if it failed.
    std::vector<StatisticRecord> statistics(RunContext& context);
    /// Series of the steps of the last run; empty as above.
    std::vector<SeriesRecord> series(RunContext& context);
    /// Parts of the compute stage of the last run; empty as above. May repeat some of the work to measure them.
    LapsRecord laps(RunContext& context);
    /// Sentences on the last result that users must know; each begins with the id of its operation if there are several steps.
    std::vector<std::string> warnings(RunContext& context);
    /// Traffic between the parts of the last run; nothing if there was none, if it failed, or if it was on one part.
    std::optional<TrafficRecord> traffic() const;
    /// The operation's judgement of the last result; empty if it does not judge its results, and for several steps.
    std::vector<JudgementRecord> judgements();
    /// Curves that the steps of the last run applied; empty as above.
    std::vector<TransferRecord> transfers(RunContext& context);
    /// Samples of the last run; empty as above.
    View<const float> output() const;
    /// Deviation from the reference that the data of the last run allow in each step, see Execution::dataTolerance().
    std::vector<double> dataTolerances() const;
    const Shape& outputShape() const;
    /// Lets results be written to this buffer from the next run on. It has outputShape() and no padding.
    void useResult(Buffer buffer);
    /// The last result as an image with metadata and provenance; the next run allocates again.
    Image takeImage();

private:
    friend class Engine;
    struct State;
    explicit PreparedRun(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

struct RunResult {
    Image image;
    StageTimes times;  ///< prepare included
    Target target;
    std::string deviceName;
    int threads = 0;
    std::vector<StepPlan> plan;
    std::vector<StatisticRecord> statistics;
    std::vector<SeriesRecord> series;
    LapsRecord laps;
    std::vector<std::string> warnings;
    RunMemory memory;
};

class Engine {
public:
    explicit Engine(const Catalog& catalog) : catalog_(&catalog) {}
    const Catalog& catalog() const { return *catalog_; }

    /// Checks parameters, support and memory, then prepares. Throws Error.
    PreparedRun prepare(const Pipeline& pipeline, ImagePtr input, const Target& target, RunContext& context) const;
    /// Prepares other steps in place of those of a run: session, buffers and an input that stays on the device are kept. For whole images
    /// only: throws Error(unavailable) for runs in strips, on parts or ranks, and for recorded ones. After another Error the run has no
    /// steps until a change succeeds.
    void change(PreparedRun& run, const Pipeline& pipeline, RunContext& context) const;
    /// prepare + one run. `withLaps`: measures RunResult::laps, too.
    RunResult run(const Pipeline& pipeline, ImagePtr input, const Target& target, RunContext& context, bool withLaps = false) const;
    /// One run of what was prepared.
    static RunResult run(PreparedRun prepared, RunContext& context, bool withLaps = false);

private:
    const Catalog* catalog_;
};

}  // namespace parallax
