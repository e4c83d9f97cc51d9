// SPDX-License-Identifier: GPL-3.0-or-later
// The runtime: one device, its memory, streams, events and graphs.
//
// Nothing runs when it is enqueued, unless the dice say so: what a stream holds is executed when somebody waits, by the thread that waits,
// one operation of a random stream after the other, as far as order within streams and events allow. So work that is not ordered by an
// event runs in the wrong order sooner or later, and host memory that was reused too early is read too late.
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "block.hpp"
#include "emulated_device/testing.hpp"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(p, bytes) (static_cast<void>(p), static_cast<void>(bytes))
#define ASAN_UNPOISON_MEMORY_REGION(p, bytes) (static_cast<void>(p), static_cast<void>(bytes))
#endif

namespace emulatedDevice {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMemory = std::size_t{2} << 30;
constexpr std::size_t kAlignment = 256;
constexpr std::size_t kGuardBytes = 256;
constexpr unsigned char kGuard = 0xA5;
constexpr int kMultiprocessors = 4, kThreadsPerMultiprocessor = 2048, kBlocksPerMultiprocessor = 32;
constexpr std::size_t kSharedPerMultiprocessor = 228 * 1024, kSharedReserved = 1024;

// ---- streams and what is in them ------------------------------------------------------------------------------------------------------

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

}  // namespace
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
namespace {

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

thread_local cudaError_t lastError = cudaSuccess;
thread_local cudaStreamCaptureMode captureMode = cudaStreamCaptureModeGlobal;

cudaError_t report(cudaError_t error) {
    if (error != cudaSuccess) lastError = error;
    return error;
}

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

    CUstream_st* find(cudaStream_t stream) {
        if (stream == nullptr || stream == cudaStreamLegacy) return &legacy;
        if (stream == cudaStreamPerThread) return &perThread;
        for (const auto& s : streams)
            if (s.get() == stream && !s->zombie) return stream;
        return nullptr;
    }

    void fault(cudaError_t error, const std::string& what) {
        std::fprintf(stderr, "emulated device: %s\n", what.c_str());
        if (faults.empty()) faults = what;
        if (lost == cudaSuccess) lost = error;
    }

    // ---- order ----

    bool ready(const CUstream_st& s) const {
        if (s.queue.empty() || s.busy) return false;
        const Operation& first = s.queue.front();
        // Once the device is lost nothing waits any more.
        if (first.waitsFor && first.waitsFor->completed < first.ticket && lost == cudaSuccess) return false;
        // The legacy stream and those that do not refuse it wait for each other.
        if (&s == &legacy) {
            for (const auto& other : streams)
                if ((other->flags & cudaStreamNonBlocking) == 0 && !other->queue.empty() && other->queue.front().sequence < first.sequence)
                    return false;
            return perThread.queue.empty() || perThread.queue.front().sequence > first.sequence;
        }
        if ((s.flags & cudaStreamNonBlocking) == 0) return legacy.queue.empty() || legacy.queue.front().sequence > first.sequence;
        return true;
    }

    template <class F>
    void forStreams(F&& f) {
        f(legacy);
        f(perThread);
        for (const auto& s : streams) f(*s);
    }

    /// Executes one operation that may be next. False if there is none.
    bool step(Lock& lock) {
        // Bursts of one stream as well as a mixture: both are orders that a device may choose.
        if (burst_ == 0 || !favourite_ || !ready(*favourite_)) {
            candidates_.clear();
            forStreams([&](CUstream_st& s) {
                if (ready(s)) candidates_.push_back(&s);
            });
            if (candidates_.empty()) return false;
            favourite_ = candidates_[dice.below(candidates_.size())];
            static constexpr int lengths[] = {1, 1, 3, 1000};
            burst_ = lengths[dice.below(std::size(lengths))];
        }
        --burst_;
        CUstream_st& s = *favourite_;
        // Before the next is ready, the first is still there: it holds back those of other streams.
        if (s.queue.front().callsHost) {
            s.busy = true;
            const std::function<void()> work = std::move(s.queue.front().work);
            lock.unlock();
            work();
            lock.lock();
            s.busy = false;
            finish(s);
        } else {
            // Kernels do not run any more on a device that is lost.
            if (s.queue.front().work && (lost == cudaSuccess || s.queue.front().ticket != 0)) s.queue.front().work();
            finish(s);
        }
        changed.notify_all();
        return true;
    }

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
    void runAll(Lock& lock) {
        runUntil(lock, [&] {
            bool empty = true;
            forStreams([&](const CUstream_st& s) { empty = empty && s.queue.empty(); });
            return empty;
        });
    }
    void runStream(Lock& lock, CUstream_st& s) {
        const std::uint64_t target = s.enqueued;
        ++waiters_;
        runUntil(lock, [&] { return s.done >= target; });
        --waiters_;
        bury();
    }

    cudaError_t enqueue(Lock& lock, CUstream_st& s, Operation operation) {
        if (s.capture) {
            Capture& c = *s.capture;
            if (c.invalidated) return cudaErrorStreamCaptureInvalidated;
            c.nodes.push_back({std::move(operation), s.last});
            s.last = {c.nodes.size() - 1};
            return cudaSuccess;
        }
        if (cudaError_t e = implicitUse(s); e != cudaSuccess) return e;
        operation.sequence = ++sequence;
        s.queue.push_back(std::move(operation));
        ++s.enqueued;
        // Some of the time the device is faster than the host.
        if (dice.one(8))
            for (std::size_t n = dice.below(6); n > 0 && step(lock); --n) continue;
        return cudaSuccess;
    }

    /// The legacy stream cannot be used while a stream that waits for it is being captured.
    cudaError_t implicitUse(const CUstream_st& s) {
        if (&s != &legacy) return cudaSuccess;
        for (const auto& c : captures)
            for (const CUstream_st* other : c->streams)
                if ((other->flags & cudaStreamNonBlocking) == 0) {
                    c->invalidated = true;
                    return cudaErrorStreamCaptureImplicit;
                }
        return cudaSuccess;
    }
    /// Calls that would wait, or that act on the whole device, are refused while something is captured.
    cudaError_t refuseWhileCapturing() {
        for (const auto& c : captures) {
            if (c->mode == cudaStreamCaptureModeRelaxed || captureMode == cudaStreamCaptureModeRelaxed) continue;
            c->invalidated = true;
            return cudaErrorStreamCaptureUnsupported;
        }
        return cudaSuccess;
    }

    void destroy(CUstream_st* s) {
        s->zombie = true;
        bury();
    }

    // ---- memory ----

    std::map<std::uintptr_t, Allocation>::iterator allocationOf(const void* p) {
        const auto address = reinterpret_cast<std::uintptr_t>(p);
        auto after = memory.upper_bound(address);
        if (after == memory.begin()) return memory.end();
        --after;
        return address < after->first + std::max<std::size_t>(after->second.bytes, 1) ? after : memory.end();
    }
    cudaMemoryType typeOf(const void* p) {
        const auto found = allocationOf(p);
        return found == memory.end() ? cudaMemoryTypeUnregistered : found->second.type;
    }
    /// Does a range lie in one allocation that is in use?
    bool inside(const void* p, std::size_t bytes) {
        const auto found = allocationOf(p);
        if (found == memory.end()) return false;
        const std::size_t offset = reinterpret_cast<std::uintptr_t>(p) - found->first;
        return found->second.given && bytes <= found->second.bytes - offset;
    }

    /// Memory with guards before and behind; `capacity` is at least `bytes`.
    void* make(std::size_t bytes, std::size_t capacity, cudaMemoryType type, cudaMemPool_t pool) {
        if (capacity > std::numeric_limits<std::size_t>::max() / 2) return nullptr;
        void* raw = nullptr;
        if (posix_memalign(&raw, kAlignment, capacity + 2 * kGuardBytes) != 0) return nullptr;
        auto* const p = static_cast<unsigned char*>(raw) + kGuardBytes;
        std::memset(raw, kGuard, kGuardBytes);
        Allocation a;
        a.capacity = capacity;
        a.type = type;
        a.pool = pool;
        auto& kept = memory[reinterpret_cast<std::uintptr_t>(p)] = a;
        ASAN_POISON_MEMORY_REGION(raw, kGuardBytes);
        give(p, kept, bytes);
        garbage(p, bytes);
        return p;
    }
    /// Of `capacity` bytes the first `bytes` may be used from now on.
    void give(void* p, Allocation& a, std::size_t bytes) {
        auto* const behind = static_cast<unsigned char*>(p) + bytes;
        ASAN_UNPOISON_MEMORY_REGION(p, a.capacity + kGuardBytes);
        a.bytes = a.guarded = bytes;
        a.given = true;
        a.idle = false;
        std::memset(behind, kGuard, guardedBehind(a));
        ASAN_POISON_MEMORY_REGION(behind, a.capacity - bytes + kGuardBytes);
    }
    static std::size_t guardedBehind(const Allocation& a) { return std::min(a.capacity - a.guarded + kGuardBytes, std::size_t{4096}); }

    /// Large arrays get only some of it: pages that nobody touches cost nothing.
    void garbage(void* p, std::size_t bytes) {
        constexpr std::size_t all = std::size_t{4} << 20, part = 4096, distance = std::size_t{1} << 20;
        if (bytes <= all) {
            fillWithGarbage(p, bytes, dice);
            return;
        }
        for (std::size_t at = 0; at < bytes; at += distance) fillWithGarbage(static_cast<char*>(p) + at, std::min(part, bytes - at), dice);
    }

    /// What was written before or behind is found at the end of an allocation's life, if no sanitizer found it at once.
    void inspect(std::uintptr_t address, const Allocation& a) {
        auto* const p = reinterpret_cast<unsigned char*>(address);
        ASAN_UNPOISON_MEMORY_REGION(p - kGuardBytes, kGuardBytes);
        ASAN_UNPOISON_MEMORY_REGION(p, a.capacity + kGuardBytes);
        const auto intact = [](const unsigned char* from, std::size_t bytes) {
            return std::all_of(from, from + bytes, [](unsigned char c) { return c == kGuard; });
        };
        const char* const kind = a.type == cudaMemoryTypeHost ? "pinned" : "device";
        if (!intact(p - kGuardBytes, kGuardBytes))
            fault(cudaErrorIllegalAddress, "something was written before " + std::to_string(a.guarded) + " bytes of " + kind + " memory");
        if (!intact(p + a.guarded, guardedBehind(a)))
            fault(cudaErrorIllegalAddress, "something was written behind " + std::to_string(a.guarded) + " bytes of " + kind + " memory");
    }
    void unmake(std::map<std::uintptr_t, Allocation>::iterator a) {
        if (!a->second.idle) inspect(a->first, a->second);
        ASAN_UNPOISON_MEMORY_REGION(reinterpret_cast<unsigned char*>(a->first) - kGuardBytes, a->second.capacity + 2 * kGuardBytes);
        if (a->second.type == cudaMemoryTypeDevice) used -= a->second.capacity;
        if (a->second.pool) a->second.pool->reserved -= a->second.capacity;
        std::free(reinterpret_cast<unsigned char*>(a->first) - kGuardBytes);
        memory.erase(a);
    }

    cudaError_t allocate(void** p, std::size_t bytes) {
        *p = nullptr;
        if (bytes == 0) return cudaSuccess;
        const std::size_t capacity = (bytes + kAlignment - 1) / kAlignment * kAlignment;
        if (bytes > kMemory || capacity > kMemory - used) return cudaErrorMemoryAllocation;
        *p = make(bytes, capacity, cudaMemoryTypeDevice, nullptr);
        if (!*p) return cudaErrorMemoryAllocation;
        used += capacity;
        return cudaSuccess;
    }

    cudaError_t allocateFromPool(Lock& lock, void** p, std::size_t bytes, CUmemPoolHandle_st& pool, CUstream_st& s) {
        *p = nullptr;
        if (bytes == 0) return cudaErrorInvalidValue;
        if (s.capture) return cudaErrorNotSupported;  // nodes that allocate are not emulated
        if (bytes > kMemory) return cudaErrorMemoryAllocation;
        const std::size_t capacity = (bytes + kAlignment - 1) / kAlignment * kAlignment;
        // The smallest that suffices and wastes little: idle, or released earlier in the same stream.
        auto best = memory.end();
        for (auto a = memory.begin(); a != memory.end(); ++a) {
            const Allocation& m = a->second;
            const bool there = m.pool == &pool && !m.given && (m.idle || m.releasedIn == &s);
            if (there && m.capacity >= capacity && m.capacity / 2 <= capacity &&
                (best == memory.end() || m.capacity < best->second.capacity))
                best = a;
        }
        if (best == memory.end()) {
            if (capacity > kMemory - used) return cudaErrorMemoryAllocation;
            *p = make(bytes, capacity, cudaMemoryTypeDevice, &pool);
            if (!*p) return cudaErrorMemoryAllocation;
            used += capacity;
            pool.reserved += capacity;
            pool.reservedHigh = std::max(pool.reservedHigh, pool.reserved);
        } else {
            Allocation& a = best->second;
            *p = reinterpret_cast<void*>(best->first);
            if (!a.idle) {
                // What is in the stream still uses it as it was.
                ++a.release;
                a.given = true;
                a.bytes = bytes;
                a.releasedIn = nullptr;
                const std::uintptr_t address = best->first;
                const std::uint64_t which = a.release;
                const cudaError_t e = enqueue(
                    lock, s, {"reuse of memory", [this, address, bytes, which] { renew(address, bytes, which); }, nullptr, 0, false, 0});
                if (e != cudaSuccess) return e;
            } else {
                give(*p, a, bytes);
                garbage(*p, bytes);
            }
        }
        pool.used += memory.at(reinterpret_cast<std::uintptr_t>(*p)).capacity;
        pool.usedHigh = std::max(pool.usedHigh, pool.used);
        return cudaSuccess;
    }
    void renew(std::uintptr_t address, std::size_t bytes, std::uint64_t which) {
        const auto a = memory.find(address);
        if (a == memory.end()) return;
        // Released and given again since, as the host sees it: that is in the stream behind this.
        const Allocation asHostSees = a->second;
        give(reinterpret_cast<void*>(address), a->second, bytes);
        garbage(reinterpret_cast<void*>(address), bytes);
        if (asHostSees.release != which) {
            a->second.bytes = asHostSees.bytes;
            a->second.given = asHostSees.given;
        }
    }

    cudaError_t release(Lock& lock, void* p, CUstream_st& s) {
        const auto a = memory.find(reinterpret_cast<std::uintptr_t>(p));
        if (a == memory.end() || !a->second.given || a->second.type != cudaMemoryTypeDevice) return cudaErrorInvalidValue;
        if (s.capture) return cudaErrorNotSupported;
        Allocation& m = a->second;
        m.given = false;
        m.releasedIn = &s;
        const std::uint64_t which = ++m.release;
        if (m.pool) m.pool->used -= m.capacity;
        const std::uintptr_t address = a->first;
        return enqueue(lock, s, {"release of memory", [this, address, which] { retire(address, which); }, nullptr, 0, false, 0});
    }
    void retire(std::uintptr_t address, std::uint64_t which) {
        const auto a = memory.find(address);
        if (a == memory.end()) return;
        Allocation& m = a->second;
        inspect(address, m);
        if (m.given || m.release != which) {
            // Given again in the meantime: its renewal comes behind.
            ASAN_POISON_MEMORY_REGION(reinterpret_cast<void*>(address), m.capacity);
            return;
        }
        m.releasedIn = nullptr;
        if (!m.pool) {
            unmakeIdle(a);
            return;
        }
        m.idle = true;
        ASAN_POISON_MEMORY_REGION(reinterpret_cast<void*>(address), m.capacity);
    }
    void unmakeIdle(std::map<std::uintptr_t, Allocation>::iterator a) {
        a->second.idle = true;
        unmake(a);
    }
    void trim(CUmemPoolHandle_st& pool, std::uint64_t keep) {
        for (auto a = memory.begin(); a != memory.end() && pool.reserved > keep;) {
            const auto next = std::next(a);
            if (a->second.pool == &pool && a->second.idle) unmake(a);
            a = next;
        }
    }
    /// Where somebody waited, pools give back what they need not keep.
    void afterWait() {
        trim(defaultPool, defaultPool.threshold);
        for (const auto& p : pools) trim(*p, p->threshold);
    }

private:
    void finish(CUstream_st& s) {
        // A closure may own memory whose end calls this interface.
        Operation last = std::move(s.queue.front());
        s.queue.pop_front();
        ++s.done;
        if (s.zombie && s.queue.empty()) bury();
    }
    /// Streams that were destroyed and are done.
    void bury() {
        if (waiters_ > 0) return;
        if (std::erase_if(streams, [](const auto& s) { return s->zombie && s->queue.empty() && !s->busy; }) > 0)
            favourite_ = nullptr, burst_ = 0;
    }

    CUstream_st* favourite_ = nullptr;
    int burst_ = 0, waiters_ = 0;
    std::vector<CUstream_st*> candidates_;
};

/// Lives as long as the process: static objects release device memory late.
Device& device() {
    static auto* const one = new Device;
    return *one;
}

/// The lock and the error that stays.
struct Call {
    Device& d = device();
    Device::Lock lock{d.mutex};
    cudaError_t end(cudaError_t e) const { return report(d.lost != cudaSuccess ? d.lost : e); }
};

// ---- copies -------------------------------------------------------------------------------------------------------------------------

/// Rows of a box; pitches in bytes.
struct Box {
    unsigned char* to;
    const unsigned char* from;
    std::size_t toPitch, toSlice, fromPitch, fromSlice, width, height, depth;
    std::size_t toBytes() const { return (depth - 1) * toSlice + (height - 1) * toPitch + width; }
    std::size_t fromBytes() const { return (depth - 1) * fromSlice + (height - 1) * fromPitch + width; }
};

void copy(const Box& b) {
    for (std::size_t z = 0; z < b.depth; ++z)
        for (std::size_t y = 0; y < b.height; ++y)
            std::memmove(b.to + z * b.toSlice + y * b.toPitch, b.from + z * b.fromSlice + y * b.fromPitch, b.width);
}

cudaError_t enqueueCopy(Call& call, Box box, cudaMemcpyKind kind, cudaStream_t stream, bool wait) {
    Device& d = call.d;
    CUstream_st* const s = d.find(stream);
    if (!s) return cudaErrorInvalidResourceHandle;
    if (box.width == 0 || box.height == 0 || box.depth == 0) return cudaSuccess;
    if (box.width > box.toPitch || box.width > box.fromPitch) {
        if (box.height > 1 || box.depth > 1) return cudaErrorInvalidPitchValue;
    }
    const bool toDevice = d.typeOf(box.to) == cudaMemoryTypeDevice, fromDevice = d.typeOf(box.from) == cudaMemoryTypeDevice;
    if (kind != cudaMemcpyDefault) {
        const bool wantsTo = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
        const bool wantsFrom = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
        if (wantsTo != toDevice || wantsFrom != fromDevice) return cudaErrorInvalidValue;
    }
    if (toDevice && !d.inside(box.to, box.toBytes())) return cudaErrorInvalidValue;
    if (fromDevice && !d.inside(box.from, box.fromBytes())) return cudaErrorInvalidValue;
    const bool toPageable = d.typeOf(box.to) == cudaMemoryTypeUnregistered, fromPageable = d.typeOf(box.from) == cudaMemoryTypeUnregistered;
    if (s->capture) {
        if (wait) {
            s->capture->invalidated = true;
            return cudaErrorStreamCaptureUnsupported;
        }
        return d.enqueue(call.lock, *s, {"copy", [box] { copy(box); }, nullptr, 0, false, 0});
    }
    std::function<void()> work = [box] { copy(box); };
    if (fromPageable) {
        // Staged: the source may change when the call returns.
        auto staged = std::make_shared<std::vector<unsigned char>>(box.width * box.height * box.depth);
        Box in = box;
        in.to = staged->data(), in.toPitch = box.width, in.toSlice = box.width * box.height;
        copy(in);
        work = [staged, box] {
            Box out = box;
            out.from = staged->data(), out.fromPitch = box.width, out.fromSlice = box.width * box.height;
            copy(out);
        };
    }
    if (const cudaError_t e = d.enqueue(call.lock, *s, {"copy", std::move(work), nullptr, 0, false, 0}); e != cudaSuccess) return e;
    // A copy to ordinary memory is complete when the call returns, as is one that was not asked to be asynchronous.
    if (wait || toPageable) d.runStream(call.lock, *s);
    return cudaSuccess;
}

Box line(void* to, const void* from, std::size_t bytes) {
    return {static_cast<unsigned char*>(to), static_cast<const unsigned char*>(from), bytes, bytes, bytes, bytes, bytes, 1, 1};
}

cudaError_t enqueueFill(Call& call, void* p, std::size_t pitch, int value, std::size_t width, std::size_t height, cudaStream_t stream) {
    CUstream_st* const s = call.d.find(stream);
    if (!s) return cudaErrorInvalidResourceHandle;
    if (width == 0 || height == 0) return cudaSuccess;
    if (call.d.typeOf(p) == cudaMemoryTypeUnregistered || !call.d.inside(p, (height - 1) * pitch + width)) return cudaErrorInvalidValue;
    auto* const rows = static_cast<unsigned char*>(p);
    return call.d.enqueue(call.lock, *s,
                          {"fill",
                           [=] {
                               for (std::size_t y = 0; y < height; ++y) std::memset(rows + y * pitch, value, width);
                           },
                           nullptr, 0, false, 0});
}

std::size_t dynamicLimit(Device& d, const void* kernel) {
    const auto found = d.sharedLimits.find(kernel);
    return found == d.sharedLimits.end() ? kSharedByDefault : static_cast<std::size_t>(found->second);
}

}  // namespace

void enqueueKernel(const Configuration& c, const char* name, const void* address, std::function<void()> thread) {
    Call call;
    Device& d = call.d;
    const auto launch = [&]() -> cudaError_t {
        if (d.lost != cudaSuccess) return d.lost;
        CUstream_st* const s = d.find(c.stream);
        if (!s) return cudaErrorInvalidResourceHandle;
        const auto none = [](const dim3& v) { return v.x == 0 || v.y == 0 || v.z == 0; };
        if (none(c.grid) || none(c.block) || c.grid.x > 0x7FFFFFFFU || c.grid.y > 65535 || c.grid.z > 65535 || c.block.x > 1024 ||
            c.block.y > 1024 || c.block.z > 64 || std::uint64_t{c.block.x} * c.block.y * c.block.z > 1024)
            return cudaErrorInvalidConfiguration;
        if (c.sharedBytes > dynamicLimit(d, address)) return cudaErrorInvalidValue;
        // Static and dynamic together; who set the attribute has the whole, be it to the default.
        const std::size_t whole = d.sharedLimits.contains(address) ? kSharedAtMost : kSharedByDefault;
        return d.enqueue(call.lock, *s,
                         {name,
                          [&d, c, name, whole, work = std::move(thread)] {
                              if (const std::string wrong = runLaunch(c, name, whole, work); !wrong.empty())
                                  d.fault(cudaErrorLaunchFailure, wrong);
                          },
                          nullptr, 0, false, 0});
    };
    (void)report(launch());
}

cudaError_t enqueueWork(cudaStream_t stream, const char* name, std::function<void()> work) {
    Call call;
    CUstream_st* const s = call.d.find(stream);
    if (!s) return call.end(cudaErrorInvalidResourceHandle);
    return call.end(call.d.enqueue(call.lock, *s, {name, std::move(work), nullptr, 0, false, 0}));
}

std::string takeFault() {
    Call call;
    call.d.runAll(call.lock);
    call.d.lost = cudaSuccess;
    lastError = cudaSuccess;
    return std::exchange(call.d.faults, {});
}

cudaError_t lastLaunchError() { return lastError; }

cudaError_t copySymbol(void* to, const void* from, std::size_t bytes, bool toDevice, bool wait, cudaStream_t stream) {
    Call call;
    CUstream_st* const s = call.d.find(stream);
    if (!s) return call.end(cudaErrorInvalidResourceHandle);
    std::function<void()> work = [box = line(to, from, bytes)] { copy(box); };
    if (toDevice && !s->capture && call.d.typeOf(from) == cudaMemoryTypeUnregistered) {
        const auto* const p = static_cast<const unsigned char*>(from);
        work = [to, staged = std::vector<unsigned char>(p, p + bytes)] { std::memcpy(to, staged.data(), staged.size()); };
    }
    const cudaError_t e = call.d.enqueue(call.lock, *s, {"copy", std::move(work), nullptr, 0, false, 0});
    if (e == cudaSuccess && wait) call.d.runStream(call.lock, *s);
    return call.end(e);
}

}  // namespace emulatedDevice

using emulatedDevice::Call;
using emulatedDevice::device;
using emulatedDevice::report;

// ---- errors and devices -------------------------------------------------------------------------------------------------------------

cudaError_t cudaGetLastError() {
    const cudaError_t e = emulatedDevice::lastError;
    // One that the device is lost by is found again and again.
    emulatedDevice::lastError = cudaSuccess;
    return e;
}
cudaError_t cudaPeekAtLastError() { return emulatedDevice::lastError; }

const char* cudaGetErrorName(cudaError_t error) {
    switch (error) {
#define PARALLAX_ERROR_NAME(name) \
    case name: return #name;
        PARALLAX_ERROR_NAME(cudaSuccess)
        PARALLAX_ERROR_NAME(cudaErrorInvalidValue)
        PARALLAX_ERROR_NAME(cudaErrorMemoryAllocation)
        PARALLAX_ERROR_NAME(cudaErrorInitializationError)
        PARALLAX_ERROR_NAME(cudaErrorInvalidConfiguration)
        PARALLAX_ERROR_NAME(cudaErrorInvalidPitchValue)
        PARALLAX_ERROR_NAME(cudaErrorInvalidDevicePointer)
        PARALLAX_ERROR_NAME(cudaErrorInvalidMemcpyDirection)
        PARALLAX_ERROR_NAME(cudaErrorInsufficientDriver)
        PARALLAX_ERROR_NAME(cudaErrorDevicesUnavailable)
        PARALLAX_ERROR_NAME(cudaErrorInvalidDeviceFunction)
        PARALLAX_ERROR_NAME(cudaErrorNoDevice)
        PARALLAX_ERROR_NAME(cudaErrorInvalidDevice)
        PARALLAX_ERROR_NAME(cudaErrorNoKernelImageForDevice)
        PARALLAX_ERROR_NAME(cudaErrorECCUncorrectable)
        PARALLAX_ERROR_NAME(cudaErrorInvalidResourceHandle)
        PARALLAX_ERROR_NAME(cudaErrorNotReady)
        PARALLAX_ERROR_NAME(cudaErrorIllegalAddress)
        PARALLAX_ERROR_NAME(cudaErrorLaunchOutOfResources)
        PARALLAX_ERROR_NAME(cudaErrorLaunchTimeout)
        PARALLAX_ERROR_NAME(cudaErrorPeerAccessAlreadyEnabled)
        PARALLAX_ERROR_NAME(cudaErrorAssert)
        PARALLAX_ERROR_NAME(cudaErrorHostMemoryAlreadyRegistered)
        PARALLAX_ERROR_NAME(cudaErrorHostMemoryNotRegistered)
        PARALLAX_ERROR_NAME(cudaErrorMisalignedAddress)
        PARALLAX_ERROR_NAME(cudaErrorLaunchFailure)
        PARALLAX_ERROR_NAME(cudaErrorNotSupported)
        PARALLAX_ERROR_NAME(cudaErrorStreamCaptureUnsupported)
        PARALLAX_ERROR_NAME(cudaErrorStreamCaptureInvalidated)
        PARALLAX_ERROR_NAME(cudaErrorStreamCaptureMerge)
        PARALLAX_ERROR_NAME(cudaErrorStreamCaptureUnmatched)
        PARALLAX_ERROR_NAME(cudaErrorStreamCaptureUnjoined)
        PARALLAX_ERROR_NAME(cudaErrorStreamCaptureIsolation)
        PARALLAX_ERROR_NAME(cudaErrorStreamCaptureImplicit)
        PARALLAX_ERROR_NAME(cudaErrorCapturedEvent)
        PARALLAX_ERROR_NAME(cudaErrorGraphExecUpdateFailure)
        PARALLAX_ERROR_NAME(cudaErrorUnknown)
#undef PARALLAX_ERROR_NAME
    }
    return "unrecognized error code";
}
const char* cudaGetErrorString(cudaError_t error) {
    switch (error) {
        case cudaSuccess: return "no error";
        case cudaErrorMemoryAllocation: return "out of memory";
        case cudaErrorInvalidValue: return "invalid argument";
        case cudaErrorInvalidConfiguration: return "invalid configuration argument";
        case cudaErrorInvalidDevice: return "invalid device ordinal";
        case cudaErrorNotReady: return "device not ready";
        case cudaErrorIllegalAddress: return "an illegal memory access was encountered";
        case cudaErrorLaunchFailure: return "unspecified launch failure";
        case cudaErrorNotSupported: return "operation not supported by the emulated device";
        case cudaErrorStreamCaptureUnsupported: return "operation not permitted when stream is capturing";
        case cudaErrorStreamCaptureInvalidated: return "operation failed due to a previous error during capture";
        default: return cudaGetErrorName(error);
    }
}

cudaError_t cudaDriverGetVersion(int* version) {
    *version = CUDART_VERSION;
    return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) {
    *version = CUDART_VERSION;
    return cudaSuccess;
}
cudaError_t cudaGetDeviceCount(int* count) {
    *count = 1;
    return cudaSuccess;
}
cudaError_t cudaGetDevice(int* number) {
    *number = 0;
    return cudaSuccess;
}
cudaError_t cudaSetDevice(int number) { return report(number == 0 ? cudaSuccess : cudaErrorInvalidDevice); }

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* p, int number) {
    if (number != 0) return report(cudaErrorInvalidDevice);
    *p = {};
    std::snprintf(p->name, sizeof p->name, "%s", "Emulated device (no GPU)");
    p->totalGlobalMem = emulatedDevice::kMemory;
    p->sharedMemPerBlock = emulatedDevice::kSharedByDefault;
    p->regsPerBlock = p->regsPerMultiprocessor = 65536;
    p->warpSize = emulatedDevice::kWarpSize;
    p->maxThreadsPerBlock = 1024;
    p->maxThreadsDim[0] = p->maxThreadsDim[1] = 1024, p->maxThreadsDim[2] = 64;
    p->maxGridSize[0] = 0x7FFFFFFF, p->maxGridSize[1] = p->maxGridSize[2] = 65535;
    p->totalConstMem = 65536;
    p->major = 9, p->minor = 0;
    p->multiProcessorCount = emulatedDevice::kMultiprocessors;
    p->canMapHostMemory = p->concurrentKernels = p->unifiedAddressing = p->memoryPoolsSupported = 1;
    p->pciDomainID = 0xFFFF;
    p->asyncEngineCount = 2;
    p->memoryBusWidth = 64;
    p->l2CacheSize = 1 << 20;
    p->maxThreadsPerMultiProcessor = emulatedDevice::kThreadsPerMultiprocessor;
    p->sharedMemPerMultiprocessor = emulatedDevice::kSharedPerMultiprocessor;
    p->sharedMemPerBlockOptin = emulatedDevice::kSharedAtMost;
    p->reservedSharedMemPerBlock = emulatedDevice::kSharedReserved;
    p->maxBlocksPerMultiProcessor = emulatedDevice::kBlocksPerMultiprocessor;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int number) {
    cudaDeviceProp p;
    if (const cudaError_t e = cudaGetDeviceProperties(&p, number); e != cudaSuccess) return e;
    switch (attribute) {
        case cudaDevAttrMaxThreadsPerBlock: *value = p.maxThreadsPerBlock; break;
        case cudaDevAttrMaxBlockDimX: *value = p.maxThreadsDim[0]; break;
        case cudaDevAttrMaxBlockDimY: *value = p.maxThreadsDim[1]; break;
        case cudaDevAttrMaxBlockDimZ: *value = p.maxThreadsDim[2]; break;
        case cudaDevAttrMaxGridDimX: *value = p.maxGridSize[0]; break;
        case cudaDevAttrMaxGridDimY: *value = p.maxGridSize[1]; break;
        case cudaDevAttrMaxGridDimZ: *value = p.maxGridSize[2]; break;
        case cudaDevAttrMaxSharedMemoryPerBlock: *value = static_cast<int>(p.sharedMemPerBlock); break;
        case cudaDevAttrTotalConstantMemory: *value = static_cast<int>(p.totalConstMem); break;
        case cudaDevAttrWarpSize: *value = p.warpSize; break;
        case cudaDevAttrMaxRegistersPerBlock: *value = p.regsPerBlock; break;
        case cudaDevAttrClockRate: *value = 1'000'000; break;
        case cudaDevAttrMultiProcessorCount: *value = p.multiProcessorCount; break;
        case cudaDevAttrIntegrated: *value = p.integrated; break;
        case cudaDevAttrConcurrentKernels: *value = p.concurrentKernels; break;
        case cudaDevAttrMemoryClockRate: *value = 1'000'000; break;
        case cudaDevAttrGlobalMemoryBusWidth: *value = p.memoryBusWidth; break;
        case cudaDevAttrL2CacheSize: *value = p.l2CacheSize; break;
        case cudaDevAttrMaxThreadsPerMultiProcessor: *value = p.maxThreadsPerMultiProcessor; break;
        case cudaDevAttrAsyncEngineCount: *value = p.asyncEngineCount; break;
        case cudaDevAttrUnifiedAddressing: *value = p.unifiedAddressing; break;
        case cudaDevAttrComputeCapabilityMajor: *value = p.major; break;
        case cudaDevAttrComputeCapabilityMinor: *value = p.minor; break;
        case cudaDevAttrMaxSharedMemoryPerMultiprocessor: *value = static_cast<int>(p.sharedMemPerMultiprocessor); break;
        case cudaDevAttrMaxRegistersPerMultiprocessor: *value = p.regsPerMultiprocessor; break;
        case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = static_cast<int>(p.sharedMemPerBlockOptin); break;
        case cudaDevAttrMaxBlocksPerMultiprocessor: *value = p.maxBlocksPerMultiProcessor; break;
        case cudaDevAttrReservedSharedMemoryPerBlock: *value = static_cast<int>(p.reservedSharedMemPerBlock); break;
        case cudaDevAttrMemoryPoolsSupported: *value = p.memoryPoolsSupported; break;
        case cudaDevAttrCooperativeLaunch:
        case cudaDevAttrMaxPersistingL2CacheSize:
        case cudaDevAttrMaxAccessPolicyWindowSize: *value = 0; break;
        default: return report(cudaErrorInvalidValue);
    }
    return cudaSuccess;
}

cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int number) {
    if (number != 0) return report(cudaErrorInvalidDevice);
    // No bus has this number, so that the management library does not know it.
    if (length < 13) return report(cudaErrorInvalidValue);
    std::snprintf(text, static_cast<std::size_t>(length), "%s", "FFFF:00:00.0");
    return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize() {
    Call call;
    if (const cudaError_t e = call.d.refuseWhileCapturing(); e != cudaSuccess) return call.end(e);
    call.d.runAll(call.lock);
    call.d.afterWait();
    return call.end(cudaSuccess);
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
    const Call call;
    *total = emulatedDevice::kMemory;
    *free = emulatedDevice::kMemory - call.d.used;
    return call.end(cudaSuccess);
}

// ---- memory ---------------------------------------------------------------------------------------------------------------------------

cudaError_t cudaMalloc(void** p, std::size_t bytes) {
    Call call;
    if (const cudaError_t e = call.d.refuseWhileCapturing(); e != cudaSuccess) return call.end(e);
    return call.end(call.d.allocate(p, bytes));
}
cudaError_t cudaMallocPitch(void** p, std::size_t* pitch, std::size_t width, std::size_t height) {
    *pitch = (width + 511) / 512 * 512;
    return cudaMalloc(p, *pitch * height);
}
cudaError_t cudaFree(void* p) {
    Call call;
    if (!p) return call.end(cudaSuccess);
    if (const cudaError_t e = call.d.refuseWhileCapturing(); e != cudaSuccess) return call.end(e);
    call.d.runAll(call.lock);  // as the real one does
    const auto a = call.d.memory.find(reinterpret_cast<std::uintptr_t>(p));
    if (a == call.d.memory.end() || a->second.type != cudaMemoryTypeDevice || !a->second.given) return call.end(cudaErrorInvalidValue);
    if (a->second.pool) a->second.pool->used -= a->second.capacity;
    call.d.unmake(a);
    return call.end(cudaSuccess);
}
cudaError_t cudaHostAlloc(void** p, std::size_t bytes, unsigned) {
    Call call;
    *p = nullptr;
    if (bytes == 0) return call.end(cudaSuccess);
    if (const cudaError_t e = call.d.refuseWhileCapturing(); e != cudaSuccess) return call.end(e);
    *p = call.d.make(bytes, bytes, cudaMemoryTypeHost, nullptr);
    return call.end(*p ? cudaSuccess : cudaErrorMemoryAllocation);
}
cudaError_t cudaMallocHost(void** p, std::size_t bytes) { return cudaHostAlloc(p, bytes, cudaHostAllocDefault); }
cudaError_t cudaFreeHost(void* p) {
    Call call;
    if (!p) return call.end(cudaSuccess);
    call.d.runAll(call.lock);
    const auto a = call.d.memory.find(reinterpret_cast<std::uintptr_t>(p));
    if (a == call.d.memory.end() || a->second.type != cudaMemoryTypeHost || a->second.registered) return call.end(cudaErrorInvalidValue);
    call.d.unmake(a);
    return call.end(cudaSuccess);
}
cudaError_t cudaHostRegister(void* p, std::size_t bytes, unsigned) {
    Call call;
    if (!p || bytes == 0) return call.end(cudaErrorInvalidValue);
    if (call.d.typeOf(p) != cudaMemoryTypeUnregistered) return call.end(cudaErrorHostMemoryAlreadyRegistered);
    emulatedDevice::Allocation a;
    a.bytes = a.capacity = bytes;
    a.type = cudaMemoryTypeHost;
    a.registered = true;
    call.d.memory[reinterpret_cast<std::uintptr_t>(p)] = a;
    return call.end(cudaSuccess);
}
cudaError_t cudaHostUnregister(void* p) {
    Call call;
    call.d.runAll(call.lock);
    const auto a = call.d.memory.find(reinterpret_cast<std::uintptr_t>(p));
    if (a == call.d.memory.end() || !a->second.registered) return call.end(cudaErrorHostMemoryNotRegistered);
    call.d.memory.erase(a);
    return call.end(cudaSuccess);
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* p) {
    Call call;
    *attributes = {};
    attributes->type = call.d.typeOf(p);
    attributes->device = attributes->type == cudaMemoryTypeUnregistered ? -2 : 0;
    attributes->devicePointer = attributes->type == cudaMemoryTypeUnregistered ? nullptr : const_cast<void*>(p);
    attributes->hostPointer = attributes->type == cudaMemoryTypeDevice ? nullptr : const_cast<void*>(p);
    return call.end(cudaSuccess);
}
cudaError_t cudaMallocFromPoolAsync(void** p, std::size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
    Call call;
    CUstream_st* const s = call.d.find(stream);
    if (!s) return call.end(cudaErrorInvalidResourceHandle);
    if (!pool) return call.end(cudaErrorInvalidValue);
    return call.end(call.d.allocateFromPool(call.lock, p, bytes, *pool, *s));
}
cudaError_t cudaMallocAsync(void** p, std::size_t bytes, cudaStream_t stream) {
    return cudaMallocFromPoolAsync(p, bytes, &device().defaultPool, stream);
}
cudaError_t cudaFreeAsync(void* p, cudaStream_t stream) {
    Call call;
    if (!p) return call.end(cudaSuccess);
    CUstream_st* const s = call.d.find(stream);
    return call.end(s ? call.d.release(call.lock, p, *s) : cudaErrorInvalidResourceHandle);
}
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int number) {
    if (number != 0) return report(cudaErrorInvalidDevice);
    *pool = &device().defaultPool;
    return cudaSuccess;
}
cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
    Call call;
    if (properties->location.id != 0) return call.end(cudaErrorInvalidDevice);
    if (properties->location.type != cudaMemLocationTypeDevice || properties->allocType != cudaMemAllocationTypePinned)
        return call.end(cudaErrorInvalidValue);
    call.d.pools.push_back(std::make_unique<CUmemPoolHandle_st>());
    *pool = call.d.pools.back().get();
    return call.end(cudaSuccess);
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
    Call call;
    call.d.runAll(call.lock);
    call.d.trim(*pool, 0);
    if (pool->reserved > 0) return call.end(cudaErrorNotSupported);  // memory that outlives its pool
    std::erase_if(call.d.pools, [&](const auto& p) { return p.get() == pool; });
    return call.end(cudaSuccess);
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
    Call call;
    if (attribute == cudaMemPoolAttrReleaseThreshold) pool->threshold = *static_cast<std::uint64_t*>(value);
    else if (attribute == cudaMemPoolAttrReservedMemHigh) pool->reservedHigh = pool->reserved;
    else if (attribute == cudaMemPoolAttrUsedMemHigh) pool->usedHigh = pool->used;
    else if (attribute > cudaMemPoolReuseAllowInternalDependencies) return call.end(cudaErrorInvalidValue);
    return call.end(cudaSuccess);
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
    const Call call;
    std::uint64_t v = 0;
    switch (attribute) {
        case cudaMemPoolAttrReleaseThreshold: v = pool->threshold; break;
        case cudaMemPoolAttrReservedMemCurrent: v = pool->reserved; break;
        case cudaMemPoolAttrReservedMemHigh: v = pool->reservedHigh; break;
        case cudaMemPoolAttrUsedMemCurrent: v = pool->used; break;
        case cudaMemPoolAttrUsedMemHigh: v = pool->usedHigh; break;
        default: return call.end(cudaErrorInvalidValue);
    }
    *static_cast<std::uint64_t*>(value) = v;
    return call.end(cudaSuccess);
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, std::size_t bytesToKeep) {
    const Call call;
    call.d.trim(*pool, bytesToKeep);
    return call.end(cudaSuccess);
}

// ---- copies and fills -----------------------------------------------------------------------------------------------------------------

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
    Call call;
    return call.end(enqueueCopy(call, emulatedDevice::line(to, from, bytes), kind, stream, false));
}
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    Call call;
    return call.end(enqueueCopy(call, emulatedDevice::line(to, from, bytes), kind, nullptr, true));
}
namespace {
emulatedDevice::Box rows(void* to, std::size_t toPitch, const void* from, std::size_t fromPitch, std::size_t width, std::size_t height) {
    return {static_cast<unsigned char*>(to), static_cast<const unsigned char*>(from), toPitch, 0, fromPitch, 0, width, height, 1};
}
emulatedDevice::Box box(const cudaMemcpy3DParms& p) {
    const auto at = [](const cudaPitchedPtr& base, const cudaPos& p0) {
        return static_cast<unsigned char*>(base.ptr) + (p0.z * base.ysize + p0.y) * base.pitch + p0.x;
    };
    return {at(p.dstPtr, p.dstPos), at(p.srcPtr, p.srcPos),          p.dstPtr.pitch, p.dstPtr.pitch * p.dstPtr.ysize,
            p.srcPtr.pitch,         p.srcPtr.pitch * p.srcPtr.ysize, p.extent.width, p.extent.height,
            p.extent.depth};
}
}  // namespace
cudaError_t cudaMemcpy2DAsync(void* to, std::size_t toPitch, const void* from, std::size_t fromPitch, std::size_t width, std::size_t height,
                              cudaMemcpyKind kind, cudaStream_t stream) {
    Call call;
    return call.end(enqueueCopy(call, rows(to, toPitch, from, fromPitch, width, height), kind, stream, false));
}
cudaError_t cudaMemcpy2D(void* to, std::size_t toPitch, const void* from, std::size_t fromPitch, std::size_t width, std::size_t height,
                         cudaMemcpyKind kind) {
    Call call;
    return call.end(enqueueCopy(call, rows(to, toPitch, from, fromPitch, width, height), kind, nullptr, true));
}
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* p, cudaStream_t stream) {
    Call call;
    if (p->srcArray || p->dstArray) return call.end(cudaErrorNotSupported);
    return call.end(enqueueCopy(call, box(*p), p->kind, stream, false));
}
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* p) {
    Call call;
    if (p->srcArray || p->dstArray) return call.end(cudaErrorNotSupported);
    return call.end(enqueueCopy(call, box(*p), p->kind, nullptr, true));
}
cudaError_t cudaMemsetAsync(void* p, int value, std::size_t bytes, cudaStream_t stream) {
    Call call;
    return call.end(enqueueFill(call, p, bytes, value, bytes, 1, stream));
}
cudaError_t cudaMemset(void* p, int value, std::size_t bytes) { return cudaMemsetAsync(p, value, bytes, nullptr); }
cudaError_t cudaMemset2DAsync(void* p, std::size_t pitch, int value, std::size_t width, std::size_t height, cudaStream_t stream) {
    Call call;
    return call.end(enqueueFill(call, p, pitch, value, width, height, stream));
}

// ---- streams --------------------------------------------------------------------------------------------------------------------------

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
    Call call;
    call.d.streams.push_back(std::make_unique<CUstream_st>());
    *stream = call.d.streams.back().get();
    (*stream)->flags = flags;
    return call.end(cudaSuccess);
}
cudaError_t cudaStreamCreate(cudaStream_t* stream) { return cudaStreamCreateWithFlags(stream, cudaStreamDefault); }
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int) { return cudaStreamCreateWithFlags(stream, flags); }
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    *least = 0, *greatest = -5;
    return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    Call call;
    CUstream_st* const s = call.d.find(stream);
    if (!s || s == &call.d.legacy || s == &call.d.perThread) return call.end(cudaErrorInvalidResourceHandle);
    call.d.destroy(s);
    return call.end(cudaSuccess);
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    Call call;
    CUstream_st* const s = call.d.find(stream);
    if (!s) return call.end(cudaErrorInvalidResourceHandle);
    if (s->capture) {
        s->capture->invalidated = true;
        return call.end(cudaErrorStreamCaptureUnsupported);
    }
    call.d.runStream(call.lock, *s);
    call.d.afterWait();
    return call.end(cudaSuccess);
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
    Call call;
    CUstream_st* const s = call.d.find(stream);
    if (!s) return call.end(cudaErrorInvalidResourceHandle);
    if (s->capture) {
        s->capture->invalidated = true;
        return call.end(cudaErrorStreamCaptureUnsupported);
    }
    // Who asks again and again is told that it is done in the end.
    if (!s->queue.empty()) (void)call.d.step(call.lock);
    if (call.d.lost != cudaSuccess) return call.end(cudaSuccess);
    return s->queue.empty() ? cudaSuccess : cudaErrorNotReady;
}
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
    Call call;
    const CUstream_st* const s = call.d.find(stream);
    if (!s) return call.end(cudaErrorInvalidResourceHandle);
    *flags = s->flags;
    return call.end(cudaSuccess);
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
    Call call;
    CUstream_st* const s = call.d.find(stream);
    if (!s || !event) return call.end(cudaErrorInvalidResourceHandle);
    emulatedDevice::Event& e = *event->event;
    if (e.capture) {
        // Joins what is being captured.
        if (s->capture && s->capture != e.capture) {
            s->capture->invalidated = e.capture->invalidated = true;
            return call.end(cudaErrorStreamCaptureMerge);
        }
        if (!s->capture) {
            s->capture = e.capture;
            s->last.clear();
            e.capture->streams.insert(s);
        }
        for (const std::size_t node : e.nodes)
            if (std::find(s->last.begin(), s->last.end(), node) == s->last.end()) s->last.push_back(node);
        return call.end(cudaSuccess);
    }
    if (s->capture) {
        s->capture->invalidated = true;
        return call.end(cudaErrorStreamCaptureIsolation);
    }
    if (e.recorded == 0) return call.end(cudaSuccess);
    return call.end(call.d.enqueue(call.lock, *s, {"wait", {}, event->event, e.recorded, false, 0}));
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* userData) {
    Call call;
    CUstream_st* const s = call.d.find(stream);
    if (!s) return call.end(cudaErrorInvalidResourceHandle);
    return call.end(call.d.enqueue(call.lock, *s, {"host function", [=] { function(userData); }, nullptr, 0, true, 0}));
}
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* userData, unsigned) {
    Call call;
    CUstream_st* const s = call.d.find(stream);
    if (!s) return call.end(cudaErrorInvalidResourceHandle);
    if (s->capture) {
        s->capture->invalidated = true;
        return call.end(cudaErrorStreamCaptureUnsupported);
    }
    return call.end(call.d.enqueue(call.lock, *s, {"callback", [=] { callback(stream, cudaSuccess, userData); }, nullptr, 0, true, 0}));
}

// ---- events ---------------------------------------------------------------------------------------------------------------------------

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
    *event = new CUevent_st{std::make_shared<emulatedDevice::Event>()};
    (*event)->event->timing = (flags & cudaEventDisableTiming) == 0;
    return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, cudaEventDefault); }
cudaError_t cudaEventDestroy(cudaEvent_t event) {
    const Call call;
    if (!event) return call.end(cudaErrorInvalidResourceHandle);
    delete event;
    return call.end(cudaSuccess);
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    Call call;
    CUstream_st* const s = call.d.find(stream);
    if (!s || !event) return call.end(cudaErrorInvalidResourceHandle);
    const emulatedDevice::EventPtr e = event->event;
    if (s->capture) {
        e->capture = s->capture;
        e->nodes = s->last;
        return call.end(cudaSuccess);
    }
    e->capture = nullptr;
    const std::uint64_t ticket = ++e->recorded;
    const auto record = [e, ticket] {
        if (ticket <= e->completed) return;
        e->completed = ticket;
        e->when = emulatedDevice::Clock::now();
    };
    return call.end(call.d.enqueue(call.lock, *s, {"record", record, nullptr, ticket, false, 0}));
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    Call call;
    if (!event) return call.end(cudaErrorInvalidResourceHandle);
    const emulatedDevice::EventPtr e = event->event;
    if (e->capture) return call.end(cudaErrorCapturedEvent);
    const std::uint64_t ticket = e->recorded;
    call.d.runUntil(call.lock, [&] { return e->completed >= ticket; });
    return call.end(cudaSuccess);
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
    Call call;
    if (!event) return call.end(cudaErrorInvalidResourceHandle);
    const emulatedDevice::EventPtr e = event->event;
    if (e->capture) return call.end(cudaErrorCapturedEvent);
    if (e->completed < e->recorded) (void)call.d.step(call.lock);
    if (call.d.lost != cudaSuccess) return call.end(cudaSuccess);
    return e->completed < e->recorded ? cudaErrorNotReady : cudaSuccess;
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t first, cudaEvent_t last) {
    const Call call;
    if (!first || !last) return call.end(cudaErrorInvalidResourceHandle);
    const emulatedDevice::Event &a = *first->event, &b = *last->event;
    if (!a.timing || !b.timing || a.recorded == 0 || b.recorded == 0) return call.end(cudaErrorInvalidResourceHandle);
    if (a.completed < a.recorded || b.completed < b.recorded) return call.end(cudaErrorNotReady);
    *milliseconds = std::chrono::duration<float, std::milli>(b.when - a.when).count();
    return call.end(cudaSuccess);
}

// ---- graphs ---------------------------------------------------------------------------------------------------------------------------

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
    Call call;
    CUstream_st* const s = call.d.find(stream);
    if (!s) return call.end(cudaErrorInvalidResourceHandle);
    if (s == &call.d.legacy) return call.end(cudaErrorStreamCaptureUnsupported);
    if (s->capture) return call.end(cudaErrorStreamCaptureUnmatched);
    call.d.captures.push_back(std::make_unique<emulatedDevice::Capture>());
    emulatedDevice::Capture& c = *call.d.captures.back();
    c.origin = s;
    c.mode = mode;
    c.streams.insert(s);
    s->capture = &c;
    s->last.clear();
    return call.end(cudaSuccess);
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
    Call call;
    *graph = nullptr;
    CUstream_st* const s = call.d.find(stream);
    if (!s) return call.end(cudaErrorInvalidResourceHandle);
    emulatedDevice::Capture* const c = s->capture;
    if (!c) return call.end(cudaErrorStreamCaptureUnmatched);
    if (c->origin != s) return call.end(cudaErrorStreamCaptureUnmatched);
    cudaError_t result = c->invalidated ? cudaErrorStreamCaptureInvalidated : cudaSuccess;
    // Other streams must have come back: what they did last comes before what this one did last.
    std::vector<bool> joined(c->nodes.size(), false);
    std::vector<std::size_t> open = s->last;
    while (!open.empty()) {
        const std::size_t n = open.back();
        open.pop_back();
        if (joined[n]) continue;
        joined[n] = true;
        open.insert(open.end(), c->nodes[n].after.begin(), c->nodes[n].after.end());
    }
    for (CUstream_st* const other : c->streams) {
        for (const std::size_t n : other->last)
            if (!joined[n] && result == cudaSuccess) result = cudaErrorStreamCaptureUnjoined;
        other->capture = nullptr;
        other->last.clear();
    }
    if (result == cudaSuccess) *graph = new CUgraph_st{std::move(c->nodes)};
    // Events that were recorded while capturing keep pointing at it, and stay unusable until they are recorded again.
    c->streams.clear();
    c->mode = cudaStreamCaptureModeRelaxed;
    return call.end(result);
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
    Call call;
    const CUstream_st* const s = call.d.find(stream);
    if (!s) return call.end(cudaErrorInvalidResourceHandle);
    *status = !s->capture               ? cudaStreamCaptureStatusNone
              : s->capture->invalidated ? cudaStreamCaptureStatusInvalidated
                                        : cudaStreamCaptureStatusActive;
    return call.end(cudaSuccess);
}
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
    std::swap(*mode, emulatedDevice::captureMode);
    return cudaSuccess;
}
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
    if (nodes) return report(cudaErrorNotSupported);
    *count = graph->nodes.size();
    return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    delete graph;
    return cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long) {
    if (!graph) return report(cudaErrorInvalidValue);
    *executable = new CUgraphExec_st{std::make_shared<const std::vector<emulatedDevice::Node>>(graph->nodes)};
    return cudaSuccess;
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long flags) {
    return cudaGraphInstantiate(executable, graph, flags);
}
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph, cudaGraphExecUpdateResultInfo* result) {
    const Call call;
    const std::vector<emulatedDevice::Node>&mine = *executable->nodes, &other = graph->nodes;
    bool alike = mine.size() == other.size();
    for (std::size_t i = 0; alike && i < mine.size(); ++i)
        alike = mine[i].after == other[i].after && mine[i].operation.name == other[i].operation.name;
    *result = {alike ? cudaGraphExecUpdateSuccess : cudaGraphExecUpdateErrorTopologyChanged, nullptr, nullptr};
    if (!alike) return call.end(cudaErrorGraphExecUpdateFailure);
    executable->nodes = std::make_shared<const std::vector<emulatedDevice::Node>>(other);
    return call.end(cudaSuccess);
}
cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t stream) {
    Call call;
    return call.end(call.d.find(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
    Call call;
    CUstream_st* const s = call.d.find(stream);
    if (!s) return call.end(cudaErrorInvalidResourceHandle);
    if (s->capture) {
        s->capture->invalidated = true;
        return call.end(cudaErrorNotSupported);  // a graph in a graph
    }
    // One operation of the stream; nodes that do not depend on each other run in any order.
    const auto run = [nodes = executable->nodes, &d = call.d] {
        std::vector<bool> done(nodes->size(), false);
        std::vector<std::size_t> candidates;
        for (std::size_t n = 0; n < nodes->size(); ++n) {
            candidates.clear();
            for (std::size_t i = 0; i < nodes->size(); ++i)
                if (!done[i] && std::all_of((*nodes)[i].after.begin(), (*nodes)[i].after.end(), [&](std::size_t a) { return done[a]; }))
                    candidates.push_back(i);
            const std::size_t next = candidates[d.dice.below(candidates.size())];
            done[next] = true;
            if (d.lost == cudaSuccess && (*nodes)[next].operation.work) (*nodes)[next].operation.work();
        }
    };
    return call.end(call.d.enqueue(call.lock, *s, {"graph", run, nullptr, 0, false, 0}));
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
    delete executable;
    return cudaSuccess;
}

// ---- kernels by their addresses -------------------------------------------------------------------------------------------------------

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* kernel) {
    const Call call;
    if (!kernel) return call.end(cudaErrorInvalidDeviceFunction);
    *attributes = {};
    attributes->maxThreadsPerBlock = 1024;
    attributes->numRegs = 32;
    attributes->ptxVersion = attributes->binaryVersion = 90;
    attributes->maxDynamicSharedSizeBytes = static_cast<int>(emulatedDevice::dynamicLimit(call.d, kernel));
    return call.end(cudaSuccess);
}
cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute attribute, int value) {
    const Call call;
    if (!kernel) return call.end(cudaErrorInvalidDeviceFunction);
    if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize) {
        if (value < 0 || static_cast<std::size_t>(value) > emulatedDevice::kSharedAtMost) return call.end(cudaErrorInvalidValue);
        call.d.sharedLimits[kernel] = value;
    }
    return call.end(cudaSuccess);
}
cudaError_t cudaFuncSetCacheConfig(const void* kernel, cudaFuncCache) {
    return report(kernel ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* kernel, int threads, std::size_t dynamicSharedBytes) {
    const Call call;
    if (!kernel || threads < 1 || threads > 1024) return call.end(cudaErrorInvalidValue);
    const int warps = (threads + emulatedDevice::kWarpSize - 1) / emulatedDevice::kWarpSize;
    const int byThreads = emulatedDevice::kThreadsPerMultiprocessor / (warps * emulatedDevice::kWarpSize);
    const auto byShared =
        static_cast<int>(emulatedDevice::kSharedPerMultiprocessor / (dynamicSharedBytes + emulatedDevice::kSharedReserved));
    *blocks = dynamicSharedBytes > emulatedDevice::dynamicLimit(call.d, kernel)
                  ? 0
                  : std::min({byThreads, byShared, emulatedDevice::kBlocksPerMultiprocessor});
    return call.end(cudaSuccess);
}
