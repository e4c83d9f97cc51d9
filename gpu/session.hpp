// SPDX-License-Identifier: GPL-3.0-or-later
// Memory, transfers and clock of a run on one device. One stream orders everything except strips (strips/strip_runner.hpp).
#pragma once

#include <memory>
#include <utility>

#include "core/engine/backend/backend.hpp"
#include "core/engine/backend/device_memory.hpp"
#include "core/parallel/rank_device.hpp"
#include "gpu/parallel/rank_link.hpp"
#include "gpu/runtime/event_clock.hpp"
#include "gpu/runtime/memory/memory_pool.hpp"
#include "gpu/runtime/recorded_work.hpp"
#include "gpu/runtime/stream.hpp"
#include "gpu/runtime/strips/strip_runner.hpp"

namespace parallax::gpu {

class SessionGroup;

class CudaSession final : public BackendSession, public RankDevice, public MeasuresDeviceMemory {
public:
    explicit CudaSession(int device);
    ~CudaSession() override;

    MemorySpace memorySpace() const override { return MemorySpace::device; }
    Layout paddedLayout(const Shape& shape) const override;
    Buffer allocate(const Layout& layout) override;
    void upload(View<const float> host, View<float> device) override;
    void download(View<const float> device, View<float> host) override;
    StageClock& clock() override { return clock_; }
    void drain() override;
    std::shared_ptr<Allocator> pageLockedMemory() override;
    StripLimits stripLimits(bool pinned) const override { return pinned ? kPinnedStrips : kStagedStrips; }
    StripLimits slabLimits(bool pinned) const override { return pinned ? kPinnedSlabs : kStagedSlabs; }
    void runStrips(Execution& execution, const StripPlan& plan, const View<const float>& input, const View<float>& output,
                   RunContext& context) override;
    void runRecorded(const std::vector<const void*>& buffers, const std::function<void()>& work) override;
    void beginRange(const char* name) override;
    void endRange() override;
    void startProfiler() override;
    void stopProfiler() override;

    std::uint64_t usedDeviceMemory() const override { return MemoryPool::of(device_).usedBytes(); }
    std::uint64_t takeDeviceMemoryPeak() override { return MemoryPool::of(device_).takePeakBytes(); }

    std::unique_ptr<RankCopies> startCopies() override;
    void useRanks(Communicator* communicator) override;

    int device() const { return device_; }
    cudaStream_t stream() const { return stream_->get(); }
    const std::shared_ptr<Stream>& sharedStream() const { return stream_; }
    /// Stream-ordered memory: released memory is reused only by work enqueued later.
    const std::shared_ptr<Allocator>& allocator() const { return allocator_; }

    /// Makes it the session of a part of a run on several devices.
    void join(std::shared_ptr<SessionGroup> group, int rank) {
        group_ = std::move(group);
        rank_ = rank;
    }
    /// Null for a run on one device.
    const std::shared_ptr<SessionGroup>& group() const { return group_; }
    int rank() const { return rank_; }

private:
    int device_;
    std::shared_ptr<SessionGroup> group_;
    int rank_ = 0;
    std::shared_ptr<Stream> stream_;
    std::shared_ptr<Allocator> allocator_;
    EventClock clock_;
    std::unique_ptr<StripRunner> strips_;  // created on first use
    RecordedWork recorded_;
    std::unique_ptr<RankLink> link_;  // created on first use
};

/// Returns the session of a run on this backend. Throws Error(failed) if the context has none, or one of another backend.
CudaSession& cudaSession(const RunContext& context);

}  // namespace parallax::gpu
