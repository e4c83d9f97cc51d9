// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/openmp/kernels.hpp"

#include "core/backends/openmp/instructions.hpp"

#define HWY_DISABLED_TARGETS PARALLAX_UNUSED_SIMD_TARGETS
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/solvers/openmp/kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace parallax::solvers {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using DD = hn::CappedTag<double, 8>;
using DF = hn::CappedTag<float, 16>;
/// As many floats as there are doubles in a vector.
using DH = hn::Rebind<float, DD>;
using VD = hn::Vec<DD>;
using VF = hn::Vec<DF>;
constexpr std::int64_t kDoubles = static_cast<std::int64_t>(hn::MaxLanes(DD()));
constexpr std::int64_t kFloats = static_cast<std::int64_t>(hn::MaxLanes(DF()));

HWY_INLINE VD load(const double* p) { return hn::LoadU(DD(), p); }
HWY_INLINE VD load(const float* p) { return hn::PromoteTo(DD(), hn::LoadU(DH(), p)); }
HWY_INLINE VD set(double x) { return hn::Set(DD(), x); }

HWY_INLINE void store(VD v, double* p) { hn::StoreU(v, DD(), p); }
HWY_INLINE void store(VD v, float* p) {
#if HWY_TARGET == HWY_SCALAR
    *p = static_cast<float>(hn::GetLane(v));  // DemoteTo() makes infinity the largest number
#else
    hn::StoreU(hn::DemoteTo(DH(), v), DH(), p);
#endif
}
template <class T>
HWY_INLINE double at(const T* p, std::int64_t x) {
    return static_cast<double>(p[x]);
}

template <class T>
HWY_INLINE void updateDirectionOf(T* p, const T* z, double beta, std::int64_t count) {
    std::int64_t x = 0;
    if (beta == 0) {
        for (; x < count; ++x) p[x] = z[x];
        return;
    }
    for (; x + kDoubles <= count; x += kDoubles) store(hn::MulAdd(set(beta), load(p + x), load(z + x)), p + x);
    for (; x < count; ++x) p[x] = static_cast<T>(beta * at(p, x) + at(z, x));
}
void updateDirectionFloat(float* p, const float* z, double beta, std::int64_t count) { updateDirectionOf(p, z, beta, count); }
void updateDirectionDouble(double* p, const double* z, double beta, std::int64_t count) { updateDirectionOf(p, z, beta, count); }

/// A row of constant weights, without its first and last sample.
template <class T>
struct ConstantRow {
    RowNeighbours<T> n;  // copies: stores of vectors may alias everything else
    RowCoefficients k;
    HWY_INLINE VD vector(std::int64_t x) const {
        VD q = hn::Mul(set(k.diagonal), load(n.own + x));
        q = hn::NegMulAdd(set(k.wx), hn::Add(load(n.own + x - 1), load(n.own + x + 1)), q);
        q = hn::NegMulAdd(set(k.side[0]), load(n.side[0] + x), q);
        q = hn::NegMulAdd(set(k.side[1]), load(n.side[1] + x), q);
        if (n.side[2]) {
            q = hn::NegMulAdd(set(k.side[2]), load(n.side[2] + x), q);
            q = hn::NegMulAdd(set(k.side[3]), load(n.side[3] + x), q);
        }
        return q;
    }
    double sample(std::int64_t x, std::int64_t count) const {
        const bool last = x + 1 == count;
        double sum = 0;
        for (int i = 0; i < 4 && n.side[i]; ++i) sum += k.side[i] * at(n.side[i], x);
        if (last) sum *= k.lastScale;
        if (x > 0) sum += k.wx * at(n.own, x - 1);
        if (!last) sum += k.wx * at(n.own, x + 1);
        return (last ? k.last : x == 0 ? k.first : k.diagonal) * at(n.own, x) - sum;
    }
    bool isFixed(std::int64_t) const { return false; }
};

template <class T>
struct WeightedRow {
    RowNeighbours<T> n;  // copies: stores of vectors may alias everything else
    RowWeights k;
    HWY_INLINE VD vector(std::int64_t x) const {
        const VD u = load(n.own + x);
        VD d = k.diagonals ? load(k.diagonals + x) : set(k.diagonal);
        VD q = hn::Mul(hn::Add(d, set(k.rest)), u);
        q = hn::MulAdd(load(k.x + x - 1), hn::Sub(u, load(n.own + x - 1)), q);
        q = hn::MulAdd(load(k.x + x), hn::Sub(u, load(n.own + x + 1)), q);
        for (int i = 0; i < 4; ++i)
            if (k.side[i]) q = hn::MulAdd(load(k.side[i] + x), hn::Sub(u, load(n.side[i] + x)), q);
        return q;
    }
    double sample(std::int64_t x, std::int64_t count) const {
        const double u = at(n.own, x);
        const double out = k.rest + (x == 0 ? k.first : 0) + (x + 1 == count ? k.last : 0);
        double q = ((k.diagonals ? k.diagonals[x] : k.diagonal) + out) * u;
        if (x > 0) q += k.x[x - 1] * (u - at(n.own, x - 1));
        if (x + 1 < count) q += k.x[x] * (u - at(n.own, x + 1));
        for (int i = 0; i < 4; ++i)
            if (k.side[i]) q += k.side[i][x] * (u - at(n.side[i], x));
        return q;
    }
    bool isFixed(std::int64_t x) const { return k.fixed && k.fixed[x]; }
};

template <class Row>
HWY_INLINE double dotAppliedOf(const Row& row, std::int64_t count) {
    const auto* p = row.n.own;
    double sum = row.isFixed(0) ? 0 : at(p, 0) * row.sample(0, count);
    std::int64_t x = 1;
    VD sums = hn::Zero(DD());
    // Fixed samples have p = 0.
    for (; x + kDoubles < count; x += kDoubles) sums = hn::MulAdd(load(p + x), row.vector(x), sums);
    for (; x < count; ++x) sum += at(p, x) * row.sample(x, count);
    return sum + hn::GetLane(hn::SumOfLanes(DD(), sums));
}
double dotAppliedConstant(const RowNeighbours<double>& p, const RowCoefficients& k, std::int64_t count) {
    return dotAppliedOf(ConstantRow<double>{p, k}, count);
}
double dotAppliedWeighted(const RowNeighbours<double>& p, const RowWeights& k, std::int64_t count) {
    return dotAppliedOf(WeightedRow<double>{p, k}, count);
}
double dotAppliedConstantFloat(const RowNeighbours<float>& p, const RowCoefficients& k, std::int64_t count) {
    return dotAppliedOf(ConstantRow<float>{p, k}, count);
}
double dotAppliedWeightedFloat(const RowNeighbours<float>& p, const RowWeights& k, std::int64_t count) {
    return dotAppliedOf(WeightedRow<float>{p, k}, count);
}

template <class Row>
HWY_INLINE double updateSolutionOf(const Row& row, const SolutionRow& to, std::int64_t count) {
    const auto* p = row.n.own;
    const auto [alpha, u, r, copy, scale] = to;
    double sum = 0;
    const auto one = [&, alpha = alpha, u = u, r = r, copy = copy, scale = scale](std::int64_t x) {
        u[x] += alpha * at(p, x);
        r[x] = row.isFixed(x) ? 0 : r[x] - alpha * row.sample(x, count);
        sum += r[x] * r[x];
        if (copy) copy[x] = static_cast<float>(scale * r[x]);
    };
    one(0);
    std::int64_t x = 1;
    VD sums = hn::Zero(DD());
    for (; x + kDoubles < count; x += kDoubles) {
        bool anyFixed = false;
        for (std::int64_t i = x; i < x + kDoubles; ++i) anyFixed = anyFixed || row.isFixed(i);
        if (anyFixed) {
            for (std::int64_t i = x; i < x + kDoubles; ++i) one(i);
            continue;
        }
        store(hn::MulAdd(set(alpha), load(p + x), load(u + x)), u + x);
        const VD next = hn::NegMulAdd(set(alpha), row.vector(x), load(r + x));
        store(next, r + x);
        sums = hn::MulAdd(next, next, sums);
        if (copy) store(hn::Mul(set(scale), next), copy + x);
    }
    for (; x < count; ++x) one(x);
    return sum + hn::GetLane(hn::SumOfLanes(DD(), sums));
}
double updateSolutionConstant(const RowNeighbours<double>& p, const RowCoefficients& k, const SolutionRow& to, std::int64_t count) {
    return updateSolutionOf(ConstantRow<double>{p, k}, to, count);
}
double updateSolutionWeighted(const RowNeighbours<double>& p, const RowWeights& k, const SolutionRow& to, std::int64_t count) {
    return updateSolutionOf(WeightedRow<double>{p, k}, to, count);
}
double updateSolutionConstantFloat(const RowNeighbours<float>& p, const RowCoefficients& k, const SolutionRow& to, std::int64_t count) {
    return updateSolutionOf(ConstantRow<float>{p, k}, to, count);
}
double updateSolutionWeightedFloat(const RowNeighbours<float>& p, const RowWeights& k, const SolutionRow& to, std::int64_t count) {
    return updateSolutionOf(WeightedRow<float>{p, k}, to, count);
}

/// Sum of term(x) over a row, with two vectors of sums: an addition takes several cycles.
template <class Vector, class Sample>
HWY_INLINE double sumOfTerms(std::int64_t count, const Vector& vector, const Sample& sample) {
    VD even = hn::Zero(DD()), odd = hn::Zero(DD());
    std::int64_t x = 0;
    for (; x + 2 * kDoubles <= count; x += 2 * kDoubles) {
        even = vector(x, even);
        odd = vector(x + kDoubles, odd);
    }
    double sum = hn::GetLane(hn::SumOfLanes(DD(), hn::Add(even, odd)));
    for (; x < count; ++x) sum += sample(x);
    return sum;
}
template <class T>
HWY_INLINE double dotOf(const T* a, const T* b, std::int64_t count) {
    return sumOfTerms(
        count, [&](std::int64_t x, VD sums) HWY_ATTR { return hn::MulAdd(load(a + x), load(b + x), sums); },
        [&](std::int64_t x) { return static_cast<double>(a[x]) * static_cast<double>(b[x]); });
}
double dotFloat(const float* a, const float* b, std::int64_t count) { return dotOf(a, b, count); }
double dotDouble(const double* a, const double* b, std::int64_t count) { return dotOf(a, b, count); }
double sumOfRow(const double* a, std::int64_t count) {
    return sumOfTerms(
        count, [&](std::int64_t x, VD sums) HWY_ATTR { return hn::Add(load(a + x), sums); }, [&](std::int64_t x) { return a[x]; });
}
double squaredDistanceOfRow(const double* a, double mean, std::int64_t count) {
    return sumOfTerms(
        count,
        [&](std::int64_t x, VD sums) HWY_ATTR {
            const VD d = hn::Sub(load(a + x), set(mean));
            return hn::MulAdd(d, d, sums);
        },
        [&](std::int64_t x) { return (a[x] - mean) * (a[x] - mean); });
}

HWY_INLINE VF loadF(const float* p) { return hn::LoadU(DF(), p); }
HWY_INLINE VF setF(float x) { return hn::Set(DF(), x); }

/// The coefficients as floats.
struct FloatRow {
    RowNeighbours<float> n;
    float diagonal, first, last, wx, side[4], lastScale;
    FloatRow(const RowNeighbours<float>& neighbours, const RowCoefficients& k)
        : n(neighbours),
          diagonal(static_cast<float>(k.diagonal)),
          first(static_cast<float>(k.first)),
          last(static_cast<float>(k.last)),
          wx(static_cast<float>(k.wx)),
          side{static_cast<float>(k.side[0]), static_cast<float>(k.side[1]), static_cast<float>(k.side[2]), static_cast<float>(k.side[3])},
          lastScale(static_cast<float>(k.lastScale)) {}
    /// Weighted sum of the neighbours.
    HWY_INLINE VF vector(std::int64_t x) const { return vector(x, loadF(n.own + x - 1)); }
    /// The same with the samples from x - 1 on, loaded before.
    HWY_INLINE VF vector(std::int64_t x, VF before) const {
        VF sum = hn::Mul(setF(wx), hn::Add(before, loadF(n.own + x + 1)));
        sum = hn::MulAdd(setF(side[0]), loadF(n.side[0] + x), sum);
        sum = hn::MulAdd(setF(side[1]), loadF(n.side[1] + x), sum);
        if (n.side[2]) {
            sum = hn::MulAdd(setF(side[2]), loadF(n.side[2] + x), sum);
            sum = hn::MulAdd(setF(side[3]), loadF(n.side[3] + x), sum);
        }
        return sum;
    }
    float sample(std::int64_t x, std::int64_t count) const {
        const bool isLast = x + 1 == count;
        float sum = 0;
        for (int i = 0; i < 4 && n.side[i]; ++i) sum += side[i] * n.side[i][x];
        if (isLast) sum *= lastScale;
        if (x > 0) sum += wx * n.own[x - 1];
        if (!isLast) sum += wx * n.own[x + 1];
        return sum;
    }
    float diagonalAt(std::int64_t x, std::int64_t count) const { return x + 1 == count ? last : x == 0 ? first : diagonal; }
};

/// Lanes of samples with this parity of x, for vectors that begin at an odd x.
HWY_INLINE hn::Mask<DF> lanesOf(int parity) {
    HWY_ALIGN float odd[hn::MaxLanes(DF())];
    for (std::int64_t i = 0; i < kFloats; ++i) odd[i] = (i + 1) % 2 == parity ? 1.0F : 0.0F;
    return hn::Gt(hn::Load(DF(), odd), hn::Zero(DF()));
}

void relaxRow(float* u, const RowNeighbours<float>& neighbours, const float* f, const RowCoefficients& k, int parity, std::int64_t count) {
    const FloatRow row(neighbours, k);
    const auto one = [&](std::int64_t x) { u[x] = (f[x] + row.sample(x, count)) / row.diagonalAt(x, count); };
    if (parity == 0) one(0);
    std::int64_t x = 1;
    const hn::Mask<DF> lanes = lanesOf(parity);
    const VF inverse = setF(1 / row.diagonal);
    // Samples of the other parity do not change, so whole vectors can be read and written. Those before the next vector are loaded before
    // this one is stored: a load that overlaps a store of the cycle before waits for it.
    VF before = x + kFloats < count ? loadF(u + x - 1) : hn::Zero(DF());
    for (; x + kFloats < count; x += kFloats) {
        const VF relaxed = hn::Mul(inverse, hn::Add(loadF(f + x), row.vector(x, before)));
        if (x + 2 * kFloats < count) before = loadF(u + x + kFloats - 1);
        hn::StoreU(hn::IfThenElse(lanes, relaxed, loadF(u + x)), DF(), u + x);
    }
    for (; x < count; ++x)
        if (x % 2 == parity) one(x);
}

void relaxZeroRow(float* u, const float* f, const RowCoefficients& k, int parity, std::int64_t count) {
    const RowNeighbours<float> none;
    const FloatRow row(none, k);
    const auto one = [&](std::int64_t x) { u[x] = x % 2 == parity ? f[x] / row.diagonalAt(x, count) : 0; };
    one(0);
    std::int64_t x = 1;
    const hn::Mask<DF> lanes = lanesOf(parity);
    const VF inverse = setF(1 / row.diagonal);
    for (; x + kFloats < count; x += kFloats) hn::StoreU(hn::IfThenElseZero(lanes, hn::Mul(inverse, loadF(f + x))), DF(), u + x);
    for (; x < count; ++x) one(x);
}

void residualRow(const RowNeighbours<float>& u, const RowCoefficients& k, const float* f, float* r, std::int64_t count) {
    const FloatRow row(u, k);
    const auto one = [&](std::int64_t x) { r[x] = f[x] - row.diagonalAt(x, count) * u.own[x] + row.sample(x, count); };
    one(0);
    std::int64_t x = 1;
    for (; x + kFloats < count; x += kFloats)
        hn::StoreU(hn::Add(hn::NegMulAdd(setF(row.diagonal), loadF(u.own + x), loadF(f + x)), row.vector(x)), DF(), r + x);
    for (; x < count; ++x) one(x);
}

void combine(float* to, const float* const* rows, const float* weights, int rowCount, std::int64_t count) {
    std::int64_t x = 0;
    for (; x + kFloats <= count; x += kFloats) {
        VF sum = hn::Zero(DF());
        for (int i = 0; i < rowCount; ++i) sum = hn::MulAdd(setF(weights[i]), loadF(rows[i] + x), sum);
        hn::StoreU(sum, DF(), to + x);
    }
    for (; x < count; ++x) {
        float sum = 0;
        for (int i = 0; i < rowCount; ++i) sum += weights[i] * rows[i][x];
        to[x] = sum;
    }
}

void halve(float* to, const float* from, float outer, std::int64_t count) {
    const std::int64_t cells = (count + 1) / 2;
    const auto one = [&](std::int64_t i) {
        // The outer samples belong to one cell only.
        const auto part = [&](std::int64_t x, float weight) { return x < 0 || x >= count ? 0 : weight * from[x]; };
        const float low = i == 0 ? outer : 0.75F, high = 2 * i + 2 == count ? outer : 0.75F;
        return 0.5F * (part(2 * i - 1, 0.25F) + part(2 * i, low) + part(2 * i + 1, high) + part(2 * i + 2, 0.25F));
    };
    to[0] = one(0);
    std::int64_t i = 1;
    constexpr std::int64_t n = kFloats;
    for (; 2 * (i + n) + 1 < count && i + n < cells; i += n) {
        VF even, odd, before, after, unused;
        hn::LoadInterleaved2(DF(), from + 2 * i, even, odd);
        hn::LoadInterleaved2(DF(), from + 2 * i - 2, unused, before);
        hn::LoadInterleaved2(DF(), from + 2 * i + 2, after, unused);
        const VF sum = hn::MulAdd(setF(0.25F), hn::Add(before, after), hn::Mul(setF(0.75F), hn::Add(even, odd)));
        hn::StoreU(hn::Mul(setF(0.5F), sum), DF(), to + i);
    }
    for (; i < cells; ++i) to[i] = one(i);
}

void expand(float* to, const float* from, float outer, std::int64_t count) {
    const std::int64_t cells = (count + 1) / 2;
    const auto one = [&](std::int64_t x) {
        const std::int64_t i = x / 2, j = x % 2 == 0 ? i - 1 : i + 1;
        to[x] += j < 0 || j >= cells ? outer * from[i] : 0.75F * from[i] + 0.25F * from[j];
    };
    one(0);
    if (count > 1) one(1);
    std::int64_t i = 1;
    constexpr std::int64_t n = kFloats;
    for (; i + n < cells; i += n) {
        VF even, odd;
        hn::LoadInterleaved2(DF(), to + 2 * i, even, odd);
        const VF own = hn::Mul(setF(0.75F), loadF(from + i));
        even = hn::Add(even, hn::MulAdd(setF(0.25F), loadF(from + i - 1), own));
        odd = hn::Add(odd, hn::MulAdd(setF(0.25F), loadF(from + i + 1), own));
        hn::StoreInterleaved2(even, odd, DF(), to + 2 * i);
    }
    for (std::int64_t x = 2 * i; x < count; ++x) one(x);
}

void addTo(float* to, const float* from, std::int64_t count) {
    std::int64_t x = 0;
    for (; x + kFloats <= count; x += kFloats) hn::StoreU(hn::Add(loadF(to + x), loadF(from + x)), DF(), to + x);
    for (; x < count; ++x) to[x] += from[x];
}

}  // namespace HWY_NAMESPACE
}  // namespace parallax::solvers
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace parallax::solvers {

HWY_EXPORT(updateDirectionFloat);
HWY_EXPORT(updateDirectionDouble);
HWY_EXPORT(dotAppliedConstant);
HWY_EXPORT(dotAppliedWeighted);
HWY_EXPORT(dotAppliedConstantFloat);
HWY_EXPORT(dotAppliedWeightedFloat);
HWY_EXPORT(updateSolutionConstant);
HWY_EXPORT(updateSolutionWeighted);
HWY_EXPORT(updateSolutionConstantFloat);
HWY_EXPORT(updateSolutionWeightedFloat);
HWY_EXPORT(dotFloat);
HWY_EXPORT(dotDouble);
HWY_EXPORT(sumOfRow);
HWY_EXPORT(squaredDistanceOfRow);
HWY_EXPORT(relaxRow);
HWY_EXPORT(relaxZeroRow);
HWY_EXPORT(residualRow);
HWY_EXPORT(combine);
HWY_EXPORT(halve);
HWY_EXPORT(expand);
HWY_EXPORT(addTo);

void updateDirection(float* p, const float* z, double beta, std::int64_t count) {
    HWY_DYNAMIC_DISPATCH(updateDirectionFloat)(p, z, beta, count);
}
void updateDirection(double* p, const double* z, double beta, std::int64_t count) {
    HWY_DYNAMIC_DISPATCH(updateDirectionDouble)(p, z, beta, count);
}
double dotApplied(const RowNeighbours<double>& p, const RowCoefficients& k, std::int64_t count) {
    return HWY_DYNAMIC_DISPATCH(dotAppliedConstant)(p, k, count);
}
double dotApplied(const RowNeighbours<double>& p, const RowWeights& k, std::int64_t count) {
    return HWY_DYNAMIC_DISPATCH(dotAppliedWeighted)(p, k, count);
}
double dotApplied(const RowNeighbours<float>& p, const RowCoefficients& k, std::int64_t count) {
    return HWY_DYNAMIC_DISPATCH(dotAppliedConstantFloat)(p, k, count);
}
double dotApplied(const RowNeighbours<float>& p, const RowWeights& k, std::int64_t count) {
    return HWY_DYNAMIC_DISPATCH(dotAppliedWeightedFloat)(p, k, count);
}
double updateSolution(const RowNeighbours<double>& p, const RowCoefficients& k, const SolutionRow& to, std::int64_t count) {
    return HWY_DYNAMIC_DISPATCH(updateSolutionConstant)(p, k, to, count);
}
double updateSolution(const RowNeighbours<double>& p, const RowWeights& k, const SolutionRow& to, std::int64_t count) {
    return HWY_DYNAMIC_DISPATCH(updateSolutionWeighted)(p, k, to, count);
}
double updateSolution(const RowNeighbours<float>& p, const RowCoefficients& k, const SolutionRow& to, std::int64_t count) {
    return HWY_DYNAMIC_DISPATCH(updateSolutionConstantFloat)(p, k, to, count);
}
double updateSolution(const RowNeighbours<float>& p, const RowWeights& k, const SolutionRow& to, std::int64_t count) {
    return HWY_DYNAMIC_DISPATCH(updateSolutionWeightedFloat)(p, k, to, count);
}
double dot(const float* a, const float* b, std::int64_t count) { return HWY_DYNAMIC_DISPATCH(dotFloat)(a, b, count); }
double dot(const double* a, const double* b, std::int64_t count) { return HWY_DYNAMIC_DISPATCH(dotDouble)(a, b, count); }
double sumOf(const double* a, std::int64_t count) { return HWY_DYNAMIC_DISPATCH(sumOfRow)(a, count); }
double squaredDistance(const double* a, double mean, std::int64_t count) {
    return HWY_DYNAMIC_DISPATCH(squaredDistanceOfRow)(a, mean, count);
}
void relax(float* u, const RowNeighbours<float>& neighbours, const float* f, const RowCoefficients& k, int parity, std::int64_t count) {
    HWY_DYNAMIC_DISPATCH(relaxRow)(u, neighbours, f, k, parity, count);
}
void relaxFromZero(float* u, const float* f, const RowCoefficients& k, int parity, std::int64_t count) {
    HWY_DYNAMIC_DISPATCH(relaxZeroRow)(u, f, k, parity, count);
}
void residual(const RowNeighbours<float>& u, const RowCoefficients& k, const float* f, float* r, std::int64_t count) {
    HWY_DYNAMIC_DISPATCH(residualRow)(u, k, f, r, count);
}
void combineRows(float* to, const float* const* rows, const float* weights, int rowCount, std::int64_t count) {
    HWY_DYNAMIC_DISPATCH(combine)(to, rows, weights, rowCount, count);
}
void halveRow(float* to, const float* from, float outer, std::int64_t count) { HWY_DYNAMIC_DISPATCH(halve)(to, from, outer, count); }
void expandRow(float* to, const float* from, float outer, std::int64_t count) { HWY_DYNAMIC_DISPATCH(expand)(to, from, outer, count); }
void addRow(float* to, const float* from, std::int64_t count) { HWY_DYNAMIC_DISPATCH(addTo)(to, from, count); }

}  // namespace parallax::solvers
#endif
