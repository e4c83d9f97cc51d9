// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace parallax {

/// Allocator of memory that one thread writes while others write theirs: whole cache lines, shared with nothing that the heap puts
/// beside them. Shared lines go back and forth between processors, by luck of the heap in one run of the same work and not in another.
template <class T>
struct OwnLines {
    using value_type = T;
    static constexpr std::size_t kLine = 64;

    OwnLines() = default;
    template <class U>
    OwnLines(const OwnLines<U>&) noexcept {}

    T* allocate(std::size_t count) {
        const std::size_t bytes = (count * sizeof(T) + kLine - 1) / kLine * kLine;
        return static_cast<T*>(::operator new (bytes, std::align_val_t{kLine}));
    }
    void deallocate(T* p, std::size_t) noexcept { ::operator delete (p, std::align_val_t{kLine}); }

    template <class U>
    bool operator==(const OwnLines<U>&) const noexcept {
        return true;
    }
};

template <class T>
using OwnVector = std::vector<T, OwnLines<T>>;

}  // namespace parallax
