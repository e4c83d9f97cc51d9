// SPDX-License-Identifier: GPL-3.0-or-later
// Device memory that the caller provides. Primitives allocate nothing; each has a function that returns the bytes it needs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/image/error.hpp"

namespace parallax::gpu {

/// Aligned to 256 bytes, as all device allocations are.
struct Workspace {
    void* data = nullptr;
    std::size_t bytes = 0;
};

/// Places consecutive arrays at multiples of 256 bytes. Without memory it only counts.
class WorkspaceLayout {
public:
    WorkspaceLayout() = default;
    explicit WorkspaceLayout(const Workspace& workspace) : memory_(static_cast<unsigned char*>(workspace.data)) {}
    template <class T>
    T* take(std::int64_t count) {
        T* const array = memory_ ? reinterpret_cast<T*>(memory_ + used_) : nullptr;
        used_ += (static_cast<std::size_t>(count) * sizeof(T) + kAlignment - 1) / kAlignment * kAlignment;
        return array;
    }
    std::size_t bytes() const { return used_; }

private:
    static constexpr std::size_t kAlignment = 256;
    unsigned char* memory_ = nullptr;
    std::size_t used_ = 0;
};

/// Throws Error(failed) if a workspace is too small.
inline void requireWorkspace(const Workspace& workspace, std::size_t bytes, const char* who) {
    if (workspace.bytes >= bytes && (workspace.data || bytes == 0)) return;
    throw Error(ErrorCode::failed, std::string("The workspace of the ") + who + " is too small",
                std::to_string(workspace.bytes) + " instead of " + std::to_string(bytes) + " bytes");
}

/// Throws Error(usage) if the length is out of range.
inline void requireLength(std::int64_t n, const char* who) {
    if (n < 0 || n > std::int64_t{1} << 40)
        throw Error(ErrorCode::usage, std::string("The ") + who + " takes 0 to 2^40 elements", std::to_string(n) + " were asked for");
}

}  // namespace parallax::gpu
