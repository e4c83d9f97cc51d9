// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/runtime/memory/staging_engine.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <vector>

#include "core/engine/run/run_context.hpp"
#include "gpu/runtime/cuda_check.hpp"
#include "gpu/runtime/memory/pinned_allocator.hpp"
#include "gpu/runtime/per_device.hpp"
#include "gpu/runtime/team.hpp"

namespace parallax::gpu {
namespace {

constexpr const char* kUploadFailed = "An image could not be uploaded";
constexpr const char* kDownloadFailed = "A result could not be downloaded";

/// A page-locked block; `free` is recorded after the copy that uses it.
struct Slot {
    explicit Slot(int device)
        : block(Shape{static_cast<std::int64_t>(kLargestStagedPiece / sizeof(float)), 1, 1, 1}, SampleType::float32,
                pinnedAllocator(device)),
          free(Event::Kind::ordering) {}
    Buffer block;
    Event free;
};

struct Lane {
    explicit Lane(int device) : stream(device), done(Event::Kind::ordering), slots{Slot(device), Slot(device)} {}
    Stream stream;
    Event done;
    Slot slots[2];
};

/// Whole rows, or a part of one: contiguous on the host.
struct Piece {
    std::size_t onHost, onDevice;  ///< offsets in bytes
    std::size_t rowBytes, rows;
    std::size_t bytes() const { return rowBytes * rows; }
};

/// Cuts a transfer into pieces of at most `most` bytes.
class Pieces {
public:
    Pieces(const RowTransfer& all, std::size_t most)
        : all_(all),
          most_(most),
          rowsEach_(std::max<std::size_t>(most / all.rowBytes, 1)),
          partsOfRow_((all.rowBytes + most - 1) / most),
          count_((all.rows + rowsEach_ - 1) / rowsEach_ * partsOfRow_) {}
    std::size_t count() const { return count_; }
    Piece at(std::size_t i) const {
        const std::size_t row = i / partsOfRow_ * rowsEach_, part = i % partsOfRow_ * most_;
        return {.onHost = row * all_.rowBytes + part,
                .onDevice = row * all_.devicePitch + part,
                .rowBytes = std::min(most_, all_.rowBytes - part),
                .rows = std::min(rowsEach_, all_.rows - row)};
    }

private:
    RowTransfer all_;
    std::size_t most_, rowsEach_, partsOfRow_, count_;
};

void copyRows(void* to, std::size_t toPitch, const void* from, std::size_t fromPitch, std::size_t rowBytes, std::size_t rows,
              cudaMemcpyKind kind, const Stream& stream) {
    const char* const failed = kind == cudaMemcpyHostToDevice ? kUploadFailed : kDownloadFailed;
    if (rows == 1) check(cudaMemcpyAsync(to, from, rowBytes, kind, stream.get()), failed);
    else check(cudaMemcpy2DAsync(to, toPitch, from, fromPitch, rowBytes, rows, kind, stream.get()), failed);
}
/// From and to page-locked memory.
void uploadRows(void* device, const void* host, const RowTransfer& all, std::size_t rowBytes, std::size_t rows, const Stream& stream) {
    copyRows(device, all.devicePitch, host, rowBytes, rowBytes, rows, cudaMemcpyHostToDevice, stream);
}
void downloadRows(void* host, const void* device, const RowTransfer& all, std::size_t rowBytes, std::size_t rows, const Stream& stream) {
    copyRows(host, rowBytes, device, all.devicePitch, rowBytes, rows, cudaMemcpyDeviceToHost, stream);
}

}  // namespace

struct StagingEngine::State {
    explicit State(int d) : device(d), lanes(makeLanes(d)), team(static_cast<int>(lanes.size())), ready(Event::Kind::ordering) {}

    static std::vector<std::unique_ptr<Lane>> makeLanes(int device) {
        const int count = std::clamp(effectiveThreads({}), 1, kMaxStagingLanes);
        std::vector<std::unique_ptr<Lane>> lanes;
        for (int i = 0; i < count; ++i) lanes.push_back(std::make_unique<Lane>(device));
        return lanes;
    }

    /// Distributes pieces among the lanes: task(lane, next), where next(piece) returns false at the end. The lanes' streams wait for
    /// earlier work of `stream`, such as the allocation of the target.
    template <class Task>
    void share(const RowTransfer& all, const Stream& stream, const char* failed, Task&& task) {
        ready.record(stream.get());
        std::size_t piece = (all.rowBytes * all.rows + lanes.size() - 1) / lanes.size();
        piece = std::clamp(piece, kSmallestStagedPiece, kLargestStagedPiece);
        piece = (piece + 255) / 256 * 256;
        const Pieces pieces(all, piece);
        std::atomic<std::size_t> taken{0};
        const auto next = [&](Piece& p) {
            const std::size_t i = taken.fetch_add(1, std::memory_order_relaxed);
            if (i >= pieces.count()) return false;
            p = pieces.at(i);
            return true;
        };
        used = static_cast<int>(std::min(lanes.size(), pieces.count()));
        team.run(used, [&](int member) {
            const CurrentDevice current(device);
            Lane& lane = *lanes[static_cast<std::size_t>(member)];
            check(cudaStreamWaitEvent(lane.stream.get(), ready.get()), failed);
            task(lane, next);
        });
    }

    int device;
    std::mutex mutex;  // one transfer at a time: two would share the link
    std::vector<std::unique_ptr<Lane>> lanes;
    Team team;
    Event ready;
    int used = 0;
};

StagingEngine::StagingEngine(int device) : state_(std::make_unique<State>(device)) {}

StagingEngine& StagingEngine::of(int device) {
    static auto* engines = new PerDevice<StagingEngine*>;
    return *engines->of(device, [&] {
        const CurrentDevice current(device);
        return new StagingEngine(device);
    });
}

void StagingEngine::upload(void* device, const void* host, const RowTransfer& all, Stream& stream) {
    if (all.rowBytes * all.rows == 0) return;
    State& s = *state_;
    const CurrentDevice current(s.device);
    if (isPinned(host)) {
        uploadRows(device, host, all, all.rowBytes, all.rows, stream);
        // The source may change when this returns.
        return check(cudaStreamSynchronize(stream.get()), kUploadFailed);
    }
    const std::scoped_lock lock(s.mutex);
    s.share(all, stream, kUploadFailed, [&](Lane& lane, const auto& next) {
        Piece p{};
        for (int turn = 0; next(p); turn ^= 1) {
            Slot& slot = lane.slots[turn];
            slot.free.wait();  // returns immediately before first use
            std::memcpy(slot.block.data(), static_cast<const char*>(host) + p.onHost, p.bytes());
            uploadRows(static_cast<char*>(device) + p.onDevice, slot.block.data(), all, p.rowBytes, p.rows, lane.stream);
            slot.free.record(lane.stream.get());
        }
        lane.done.record(lane.stream.get());
    });
    for (int i = 0; i < s.used; ++i)
        check(cudaStreamWaitEvent(stream.get(), s.lanes[static_cast<std::size_t>(i)]->done.get()), kUploadFailed);
}

void StagingEngine::download(void* host, const void* device, const RowTransfer& all, Stream& stream) {
    if (all.rowBytes * all.rows == 0) return;
    State& s = *state_;
    const CurrentDevice current(s.device);
    if (isPinned(host)) {
        downloadRows(host, device, all, all.rowBytes, all.rows, stream);
        return check(cudaStreamSynchronize(stream.get()), kDownloadFailed);
    }
    const std::scoped_lock lock(s.mutex);
    s.share(all, stream, kDownloadFailed, [&](Lane& lane, const auto& next) {
        Piece pending[2]{};
        const auto unload = [&](int turn) {
            if (pending[turn].rows == 0) return;
            lane.slots[turn].free.wait();
            std::memcpy(static_cast<char*>(host) + pending[turn].onHost, lane.slots[turn].block.data(), pending[turn].bytes());
            pending[turn].rows = 0;
        };
        Piece p{};
        int turn = 0;
        for (; next(p); turn ^= 1) {
            unload(turn);
            Slot& slot = lane.slots[turn];
            slot.free.wait();  // an upload may still be reading it
            downloadRows(slot.block.data(), static_cast<const char*>(device) + p.onDevice, all, p.rowBytes, p.rows, lane.stream);
            slot.free.record(lane.stream.get());
            pending[turn] = p;
        }
        unload(turn);
        unload(turn ^ 1);
    });
}

}  // namespace parallax::gpu
