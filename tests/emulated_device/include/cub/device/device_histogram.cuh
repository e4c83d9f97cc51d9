// SPDX-License-Identifier: GPL-3.0-or-later
// Stand-in for CUB's header of this name.
#pragma once

#include "emulated_device/cub_parts.hpp"

namespace cub {

struct DeviceHistogram {
    /// `levels` - 1 bins of equal width from `low` up to, and without, `high`.
    template <class In, class Counter, class Level, class N>
    static cudaError_t HistogramEven(void* memory, std::size_t& bytes, In samples, Counter* counts, int levels, Level low, Level high, N n,
                                     cudaStream_t stream = nullptr) {
        return emulatedDevice::cubCall(memory, bytes, 256, "cub::DeviceHistogram", stream, [=] {
            const int bins = levels - 1;
            for (int b = 0; b < bins; ++b) counts[b] = 0;
            for (std::int64_t i = 0; i < static_cast<std::int64_t>(n); ++i) {
                const auto sample = samples[i];
                if (!(sample >= low && sample < high)) continue;
                std::int64_t bin = 0;
                if constexpr (std::is_integral_v<Level>)
                    bin = (static_cast<std::int64_t>(sample) - low) * bins / (static_cast<std::int64_t>(high) - low);
                else bin = static_cast<std::int64_t>((sample - low) * (static_cast<Level>(bins) / (high - low)));
                ++counts[bin < bins ? bin : bins - 1];
            }
        });
    }
};

}  // namespace cub
