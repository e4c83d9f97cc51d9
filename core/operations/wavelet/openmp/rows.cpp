// SPDX-License-Identifier: GPL-3.0-or-later
// Compiled once for each instruction set; the best one is chosen when the program runs.
//
// A block of N vectors of all sums stays in registers while it goes through the rows: each sample is loaded once for two or four
// multiply-adds, and each weight once for N of them.
#include "core/operations/wavelet/openmp/rows.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/operations/wavelet/openmp/rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace parallax {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using Tag = hn::CappedTag<T, 64 / sizeof(T)>;
template <class T>
using Vec = hn::Vec<Tag<T>>;
template <class T>
constexpr int kLanes = static_cast<int>(hn::MaxLanes(Tag<T>()));
/// Enough chains of multiply-adds for their latency, and no more than the registers hold beside samples and weights.
constexpr int kVectors = 4, kVectorsOfTwoSteps = kLanes<float> >= 16 ? 4 : 2;

template <int N, int Steps>
struct BandSums {
    Vec<double> v[Steps * 2 * N];  // step, sum, vector
};
template <int N>
struct Samples {
    Vec<double> v[N];
};

template <int Step, int N, int Steps, std::size_t... I>
HWY_INLINE void addTo(BandSums<N, Steps>& s, const Samples<N>& x, double first, double second, std::index_sequence<I...>) {
    const Vec<double> u = hn::Set(Tag<double>(), first), v = hn::Set(Tag<double>(), second);
    constexpr std::size_t kFirst = 2 * N * Step, kSecond = kFirst + N;
    ((s.v[kFirst + I] = hn::MulAdd(x.v[I], u, s.v[kFirst + I])), ...);
    ((s.v[kSecond + I] = hn::MulAdd(x.v[I], v, s.v[kSecond + I])), ...);
}

/// Row i of a group of `taps` (+ `shift`) rows; it belongs to both steps, or to one of them at the ends.
template <int N, int Steps, std::size_t... I>
HWY_INLINE void addRow(BandSums<N, Steps>& s, const double* row, const double* first, const double* second, int i, int taps, int shift,
                       std::index_sequence<I...> vectors) {
    const Samples<N> x{{hn::LoadU(Tag<double>(), row + I * kLanes<double>)...}};
    if constexpr (Steps == 1) {
        addTo<0>(s, x, first[i], second[i], vectors);
    } else {
        if (i >= shift) addTo<0>(s, x, first[i - shift], second[i - shift], vectors);
        if (i < taps) addTo<1>(s, x, first[i], second[i], vectors);
    }
}

template <int Taps, int Shift, int N, int Steps, std::size_t... J>
HWY_INLINE void addGroup(BandSums<N, Steps>& s, const double* const* rows, const double* first, const double* second, std::int64_t x,
                         std::index_sequence<J...>) {
    (addRow(s, rows[J] + x, first, second, static_cast<int>(J), Taps, Shift, std::make_index_sequence<static_cast<std::size_t>(N)>()), ...);
}

/// A group of Taps rows, or of any number if that is 0.
template <int N, int Steps, int Taps, int Shift, std::size_t... I>
HWY_INLINE BandSums<N, Steps> sumAt(const RowSums& r, std::int64_t x, std::index_sequence<I...> /*all sums*/) {
    const Vec<double> zero = hn::Zero(Tag<double>());
    BandSums<N, Steps> s{{((void)I, zero)...}};
    const double* const* rows = r.rows;
    if constexpr (Taps > 0) {
        constexpr int kRows = Taps + (Steps - 1) * Shift;
        for (int g = 0; g < r.groups; ++g, rows += kRows)
            addGroup<Taps, Shift>(s, rows, r.first + g * Taps, r.second + g * Taps, x,
                                  std::make_index_sequence<static_cast<std::size_t>(kRows)>());
    } else {
        const int extra = (Steps - 1) * Shift;
        for (int g = 0; g < r.groups; ++g, rows += r.taps + extra)
            for (int i = 0; i < r.taps + extra; ++i)
                addRow(s, rows[i] + x, r.first + g * r.taps, r.second + g * r.taps, i, r.taps, Shift,
                       std::make_index_sequence<static_cast<std::size_t>(N)>());
    }
    return s;
}

/// Into scratch.
struct Apart {
    const RowTargets& targets;
    template <int N, int Steps, std::size_t... I>
    HWY_INLINE void store(const BandSums<N, Steps>& s, std::int64_t x, std::index_sequence<I...>) const {
        for (std::size_t step = 0; step < static_cast<std::size_t>(Steps); ++step)
            for (std::size_t sum = 0; sum < 2; ++sum)
                (hn::StoreU(s.v[(2 * step + sum) * N + I], Tag<double>(), targets.to[step][sum] + x + I * kLanes<double>), ...);
    }
};

struct Interleaved {
    double* out;
    template <int N, int Steps, std::size_t... I>
    HWY_INLINE void store(const BandSums<N, Steps>& s, std::int64_t x, std::index_sequence<I...>) const {
        static_assert(Steps == 1);
        (hn::StoreInterleaved2(s.v[I], s.v[N + I], Tag<double>(), out + 2 * (x + static_cast<std::int64_t>(I) * kLanes<double>)), ...);
    }
};

HWY_INLINE void storeFloat(Vec<double> v, float* to) {
#if HWY_TARGET == HWY_SCALAR
    *to = static_cast<float>(hn::GetLane(v));  // DemoteTo() makes infinity the largest number
#else
    const hn::Rebind<float, Tag<double>> narrow;
    hn::StoreU(hn::DemoteTo(narrow, v), narrow, to);
#endif
}

/// Into an image.
struct Final {
    const FinalTargets& targets;
    template <int N, int Steps, std::size_t... I>
    HWY_INLINE void store(const BandSums<N, Steps>& s, std::int64_t x, std::index_sequence<I...>) const {
        for (std::size_t step = 0; step < static_cast<std::size_t>(Steps); ++step)
            for (std::size_t sum = 0; sum < 2; ++sum) {
                if (double* wide = targets.wide[step][sum])
                    (hn::StoreU(s.v[(2 * step + sum) * N + I], Tag<double>(), wide + x + I * kLanes<double>), ...);
                else (storeFloat(s.v[(2 * step + sum) * N + I], targets.to[step][sum] + x + I * kLanes<double>), ...);
            }
    }
};

/// Columns from `x` on, as many as are whole multiples of N vectors; returns where it ended.
template <int N, int Steps, int Taps, int Shift, class Out>
HWY_INLINE std::int64_t sumColumns(const RowSums& r, std::int64_t x, std::int64_t end, const Out& out) {
    constexpr auto sums = std::make_index_sequence<static_cast<std::size_t>(2 * Steps * N)>();
    for (; x + N * kLanes<double> <= end; x += N * kLanes<double>)
        out.store(sumAt<N, Steps, Taps, Shift>(r, x, sums), x, std::make_index_sequence<static_cast<std::size_t>(N)>());
    return x;
}

template <int Steps, int Taps, int Shift, class Out>
HWY_NOINLINE std::int64_t sumAll(const RowSums& r, std::int64_t end, const Out& out) {
    const std::int64_t x = sumColumns < Steps == 1 ? kVectors : kVectorsOfTwoSteps, Steps, Taps, Shift > (r, 0, end, out);
    return sumColumns<1, Steps, Taps, Shift>(r, x, end, out);
}

/// The usual filters unrolled: haar to db5, symlets, splines and the 9/7 pair; longer ones pay for a loop.
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

void sumRowsOf(const RowSums& r, std::int64_t columns, const RowTargets& targets) {
    (void)sumAny(r, paddedColumns(columns), Apart{targets});
}

void sumRowsInterleavedOf(const RowSums& r, std::int64_t columns, double* out) {
    (void)sumTaps<1, 0>(r, paddedColumns(columns), Interleaved{out});
}

/// Streams whole cache lines; samples before and behind them are copied.
void copyStreaming(const float* from, float* to, std::int64_t n) {
    const auto misaligned = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(to) % 64 / sizeof(float));
    std::int64_t x = misaligned == 0 ? 0 : std::min<std::int64_t>(16 - misaligned, n);
    std::memcpy(to, from, static_cast<std::size_t>(x) * sizeof(float));
    for (; x + 16 <= n; x += 16)
        for (int i = 0; i < 16; i += kLanes<float>) hn::Stream(hn::LoadU(Tag<float>(), from + x + i), Tag<float>(), to + x + i);
    std::memcpy(to + x, from + x, static_cast<std::size_t>(n - x) * sizeof(float));
}

/// Rows from column x on.
struct ShiftedRows {
    const double* rows[2 * kMaximumWaveletTaps];
    RowSums sums;
    ShiftedRows(const RowSums& r, std::int64_t x) : sums(r) {
        const int count = r.groups * (r.taps + (r.steps - 1) * r.shift);
        for (int j = 0; j < count; ++j) rows[j] = r.rows[j] + x;
        sums.rows = rows;
    }
};

void sumRowsFinallyOf(const RowSums& r, std::int64_t columns, const FinalTargets& targets);

/// Through a buffer in the first cache: only one of two results could be aligned with whole lines.
void sumRowsStreaming(const RowSums& r, std::int64_t columns, const FinalTargets& targets) {
    constexpr std::int64_t kPart = 512;
    alignas(64) float sums[2][2][kPart];
    for (std::int64_t x = 0; x < columns; x += kPart) {
        const std::int64_t n = std::min(kPart, columns - x);
        FinalTargets part;
        for (int step = 0; step < r.steps; ++step)
            for (int sum = 0; sum < 2; ++sum) {
                part.to[step][sum] = sums[step][sum];
                if (targets.wide[step][sum]) part.wide[step][sum] = targets.wide[step][sum] + x;
            }
        sumRowsFinallyOf(ShiftedRows(r, x).sums, n, part);
        for (int step = 0; step < r.steps; ++step)
            for (int sum = 0; sum < 2; ++sum)
                if (!targets.wide[step][sum]) copyStreaming(sums[step][sum], targets.to[step][sum] + x, n);
    }
}

void sumRowsFinallyOf(const RowSums& r, std::int64_t columns, const FinalTargets& targets) {
    if (targets.stream) return sumRowsStreaming(r, columns, targets);
    const std::int64_t x = sumAny(r, columns, Final{targets});
    if (x == columns) return;
    // The last, incomplete vector through the stack: memory behind it may belong to another thread.
    alignas(64) double sums[2][2][16];
    RowTargets last;
    for (int step = 0; step < r.steps; ++step)
        for (int sum = 0; sum < 2; ++sum) last.to[step][sum] = sums[step][sum];
    (void)sumAny(ShiftedRows(r, x).sums, kLanes<double>, Apart{last});
    for (int step = 0; step < r.steps; ++step)
        for (int sum = 0; sum < 2; ++sum)
            for (std::int64_t i = 0; i < columns - x; ++i) {
                if (targets.wide[step][sum]) targets.wide[step][sum][x + i] = sums[step][sum][i];
                else targets.to[step][sum][x + i] = static_cast<float>(sums[step][sum][i]);
            }
}

HWY_INLINE void storeAs(Vec<double> v, double* to) { hn::StoreU(v, Tag<double>(), to); }
HWY_INLINE void storeAs(Vec<float> v, double* to) {
#if HWY_TARGET == HWY_SCALAR
    hn::StoreU(hn::PromoteTo(Tag<double>(), v), Tag<double>(), to);
#else
    const hn::Half<Tag<float>> half;
    hn::StoreU(hn::PromoteTo(Tag<double>(), hn::LowerHalf(half, v)), Tag<double>(), to);
    hn::StoreU(hn::PromoteTo(Tag<double>(), hn::UpperHalf(half, v)), Tag<double>(), to + kLanes<double>);
#endif
}

template <class In, class T>
void splitRowOf(const In* in, std::int64_t pairs, T* even, T* odd) {
    std::int64_t i = 0;
    for (; i + kLanes<In> <= pairs; i += kLanes<In>) {
        Vec<In> a, b;
        hn::LoadInterleaved2(Tag<In>(), in + 2 * i, a, b);
        storeAs(a, even + i);
        storeAs(b, odd + i);
    }
    for (; i < pairs; ++i) {
        even[i] = static_cast<T>(in[2 * i]);
        odd[i] = static_cast<T>(in[2 * i + 1]);
    }
}

void splitToDouble(const float* in, std::int64_t pairs, double* even, double* odd) { splitRowOf(in, pairs, even, odd); }
void splitDouble(const double* in, std::int64_t pairs, double* even, double* odd) { splitRowOf(in, pairs, even, odd); }

template <class M>
HWY_INLINE std::int64_t countTrue(const M& mask) {
    return static_cast<std::int64_t>(hn::CountTrue(Tag<float>(), mask));
}

/// One vector; lanes behind `valid` are counted as neither.
template <ShrinkageMethod kMethod>
HWY_INLINE Vec<float> shrinkVector(Vec<float> d, Vec<float> t, Vec<float> slope) {
    const Vec<float> magnitude = hn::Abs(d);
    const auto finite = hn::Le(magnitude, hn::Set(Tag<float>(), std::numeric_limits<float>::max()));
    Vec<float> kept = d;
    if constexpr (kMethod == ShrinkageMethod::soft) kept = hn::IfThenZeroElse(hn::Le(magnitude, t), hn::Sub(d, hn::CopySign(t, d)));
    else if constexpr (kMethod == ShrinkageMethod::garrote)
        kept = hn::IfThenZeroElse(hn::Le(magnitude, t), hn::Sub(d, hn::Mul(t, hn::Div(t, d))));
    else if constexpr (kMethod == ShrinkageMethod::firm) {
        const Vec<float> shifted = hn::Mul(slope, hn::Sub(magnitude, t));
        kept = hn::IfThenZeroElse(hn::Le(magnitude, t), hn::CopySign(hn::Min(shifted, magnitude), d));
    } else kept = hn::IfThenZeroElse(hn::Lt(magnitude, t), d);
    return hn::IfThenElse(finite, kept, d);
}

template <ShrinkageMethod kMethod>
ShrinkCount shrinkAll(float* row, std::int64_t columns, float threshold, float firmSlope, float from, float to) {
    const Vec<float> t = hn::Set(Tag<float>(), threshold), low = hn::Set(Tag<float>(), from), high = hn::Set(Tag<float>(), to),
                     slope = hn::Set(Tag<float>(), firmSlope), zero = hn::Zero(Tag<float>());
    ShrinkCount count;
    const auto part = [&](Vec<float> d) {
        const Vec<float> magnitude = hn::Abs(d);
        const Vec<float> kept = shrinkVector<kMethod>(d, t, slope);
        count.zero += countTrue(hn::Eq(kept, zero));
        count.ambiguous += countTrue(hn::And(hn::Ge(magnitude, low), hn::Le(magnitude, high)));
        return kept;
    };
    std::int64_t x = 0;
    for (; x + kLanes<float> <= columns; x += kLanes<float>) hn::StoreU(part(hn::LoadU(Tag<float>(), row + x)), Tag<float>(), row + x);
    if (x < columns) {
        // NaN is neither 0 nor within the bounds.
        alignas(64) float rest[16];
        std::fill_n(rest, 16, std::numeric_limits<float>::quiet_NaN());
        std::memcpy(rest, row + x, static_cast<std::size_t>(columns - x) * sizeof(float));
        hn::Store(part(hn::Load(Tag<float>(), rest)), Tag<float>(), rest);
        std::memcpy(row + x, rest, static_cast<std::size_t>(columns - x) * sizeof(float));
    }
    return count;
}

ShrinkCount shrinkRowImpl(float* row, std::int64_t columns, float threshold, const Shrinkage& shrinkage, float from, float to) {
    const auto slope = static_cast<float>(shrinkage.slope);
    switch (shrinkage.method) {
        case ShrinkageMethod::soft: return shrinkAll<ShrinkageMethod::soft>(row, columns, threshold, slope, from, to);
        case ShrinkageMethod::garrote: return shrinkAll<ShrinkageMethod::garrote>(row, columns, threshold, slope, from, to);
        case ShrinkageMethod::firm: return shrinkAll<ShrinkageMethod::firm>(row, columns, threshold, slope, from, to);
        case ShrinkageMethod::hard: break;
    }
    return shrinkAll<ShrinkageMethod::hard>(row, columns, threshold, slope, from, to);
}

}  // namespace HWY_NAMESPACE
}  // namespace parallax
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <hwy/cache_control.h>

namespace parallax {

HWY_EXPORT(sumRowsOf);
HWY_EXPORT(sumRowsInterleavedOf);
HWY_EXPORT(sumRowsFinallyOf);
HWY_EXPORT(splitToDouble);
HWY_EXPORT(splitDouble);
HWY_EXPORT(shrinkRowImpl);

void sumRows(const RowSums& r, std::int64_t n, const RowTargets& t) { HWY_DYNAMIC_DISPATCH(sumRowsOf)(r, n, t); }
void sumRowsInterleaved(const RowSums& r, std::int64_t n, double* out) { HWY_DYNAMIC_DISPATCH(sumRowsInterleavedOf)(r, n, out); }
void sumRowsFinally(const RowSums& r, std::int64_t n, const FinalTargets& t) { HWY_DYNAMIC_DISPATCH(sumRowsFinallyOf)(r, n, t); }
void splitRow(const float* in, std::int64_t pairs, double* even, double* odd) { HWY_DYNAMIC_DISPATCH(splitToDouble)(in, pairs, even, odd); }
void splitRow(const double* in, std::int64_t pairs, double* even, double* odd) { HWY_DYNAMIC_DISPATCH(splitDouble)(in, pairs, even, odd); }
void finishRowStreams() { hwy::FlushStream(); }
ShrinkCount shrinkRow(float* row, std::int64_t columns, float threshold, const Shrinkage& shrinkage, float from, float to) {
    return HWY_DYNAMIC_DISPATCH(shrinkRowImpl)(row, columns, threshold, shrinkage, from, to);
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
