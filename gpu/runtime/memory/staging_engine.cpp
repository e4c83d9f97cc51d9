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

/// A range of the memory of the device.
struct Piece {
    std::size_t begin, bytes;
};

/// Calls f(offset in the piece, offset on the host, bytes) for each part of a row that lies in the piece.
template <class F>
void forRowParts(const RowTransfer& rows, const Piece& piece, F&& f) {
    for (std::size_t done = 0; done < piece.bytes;) {
        const std::size_t row = (piece.begin + done) / rows.devicePitch, within = (piece.begin + done) % rows.devicePitch;
        const std::size_t bytes = std::min(rows.devicePitch - within, piece.bytes - done);
        if (within < rows.rowBytes) f(done, row * rows.rowBytes + within, std::min(bytes, rows.rowBytes - within));
        done += bytes;
    }
}

/// Copies between the device and page-locked memory, which may change when this returns.
void copyDirectly(void* to, std::size_t toPitch, const void* from, std::size_t fromPitch, const RowTransfer& rows, cudaMemcpyKind kind,
                  const Stream& stream) {
    const char* const failed = kind == cudaMemcpyHostToDevice ? kUploadFailed : kDownloadFailed;
    if (rows.rows == 1) check(cudaMemcpyAsync(to, from, rows.rowBytes, kind, stream.get()), failed);
    else check(cudaMemcpy2DAsync(to, toPitch, from, fromPitch, rows.rowBytes, rows.rows, kind, stream.get()), failed);
    check(cudaStreamSynchronize(stream.get()), failed);
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
    void share(std::size_t bytes, const Stream& stream, const char* failed, Task&& task) {
        ready.record(stream.get());
        std::size_t piece = (bytes + lanes.size() - 1) / lanes.size();
        piece = std::clamp(piece, kSmallestStagedPiece, kLargestStagedPiece);
        piece = (piece + 255) / 256 * 256;
        const std::size_t pieces = (bytes + piece - 1) / piece;
        std::atomic<std::size_t> taken{0};
        const auto next = [&](Piece& p) {
            const std::size_t i = taken.fetch_add(1, std::memory_order_relaxed);
            if (i >= pieces) return false;
            p = {i * piece, std::min(piece, bytes - i * piece)};
            return true;
        };
        used = static_cast<int>(std::min(lanes.size(), pieces));
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

void StagingEngine::upload(void* device, const void* host, const RowTransfer& rows, Stream& stream) {
    if (rows.deviceBytes() == 0) return;
    State& s = *state_;
    const CurrentDevice current(s.device);
    if (isPinned(host)) return copyDirectly(device, rows.devicePitch, host, rows.rowBytes, rows, cudaMemcpyHostToDevice, stream);
    const std::scoped_lock lock(s.mutex);
    s.share(rows.deviceBytes(), stream, kUploadFailed, [&](Lane& lane, const auto& next) {
        Piece p{};
        for (int turn = 0; next(p); turn ^= 1) {
            Slot& slot = lane.slots[turn];
            slot.free.wait();  // returns immediately before first use
            forRowParts(rows, p, [&](std::size_t at, std::size_t onHost, std::size_t bytes) {
                std::memcpy(static_cast<char*>(slot.block.data()) + at, static_cast<const char*>(host) + onHost, bytes);
            });
            check(cudaMemcpyAsync(static_cast<char*>(device) + p.begin, slot.block.data(), p.bytes, cudaMemcpyHostToDevice,
                                  lane.stream.get()),
                  kUploadFailed);
            slot.free.record(lane.stream.get());
        }
        lane.done.record(lane.stream.get());
    });
    for (int i = 0; i < s.used; ++i)
        check(cudaStreamWaitEvent(stream.get(), s.lanes[static_cast<std::size_t>(i)]->done.get()), kUploadFailed);
}

void StagingEngine::download(void* host, const void* device, const RowTransfer& rows, Stream& stream) {
    if (rows.deviceBytes() == 0) return;
    State& s = *state_;
    const CurrentDevice current(s.device);
    if (isPinned(host)) return copyDirectly(host, rows.rowBytes, device, rows.devicePitch, rows, cudaMemcpyDeviceToHost, stream);
    const std::scoped_lock lock(s.mutex);
    s.share(rows.deviceBytes(), stream, kDownloadFailed, [&](Lane& lane, const auto& next) {
        Piece pending[2]{};
        const auto unload = [&](int turn) {
            if (pending[turn].bytes == 0) return;
            lane.slots[turn].free.wait();
            forRowParts(rows, pending[turn], [&](std::size_t at, std::size_t onHost, std::size_t bytes) {
                std::memcpy(static_cast<char*>(host) + onHost, static_cast<const char*>(lane.slots[turn].block.data()) + at, bytes);
            });
            pending[turn].bytes = 0;
        };
        Piece p{};
        int turn = 0;
        for (; next(p); turn ^= 1) {
            unload(turn);
            Slot& slot = lane.slots[turn];
            slot.free.wait();  // an upload may still be reading it
            check(cudaMemcpyAsync(slot.block.data(), static_cast<const char*>(device) + p.begin, p.bytes, cudaMemcpyDeviceToHost,
                                  lane.stream.get()),
                  kDownloadFailed);
            slot.free.record(lane.stream.get());
            pending[turn] = p;
        }
        unload(turn);
        unload(turn ^ 1);
    });
}

}  // namespace parallax::gpu
