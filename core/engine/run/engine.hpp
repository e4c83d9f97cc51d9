// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a pipeline on a target. The engine alone moves data between memory spaces, so results stay on the device through a
// pipeline and every transfer is a stage. Never a silent fallback: what cannot run throws and the caller asks again.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/engine/operation/capabilities.hpp"
#include "core/engine/pipeline/pipeline.hpp"

namespace parallax {

/// What really ran, per step.
struct StepPlan {
    std::string step;            ///< as toText(Step)
    std::string implementation;  ///< "convolve / cuda / tiled"
    std::string variant;
    std::string reason;  ///< why this one ran
    Work work;
    Tolerance tolerance;             ///< of this step alone
    std::vector<std::string> notes;  ///< what a person should know about it, as sentences
    std::vector<Region> regions;     ///< of its output
};

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
    const std::string& deviceName() const;  ///< that really runs it
    int threads() const;                    ///< that really run it; 0 for a device backend
    const std::vector<StepPlan>& plan() const;
    const StageTimes& prepareTimes() const;
    Work work() const;            ///< sum over the enabled steps
    Tolerance tolerance() const;  ///< of the final result; of the last run, where data add to it
    double inputPeak() const;     ///< largest magnitude of the input's finite samples
    int borderWidth() const;      ///< of the whole pipeline, pixels
    std::uint64_t estimatedHostBytes() const;
    std::uint64_t estimatedDeviceBytes() const;

    /// Runs once: allocate (first time), upload, compute, download. Throws Error; after an error or a cancel the object
    /// can be run again.
    StageTimes run(RunContext& context);
    /// For profilers: from here on, until here. See BackendSession. Everything before is done when startProfiler() returns, and
    /// what lies between is done before stopProfiler() tells it.
    void startProfiler();
    void stopProfiler();
    /// What the steps of the last run found out; empty before the first and when the last one failed.
    std::vector<StatisticRecord> statistics(RunContext& context);
    /// The curves that the steps of the last run applied; the same.
    std::vector<TransferRecord> transfers(RunContext& context);
    /// Samples of the last run; empty before the first.
    View<const float> output() const;
    /// The last result as an image with metadata and provenance; the next run allocates anew.
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
};

class Engine {
public:
    explicit Engine(const Catalog& catalog) : catalog_(&catalog) {}
    const Catalog& catalog() const { return *catalog_; }

    /// Checks everything that can be known beforehand (parameters, support, memory) and prepares. Throws Error.
    PreparedRun prepare(const Pipeline& pipeline, ImagePtr input, const Target& target, RunContext& context) const;
    /// prepare + one run.
    RunResult run(const Pipeline& pipeline, ImagePtr input, const Target& target, RunContext& context) const;

private:
    const Catalog* catalog_;
};

}  // namespace parallax
