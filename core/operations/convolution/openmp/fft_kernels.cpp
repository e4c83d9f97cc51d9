// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/convolution/openmp/fft_kernels.hpp"

#include <cmath>
#include <cstring>

#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/operations/convolution/openmp/fft_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace parallax {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<float, 16>;
using V = hn::Vec<D>;
constexpr std::int64_t kLanes = static_cast<std::int64_t>(hn::MaxLanes(D()));

bool packRowsImpl(const float* HWY_RESTRICT a, const float* HWY_RESTRICT b, float scale, std::int64_t n, float* HWY_RESTRICT out) {
    const D d;
    const V factor = hn::Set(d, scale), zero = hn::Zero(d);
    auto all = hn::Eq(zero, zero);
    std::int64_t i = 0;
    for (; i + kLanes <= n; i += kLanes) {
        const V x = hn::LoadU(d, a + i), y = hn::LoadU(d, b + i);
        // x - x is 0 for whatever is finite and NaN for the rest.
        const auto finiteX = hn::Eq(hn::Sub(x, x), zero), finiteY = hn::Eq(hn::Sub(y, y), zero);
        all = hn::And(all, hn::And(finiteX, finiteY));
        hn::StoreInterleaved2(hn::IfThenElseZero(finiteX, hn::Mul(x, factor)), hn::IfThenElseZero(finiteY, hn::Mul(y, factor)), d,
                              out + 2 * i);
    }
    bool finite = hn::AllTrue(d, all);
    for (; i < n; ++i) {
        const bool x = std::isfinite(a[i]), y = std::isfinite(b[i]);
        finite = finite && x && y;
        out[2 * i] = x ? a[i] * scale : 0.0F;
        out[2 * i + 1] = y ? b[i] * scale : 0.0F;
    }
    return !finite;
}

void unpackRowsImpl(const float* HWY_RESTRICT in, float scale1, float scale2, float offset, std::int64_t n, float* HWY_RESTRICT a,
                    float* HWY_RESTRICT b) {
    const D d;
    const V first = hn::Set(d, scale1), second = hn::Set(d, scale2), add = hn::Set(d, offset);
    std::int64_t i = 0;
    for (; i + kLanes <= n; i += kLanes) {
        V x, y;
        hn::LoadInterleaved2(d, in + 2 * i, x, y);
        hn::StoreU(hn::Add(hn::Mul(hn::Mul(x, first), second), add), d, a + i);
        hn::StoreU(hn::Add(hn::Mul(hn::Mul(y, first), second), add), d, b + i);
    }
    for (; i < n; ++i) {
        a[i] = in[2 * i] * scale1 * scale2 + offset;
        b[i] = in[2 * i + 1] * scale1 * scale2 + offset;
    }
}

void multiplyComplexImpl(float* HWY_RESTRICT data, const float* HWY_RESTRICT factors, std::int64_t n) {
#if HWY_TARGET == HWY_SCALAR
    for (std::int64_t i = 0; i < 2 * n; i += 2) {
        const float re = data[i] * factors[i] - data[i + 1] * factors[i + 1];
        data[i + 1] = data[i] * factors[i + 1] + data[i + 1] * factors[i];
        data[i] = re;
    }
#else
    const D d;
    for (std::int64_t i = 0; i < 2 * n; i += kLanes) {
        const V x = hn::Load(d, data + i), k = hn::Load(d, factors + i);
        const V crossed = hn::Mul(hn::Reverse2(d, x), hn::DupOdd(k));  // (im im', re im')
        const V straight = hn::DupEven(k);
        hn::Store(hn::OddEven(hn::MulAdd(x, straight, crossed), hn::MulSub(x, straight, crossed)), d, data + i);
    }
#endif
}

void multiplyOppositeImpl(float* HWY_RESTRICT data, const float* HWY_RESTRICT factors, std::int64_t n) {
#if HWY_TARGET == HWY_SCALAR
    for (std::int64_t i = 0; i < n; ++i) {
        const float *k = factors + 2 * (n - i), *x = data + 2 * i;
        const float re = x[0] * k[0] + x[1] * k[1], im = x[1] * k[0] - x[0] * k[1];
        data[2 * i] = re;
        data[2 * i + 1] = im;
    }
#else
    const D d;
    for (std::int64_t i = 0; i < 2 * n; i += kLanes) {
        const V x = hn::Load(d, data + i);
        const V k = hn::Reverse(d, hn::LoadU(d, factors + 2 * n + 2 - i - kLanes));  // backwards: (im, re) of the factors in turn
        const V crossed = hn::Mul(hn::Reverse2(d, x), hn::DupEven(k));               // (im im', re im')
        const V straight = hn::DupOdd(k);
        hn::Store(hn::OddEven(hn::MulSub(x, straight, crossed), hn::MulAdd(x, straight, crossed)), d, data + i);
    }
#endif
}

// One complex sample is eight bytes, whatever they mean.
#if HWY_TARGET == HWY_SCALAR
constexpr std::size_t kBytes = 2 * sizeof(float);
void takeColumnsImpl(const float* rows, std::int64_t pitch, std::int64_t count, float* columns, std::int64_t length) {
    for (std::int64_t y = 0; y < count; ++y)
        for (std::int64_t c = 0; c < kColumnsTogether; ++c) std::memcpy(columns + 2 * (c * length + y), rows + 2 * (y * pitch + c), kBytes);
}
void putColumnsImpl(const float* columns, std::int64_t length, std::int64_t count, float* rows, std::int64_t pitch) {
    for (std::int64_t y = 0; y < count; ++y)
        for (std::int64_t c = 0; c < kColumnsTogether; ++c) std::memcpy(rows + 2 * (y * pitch + c), columns + 2 * (c * length + y), kBytes);
}
#else
using Pair = hn::FixedTag<float, 4>;
using PairBytes = hn::FixedTag<double, 2>;
HWY_INLINE hn::Vec<PairBytes> loadPair(const float* p) { return hn::BitCast(PairBytes(), hn::Load(Pair(), p)); }
HWY_INLINE void storePair(hn::Vec<PairBytes> v, float* p) { hn::Store(hn::BitCast(Pair(), v), Pair(), p); }

/// Two by two.
void takeColumnsImpl(const float* HWY_RESTRICT rows, std::int64_t pitch, std::int64_t count, float* HWY_RESTRICT columns,
                     std::int64_t length) {
    for (std::int64_t y = 0; y < count; y += 2)
        for (std::int64_t c = 0; c < kColumnsTogether; c += 2) {
            const auto upper = loadPair(rows + 2 * (y * pitch + c)), lower = loadPair(rows + 2 * ((y + 1) * pitch + c));
            storePair(hn::InterleaveLower(PairBytes(), upper, lower), columns + 2 * (c * length + y));
            storePair(hn::InterleaveUpper(PairBytes(), upper, lower), columns + 2 * ((c + 1) * length + y));
        }
}
void putColumnsImpl(const float* HWY_RESTRICT columns, std::int64_t length, std::int64_t count, float* HWY_RESTRICT rows,
                    std::int64_t pitch) {
    for (std::int64_t y = 0; y < count; y += 2)
        for (std::int64_t c = 0; c < kColumnsTogether; c += 2) {
            const auto left = loadPair(columns + 2 * (c * length + y)), right = loadPair(columns + 2 * ((c + 1) * length + y));
            storePair(hn::InterleaveLower(PairBytes(), left, right), rows + 2 * (y * pitch + c));
            storePair(hn::InterleaveUpper(PairBytes(), left, right), rows + 2 * ((y + 1) * pitch + c));
        }
}
#endif

}  // namespace HWY_NAMESPACE
}  // namespace parallax
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace parallax {

HWY_EXPORT(packRowsImpl);
HWY_EXPORT(unpackRowsImpl);
HWY_EXPORT(multiplyComplexImpl);
HWY_EXPORT(multiplyOppositeImpl);
HWY_EXPORT(takeColumnsImpl);
HWY_EXPORT(putColumnsImpl);

bool packRows(const float* a, const float* b, float scale, std::int64_t n, float* out) {
    return HWY_DYNAMIC_DISPATCH(packRowsImpl)(a, b, scale, n, out);
}
void unpackRows(const float* in, float scale1, float scale2, float offset, std::int64_t n, float* a, float* b) {
    HWY_DYNAMIC_DISPATCH(unpackRowsImpl)(in, scale1, scale2, offset, n, a, b);
}
void multiplyComplex(float* data, const float* factors, std::int64_t n) { HWY_DYNAMIC_DISPATCH(multiplyComplexImpl)(data, factors, n); }
void multiplyOpposite(float* data, const float* factors, std::int64_t n) { HWY_DYNAMIC_DISPATCH(multiplyOppositeImpl)(data, factors, n); }
void takeColumns(const float* rows, std::int64_t pitch, std::int64_t count, float* columns, std::int64_t length) {
    HWY_DYNAMIC_DISPATCH(takeColumnsImpl)(rows, pitch, count, columns, length);
}
void putColumns(const float* columns, std::int64_t length, std::int64_t count, float* rows, std::int64_t pitch) {
    HWY_DYNAMIC_DISPATCH(putColumnsImpl)(columns, length, count, rows, pitch);
}

}  // namespace parallax
#endif
