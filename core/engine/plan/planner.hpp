// SPDX-License-Identifier: GPL-3.0-or-later
// Plans a run before anything is prepared: which implementations run, how much memory they need, and whether in strips or on
// parts.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/engine/pipeline/pipeline.hpp"
#include "core/engine/plan/run_target.hpp"
#include "core/engine/plan/tolerance_model.hpp"
#include "core/parallel/partition.hpp"

namespace parallax {

struct PlannedStep {
    const Operation* operation = nullptr;
    const Implementation* implementation = nullptr;
    Problem problem;  ///< statistics of all but the first step are bounds
    Shape outputShape;
    Distribution distribution;  ///< for targets with several parts
    Partition partition;        ///< of its result among them, as RunPlan::partition
    StepPlan record;
};

/// Checks a step and selects its implementation. Throws Error.
PlannedStep planStep(const Catalog& catalog, const Step& step, Problem problem, const Target& target);

/// Buffers in session memory for the input and the results of steps. Steps that do not follow each other share one if their results have
/// the same layout, so that most pipelines need two. Rows are padded where both the step that writes and the one that reads accept it.
struct WorkBuffers {
    Layout input{Shape{}};            ///< if the session has its own memory
    std::vector<std::size_t> ofStep;  ///< index in `layouts`; the last step has none if its result goes to host memory at once
    std::vector<Layout> layouts;
    std::uint64_t bytes() const;  ///< without the input
};

enum class Division {
    whole,   ///< the whole image at once
    strips,  ///< RunPlan::strips, one step after another
    parts    ///< RunPlan::partition, computed at the same time
};

struct RunPlan {
    std::vector<PlannedStep> steps;
    ToleranceModel tolerance;
    Work work;                ///< of all steps
    std::vector<Fact> facts;  ///< of the result
    WorkBuffers buffers;
    Division division = Division::whole;
    std::vector<StripPlan> strips;                 ///< of each step; results between them are in host memory
    std::uint64_t stripMemory = 0;                 ///< device memory that the strips of a step, with the workspace of slabs, may take
    std::string stripReason;                       ///< why strips; empty if the target asks for them
    Partition partition;                           ///< of the input: slices of a volume or rows of an image
    std::vector<StripPlan> partStrips;             ///< of each part, if it is streamed through its device; those of empty parts are empty
    std::uint64_t hostBytes = 0, deviceBytes = 0;  ///< that the run needs at most
    std::uint64_t scratchBytes = 0;                ///< of hostBytes: those without room in memory, see checkMemory()

    /// Rows of all channels of all results: what progress counts.
    std::int64_t rows() const;
    /// Takes the plan of strips or slabs of a step and adds its memory.
    void setStrips(std::size_t step, StripPlan plan, const RunTarget& target);
    /// Whether a step is divided by its execution (Execution::prepareSlabs()), which is asked once it is prepared.
    bool isInSlabs(std::size_t step) const;
    bool hasSlabs() const;
};

/// Threads that work on the host repays, at least 1: starting each takes some microseconds, and much longer beside other programs.
int usefulThreads(const Work& work);
/// Limits the threads of a step on the host to those that its work, divided among the parts, repays.
RunContext contextOfStep(const PlannedStep& step, const RunTarget& target, const RunContext& context);

/// Enabled steps of a pipeline.
constexpr std::size_t kMaxSteps = 1000;

/// Plans the enabled steps of a pipeline. `problem`: that of the first step, without parameters. Throws Error: usage, unavailable, or
/// memory if it is known that the run cannot have what it needs.
RunPlan planRun(const Catalog& catalog, const Pipeline& pipeline, Problem problem, const RunTarget& target, const RunContext& context);

/// Sets RunPlan::scratchBytes. Throws Error(memory) if the plan needs more than is available, in memory and in scratch files.
void checkMemory(RunPlan& plan, const RunTarget& target);

}  // namespace parallax
