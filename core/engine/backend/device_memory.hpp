// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace parallax {

/// A session that knows how much memory of its device this process takes.
class MeasuresDeviceMemory {
public:
    virtual ~MeasuresDeviceMemory() = default;
    /// Bytes in use now.
    virtual std::uint64_t usedDeviceMemory() const = 0;
    /// The most bytes in use since the last call; counting begins again.
    virtual std::uint64_t takeDeviceMemoryPeak() = 0;
};

}  // namespace parallax
