// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/runtime/strips/strip_runner.hpp"

#include <algorithm>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>

#include "core/engine/run/run_context.hpp"
#include "gpu/runtime/cuda_check.hpp"
#include "gpu/runtime/memory/pinned_allocator.hpp"
#include "gpu/runtime/per_device.hpp"
#include "gpu/runtime/strips/strip_job.hpp"
#include "gpu/runtime/team.hpp"

namespace parallax::gpu {
namespace {

void ensurePinned(Buffer& buffer, std::size_t count, int device) {
    if (count == 0 || buffer.bytes() >= count * sizeof(float)) return;
    buffer = Buffer();  // release first
    buffer = Buffer(Shape{static_cast<std::int64_t>(count), 1, 1, 1}, SampleType::float32, pinnedAllocator(device));
}

void ensureOnDevice(DeviceBuffer<float>& buffer, const std::shared_ptr<Allocator>& memory, std::size_t count) {
    if (buffer.size() >= count) return;
    buffer = DeviceBuffer<float>();
    buffer = DeviceBuffer<float>(memory, count);
}

/// Returns the largest number of samples of a strip's input that are StripSupport::fill.
std::size_t filledSamples(const StripPlan& plan) {
    if (!plan.parts.empty()) return 0;
    std::int64_t most = 0;
    for (std::size_t i = 0; i < plan.strips.size(); ++i) {
        std::int64_t filled = 0;
        for (const StripBox& box : uploadBoxes(plan, plan.strips[i], sharedRows(plan, i))) filled += box.host < 0 ? box.samples() : 0;
        most = std::max(most, filled);
    }
    return static_cast<std::size_t>(most);
}

/// The copying threads of all runs in strips on a device; one run has them at a time, since two would share its link.
struct CopyTeam {
    std::mutex mutex;
    std::condition_variable_any released;
    bool taken = false;
    Team threads{std::clamp(effectiveThreads({}), 1, kStripCopyThreads)};
};

/// Holds the threads for one run.
class CopyTurn {
public:
    /// Waits until the previous run has released them. Throws Error(cancelled) if this run is cancelled meanwhile.
    CopyTurn(int device, const RunContext& context) : team_(instance(device)) {
        std::unique_lock lock(team_.mutex);
        if (!team_.released.wait(lock, context.stop, [&] { return !team_.taken; })) context.throwIfStopped();
        team_.taken = true;
    }
    ~CopyTurn() {
        {
            const std::scoped_lock lock(team_.mutex);
            team_.taken = false;
        }
        team_.released.notify_all();
    }
    CopyTurn(const CopyTurn&) = delete;
    CopyTurn& operator=(const CopyTurn&) = delete;
    void run(int threads, const std::function<void()>& task) {
        team_.threads.run(std::clamp(threads, 1, team_.threads.members()), [&](int) { task(); });
    }

private:
    static CopyTeam& instance(int device) {
        static auto* teams = new PerDevice<CopyTeam*>;  // never destroyed, like the StagingEngine
        return *teams->of(device, [] { return new CopyTeam; });
    }
    CopyTeam& team_;
};

}  // namespace

StripRunner::StripRunner(std::shared_ptr<Stream> compute, std::shared_ptr<Allocator> memory, int copyThreads, int slots)
    : device_(compute->device()),
      copyThreads_(copyThreads),
      mostSlots_(slots),
      compute_(std::move(compute)),
      memory_(std::move(memory)),
      upload_(device_),
      download_(device_) {}

void StripRunner::ensureSlots(const StripPlan& plan, const StripInput& input, const StripOutput& output) {
    std::size_t in = 0, out = 0;
    for (const Strip& s : plan.strips) {
        in = std::max(in, static_cast<std::size_t>(plan.inputShape(s).samples()));
        out = std::max(out, static_cast<std::size_t>(plan.outputShape(s).samples()));
    }
    const std::size_t stagedIn = input.stagedSamples(in, filledSamples(plan)), stagedOut = output.stagedSamples(out);
    const std::size_t count = std::min(static_cast<std::size_t>(mostSlots_), plan.strips.size());
    if (slots_.size() < count) slots_.resize(count);
    for (StripSlot& slot : slots_) {
        ensureOnDevice(slot.input, memory_, in);
        ensureOnDevice(slot.output, memory_, out);
        ensurePinned(slot.stagedInput, stagedIn, device_);
        ensurePinned(slot.stagedOutput, stagedOut, device_);
    }
}

void StripRunner::run(Execution& execution, const StripPlan& plan, const View<const float>& input, const View<float>& output,
                      RunContext& context, EventClock& clock) {
    clock.begin(Stage::allocate);
    if (kept_.size() < plan.kept.size()) kept_.resize(plan.kept.size());
    std::vector<const float*> from{input.data};
    std::vector<float*> to{output.data};
    for (std::size_t i = 0; i < plan.kept.size(); ++i) {
        ensurePinned(kept_[i], static_cast<std::size_t>(plan.kept[i]), device_);
        from.push_back(to.emplace_back(kept_[i].view<float>().data));
    }
    const StripInput upward(std::move(from), plan.fill);
    const StripOutput downward(std::move(to));
    ensureSlots(plan, upward, downward);
    StripJob job(execution, plan, upward, downward, slots_, {*compute_, upload_, download_}, context, clock);
    clock.end();
    std::optional<CopyTurn> turn;
    if (upward.copiesOnHost() || downward.copiesOnHost()) turn.emplace(device_, context);
    clock.beginOverlapped();
    job.begin();
    if (turn) turn->run(copyThreads_, [&] { job.work(); });
    else job.work();
    clock.endOverlapped();
    job.end();
}

void StripRunner::drain() noexcept {
    const CurrentDevice current(device_, std::nothrow);
    for (const cudaStream_t stream : {upload_.get(), compute_->get(), download_.get()}) checkNoThrow(cudaStreamSynchronize(stream));
}

}  // namespace parallax::gpu
