// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>

namespace parallax {

/// What one part of a run got from the others.
struct PartTraffic {
    std::int64_t messages = 0, bytes = 0;  ///< received in exchanges
    /// Calls that combine something of all parts: reductions, broadcasts, gathers and barriers; and the bytes that they hand to each part.
    std::int64_t collectives = 0, collectiveBytes = 0;
    /// ns of work between start and finish of exchanges, behind which these can be hidden. 0 for devices, where the host only orders the
    /// work in between.
    std::int64_t overlapped = 0;

    PartTraffic& operator+=(const PartTraffic& more) {
        messages += more.messages, bytes += more.bytes;
        collectives += more.collectives, collectiveBytes += more.collectiveBytes;
        overlapped += more.overlapped;
        return *this;
    }
    friend bool operator==(const PartTraffic&, const PartTraffic&) = default;
};

/// Returns the largest of each count, and the smallest time to hide behind.
inline PartTraffic busiest(const PartTraffic& a, const PartTraffic& b) {
    return {std::max(a.messages, b.messages), std::max(a.bytes, b.bytes), std::max(a.collectives, b.collectives),
            std::max(a.collectiveBytes, b.collectiveBytes), std::min(a.overlapped, b.overlapped)};
}

}  // namespace parallax
