// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/formats/exr/exr_unpack.hpp"

#include <ImfPixelType.h>
#include <half.h>

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <stdexcept>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "core/io/codec/inflate.hpp"

namespace parallax {
namespace {

/// Run lengths as OpenEXR stores them: a negative count precedes literal bytes, others repeat the next byte.
bool expandRuns(const std::vector<std::uint8_t>& in, std::vector<std::uint8_t>& out) {
    std::size_t to = 0;
    for (std::size_t at = 0; at < in.size();) {
        const int count = static_cast<std::int8_t>(in[at++]);
        const std::size_t n = count < 0 ? static_cast<std::size_t>(-count) : static_cast<std::size_t>(count) + 1;
        if (n > out.size() - to || (count < 0 ? n : 1) > in.size() - at) return false;
        if (count < 0) std::copy_n(in.data() + at, n, out.data() + to);
        else std::fill_n(out.data() + to, n, in[at]);
        at += count < 0 ? n : 1;
        to += n;
    }
    return to == out.size();
}

/// Inflates a zlib stream that must have the size of `out`.
void inflate(std::span<const std::uint8_t> in, std::span<std::uint8_t> out) {
    Inflater inflater(Inflater::Envelope::zlib);
    Inflater::State state = inflater.step(in, out);
    // The end of the stream may follow the last byte of the samples.
    std::array<std::uint8_t, 1> beyond{};
    std::span<std::uint8_t> rest(beyond);
    if (state == Inflater::State::running && out.empty()) state = inflater.step(in, rest);
    if (!rest.empty() && state != Inflater::State::ended) throw std::runtime_error("a block cannot be inflated");
    if (rest.empty() || !out.empty()) throw std::runtime_error(kExrWrongSize);
}

/// Running sums of differences, to each of which OpenEXR added 128, in place.
void sumDifferences(std::span<std::uint8_t> bytes) {
    std::size_t i = 0;
    std::uint8_t sum = 128;  // the first byte is no difference
#ifdef __SSE2__
    const __m128i bias = _mm_set1_epi8(-128);
    for (; i + 16 <= bytes.size(); i += 16) {
        auto* const at = reinterpret_cast<__m128i*>(bytes.data() + i);
        __m128i x = _mm_add_epi8(_mm_loadu_si128(at), bias);
        x = _mm_add_epi8(x, _mm_slli_si128(x, 1));
        x = _mm_add_epi8(x, _mm_slli_si128(x, 2));
        x = _mm_add_epi8(x, _mm_slli_si128(x, 4));
        x = _mm_add_epi8(x, _mm_slli_si128(x, 8));
        _mm_storeu_si128(at, _mm_add_epi8(x, _mm_set1_epi8(static_cast<char>(sum))));
        sum = bytes[i + 15];
    }
#endif
    for (; i < bytes.size(); ++i) bytes[i] = sum = static_cast<std::uint8_t>(sum + bytes[i] + 128U);
}

/// Undoes the differences between neighbours, and joins the halves that hold the even and the odd bytes.
void undoPredictor(std::vector<std::uint8_t>& from, std::vector<std::uint8_t>& to) {
    const std::size_t n = from.size(), half = (n + 1) / 2;
    sumDifferences(from);
    const std::uint8_t *even = from.data(), *odd = from.data() + half;
    for (std::size_t i = 0; i < n / 2; ++i) {
        to[2 * i] = even[i];
        to[2 * i + 1] = odd[i];
    }
    if (n % 2 != 0) to[n - 1] = even[half - 1];
}

}  // namespace

void unpackExr(bool runs, const std::vector<std::uint8_t>& packed, std::vector<std::uint8_t>& work, std::vector<std::uint8_t>& raw) {
    work.resize(raw.size());
    if (!runs) inflate(packed, work);
    else if (!expandRuns(packed, work)) throw std::runtime_error(kExrWrongSize);
    undoPredictor(work, raw);
}

void exrFloats(int type, const std::uint8_t* in, std::int64_t n, float* out) {
    if (type == Imf::HALF) {
        for (std::int64_t i = 0; i < n; ++i) out[i] = imath_half_to_float(exrNumber<std::uint16_t>(in + 2 * i));
    } else if (type == Imf::UINT) {
        for (std::int64_t i = 0; i < n; ++i) out[i] = static_cast<float>(exrNumber<std::uint32_t>(in + 4 * i));
    } else {
        for (std::int64_t i = 0; i < n; ++i) out[i] = std::bit_cast<float>(exrNumber<std::uint32_t>(in + 4 * i));
    }
}

}  // namespace parallax
