// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/runtime/strips/strip_runner.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "core/engine/run/run_context.hpp"
#include "gpu/runtime/cuda_check.hpp"
#include "gpu/runtime/memory/pinned_allocator.hpp"
#include "gpu/runtime/team.hpp"

namespace parallax::gpu {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kUploadFailed = "A strip could not be uploaded";
constexpr const char* kDownloadFailed = "A strip could not be downloaded";

std::size_t samples(const Shape& shape) { return static_cast<std::size_t>(shape.samples()); }

/// Enqueues a box; rows that lie without gaps on both sides go as one.
void copyBox(float* to, std::int64_t toRow, std::int64_t toSlice, const float* from, std::int64_t fromRow, std::int64_t fromSlice,
             const StripBox& box, cudaMemcpyKind kind, const Stream& stream, const char* failed) {
    if (box.samples() == 0) return;
    const auto bytes = [](std::int64_t n) { return static_cast<std::size_t>(n) * sizeof(float); };
    if (box.rows == 1) return check(cudaMemcpyAsync(to, from, bytes(box.width), kind, stream.get()), failed);
    if (box.slices == 1)
        return check(cudaMemcpy2DAsync(to, bytes(toRow), from, bytes(fromRow), bytes(box.width), static_cast<std::size_t>(box.rows), kind,
                                       stream.get()),
                     failed);
    cudaMemcpy3DParms p{};
    const auto pitched = [&](float* data, std::int64_t row, std::int64_t slice) {
        return cudaPitchedPtr{data, bytes(row), bytes(box.width), static_cast<std::size_t>(slice / row)};
    };
    p.srcPtr = pitched(const_cast<float*>(from), fromRow, fromSlice);
    p.dstPtr = pitched(to, toRow, toSlice);
    p.extent = cudaExtent{bytes(box.width), static_cast<std::size_t>(box.rows), static_cast<std::size_t>(box.slices)};
    p.kind = kind;
    check(cudaMemcpy3DAsync(&p, stream.get()), failed);
}

/// Calls f(host, slot, samples) for rows [begin, end) of all rows of boxes, one after the other: offsets of runs without gaps. A negative
/// offset in the host's memory is kept.
template <class F>
void forRuns(const std::vector<StripBox>& boxes, std::int64_t begin, std::int64_t end, F&& f) {
    std::int64_t first = 0;  // row of the box among all
    for (const StripBox& box : boxes) {
        const std::int64_t rows = box.rows * box.slices;
        for (std::int64_t row = std::max(begin, first) - first; row < std::min(end, first + rows) - first;) {
            const std::int64_t slice = row / box.rows, y = row % box.rows;
            const bool dense = box.slotRow == box.width && (box.host < 0 || box.hostRow == box.width);
            const std::int64_t count = dense ? std::min(box.rows - y, std::min(end, first + rows) - first - row) : 1;
            f(box, box.host < 0 ? -1 : box.host + slice * box.hostSlice + y * box.hostRow,
              box.slot + slice * box.slotSlice + y * box.slotRow, count * box.width);
            row += count;
        }
        first += rows;
    }
}
std::int64_t rowsOf(const std::vector<StripBox>& boxes) {
    std::int64_t rows = 0;
    for (const StripBox& box : boxes) rows += box.rows * box.slices;
    return rows;
}
std::int64_t samplesOf(const std::vector<StripBox>& boxes) {
    std::int64_t n = 0;
    for (const StripBox& box : boxes) n += box.samples();
    return n;
}

void ensurePinned(Buffer& buffer, std::size_t count, int device) {
    if (count == 0 || buffer.bytes() >= count * sizeof(float)) return;
    buffer = Buffer();  // give back first
    buffer = Buffer(Shape{static_cast<std::int64_t>(count), 1, 1, 1}, SampleType::float32, pinnedAllocator(device));
}

void ensureOnDevice(DeviceBuffer<float>& buffer, const std::shared_ptr<Allocator>& memory, std::size_t count) {
    if (buffer.size() >= count) return;
    buffer = DeviceBuffer<float>();
    buffer = DeviceBuffer<float>(memory, count);
}

/// Threads for all runners: two runs at a time would only share the memory of the host.
class CopyTeam {
public:
    static CopyTeam& instance() {
        static auto* team = new CopyTeam;  // never destroyed, as the StagingEngine
        return *team;
    }

    /// The team for one run, as long as this lives. Waits for the run that has it, which may take long; throws Error(cancelled) if this
    /// one is cancelled meanwhile.
    class Turn {
    public:
        Turn(CopyTeam& copies, const RunContext& context) : copies_(copies) {
            std::unique_lock lock(copies_.mutex_);
            if (!copies_.given_.wait(lock, context.stop, [&] { return !copies_.taken_; })) context.throwIfStopped();
            copies_.taken_ = true;
        }
        ~Turn() {
            {
                const std::scoped_lock lock(copies_.mutex_);
                copies_.taken_ = false;
            }
            copies_.given_.notify_all();
        }
        Turn(const Turn&) = delete;
        Turn& operator=(const Turn&) = delete;
        Team& team() const { return copies_.team_; }

    private:
        CopyTeam& copies_;
    };

private:
    std::mutex mutex_;
    std::condition_variable_any given_;
    bool taken_ = false;
    Team team_{std::clamp(effectiveThreads({}), 1, kStripCopyThreads)};
};

/// Something that happens once, unless the run breaks off before.
class Milestone {
public:
    void reach() { change(State::reached); }
    /// Wakes all who wait, unless it has been reached.
    void breakOff() { change(State::brokenOff); }
    /// False if the run broke off before.
    bool wait() const {
        // Most waits are shorter than waking up takes. Longer ones, as for a kernel, would keep a processor busy for nothing.
        constexpr std::chrono::microseconds kSpin{20};
        const auto end = Clock::now() + kSpin;
        State state = state_.load(std::memory_order_acquire);
        while (state == State::ahead && Clock::now() < end) {
            std::this_thread::yield();
            state = state_.load(std::memory_order_acquire);
        }
        if (state == State::ahead) {
            state_.wait(State::ahead, std::memory_order_acquire);
            state = state_.load(std::memory_order_acquire);
        }
        return state == State::reached;
    }

private:
    enum class State : int { ahead, reached, brokenOff };  // an int is what the system waits for without a detour
    void change(State to) {
        State expected = State::ahead;
        if (state_.compare_exchange_strong(expected, to, std::memory_order_acq_rel)) state_.notify_all();
    }
    std::atomic<State> state_{State::ahead};
};

}  // namespace

/// A part of the filling of a strip's slot, or of its emptying. The last one of a filling sends the strip on its way.
struct StripRunner::Task {
    int strip;
    bool fills;
    int piece, pieces;
    /// Its part of so many rows.
    std::pair<std::int64_t, std::int64_t> rows(std::int64_t all) const { return {all * piece / pieces, all * (piece + 1) / pieces}; }
};

/// One run.
struct StripRunner::Job {
    struct Progress {
        std::atomic<int> toFill{0}, toEmpty{0};  // pieces
        Milestone launched, arrived, finished;
        std::size_t computed = 0;  // signal
        cudaEvent_t downloaded = nullptr;
        EventClock::Moment computeEnds;
        bool comesDown = false;
        Clock::time_point fillBegins, emptyBegins;
    };

    Execution& execution;
    StripSupport support;
    const StripPlan& plan;
    View<const float> input;
    View<float> output;
    RunContext& context;
    EventClock& clock;
    bool inputPinned, outputPinned;
    std::vector<Buffer>* kept = nullptr;

    std::vector<Progress> strips;
    std::vector<Task> tasks;  // a task needs only tasks before it
    std::atomic<std::size_t> next{0};
    std::atomic<bool> aborted{false};
    std::mutex mutex;  // of streams, execution and clock
    EventClock::Moment ready, uploadEnds, computeEnds, downloadEnds;

    Job(Execution& e, const StripPlan& p, const View<const float>& in, const View<float>& out, RunContext& c, EventClock& k)
        : execution(e),
          support(e.strips()),
          plan(p),
          input(in),
          output(out),
          context(c),
          clock(k),
          inputPinned(isPinned(in.data)),
          outputPinned(isPinned(out.data)),
          strips(p.strips.size()) {}

    const Strip& strip(int i) const { return plan.strips[static_cast<std::size_t>(i)]; }
    Progress& at(int i) { return strips[static_cast<std::size_t>(i)]; }
    bool cutByItself() const { return !plan.parts.empty(); }
    /// Is something of each strip's input for the next one? Then strips are launched in their order, for which threads that copy would
    /// wait.
    bool inOrder() const { return cutByItself() || inputPinned; }
    /// The last one up to this that waits for all before it; 0 if there is none.
    int barrier(int i) const {
        for (; cutByItself() && i > 0; --i)
            if (plan.part(strip(i)).waits) return i;
        return 0;
    }
    std::int64_t shared(int i) const { return inOrder() ? sharedRows(plan, static_cast<std::size_t>(i)) : 0; }
    std::vector<StripBox> up(int i) const { return boxesUp(plan, strip(i), support, shared(i)); }
    std::vector<StripBox> down(int i) const { return boxesDown(plan, strip(i)); }
    const float* from(const StripBox& box) const {
        return box.image == 0 ? input.data : (*kept)[static_cast<std::size_t>(box.image) - 1].view<float>().data;
    }
    float* to(const StripBox& box) const {
        return box.image == 0 ? output.data : (*kept)[static_cast<std::size_t>(box.image) - 1].view<float>().data;
    }

    void makeTasks(int slots) {
        const auto add = [&](int i, bool fills, std::atomic<int>& count, bool copies, const std::vector<StripBox>& boxes) {
            const std::size_t bytes = static_cast<std::size_t>(samplesOf(boxes)) * sizeof(float);
            const int pieces = copies ? std::max(1, static_cast<int>((bytes + kStripCopyPiece - 1) / kStripCopyPiece)) : 1;
            count = pieces;
            for (int p = 0; p < pieces; ++p) tasks.push_back({i, fills, p, pieces});
        };
        const int count = static_cast<int>(strips.size());
        int emptied = 0;
        const auto emptyUntil = [&](int end) {
            for (; emptied < end; ++emptied) add(emptied, false, at(emptied).toEmpty, !outputPinned, down(emptied));
        };
        for (int i = 0; i < count; ++i) {
            emptyUntil(cutByItself() && plan.part(strip(i)).waits ? i : i + 1 - slots);
            add(i, true, at(i).toFill, !inputPinned, up(i));
        }
        emptyUntil(count);
    }
    void abort() {
        aborted = true;
        for (Progress& p : strips)
            for (Milestone* m : {&p.launched, &p.arrived, &p.finished}) m->breakOff();
    }
};

StripRunner::StripRunner(std::shared_ptr<Stream> compute, std::shared_ptr<Allocator> memory, int copyThreads, int slots)
    : device_(compute->device()),
      copyThreads_(copyThreads),
      mostSlots_(slots),
      compute_(std::move(compute)),
      memory_(std::move(memory)),
      upload_(device_),
      download_(device_) {}

void StripRunner::ensureSlots(const Job& job) {
    std::size_t in = 0, out = 0;
    for (const Strip& s : job.plan.strips) {
        in = std::max(in, samples(job.plan.inputShape(s)));
        out = std::max(out, samples(job.plan.outputShape(s)));
    }
    // The device reads page-locked images by itself; only rows that a band has from no row of the image are made here.
    std::size_t constant = 0;
    if (job.inputPinned && !job.cutByItself())
        for (std::size_t i = 0; i < job.plan.strips.size(); ++i) {
            std::size_t made = 0;
            for (const StripBox& box : job.up(static_cast<int>(i))) made += box.host < 0 ? static_cast<std::size_t>(box.samples()) : 0;
            constant = std::max(constant, made);
        }
    const std::size_t count = std::min(static_cast<std::size_t>(mostSlots_), job.plan.strips.size());
    if (slots_.size() < count) slots_.resize(count);
    for (Slot& slot : slots_) {
        ensureOnDevice(slot.input, memory_, in);
        ensureOnDevice(slot.output, memory_, out);
        ensurePinned(slot.stagedInput, job.inputPinned ? constant : in, device_);
        ensurePinned(slot.stagedOutput, job.outputPinned ? 0 : out, device_);
    }
    if (kept_.size() < job.plan.kept.size()) kept_.resize(job.plan.kept.size());
    for (std::size_t i = 0; i < job.plan.kept.size(); ++i) ensurePinned(kept_[i], static_cast<std::size_t>(job.plan.kept[i]), device_);
}

void StripRunner::run(Execution& execution, const StripPlan& plan, const View<const float>& input, const View<float>& output,
                      RunContext& context, EventClock& clock) {
    Job job(execution, plan, input, output, context, clock);
    job.kept = &kept_;
    clock.begin(Stage::allocate);
    ensureSlots(job);
    job.makeTasks(static_cast<int>(slots_.size()));
    clock.end();
    const bool copies = !job.inputPinned || !job.outputPinned;
    std::optional<CopyTeam::Turn> turn;
    if (copies) turn.emplace(CopyTeam::instance(), context);
    clock.beginOverlapped();
    // Memory of the slots is there when the stream of its allocation says so.
    job.ready = job.uploadEnds = job.computeEnds = job.downloadEnds = clock.mark(*compute_);
    const std::size_t ready = clock.signal(*compute_);
    clock.follow(upload_, ready);
    clock.follow(download_, ready);
    if (turn) turn->team().run(std::clamp(copyThreads_, 1, turn->team().members()), [&](int) { work(job); });
    else work(job);
    clock.endOverlapped();
    // By the clock of the host: an event with a time would keep the next download.
    for (std::size_t i = 0; i < job.strips.size(); ++i) {
        const Job::Progress& strip = job.strips[i];
        if (!strip.comesDown) continue;
        const EventClock::Moment ends{.host = strip.emptyBegins};
        clock.addPiece(Stage::download, static_cast<int>(i), {strip.computeEnds, std::exchange(job.downloadEnds, ends)}, ends);
    }
}

void StripRunner::work(Job& job) {
    const CurrentDevice current(device_);
    try {
        while (!job.aborted) {
            const std::size_t i = job.next.fetch_add(1, std::memory_order_relaxed);
            if (i >= job.tasks.size()) return;
            job.context.throwIfStopped();
            const Task& task = job.tasks[i];
            if (task.fills) fill(job, task);
            else empty(job, task);
        }
    } catch (...) {
        job.abort();
        throw;
    }
}

void StripRunner::fill(Job& job, const Task& task) {
    const int before = task.strip - static_cast<int>(slots_.size());  // whose slot it takes over
    if (before >= 0 && !job.at(before).finished.wait()) return;
    // The strips that come next take over the slots of those that waited.
    if (const int barrier = job.barrier(task.strip); task.strip < barrier + static_cast<int>(slots_.size()))
        for (int i = 0; i < barrier; ++i)
            if (!job.at(i).finished.wait()) return;
    Job::Progress& progress = job.at(task.strip);
    if (task.piece == 0) progress.fillBegins = Clock::now();
    if (!job.inputPinned) {
        const std::vector<StripBox> boxes = job.up(task.strip);
        const auto [begin, end] = task.rows(rowsOf(boxes));
        float* const slot = slotOf(task.strip).stagedInput.empty() ? nullptr : slotOf(task.strip).stagedInput.view<float>().data;
        forRuns(boxes, begin, end, [&](const StripBox& box, std::int64_t host, std::int64_t at, std::int64_t count) {
            if (host < 0) std::fill_n(slot + at, count, job.support.fill);
            else std::memcpy(slot + at, job.from(box) + host, static_cast<std::size_t>(count) * sizeof(float));
        });
    }
    if (progress.toFill.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    if (job.inOrder() && task.strip > 0 && !job.at(task.strip - 1).launched.wait()) return;
    launch(job, task.strip);
}

void StripRunner::launch(Job& job, int index) {
    const std::scoped_lock lock(job.mutex);
    const StripPlan& plan = job.plan;
    const Strip& strip = job.strip(index);
    Slot& slot = slotOf(index);
    Job::Progress& progress = job.at(index);
    if (!job.inputPinned) job.clock.addHostPiece(Stage::upload, index, progress.fillBegins, Clock::now());

    const std::vector<StripBox> up = job.up(index), down = job.down(index);
    EventClock::Moment arrived = job.ready;
    if (!up.empty()) {
        // What the slot held is read by the strip after it, too.
        EventClock::Moment free = job.ready;
        if (const int before = index - static_cast<int>(slots_.size()); job.inOrder() && before >= 0) {
            job.clock.follow(upload_, job.at(before + 1).computed);
            free = job.at(before + 1).computeEnds;
        }
        const EventClock::Moment asked = EventClock::now();
        float* constant = slot.stagedInput.empty() ? nullptr : slot.stagedInput.view<float>().data;
        for (const StripBox& box : transfersOf(up)) {
            float* const to = slot.input.data() + box.slot;
            if (!job.inputPinned) {
                // As it lies in the slot: gaps between its rows stay as they are.
                copyBox(to, box.slotRow, box.slotSlice, slot.stagedInput.view<float>().data + box.slot, box.slotRow, box.slotSlice, box,
                        cudaMemcpyHostToDevice, upload_, kUploadFailed);
            } else if (box.host < 0) {
                std::fill_n(constant, box.samples(), job.support.fill);
                copyBox(to, box.slotRow, box.slotSlice, constant, box.width, box.width * box.rows, box, cudaMemcpyHostToDevice, upload_,
                        kUploadFailed);
                constant += box.samples();
            } else {
                copyBox(to, box.slotRow, box.slotSlice, job.from(box) + box.host, box.hostRow, box.hostSlice, box, cudaMemcpyHostToDevice,
                        upload_, kUploadFailed);
            }
        }
        arrived = job.clock.mark(upload_);  // before the signal: what has been waited for has its time
        job.clock.follow(*compute_, job.clock.signal(upload_));
        job.clock.addPiece(Stage::upload, index, {asked, free, std::exchange(job.uploadEnds, arrived)}, arrived);
    }
    if (const std::int64_t shared = job.shared(index) * plan.shape.width; shared > 0) {
        const Strip& before = job.strip(index - 1);
        check(cudaMemcpyAsync(slot.input.data(), slotOf(index - 1).input.data() + plan.inputShape(before).samples() - shared,
                              static_cast<std::size_t>(shared) * sizeof(float), cudaMemcpyDeviceToDevice, compute_->get()),
              "Rows between two strips could not be copied");
    }

    job.execution.runStrip(plan, strip, denseView<const float>(slot.input.data(), plan.inputShape(strip)),
                           denseView(slot.output.data(), plan.outputShape(strip)), job.context);
    std::size_t last = progress.computed = job.clock.signal(*compute_);
    progress.computeEnds = job.clock.mark(*compute_);
    job.clock.addPiece(Stage::compute, index, {arrived, std::exchange(job.computeEnds, progress.computeEnds)}, progress.computeEnds);

    if ((progress.comesDown = !down.empty())) {
        job.clock.follow(download_, progress.computed);
        for (const StripBox& box : transfersOf(down)) {
            const float* const from = slot.output.data() + box.slot;
            if (job.outputPinned)
                copyBox(job.to(box) + box.host, box.hostRow, box.hostSlice, from, box.slotRow, box.slotSlice, box, cudaMemcpyDeviceToHost,
                        download_, kDownloadFailed);
            else
                copyBox(slot.stagedOutput.view<float>().data + box.slot, box.slotRow, box.slotSlice, from, box.slotRow, box.slotSlice, box,
                        cudaMemcpyDeviceToHost, download_, kDownloadFailed);
        }
        last = job.clock.signal(download_);
    }
    progress.downloaded = job.clock.handle(last);
    progress.launched.reach();
}

void StripRunner::empty(Job& job, const Task& task) {
    Job::Progress& progress = job.at(task.strip);
    if (task.piece == 0) {
        // One thread asks the driver: many at once would hold up those who start the next strips.
        if (!progress.launched.wait()) return;
        check(cudaEventSynchronize(progress.downloaded), "Work on the CUDA device failed");
        progress.emptyBegins = Clock::now();
        progress.arrived.reach();
    } else if (!progress.arrived.wait()) {
        return;
    }
    const Strip& strip = job.strip(task.strip);
    if (!job.outputPinned) {
        const std::vector<StripBox> boxes = job.down(task.strip);
        const auto [begin, end] = task.rows(rowsOf(boxes));
        const float* const slot = slotOf(task.strip).stagedOutput.empty() ? nullptr : slotOf(task.strip).stagedOutput.view<float>().data;
        forRuns(boxes, begin, end, [&](const StripBox& box, std::int64_t host, std::int64_t at, std::int64_t count) {
            std::memcpy(job.to(box) + host, slot + at, static_cast<std::size_t>(count) * sizeof(float));
        });
    }
    if (progress.toEmpty.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    if (!job.outputPinned) {
        const std::scoped_lock lock(job.mutex);
        job.clock.addHostPiece(Stage::download, task.strip, progress.emptyBegins, Clock::now());
    }
    if (job.context.progress) job.context.progress->add(strip.rows * strip.planes);
    progress.finished.reach();
}

void StripRunner::drain() noexcept {
    const CurrentDevice current(device_, std::nothrow);
    for (const cudaStream_t stream : {upload_.get(), compute_->get(), download_.get()}) checkNoThrow(cudaStreamSynchronize(stream));
}

}  // namespace parallax::gpu
