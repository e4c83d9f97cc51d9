// SPDX-License-Identifier: GPL-3.0-or-later
// Device memory that a caller lends to a primitive. The primitives allocate nothing: each says how much it needs first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/image/error.hpp"

namespace parallax::gpu {

/// Aligned to 256 bytes, as every allocation on the device is.
struct Workspace {
    void* data = nullptr;
    std::size_t bytes = 0;
};

/// Arrays one behind the other, each at a multiple of 256 bytes. Without memory it only counts.
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

/// Throws Error(failed) when a workspace is smaller than what was asked for.
inline void requireWorkspace(const Workspace& workspace, std::size_t bytes, const char* who) {
    if (workspace.bytes >= bytes && (workspace.data || bytes == 0)) return;
    throw Error(ErrorCode::failed, std::string("The workspace of the ") + who + " is too small",
                std::to_string(workspace.bytes) + " instead of " + std::to_string(bytes) + " bytes");
}

/// Throws Error(usage) unless the length makes sense.
inline void requireLength(std::int64_t n, const char* who) {
    if (n < 0 || n > std::int64_t{1} << 40)
        throw Error(ErrorCode::usage, std::string("The ") + who + " takes 0 to 2^40 elements", std::to_string(n) + " were asked for");
}

}  // namespace parallax::gpu
