// SPDX-License-Identifier: GPL-3.0-or-later
// Functions of device code: cached loads and stores, atomic operations, arithmetic. Atomic operations accept exactly the toolkit's types;
// since one fibre runs at a time, they are plain operations.
#pragma once

#include <math.h>
#include <time.h>

#include <bit>
#include <chrono>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <type_traits>

#include "emulated_device/kernel.hpp"

// ---- memory -------------------------------------------------------------------------------------------------------------------------

namespace emulatedDevice {

/// Devices refuse unaligned vectors; the CPU would read them.
template <class T>
void checkAligned(const T* p) {
    if (reinterpret_cast<std::uintptr_t>(p) % alignof(T) == 0) return;
    std::fprintf(stderr, "emulated device: misaligned access to %zu bytes at %p\n", sizeof(T), static_cast<const void*>(p));
    std::abort();
}

}  // namespace emulatedDevice

#define PARALLAX_EMULATED_LOAD(name)       \
    template <class T>                     \
    inline T name(const T* p) {            \
        ::emulatedDevice::checkAligned(p); \
        return *p;                         \
    }
PARALLAX_EMULATED_LOAD(__ldg)
PARALLAX_EMULATED_LOAD(__ldca)
PARALLAX_EMULATED_LOAD(__ldcg)
PARALLAX_EMULATED_LOAD(__ldcs)
PARALLAX_EMULATED_LOAD(__ldlu)
PARALLAX_EMULATED_LOAD(__ldcv)
#undef PARALLAX_EMULATED_LOAD
#define PARALLAX_EMULATED_STORE(name)                              \
    template <class T>                                             \
    inline void name(T* p, const std::type_identity_t<T>& value) { \
        ::emulatedDevice::checkAligned(p);                         \
        *p = value;                                                \
    }
PARALLAX_EMULATED_STORE(__stwb)
PARALLAX_EMULATED_STORE(__stcg)
PARALLAX_EMULATED_STORE(__stcs)
PARALLAX_EMULATED_STORE(__stwt)
#undef PARALLAX_EMULATED_STORE

inline void __threadfence() {}
inline void __threadfence_block() {}
inline void __threadfence_system() {}
inline void __nanosleep(unsigned) {}
inline void __prefetch_global_l1(const void*) {}
inline void __prefetch_global_l2(const void*) {}
inline long long clock64() { return std::chrono::steady_clock::now().time_since_epoch().count(); }

#define PARALLAX_EMULATED_ATOMIC(name, T, expression)    \
    inline T name(T* p, std::type_identity_t<T> value) { \
        const T old = *p;                                \
        *p = (expression);                               \
        return old;                                      \
    }
#define PARALLAX_EMULATED_INTEGER_ATOMICS(T)                          \
    PARALLAX_EMULATED_ATOMIC(atomicMin, T, value < old ? value : old) \
    PARALLAX_EMULATED_ATOMIC(atomicMax, T, value > old ? value : old) \
    PARALLAX_EMULATED_ATOMIC(atomicAnd, T, old& value)                \
    PARALLAX_EMULATED_ATOMIC(atomicOr, T, old | value)                \
    PARALLAX_EMULATED_ATOMIC(atomicXor, T, old ^ value)               \
    PARALLAX_EMULATED_ATOMIC(atomicExch, T, value)                    \
    inline T atomicCAS(T* p, T expected, T value) {                   \
        const T old = *p;                                             \
        if (old == expected) *p = value;                              \
        return old;                                                   \
    }
PARALLAX_EMULATED_INTEGER_ATOMICS(int)
PARALLAX_EMULATED_INTEGER_ATOMICS(unsigned)
PARALLAX_EMULATED_INTEGER_ATOMICS(long long)
PARALLAX_EMULATED_INTEGER_ATOMICS(unsigned long long)
// Integer sums wrap around.
PARALLAX_EMULATED_ATOMIC(atomicAdd, int, static_cast<int>(static_cast<unsigned>(old) + static_cast<unsigned>(value)))
PARALLAX_EMULATED_ATOMIC(atomicAdd, unsigned, old + value)
PARALLAX_EMULATED_ATOMIC(atomicAdd, unsigned long long, old + value)
PARALLAX_EMULATED_ATOMIC(atomicAdd, float, old + value)
PARALLAX_EMULATED_ATOMIC(atomicAdd, double, old + value)
PARALLAX_EMULATED_ATOMIC(atomicSub, int, static_cast<int>(static_cast<unsigned>(old) - static_cast<unsigned>(value)))
PARALLAX_EMULATED_ATOMIC(atomicSub, unsigned, old - value)
PARALLAX_EMULATED_ATOMIC(atomicExch, float, value)
PARALLAX_EMULATED_ATOMIC(atomicInc, unsigned, old >= value ? 0 : old + 1)
PARALLAX_EMULATED_ATOMIC(atomicDec, unsigned, old == 0 || old > value ? value : old - 1)
#undef PARALLAX_EMULATED_INTEGER_ATOMICS
#undef PARALLAX_EMULATED_ATOMIC

// ---- numbers ------------------------------------------------------------------------------------------------------------------------

using std::isfinite;
using std::isinf;
using std::isnan;
using std::signbit;

#define PARALLAX_EMULATED_MINMAX(T)                            \
    inline constexpr T min(T a, T b) { return b < a ? b : a; } \
    inline constexpr T max(T a, T b) { return a < b ? b : a; }
PARALLAX_EMULATED_MINMAX(int)
PARALLAX_EMULATED_MINMAX(unsigned)
PARALLAX_EMULATED_MINMAX(long)
PARALLAX_EMULATED_MINMAX(unsigned long)
PARALLAX_EMULATED_MINMAX(long long)
PARALLAX_EMULATED_MINMAX(unsigned long long)
#undef PARALLAX_EMULATED_MINMAX
// NaN is ignored, as by fminf and fmaxf in device code.
inline float min(float a, float b) { return ::fminf(a, b); }
inline float max(float a, float b) { return ::fmaxf(a, b); }
inline double min(double a, double b) { return ::fmin(a, b); }
inline double max(double a, double b) { return ::fmax(a, b); }
// The toolkit's overloads for mixed signs.
inline constexpr unsigned min(int a, unsigned b) { return min(static_cast<unsigned>(a), b); }
inline constexpr unsigned min(unsigned a, int b) { return min(a, static_cast<unsigned>(b)); }
inline constexpr unsigned max(int a, unsigned b) { return max(static_cast<unsigned>(a), b); }
inline constexpr unsigned max(unsigned a, int b) { return max(a, static_cast<unsigned>(b)); }
inline double min(float a, double b) { return ::fmin(static_cast<double>(a), b); }
inline double min(double a, float b) { return ::fmin(a, static_cast<double>(b)); }
inline double max(float a, double b) { return ::fmax(static_cast<double>(a), b); }
inline double max(double a, float b) { return ::fmax(a, static_cast<double>(b)); }

inline unsigned __float_as_uint(float x) { return std::bit_cast<unsigned>(x); }
inline int __float_as_int(float x) { return std::bit_cast<int>(x); }
inline float __uint_as_float(unsigned x) { return std::bit_cast<float>(x); }
inline float __int_as_float(int x) { return std::bit_cast<float>(x); }
inline long long __double_as_longlong(double x) { return std::bit_cast<long long>(x); }
inline double __longlong_as_double(long long x) { return std::bit_cast<double>(x); }

inline int __popc(unsigned x) { return std::popcount(x); }
inline int __popcll(unsigned long long x) { return std::popcount(x); }
inline int __clz(int x) { return std::countl_zero(static_cast<unsigned>(x)); }
inline int __clzll(long long x) { return std::countl_zero(static_cast<unsigned long long>(x)); }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }
inline unsigned __brev(unsigned x) {
    unsigned reversed = 0;
    for (int i = 0; i < 32; ++i) reversed |= ((x >> i) & 1U) << (31 - i);
    return reversed;
}
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
    return static_cast<unsigned>(((static_cast<std::uint64_t>(high) << 32 | low) << (shift & 31U)) >> 32);
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
    return static_cast<unsigned>((static_cast<std::uint64_t>(high) << 32 | low) >> (shift & 31U));
}
inline unsigned __umulhi(unsigned a, unsigned b) { return static_cast<unsigned>((static_cast<std::uint64_t>(a) * b) >> 32); }
inline int __mulhi(int a, int b) { return static_cast<int>((static_cast<std::int64_t>(a) * b) >> 32); }
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<unsigned long long>((static_cast<Wide>(a) * b) >> 64);
}

/// Conversions of device code saturate at the limits, and NaN becomes 0.
namespace emulatedDevice {
template <class Integer, class Float>
Integer toInteger(Float rounded) {
    constexpr auto low = static_cast<Float>(std::numeric_limits<Integer>::min());
    constexpr auto end = static_cast<Float>(std::numeric_limits<Integer>::max() / 2 + 1) * 2;
    if (rounded != rounded) return 0;
    if (rounded < low) return std::numeric_limits<Integer>::min();
    if (rounded >= end) return std::numeric_limits<Integer>::max();
    return static_cast<Integer>(rounded);
}
}  // namespace emulatedDevice
#define PARALLAX_EMULATED_CONVERSIONS(suffix, round)                                                         \
    inline int __float2int_##suffix(float x) { return emulatedDevice::toInteger<int>(round(x)); }            \
    inline unsigned __float2uint_##suffix(float x) { return emulatedDevice::toInteger<unsigned>(round(x)); } \
    inline long long __float2ll_##suffix(float x) { return emulatedDevice::toInteger<long long>(round(x)); } \
    inline int __double2int_##suffix(double x) { return emulatedDevice::toInteger<int>(round(x)); }          \
    inline long long __double2ll_##suffix(double x) { return emulatedDevice::toInteger<long long>(round(x)); }
PARALLAX_EMULATED_CONVERSIONS(rn, std::nearbyint)
PARALLAX_EMULATED_CONVERSIONS(rz, std::trunc)
PARALLAX_EMULATED_CONVERSIONS(rd, std::floor)
PARALLAX_EMULATED_CONVERSIONS(ru, std::ceil)
#undef PARALLAX_EMULATED_CONVERSIONS
inline float __int2float_rn(int x) { return static_cast<float>(x); }
inline float __uint2float_rn(unsigned x) { return static_cast<float>(x); }
inline float __ll2float_rn(long long x) { return static_cast<float>(x); }
inline float __double2float_rn(double x) { return static_cast<float>(x); }

// Never contracted with other operations.
namespace emulatedDevice {
template <class T>
inline T asIs(T x) {
#if defined(__x86_64__)
    asm("" : "+x"(x));
#elif defined(__aarch64__)
    asm("" : "+w"(x));
#else
    asm("" : "+m"(x));
#endif
    return x;
}
}  // namespace emulatedDevice
inline float __fadd_rn(float a, float b) { return emulatedDevice::asIs(a + b); }
inline float __fsub_rn(float a, float b) { return emulatedDevice::asIs(a - b); }
inline float __fmul_rn(float a, float b) { return emulatedDevice::asIs(a * b); }
inline float __fdiv_rn(float a, float b) { return a / b; }
inline float __fmaf_rn(float a, float b, float c) { return ::fmaf(a, b, c); }
inline float __fsqrt_rn(float a) { return ::sqrtf(a); }
inline float __frcp_rn(float a) { return 1.0F / a; }
inline float __frsqrt_rn(float a) { return static_cast<float>(1.0 / ::sqrt(static_cast<double>(a))); }
inline double __dadd_rn(double a, double b) { return emulatedDevice::asIs(a + b); }
inline double __dsub_rn(double a, double b) { return emulatedDevice::asIs(a - b); }
inline double __dmul_rn(double a, double b) { return emulatedDevice::asIs(a * b); }
inline double __ddiv_rn(double a, double b) { return a / b; }
inline double __fma_rn(double a, double b, double c) { return ::fma(a, b, c); }
inline double __dsqrt_rn(double a) { return ::sqrt(a); }

// The fast intrinsics of a device are less exact than these. Macros, since the C library has functions of these names.
#define __expf(x) (::expf(x))
#define __exp10f(x) (static_cast<float>(::pow(10.0, static_cast<double>(x))))
#define __logf(x) (::logf(x))
#define __log2f(x) (::log2f(x))
#define __log10f(x) (::log10f(x))
#define __powf(x, y) (::exp2f((y) * ::log2f(x)))
#define __sinf(x) (::sinf(x))
#define __cosf(x) (::cosf(x))
#define __tanf(x) (::tanf(x))
#define __sincosf(x, sine, cosine) (::sincosf(x, sine, cosine))
#define rsqrtf(x) (1.0F / ::sqrtf(x))
#define rsqrt(x) (1.0 / ::sqrt(x))
#define rcbrtf(x) (1.0F / ::cbrtf(x))
/// Returns 0 if the divisor exceeds 2^126, as on a device.
inline float __fdividef(float a, float b) {
    const float size = ::fabsf(b);
    return size > 0x1p126F && size < INFINITY ? (::isinf(a) ? NAN : 0.0F) : a / b;
}
inline float __saturatef(float x) { return x > 0 ? (x < 1 ? x : 1.0F) : 0.0F; }
