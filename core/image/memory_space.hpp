// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace parallax {

/// Kind of memory. Use isHostAccessible() instead of comparing values.
enum class MemorySpace { host, pinned, device };

constexpr bool isHostAccessible(MemorySpace s) { return s != MemorySpace::device; }

}  // namespace parallax
