// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/formats/dicom/dicom_frames.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <span>
#include <utility>

#include "core/image/error.hpp"
#include "core/io/refuse.hpp"

namespace parallax {
namespace {

[[noreturn]] void refuse(const std::string& why, const std::string& advice = kGetIntactCopy) {
    throw Error(ErrorCode::input, "Cannot decode its samples", why, advice);
}

[[noreturn]] void unsupported(const std::string& why) {
    refuse(why, "Convert it to an uncompressed transfer syntax, with gdcmconv --raw for example");
}

/// Reads big-endian numbers; throws at the end.
class Stream {
public:
    explicit Stream(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
    std::size_t at = 0;

    std::span<const std::uint8_t> rest() const { return bytes_.subspan(std::min(at, bytes_.size())); }
    std::size_t left() const { return bytes_.size() - std::min(at, bytes_.size()); }
    std::uint32_t u8() {
        if (at >= bytes_.size()) refuse("they end early");
        return bytes_[at++];
    }
    std::uint32_t u16() {
        const std::uint32_t high = u8();
        return high << 8 | u8();
    }
    std::uint32_t u32() {
        const std::uint32_t high = u16();
        return high << 16 | u16();
    }
    std::uint8_t peek(std::size_t offset = 0) const { return at + offset < bytes_.size() ? bytes_[at + offset] : std::uint8_t{0}; }
    std::span<const std::uint8_t> take(std::size_t n) {
        if (n > left()) refuse("they end early");
        const auto part = bytes_.subspan(at, n);
        at += n;
        return part;
    }

private:
    std::span<const std::uint8_t> bytes_;
};

void append(std::vector<std::uint8_t>& to, std::span<const std::uint8_t> bytes) { to.insert(to.end(), bytes.begin(), bytes.end()); }

void checkSize(const FrameLayout& layout, std::uint64_t width, std::uint64_t height, std::uint32_t components) {
    if (width != static_cast<std::uint64_t>(layout.width) || height != static_cast<std::uint64_t>(layout.height))
        refuse("its compressed image has " + std::to_string(width) + " x " + std::to_string(height) + " pixels, but its header says " +
               std::to_string(layout.width) + " x " + std::to_string(layout.height));
    if (components != static_cast<std::uint32_t>(layout.components))
        refuse("its compressed image has " + std::to_string(components) + " components, but its header says " +
               std::to_string(layout.components));
}

/// The frame header of JPEG or JPEG-LS. Returns the bits of a sample.
int checkedPrecision(const FrameLayout& layout, std::uint32_t marker, std::span<const std::uint8_t> segment, bool ls) {
    const bool fits = ls ? marker == 0xf7 : marker == 0xc0 || marker == 0xc1 || marker == 0xc3;
    if (!fits)
        unsupported("its coding process (JPEG marker FF" + std::string(1, "0123456789ABCDEF"[marker >> 4]) +
                    "0123456789ABCDEF"[marker & 15] + ") is not supported");
    Stream sof(segment);
    const int bits = static_cast<int>(sof.u8());
    const std::uint32_t height = sof.u16(), width = sof.u16(), components = sof.u8();
    checkSize(layout, width, height, components);
    // Baseline has 8 bits, extended 8 or 12; GDCM also writes 16.
    const bool lossy = marker == 0xc0 || marker == 0xc1;
    if (bits < 2 || bits > 16 || (lossy && bits != 8 && !((bits == 12 || bits == 16) && marker == 0xc1)))
        refuse("the precision of its compressed samples is " + std::to_string(bits) + " bits");
    if (segment.size() != 6 + 3 * std::size_t{components}) refuse("the frame header of its compressed samples has a wrong length");
    return bits;
}

/// Copies entropy-coded bytes up to the next real marker: after FF, JPEG has 00 or a restart, JPEG-LS a byte below 80.
void copyScan(Stream& in, bool ls, std::vector<std::uint8_t>& out) {
    while (in.left() > 0) {
        if (in.peek() == 0xff) {
            const std::uint8_t next = in.peek(1);
            const bool data = (ls ? next < 0x80 : next == 0) || (next >= 0xd0 && next <= 0xd7);
            if (!data) return;
            append(out, in.take(std::min<std::size_t>(2, in.left())));
            continue;
        }
        const auto rest = in.rest();
        append(out, in.take(static_cast<std::size_t>(std::find(rest.begin(), rest.end(), 0xff) - rest.begin())));
    }
    // Decoders would invent the missing samples.
    refuse("they end early");
}

/// JPEG (ISO 10918-1) and JPEG-LS (ISO 14495-1), of one scan: start, tables, frame, scan, end. Comments and applications' segments
/// are left out, and so is what follows the scan.
std::vector<std::uint8_t> checkedJpeg(const FrameLayout& layout, std::span<const std::uint8_t> bytes, bool ls, int& bits) {
    Stream in(bytes);
    if (in.u16() != 0xffd8) refuse("its compressed samples do not begin as JPEG");
    std::vector<std::uint8_t> out{0xff, 0xd8};
    bool frame = false;
    for (;;) {
        if (in.u8() != 0xff) refuse("its compressed samples have invalid bytes between segments");
        std::uint32_t marker = in.u8();
        while (marker == 0xff) marker = in.u8();
        const std::uint32_t length = in.u16();
        if (length < 2) refuse("a segment has no length");
        const auto segment = in.take(length - 2);
        if ((marker >= 0xe0 && marker <= 0xef) || marker == 0xfe) continue;
        const bool sofAny = (marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc) || marker == 0xf7;
        const bool table = marker == 0xc4 || marker == 0xdb || marker == 0xdd || (ls && marker == 0xf8), scan = marker == 0xda;
        if (sofAny) {
            if (frame) refuse("they have two frames");
            frame = true;
            bits = checkedPrecision(layout, marker, segment, ls);
        } else if (!scan && !table) {
            refuse("its compressed samples have an unknown segment");
        }
        out.insert(out.end(),
                   {0xff, static_cast<std::uint8_t>(marker), static_cast<std::uint8_t>(length >> 8), static_cast<std::uint8_t>(length)});
        append(out, segment);
        if (!scan) continue;
        const auto components = static_cast<std::size_t>(layout.components);
        if (frame && components > 1 && !segment.empty() && segment[0] != components)
            unsupported("its colours are in several scans, which is not supported");
        if (!frame || segment.size() != 4 + 2 * components || segment[0] != components)
            refuse("the scan header of its compressed samples is invalid");
        copyScan(in, ls, out);
        out.insert(out.end(), {0xff, 0xd9});
        return out;
    }
}

/// JPEG 2000 (ISO 15444-1): a code stream or one inside of a JP2 file. The main header and that of the first tile are walked as
/// the decoder will.
std::vector<std::uint8_t> checkedJpeg2000(const FrameLayout& layout, std::span<const std::uint8_t> bytes, int& bits) {
    static constexpr std::array<std::uint8_t, 4> kStart{0xff, 0x4f, 0xff, 0x51};
    if (bytes.size() >= 12 && bytes[0] == 0 && bytes[4] == 'j' && bytes[5] == 'P') {
        // A JP2 file: only its code stream is used.
        const auto found = std::search(bytes.begin(), bytes.end(), kStart.begin(), kStart.end());
        bytes = bytes.subspan(static_cast<std::size_t>(found - bytes.begin()));
    }
    Stream in(bytes);
    if (in.u32() != 0xff4fff51) refuse("its compressed samples do not begin as JPEG 2000");
    const std::uint32_t sizeLength = in.u16();
    (void)in.u16();
    const std::uint64_t x1 = in.u32(), y1 = in.u32(), x0 = in.u32(), y0 = in.u32();
    const std::uint64_t tileWidth = in.u32(), tileHeight = in.u32();
    (void)in.take(8);
    const std::uint32_t components = in.u16();
    checkSize(layout, x1 - std::min(x0, x1), y1 - std::min(y0, y1), components);
    bits = static_cast<int>(in.u8() & 0x7f) + 1;
    bool alike = true;  // all components, without subsampling
    for (std::uint32_t c = 0; c < components; ++c) {
        if (c > 0) alike = alike && static_cast<int>(in.u8() & 0x7f) + 1 == bits;
        const std::uint32_t stepX = in.u8(), stepY = in.u8();
        alike = alike && stepX == 1 && stepY == 1;
    }
    if (sizeLength != 38 + 3 * components || bits > 16 || !alike) refuse("the size segment of its compressed samples is invalid");
    // Each tile needs memory, whatever its size.
    if (tileWidth == 0 || tileHeight == 0 || ((x1 + tileWidth - 1) / tileWidth) * ((y1 + tileHeight - 1) / tileHeight) > 4096)
        refuse("they have too many tiles");
    for (bool coding = false;;) {
        const std::uint32_t marker = in.u16();
        if (marker == 0xff93) {
            if (!coding) refuse("its compressed samples have no coding segment");
            break;
        }
        if (marker < 0xff50 || marker > 0xff90 || marker == 0xff51) refuse("its compressed samples have invalid bytes between segments");
        const std::uint32_t length = in.u16();
        if (length < 2) refuse("a segment has no length");
        const auto segment = in.take(length - 2);
        if (marker == 0xff52) {
            if (segment.size() < 10) refuse("the coding segment of its compressed samples is truncated");
            coding = true;
        }
    }
    std::vector<std::uint8_t> out(bytes.begin(), bytes.end());
    while (out.size() > 2 && !(out[out.size() - 2] == 0xff && out.back() == 0xd9)) out.pop_back();
    if (out.size() <= in.at) refuse("they end early");
    return out;
}

/// RLE (PS3.5 annex G): a header of 16 little-endian numbers, then one segment for each byte of a sample, the highest first.
std::vector<std::uint8_t> checkedRle(const FrameLayout& layout, std::span<const std::uint8_t> bytes, int& bits) {
    const auto little = [&](std::size_t i) {
        return std::uint32_t{bytes[4 * i]} | std::uint32_t{bytes[4 * i + 1]} << 8 | std::uint32_t{bytes[4 * i + 2]} << 16 |
               std::uint32_t{bytes[4 * i + 3]} << 24;
    };
    if (bytes.size() < 64) refuse("they end early");
    const auto segments = static_cast<std::uint32_t>(layout.bitsAllocated / 8 * layout.components);
    if (little(0) != segments)
        refuse("its compressed samples have " + std::to_string(little(0)) + " segments instead of " + std::to_string(segments));
    for (std::size_t i = 1; i <= segments; ++i)
        if (little(i) < 64 || little(i) >= bytes.size() || (i == 1 && little(i) != 64) || (i > 1 && little(i) <= little(i - 1)))
            refuse("a segment is outside its compressed samples");
    bits = layout.bitsAllocated;
    return {bytes.begin(), bytes.end()};
}

struct Syntax {
    const char* uid;
    const char* name;
};
constexpr Syntax kSyntaxes[] = {{"1.2.840.10008.1.2", "Implicit VR Little Endian"},
                                {"1.2.840.10008.1.2.1", "Explicit VR Little Endian"},
                                {"1.2.840.10008.1.2.1.99", "Deflated Explicit VR Little Endian"},
                                {"1.2.840.10008.1.2.2", "Explicit VR Big Endian"},
                                {"1.2.840.10008.1.2.4.50", "JPEG Baseline, Process 1"},
                                {"1.2.840.10008.1.2.4.51", "JPEG Extended, Process 2 and 4"},
                                {"1.2.840.10008.1.2.4.57", "JPEG Lossless, Process 14"},
                                {"1.2.840.10008.1.2.4.70", "JPEG Lossless, Process 14 SV1"},
                                {"1.2.840.10008.1.2.4.80", "JPEG-LS Lossless"},
                                {"1.2.840.10008.1.2.4.81", "JPEG-LS Near-lossless"},
                                {"1.2.840.10008.1.2.4.90", "JPEG 2000 Lossless"},
                                {"1.2.840.10008.1.2.4.91", "JPEG 2000"},
                                {"1.2.840.10008.1.2.5", "RLE Lossless"},
                                {"1.2.840.10008.1.2.4.92", "JPEG 2000 Multi-component Lossless"},
                                {"1.2.840.10008.1.2.4.93", "JPEG 2000 Multi-component"},
                                {"1.2.840.10008.1.2.4.100", "MPEG2 Main Profile"},
                                {"1.2.840.10008.1.2.4.102", "MPEG-4 AVC/H.264 High Profile"},
                                {"1.2.840.10008.1.2.4.107", "HEVC/H.265 Main Profile"},
                                {"1.2.840.10008.1.2.4.110", "JPEG XL Lossless"},
                                {"1.2.840.10008.1.2.4.112", "JPEG XL"},
                                {"1.2.840.10008.1.2.4.201", "High-throughput JPEG 2000 Lossless"},
                                {"1.2.840.10008.1.2.4.203", "High-throughput JPEG 2000"}};

}  // namespace

std::string nameOfTransferSyntax(const std::string& uid) {
    for (const Syntax& s : kSyntaxes)
        if (uid == s.uid) return std::string(s.name) + " (" + uid + ")";
    return uid;
}

bool isUncompressed(const std::string& uid) {
    return uid == "1.2.840.10008.1.2" || uid == "1.2.840.10008.1.2.1" || uid == "1.2.840.10008.1.2.2" || uid == "1.2.840.10008.1.2.1.99";
}

std::vector<std::uint8_t> joinItems(const std::vector<std::uint8_t>& encapsulated) {
    const auto little = [&](std::size_t at, int n) {
        std::uint32_t v = 0;
        for (int i = 0; i < n; ++i) v |= std::uint32_t{encapsulated[at + static_cast<std::size_t>(i)]} << (8 * i);
        return v;
    };
    std::vector<std::uint8_t> joined;
    bool table = true;
    for (std::size_t at = 0;;) {
        if (at + 8 > encapsulated.size()) {
            if (table || joined.empty()) refuse("they end early");
            return joined;  // the end of the sequence is missing, but the data may be complete
        }
        const std::uint32_t group = little(at, 2), element = little(at + 2, 2), length = little(at + 4, 4);
        at += 8;
        if (group == 0xfffe && element == 0xe0dd) break;
        if (group != 0xfffe || element != 0xe000) refuse("its compressed samples are not divided into items");
        if (length > encapsulated.size() - at)
            refuse("an item of its compressed samples has " + std::to_string(length) + " bytes and " +
                   std::to_string(encapsulated.size() - at) + " are left");
        if (!std::exchange(table, false))
            joined.insert(joined.end(), encapsulated.begin() + static_cast<std::ptrdiff_t>(at),
                          encapsulated.begin() + static_cast<std::ptrdiff_t>(at + length));
        at += length;
    }
    if (joined.empty()) refuse("there are none");
    return joined;
}

std::vector<DicomPart> framesOfItems(std::uint64_t length,
                                     const std::function<std::size_t(std::uint64_t from, void* to, std::size_t n)>& read,
                                     std::uint64_t frames) {
    constexpr std::size_t kMaxItems = std::size_t{1} << 20;
    const auto little = [&](std::uint64_t from, int n) {
        std::array<std::uint8_t, 4> b{};
        if (from + static_cast<std::uint64_t>(n) > length ||
            read(from, b.data(), static_cast<std::size_t>(n)) != static_cast<std::size_t>(n))
            refuse("they end early");
        std::uint32_t v = 0;
        for (int i = 0; i < n; ++i) v |= std::uint32_t{b[static_cast<std::size_t>(i)]} << (8 * i);
        return v;
    };
    std::vector<std::uint64_t> begins;  // of the items behind the offset table
    std::vector<std::uint64_t> table;
    bool first = true;
    std::uint64_t at = 0;
    while (at + 8 <= length) {
        const std::uint32_t group = little(at, 2), element = little(at + 2, 2), size = little(at + 4, 4);
        if (group == 0xfffe && element == 0xe0dd) break;
        if (group != 0xfffe || element != 0xe000) refuse("its compressed samples are not divided into items");
        if (size > length - at - 8)
            refuse("an item of its compressed samples has " + std::to_string(size) + " bytes and " + std::to_string(length - at - 8) +
                   " are left");
        if (!first) begins.push_back(at);
        if (begins.size() > kMaxItems) refuse("its compressed samples have more than " + std::to_string(kMaxItems) + " items");
        if (first && size == 4 * frames)
            for (std::uint64_t i = 0; i < frames; ++i) table.push_back(little(at + 8 + 4 * i, 4));
        first = false;
        at += 8 + std::uint64_t{size};
    }
    if (begins.size() < frames)
        refuse("its compressed samples have " + std::to_string(begins.size()) + " items for " + std::to_string(frames) + " frames");
    std::vector<std::uint64_t> starts = begins;
    if (begins.size() > frames) {
        if (table.empty())
            unsupported("its " + std::to_string(frames) + " frames are in " + std::to_string(begins.size()) +
                        " items without an offset table");
        for (std::uint64_t& offset : table) offset += begins.front();
        const bool valid = table.front() == begins.front() && std::is_sorted(table.begin(), table.end(), std::less_equal<>()) &&
                           std::all_of(table.begin(), table.end(),
                                       [&](std::uint64_t offset) { return std::binary_search(begins.begin(), begins.end(), offset); });
        if (!valid) refuse("the offset table of its frames does not match its items");
        starts = std::move(table);
    }
    std::vector<DicomPart> parts;
    for (std::size_t i = 0; i < starts.size(); ++i) parts.push_back({starts[i], (i + 1 < starts.size() ? starts[i + 1] : at) - starts[i]});
    return parts;
}

std::vector<std::uint8_t> checkedStream(const FrameLayout& layout, const std::vector<std::uint8_t>& stream, int& bits) {
    const std::string& ts = layout.transferSyntax;
    if (ts == "1.2.840.10008.1.2.4.50" || ts == "1.2.840.10008.1.2.4.51" || ts == "1.2.840.10008.1.2.4.57" ||
        ts == "1.2.840.10008.1.2.4.70")
        return checkedJpeg(layout, stream, false, bits);
    if (ts == "1.2.840.10008.1.2.4.80" || ts == "1.2.840.10008.1.2.4.81") return checkedJpeg(layout, stream, true, bits);
    if (ts == "1.2.840.10008.1.2.4.90" || ts == "1.2.840.10008.1.2.4.91") return checkedJpeg2000(layout, stream, bits);
    if (ts == "1.2.840.10008.1.2.5") return checkedRle(layout, stream, bits);
    unsupported("the transfer syntax " + nameOfTransferSyntax(ts) + " is not supported");
}

}  // namespace parallax
