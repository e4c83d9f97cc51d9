// SPDX-License-Identifier: GPL-3.0-or-later
// Stand-in for CUB's header of this name.
#pragma once

#include "emulated_device/cub_parts.hpp"

namespace cub {

struct DeviceScan {
    template <class In, class Out, class N>
    static cudaError_t ExclusiveSum(void* memory, std::size_t& bytes, In in, Out out, N n, cudaStream_t stream = nullptr) {
        return sum<false>(memory, bytes, in, out, n, stream);
    }
    template <class In, class Out, class N>
    static cudaError_t InclusiveSum(void* memory, std::size_t& bytes, In in, Out out, N n, cudaStream_t stream = nullptr) {
        return sum<true>(memory, bytes, in, out, n, stream);
    }

private:
    /// What lies before a part is added to the sums within it, as the blocks of a device do.
    template <bool Inclusive, class In, class Out, class N>
    static cudaError_t sum(void* memory, std::size_t& bytes, In in, Out out, N n, cudaStream_t stream) {
        using T = std::remove_cvref_t<decltype(*out)>;
        return emulatedDevice::cubCall(memory, bytes, emulatedDevice::cubBytes(n), "cub::DeviceScan", stream, [=] {
            T before{};
            for (std::int64_t begin = 0; begin < n; begin += emulatedDevice::kCubPart) {
                T within{};
                for (std::int64_t i = begin; i < n && i < begin + emulatedDevice::kCubPart; ++i) {
                    const T value = in[i];  // read first: it may be computed in place
                    out[i] = before + (Inclusive ? within + value : within);
                    within += value;
                }
                before += within;
            }
        });
    }
};

}  // namespace cub
