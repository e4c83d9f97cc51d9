// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/conformance/allocations.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <mutex>
#include <unordered_map>

// NOLINTBEGIN: names of the C library
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);
}
// NOLINTEND

namespace parallax::conformance {
namespace {

/// For the table itself, which must not count.
template <class T>
struct Uncounted {
    using value_type = T;
    Uncounted() = default;
    template <class U>
    Uncounted(const Uncounted<U>&) noexcept {}
    T* allocate(std::size_t n) { return static_cast<T*>(__libc_malloc(n * sizeof(T))); }
    void deallocate(T* p, std::size_t) noexcept { __libc_free(p); }
    template <class U>
    bool operator==(const Uncounted<U>&) const noexcept {
        return true;
    }
};

std::atomic<bool> counting = false;
std::mutex mutex;
std::unordered_map<void*, std::size_t, std::hash<void*>, std::equal_to<>, Uncounted<std::pair<void* const, std::size_t>>> blocks;
std::uint64_t current = 0, highest = 0;

[[maybe_unused]] void* taken(void* p, std::size_t bytes) {
    if (!p || !counting.load(std::memory_order_relaxed)) return p;
    const std::scoped_lock lock(mutex);
    blocks[p] = bytes;
    current += bytes;
    highest = std::max(highest, current);
    return p;
}

[[maybe_unused]] void given(void* p) {
    if (!p || !counting.load(std::memory_order_relaxed)) return;
    const std::scoped_lock lock(mutex);
    const auto it = blocks.find(p);
    if (it == blocks.end()) return;
    current -= it->second;
    blocks.erase(it);
}

}  // namespace

AllocationCount::AllocationCount() {
    const std::scoped_lock lock(mutex);
    blocks.clear();
    current = highest = 0;
    counting = true;
}

AllocationCount::~AllocationCount() { counting = false; }

std::uint64_t AllocationCount::peak() const {
    const std::scoped_lock lock(mutex);
    return highest;
}

}  // namespace parallax::conformance

#ifdef __has_feature  // Clang; GCC 12 defines macros
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#elif __has_feature(thread_sanitizer)
#define __SANITIZE_THREAD__ 1
#endif
#endif

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
using parallax::conformance::given;
using parallax::conformance::taken;

extern "C" {
void* malloc(std::size_t bytes) { return taken(__libc_malloc(bytes), bytes); }
void* calloc(std::size_t n, std::size_t size) { return taken(__libc_calloc(n, size), n * size); }
void* realloc(void* p, std::size_t bytes) {
    given(p);
    return taken(__libc_realloc(p, bytes), bytes);
}
void* memalign(std::size_t alignment, std::size_t bytes) { return taken(__libc_memalign(alignment, bytes), bytes); }
void* aligned_alloc(std::size_t alignment, std::size_t bytes) { return memalign(alignment, bytes); }
int posix_memalign(void** p, std::size_t alignment, std::size_t bytes) {
    *p = memalign(alignment, bytes);
    return *p ? 0 : ENOMEM;
}
void free(void* p) {
    given(p);
    __libc_free(p);
}
}
#endif
