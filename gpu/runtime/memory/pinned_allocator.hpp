// SPDX-License-Identifier: GPL-3.0-or-later
// Page-locked host memory, which the device accesses directly.
#pragma once

#include <memory>

#include "core/image/buffer.hpp"

namespace parallax::gpu {

/// Returns an allocator of page-locked memory that every device can access. The memory belongs to the context of `device`, so a run there
/// needs no context on another one. Throws Error(memory) with the bytes.
std::shared_ptr<Allocator> pinnedAllocator(int device);
/// The same for images and results. Page-locking takes longer than copying, so up to kKeptPinnedBytes of released memory are kept for the
/// next allocation of the same size.
std::shared_ptr<Allocator> recyclingPinnedAllocator(int device);
inline constexpr std::size_t kKeptPinnedBytes = std::size_t{1} << 30;
/// Returns whether host memory is page-locked.
bool isPinned(const void* host);

}  // namespace parallax::gpu
