// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/formats/dicom/dicom_elements.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>

namespace parallax {
namespace {

constexpr char kExplicitLittleEndian[] = "1.2.840.10008.1.2.1";
constexpr char kImplementation[] = "2.25.268719327491661553961704035164338671695";  // a random UUID
constexpr char kImplementationName[] = "PARALLAX";
constexpr std::string_view kLongVrs = "OB OW SQ UN UT";  // 32-bit lengths, of those that are written here

using Bytes = std::vector<std::uint8_t>;

void put16(Bytes& to, std::uint32_t v) { to.insert(to.end(), {static_cast<std::uint8_t>(v), static_cast<std::uint8_t>(v >> 8)}); }
void put32(Bytes& to, std::uint32_t v) {
    put16(to, v & 0xffff);
    put16(to, v >> 16);
}
void putTag(Bytes& to, DicomTag tag) {
    put16(to, tag >> 16);
    put16(to, tag & 0xffff);
}
void putHead(Bytes& to, DicomTag tag, const char* vr, std::uint32_t length) {
    putTag(to, tag);
    to.insert(to.end(), {static_cast<std::uint8_t>(vr[0]), static_cast<std::uint8_t>(vr[1])});
    if (kLongVrs.find(std::string_view(vr, 2)) != std::string_view::npos) {
        put16(to, 0);
        put32(to, length);
    } else {
        put16(to, length);
    }
}

constexpr std::array<std::uint32_t, 64> kRounds{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be,
    0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa,
    0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
    0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
    0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f,
    0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

/// Adds a block of 64 bytes to the state (FIPS 180-4, 6.2.2).
void addBlock(std::array<std::uint32_t, 8>& state, const std::uint8_t* block) {
    std::array<std::uint32_t, 64> w{};
    for (std::size_t t = 0; t < 16; ++t)
        for (std::size_t i = 0; i < 4; ++i) w[t] = w[t] << 8 | block[4 * t + i];
    for (std::size_t t = 16; t < 64; ++t) {
        const std::uint32_t a = w[t - 15], b = w[t - 2];
        w[t] = w[t - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3) + w[t - 7] + (std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10);
    }
    auto [a, b, c, d, e, f, g, h] = state;
    for (std::size_t t = 0; t < 64; ++t) {
        const std::uint32_t one = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + ((e & f) ^ (~e & g)) + kRounds[t] + w[t];
        const std::uint32_t two = (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g, g = f, f = e, e = d + one, d = c, c = b, b = a, a = one + two;
    }
    const std::array<std::uint32_t, 8> added{a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < 8; ++i) state[i] += added[i];
}

/// Decimal digits of a 128-bit number, of which the first byte is the highest.
std::string decimalDigits(std::array<std::uint8_t, 16> number) {
    std::string digits;
    while (std::any_of(number.begin(), number.end(), [](std::uint8_t byte) { return byte != 0; })) {
        unsigned remainder = 0;
        for (std::uint8_t& byte : number) {
            const unsigned value = remainder << 8 | byte;
            byte = static_cast<std::uint8_t>(value / 10);
            remainder = value % 10;
        }
        digits += static_cast<char>('0' + remainder);
    }
    std::reverse(digits.begin(), digits.end());
    return digits;
}

}  // namespace

void DicomElements::text(DicomTag tag, const char* vr, std::string_view value) {
    Value& v = values_[tag];
    std::memcpy(v.vr, vr, 2);
    v.bytes.assign(value.begin(), value.end());
    if (v.bytes.size() % 2 != 0) v.bytes.push_back(std::string_view(vr, 2) == "UI" ? 0 : ' ');
}

void DicomElements::number16(DicomTag tag, unsigned value) {
    values_[tag] = {{'U', 'S'}, {static_cast<std::uint8_t>(value), static_cast<std::uint8_t>(value >> 8)}};
}

void DicomElements::decimals(DicomTag tag, std::span<const double> values) {
    std::string all;
    for (const double v : values) all += (all.empty() ? "" : "\\") + dicomDecimal(v);
    text(tag, "DS", all);
}

void DicomElements::sequence(DicomTag tag, std::span<const DicomElements> items) {
    Bytes all;
    for (const DicomElements& item : items) {
        const Bytes bytes = item.bytes();
        putTag(all, 0xfffee000);
        put32(all, static_cast<std::uint32_t>(bytes.size()));
        all.insert(all.end(), bytes.begin(), bytes.end());
    }
    values_[tag] = {{'S', 'Q'}, std::move(all)};
}

std::vector<std::uint8_t> DicomElements::bytes() const {
    Bytes all;
    for (const auto& [tag, value] : values_) {
        putHead(all, tag, value.vr, static_cast<std::uint32_t>(value.bytes.size()));
        all.insert(all.end(), value.bytes.begin(), value.bytes.end());
    }
    return all;
}

std::string dicomDecimal(double value) {
    constexpr std::ptrdiff_t kCharacters = 16;
    std::array<char, 40> text{};
    const double v = value == 0 ? 0.0 : value;  // no -0
    auto end = std::to_chars(text.data(), text.data() + text.size(), v).ptr;
    for (int digits = 16; end - text.data() > kCharacters; --digits)
        end = std::to_chars(text.data(), text.data() + text.size(), v, std::chars_format::general, digits).ptr;
    return {text.data(), end};
}

std::vector<std::uint8_t> dicomFileMeta(const std::string& sopClass, const std::string& instanceUid) {
    DicomElements meta;
    meta.text(0x00020002, "UI", sopClass);
    meta.text(0x00020003, "UI", instanceUid);
    meta.text(0x00020010, "UI", kExplicitLittleEndian);
    meta.text(0x00020012, "UI", kImplementation);
    meta.text(0x00020013, "SH", kImplementationName);
    const Bytes elements = meta.bytes();
    constexpr std::uint32_t kVersionBytes = 14;
    Bytes all(128, 0);
    for (const char c : std::string_view("DICM")) all.push_back(static_cast<std::uint8_t>(c));
    putHead(all, 0x00020000, "UL", 4);
    put32(all, kVersionBytes + static_cast<std::uint32_t>(elements.size()));
    putHead(all, 0x00020001, "OB", 2);
    all.insert(all.end(), {0, 1});
    all.insert(all.end(), elements.begin(), elements.end());
    return all;
}

std::vector<std::uint8_t> dicomPixelHead(std::uint32_t bytes, bool words) {
    Bytes head;
    putHead(head, 0x7fe00010, words ? "OW" : "OB", bytes);
    return head;
}

Digest sha256(std::span<const std::uint8_t> bytes) {
    std::array<std::uint32_t, 8> state{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    constexpr std::size_t kBlock = 64;
    const std::size_t whole = bytes.size() / kBlock * kBlock;
    for (std::size_t at = 0; at < whole; at += kBlock) addBlock(state, bytes.data() + at);
    // The rest, a bit of 1, zeros, and the number of bits.
    std::array<std::uint8_t, 2 * kBlock> tail{};
    const std::size_t rest = bytes.size() - whole, tailBytes = rest + 9 > kBlock ? 2 * kBlock : kBlock;
    std::copy(bytes.begin() + static_cast<std::ptrdiff_t>(whole), bytes.end(), tail.begin());
    tail[rest] = 0x80;
    const std::uint64_t bits = std::uint64_t{bytes.size()} * 8;
    for (std::size_t i = 0; i < 8; ++i) tail[tailBytes - 1 - i] = static_cast<std::uint8_t>(bits >> (8 * i));
    for (std::size_t at = 0; at < tailBytes; at += kBlock) addBlock(state, tail.data() + at);
    Digest digest{};
    for (std::size_t i = 0; i < digest.size(); ++i) digest[i] = static_cast<std::uint8_t>(state[i / 4] >> (24 - 8 * (i % 4)));
    return digest;
}

std::string dicomUid(std::span<const std::uint8_t> bytes) {
    const Digest digest = sha256(bytes);
    std::array<std::uint8_t, 16> uuid{};
    std::copy_n(digest.begin(), uuid.size(), uuid.begin());
    uuid[6] = static_cast<std::uint8_t>((uuid[6] & 0x0f) | 0x80);  // version
    uuid[8] = static_cast<std::uint8_t>((uuid[8] & 0x3f) | 0x80);  // variant
    return "2.25." + decimalDigits(uuid);
}

std::string dicomUid(std::string_view text) { return dicomUid(std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size())); }

}  // namespace parallax
