// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/ceilings/ceiling_kernels.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#define PARALLAX_FOR(isa) __attribute__((target(isa)))
#endif

namespace parallax {
namespace {

constexpr double kFactor = 3;
constexpr int kChains = 12;  // at least latency 4 x 2 a cycle; more do not fit into 16 registers

void copyPlain(double* a, const double* b, const double*, std::size_t n) {
    // May become a memcpy, as in STREAM.
    for (std::size_t i = 0; i < n; ++i) a[i] = b[i];
}

void triadPlain(double* a, const double* b, const double* c, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) a[i] = b[i] + kFactor * c[i];
}

float fmaPlain(int loops) {
    float x[kChains];
    for (int k = 0; k < kChains; ++k) x[k] = static_cast<float>(k);
    for (int i = 0; i < loops; ++i)
        for (float& v : x) v = v * 0.999F + 0.001F;
    float sum = 0;
    for (const float v : x) sum += v;
    return sum;
}

#if defined(__x86_64__)

// a = b, or a = b + 3 * c. Streaming stores write past the caches; those of AVX-512 write a whole cache line each.
template <bool triad, bool streaming>
PARALLAX_FOR("avx2,fma")
void moveAvx2(double* a, const double* b, const double* c, std::size_t n) {
    const __m256d s = _mm256_set1_pd(kFactor);
#pragma GCC unroll 2
    for (std::size_t i = 0; i < n; i += 4) {
        __m256d v = _mm256_load_pd(b + i);
        if constexpr (triad) v = _mm256_fmadd_pd(s, _mm256_load_pd(c + i), v);
        if constexpr (streaming) _mm256_stream_pd(a + i, v);
        else _mm256_store_pd(a + i, v);
    }
    if constexpr (streaming) _mm_sfence();
}
template <bool triad, bool streaming>
PARALLAX_FOR("avx512f")
void moveAvx512(double* a, const double* b, const double* c, std::size_t n) {
    const __m512d s = _mm512_set1_pd(kFactor);
#pragma GCC unroll 2
    for (std::size_t i = 0; i < n; i += 8) {
        __m512d v = _mm512_load_pd(b + i);
        if constexpr (triad) v = _mm512_fmadd_pd(s, _mm512_load_pd(c + i), v);
        if constexpr (streaming) _mm512_stream_pd(a + i, v);
        else _mm512_store_pd(a + i, v);
    }
    if constexpr (streaming) _mm_sfence();
}

PARALLAX_FOR("fma") float fmaScalar(int loops) {
    const __m128 m = _mm_set_ss(0.999F), p = _mm_set_ss(0.001F);
    __m128 x[kChains];
    for (int k = 0; k < kChains; ++k) x[k] = _mm_set_ss(static_cast<float>(k));
    for (int i = 0; i < loops; ++i) {
#pragma GCC unroll 12
        for (int k = 0; k < kChains; ++k) x[k] = _mm_fmadd_ss(x[k], m, p);
    }
    float sum = 0;
    for (const __m128& v : x) sum += _mm_cvtss_f32(v);
    return sum;
}
PARALLAX_FOR("avx2,fma") float fmaAvx2(int loops) {
    const __m256 m = _mm256_set1_ps(0.999F), p = _mm256_set1_ps(0.001F);
    __m256 x[kChains];
    for (int k = 0; k < kChains; ++k) x[k] = _mm256_set1_ps(static_cast<float>(k));
    for (int i = 0; i < loops; ++i) {
#pragma GCC unroll 12
        for (int k = 0; k < kChains; ++k) x[k] = _mm256_fmadd_ps(x[k], m, p);
    }
    __m256 sum = x[0];
    for (int k = 1; k < kChains; ++k) sum = _mm256_add_ps(sum, x[k]);
    return _mm256_cvtss_f32(sum);
}
PARALLAX_FOR("avx512f") float fmaAvx512(int loops) {
    const __m512 m = _mm512_set1_ps(0.999F), p = _mm512_set1_ps(0.001F);
    __m512 x[kChains];
    for (int k = 0; k < kChains; ++k) x[k] = _mm512_set1_ps(static_cast<float>(k));
    for (int i = 0; i < loops; ++i) {
#pragma GCC unroll 12
        for (int k = 0; k < kChains; ++k) x[k] = _mm512_fmadd_ps(x[k], m, p);
    }
    __m512 sum = x[0];
    for (int k = 1; k < kChains; ++k) sum = _mm512_add_ps(sum, x[k]);
    return _mm512_cvtss_f32(sum);
}

#endif

}  // namespace

std::vector<CeilingKernel> availableCeilingKernels() {
#if defined(__x86_64__)
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"), avx512 = __builtin_cpu_supports("avx512f");
    if (avx2)
        return {{"copy", 2, false, avx512 ? moveAvx512<false, false> : moveAvx2<false, false>},
                {"triad", 3, false, avx512 ? moveAvx512<true, false> : moveAvx2<true, false>},
                {"copy-streaming", 2, true, avx512 ? moveAvx512<false, true> : moveAvx2<false, true>},
                {"triad-streaming", 3, true, avx512 ? moveAvx512<true, true> : moveAvx2<true, true>}};
#endif
    return {{"copy", 2, false, copyPlain}, {"triad", 3, false, triadPlain}};
}

std::vector<FmaKernel> availableFmaKernels() {
    std::vector<FmaKernel> all;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("fma")) all.push_back({"scalar", 2.0 * kChains, fmaScalar});
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) all.push_back({"avx2", 2.0 * kChains * 8, fmaAvx2});
    if (__builtin_cpu_supports("avx512f")) all.push_back({"avx512", 2.0 * kChains * 16, fmaAvx512});
#endif
    if (all.empty()) all.push_back({"scalar", 2.0 * kChains, fmaPlain});
    return all;
}

}  // namespace parallax
