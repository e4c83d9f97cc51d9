// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/run/band_run.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/engine/run/translated_errors.hpp"
#include "core/image/texts.hpp"

namespace parallax {
namespace {

constexpr std::uint64_t kHostBuffers = 2;  // of input, and of output

template <class F>
void timed(StageTimes& times, Stage stage, F&& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    times[stage] += std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

BandRun::BandRun(const Catalog& catalog, const Step& step, const Image& description, const Shape& shape, const Target& target,
                 RunContext& context)
    : target_(catalog, target, context) {
    if (!target.modes.empty())
        throw Error(ErrorCode::unavailable, "'" + target.label() + "' cannot do this", "modes are for images that are in memory as a whole",
                    "Leave the mode out");
    if (target.parts > 1)
        throw Error(ErrorCode::unavailable, "'" + target.label() + "' cannot do this", "parts are of images that are in memory as a whole",
                    "Leave @" + std::to_string(target.parts) + " out");
    // Statistics of a typical image stand for the unknown samples, see checkSamples().
    Problem problem = makeProblem(description, step.parameters, {.max = 1});
    problem.shape = shape;
    step_ = planStep(catalog, step, std::move(problem), target);
    support_ = step_.implementation->strips(step_.problem);
    if (!support_)
        throw Error(ErrorCode::unavailable, "'" + record().implementation + "' does not work in strips", support_.reason,
                    "Choose another backend or another variant (parallax-cli operations " + step.operation->id() +
                        " lists them), or leave --strips out");
    execution_ = step_.implementation->prepare(step_.problem, context);
}

BandRun::~BandRun() { target_.session().drain(); }

std::uint64_t BandRun::hostBytes() const { return step_.implementation->estimate(step_.problem).host; }

void BandRun::planBands(std::uint64_t memory, std::uint64_t besides, std::uint64_t largestBand, const char* advice) {
    const Shape& shape = step_.problem.shape;
    const auto channels = static_cast<std::uint64_t>(shape.channels);
    const std::uint64_t rowBytes = static_cast<std::uint64_t>(shape.width) * channels * sizeof(float);
    const auto forBands = [&](std::uint64_t has, std::uint64_t used, std::uint64_t buffers, const std::string& where,
                              const char* whatToDo) {
        const std::uint64_t least = used + buffers * static_cast<std::uint64_t>(support_.above + support_.below + 2) * rowBytes;
        if (has < least)
            throw Error(ErrorCode::memory, "Not enough memory" + where + " for strips",
                        "the smallest ones need " + mebibytes(least) + " in all, " + std::to_string(has >> 20) + " MiB may be used",
                        whatToDo);
        return (has - used) / buffers;
    };
    std::uint64_t most = forBands(memory, besides + hostBytes(), kHostBuffers, "", advice);
    if (const auto free = target_.freeDeviceMemory(); free && *free > 0)
        most = std::min(most, forBands(*free, step_.implementation->estimate(step_.problem).device, 1, " on " + deviceName(),
                                       "Use another device or a CPU backend"));
    // All channels of a band are read together: the plan is that of one of them, with its share of the memory.
    plan_ = planStrips({shape.width, shape.height, 1, 1}, support_,
                       {.inFlight = 1, .largestStrip = std::max<std::uint64_t>(1, largestBand / channels), .smallestStrip = 1},
                       most / channels);
    plan_.shape = shape;
}

void BandRun::keepBands(std::size_t first, std::size_t count) {
    std::vector<Strip> kept;
    for (std::size_t i = first; i < plan_.strips.size(); i += count) kept.push_back(plan_.strips[i]);
    plan_.strips = std::move(kept);
}

std::uint64_t BandRun::bandBytes() const {
    return std::min<std::uint64_t>(kHostBuffers, plan_.strips.size()) * plan_.slotBytes * static_cast<std::uint64_t>(plan_.shape.channels);
}

/// The band and its halo. Rows that it shares with the band before are copied, those outside of the image follow from the border mode.
void BandRun::readInput(std::size_t index, const ReadRows& readRows) {
    const Strip& band = plan_.strips[index];
    const View<float> to = hostIn_[index % 2].view<float>();
    if (band.whole) return readRows(0, to);
    const std::int64_t shared = sharedRows(plan_, index);
    if (shared > 0) {
        const View<const float> before = std::as_const(hostIn_[(index + 1) % 2]).view<float>();
        const std::int64_t from = before.shape.height - shared;
        for (std::int64_t c = 0; c < to.shape.channels; ++c) std::copy_n(before.row(from, 0, c), shared * to.shape.width, to.row(0, 0, c));
    }
    std::int64_t y = 0;
    for (const RowRun& run : inputRuns(plan_, band)) {
        const std::int64_t known = std::clamp<std::int64_t>(shared - y, 0, run.count);
        View<float> rows = to;
        rows.data = to.row(y + known);
        rows.shape.height = run.count - known;
        y += run.count;
        if (rows.shape.height == 0) continue;
        if (run.first >= 0) {
            readRows(run.first + known, rows);
            continue;
        }
        for (std::int64_t c = 0; c < rows.shape.channels; ++c)
            for (std::int64_t r = 0; r < rows.shape.height; ++r) std::fill_n(rows.row(r, 0, c), rows.shape.width, plan_.fill);
    }
}

/// Throws if the implementation would not have been selected for an image with these samples.
void BandRun::checkSamples(const View<const float>& samples) const {
    Problem found = step_.problem;
    found.statistics.max = 0;
    for (std::int64_t c = 0; c < samples.shape.channels; ++c) {
        const SampleStatistics s = computeStatistics(samples.channel(c));
        found.statistics.min = std::min(found.statistics.min, s.min);
        found.statistics.max = std::max(found.statistics.max, s.max);
        found.statistics.nan += s.nan;
        found.statistics.positiveInfinity += s.positiveInfinity;
        found.statistics.negativeInfinity += s.negativeInfinity;
    }
    if (const Support can = step_.implementation->supports(found); !can)
        throw Error(ErrorCode::unavailable, "'" + record().implementation + "' cannot do this", can.reason,
                    "Choose another variant or backend: parallax-cli operations lists them");
}

void BandRun::computeChannels(const Strip& band, const View<const float>& in, const View<float>& out, RunContext& context) {
    for (std::int64_t c = 0; c < plan_.shape.channels; ++c) {
        context.throwIfStopped();
        Strip plane = band;
        plane.plane = c;
        execution_->runStrip(plan_, plane, denseView(in.row(0, 0, c), plan_.inputShape(plane)),
                             denseView(out.row(0, 0, c), plan_.outputShape(plane)), context);
    }
}

void BandRun::read(std::size_t index, const ReadRows& rows, StageTimes& times) {
    Buffer& in = hostIn_[index % 2];
    timed(times, Stage::allocate, [&] { ensureBuffer(in, inputShape(plan_.strips[index]), nullptr); });
    timed(times, Stage::load, [&] {
        readInput(index, rows);
        checkSamples(std::as_const(in).view<float>());
    });
}

View<const float> BandRun::compute(std::size_t index, const RunContext& given, StageTimes& times) {
    RunContext context = target_.contextFor(given);
    context.progress = nullptr;
    BackendSession& session = target_.session();
    const Strip& band = plan_.strips[index];
    timed(times, Stage::allocate, [&] {
        ensureBuffer(hostOut_[index % 2], outputShape(band), nullptr);
        if (target_.onHost()) return;
        ensureBuffer(deviceIn_, inputShape(band), &session);
        ensureBuffer(deviceOut_, outputShape(band), &session);
    });
    const auto stage = [&](Stage s, auto&& work) {
        context.throwIfStopped();
        session.clock().begin(s);
        work();
        session.clock().end();
    };
    const View<const float> in = std::as_const(hostIn_[index % 2]).view<float>();
    const View<float> out = hostOut_[index % 2].view<float>();
    if (target_.onHost()) {
        stage(Stage::compute, [&] { computeChannels(band, in, out, context); });
    } else {
        stage(Stage::upload, [&] { session.upload(in, deviceIn_.view<float>()); });
        stage(Stage::compute, [&] { computeChannels(band, std::as_const(deviceIn_).view<float>(), deviceOut_.view<float>(), context); });
        stage(Stage::download, [&] { session.download(deviceOut_.view<float>(), out); });
    }
    times += session.clock().finish();
    return out;
}

void BandRun::drain() {
    target_.session().drain();
    (void)target_.session().clock().finish();
}

}  // namespace parallax
