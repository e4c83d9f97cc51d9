// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/plan/planner.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/engine/parts/part_execution.hpp"
#include "core/engine/parts/part_strips.hpp"
#include "core/engine/pipeline/next_problem.hpp"
#include "core/engine/run/translated_errors.hpp"
#include "core/image/host/memory_use.hpp"
#include "core/image/texts.hpp"

namespace parallax {
namespace {

StepPlan recordOf(const PlannedStep& planned, const Step& step, const Target& target, std::string reason) {
    const Operation& operation = *planned.operation;
    const std::string variant = planned.implementation->variant();
    return {.step = toText(step),
            .implementation = operation.id() + " / " + target.backend + " / " + variant,
            .variant = variant,
            .reason = std::move(reason),
            .work = operation.work(planned.problem),
            .referenceFlops = referenceFlopsOf(operation, planned.problem),
            .tolerance = operation.tolerance(planned.problem),
            .notes = notesOn(operation, planned.problem),
            .regions = regionsOf(operation, planned.problem)};
}

bool divides(const Implementation& implementation, const Problem& problem) {
    return implementation.strips(problem) || implementation.slabs(problem);
}
bool distributes(const Implementation& implementation, const Problem& problem) { return bool{implementation.distribution(problem)}; }

/// Replaces the implementation of a step by the first one that can be divided, in the order in which the backend prefers them. The step
/// stays as it is if it can be divided itself, or if none can. `how` and `why` are for the record: "works in strips", "which needs ...".
template <class Divides>
void preferDivided(PlannedStep& step, const std::vector<const Implementation*>& all, int device, Divides&& divides, const char* how,
                   const std::string& why) {
    const Implementation& chosen = *step.implementation;
    if (divides(chosen, step.problem)) return;
    const Implementation* best = nullptr;
    int bestRank = 0;
    for (const Implementation* i : all) {
        if (i == &chosen || !i->supports(step.problem) || !divides(*i, step.problem)) continue;
        const int rank = i->preference(step.problem, device).rank;
        if (best && rank <= bestRank) continue;
        best = i;
        bestRank = rank;
    }
    if (!best) return;
    StepPlan& record = step.record;
    record.reason = how + (", unlike " + record.variant) + " (" + record.reason + ")" + (why.empty() ? "" : ", " + why);
    record.implementation.replace(record.implementation.size() - record.variant.size(), std::string::npos, best->variant());
    record.variant = best->variant();
    step.implementation = best;
}

/// The problem of the next step, with bounds as statistics.
Problem boundedProblemAfter(const PlannedStep& step) {
    Problem next = problemAfter(*step.operation, step.problem);
    next.statistics.max = step.operation->largestOutput(step.problem);
    next.statistics.min = -next.statistics.max;
    return next;
}

/// The layout of what step i reads, or of the result if there is no step i. Transfers accept padded rows.
Layout layoutBefore(std::size_t i, const std::vector<PlannedStep>& steps, const RunTarget& target) {
    const auto accepts = [&](std::size_t step) { return steps[step].implementation->acceptsPadding(steps[step].problem); };
    // Strips and what parts exchange are dense.
    const bool padded = target.parts() == 1 && (i == 0 || accepts(i - 1).output) && (i == steps.size() || accepts(i).input);
    const Shape& shape = i == 0 ? steps[0].problem.shape : steps[i - 1].outputShape;
    return padded ? target.session().paddedLayout(shape) : Layout(shape);
}

WorkBuffers assignBuffers(const std::vector<PlannedStep>& steps, const RunTarget& target) {
    WorkBuffers buffers;
    buffers.input = layoutBefore(0, steps, target);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (target.onHost() && i + 1 == steps.size()) break;
        const Layout layout = layoutBefore(i + 1, steps, target);
        std::size_t b = 0;
        while (b < buffers.layouts.size() && (buffers.layouts[b] != layout || (i > 0 && buffers.ofStep[i - 1] == b))) ++b;
        if (b == buffers.layouts.size()) buffers.layouts.push_back(layout);
        buffers.ofStep.push_back(b);
    }
    return buffers;
}

/// Why a run cannot be divided into strips; empty if it can.
std::string whyNoStrips(const RunPlan& plan, const RunTarget& target) {
    // A recorded run keeps its buffers as long as it lives, so strips would save nothing.
    if (const std::string mode = target.modeOf(Capability::recorded); !mode.empty())
        return "Recorded runs (the mode '" + mode + "') do not work in strips";
    if (target.stripLimits().inFlight == 0) return "Backend '" + target.target().backend + "' does not work in strips";
    const bool several = plan.steps.size() > 1;
    if (const std::string mode = target.modeOf(Capability::overlapped); several && !mode.empty())
        return "Only pipelines of one step work with the mode '" + mode + "'";
    for (const PlannedStep& step : plan.steps) {
        const StripSupport strips = step.implementation->strips(step.problem);
        if (strips) continue;
        if (const Support slabs = step.implementation->slabs(step.problem); !slabs)
            return (several ? step.operation->id() + " / " : std::string()) + step.record.variant + ": " +
                   (slabs.reason.empty() ? strips.reason : slabs.reason);
    }
    return {};
}

/// Device memory of a run on one device that is not divided.
std::uint64_t wholeBytes(const RunPlan& plan) {
    std::uint64_t bytes = plan.buffers.bytes() + checkedBytes(plan.buffers.input, SampleType::float32);
    for (const PlannedStep& step : plan.steps) bytes += step.implementation->estimate(step.problem).device;
    return bytes;
}

/// Whether the target names a variant, and others of the backend work in strips in every step.
bool dividesByOtherVariants(const RunPlan& plan, const Catalog& catalog, const RunTarget& target) {
    const Target& t = target.target();
    return !t.variant.empty() && std::all_of(plan.steps.begin(), plan.steps.end(), [&](const PlannedStep& step) {
        const std::vector<const Implementation*> all = catalog.implementations(step.operation->id(), t.backend);
        return std::any_of(all.begin(), all.end(),
                           [&](const Implementation* i) { return i->supports(step.problem) && divides(*i, step.problem); });
    });
}

/// Selects implementations that work in strips if the run does not fit on the device and the target names no variant. Returns whether it
/// did.
bool preferStrips(RunPlan& plan, const Catalog& catalog, const RunTarget& target) {
    const Target& t = target.target();
    const std::optional<std::uint64_t> free = target.freeDeviceMemory();
    if (!free || target.parts() > 1 || !t.variant.empty() || target.asksFor(Capability::recorded)) return false;
    const std::uint64_t needed = wholeBytes(plan);
    if (needed <= *free) return false;
    for (PlannedStep& step : plan.steps)
        preferDivided(step, catalog.implementations(step.operation->id(), t.backend), t.device, divides, "works in strips",
                      "which needs " + mebibytes(needed) + " of the device's memory while " + mebibytes(*free) + " are free");
    return true;
}

/// Selects an implementation that works on parts. Throws Error(unavailable) if there is none.
void distribute(PlannedStep& step, const Catalog& catalog, const RunTarget& target) {
    const Target& t = target.target();
    const std::vector<const Implementation*> all = catalog.implementations(step.operation->id(), t.backend);
    if (t.variant.empty()) preferDivided(step, all, t.device, distributes, "works on parts", {});
    step.distribution = step.implementation->distribution(step.problem);
    std::string why = step.distribution.halo.reason;
    if (step.distribution && !step.distribution.phases && step.outputShape != step.problem.shape) {
        step.distribution.halo.yes = false;
        why = "Its result has another size than its input";
    }
    if (!step.distribution) {
        const bool another = std::any_of(
            all.begin(), all.end(), [&](const Implementation* i) { return i->supports(step.problem) && distributes(*i, step.problem); });
        throw Error(ErrorCode::unavailable, "'" + t.label() + "' cannot do this",
                    step.operation->id() + " / " + step.record.variant + ": " + why,
                    (another ? "Choose another variant, or " : "") +
                        (target.ranks() ? std::string(another ? "use" : "Use") + " parallax-cli"
                                        : (another ? "leave @" : "Leave @") + std::to_string(t.parts) + " out"));
    }
    step.record.reason += "; on " + std::to_string(t.parts) + (target.ranks() ? " ranks" : " parts");
    if (target.transport()) step.record.reason += ", which exchange " + target.transport()->path();
    if (target.rankDevice()) step.record.reason += ", which exchange through page-locked host memory";
}

/// Throws: a mode does not work on parts.
[[noreturn]] void refuseMode(const RunTarget& target, Capability mode, const std::string& why) {
    throw Error(ErrorCode::unavailable, "'" + target.target().label() + "' cannot do this",
                "the mode '" + target.modeOf(mode) + "' does not work on parts" + (why.empty() ? "" : ": " + why),
                "Leave the mode out, or @ and the number of parts");
}

/// Divides the image among the parts and adds the memory that they need besides that of a run on one: device memory is that of the device
/// with the largest part.
void planParts(RunPlan& plan, const RunTarget& target) {
    if (target.asksFor(Capability::recorded)) refuseMode(target, Capability::recorded, {});
    if (target.ranks() && target.asksFor(Capability::pageLocked))
        refuseMode(target, Capability::pageLocked, "Ranks have their rows in pageable memory");
    const Shape& shape = plan.steps[0].problem.shape;
    std::int64_t unit = 1;
    std::uint64_t haloRows = 0;
    for (const PlannedStep& step : plan.steps) {
        unit = std::lcm(unit, step.distribution.unit);
        haloRows += static_cast<std::uint64_t>(step.distribution.halo.above + step.distribution.halo.below);
        plan.hostBytes += static_cast<std::uint64_t>(target.partsHere() - 1) * step.implementation->estimate(step.problem).host;
    }
    const auto divided = [&](const Shape& s) { return Partition(s.depth > 1 ? s.depth : s.height, target.parts(), unit); };
    plan.division = Division::parts;
    plan.partition = divided(shape);
    for (PlannedStep& step : plan.steps) {
        step.partition = divided(step.outputShape);
        // Its samples move between the parts: there are two copies of them.
        if (step.outputShape != step.problem.shape)
            plan.hostBytes +=
                std::max(checkedBytes(step.outputShape, SampleType::float32), checkedBytes(step.problem.shape, SampleType::float32));
    }
    // Both ends of a part: the halo and as many rows of its own.
    constexpr std::uint64_t kRowsOfHalo = 3;
    const std::uint64_t haloBytes =
        shape.depth > 1 ? 0 : kRowsOfHalo * haloRows * static_cast<std::uint64_t>(shape.width * shape.channels) * sizeof(float);
    if (target.onHost()) {
        plan.hostBytes += static_cast<std::uint64_t>(target.partsHere()) * haloBytes;
        return;
    }
    const auto ofPart = [&](Layout layout) {
        (layout.shape.depth > 1 ? layout.shape.depth : layout.shape.height) = divided(layout.shape)[0].count();
        return checkedBytes(layout.shape, SampleType::float32);
    };
    plan.deviceBytes += haloBytes + ofPart(plan.buffers.input);
    for (const Layout& layout : plan.buffers.layouts) plan.deviceBytes += ofPart(layout);
}

/// Why parts cannot be streamed through their devices in strips; empty if they can.
std::string whyNoStripsOfParts(const RunPlan& plan, const RunTarget& target) {
    if (target.ranks()) return "Ranks have the rows of their parts only, which are not streamed";
    if (plan.steps.size() > 1) return "Only pipelines of one step are streamed";
    if (std::string why = whyNoStrips(plan, target); !why.empty()) return why;
    const PlannedStep& step = plan.steps[0];
    if (!step.distribution.phases && step.implementation->strips(step.problem)) return {};
    return step.record.variant + ": Parts need more of each other than a halo, so they cannot be streamed";
}

/// Lets each device stream its part in strips, if the mode asks for it or if the largest part does not fit. `workspace`: bytes of the
/// execution of a part.
void streamParts(RunPlan& plan, const RunTarget& target, std::uint64_t workspace) {
    const std::optional<std::uint64_t> free = target.freeDeviceMemory();
    const bool fits = !free || plan.deviceBytes <= *free, asked = target.asksFor(Capability::overlapped);
    if (fits && !asked) return;
    if (const std::string why = whyNoStripsOfParts(plan, target); !why.empty()) {
        if (asked) refuseMode(target, Capability::overlapped, why);
        throw Error(ErrorCode::memory, "Not enough memory on " + target.deviceName(),
                    "the largest part needs " + mebibytes(plan.deviceBytes) + ", " + mebibytes(*free) +
                        " are free; in strips it cannot be done: " + why,
                    std::string("Use more devices, ") + (whyNoStrips(plan, target).empty() ? "a single one, " : "") +
                        "a smaller image or a CPU backend");
    }
    if (!fits)
        plan.stripReason = ", since the largest part needs " + mebibytes(plan.deviceBytes) + " of the device's memory and " +
                           mebibytes(*free) + " are free";
    const PlannedStep& step = plan.steps[0];
    const StripLimits limits = target.stripLimits();
    const std::uint64_t memory = free ? *free - std::min(*free, workspace) : plan.deviceBytes;
    std::uint64_t slots = 0;
    for (int part = 0; part < target.parts(); ++part) {
        StripPlan& strips = plan.partStrips.emplace_back();
        if (plan.partition[part].empty()) continue;
        strips = planStripsOfPart(step.problem.shape, step.implementation->strips(step.problem), limits, memory, plan.partition[part]);
        slots =
            std::max(slots, strips.slotBytes * std::min<std::uint64_t>(static_cast<std::uint64_t>(limits.inFlight), strips.strips.size()));
    }
    plan.deviceBytes = workspace + slots;
    // Pageable memory is transferred through page-locked buffers.
    if (!target.asksFor(Capability::pageLocked)) plan.hostBytes += slots * static_cast<std::uint64_t>(target.parts());
    plan.steps[0].record.reason += ", each in " + plan.partStrips[0].text() + plan.stripReason;
}

/// Plans the strips of each step, and what is between two steps in host memory. `buffers`: bytes of the device that strips may take if its
/// free memory is unknown.
void planStripsOfSteps(RunPlan& plan, const RunTarget& target, const std::optional<std::uint64_t>& free, std::uint64_t buffers) {
    plan.division = Division::strips;
    plan.strips.resize(plan.steps.size());
    // Workspaces exist at the same time. That of slabs is another one than that of the whole image, and part of their plan.
    plan.deviceBytes = 0;
    std::uint64_t between = 0, before = 0;
    for (std::size_t i = 0; i < plan.steps.size(); ++i) {
        const PlannedStep& step = plan.steps[i];
        if (!plan.isInSlabs(i)) plan.deviceBytes += step.implementation->estimate(step.problem).device;
        if (i + 1 == plan.steps.size()) break;
        const std::uint64_t result = checkedBytes(step.outputShape, SampleType::float32);
        between = std::max(between, std::exchange(before, result) + result);
    }
    plan.hostBytes += between;
    plan.stripMemory = (free ? *free - std::min(*free, plan.deviceBytes) : buffers) / plan.steps.size();
    for (std::size_t i = 0; i < plan.steps.size(); ++i) {
        const PlannedStep& step = plan.steps[i];
        if (plan.isInSlabs(i)) continue;
        plan.setStrips(i, planStrips(step.problem.shape, step.implementation->strips(step.problem), target.stripLimits(), plan.stripMemory),
                       target);
    }
}

/// Decides whether the run is divided, plans its strips and sums up memory.
void planMemory(RunPlan& plan, const Catalog& catalog, const RunTarget& target) {
    const std::uint64_t inputBytes = checkedBytes(plan.steps.front().problem.shape, SampleType::float32);
    for (const PlannedStep& step : plan.steps) {
        const MemoryEstimate estimate = step.implementation->estimate(step.problem);
        plan.hostBytes += estimate.host;
        const auto* const parts = target.parts() > 1 ? dynamic_cast<const PreparesParts*>(step.implementation) : nullptr;
        plan.deviceBytes += parts ? parts->deviceBytes(step.problem, target.parts()).value_or(estimate.device) : estimate.device;
    }
    const std::uint64_t resultBytes = checkedBytes(plan.steps.back().outputShape, SampleType::float32);
    plan.hostBytes += resultBytes + (target.asksFor(Capability::pageLocked) ? inputBytes : 0);
    if (target.onHost()) {
        plan.hostBytes += plan.buffers.bytes();
        if (target.parts() > 1) planParts(plan, target);
        return;
    }
    if (target.parts() > 1) {
        const std::uint64_t workspace = plan.deviceBytes;
        planParts(plan, target);
        return streamParts(plan, target, workspace);
    }
    const std::uint64_t whole = wholeBytes(plan), bufferBytes = whole - plan.deviceBytes;
    const std::optional<std::uint64_t> free = target.freeDeviceMemory();
    const bool fits = !free || whole <= *free;
    const std::string overlapped = target.modeOf(Capability::overlapped), recorded = target.modeOf(Capability::recorded);
    if (fits && overlapped.empty()) {
        plan.deviceBytes = whole;
        return;
    }
    const std::string whyNot = whyNoStrips(plan, target);
    if (!whyNot.empty() && !overlapped.empty())
        throw Error(ErrorCode::unavailable, "'" + target.target().label() + "' cannot do this", whyNot,
                    "Choose another variant, or leave the mode '" + overlapped + "' out");
    if (!whyNot.empty())
        throw Error(ErrorCode::memory, "Not enough memory on " + target.deviceName(),
                    "the run needs " + mebibytes(whole) + ", " + mebibytes(*free) + " are free; in strips it cannot be done: " + whyNot,
                    (!recorded.empty()                               ? "Leave the mode '" + recorded + "' out, or use"
                     : dividesByOtherVariants(plan, catalog, target) ? "Leave '." + target.target().variant + "' out, or use"
                                                                     : std::string("Use")) +
                        " a smaller image, another device or a CPU backend");
    if (!fits)
        plan.stripReason = ", since the whole needs " + mebibytes(whole) + " of the device's memory and " + mebibytes(*free) + " are free";
    planStripsOfSteps(plan, target, free, bufferBytes);
}

}  // namespace

PlannedStep planStep(const Catalog& catalog, const Step& step, Problem problem, const Target& target) {
    PlannedStep planned;
    planned.operation = step.operation;
    planned.problem = std::move(problem);
    planned.problem.parameters = step.parameters;
    step.operation->check(planned.problem);
    Selection selection = catalog.select(*step.operation, planned.problem, target);
    planned.implementation = selection.implementation;
    planned.outputShape = step.operation->outputShape(planned.problem);
    planned.record = recordOf(planned, step, target, std::move(selection.reason));
    return planned;
}

std::uint64_t WorkBuffers::bytes() const {
    std::uint64_t bytes = 0;
    for (const Layout& layout : layouts) bytes += checkedBytes(layout, SampleType::float32);
    return bytes;
}

std::int64_t RunPlan::rows() const {
    std::int64_t sum = 0;
    for (const PlannedStep& step : steps) sum += step.outputShape.height * step.outputShape.depth * step.outputShape.channels;
    return sum;
}

void RunPlan::setStrips(std::size_t step, StripPlan plan, const RunTarget& target) {
    const auto count = std::min<std::uint64_t>(static_cast<std::uint64_t>(target.stripLimits().inFlight), plan.strips.size());
    const std::uint64_t slots = plan.slotBytes * count;
    deviceBytes += slots + plan.ownBytes;
    hostBytes += plan.keptBytes();
    // Pageable memory is transferred through page-locked buffers.
    if (!target.asksFor(Capability::pageLocked)) hostBytes += slots;
    steps[step].record.reason += "; in " + plan.text() + stripReason;
    strips[step] = std::move(plan);
}

bool RunPlan::isInSlabs(std::size_t step) const {
    return division == Division::strips && !steps[step].implementation->strips(steps[step].problem);
}

bool RunPlan::hasSlabs() const {
    for (std::size_t i = 0; i < steps.size(); ++i)
        if (isInSlabs(i)) return true;
    return false;
}

int usefulThreads(const Work& work) {
    constexpr double kPerThread = 1 << 16;  // operations and bytes
    return static_cast<int>(std::clamp((work.flops + work.bytes) / kPerThread, 1.0, 1e6));
}

RunContext contextOfStep(const PlannedStep& step, const RunTarget& target, const RunContext& context) {
    RunContext own = context;
    const Work& work = step.record.work;
    const double parts = target.parts();
    if (target.onHost()) own.threads = std::min(effectiveThreads(context), usefulThreads({work.flops / parts, work.bytes / parts}));
    return own;
}

RunPlan planRun(const Catalog& catalog, const Pipeline& pipeline, Problem problem, const RunTarget& target, const RunContext& context) {
    RunPlan plan;
    const std::string recorded = target.modeOf(Capability::recorded);
    const auto enabled =
        static_cast<std::size_t>(std::count_if(pipeline.steps.begin(), pipeline.steps.end(), [](const Step& s) { return s.enabled; }));
    if (enabled > kMaxSteps)
        throw Error(ErrorCode::usage, "The pipeline has " + std::to_string(enabled) + " steps",
                    "at most " + std::to_string(kMaxSteps) + " are allowed", "Run it in parts");
    for (const Step& step : pipeline.steps) {
        if (!step.enabled) continue;
        context.throwIfStopped();
        PlannedStep planned = planStep(catalog, step, std::move(problem), target.target());
        if (!recorded.empty())
            if (const Support support = planned.implementation->recording(planned.problem); !support)
                throw Error(ErrorCode::unavailable, "'" + target.target().label() + "' cannot do this",
                            planned.record.variant + ": " + support.reason,
                            "Choose another variant, or leave the mode '" + recorded + "' out");
        if (target.parts() > 1) distribute(planned, catalog, target);
        plan.tolerance.add(*step.operation, planned.problem, planned.record.tolerance);
        plan.work.flops += planned.record.work.flops;
        plan.work.bytes += planned.record.work.bytes;
        problem = boundedProblemAfter(planned);
        plan.steps.push_back(std::move(planned));
    }
    plan.facts = std::move(problem.facts);
    plan.buffers = assignBuffers(plan.steps, target);
    if (preferStrips(plan, catalog, target)) plan.buffers = assignBuffers(plan.steps, target);
    planMemory(plan, catalog, target);
    return plan;
}

void checkMemory(RunPlan& plan, const RunTarget& target) {
    const std::uint64_t hostFree = freeHostMemory();
    plan.scratchBytes = plan.hostBytes > hostFree ? plan.hostBytes - hostFree : 0;
    if (const std::string why = whyNotInScratchFiles(plan.scratchBytes); !why.empty())
        throw Error(ErrorCode::memory, "Not enough memory",
                    "the run needs " + mebibytes(plan.hostBytes) + ", " + mebibytes(hostFree) + " are available; " + why, kCloseImages);
    if (const auto free = target.freeDeviceMemory(); free && plan.deviceBytes > *free)
        throw Error(ErrorCode::memory, "Not enough memory on " + target.deviceName(),
                    "the run needs " + mebibytes(plan.deviceBytes) + ", " + mebibytes(*free) + " are free",
                    "Use a smaller image, another device or a CPU backend");
}

}  // namespace parallax
