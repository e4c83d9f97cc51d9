// SPDX-License-Identifier: GPL-3.0-or-later
#include "parallax/gpu/runtime/strip_runner.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "parallax/gpu/runtime/cuda_check.hpp"
#include "parallax/gpu/runtime/pinned_allocator.hpp"

namespace parallax::gpu {
namespace {

constexpr const char* kUploadFailed = "A strip could not be uploaded";
constexpr const char* kDownloadFailed = "A strip could not be downloaded";

std::size_t samples(const Shape& shape) { return static_cast<std::size_t>(shape.samples()); }

Buffer pinnedBuffer(std::size_t count) {
    return Buffer(Shape{static_cast<std::int64_t>(count), 1, 1, 1}, SampleType::float32, pinnedAllocator());
}

void ensurePinned(Buffer& buffer, std::size_t count) {
    if (count == 0 || buffer.bytes() >= count * sizeof(float)) return;
    buffer = Buffer();
    buffer = pinnedBuffer(count);
}

}  // namespace

/// One run.
struct StripRunner::Job {
    Execution& execution;
    StripSupport support;
    const StripPlan& plan;
    View<const float> input;
    View<float> output;
    bool inputPinned, outputPinned;
    RunContext& context;
    EventClock& clock;

    const float* inputRow(std::int64_t plane, std::int64_t row) const {
        return input.data + (plane * plan.shape.height + row) * plan.shape.width;
    }
    float* outputRow(std::int64_t plane, std::int64_t row) const {
        return output.data + (plane * plan.shape.height + row) * plan.shape.width;
    }
};

StripRunner::StripRunner(std::shared_ptr<Stream> compute, std::shared_ptr<Allocator> memory)
    : device_(compute->device()), compute_(std::move(compute)), memory_(std::move(memory)), upload_(device_), download_(device_) {}

void StripRunner::ensureSlots(const Job& job) {
    std::size_t in = 0, out = 0;
    for (const Strip& s : job.plan.strips) {
        in = std::max(in, samples(job.plan.inputShape(s)));
        out = std::max(out, samples(job.plan.outputShape(s)));
    }
    const std::size_t halo = static_cast<std::size_t>(job.plan.above + job.plan.below) * static_cast<std::size_t>(job.plan.shape.width);
    const std::size_t count = std::min(static_cast<std::size_t>(kStripLimits.slots), job.plan.strips.size());
    if (slots_.size() < count) slots_.resize(count);
    for (Slot& slot : slots_) {
        slot.strip = -1;
        if (slot.input.size() < in) {
            slot.input = DeviceBuffer<float>();  // give back first
            slot.input = DeviceBuffer<float>(memory_, in);
        }
        if (slot.output.size() < out) {
            slot.output = DeviceBuffer<float>();
            slot.output = DeviceBuffer<float>(memory_, out);
        }
        ensurePinned(slot.stagedInput, job.inputPinned ? halo : in);
        ensurePinned(slot.stagedOutput, job.outputPinned ? 0 : out);
    }
}

void StripRunner::run(Execution& execution, const StripPlan& plan, const View<const float>& input, const View<float>& output,
                      RunContext& context, EventClock& clock) {
    Job job{execution, execution.strips(), plan, input, output, isPinned(input.data), isPinned(output.data), context, clock};
    clock.begin(Stage::allocate);
    ensureSlots(job);
    clock.end();
    clock.beginOverlapped();
    // Memory of the slots is there when the stream of its allocation says so.
    const std::size_t ready = clock.mark(*compute_);
    for (const Stream* stream : {&upload_, &download_}) clock.follow(*stream, ready);
    const int strips = static_cast<int>(plan.strips.size()), slots = static_cast<int>(slots_.size());
    for (int i = 0; i < strips + slots; ++i) {
        Slot& slot = slots_[static_cast<std::size_t>(i % slots)];
        if (slot.strip >= 0) finish(job, slot);
        context.throwIfStopped();
        if (i < strips) start(job, i, slot);
    }
    clock.endOverlapped();
}

void StripRunner::start(const Job& job, int index, Slot& slot) {
    const StripPlan& plan = job.plan;
    const Strip& strip = plan.strips[static_cast<std::size_t>(index)];
    const auto width = static_cast<std::size_t>(plan.shape.width);
    // Whole planes lie one behind the other; of a band, rows outside of the image come first and last.
    std::vector<RowRun> runs{{0, plan.shape.height * strip.planes, false}};
    if (!strip.whole) runs = inputRuns(plan, strip, job.support);

    const std::size_t uploadBegins = job.clock.mark(upload_);
    std::size_t at = 0, staged = 0;
    for (const RowRun& run : runs) {
        const std::size_t count = static_cast<std::size_t>(run.count) * width, bytes = count * sizeof(float);
        const float* source = run.first < 0 ? nullptr : job.inputRow(strip.plane, run.first);
        if (!source || !job.inputPinned) {
            float* block = slot.stagedInput.view<float>().data + staged;
            if (!source) std::fill_n(block, count, job.support.fill);
            else StagingEngine::of(device_).copy(block, source, bytes);
            source = block;
            staged += count;
        }
        check(cudaMemcpyAsync(slot.input.data() + at, source, bytes, cudaMemcpyHostToDevice, upload_.get()), kUploadFailed);
        at += count;
    }
    const std::size_t uploadEnds = job.clock.mark(upload_);
    job.clock.addPiece(Stage::upload, index, uploadBegins, uploadEnds);

    job.clock.follow(*compute_, uploadEnds);
    const std::size_t computeBegins = job.clock.mark(*compute_);
    job.execution.runStrip(plan, strip, denseView<const float>(slot.input.data(), plan.inputShape(strip)),
                           denseView(slot.output.data(), plan.outputShape(strip)), job.context);
    const std::size_t computeEnds = job.clock.mark(*compute_);
    job.clock.addPiece(Stage::compute, index, computeBegins, computeEnds);

    job.clock.follow(download_, computeEnds);
    const std::size_t downloadBegins = job.clock.mark(download_);
    float* target = job.outputPinned ? job.outputRow(strip.plane, strip.row) : slot.stagedOutput.view<float>().data;
    check(cudaMemcpyAsync(target, slot.output.data(), samples(plan.outputShape(strip)) * sizeof(float), cudaMemcpyDeviceToHost,
                          download_.get()),
          kDownloadFailed);
    slot.downloaded = job.clock.mark(download_);
    job.clock.addPiece(Stage::download, index, downloadBegins, slot.downloaded);
    slot.strip = index;
}

void StripRunner::finish(const Job& job, Slot& slot) {
    const Strip& strip = job.plan.strips[static_cast<std::size_t>(slot.strip)];
    job.clock.wait(slot.downloaded);
    if (!job.outputPinned) {
        const auto begin = std::chrono::steady_clock::now();
        StagingEngine::of(device_).copy(job.outputRow(strip.plane, strip.row), slot.stagedOutput.data(),
                                        samples(job.plan.outputShape(strip)) * sizeof(float));
        job.clock.addHostPiece(Stage::download, slot.strip, begin, std::chrono::steady_clock::now());
    }
    slot.strip = -1;
    if (job.context.progress) job.context.progress->add(strip.rows * strip.planes);
}

void StripRunner::drain() noexcept {
    const CurrentDevice current(device_, std::nothrow);
    for (const Stream* stream : {&std::as_const(upload_), &std::as_const(*compute_), &std::as_const(download_)})
        checkNoThrow(cudaStreamSynchronize(stream->get()));
    for (Slot& slot : slots_) slot.strip = -1;
}

}  // namespace parallax::gpu
