// SPDX-License-Identifier: GPL-3.0-or-later
// Machine memory and page-locked host memory, with guards around it, initialised with garbage.
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <limits>
#include <string>
#include <utility>

#include "tests/emulated_device/device.hpp"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(p, bytes) (static_cast<void>(p), static_cast<void>(bytes))
#define ASAN_UNPOISON_MEMORY_REGION(p, bytes) (static_cast<void>(p), static_cast<void>(bytes))
#endif

namespace emulatedDevice {
namespace {

int deviceOfKernel = -1;
struct sigaction actionBefore;

/// A kernel touches pages that are protected from its device: the kernel ends with an error.
void onSegmentFault(int, siginfo_t* info, void*) {
    const int owner = deviceOfKernel < 0 ? -1 : machine().ownerOfPage(info->si_addr);
    if (owner >= 0) {
        noteFailure("accesses memory of device " + std::to_string(owner) + " from device " + std::to_string(deviceOfKernel) +
                    " without peer access");
        abandonKernel();
    }
    // It happens again, in the hands of the former handler.
    (void)sigaction(SIGSEGV, &actionBefore, nullptr);
}

void watchPages() {
    static const bool once = [] {
        struct sigaction action {};
        action.sa_sigaction = onSegmentFault;
        action.sa_flags = SA_SIGINFO | SA_NODEFER;  // the handler does not return
        (void)sigaction(SIGSEGV, &action, &actionBefore);
        return true;
    }();
    static_cast<void>(once);
}

}  // namespace

void enterKernel(int device) {
    deviceOfKernel = device;
    machine().protectFrom(device);
}
int leaveKernel() {
    machine().protectFrom(-1);
    return std::exchange(deviceOfKernel, -1);
}

std::map<std::uintptr_t, Allocation>::iterator Machine::allocationOf(const void* p) {
    const auto address = reinterpret_cast<std::uintptr_t>(p);
    auto after = memory.upper_bound(address);
    if (after == memory.begin()) return memory.end();
    --after;
    return address < after->first + std::max<std::size_t>(after->second.bytes, 1) ? after : memory.end();
}

cudaMemoryType Machine::typeOf(const void* p) {
    const auto found = allocationOf(p);
    return found == memory.end() ? cudaMemoryTypeUnregistered : found->second.type;
}

bool Machine::inside(const void* p, std::size_t bytes) {
    const auto found = allocationOf(p);
    if (found == memory.end()) return false;
    const std::size_t offset = reinterpret_cast<std::uintptr_t>(p) - found->first;
    return found->second.given && bytes <= found->second.bytes - offset;
}

void* Machine::make(std::size_t bytes, std::size_t capacity, cudaMemoryType type, int device, cudaMemPool_t pool) {
    if (capacity > std::numeric_limits<std::size_t>::max() / 2) return nullptr;
    void* raw = nullptr;
    Arena* const arena = type == cudaMemoryTypeDevice ? arenaOf(pool ? pool->arena : of(device).arena) : nullptr;
    if (arena) {
        raw = arena->allocate(capacity + 2 * kGuardBytes);
        if (!raw) return nullptr;
    } else if (posix_memalign(&raw, kAlignment, capacity + 2 * kGuardBytes) != 0) {
        return nullptr;
    }
    auto* const p = static_cast<unsigned char*>(raw) + kGuardBytes;
    std::memset(raw, kGuard, kGuardBytes);
    Allocation a;
    a.capacity = capacity;
    a.type = type;
    a.pool = pool;
    a.device = device;
    a.arena = arena;
    auto& kept = memory[reinterpret_cast<std::uintptr_t>(p)] = a;
    ASAN_POISON_MEMORY_REGION(raw, kGuardBytes);
    give(p, kept, bytes);
    garbage(p, bytes);
    return p;
}

void Machine::give(void* p, Allocation& a, std::size_t bytes) {
    auto* const behind = static_cast<unsigned char*>(p) + bytes;
    ASAN_UNPOISON_MEMORY_REGION(p, a.capacity + kGuardBytes);
    a.bytes = a.guarded = bytes;
    a.given = true;
    a.idle = false;
    std::memset(behind, kGuard, guardedBehind(a));
    ASAN_POISON_MEMORY_REGION(behind, a.capacity - bytes + kGuardBytes);
}

void Machine::garbage(void* p, std::size_t bytes) {
    constexpr std::size_t all = std::size_t{4} << 20, part = 4096, distance = std::size_t{1} << 20;
    if (bytes <= all) {
        fillWithGarbage(p, bytes, dice);
        return;
    }
    for (std::size_t at = 0; at < bytes; at += distance) fillWithGarbage(static_cast<char*>(p) + at, std::min(part, bytes - at), dice);
}

void Machine::inspect(std::uintptr_t address, const Allocation& a) {
    auto* const p = reinterpret_cast<unsigned char*>(address);
    ASAN_UNPOISON_MEMORY_REGION(p - kGuardBytes, kGuardBytes);
    ASAN_UNPOISON_MEMORY_REGION(p, a.capacity + kGuardBytes);
    const auto intact = [](const unsigned char* from, std::size_t bytes) {
        return std::all_of(from, from + bytes, [](unsigned char c) { return c == kGuard; });
    };
    const char* const kind = a.type == cudaMemoryTypeHost ? "pinned" : "device";
    if (!intact(p - kGuardBytes, kGuardBytes))
        fault(a.device, cudaErrorIllegalAddress,
              "something was written before " + std::to_string(a.guarded) + " bytes of " + kind + " memory");
    if (!intact(p + a.guarded, guardedBehind(a)))
        fault(a.device, cudaErrorIllegalAddress,
              "something was written behind " + std::to_string(a.guarded) + " bytes of " + kind + " memory");
}

void Machine::unmake(std::map<std::uintptr_t, Allocation>::iterator a) {
    if (!a->second.idle) inspect(a->first, a->second);
    ASAN_UNPOISON_MEMORY_REGION(reinterpret_cast<unsigned char*>(a->first) - kGuardBytes, a->second.capacity + 2 * kGuardBytes);
    if (a->second.type == cudaMemoryTypeDevice) of(a->second.device).used -= a->second.capacity;
    if (a->second.pool) a->second.pool->reserved -= a->second.capacity;
    void* const raw = reinterpret_cast<unsigned char*>(a->first) - kGuardBytes;
    if (a->second.arena) a->second.arena->release(raw);
    else std::free(raw);
    memory.erase(a);
}

cudaError_t Machine::allocate(void** p, std::size_t bytes) {
    *p = nullptr;
    if (bytes == 0) return cudaSuccess;
    const std::size_t capacity = (bytes + kAlignment - 1) / kAlignment * kAlignment;
    if (bytes > kMemory || capacity > kMemory - current().used) return cudaErrorMemoryAllocation;
    *p = make(bytes, capacity, cudaMemoryTypeDevice, currentDevice, nullptr);
    if (!*p) return cudaErrorMemoryAllocation;
    current().used += capacity;
    return cudaSuccess;
}

cudaError_t Machine::allocateFromPool(Lock& lock, void** p, std::size_t bytes, CUmemPoolHandle_st& pool, CUstream_st& s) {
    *p = nullptr;
    if (bytes == 0) return cudaErrorInvalidValue;
    if (s.capture) return cudaErrorNotSupported;  // allocation nodes are not emulated
    if (bytes > kMemory) return cudaErrorMemoryAllocation;
    const std::size_t capacity = (bytes + kAlignment - 1) / kAlignment * kAlignment;
    // The smallest sufficient block that wastes little: idle, or released earlier in the same stream.
    auto best = memory.end();
    for (auto a = memory.begin(); a != memory.end(); ++a) {
        const Allocation& m = a->second;
        const bool there = m.pool == &pool && !m.given && (m.idle || m.releasedIn == &s);
        if (there && m.capacity >= capacity && m.capacity / 2 <= capacity && (best == memory.end() || m.capacity < best->second.capacity))
            best = a;
    }
    if (best == memory.end()) {
        Device& owner = of(pool.device);
        if (capacity > kMemory - owner.used) return cudaErrorMemoryAllocation;
        *p = make(bytes, capacity, cudaMemoryTypeDevice, pool.device, &pool);
        if (!*p) return cudaErrorMemoryAllocation;
        owner.used += capacity;
        pool.reserved += capacity;
        pool.reservedHigh = std::max(pool.reservedHigh, pool.reserved);
    } else {
        Allocation& a = best->second;
        *p = reinterpret_cast<void*>(best->first);
        if (!a.idle) {
            // Earlier work of the stream still uses the block with its previous size.
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

void Machine::renew(std::uintptr_t address, std::size_t bytes, std::uint64_t which) {
    const auto a = memory.find(address);
    if (a == memory.end()) return;
    // Already reused from the host's view; the stream comes to that later.
    const Allocation asHostSees = a->second;
    give(reinterpret_cast<void*>(address), a->second, bytes);
    garbage(reinterpret_cast<void*>(address), bytes);
    if (asHostSees.release != which) {
        a->second.bytes = asHostSees.bytes;
        a->second.given = asHostSees.given;
    }
}

cudaError_t Machine::release(Lock& lock, void* p, CUstream_st& s) {
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

void Machine::retire(std::uintptr_t address, std::uint64_t which) {
    const auto a = memory.find(address);
    if (a == memory.end()) return;
    Allocation& m = a->second;
    inspect(address, m);
    if (m.given || m.release != which) {
        // Reused meanwhile: the new owner follows in the stream.
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

void Machine::unmakeIdle(std::map<std::uintptr_t, Allocation>::iterator a) {
    a->second.idle = true;
    unmake(a);
}

void Machine::trim(CUmemPoolHandle_st& pool, std::uint64_t keep) {
    for (auto a = memory.begin(); a != memory.end() && pool.reserved > keep;) {
        const auto next = std::next(a);
        if (a->second.pool == &pool && a->second.idle) unmake(a);
        a = next;
    }
}

void Machine::afterWait() {
    for (Device& d : devices) trim(d.defaultPool, d.defaultPool.threshold);
    for (const auto& p : pools) trim(*p, p->threshold);
}

Arena* Machine::arenaOf(std::unique_ptr<Arena>& arena) {
    if (!arena && deviceCount > 1) {
        watchPages();
        arena = std::make_unique<Arena>(2 * kMemory);
    }
    return arena.get();
}

void Machine::protectFrom(int device) {
    if (deviceCount == 1) return;
    const auto allow = [&](CUmemPoolHandle_st& pool) {
        if (pool.arena) pool.arena->allowAccess(device < 0 || pool.device == device || pool.peers.contains(device));
    };
    for (int i = 0; i < deviceCount; ++i) {
        Device& d = of(i);
        if (d.arena) d.arena->allowAccess(device < 0 || i == device || of(device).peers.contains(i));
        allow(d.defaultPool);
    }
    for (const auto& pool : pools) allow(*pool);
}

int Machine::ownerOfPage(const void* p) {
    for (int i = 0; i < deviceCount; ++i)
        for (const Arena* const arena : {of(i).arena.get(), of(i).defaultPool.arena.get()})
            if (arena && arena->contains(p)) return i;
    for (const auto& pool : pools)
        if (pool->arena && pool->arena->contains(p)) return pool->device;
    return -1;
}

}  // namespace emulatedDevice
