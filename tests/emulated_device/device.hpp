// SPDX-License-Identifier: GPL-3.0-or-later
// The device: its memory, its streams and what is in them.
//
// Nothing runs when it is enqueued, unless the dice say so: what a stream holds is executed when somebody waits, by the thread that waits,
// one operation of a random stream after the other, as far as order within streams and events allow. So work that is not ordered by an
// event runs in the wrong order sooner or later, and host memory that was reused too early is read too late.
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
    std::uint64_t recorded = 0, completed = 0;  ///< number of the last record, and of the last one that was executed
    Clock::time_point when{};
    struct Capture* capture = nullptr;  ///< the last record was captured: it stands for these nodes
    std::vector<std::size_t> nodes;
};
using EventPtr = std::shared_ptr<Event>;

struct Operation {
    std::string name;
    std::function<void()> work;
    EventPtr waitsFor;  ///< ready when `ticket` of it is completed
    std::uint64_t ticket = 0;
    bool callsHost = false;  ///< runs without the lock: it may take locks of its own
    std::uint64_t sequence = 0;
};

struct Node {
    Operation operation;
    std::vector<std::size_t> after;
};

/// What is being captured.
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
    std::vector<std::size_t> last;  ///< nodes that the next one comes after
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
    std::size_t bytes = 0;     ///< as asked for, by whoever has it for the host
    std::size_t guarded = 0;   ///< where the guard behind begins: `bytes` of whoever has it for the stream
    std::size_t capacity = 0;  ///< of a block of a pool, which may be more
    cudaMemoryType type = cudaMemoryTypeDevice;
    cudaMemPool_t pool = nullptr;
    bool registered = false;            ///< host memory that is not ours
    bool given = true;                  ///< in use; else idle, or on its way to that
    cudaStream_t releasedIn = nullptr;  ///< its release waits in this stream
    std::uint64_t release = 0;          ///< which one, of those of this block
    bool idle = false;
};

extern thread_local cudaError_t lastError;
extern thread_local cudaStreamCaptureMode captureMode;
/// Keeps an error as the last one.
cudaError_t report(cudaError_t error);

class Device {
public:
    std::mutex mutex;
    std::condition_variable changed;
    CUstream_st legacy, perThread;
    std::vector<std::unique_ptr<CUstream_st>> streams;
    std::map<std::uintptr_t, Allocation> memory;  ///< by the first byte
    std::size_t used = 0;                         ///< bytes of the device, those that pools keep included
    std::map<const void*, int> sharedLimits;      ///< of kernels that asked for more
    std::vector<std::unique_ptr<Capture>> captures;
    CUmemPoolHandle_st defaultPool;
    std::vector<std::unique_ptr<CUmemPoolHandle_st>> pools;
    std::string faults;              ///< what was wrong first
    cudaError_t lost = cudaSuccess;  ///< stays: a fault ends the life of the device
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

    /// Executes one operation that may be next. False if there is none.
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

    /// The legacy stream cannot be used while a stream that waits for it is being captured.
    cudaError_t implicitUse(const CUstream_st& s);
    /// Calls that would wait, or that act on the whole device, are refused while something is captured.
    cudaError_t refuseWhileCapturing();

    void destroy(CUstream_st* s);

    // ---- memory: device_memory.cpp

    std::map<std::uintptr_t, Allocation>::iterator allocationOf(const void* p);
    cudaMemoryType typeOf(const void* p);
    /// Does a range lie in one allocation that is in use?
    bool inside(const void* p, std::size_t bytes);

    /// Memory with guards before and behind; `capacity` is at least `bytes`.
    void* make(std::size_t bytes, std::size_t capacity, cudaMemoryType type, cudaMemPool_t pool);
    /// Of `capacity` bytes the first `bytes` may be used from now on.
    void give(void* p, Allocation& a, std::size_t bytes);
    static std::size_t guardedBehind(const Allocation& a) { return std::min(a.capacity - a.guarded + kGuardBytes, std::size_t{4096}); }

    /// Large arrays get only some of it: pages that nobody touches cost nothing.
    void garbage(void* p, std::size_t bytes);

    /// What was written before or behind is found at the end of an allocation's life, if no sanitizer found it at once.
    void inspect(std::uintptr_t address, const Allocation& a);
    void unmake(std::map<std::uintptr_t, Allocation>::iterator a);

    cudaError_t allocate(void** p, std::size_t bytes);

    cudaError_t allocateFromPool(Lock& lock, void** p, std::size_t bytes, CUmemPoolHandle_st& pool, CUstream_st& s);
    void renew(std::uintptr_t address, std::size_t bytes, std::uint64_t which);

    cudaError_t release(Lock& lock, void* p, CUstream_st& s);
    void retire(std::uintptr_t address, std::uint64_t which);
    void unmakeIdle(std::map<std::uintptr_t, Allocation>::iterator a);
    void trim(CUmemPoolHandle_st& pool, std::uint64_t keep);
    /// Where somebody waited, pools give back what they need not keep.
    void afterWait();

private:
    void finish(CUstream_st& s);
    /// Streams that were destroyed and are done.
    void bury();

    CUstream_st* favourite_ = nullptr;
    int burst_ = 0, waiters_ = 0;
    std::vector<CUstream_st*> candidates_;
};

/// Lives as long as the process: static objects release device memory late.
Device& device();

/// The lock and the error that stays.
struct Call {
    Device& d = device();
    Device::Lock lock{d.mutex};
    cudaError_t end(cudaError_t e) const { return report(d.lost != cudaSuccess ? d.lost : e); }
};

}  // namespace emulatedDevice
