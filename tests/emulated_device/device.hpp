// SPDX-License-Identifier: GPL-3.0-or-later
// The devices of the machine: their memory, their streams and the streams' operations.
//
// Operations usually run when a thread waits, in that thread: one operation of a random stream after the other, as far as events and the
// order within streams allow. Work without the necessary events thus runs in the wrong order sooner or later, and host memory that was
// reused too early is read too late. A kernel that waits for memory pauses its operation, and those of other streams and devices run.
#pragma once

#include <algorithm>
#include <array>
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

#include "emulated_device/testing.hpp"
#include "tests/emulated_device/arena.hpp"
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
    int device = 0;
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
    int device = 0;
    unsigned flags = 0;
    bool zombie = false;  ///< destroyed, but not yet empty
    bool busy = false;    ///< its first operation runs, without the lock
    std::deque<emulatedDevice::Operation> queue;
    std::uint64_t enqueued = 0, done = 0;
    std::unique_ptr<emulatedDevice::Task> task;  ///< its first operation, while that is paused
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
    int device = 0;
    std::set<int> peers;  ///< devices that have access, besides its own
    std::unique_ptr<emulatedDevice::Arena> arena;
    std::uint64_t threshold = 0, used = 0, reserved = 0, usedHigh = 0, reservedHigh = 0;
};

namespace emulatedDevice {

struct Allocation {
    std::size_t bytes = 0;     ///< requested size, by the current owner in host order
    std::size_t guarded = 0;   ///< start of the guard behind: `bytes` of the current owner in stream order
    std::size_t capacity = 0;  ///< of a block of a pool, possibly larger
    cudaMemoryType type = cudaMemoryTypeDevice;
    cudaMemPool_t pool = nullptr;
    int device = 0;
    Arena* arena = nullptr;             ///< nullptr: of the host's allocator
    bool registered = false;            ///< registered host memory, or mapped by the driver: owned by the program
    bool given = true;                  ///< in use; otherwise idle or being released
    cudaStream_t releasedIn = nullptr;  ///< its release waits in this stream
    std::uint64_t release = 0;          ///< number of the release of this block
    bool idle = false;
};

extern thread_local cudaError_t lastError;
extern thread_local cudaStreamCaptureMode captureMode;
/// Stores an error as the last one.
cudaError_t report(cudaError_t error);

extern thread_local int currentDevice;

/// One device.
struct Device {
    CUstream_st legacy, perThread;
    std::size_t used = 0;                     ///< bytes of the device, including those held by pools
    std::map<const void*, int> sharedLimits;  ///< of kernels that requested more
    CUmemPoolHandle_st defaultPool;
    cudaError_t lost = cudaSuccess;  ///< permanent: the device cannot be used after a fault
    std::set<int> peers;             ///< devices whose memory its kernels may access
    std::unique_ptr<Arena> arena;    ///< of memory outside of pools; on machines with several devices
    int kernelsUntilFailure = -1;
};

enum class Step { nothing, done, paused };

class Machine {
public:
    Machine();

    std::mutex mutex;
    std::condition_variable changed;
    int deviceCount = 1;
    std::size_t sharedAtMost = kSharedAtMost;  // of a block that opts in
    std::array<Device, kMaxDevices> devices;
    std::vector<std::unique_ptr<CUstream_st>> streams;
    std::map<std::uintptr_t, Allocation> memory;  ///< key: first byte
    std::vector<std::unique_ptr<Capture>> captures;
    std::vector<std::unique_ptr<CUmemPoolHandle_st>> pools;
    std::string faults;  ///< the first fault
    Dice dice{2};
    std::uint64_t sequence = 0;

    using Lock = std::unique_lock<std::mutex>;

    CUstream_st* find(cudaStream_t stream);

    Device& current() { return devices[static_cast<std::size_t>(currentDevice)]; }
    Device& of(int device) { return devices[static_cast<std::size_t>(device)]; }
    Device& of(const CUstream_st& s) { return of(s.device); }
    const Device& of(const CUstream_st& s) const { return devices[static_cast<std::size_t>(s.device)]; }
    bool isDevice(int device) const { return device >= 0 && device < deviceCount; }

    void fault(int device, cudaError_t error, const std::string& what);

    // ---- order: device.cpp

    bool ready(const CUstream_st& s) const;

    template <class F>
    void forStreams(F&& f) {
        for (Device& d : devices) {
            f(d.legacy);
            f(d.perThread);
        }
        for (const auto& s : streams) f(*s);
    }

    /// Executes one of the operations that may be next, or a part of one that pauses.
    Step step(Lock& lock);

    /// Executes until `done()`.
    template <class F>
    void runUntil(Lock& lock, F&& done) {
        int paused = 0;
        while (!done()) {
            const Step s = step(lock);
            paused = s == Step::paused ? paused + 1 : 0;
            if (s == Step::done) continue;
            if (s == Step::nothing) {
                bool busy = false;
                forStreams([&](const CUstream_st& stream) { busy = busy || stream.busy; });
                if (!busy) {
                    fault(currentDevice, cudaErrorUnknown, "streams wait for each other");
                    return;
                }
                changed.wait(lock);
            } else if (paused > kPauses) {
                // Kernels wait for what the host writes or other threads enqueue.
                changed.wait_for(lock, std::chrono::microseconds(100));
                paused = 0;
            }
        }
    }
    /// Executes all work of a device.
    void runAll(Lock& lock, int device);
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
    void* make(std::size_t bytes, std::size_t capacity, cudaMemoryType type, int device, cudaMemPool_t pool);
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
    /// Keeps kernels of a device from memory that they must not access, or gives access to all of it (-1).
    void protectFrom(int device);
    /// Returns whose memory it is, if it is in an arena; otherwise -1.
    int ownerOfPage(const void* p);

private:
    static constexpr int kPauses = 64;

    /// Makes the arena of a device or a pool where kernels of other devices must be kept out.
    Arena* arenaOf(std::unique_ptr<Arena>& arena);
    /// Starts or resumes the first operation of a stream. Returns whether it has ended.
    bool run(CUstream_st& s);
    void finish(CUstream_st& s);
    /// Removes destroyed streams that are empty.
    void bury();

    CUstream_st* favourite_ = nullptr;
    int burst_ = 0, waiters_ = 0;
    std::vector<CUstream_st*> candidates_;
    std::vector<std::unique_ptr<Task>> idleTasks_;
};

/// Never destroyed, since static objects release device memory late.
Machine& machine();

/// Holds the lock, and returns and stores the error.
struct Call {
    Machine& d = machine();
    Machine::Lock lock{d.mutex};
    cudaError_t end(cudaError_t e) const {
        const cudaError_t lost = d.current().lost;
        return report(lost != cudaSuccess ? lost : e);
    }
};

}  // namespace emulatedDevice
