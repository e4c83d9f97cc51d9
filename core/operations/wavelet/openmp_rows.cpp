// SPDX-License-Identifier: GPL-3.0-or-later
// Compiled once for each instruction set; the best one is chosen when the program runs.
//
// A block of N vectors of all sums stays in registers while it goes through the rows: each sample is loaded once for two or four
// multiply-adds, and each weight once for N of them.
#include "parallax/operations/wavelet/openmp_rows.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "parallax/operations/wavelet/openmp_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace parallax {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<float, 16>;
using V = hn::Vec<D>;
constexpr int kLanes = static_cast<int>(hn::MaxLanes(D()));
/// Enough chains of multiply-adds for their latency, and no more than the registers hold beside samples and weights.
constexpr int kVectors = 4, kVectorsOfTwoSteps = kLanes >= 16 ? 4 : 2;

template <int N, int Steps>
struct Sums {
    V v[Steps * 2 * N];  // step, sum, vector
};
template <int N>
struct Samples {
    V v[N];
};

template <int N, int Step, int Steps, std::size_t... I>
HWY_INLINE void addTo(Sums<N, Steps>& s, const Samples<N>& x, float first, float second, std::index_sequence<I...>) {
    const V u = hn::Set(D(), first), v = hn::Set(D(), second);
    constexpr std::size_t kFirst = 2 * N * Step, kSecond = kFirst + N;
    ((s.v[kFirst + I] = hn::MulAdd(x.v[I], u, s.v[kFirst + I])), ...);
    ((s.v[kSecond + I] = hn::MulAdd(x.v[I], v, s.v[kSecond + I])), ...);
}

/// Row i of a group of `taps` (+ `shift`) rows; it belongs to both steps, or to one of them at the ends.
template <int N, int Steps, std::size_t... I>
HWY_INLINE void addRow(Sums<N, Steps>& s, const float* row, const float* first, const float* second, int i, int taps, int shift,
                       std::index_sequence<I...> vectors) {
    const Samples<N> x{{hn::LoadU(D(), row + I * kLanes)...}};
    if constexpr (Steps == 1) {
        addTo<N, 0>(s, x, first[i], second[i], vectors);
    } else {
        if (i >= shift) addTo<N, 0>(s, x, first[i - shift], second[i - shift], vectors);
        if (i < taps) addTo<N, 1>(s, x, first[i], second[i], vectors);
    }
}

template <int N, int Steps, int Taps, int Shift, std::size_t... J>
HWY_INLINE void addGroup(Sums<N, Steps>& s, const float* const* rows, const float* first, const float* second, std::int64_t x,
                         std::index_sequence<J...>) {
    (addRow<N>(s, rows[J] + x, first, second, static_cast<int>(J), Taps, Shift, std::make_index_sequence<static_cast<std::size_t>(N)>()),
     ...);
}

/// A group of Taps rows, or of any number if that is 0.
template <int N, int Steps, int Taps, int Shift, std::size_t... I>
HWY_INLINE Sums<N, Steps> sumAt(const RowSums& r, std::int64_t x, std::index_sequence<I...> /*all sums*/) {
    const V zero = hn::Zero(D());
    Sums<N, Steps> s{{((void)I, zero)...}};
    const float* const* rows = r.rows;
    if constexpr (Taps > 0) {
        constexpr int kRows = Taps + (Steps - 1) * Shift;
        for (int g = 0; g < r.groups; ++g, rows += kRows)
            addGroup<N, Steps, Taps, Shift>(s, rows, r.first + g * Taps, r.second + g * Taps, x,
                                            std::make_index_sequence<static_cast<std::size_t>(kRows)>());
    } else {
        const int extra = (Steps - 1) * Shift;
        for (int g = 0; g < r.groups; ++g, rows += r.taps + extra)
            for (int i = 0; i < r.taps + extra; ++i)
                addRow<N>(s, rows[i] + x, r.first + g * r.taps, r.second + g * r.taps, i, r.taps, Shift,
                          std::make_index_sequence<static_cast<std::size_t>(N)>());
    }
    return s;
}

struct Apart {
    const RowTargets& targets;
    template <int N, int Steps, std::size_t... I>
    HWY_INLINE void store(const Sums<N, Steps>& s, std::int64_t x, std::index_sequence<I...>) const {
        for (std::size_t step = 0; step < static_cast<std::size_t>(Steps); ++step)
            for (std::size_t sum = 0; sum < 2; ++sum)
                (hn::StoreU(s.v[(2 * step + sum) * N + I], D(), targets.to[step][sum] + x + I * kLanes), ...);
    }
};

struct Interleaved {
    float* out;
    template <int N, int Steps, std::size_t... I>
    HWY_INLINE void store(const Sums<N, Steps>& s, std::int64_t x, std::index_sequence<I...>) const {
        static_assert(Steps == 1);
        (hn::StoreInterleaved2(s.v[I], s.v[N + I], D(), out + 2 * (x + static_cast<std::int64_t>(I) * kLanes)), ...);
    }
};

/// Columns from `x` on, as many as are whole multiples of N vectors; returns where it ended.
template <int N, int Steps, int Taps, int Shift, class Out>
HWY_INLINE std::int64_t sumColumns(const RowSums& r, std::int64_t x, std::int64_t end, const Out& out) {
    constexpr auto sums = std::make_index_sequence<static_cast<std::size_t>(2 * Steps * N)>();
    for (; x + N * kLanes <= end; x += N * kLanes)
        out.store(sumAt<N, Steps, Taps, Shift>(r, x, sums), x, std::make_index_sequence<static_cast<std::size_t>(N)>());
    return x;
}

template <int Steps, int Taps, int Shift, class Out>
HWY_NOINLINE std::int64_t sumAll(const RowSums& r, std::int64_t end, const Out& out) {
    const std::int64_t x = sumColumns < Steps == 1 ? kVectors : kVectorsOfTwoSteps, Steps, Taps, Shift > (r, 0, end, out);
    return sumColumns<1, Steps, Taps, Shift>(r, x, end, out);
}

/// The usual filters unrolled: haar to db8, symlets, splines and the 9/7 pair; longer ones pay for a loop.
template <int Steps, int Shift, class Out>
HWY_INLINE std::int64_t sumTaps(const RowSums& r, std::int64_t end, const Out& out) {
    switch (r.taps) {
        case 1: return sumAll<Steps, 1, Shift>(r, end, out);
        case 2: return sumAll<Steps, 2, Shift>(r, end, out);
        case 3: return sumAll<Steps, 3, Shift>(r, end, out);
        case 4: return sumAll<Steps, 4, Shift>(r, end, out);
        case 5: return sumAll<Steps, 5, Shift>(r, end, out);
        case 6: return sumAll<Steps, 6, Shift>(r, end, out);
        case 8: return sumAll<Steps, 8, Shift>(r, end, out);
        case 10: return sumAll<Steps, 10, Shift>(r, end, out);
        default: return sumAll<Steps, 0, Shift>(r, end, out);
    }
}

template <class Out>
HWY_INLINE std::int64_t sumAny(const RowSums& r, std::int64_t end, const Out& out) {
    if (r.steps == 1) return sumTaps<1, 0>(r, end, out);
    if (r.shift == 1) return sumTaps<2, 1>(r, end, out);
    return sumTaps<2, 2>(r, end, out);
}

void sumRowsImpl(const RowSums& r, std::int64_t columns, const RowTargets& targets) {
    (void)sumAny(r, paddedColumns(columns), Apart{targets});
}

void sumRowsInterleavedImpl(const RowSums& r, std::int64_t columns, float* out) {
    (void)sumTaps<1, 0>(r, paddedColumns(columns), Interleaved{out});
}

/// Whole lines of the cache only: what lies before and behind goes the ordinary way.
void copyStreaming(const float* from, float* to, std::int64_t n) {
    const auto misaligned = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(to) % 64 / sizeof(float));
    std::int64_t x = misaligned == 0 ? 0 : std::min<std::int64_t>(16 - misaligned, n);
    std::memcpy(to, from, static_cast<std::size_t>(x) * sizeof(float));
    for (; x + 16 <= n; x += 16)
        for (int i = 0; i < 16; i += kLanes) hn::Stream(hn::LoadU(D(), from + x + i), D(), to + x + i);
    std::memcpy(to + x, from + x, static_cast<std::size_t>(n - x) * sizeof(float));
}

/// By way of a buffer in the first cache: of two results only one could be aligned with whole lines.
void sumRowsStreaming(const RowSums& r, std::int64_t columns, const RowTargets& targets) {
    constexpr std::int64_t kPart = 512;
    alignas(64) float sums[2][2][kPart];
    constexpr RowTargets kNone;
    RowTargets part = kNone;
    for (int step = 0; step < r.steps; ++step)
        for (int sum = 0; sum < 2; ++sum) part.to[step][sum] = sums[step][sum];
    const float* rows[2 * kMaximumWaveletTaps];
    const int count = r.groups * (r.taps + (r.steps - 1) * r.shift);
    for (std::int64_t x = 0; x < columns; x += kPart) {
        const std::int64_t n = std::min(kPart, columns - x);
        for (int j = 0; j < count; ++j) rows[j] = r.rows[j] + x;
        RowSums here = r;
        here.rows = rows;
        sumRowsImpl(here, n, part);
        for (int step = 0; step < r.steps; ++step)
            for (int sum = 0; sum < 2; ++sum) {
                if (targets.stream[sum]) copyStreaming(sums[step][sum], targets.to[step][sum] + x, n);
                else std::memcpy(targets.to[step][sum] + x, sums[step][sum], static_cast<std::size_t>(n) * sizeof(float));
            }
    }
}

void sumRowsExactlyImpl(const RowSums& r, std::int64_t columns, const RowTargets& targets) {
    if (targets.stream[0] || targets.stream[1]) return sumRowsStreaming(r, columns, targets);
    const std::int64_t x = sumAny(r, columns, Apart{targets});
    if (x == columns) return;
    // The last, incomplete vector by way of the stack: what lies behind may belong to another thread.
    alignas(64) float sums[2][2][16];
    RowTargets last;
    const float* rows[2 * kMaximumWaveletTaps];
    const int count = r.groups * (r.taps + (r.steps - 1) * r.shift);
    for (int j = 0; j < count; ++j) rows[j] = r.rows[j] + x;
    for (int step = 0; step < r.steps; ++step)
        for (int sum = 0; sum < 2; ++sum) last.to[step][sum] = sums[step][sum];
    RowSums here = r;
    here.rows = rows;
    (void)sumAny(here, kLanes, Apart{last});
    for (int step = 0; step < r.steps; ++step)
        for (int sum = 0; sum < 2; ++sum)
            std::memcpy(targets.to[step][sum] + x, sums[step][sum], static_cast<std::size_t>(columns - x) * sizeof(float));
}

void splitRowImpl(const float* in, std::int64_t pairs, float* even, float* odd) {
    std::int64_t i = 0;
    for (; i + kLanes <= pairs; i += kLanes) {
        V a, b;
        hn::LoadInterleaved2(D(), in + 2 * i, a, b);
        hn::StoreU(a, D(), even + i);
        hn::StoreU(b, D(), odd + i);
    }
    for (; i < pairs; ++i) {
        even[i] = in[2 * i];
        odd[i] = in[2 * i + 1];
    }
}

template <class M>
HWY_INLINE std::int64_t countTrue(const M& mask) {
    return static_cast<std::int64_t>(hn::CountTrue(D(), mask));
}

/// One vector; lanes behind `valid` are counted as neither.
template <ShrinkageMethod kMethod>
HWY_INLINE V shrinkVector(V d, V t) {
    const V magnitude = hn::Abs(d);
    const auto finite = hn::Le(magnitude, hn::Set(D(), std::numeric_limits<float>::max()));
    V kept = d;
    if constexpr (kMethod == ShrinkageMethod::soft) kept = hn::IfThenZeroElse(hn::Le(magnitude, t), hn::Sub(d, hn::CopySign(t, d)));
    else if constexpr (kMethod == ShrinkageMethod::garrote)
        kept = hn::IfThenZeroElse(hn::Le(magnitude, t), hn::Sub(d, hn::Mul(t, hn::Div(t, d))));
    else kept = hn::IfThenZeroElse(hn::Lt(magnitude, t), d);
    return hn::IfThenElse(finite, kept, d);
}

template <ShrinkageMethod kMethod>
ShrinkCount shrinkAll(float* row, std::int64_t columns, float threshold, float from, float to) {
    const V t = hn::Set(D(), threshold), low = hn::Set(D(), from), high = hn::Set(D(), to), zero = hn::Zero(D());
    ShrinkCount count;
    const auto part = [&](V d) {
        const V magnitude = hn::Abs(d);
        const V kept = shrinkVector<kMethod>(d, t);
        count.zero += countTrue(hn::Eq(kept, zero));
        count.undecided += countTrue(hn::And(hn::Ge(magnitude, low), hn::Le(magnitude, high)));
        return kept;
    };
    std::int64_t x = 0;
    for (; x + kLanes <= columns; x += kLanes) hn::StoreU(part(hn::LoadU(D(), row + x)), D(), row + x);
    if (x < columns) {
        // NaN is neither 0 nor within the bounds.
        alignas(64) float rest[16];
        std::fill_n(rest, 16, std::numeric_limits<float>::quiet_NaN());
        std::memcpy(rest, row + x, static_cast<std::size_t>(columns - x) * sizeof(float));
        hn::Store(part(hn::Load(D(), rest)), D(), rest);
        std::memcpy(row + x, rest, static_cast<std::size_t>(columns - x) * sizeof(float));
    }
    return count;
}

ShrinkCount shrinkRowImpl(float* row, std::int64_t columns, float threshold, ShrinkageMethod method, float from, float to) {
    switch (method) {
        case ShrinkageMethod::soft: return shrinkAll<ShrinkageMethod::soft>(row, columns, threshold, from, to);
        case ShrinkageMethod::garrote: return shrinkAll<ShrinkageMethod::garrote>(row, columns, threshold, from, to);
        case ShrinkageMethod::hard: break;
    }
    return shrinkAll<ShrinkageMethod::hard>(row, columns, threshold, from, to);
}

}  // namespace HWY_NAMESPACE
}  // namespace parallax
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <hwy/cache_control.h>

namespace parallax {

HWY_EXPORT(sumRowsImpl);
HWY_EXPORT(sumRowsInterleavedImpl);
HWY_EXPORT(sumRowsExactlyImpl);
HWY_EXPORT(splitRowImpl);
HWY_EXPORT(shrinkRowImpl);

void sumRows(const RowSums& r, std::int64_t columns, const RowTargets& targets) { HWY_DYNAMIC_DISPATCH(sumRowsImpl)(r, columns, targets); }
void sumRowsInterleaved(const RowSums& r, std::int64_t columns, float* out) {
    HWY_DYNAMIC_DISPATCH(sumRowsInterleavedImpl)(r, columns, out);
}
void sumRowsExactly(const RowSums& r, std::int64_t columns, const RowTargets& targets) {
    HWY_DYNAMIC_DISPATCH(sumRowsExactlyImpl)(r, columns, targets);
}
void finishRowStreams() { hwy::FlushStream(); }
void splitRow(const float* in, std::int64_t pairs, float* even, float* odd) { HWY_DYNAMIC_DISPATCH(splitRowImpl)(in, pairs, even, odd); }
ShrinkCount shrinkRow(float* row, std::int64_t columns, float threshold, ShrinkageMethod method, float from, float to) {
    return HWY_DYNAMIC_DISPATCH(shrinkRowImpl)(row, columns, threshold, method, from, to);
}

void combineRows(const float* const* rows, const float* factors, int count, std::int64_t columns, float* out) {
    // A few rows at each border.
    switch (count) {
        case 0: std::fill_n(out, columns, 0.0F); return;
        case 1:
            for (std::int64_t x = 0; x < columns; ++x) out[x] = factors[0] * rows[0][x];
            return;
        case 2:
            for (std::int64_t x = 0; x < columns; ++x) out[x] = factors[0] * rows[0][x] + factors[1] * rows[1][x];
            return;
        default:
            for (std::int64_t x = 0; x < columns; ++x) out[x] = factors[0] * rows[0][x] + factors[1] * rows[1][x] + factors[2] * rows[2][x];
    }
}

void addMoments(const float* row, std::int64_t columns, RowMoments& moments) {
    // Independent lanes, so that the sums may be computed in vectors without reordering any of them.
    constexpr int kLanes = 8;
    double sums[kLanes] = {};
    float largest[kLanes] = {};
    std::int32_t finite[kLanes] = {};
    const auto add = [&](float v, int lane) {
        const float magnitude = std::fabs(v);
        const bool ok = magnitude <= std::numeric_limits<float>::max();
        const double kept = ok ? static_cast<double>(v) : 0.0;
        sums[lane] += kept * kept;
        largest[lane] = ok && magnitude > largest[lane] ? magnitude : largest[lane];
        finite[lane] += ok;
    };
    std::int64_t x = 0;
    for (; x + kLanes <= columns; x += kLanes)
        for (int lane = 0; lane < kLanes; ++lane) add(row[x + lane], lane);
    for (int lane = 0; x < columns; ++x, ++lane) add(row[x], lane);
    for (int lane = 0; lane < kLanes; ++lane) {
        moments.finite += finite[lane];
        moments.largest = std::max(moments.largest, largest[lane]);
        moments.squares += sums[lane];
    }
}

}  // namespace parallax
#endif
