// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/image/sha256.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace parallax {
namespace {

/// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
alignas(16) constexpr std::array<std::uint32_t, 64> kConstants{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be,
    0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa,
    0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
    0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
    0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f,
    0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

bool hasShaInstructions() {
#if defined(__x86_64__)
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b >> 29 & 1U) != 0;
#else
    return false;
#endif
}

}  // namespace

Sha256::Sha256(bool accelerated) {
    static const bool available = hasShaInstructions();
    compress_ = accelerated && available ? compressAccelerated : compressPortably;
}

void Sha256::add(std::span<const std::byte> bytes) {
    length_ += bytes.size();
    if (used_ > 0) {
        const std::size_t part = std::min(kBlock - used_, bytes.size());
        std::copy_n(bytes.begin(), part, block_.begin() + static_cast<std::ptrdiff_t>(used_));
        used_ += part;
        bytes = bytes.subspan(part);
        if (used_ < kBlock) return;
        compress_(state_, block_.data(), 1);
    }
    compress_(state_, bytes.data(), bytes.size() / kBlock);
    used_ = bytes.size() % kBlock;
    std::copy_n(bytes.end() - static_cast<std::ptrdiff_t>(used_), used_, block_.begin());
}

Sha256::Digest Sha256::digest() {
    const std::uint64_t bits = length_ * 8;
    std::array<std::byte, 2 * kBlock> padding{std::byte{0x80}};
    const std::size_t zeros = (used_ < kBlock - 8 ? kBlock : 2 * kBlock) - used_ - 8;
    for (std::size_t i = 0; i < 8; ++i) padding[zeros + i] = static_cast<std::byte>(bits >> (56 - 8 * i));
    add({padding.data(), zeros + 8});
    Digest digest{};
    for (std::size_t i = 0; i < digest.size(); ++i) digest[i] = static_cast<std::uint8_t>(state_[i / 4] >> (24 - 8 * (i % 4)));
    return digest;
}

std::string Sha256::finish() {
    std::string text;
    for (const std::uint8_t byte : digest())
        for (const int shift : {4, 0}) text += "0123456789abcdef"[byte >> shift & 15];
    return text;
}

void Sha256::compressPortably(State& state, const std::byte* data, std::size_t blocks) {
    for (; blocks > 0; --blocks, data += kBlock) {
        std::array<std::uint32_t, 64> w{};
        for (std::size_t i = 0; i < 16; ++i)
            for (std::size_t byte = 0; byte < 4; ++byte) w[i] = w[i] << 8 | std::to_integer<std::uint32_t>(data[4 * i + byte]);
        for (std::size_t i = 16; i < 64; ++i) {
            const std::uint32_t s0 = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ w[i - 15] >> 3;
            const std::uint32_t s1 = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ w[i - 2] >> 10;
            w[i] = w[i - 16] + s0 + w[i - 7] + s1;
        }
        auto [a, b, c, d, e, f, g, h] = state;
        for (std::size_t i = 0; i < 64; ++i) {
            const std::uint32_t s1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
            const std::uint32_t t1 = h + s1 + ((e & f) ^ (~e & g)) + kConstants[i] + w[i];
            const std::uint32_t s0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
            const std::uint32_t t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
            h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
        }
        const State rounds{a, b, c, d, e, f, g, h};
        for (std::size_t i = 0; i < state.size(); ++i) state[i] += rounds[i];
    }
}

#if defined(__x86_64__)
/// Four rounds a step: _mm_sha256rnds2_epu32 does two, with the state as (A, B, E, F) and (C, D, G, H) from the highest word down.
__attribute__((target("sha,sse4.1"))) void Sha256::compressAccelerated(State& state, const std::byte* data, std::size_t blocks) {
    const __m128i bigEndian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    const auto word = [&](std::size_t i) { return static_cast<int>(state[i]); };
    __m128i abef = _mm_set_epi32(word(0), word(1), word(4), word(5)), cdgh = _mm_set_epi32(word(2), word(3), word(6), word(7));
    for (; blocks > 0; --blocks, data += kBlock) {
        const __m128i abefBefore = abef, cdghBefore = cdgh;
        __m128i w[4];
        for (int i = 0; i < 4; ++i) w[i] = _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(data) + i), bigEndian);
        for (std::size_t round = 0; round < 64; round += 4) {
            const __m128i sum = _mm_add_epi32(w[0], _mm_load_si128(reinterpret_cast<const __m128i*>(&kConstants[round])));
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0e));
            const __m128i next =
                _mm_sha256msg2_epu32(_mm_add_epi32(_mm_sha256msg1_epu32(w[0], w[1]), _mm_alignr_epi8(w[3], w[2], 4)), w[3]);
            w[0] = w[1], w[1] = w[2], w[2] = w[3], w[3] = next;
        }
        abef = _mm_add_epi32(abef, abefBefore);
        cdgh = _mm_add_epi32(cdgh, cdghBefore);
    }
    alignas(16) std::array<std::uint32_t, 4> high{}, low{};
    _mm_store_si128(reinterpret_cast<__m128i*>(high.data()), abef);
    _mm_store_si128(reinterpret_cast<__m128i*>(low.data()), cdgh);
    state = {high[3], high[2], low[3], low[2], high[1], high[0], low[1], low[0]};
}
#else
void Sha256::compressAccelerated(State& state, const std::byte* data, std::size_t blocks) { compressPortably(state, data, blocks); }
#endif

}  // namespace parallax
