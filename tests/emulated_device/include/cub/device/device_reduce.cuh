// SPDX-License-Identifier: GPL-3.0-or-later
// Stand-in for CUB's header of this name.
#pragma once

#include <limits>

#include "emulated_device/cub_parts.hpp"

namespace cub {

struct DeviceReduce {
    template <class In, class Out, class N, class Combine, class Transform, class T>
    static cudaError_t TransformReduce(void* memory, std::size_t& bytes, In in, Out out, N n, Combine combine, Transform transform,
                                       T initial, cudaStream_t stream = nullptr) {
        struct Transformed {
            In in;
            Transform transform;
            T operator[](std::int64_t i) const { return transform(in[i]); }
        };
        return emulatedDevice::cubCall(memory, bytes, emulatedDevice::cubBytes(n), "cub::DeviceReduce", stream, [=] {
            *out = emulatedDevice::reduceInParts<T>(Transformed{in, transform}, 0, n, combine, initial);
        });
    }
    template <class In, class Out, class N, class Combine, class T>
    static cudaError_t Reduce(void* memory, std::size_t& bytes, In in, Out out, N n, Combine combine, T initial,
                              cudaStream_t stream = nullptr) {
        return TransformReduce(
            memory, bytes, in, out, n, combine, [](const auto& x) { return static_cast<T>(x); }, initial, stream);
    }
    template <class In, class Out, class N>
    static cudaError_t Sum(void* memory, std::size_t& bytes, In in, Out out, N n, cudaStream_t stream = nullptr) {
        using T = std::remove_cvref_t<decltype(*out)>;
        return Reduce(
            memory, bytes, in, out, n, [](T a, T b) { return static_cast<T>(a + b); }, T{}, stream);
    }
    template <class In, class Out, class N>
    static cudaError_t Min(void* memory, std::size_t& bytes, In in, Out out, N n, cudaStream_t stream = nullptr) {
        using T = std::remove_cvref_t<decltype(*out)>;
        return Reduce(
            memory, bytes, in, out, n, [](T a, T b) { return b < a ? b : a; }, std::numeric_limits<T>::max(), stream);
    }
    template <class In, class Out, class N>
    static cudaError_t Max(void* memory, std::size_t& bytes, In in, Out out, N n, cudaStream_t stream = nullptr) {
        using T = std::remove_cvref_t<decltype(*out)>;
        return Reduce(
            memory, bytes, in, out, n, [](T a, T b) { return a < b ? b : a; }, std::numeric_limits<T>::lowest(), stream);
    }
};

}  // namespace cub
