// SPDX-License-Identifier: GPL-3.0-or-later
// Vectors and arrays of the size of an image, which are in a scratch file where memory is short.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace parallax {

/// Bytes from malloc(), or in a scratch file. Throws Error(memory).
void* takeHostArray(std::size_t bytes);
void releaseHostArray(void* p, std::size_t bytes) noexcept;

template <class T>
struct HostVectorAllocator {
    using value_type = T;
    HostVectorAllocator() = default;
    template <class U>
    HostVectorAllocator(const HostVectorAllocator<U>&) noexcept {}
    T* allocate(std::size_t count) { return static_cast<T*>(takeHostArray(count * sizeof(T))); }
    void deallocate(T* p, std::size_t count) noexcept { releaseHostArray(p, count * sizeof(T)); }
    template <class U>
    bool operator==(const HostVectorAllocator<U>&) const noexcept {
        return true;
    }
};
template <class T>
using HostVector = std::vector<T, HostVectorAllocator<T>>;

struct ReleaseHostArray {
    std::size_t bytes = 0;
    void operator()(void* p) const noexcept { releaseHostArray(p, bytes); }
};
template <class T>
using HostArray = std::unique_ptr<T[], ReleaseHostArray>;
/// Not initialised.
template <class T>
HostArray<T> makeHostArray(std::size_t count) {
    return {static_cast<T*>(takeHostArray(count * sizeof(T))), ReleaseHostArray{count * sizeof(T)}};
}

}  // namespace parallax
