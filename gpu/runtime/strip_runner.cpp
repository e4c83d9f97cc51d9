// SPDX-License-Identifier: GPL-3.0-or-later
#include "parallax/gpu/runtime/strip_runner.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "parallax/engine/run_context.hpp"
#include "parallax/gpu/runtime/cuda_check.hpp"
#include "parallax/gpu/runtime/pinned_allocator.hpp"
#include "parallax/gpu/runtime/team.hpp"

namespace parallax::gpu {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kUploadFailed = "A strip could not be uploaded";
constexpr const char* kDownloadFailed = "A strip could not be downloaded";

std::size_t samples(const Shape& shape) { return static_cast<std::size_t>(shape.samples()); }

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
        cudaEvent_t downloaded = nullptr;
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

    std::vector<Progress> strips;
    std::vector<Task> tasks;  // a task needs only tasks before it
    std::atomic<std::size_t> next{0};
    std::atomic<bool> aborted{false};
    std::mutex mutex;  // of streams, execution and clock

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
    std::size_t width() const { return static_cast<std::size_t>(plan.shape.width); }
    /// First sample of row `row` of the planes, which follow each other in memory.
    const float* inputRow(std::int64_t plane, std::int64_t row) const {
        return input.data + (plane * plan.shape.height + row) * plan.shape.width;
    }
    float* outputRow(const Strip& s, std::int64_t row) const {
        return output.data + (s.plane * plan.shape.height + s.row + row) * plan.shape.width;
    }
    std::vector<RowRun> runsOf(const Strip& s) const {
        if (s.whole) return {{0, plan.shape.height * s.planes, false}};
        return inputRuns(plan, s, support);
    }

    void makeTasks(int slots) {
        const auto add = [&](int i, bool fills, std::atomic<int>& count, bool copies, const Shape& shape) {
            const std::size_t bytes = samples(shape) * sizeof(float);
            const int pieces = copies ? static_cast<int>((bytes + kStripCopyPiece - 1) / kStripCopyPiece) : 1;
            count = pieces;
            for (int p = 0; p < pieces; ++p) tasks.push_back({i, fills, p, pieces});
        };
        const int count = static_cast<int>(strips.size());
        for (int i = 0; i < count + slots; ++i) {
            if (const int before = i - slots; before >= 0 && before < count)
                add(before, false, at(before).toEmpty, !outputPinned, plan.outputShape(strip(before)));
            if (i < count) add(i, true, at(i).toFill, !inputPinned, plan.inputShape(strip(i)));
        }
    }
    void abort() {
        aborted = true;
        for (Progress& p : strips)
            for (Milestone* m : {&p.launched, &p.arrived, &p.finished}) m->breakOff();
    }
};

StripRunner::StripRunner(std::shared_ptr<Stream> compute, std::shared_ptr<Allocator> memory, int copyThreads)
    : device_(compute->device()),
      copyThreads_(copyThreads),
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
    if (job.inputPinned)
        for (const Strip& s : job.plan.strips) {
            std::size_t rows = 0;
            for (const RowRun& run : job.runsOf(s)) rows += run.first < 0 ? static_cast<std::size_t>(run.count) : 0;
            constant = std::max(constant, rows * job.width());
        }
    const std::size_t count = std::min(static_cast<std::size_t>(kPinnedStrips.atOnce), job.plan.strips.size());
    if (slots_.size() < count) slots_.resize(count);
    for (Slot& slot : slots_) {
        ensureOnDevice(slot.input, memory_, in);
        ensureOnDevice(slot.output, memory_, out);
        ensurePinned(slot.stagedInput, job.inputPinned ? constant : in, device_);
        ensurePinned(slot.stagedOutput, job.outputPinned ? 0 : out, device_);
    }
}

void StripRunner::run(Execution& execution, const StripPlan& plan, const View<const float>& input, const View<float>& output,
                      RunContext& context, EventClock& clock) {
    Job job(execution, plan, input, output, context, clock);
    clock.begin(Stage::allocate);
    ensureSlots(job);
    job.makeTasks(static_cast<int>(slots_.size()));
    clock.end();
    const bool copies = !job.inputPinned || !job.outputPinned;
    std::optional<CopyTeam::Turn> turn;
    if (copies) turn.emplace(CopyTeam::instance(), context);
    clock.beginOverlapped();
    // Memory of the slots is there when the stream of its allocation says so.
    const std::size_t ready = clock.mark(*compute_);
    clock.follow(upload_, ready);
    clock.follow(download_, ready);
    if (turn) turn->team().run(std::clamp(copyThreads_, 1, turn->team().members()), [&](int) { work(job); });
    else work(job);
    clock.endOverlapped();
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
    Job::Progress& progress = job.at(task.strip);
    if (task.piece == 0) progress.fillBegins = Clock::now();
    if (!job.inputPinned) {
        const Strip& strip = job.strip(task.strip);
        const auto [begin, end] = task.rows(job.plan.inputRows(strip) * strip.planes);
        float* const to = slotOf(task.strip).stagedInput.view<float>().data;
        std::int64_t row = 0;  // of the slot
        for (const RowRun& run : job.runsOf(strip)) {
            const std::int64_t from = std::max(begin, row), until = std::min(end, row + run.count);
            if (from < until) {
                const std::size_t count = static_cast<std::size_t>(until - from) * job.width();
                float* const place = to + from * job.plan.shape.width;
                if (run.first < 0) std::fill_n(place, count, job.support.fill);
                else std::memcpy(place, job.inputRow(strip.plane, run.first + from - row), count * sizeof(float));
            }
            row += run.count;
        }
    }
    if (progress.toFill.fetch_sub(1, std::memory_order_acq_rel) == 1) launch(job, task.strip);
}

void StripRunner::launch(Job& job, int index) {
    const std::scoped_lock lock(job.mutex);
    const StripPlan& plan = job.plan;
    const Strip& strip = job.strip(index);
    Slot& slot = slotOf(index);
    Job::Progress& progress = job.at(index);
    if (!job.inputPinned) job.clock.addHostPiece(Stage::upload, index, progress.fillBegins, Clock::now());

    const std::size_t uploadBegins = job.clock.mark(upload_);
    const auto upload = [&](float* to, const float* from, std::size_t count) {
        check(cudaMemcpyAsync(to, from, count * sizeof(float), cudaMemcpyHostToDevice, upload_.get()), kUploadFailed);
    };
    if (!job.inputPinned) {
        upload(slot.input.data(), slot.stagedInput.view<float>().data, samples(plan.inputShape(strip)));
    } else {
        float* to = slot.input.data();
        float* constant = slot.stagedInput.empty() ? nullptr : slot.stagedInput.view<float>().data;
        for (const RowRun& run : job.runsOf(strip)) {
            const std::size_t count = static_cast<std::size_t>(run.count) * job.width();
            if (run.first < 0) {
                std::fill_n(constant, count, job.support.fill);
                upload(to, constant, count);
                constant += count;
            } else {
                upload(to, job.inputRow(strip.plane, run.first), count);
            }
            to += count;
        }
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
    float* const to = job.outputPinned ? job.outputRow(strip, 0) : slot.stagedOutput.view<float>().data;
    check(
        cudaMemcpyAsync(to, slot.output.data(), samples(plan.outputShape(strip)) * sizeof(float), cudaMemcpyDeviceToHost, download_.get()),
        kDownloadFailed);
    const std::size_t downloadEnds = job.clock.mark(download_);
    job.clock.addPiece(Stage::download, index, downloadBegins, downloadEnds);
    progress.downloaded = job.clock.handle(downloadEnds);
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
        const auto [begin, end] = task.rows(strip.rows * strip.planes);
        std::memcpy(job.outputRow(strip, begin), slotOf(task.strip).stagedOutput.view<float>().data + begin * job.plan.shape.width,
                    static_cast<std::size_t>(end - begin) * job.width() * sizeof(float));
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
