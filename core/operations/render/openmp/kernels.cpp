// SPDX-License-Identifier: GPL-3.0-or-later
// Compiled once for each instruction set; the best one is chosen when the program runs.
#include "core/operations/render/openmp/kernels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/backends/openmp/instructions.hpp"
#include "core/operations/render/formulas.hpp"
#include "core/operations/render/transfer_curve.hpp"

#define HWY_DISABLED_TARGETS PARALLAX_UNUSED_SIMD_TARGETS
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/operations/render/openmp/kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace parallax::rendering {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, kMaxLanes>;
using Ints = hn::RebindToSigned<Floats>;
using Words = hn::RebindToUnsigned<Floats>;
using F = hn::Vec<Floats>;
using I = hn::Vec<Ints>;
using W = hn::Vec<Words>;
using Mask = hn::Mask<Floats>;
constexpr Floats kF;
constexpr Ints kI;
constexpr Words kW;
constexpr int kLanes = static_cast<int>(hn::MaxLanes(Floats()));
constexpr float kLargestFloat = std::numeric_limits<float>::max();

HWY_INLINE F all(float v) { return hn::Set(kF, v); }
HWY_INLINE I all(int v) { return hn::Set(kI, v); }
HWY_INLINE F mixed(F a, F b, F f) { return hn::MulAdd(f, hn::Sub(b, a), a); }

/// Positions of all lanes along one axis: whole samples, and the rest in units of 2^-32.
struct Coordinate {
    I whole;
    W rest;
};
struct Place {
    Coordinate at[3];
};

HWY_INLINE Place load(const std::int64_t (*positions)[kMaxLanes]) {
    Place place;
    for (int a = 0; a < 3; ++a) {
        HWY_ALIGN std::int32_t whole[kMaxLanes];
        HWY_ALIGN std::uint32_t rest[kMaxLanes];
        for (int lane = 0; lane < kLanes; ++lane) {
            whole[lane] = static_cast<std::int32_t>(positions[a][lane] >> 32);
            rest[lane] = static_cast<std::uint32_t>(positions[a][lane]);
        }
        place.at[a] = {hn::Load(kI, whole), hn::Load(kW, rest)};
    }
    return place;
}

HWY_INLINE void advance(Place& place, const Place& delta) {
    for (int a = 0; a < 3; ++a) {
        Coordinate& c = place.at[a];
        const W rest = hn::Add(c.rest, delta.at[a].rest);
        const I carry = hn::VecFromMask(kI, hn::RebindMask(kI, hn::Lt(rest, c.rest)));
        c.whole = hn::Sub(hn::Add(c.whole, delta.at[a].whole), carry);
        c.rest = rest;
    }
}

/// The delta of this many steps, at most 65,535.
HWY_INLINE Place times(const Place& delta, int count) {
    const W factor = hn::Set(kW, static_cast<std::uint32_t>(count)), mask = hn::Set(kW, 0xffffU);
    Place product;
    for (int a = 0; a < 3; ++a) {
        // The product of 48 bits, of two halves.
        const Coordinate& d = delta.at[a];
        const W high = hn::Mul(hn::ShiftRight<16>(d.rest), factor), low = hn::Mul(hn::And(d.rest, mask), factor);
        const W middle = hn::Add(hn::ShiftRight<16>(low), hn::And(high, mask));
        const W above = hn::Add(hn::ShiftRight<16>(high), hn::ShiftRight<16>(middle));
        product.at[a] = {hn::Add(hn::Mul(d.whole, all(count)), hn::BitCast(kI, above)), hn::Mul(d.rest, factor)};
    }
    return product;
}

/// 23 bits of the rest, in [0, 1).
HWY_INLINE F fraction(const Coordinate& c) {
    return hn::Sub(hn::BitCast(kF, hn::Or(hn::ShiftRight<9>(c.rest), hn::Set(kW, 0x3f800000U))), all(1.0F));
}

HWY_INLINE I clamped(I i, int size) { return hn::Min(hn::Max(i, hn::Zero(kI)), all(size - 1)); }

struct Pair {
    F first, second;
};

#if HWY_TARGET == HWY_SCALAR
HWY_INLINE Pair loadPairs(const float* samples, I indices) {
    return {hn::GatherIndex(kF, samples, indices), hn::GatherIndex(kF, samples, hn::Add(indices, all(1)))};
}
#else
/// N pairs of neighbouring samples, one after the other.
template <int N>
HWY_INLINE hn::Vec<hn::CappedTag<float, 2 * N> > loadInTurn(const float* samples, const std::int32_t* indices) {
    const hn::CappedTag<float, 2 * N> d;
    if constexpr (N == 1) return hn::LoadU(d, samples + indices[0]);
    else return hn::Combine(d, loadInTurn<N / 2>(samples, indices + N / 2), loadInTurn<N / 2>(samples, indices));
}

/// The samples at the indices and those behind them. Loads of two floats take a fraction of the time of gathers.
HWY_INLINE Pair loadPairs(const float* samples, I indices) {
    constexpr int kHalf = kLanes / 2;
    HWY_ALIGN std::int32_t each[kMaxLanes];
    hn::Store(indices, kI, each);
    const F low = loadInTurn<kHalf>(samples, each), high = loadInTurn<kHalf>(samples, each + kHalf);
    return {hn::ConcatEven(kF, high, low), hn::ConcatOdd(kF, high, low)};
}
#endif

/// Neighbours along x in any row. Beyond the first and the last cell of a row both are the sample at its end.
class Columns {
public:
    HWY_INLINE Columns(I x, int width)
        : isWide_(width > 1),
          first_(hn::Min(hn::Max(x, hn::Zero(kI)), all(std::max(width - 2, 0)))),
          isLeft_(hn::RebindMask(kF, hn::Lt(x, hn::Zero(kI)))),
          isRight_(hn::RebindMask(kF, hn::Gt(x, all(width - 2)))) {}

    HWY_INLINE Pair of(const float* samples, I rows) const {
        const I indices = hn::Add(rows, first_);
        if (!isWide_) {
            const F only = hn::GatherIndex(kF, samples, indices);
            return {only, only};
        }
        const Pair pair = loadPairs(samples, indices);
        return {hn::IfThenElse(isRight_, pair.second, pair.first), hn::IfThenElse(isLeft_, pair.first, pair.second)};
    }

private:
    bool isWide_;
    I first_;
    Mask isLeft_, isRight_;
};

/// Trilinear interpolation. With gaps, `there` says whether enough of the neighbours are finite; else it stays as it is.
template <bool Gaps>
HWY_INLINE F valueAt(const Volume& v, const Place& place, Mask& there) {
    const F fx = fraction(place.at[0]), fy = fraction(place.at[1]), fz = fraction(place.at[2]);
    const I one = all(1), row = all(v.rowStride), slice = all(v.sliceStride);
    const Columns columns(place.at[0].whole, v.size[0]);
    const I y0 = hn::Mul(clamped(place.at[1].whole, v.size[1]), row),
            y1 = hn::Mul(clamped(hn::Add(place.at[1].whole, one), v.size[1]), row);
    const I z0 = hn::Mul(clamped(place.at[2].whole, v.size[2]), slice),
            z1 = hn::Mul(clamped(hn::Add(place.at[2].whole, one), v.size[2]), slice);
    const auto [v000, v001] = columns.of(v.samples, hn::Add(z0, y0));
    const auto [v010, v011] = columns.of(v.samples, hn::Add(z0, y1));
    const auto [v100, v101] = columns.of(v.samples, hn::Add(z1, y0));
    const auto [v110, v111] = columns.of(v.samples, hn::Add(z1, y1));
    if constexpr (!Gaps) {
        (void)there;
        return mixed(mixed(mixed(v000, v001, fx), mixed(v010, v011, fx), fy), mixed(mixed(v100, v101, fx), mixed(v110, v111, fx), fy), fz);
    } else {
        F sum = hn::Zero(kF), weights = hn::Zero(kF);
        const auto add = [&](F value, F weight) HWY_ATTR {
            const Mask finite = hn::Le(hn::Abs(value), all(kLargestFloat));
            sum = hn::MulAdd(hn::IfThenElseZero(finite, value), weight, sum);
            weights = hn::Add(weights, hn::IfThenElseZero(finite, weight));
        };
        const F gx = hn::Sub(all(1.0F), fx), gy = hn::Sub(all(1.0F), fy), gz = hn::Sub(all(1.0F), fz);
        const F w00 = hn::Mul(gz, gy), w01 = hn::Mul(gz, fy), w10 = hn::Mul(fz, gy), w11 = hn::Mul(fz, fy);
        add(v000, hn::Mul(w00, gx));
        add(v001, hn::Mul(w00, fx));
        add(v010, hn::Mul(w01, gx));
        add(v011, hn::Mul(w01, fx));
        add(v100, hn::Mul(w10, gx));
        add(v101, hn::Mul(w10, fx));
        add(v110, hn::Mul(w11, gx));
        add(v111, hn::Mul(w11, fx));
        there = hn::Ge(weights, all(render::kLeastWeight));
        return hn::Div(sum, hn::IfThenElse(there, weights, all(1.0F)));
    }
}

/// Light at a place with this value.
template <bool Gaps>
HWY_INLINE F shadeAt(const Volume& v, const Numbers& n, const Place& place, F value, const F* direction) {
    F along = hn::Zero(kF), squares = hn::Zero(kF);
    for (int a = 0; a < 3; ++a) {
        Place side = place;
        side.at[a].whole = hn::Sub(place.at[a].whole, all(1));
        Mask there = hn::FirstN(kF, kMaxLanes);
        F before = valueAt<Gaps>(v, side, there);
        if constexpr (Gaps) before = hn::IfThenElse(there, before, value);
        side.at[a].whole = hn::Add(place.at[a].whole, all(1));
        F after = valueAt<Gaps>(v, side, there);
        if constexpr (Gaps) after = hn::IfThenElse(there, after, value);
        const F slope = hn::Mul(hn::Sub(after, before), all(n.halfPerSpacing[a]));
        along = hn::MulAdd(slope, direction[a], along);
        squares = hn::MulAdd(slope, slope, squares);
    }
    // As shade().
    const F length = hn::Sqrt(hn::MulAdd(all(n.soft), all(n.soft), squares));
    return hn::MulAdd(all(render::kDiffuse), hn::Div(hn::Abs(along), length), all(render::kAmbient));
}

/// The packet on its way.
class March {
public:
    HWY_INLINE March(const Volume& volume, const Packet& packet)
        : volume_(volume), samples_(hn::LoadU(kI, packet.samples)), place_(load(packet.start)), delta_(load(packet.delta)) {
        for (int lane = 0; lane < kLanes; ++lane) longest_ = std::max(longest_, packet.samples[lane]);
        for (int a = 0; a < 3; ++a) {
            HWY_ALIGN float steps[kMaxLanes];
            for (int lane = 0; lane < kLanes; ++lane) {
                const double d = std::fabs(static_cast<double>(packet.delta[a][lane]) * 0x1p-32);
                steps[lane] = d > 1e-9 ? static_cast<float>(1 / d) : 1e9F;
            }
            perSample_[a] = hn::Load(kF, steps);
            forwards_[a] = hn::RebindMask(kF, hn::Gt(delta_.at[a].whole, all(-1)));
        }
    }
    bool ended() const { return k_ >= longest_; }
    int index() const { return k_; }
    const Place& place() const { return place_; }
    /// Lanes whose rays have a sample here.
    HWY_INLINE Mask within() const { return hn::RebindMask(kF, hn::Lt(all(k_), samples_)); }
    HWY_INLINE void next() {
        advance(place_, delta_);
        ++k_;
    }
    /// Goes on unless interesting(keys) is true for a lane, with the keys of the bricks or groups of all lanes. Returns whether it did.
    template <class Interesting>
    HWY_INLINE bool skip(Interesting&& interesting) {
        if (!hn::AllFalse(kF, interesting(keys<kBrickBits>(volume_.bricks)))) return false;
        if (hn::AllFalse(kF, interesting(keys<kBrickBits + kGroupBits>(volume_.groups)))) leave<kBrickBits + kGroupBits>();
        else leave<kBrickBits>();
        return true;
    }

private:
    /// The brick or group of each lane, which have 2^Bits cells along each axis.
    template <int Bits>
    HWY_INLINE I cellOf(int a) const {
        return hn::ShiftRight<Bits>(clamped(place_.at[a].whole, volume_.size[a]));
    }
    template <int Bits>
    HWY_INLINE F keys(const KeyGrid& grid) const {
        const I x = cellOf<Bits>(0), y = cellOf<Bits>(1), z = cellOf<Bits>(2);
        const I index = hn::Add(hn::Mul(hn::Add(hn::Mul(z, all(grid.count[1])), y), all(grid.count[0])), x);
        return hn::GatherIndex(kF, grid.keys, index);
    }
    /// Goes on to the first sample that may lie outside of that of any lane. Samples left out are within theirs.
    template <int Bits>
    HWY_INLINE void leave() {
        F steps = all(1e6F);
        for (int a = 0; a < 3; ++a) {
            const I first = hn::ShiftLeft<Bits>(cellOf<Bits>(a));
            const Coordinate& c = place_.at[a];
            const F f = fraction(c);
            const F ahead = hn::Sub(hn::ConvertTo(kF, hn::Sub(hn::Add(first, all(1 << Bits)), c.whole)), f);
            const F behind = hn::Add(hn::ConvertTo(kF, hn::Sub(c.whole, first)), f);
            steps = hn::Min(steps, hn::Mul(hn::IfThenElse(forwards_[a], ahead, behind), perSample_[a]));
        }
        steps = hn::IfThenElse(within(), steps, all(1e6F));
        const float fewest = hn::GetLane(hn::MinOfLanes(kF, steps));
        // Short of the border by a part of a step, for rounding errors.
        const int count = std::max(1, static_cast<int>(std::floor(fewest - 0.01F)) + 1);
        advance(place_, times(delta_, std::min(count, 0xffff)));
        k_ += std::min(count, 0xffff);
    }

    const Volume& volume_;
    I samples_;
    Place place_, delta_;
    F perSample_[3];  ///< steps for the distance of two samples
    Mask forwards_[3];
    int k_ = 0, longest_ = 0;
};

/// Samples between two looks at the bricks.
constexpr int kRun = 4;

/// `Sign` -1: the minimum, as the largest negative.
template <bool Gaps, int Sign>
HWY_INLINE void extremum(const Volume& v, const Packet& packet, float* result) {
    March march(v, packet);
    const F none = all(-std::numeric_limits<float>::infinity());
    F best = none;
    while (!march.ended()) {
        if (march.skip([&](F keys) HWY_ATTR { return hn::And(march.within(), hn::Gt(keys, best)); })) continue;
        for (int i = 0; i < kRun && !march.ended(); ++i) {
            Mask there = march.within();
            F value = valueAt<Gaps>(v, march.place(), there);
            if constexpr (Gaps) there = hn::And(there, march.within());
            if constexpr (Sign < 0) value = hn::Neg(value);
            best = hn::IfThenElse(there, hn::Max(best, value), best);
            march.next();
        }
    }
    const Mask any = hn::Gt(best, none);
    if constexpr (Sign < 0) best = hn::Neg(best);
    hn::StoreU(hn::IfThenElse(any, best, all(v.smallest)), kF, result);
}

template <bool Gaps>
HWY_INLINE void mean(const Volume& v, const Packet& packet, float* result) {
    constexpr int kPart = 32;  // of a sum, so that it has few roundings
    March march(v, packet);
    F sum = hn::Zero(kF), count = hn::Zero(kF);
    while (!march.ended()) {
        F part = hn::Zero(kF);
        for (int i = 0; i < kPart && !march.ended(); ++i) {
            Mask there = march.within();
            const F value = valueAt<Gaps>(v, march.place(), there);
            if constexpr (Gaps) there = hn::And(there, march.within());
            part = hn::Add(part, hn::IfThenElseZero(there, value));
            count = hn::Add(count, hn::IfThenElseZero(there, all(1.0F)));
            march.next();
        }
        sum = hn::Add(sum, part);
    }
    const Mask any = hn::Gt(count, hn::Zero(kF));
    hn::StoreU(hn::IfThenElse(any, hn::Div(sum, hn::IfThenElse(any, count, all(1.0F))), all(v.smallest)), kF, result);
}

/// The first sample of each lane that reaches the threshold; -1: none.
template <bool Gaps>
HWY_INLINE void firstInside(const Volume& v, float threshold, const Packet& packet, std::int32_t* hits) {
    March march(v, packet);
    const F limit = all(threshold), below = all(std::nextafter(threshold, -std::numeric_limits<float>::infinity()));
    I hit = all(-1);
    while (!march.ended()) {
        const Mask open = hn::And(march.within(), hn::RebindMask(kF, hn::Lt(hit, hn::Zero(kI))));
        if (hn::AllFalse(kF, open)) break;
        if (march.skip([&](F keys) HWY_ATTR { return hn::And(open, hn::Gt(keys, below)); })) continue;
        for (int i = 0; i < kRun && !march.ended(); ++i) {
            Mask there = march.within();
            const F value = valueAt<Gaps>(v, march.place(), there);
            if constexpr (Gaps) there = hn::And(there, march.within());
            const Mask found = hn::And(there, hn::Ge(value, limit));
            hit = hn::IfThenElse(hn::And(hn::RebindMask(kI, found), hn::Lt(hit, hn::Zero(kI))), all(march.index()), hit);
            march.next();
        }
    }
    hn::StoreU(hit, kI, hits);
}

template <bool Gaps>
HWY_INLINE void surface(const Volume& v, const Numbers& n, const Packet& packet, float* light) {
    std::int32_t hits[kMaxLanes];
    firstInside<Gaps>(v, n.threshold, packet, hits);
    if (std::all_of(hits, hits + kLanes, [](std::int32_t hit) { return hit < 0; })) {
        std::fill_n(light, kLanes, 0.0F);
        return;
    }
    std::int64_t before[3][kMaxLanes], at[3][kMaxLanes];
    for (int a = 0; a < 3; ++a)
        for (int lane = 0; lane < kLanes; ++lane) {
            at[a][lane] = packet.start[a][lane] + std::max(hits[lane], 0) * packet.delta[a][lane];
            before[a][lane] = at[a][lane] - packet.delta[a][lane];
        }
    Mask there = hn::FirstN(kF, kMaxLanes), unused = there;
    const F limit = all(n.threshold), outside = valueAt<Gaps>(v, load(before), there), inside = valueAt<Gaps>(v, load(at), unused);
    const Mask refined = hn::And(there, hn::Lt(outside, limit));
    const F share = hn::Div(hn::Sub(limit, outside), hn::IfThenElse(refined, hn::Sub(inside, outside), all(1.0F)));
    float shares[kMaxLanes];
    hn::StoreU(hn::IfThenElse(refined, hn::Min(share, all(1.0F)), all(1.0F)), kF, shares);
    for (int a = 0; a < 3; ++a)
        for (int lane = 0; lane < kLanes; ++lane)
            at[a][lane] =
                before[a][lane] + static_cast<std::int64_t>(static_cast<double>(shares[lane]) * static_cast<double>(packet.delta[a][lane]));
    const F direction[3] = {hn::LoadU(kF, packet.direction[0]), hn::LoadU(kF, packet.direction[1]), hn::LoadU(kF, packet.direction[2])};
    const F shaded = shadeAt<Gaps>(v, n, load(at), limit, direction);
    const F cut = hn::MulAdd(all(render::kDiffuse), hn::LoadU(kF, packet.facing), all(render::kAmbient));
    const I hit = hn::LoadU(kI, hits);
    const F lit = hn::IfThenElse(hn::RebindMask(kF, hn::Eq(hit, hn::Zero(kI))), cut, shaded);
    hn::StoreU(hn::IfThenElseZero(hn::RebindMask(kF, hn::Gt(hit, all(-1))), lit), kF, light);
}

template <bool Gaps>
HWY_INLINE void composite(const Volume& v, const Numbers& n, const Packet& packet, float (*colour)[kMaxLanes]) {
    March march(v, packet);
    const F direction[3] = {hn::LoadU(kF, packet.direction[0]), hn::LoadU(kF, packet.direction[1]), hn::LoadU(kF, packet.direction[2])};
    F passing = all(1.0F), sum[3] = {hn::Zero(kF), hn::Zero(kF), hn::Zero(kF)};
    while (!march.ended()) {
        const Mask open = hn::And(march.within(), hn::Gt(passing, all(render::kOpaque)));
        if (hn::AllFalse(kF, open)) break;
        if (march.skip([&](F keys) HWY_ATTR { return hn::And(open, hn::Gt(keys, all(0.5F))); })) continue;
        Mask there = open;
        const F value = valueAt<Gaps>(v, march.place(), there);
        if constexpr (Gaps) there = hn::And(there, open);
        const F at = hn::Min(hn::Max(hn::Mul(hn::Sub(value, all(n.low)), all(n.perUnit)), hn::Zero(kF)),
                             all(static_cast<float>(render::TransferTable::kIntervals)));
        const I entry = hn::ConvertTo(kI, at), index = hn::ShiftLeft<2>(entry);
        const F f = hn::Sub(at, hn::ConvertTo(kF, entry));
        const auto channel = [&](int c) HWY_ATTR {
            return mixed(hn::GatherIndex(kF, n.entries + c, index), hn::GatherIndex(kF, n.entries + c + 4, index), f);
        };
        const F opacity = hn::IfThenElseZero(there, channel(3));
        if (!hn::AllFalse(kF, hn::Gt(opacity, hn::Zero(kF)))) {
            F weight = hn::Mul(passing, opacity);
            passing = hn::Sub(passing, weight);
            if (n.shading) weight = hn::Mul(weight, shadeAt<Gaps>(v, n, march.place(), value, direction));
            for (int c = 0; c < 3; ++c) sum[c] = hn::MulAdd(weight, channel(c), sum[c]);
        }
        march.next();
    }
    for (int c = 0; c < 3; ++c) hn::StoreU(sum[c], kF, colour[c]);
}

template <bool Gaps>
HWY_INLINE void renderMode(const Volume& v, const Numbers& n, const Packet& packet, float (*colour)[kMaxLanes]) {
    switch (n.mode) {
        case RenderMode::maximum: return extremum<Gaps, 1>(v, packet, colour[0]);
        case RenderMode::minimum: return extremum<Gaps, -1>(v, packet, colour[0]);
        case RenderMode::mean: return mean<Gaps>(v, packet, colour[0]);
        case RenderMode::surface: return surface<Gaps>(v, n, packet, colour[0]);
        case RenderMode::transfer: return composite<Gaps>(v, n, packet, colour);
    }
}

void renderPacketImpl(const Volume& v, const Numbers& n, const Packet& packet, float (*colour)[kMaxLanes]) {
    if (v.hasGaps) renderMode<true>(v, n, packet, colour);
    else renderMode<false>(v, n, packet, colour);
}

bool extendRangesImpl(const float* row, std::int64_t width, float* low, float* high) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    bool finite = true;
    std::int64_t x = 0;
    for (; x + kLanes <= width; x += kLanes) {
        const F value = hn::LoadU(kF, row + x);
        const Mask usable = hn::Le(hn::Abs(value), all(kLargestFloat));
        finite = finite && hn::AllTrue(kF, usable);
        hn::StoreU(hn::Min(hn::LoadU(kF, low + x), hn::IfThenElse(usable, value, all(kInfinity))), kF, low + x);
        hn::StoreU(hn::Max(hn::LoadU(kF, high + x), hn::IfThenElse(usable, value, all(-kInfinity))), kF, high + x);
    }
    for (; x < width; ++x) {
        if (!(std::fabs(row[x]) <= kLargestFloat)) {
            finite = false;
            continue;
        }
        low[x] = std::min(low[x], row[x]);
        high[x] = std::max(high[x], row[x]);
    }
    return finite;
}

PacketShape packetShapeImpl() {
    if (kLanes >= 16) return {4, 4};
    if (kLanes >= 8) return {4, 2};
    return kLanes >= 4 ? PacketShape{2, 2} : PacketShape{kLanes, 1};
}

}  // namespace HWY_NAMESPACE
}  // namespace parallax::rendering
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace parallax::rendering {

HWY_EXPORT(renderPacketImpl);
HWY_EXPORT(extendRangesImpl);
HWY_EXPORT(packetShapeImpl);

void renderPacket(const Volume& volume, const Numbers& numbers, const Packet& packet, float (*colour)[kMaxLanes]) {
    HWY_DYNAMIC_DISPATCH(renderPacketImpl)(volume, numbers, packet, colour);
}
bool extendRanges(const float* row, std::int64_t width, float* low, float* high) {
    return HWY_DYNAMIC_DISPATCH(extendRangesImpl)(row, width, low, high);
}
PacketShape packetShape() { return HWY_DYNAMIC_DISPATCH(packetShapeImpl)(); }

}  // namespace parallax::rendering
#endif
