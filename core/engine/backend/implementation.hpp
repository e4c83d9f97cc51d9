// SPDX-License-Identifier: GPL-3.0-or-later
// Implementations: one for each operation, backend and variant, such as convolve / cuda / tiled.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/engine/operation/operation.hpp"
#include "core/engine/run/run_context.hpp"
#include "core/engine/run/strips.hpp"

namespace parallax {

struct Support {
    bool yes = true;
    std::string reason;  ///< if not: a sentence
    static Support no(std::string reason) { return {false, std::move(reason)}; }
    explicit operator bool() const { return yes; }
};

/// Whether an implementation computes parts of an image at the same time, for a target with several parts. Those that work in strips do,
/// with the same halo: the engine exchanges it.
struct Distribution {
    StripSupport halo;      ///< or the reason why not
    bool phases = false;    ///< needs more of the other parts than a halo: its executions are PartExecutions (core/engine/parts)
    std::int64_t unit = 1;  ///< parts begin at multiples of so many rows or slices
    bool sameBits = true;   ///< as on one part; else within the tolerance of the operation: sums depend on parts, and on slabs
    explicit operator bool() const { return halo.yes; }
};

/// Bytes needed besides the input and the output image.
struct MemoryEstimate {
    std::uint64_t host = 0, device = 0;
};

/// Rank of an implementation among those of its backend for a problem, used if a target names no variant.
struct Preference {
    int rank = 0;        ///< the highest wins; of equals the first in the backend's list
    std::string reason;  ///< to show if rank > 0, as in "rank 1: 14 instead of 49 multiply-adds a sample"
};

/// See HasStatistics.
struct Statistic {
    std::string key;
    double value = 0;
    std::string title, unit;  ///< replace those of HasStatistics, for example if they name a level or a channel
};

/// Points of a curve, ascending in `input`, all finite; empty if there is no curve. Axes: see HasTransferCurve.
struct TransferCurve {
    std::vector<double> input, output;
    bool empty() const { return input.empty(); }
};

/// See HasSeries.
struct RunSeries {
    std::string key;
    std::vector<double> x, y;  ///< of one length, in the order in which they came
    std::string label;         ///< tells series of one key apart: "R", "step 2"; empty for a single one
    std::string end;           ///< a few words on what ended it: "converged"; empty if that is no question
    double tolerance = 0;      ///< y that the run aims at; 0: none
};

/// See HasLaps.
struct RunLap {
    std::string key;
    std::string label;             ///< tells laps of one key apart: "level 2"; empty for a single one
    std::int64_t nanoseconds = 0;  ///< all times that it ran, together
    std::int64_t count = 0;        ///< how often it ran
};

/// A prepared computation. Can be run many times, one run at a time.
class Execution {
public:
    virtual ~Execution() = default;
    /// Computes. Views are in the backend's memory space and do not overlap, dense or as Implementation::acceptsPadding() says; every
    /// output sample is written. Asynchronous backends may return before the work is done: the session's clock waits.
    virtual void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) = 0;
    /// Statistics of the last completed run, with keys of HasStatistics. Called outside the timed region, so it may copy from the device.
    virtual std::vector<Statistic> statistics(RunContext& /*context*/) { return {}; }
    /// The curve that the last completed run applied. Called outside the timed region.
    virtual TransferCurve transferCurve(RunContext& /*context*/) { return {}; }
    /// Series of the last completed run, with keys of HasSeries. Called outside the timed region.
    virtual std::vector<RunSeries> series(RunContext& /*context*/) { return {}; }
    /// Parts of the compute stage of the last completed run, with keys of HasLaps, in the order in which they run. They do not overlap.
    /// Called outside the timed region, and only if somebody wants to see them: may repeat some of the work to measure it.
    virtual std::vector<RunLap> laps(RunContext& /*context*/) { return {}; }
    /// Sentences on the result of the last completed run that users must know, such as a tolerance that was not reached. Called outside
    /// the timed region.
    virtual std::vector<std::string> warnings(RunContext& /*context*/) { return {}; }
    /// Deviation from the reference that the data of the last run allow besides the operation's tolerance, such as that of samples near a
    /// threshold. Called when its work is done; 0 before.
    virtual double dataTolerance() const { return 0; }

    /// Computes one strip of a plan, with the same bits as run(); sums over the image may depend on slabs, within the tolerance. `input`
    /// and `output` are dense, have plan.inputShape(strip) and plan.outputShape(strip) and lie in the backend's memory space. In host
    /// memory it adds to context.progress as run() does. Only for implementations with strips() or slabs().
    virtual void runStrip(const StripPlan& /*plan*/, const Strip& /*strip*/, const View<const float>& /*input*/,
                          const View<float>& /*output*/, RunContext& /*context*/) {
        throw Error(ErrorCode::failed, "This implementation does not work in strips");
    }
    /// Plans slabs and prepares for them, so that all buffers of strips and the workspace take at most `memory` bytes of the device.
    /// run() need not work afterwards. Throws Error(memory) with the bytes that would be needed. Only for implementations with slabs().
    virtual StripPlan prepareSlabs(const StripLimits& /*limits*/, std::uint64_t /*memory*/, RunContext& /*context*/) {
        throw Error(ErrorCode::failed, "This implementation does not work in slabs");
    }
};

/// Whether the image that run() reads, and the one that it writes, may have padded rows.
struct RowPadding {
    bool input = false, output = false;
};

class Implementation {
public:
    virtual ~Implementation() = default;
    virtual std::string operation() const = 0;  ///< id of the operation
    virtual std::string variant() const = 0;    ///< "tiled"; unique within (operation, backend)
    virtual std::string summary() const = 0;    ///< one sentence on the strategy
    virtual Support supports(const Problem& problem) const = 0;
    /// Called only for supported problems. The rule behind it is in one place for each backend.
    virtual Preference preference(const Problem&, int /*device*/) const { return {}; }
    virtual MemoryEstimate estimate(const Problem& problem) const = 0;

    virtual RowPadding acceptsPadding(const Problem&) const { return {}; }

    /// Whether strips of the image can be computed one after another, and the halo that they need.
    virtual StripSupport strips(const Problem&) const { return StripSupport::no("It needs the whole image at once"); }
    /// Whether the execution can divide its work itself, where strips() says no because results do not lie in the rows of the image.
    /// The reason is a sentence, or empty if that of strips() says it all.
    virtual Support slabs(const Problem&) const { return Support::no({}); }
    /// Whether parts of the image can be computed at the same time.
    virtual Distribution distribution(const Problem& problem) const { return {.halo = strips(problem)}; }
    /// Whether run() can be recorded and repeated with the same views: it must not wait for the device, and launch the same each time.
    virtual Support recording(const Problem&) const { return Support::no("It is not made to be recorded"); }

    /// Whether the error of a sample depends only on the samples that it is computed from. Fourier transforms spread errors over a plane.
    virtual bool errsLocally(const Problem&) const { return true; }

    /// Makes plans, weights and workspace: the `prepare` stage.
    virtual std::unique_ptr<Execution> prepare(const Problem& problem, RunContext& context) const = 0;
};

}  // namespace parallax
