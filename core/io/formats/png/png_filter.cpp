// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/formats/png/png_filter.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <limits>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

// Compiled for the baseline and for AVX2; the loader chooses.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define PARALLAX_CLONES __attribute__((target_clones("default", "arch=x86-64-v3")))
#else
#define PARALLAX_CLONES
#endif

namespace parallax {
namespace {

/// `a`, `b`, `c`: the bytes to the left, above, and above to the left.
inline std::uint8_t paethPredictor(std::uint8_t a, std::uint8_t b, std::uint8_t c) {
    const auto towardsB = static_cast<std::int16_t>(b - c), towardsA = static_cast<std::int16_t>(a - c);
    const auto both = static_cast<std::int16_t>(towardsA + towardsB);
    const auto pa = static_cast<std::int16_t>(std::abs(towardsB)), pb = static_cast<std::int16_t>(std::abs(towardsA)),
               pc = static_cast<std::int16_t>(std::abs(both));
    const std::uint8_t bOrC = pb <= pc ? b : c;
    return (pa <= pb) & (pa <= pc) ? a : bOrC;
}

PARALLAX_CLONES void subtract(const std::uint8_t* row, const std::uint8_t* prediction, std::size_t n, std::uint8_t* __restrict to) {
    for (std::size_t i = 0; i < n; ++i) to[i] = static_cast<std::uint8_t>(row[i] - prediction[i]);
}

PARALLAX_CLONES void subtractAverage(const std::uint8_t* row, const std::uint8_t* left, const std::uint8_t* above, std::size_t n,
                                     std::uint8_t* __restrict to) {
    for (std::size_t i = 0; i < n; ++i) to[i] = static_cast<std::uint8_t>(row[i] - ((left[i] + above[i]) >> 1));
}

PARALLAX_CLONES void subtractPaeth(const std::uint8_t* row, const std::uint8_t* left, const std::uint8_t* above,
                                   const std::uint8_t* aboveLeft, std::size_t n, std::uint8_t* __restrict to) {
    for (std::size_t i = 0; i < n; ++i) to[i] = static_cast<std::uint8_t>(row[i] - paethPredictor(left[i], above[i], aboveLeft[i]));
}

PARALLAX_CLONES std::uint64_t sumOfMagnitudes(const std::uint8_t* bytes, std::size_t n) {
    std::uint64_t sum = 0;
    constexpr std::size_t kBlock = 1 << 20;  // so that a sum fits into 32 bits
    for (std::size_t at = 0; at < n; at += kBlock) {
        std::uint32_t part = 0;
        for (std::size_t i = at; i < std::min(n, at + kBlock); ++i)
            part += static_cast<std::uint32_t>(std::abs(static_cast<int>(static_cast<std::int8_t>(bytes[i]))));
        sum += part;
    }
    return sum;
}

// A pixel of up to 8 bytes in one number: each byte is a sample of its own.
constexpr std::uint64_t kHighBits = 0x8080808080808080, kLowBits = 0x0101010101010101;
inline std::uint64_t sumOfBytes(std::uint64_t a, std::uint64_t b) { return ((a & ~kHighBits) + (b & ~kHighBits)) ^ ((a ^ b) & kHighBits); }
inline std::uint64_t averageOfBytes(std::uint64_t a, std::uint64_t b) { return (a & b) + (((a ^ b) & ~kLowBits) >> 1); }
inline std::uint64_t load(const std::uint8_t* p) {
    std::uint64_t v = 0;
    std::memcpy(&v, p, sizeof v);
    return v;
}

/// Calls predict(left, above) for each pixel, and adds the result.
template <std::size_t Distance, class Predict>
void addPredictions(std::span<std::uint8_t> row, const std::uint8_t* above, const Predict& predict) {
    std::uint64_t left = 0;
    for (std::size_t i = 0; i < row.size(); i += Distance) {
        left = sumOfBytes(load(row.data() + i), predict(left, load(above + i)));
        std::memcpy(row.data() + i, &left, Distance);
    }
}

// The same as 16-bit numbers, for signed differences.
using Bytes = std::uint8_t __attribute__((vector_size(16)));
using Words = std::int16_t __attribute__((vector_size(16)));
inline Words widen(std::uint64_t v) {
    using Numbers = std::uint64_t __attribute__((vector_size(16)));
    const auto bytes = reinterpret_cast<Bytes>(Numbers{v, 0});
    return reinterpret_cast<Words>(__builtin_shufflevector(bytes, Bytes{}, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23));
}
/// The lower bytes of numbers up to 255.
inline std::uint64_t narrow(Words v) {
#ifdef __SSE2__
    return static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm_packus_epi16(reinterpret_cast<__m128i>(v), __m128i{})));
#else
    using EightBytes = std::uint8_t __attribute__((vector_size(8)));
    return std::bit_cast<std::uint64_t>(__builtin_convertvector(v, EightBytes));
#endif
}
inline Words smaller(Words a, Words b) { return a < b ? a : b; }
inline Words magnitude(Words v) { return v > -v ? v : -v; }

template <std::size_t Distance>
void addPaeth(std::span<std::uint8_t> row, const std::uint8_t* above) {
    Words left{}, aboveLeft{};
    for (std::size_t i = 0; i < row.size(); i += Distance) {
        const Words up = widen(load(above + i)), towardsUp = up - aboveLeft, towardsLeft = left - aboveLeft;
        const Words pa = magnitude(towardsUp), pb = magnitude(towardsLeft), pc = magnitude(towardsUp + towardsLeft);
        const Words least = smaller(pc, smaller(pa, pb)), upOrCorner = least == pb ? up : aboveLeft;
        left = (widen(load(row.data() + i)) + (least == pa ? left : upOrCorner)) & 255;
        aboveLeft = up;
        const std::uint64_t packed = narrow(left);
        std::memcpy(row.data() + i, &packed, Distance);
    }
}

template <std::size_t Distance>
void unfilter(PngFilter filter, std::span<std::uint8_t> row, const std::uint8_t* above) {
    if (filter == PngFilter::sub) addPredictions<Distance>(row, above, [](std::uint64_t left, std::uint64_t) { return left; });
    else if (filter == PngFilter::average) addPredictions<Distance>(row, above, averageOfBytes);
    else addPaeth<Distance>(row, above);
}

}  // namespace

void filterPngRow(PngFilter filter, std::span<const std::uint8_t> row, const std::uint8_t* above, std::size_t distance, std::uint8_t* to) {
    const std::size_t first = std::min(distance, row.size()), rest = row.size() - first;
    const std::uint8_t* const p = row.data();
    switch (filter) {
        case PngFilter::none: std::copy(row.begin(), row.end(), to); return;
        case PngFilter::sub: std::copy(p, p + first, to); return subtract(p + first, p, rest, to + first);
        case PngFilter::up: return subtract(p, above, row.size(), to);
        case PngFilter::average:
            for (std::size_t i = 0; i < first; ++i) to[i] = static_cast<std::uint8_t>(p[i] - (above[i] >> 1));
            return subtractAverage(p + first, p, above + first, rest, to + first);
        case PngFilter::paeth: subtract(p, above, first, to); return subtractPaeth(p + first, p, above + first, above, rest, to + first);
    }
}

PngFilter choosePngFilter(std::span<const std::uint8_t> row, const std::uint8_t* above, std::size_t distance, bool thorough,
                          std::span<std::uint8_t> work) {
    using enum PngFilter;
    PngFilter best = sub;
    std::uint64_t smallest = std::numeric_limits<std::uint64_t>::max();
    for (const PngFilter filter : {sub, up, paeth, average, none}) {
        if ((!above && filter != sub && filter != none) || (!thorough && filter != sub && filter != up)) continue;
        filterPngRow(filter, row, above, distance, work.data());
        const std::uint64_t sum = sumOfMagnitudes(work.data(), row.size());
        if (sum >= smallest) continue;
        smallest = sum;
        best = filter;
    }
    return best;
}

void unfilterPngRow(PngFilter filter, std::span<std::uint8_t> row, const std::uint8_t* above, std::size_t distance) {
    if (filter == PngFilter::none) return;
    if (filter == PngFilter::up) {
        for (std::size_t i = 0; i < row.size(); ++i) row[i] = static_cast<std::uint8_t>(row[i] + above[i]);
        return;
    }
    using Function = void (*)(PngFilter, std::span<std::uint8_t>, const std::uint8_t*);
    static constexpr std::array<Function, 8> kByDistance{&unfilter<1>, &unfilter<2>, &unfilter<3>, &unfilter<4>,
                                                         &unfilter<5>, &unfilter<6>, &unfilter<7>, &unfilter<8>};
    kByDistance[distance - 1](filter, row, above);
}

}  // namespace parallax
