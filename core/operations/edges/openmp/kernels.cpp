// SPDX-License-Identifier: GPL-3.0-or-later
// Compiled once for each instruction set; the best one is chosen when the program runs.
#include "core/operations/edges/openmp/kernels.hpp"

#include "core/backends/openmp/instructions.hpp"

#define HWY_DISABLED_TARGETS PARALLAX_UNUSED_SIMD_TARGETS
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/operations/edges/openmp/kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace parallax {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Calls body(tag, x) for vectors of columns, and for single ones at the end.
template <class Body>
HWY_INLINE void forColumns(std::int64_t width, const Body& body) {
    constexpr hn::CappedTag<float, 16> vectors;
    constexpr hn::CappedTag<float, 1> single;
    constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(vectors));
    std::int64_t x = 0;
    for (; x + lanes <= width; x += lanes) body(vectors, x);
    for (; x < width; ++x) body(single, x);
}

template <class V>
struct Taps {
    V before, at, after;
};

/// Smoothing and derivative along one axis. The derivative has a weight of 0 in the middle, through which NaN and infinity pass.
template <class D>
struct AlongAxis {
    using V = hn::Vec<D>;
    AlongAxis(D d, const EdgeWeights& weights) : side(hn::Set(d, weights.side)), middle(hn::Set(d, weights.middle)), zero(hn::Zero(d)) {}
    V smooth(const Taps<V>& t) const { return hn::MulAdd(side, t.before, hn::MulAdd(side, t.after, hn::Mul(middle, t.at))); }
    V derivative(const Taps<V>& t) const { return hn::MulAdd(zero, t.at, hn::Sub(t.after, t.before)); }
    V side, middle, zero;
};

template <class D>
HWY_INLINE Taps<hn::Vec<D>> loadRows(D d, const float* const* rows, std::int64_t x, hn::Vec<D> scale) {
    const auto load = [&](int i) { return hn::Mul(scale, hn::LoadU(d, rows[i] + x)); };
    return {load(0), load(1), load(2)};
}

template <class D>
HWY_INLINE Taps<hn::Vec<D>> loadAround(D d, const float* row, std::int64_t x) {
    return {hn::LoadU(d, row + x - 1), hn::LoadU(d, row + x), hn::LoadU(d, row + x + 1)};
}

void combineImpl(const EdgeColumns& columns, std::int64_t width, const EdgeWeights& weights) {
    forColumns(width, [&](auto d, std::int64_t x) {
        using V = hn::Vec<decltype(d)>;
        const AlongAxis axis(d, weights);
        const V scale = hn::Set(d, kEdgeScale);
        const Taps<V> taps = loadRows(d, columns.rows, x, scale);
        if (!columns.alongZ) {
            hn::StoreU(axis.smooth(taps), d, columns.smooth + x);
            hn::StoreU(axis.derivative(taps), d, columns.alongY + x);
            return;
        }
        const Taps<V> at = loadRows(d, columns.rows + 3, x, scale), after = loadRows(d, columns.rows + 6, x, scale);
        const Taps<V> smoothed{axis.smooth(taps), axis.smooth(at), axis.smooth(after)};
        hn::StoreU(axis.smooth(smoothed), d, columns.smooth + x);
        hn::StoreU(axis.smooth({axis.derivative(taps), axis.derivative(at), axis.derivative(after)}), d, columns.alongY + x);
        hn::StoreU(axis.derivative(smoothed), d, columns.alongZ + x);
    });
}

/// Returns the power of two in m, from 2^-126 to 2^126, so that its inverse is a normal number as well.
template <class D>
HWY_INLINE hn::Vec<D> powerIn(D d, hn::Vec<D> m) {
    const hn::Vec<D> power = hn::And(m, hn::Inf(d));
    return hn::Min(hn::Max(power, hn::Set(d, 0x1p-126F)), hn::Set(d, 0x1p126F));
}

/// Squares would leave the range of float: components are divided by the power of two in the largest one.
void magnitudesImpl(const EdgeColumns& columns, std::int64_t width, const EdgeWeights& weights, float* out) {
    forColumns(width, [&](auto d, std::int64_t x) {
        using V = hn::Vec<decltype(d)>;
        const AlongAxis axis(d, weights);
        V gx = axis.derivative(loadAround(d, columns.smooth, x)), gy = axis.smooth(loadAround(d, columns.alongY, x)), gz = hn::Zero(d);
        if (columns.alongZ) gz = axis.smooth(loadAround(d, columns.alongZ, x));
        const V power = powerIn(d, hn::Max(hn::Max(hn::Abs(gx), hn::Abs(gy)), hn::Abs(gz)));
        const V inverse = hn::Div(hn::Set(d, 1.0F), power);
        gx = hn::Mul(gx, inverse);
        gy = hn::Mul(gy, inverse);
        gz = hn::Mul(gz, inverse);
        const V root = hn::Sqrt(hn::MulAdd(gz, gz, hn::MulAdd(gx, gx, hn::Mul(gy, gy))));
        hn::StoreU(hn::Mul(hn::Mul(root, power), hn::Set(d, kEdgeInverseScale)), d, out + x);
    });
}

}  // namespace HWY_NAMESPACE
}  // namespace parallax
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace parallax {

HWY_EXPORT(combineImpl);
HWY_EXPORT(magnitudesImpl);

void combineEdgeRows(const EdgeColumns& columns, std::int64_t width, const EdgeWeights& weights) {
    HWY_DYNAMIC_DISPATCH(combineImpl)(columns, width, weights);
}
void writeEdgeMagnitudes(const EdgeColumns& columns, std::int64_t width, const EdgeWeights& weights, float* out) {
    HWY_DYNAMIC_DISPATCH(magnitudesImpl)(columns, width, weights, out);
}

}  // namespace parallax
#endif
