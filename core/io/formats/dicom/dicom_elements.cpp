// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/formats/dicom/dicom_elements.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

#include "core/image/sha256.hpp"

namespace parallax {
namespace {

constexpr char kExplicitLittleEndian[] = "1.2.840.10008.1.2.1";
constexpr char kImplementation[] = "2.25.268719327491661553961704035164338671695";  // a random UUID
constexpr char kImplementationName[] = "PARALLAX";
/// The value representations written here that have a 32-bit length field.
constexpr std::string_view kLongVrs = "OB OW SQ UN UT";

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

std::string dicomUid(std::span<const std::uint8_t> bytes) {
    Sha256 sha;
    sha.add(std::as_bytes(bytes));
    const Sha256::Digest digest = sha.digest();
    std::array<std::uint8_t, 16> uuid{};
    std::copy_n(digest.begin(), uuid.size(), uuid.begin());
    uuid[6] = static_cast<std::uint8_t>((uuid[6] & 0x0f) | 0x80);  // version
    uuid[8] = static_cast<std::uint8_t>((uuid[8] & 0x3f) | 0x80);  // variant
    return "2.25." + decimalDigits(uuid);
}

std::string dicomUid(std::string_view text) { return dicomUid(std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size())); }

}  // namespace parallax
