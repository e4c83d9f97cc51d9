// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/runtime/strips/strip_job.hpp"

#include <utility>

#include "core/engine/run/run_context.hpp"
#include "gpu/runtime/cuda_check.hpp"

namespace parallax::gpu {

StripJob::StripJob(Execution& execution, const StripPlan& plan, const StripInput& input, const StripOutput& output,
                   std::span<StripSlot> slots, const StripStreams& streams, RunContext& context, EventClock& clock)
    : execution_(execution),
      plan_(plan),
      input_(input),
      output_(output),
      slots_(slots),
      streams_(streams),
      context_(context),
      clock_(clock),
      progress_(plan.strips.size()) {
    makeTasks();
}

void StripJob::makeTasks() {
    const auto add = [&](int index, bool fills, std::atomic<int>& left, int pieces) {
        left = pieces;
        for (int p = 0; p < pieces; ++p) tasks_.push_back({index, fills, {p, pieces}});
    };
    const int count = static_cast<int>(progress_.size());
    int emptied = 0;
    const auto emptyUntil = [&](int end) {
        for (; emptied < end; ++emptied) add(emptied, false, at(emptied).toEmpty, output_.pieces(down(emptied)));
    };
    for (int i = 0; i < count; ++i) {
        emptyUntil(cutByExecution() && plan_.part(strip(i)).waits ? i : i + 1 - slots());
        add(i, true, at(i).toFill, input_.pieces(up(i)));
    }
    emptyUntil(count);
}

void StripJob::begin() {
    ready_ = uploadEnds_ = computeEnds_ = downloadEnds_ = clock_.mark(streams_.compute);
    const std::size_t ready = clock_.signal(streams_.compute);
    clock_.follow(streams_.upload, ready);
    clock_.follow(streams_.download, ready);
}

void StripJob::end() {
    // Host times: a timing event would delay the next download.
    for (std::size_t i = 0; i < progress_.size(); ++i) {
        const Progress& strip = progress_[i];
        if (!strip.comesDown) continue;
        const EventClock::Moment ends{.host = strip.emptyBegins};
        clock_.addPiece(Stage::download, static_cast<int>(i), {strip.computeEnds, std::exchange(downloadEnds_, ends)}, ends);
    }
}

void StripJob::work() {
    const CurrentDevice current(streams_.compute.device());
    try {
        while (!aborted_) {
            const std::size_t i = next_.fetch_add(1, std::memory_order_relaxed);
            if (i >= tasks_.size()) return;
            context_.throwIfStopped();
            const Task& task = tasks_[i];
            if (task.fills) fill(task);
            else empty(task);
        }
    } catch (...) {
        abort();
        throw;
    }
}

void StripJob::abort() {
    aborted_ = true;
    for (Progress& p : progress_)
        for (Milestone* m : {&p.launched, &p.arrived, &p.finished}) m->abort();
}

int StripJob::lastWaiting(int index) const {
    for (; cutByExecution() && index > 0; --index)
        if (plan_.part(strip(index)).waits) return index;
    return 0;
}

/// Returns false if the run was aborted.
bool StripJob::waitForSlot(int index) {
    if (index >= slots() && !at(index - slots()).finished.wait()) return false;
    // The next strips reuse the slots of strips that the waiting strip depends on.
    if (const int waiting = lastWaiting(index); index < waiting + slots())
        for (int i = 0; i < waiting; ++i)
            if (!at(i).finished.wait()) return false;
    return true;
}

void StripJob::fill(const Task& task) {
    if (!waitForSlot(task.strip)) return;
    Progress& progress = at(task.strip);
    if (task.piece.index == 0) progress.fillBegins = Clock::now();
    if (input_.copiesOnHost()) input_.fill(slotOf(task.strip), up(task.strip), task.piece);
    if (progress.toFill.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    if (inOrder() && task.strip > 0 && !at(task.strip - 1).launched.wait()) return;
    launch(task.strip);
}

void StripJob::launch(int index) {
    const std::scoped_lock lock(mutex_);
    if (input_.copiesOnHost()) clock_.addHostPiece(Stage::upload, index, at(index).fillBegins, Clock::now());
    const EventClock::Moment arrived = upload(index);
    copySharedRows(index);
    compute(index, arrived);
    download(index);
    at(index).launched.reach();
}

/// Returns the moment at which the input is on the device.
EventClock::Moment StripJob::upload(int index) {
    const StripBoxes boxes = up(index);
    if (boxes.empty()) return ready_;
    EventClock::Moment free = ready_;
    // The previous input of the slot is also read by the strip after that one.
    if (const int before = index - slots(); inOrder() && before >= 0) {
        clock_.follow(streams_.upload, at(before + 1).computed);
        free = at(before + 1).computeEnds;
    }
    const EventClock::Moment asked = EventClock::now();
    input_.upload(slotOf(index), boxes, streams_.upload);
    const EventClock::Moment arrived =
        clock_.mark(streams_.upload);  // before the signal, so that the event has its time once the signal has been waited for
    clock_.follow(streams_.compute, clock_.signal(streams_.upload));
    clock_.addPiece(Stage::upload, index, {asked, free, std::exchange(uploadEnds_, arrived)}, arrived);
    return arrived;
}

void StripJob::copySharedRows(int index) {
    const std::int64_t samples = sharedRowsOf(index) * plan_.shape.width;
    if (samples == 0) return;
    const float* const before = slotOf(index - 1).input.data() + plan_.inputShape(strip(index - 1)).samples() - samples;
    check(cudaMemcpyAsync(slotOf(index).input.data(), before, static_cast<std::size_t>(samples) * sizeof(float), cudaMemcpyDeviceToDevice,
                          streams_.compute.get()),
          "Rows between two strips could not be copied");
}

void StripJob::compute(int index, const EventClock::Moment& arrived) {
    StripSlot& slot = slotOf(index);
    Progress& progress = at(index);
    execution_.runStrip(plan_, strip(index), denseView<const float>(slot.input.data(), plan_.inputShape(strip(index))),
                        denseView(slot.output.data(), plan_.outputShape(strip(index))), context_);
    progress.computed = clock_.signal(streams_.compute);
    progress.computeEnds = clock_.mark(streams_.compute);
    clock_.addPiece(Stage::compute, index, {arrived, std::exchange(computeEnds_, progress.computeEnds)}, progress.computeEnds);
}

void StripJob::download(int index) {
    Progress& progress = at(index);
    const StripBoxes boxes = down(index);
    std::size_t last = progress.computed;
    progress.comesDown = !boxes.empty();
    if (progress.comesDown) {
        clock_.follow(streams_.download, progress.computed);
        output_.download(slotOf(index), boxes, streams_.download);
        last = clock_.signal(streams_.download);
    }
    progress.downloaded = clock_.handle(last);
}

void StripJob::empty(const Task& task) {
    Progress& progress = at(task.strip);
    if (task.piece.index == 0) {
        // Only one thread calls the driver: many would block the threads that launch the next strips.
        if (!progress.launched.wait()) return;
        check(cudaEventSynchronize(progress.downloaded), "Work on the CUDA device failed");
        progress.emptyBegins = Clock::now();
        progress.arrived.reach();
    } else if (!progress.arrived.wait()) {
        return;
    }
    if (output_.copiesOnHost()) output_.empty(slotOf(task.strip), down(task.strip), task.piece);
    if (progress.toEmpty.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    if (output_.copiesOnHost()) {
        const std::scoped_lock lock(mutex_);
        clock_.addHostPiece(Stage::download, task.strip, progress.emptyBegins, Clock::now());
    }
    if (context_.progress) context_.progress->add(strip(task.strip).rows * strip(task.strip).planes);
    progress.finished.reach();
}

}  // namespace parallax::gpu
