// SPDX-License-Identifier: GPL-3.0-or-later
// Operators of reductions. An operator has a `Value` with an identity, maps an element to a value (the identity for elements that do not
// count) and combines two values, associatively up to rounding. Running<Operator> accumulates the elements of a thread; it is specialised
// where there is something better than a Value. Compiles without nvcc, so that the arithmetic is tested on the host.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/image/host_device.hpp"
#include "gpu/primitives/reduction.hpp"

namespace parallax::gpu {

inline constexpr float kLargestFloat = std::numeric_limits<float>::max();
inline constexpr float kSmallestNormalFloat = std::numeric_limits<float>::min();
inline constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// Neither NaN nor infinite.
PARALLAX_HOST_DEVICE inline bool isFinite(float x) { return std::fabs(x) <= kLargestFloat; }

PARALLAX_HOST_DEVICE inline std::uint32_t bitsOf(float x) {
#if defined(__CUDA_ARCH__)
    return __float_as_uint(x);
#else
    return std::bit_cast<std::uint32_t>(x);
#endif
}
PARALLAX_HOST_DEVICE inline float floatOf(std::uint32_t bits) {
#if defined(__CUDA_ARCH__)
    return __uint_as_float(bits);
#else
    return std::bit_cast<float>(bits);
#endif
}

struct MinimumOperator {
    using Value = float;
    PARALLAX_HOST_DEVICE Value identity() const { return kInfinity; }
    PARALLAX_HOST_DEVICE Value map(float x) const { return isFinite(x) ? x : kInfinity; }
    PARALLAX_HOST_DEVICE Value combine(Value a, Value b) const { return std::fmin(a, b); }
};

struct MaximumOperator {
    using Value = float;
    PARALLAX_HOST_DEVICE Value identity() const { return -kInfinity; }
    PARALLAX_HOST_DEVICE Value map(float x) const { return isFinite(x) ? x : -kInfinity; }
    PARALLAX_HOST_DEVICE Value combine(Value a, Value b) const { return std::fmax(a, b); }
};

struct LogSumOperator {
    using Value = LogSum;
    float delta = 0;
    /// Returns whether x + delta has a finite logarithm.
    PARALLAX_HOST_DEVICE static bool counts(float sum) { return sum > 0 && sum <= kLargestFloat; }
    PARALLAX_HOST_DEVICE Value identity() const { return {0, 0}; }
    PARALLAX_HOST_DEVICE Value map(float x) const {
        const float sum = x + delta;
        return counts(sum) ? Value{static_cast<double>(std::log(sum)), 1} : identity();
    }
    PARALLAX_HOST_DEVICE Value combine(const Value& a, const Value& b) const { return {a.sum + b.sum, a.count + b.count}; }
};

template <class Operator>
struct Running {
    /// Largest number of calls of add() between two of settle().
    static constexpr int kMaxAdds = 1 << 30;
    typename Operator::Value total;
    PARALLAX_HOST_DEVICE explicit Running(const Operator& op) : total(op.identity()) {}
    PARALLAX_HOST_DEVICE void add(const Operator& op, float x) { total = op.combine(total, op.map(x)); }
    PARALLAX_HOST_DEVICE void settle() {}
    PARALLAX_HOST_DEVICE void merge(const Operator& op, const Running& other) { total = op.combine(total, other.total); }
    PARALLAX_HOST_DEVICE typename Operator::Value value(const Operator&) const { return total; }
};

/// Computes the logarithm of a product instead of a sum of logarithms: with x = m 2^e and m in [1, 2), mantissas are multiplied and
/// exponents added, which takes a fifth of the instructions of a logarithm. Each element adds at most 2^-24 = 6e-8 to the error of the
/// sum, less than a logarithm in single precision. For up to 2^23 elements.
struct LogarithmProduct {
    static constexpr int kMaxAdds = 64;  ///< between two calls of settle()
    float mantissas = 1;                 ///< product, less than 2^127 between two calls of settle()
    std::int32_t exponents = 0;          ///< sum
    std::int32_t count = 0;
    /// x: positive and normal.
    PARALLAX_HOST_DEVICE void add(float x, bool counts) {
        take(bitsOf(counts ? x : 1.0F));  // contributes a factor of 1
        count += counts ? 1 : 0;
    }
    /// Normalises the product to [1, 2).
    PARALLAX_HOST_DEVICE void settle() {
        const std::uint32_t bits = bitsOf(mantissas);
        mantissas = 1;
        take(bits);
    }
    PARALLAX_HOST_DEVICE void merge(const LogarithmProduct& other) {
        mantissas *= other.mantissas;
        exponents += other.exponents;
        count += other.count;
        settle();
    }
    PARALLAX_HOST_DEVICE double sum() const {
        constexpr double ln2 = 0.69314718055994530942;
        return static_cast<double>(exponents) * ln2 + std::log(static_cast<double>(mantissas));
    }
    PARALLAX_HOST_DEVICE void take(std::uint32_t bits) {
        constexpr std::uint32_t one = 0x3F800000U, fraction = 0x007FFFFFU;
        exponents += static_cast<std::int32_t>(bits - one) >> 23;
        mantissas *= floatOf((bits & fraction) | one);
    }
};

template <>
struct Running<LogSumOperator> : LogarithmProduct {
    PARALLAX_HOST_DEVICE explicit Running(const LogSumOperator&) {}
    PARALLAX_HOST_DEVICE void add(const LogSumOperator& op, float x) {
        float sum = x + op.delta;
        const bool counts = LogSumOperator::counts(sum);
        if (counts && sum < kSmallestNormalFloat) {  // subnormal: its mantissa has no leading 1
            sum *= 0x1p24F;
            exponents -= 24;
        }
        LogarithmProduct::add(sum, counts);
    }
    PARALLAX_HOST_DEVICE void merge(const LogSumOperator&, const Running& other) { LogarithmProduct::merge(other); }
    PARALLAX_HOST_DEVICE LogSum value(const LogSumOperator&) const { return {sum(), count}; }
};

}  // namespace parallax::gpu
