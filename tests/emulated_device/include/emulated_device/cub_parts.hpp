// SPDX-License-Identifier: GPL-3.0-or-later
// Shared parts of the stand-ins for CUB, which needs nvcc. They compute the documented results one element after the other.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cstring>
#include <iterator>
#include <type_traits>
#include <vector>

namespace emulatedDevice {

/// As in CUB: without memory the call only returns the size. Otherwise all of that memory is written, so that the guard behind it
/// detects memory that is too small.
template <class Work>
cudaError_t cubCall(void* memory, std::size_t& bytes, std::size_t needed, const char* name, cudaStream_t stream, Work work) {
    if (!memory) {
        bytes = needed;
        return cudaSuccess;
    }
    if (bytes < needed) return cudaErrorInvalidValue;
    return enqueueWork(stream, name, [=] {
        std::memset(memory, 0xEE, needed);
        work();
    });
}

/// Sums of parts, so that rounding errors are no larger than in a tree.
inline constexpr std::int64_t kCubPart = 512;
inline std::size_t cubBytes(std::int64_t n) { return static_cast<std::size_t>((n + kCubPart - 1) / kCubPart * 8 + 256); }

template <class T, class In, class Combine>
T reduceInParts(In in, std::int64_t begin, std::int64_t n, Combine combine, T identity) {
    if (n <= kCubPart) {
        T total = identity;
        for (std::int64_t i = begin; i < begin + n; ++i) total = combine(total, static_cast<T>(in[i]));
        return total;
    }
    const std::int64_t half = n / 2;
    return combine(reduceInParts(in, begin, half, combine, identity), reduceInParts(in, begin + half, n - half, combine, identity));
}

}  // namespace emulatedDevice
