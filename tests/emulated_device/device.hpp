// SPDX-License-Identifier: GPL-3.0-or-later
// The device: its memory, its streams and their operations.
//
// Operations usually run when a thread waits, in that thread: one operation of a random stream after the other, as far as events and the
// order within streams allow. Work without the necessary events thus runs in the wrong order sooner or later, and host memory that was
// reused too early is read too late.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "tests/emulated_device/block.hpp"

namespace emulatedDevice {

using Clock = std::chrono::steady_clock;

inline constexpr std::size_t kMemory = std::size_t{2} << 30;
inline constexpr std::size_t kAlignment = 256;
inline constexpr std::size_t kGuardBytes = 256;
inline constexpr unsigned char kGuard = 0xA5;
inline constexpr int kMultiprocessors = 4, kThreadsPerMultiprocessor = 2048, kBlocksPerMultiprocessor = 32;
inline constexpr std::size_t kSharedPerMultiprocessor = 228 * 1024, kSharedReserved = 1024;

struct Event {
    bool timing = true;
    std::uint64_t recorded = 0, completed = 0;  ///< number of the last record, and of the last executed one
    Clock::time_point when{};
    struct Capture* capture = nullptr;  ///< set if the last record was captured: it represents these nodes
    std::vector<std::size_t> nodes;
};
using EventPtr = std::shared_ptr<Event>;

struct Operation {
    std::string name;
    std::function<void()> work;
    EventPtr waitsFor;  ///< event; ready when its `ticket` is completed
    std::uint64_t ticket = 0;
    bool callsHost = false;  ///< runs without the lock, since it may take other locks
    std::uint64_t sequence = 0;
};

struct Node {
    Operation operation;
    std::vector<std::size_t> after;
};

/// A capture in progress.
struct Capture {
    std::vector<Node> nodes;
    CUstream_st* origin = nullptr;
    cudaStreamCaptureMode mode{};
    bool invalidated = false;
    std::set<CUstream_st*> streams;
};

}  // namespace emulatedDevice

struct CUstream_st {
    unsigned flags = 0;
    bool zombie = false;  ///< destroyed, but not yet empty
    bool busy = false;    ///< its first operation runs, without the lock
    std::deque<emulatedDevice::Operation> queue;
    std::uint64_t enqueued = 0, done = 0;
    emulatedDevice::Capture* capture = nullptr;
    std::vector<std::size_t> last;  ///< predecessors of the next node
};
struct CUevent_st {
    emulatedDevice::EventPtr event;
};
struct CUgraph_st {
    std::vector<emulatedDevice::Node> nodes;
};
struct CUgraphExec_st {
    std::shared_ptr<const std::vector<emulatedDevice::Node>> nodes;
};
struct CUmemPoolHandle_st {
    std::uint64_t threshold = 0, used = 0, reserved = 0, usedHigh = 0, reservedHigh = 0;
};

namespace emulatedDevice {

struct Allocation {
    std::size_t bytes = 0;     ///< requested size, by the current owner in host order
    std::size_t guarded = 0;   ///< start of the guard behind: `bytes` of the current owner in stream order
    std::size_t capacity = 0;  ///< of a block of a pool, possibly larger
    cudaMemoryType type = cudaMemoryTypeDevice;
    cudaMemPool_t pool = nullptr;
    bool registered = false;            ///< registered host memory, owned by the program
    bool given = true;                  ///< in use; otherwise idle or being released
    cudaStream_t releasedIn = nullptr;  ///< its release waits in this stream
    std::uint64_t release = 0;          ///< number of the release of this block
    bool idle = false;
};

extern thread_local cudaError_t lastError;
extern thread_local cudaStreamCaptureMode captureMode;
/// Stores an error as the last one.
cudaError_t report(cudaError_t error);

class Device {
public:
    std::mutex mutex;
    std::condition_variable changed;
    CUstream_st legacy, perThread;
    std::vector<std::unique_ptr<CUstream_st>> streams;
    std::map<std::uintptr_t, Allocation> memory;  ///< key: first byte
    std::size_t used = 0;                         ///< bytes of the device, including those held by pools
    std::map<const void*, int> sharedLimits;      ///< of kernels that requested more
    std::vector<std::unique_ptr<Capture>> captures;
    CUmemPoolHandle_st defaultPool;
    std::vector<std::unique_ptr<CUmemPoolHandle_st>> pools;
    std::string faults;              ///< the first fault
    cudaError_t lost = cudaSuccess;  ///< permanent: the device cannot be used after a fault
    Dice dice{2};
    std::uint64_t sequence = 0;

    using Lock = std::unique_lock<std::mutex>;

    CUstream_st* find(cudaStream_t stream);

    void fault(cudaError_t error, const std::string& what);

    // ---- order: device.cpp

    bool ready(const CUstream_st& s) const;

    template <class F>
    void forStreams(F&& f) {
        f(legacy);
        f(perThread);
        for (const auto& s : streams) f(*s);
    }

    /// Executes one of the operations that may be next. Returns false if there is none.
    bool step(Lock& lock);

    /// Executes until `done()`.
    template <class F>
    void runUntil(Lock& lock, F&& done) {
        while (!done()) {
            if (step(lock)) continue;
            bool busy = false;
            forStreams([&](const CUstream_st& s) { busy = busy || s.busy; });
            if (!busy) {
                fault(cudaErrorUnknown, "streams wait for each other");
                return;
            }
            changed.wait(lock);
        }
    }
    void runAll(Lock& lock);
    void runStream(Lock& lock, CUstream_st& s);

    cudaError_t enqueue(Lock& lock, CUstream_st& s, Operation operation);

    /// The legacy stream cannot be used while a blocking stream is being captured.
    cudaError_t implicitUse(const CUstream_st& s);
    /// Refuses calls that would wait or act on the whole device during a capture.
    cudaError_t refuseWhileCapturing();

    void destroy(CUstream_st* s);

    // ---- memory: device_memory.cpp

    std::map<std::uintptr_t, Allocation>::iterator allocationOf(const void* p);
    cudaMemoryType typeOf(const void* p);
    /// Returns whether a range is inside one allocation that is in use.
    bool inside(const void* p, std::size_t bytes);

    /// Memory with guards before and behind; `capacity` is at least `bytes`.
    void* make(std::size_t bytes, std::size_t capacity, cudaMemoryType type, cudaMemPool_t pool);
    /// Makes the first `bytes` of `capacity` bytes usable.
    void give(void* p, Allocation& a, std::size_t bytes);
    static std::size_t guardedBehind(const Allocation& a) { return std::min(a.capacity - a.guarded + kGuardBytes, std::size_t{4096}); }

    /// Fills only parts of large arrays, since untouched pages cost nothing.
    void garbage(void* p, std::size_t bytes);

    /// Checks the guards at the end of an allocation's life; sanitizers find such writes immediately.
    void inspect(std::uintptr_t address, const Allocation& a);
    void unmake(std::map<std::uintptr_t, Allocation>::iterator a);

    cudaError_t allocate(void** p, std::size_t bytes);

    cudaError_t allocateFromPool(Lock& lock, void** p, std::size_t bytes, CUmemPoolHandle_st& pool, CUstream_st& s);
    void renew(std::uintptr_t address, std::size_t bytes, std::uint64_t which);

    cudaError_t release(Lock& lock, void* p, CUstream_st& s);
    void retire(std::uintptr_t address, std::uint64_t which);
    void unmakeIdle(std::map<std::uintptr_t, Allocation>::iterator a);
    void trim(CUmemPoolHandle_st& pool, std::uint64_t keep);
    /// Trims pools at synchronisation points, down to their release threshold.
    void afterWait();

private:
    void finish(CUstream_st& s);
    /// Removes destroyed streams that are empty.
    void bury();

    CUstream_st* favourite_ = nullptr;
    int burst_ = 0, waiters_ = 0;
    std::vector<CUstream_st*> candidates_;
};

/// Never destroyed, since static objects release device memory late.
Device& device();

/// Holds the lock, and returns and stores the error.
struct Call {
    Device& d = device();
    Device::Lock lock{d.mutex};
    cudaError_t end(cudaError_t e) const { return report(d.lost != cudaSuccess ? d.lost : e); }
};

}  // namespace emulatedDevice
