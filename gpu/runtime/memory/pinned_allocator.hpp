// SPDX-License-Identifier: GPL-3.0-or-later
// Page-locked host memory, which the device reads and writes without help of the processor.
#pragma once

#include <memory>

#include "core/image/buffer.hpp"

namespace parallax::gpu {

/// Allocator of page-locked memory that every device can reach. It belongs to the context of this device, whichever one is current, so
/// that a run on another device needs no context on device 0. Throws Error(memory) with the bytes.
std::shared_ptr<Allocator> pinnedAllocator(int device);
/// The same for images and results: page-locking takes longer than copying, so up to kKeptPinnedBytes of released memory are kept for
/// the next allocation of that size.
std::shared_ptr<Allocator> recyclingPinnedAllocator(int device);
inline constexpr std::size_t kKeptPinnedBytes = std::size_t{1} << 30;
/// Is this host memory page-locked?
bool isPinned(const void* host);

}  // namespace parallax::gpu
