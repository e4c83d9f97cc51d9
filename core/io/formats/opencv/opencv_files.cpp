// SPDX-License-Identifier: GPL-3.0-or-later
// JPEG, WebP, BMP and PNM through OpenCV.
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <optional>

#include "core/image/error.hpp"
#include "core/io/codec/colour_profile.hpp"
#include "core/io/codec/exif.hpp"
#include "core/io/codec/stored_colours.hpp"
#include "core/io/formats.hpp"
#include "core/io/formats/opencv/opencv_codec.hpp"
#include "core/io/formats/png/png.hpp"
#include "core/io/limits.hpp"

namespace parallax {

const OpenCvCodec& openCvCodec() { return libraryModule<OpenCvCodec>("opencv_codec"); }

namespace {

std::string formatOf(std::span<const std::uint8_t> h) {
    using namespace std::string_view_literals;
    if (startsWith(h, "\xff\xd8\xff"sv)) return "JPEG";
    if (startsWith(h, "RIFF"sv) && startsWith(h, "WEBP"sv, 8)) return "WebP";
    if (startsWith(h, "BM"sv)) return "BMP";
    if (h.size() > 2 && h[0] == 'P' && h[1] >= '1' && h[1] <= '6') return "PNM";
    return {};
}

/// Fields of a header that are needed before OpenCV decodes, or that it does not report.
struct HeaderPeek {
    std::int64_t width = 0, height = 0;                ///< 0: not found
    int pnmMaximum = 0;                                ///< largest stored value that a PNM names
    int orientation = 1;                               ///< of Exif; 1 is upright
    std::optional<std::vector<std::uint8_t>> profile;  ///< of ICC; empty if it is incomplete
    bool jpegEnds = true;                              ///< has its end marker
    int jpegScans = 0;
};

/// Reads outside the bytes give 0.
class Bytes {
public:
    Bytes(std::span<const std::uint8_t> bytes, bool bigEndian) : bytes_(bytes), big_(bigEndian) {}
    std::uint32_t u8(std::size_t at) const { return at < bytes_.size() ? bytes_[at] : 0; }
    std::uint32_t u16(std::size_t at) const { return big_ ? u8(at) << 8 | u8(at + 1) : u8(at + 1) << 8 | u8(at); }
    std::uint32_t u24(std::size_t at) const { return u8(at) | u8(at + 1) << 8 | u8(at + 2) << 16; }
    std::uint32_t u32(std::size_t at) const { return big_ ? u16(at) << 16 | u16(at + 2) : u16(at + 2) << 16 | u16(at); }
    std::size_t size() const { return bytes_.size(); }

private:
    std::span<const std::uint8_t> bytes_;
    bool big_;
};

/// Parts of an ICC profile in segments APP2, which have a number from 1 and the number of all parts (ICC.1, annex B.4).
class ProfileParts {
public:
    /// `segment`: the bytes behind its length.
    void add(std::span<const std::uint8_t> segment, bool truncated) {
        constexpr std::string_view kName("ICC_PROFILE\0", 12);
        if (!startsWith(segment, kName)) return;
        found_ = true;
        if (truncated || segment.size() < kName.size() + 2) return;
        count_ = segment[kName.size() + 1];
        parts_[segment[kName.size()]] = segment.subspan(kName.size() + 2);
    }
    std::optional<std::vector<std::uint8_t>> joined() const {
        if (!found_) return {};
        std::vector<std::uint8_t> profile;
        if (parts_.size() != count_ || parts_.empty() || parts_.begin()->first != 1 || parts_.rbegin()->first != count_) return profile;
        for (const auto& [number, bytes] : parts_) profile.insert(profile.end(), bytes.begin(), bytes.end());
        return profile;
    }

private:
    bool found_ = false;
    std::size_t count_ = 0;
    std::map<std::size_t, std::span<const std::uint8_t>> parts_;
};

void peekJpeg(std::span<const std::uint8_t> bytes, HeaderPeek& peek) {
    const Bytes b(bytes, true);
    peek.jpegEnds = false;
    ProfileParts profile;
    std::size_t at = 2;
    while (at + 2 <= b.size()) {
        if (b.u8(at) != 0xff) {
            ++at;  // entropy-coded data, or rubbish between segments
            continue;
        }
        const std::uint32_t marker = b.u8(at + 1);
        if (marker == 0xd9) break;
        if (marker == 0xff || marker == 0 || marker == 1 || (marker >= 0xd0 && marker <= 0xd8)) {
            at += marker == 0xff ? 1 : 2;
            continue;
        }
        if (at + 4 > b.size()) break;
        const std::size_t length = b.u16(at + 2);
        const bool frame = marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
        if (marker == 0xda) ++peek.jpegScans;
        if (frame && peek.width == 0) {
            peek.height = b.u16(at + 5);
            peek.width = b.u16(at + 7);
        }
        const std::size_t data = at + 4;
        if (marker == 0xe1 && data + 6 < b.size() && startsWith(bytes.subspan(data), std::string_view("Exif\0\0", 6))) {
            peek.orientation = exifOrientation(bytes.subspan(data + 6, std::min(bytes.size() - data - 6, length)));
        }
        if (marker == 0xe2 && length >= 2)
            profile.add(bytes.subspan(data, std::min(length - 2, bytes.size() - data)), length - 2 > bytes.size() - data);
        at += 2 + length;
    }
    peek.profile = profile.joined();
    peek.jpegEnds = at + 1 < b.size() && b.u8(at) == 0xff && b.u8(at + 1) == 0xd9;
}

void peekBmp(std::span<const std::uint8_t> bytes, HeaderPeek& peek) {
    const Bytes b(bytes, false);
    if (b.u32(14) == 12) {
        peek.width = b.u16(18);
        peek.height = b.u16(20);
    } else {
        peek.width = static_cast<std::int32_t>(b.u32(18));
        peek.height = std::abs(std::int64_t{static_cast<std::int32_t>(b.u32(22))});  // negative: top line first
    }
}

void peekWebp(std::span<const std::uint8_t> bytes, HeaderPeek& peek) {
    const Bytes b(bytes, false);
    if (bytes.size() < 30) return;
    const std::span<const std::uint8_t> chunk = bytes.subspan(12);
    if (startsWith(chunk, "VP8X")) {
        peek.width = b.u24(24) + 1;
        peek.height = b.u24(27) + 1;
        // Chunks of a name, a length and as many bytes, padded to an even number.
        for (std::size_t at = 12; at + 8 <= b.size(); at += 8 + (std::size_t{b.u32(at + 4)} + 1) / 2 * 2) {
            const std::size_t length = b.u32(at + 4), left = b.size() - at - 8;
            if (startsWith(bytes, "ICCP", at)) {
                peek.profile.emplace();
                const std::span<const std::uint8_t> profile = bytes.subspan(at + 8, length <= left ? length : 0);
                peek.profile->assign(profile.begin(), profile.end());
            }
            if (!startsWith(bytes, "EXIF", at)) continue;
            std::span<const std::uint8_t> exif = bytes.subspan(at + 8, std::min(left, length));
            // Some programs keep the mark of JPEG before it.
            if (startsWith(exif, std::string_view("Exif\0\0", 6))) exif = exif.subspan(6);
            peek.orientation = exifOrientation(exif);
        }
    } else if (startsWith(chunk, "VP8L")) {
        const std::uint32_t bits = b.u32(21);
        peek.width = (bits & 0x3fff) + 1;
        peek.height = (bits >> 14 & 0x3fff) + 1;
    } else if (startsWith(chunk, "VP8 ")) {
        peek.width = b.u16(26) & 0x3fff;
        peek.height = b.u16(28) & 0x3fff;
    }
}

void peekPnm(std::span<const std::uint8_t> bytes, HeaderPeek& peek) {
    std::size_t at = 2;
    const auto number = [&]() -> std::int64_t {
        while (at < bytes.size() && (std::isspace(bytes[at]) || bytes[at] == '#')) {
            if (bytes[at] == '#')
                while (at < bytes.size() && bytes[at] != '\n') ++at;
            else ++at;
        }
        std::int64_t value = 0;
        for (int digits = 0; at < bytes.size() && std::isdigit(bytes[at]) && digits < 12; ++at, ++digits)
            value = value * 10 + (bytes[at] - '0');
        return value;
    };
    peek.width = number();
    peek.height = number();
    const bool bitmap = bytes[1] == '1' || bytes[1] == '4';
    peek.pnmMaximum = bitmap ? 1 : static_cast<int>(std::clamp<std::int64_t>(number(), 0, 65535));
}

/// `format` as formatOf() names it. Damaged bytes give defaults.
HeaderPeek peekHeader(const std::string& format, std::span<const std::uint8_t> bytes) {
    HeaderPeek peek;
    if (bytes.size() < 8) return peek;
    if (format == "JPEG") peekJpeg(bytes, peek);
    else if (format == "BMP") peekBmp(bytes, peek);
    else if (format == "WebP") peekWebp(bytes, peek);
    else if (format == "PNM") peekPnm(bytes, peek);
    return peek;
}

/// How many bytes of float samples one byte of the file can become.
std::uint64_t ratioOf(const std::string& format) {
    if (format == "JPEG") return 4 * kDeflateRatio;  // progressive files spend 6 bits on 256 uniform pixels
    if (format == "WebP") return kAnyRatio;
    return format == "PNM" ? 128 : kDeflateRatio;
}

/// Position of a channel of an image in a PackedPicture.
int packedChannel(int channel, int channels) { return channels >= 3 && channel < 3 ? 2 - channel : channel; }

template <class T>
void copyStored(const PackedPicture& picture, Image& image) {
    const int channels = picture.channels;
    const auto* const samples = reinterpret_cast<const T*>(picture.samples.data());
    for (int c = 0; c < channels; ++c)
        for (int y = 0; y < picture.height; ++y) {
            const T* from = samples + static_cast<std::ptrdiff_t>(y) * picture.width * channels + packedChannel(c, channels);
            float* to = image.view().row(y, 0, c);
            for (int x = 0; x < picture.width; ++x) to[x] = static_cast<float>(from[x * channels]);
        }
}

std::vector<std::uint8_t> readAll(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::vector<std::uint8_t> bytes(std::filesystem::file_size(path));
    file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (file.gcount() != static_cast<std::streamsize>(bytes.size())) refuseFile(path, "it could not be read to its end");
    return bytes;
}

PackedPicture decode(const std::string& path, const std::string& format, const std::vector<std::uint8_t>& bytes) {
    PackedPicture picture;
    try {
        picture = openCvCodec().decode(bytes);
    } catch (const std::runtime_error& e) {
        refuseFile(path, format + ": " + e.what());
    }
    if (picture.channels > 4) refuseFile(path, "it has " + std::to_string(picture.channels) + " channels; at most 4 are supported");
    return picture;
}

/// `profile`: empty for an incomplete one.
void readProfile(const std::vector<std::uint8_t>& profile, Image& image) {
    if (!profile.empty()) image.metadata.push_back({"iCCP", kIccProfileType, "", profile});
    if (!namesSrgb(profile)) useProfile(image.source, profile, {}, image.shape().channels == 1);
}

Image load(const std::string& path, const std::string&, const LoadOptions& options) {
    if (std::filesystem::file_size(path) > std::numeric_limits<int>::max())
        refuseFile(path, "it is larger than 2 GiB", "Save it as TIFF or PNG");
    std::vector<std::uint8_t> bytes = readAll(path);
    const std::string name = formatOf(bytes);
    if (name.empty()) refuseFile(path, "its first bytes match no supported format, despite its name");
    const HeaderPeek peek = peekHeader(name, bytes);
    // OpenCV allocates what a header asks for before it looks at the data.
    if (peek.width > 0 && peek.height > 0) checkPlausible(path, {peek.width, peek.height, 1, 3}, bytes.size(), ratioOf(name), options);
    // Each passes over the whole picture, in almost no bytes.
    constexpr int kMaxScans = 100;
    if (peek.jpegScans > kMaxScans) refuseFile(path, "it has " + std::to_string(peek.jpegScans) + " scans; programs write 20 at most");
    options.throwIfStopped();
    const bool text = name == "PNM" && bytes[1] <= '3';
    // OpenCV reads numbers of a text until something else follows the last one.
    if (text) bytes.push_back('\n');
    const PackedPicture picture = decode(path, name, bytes);
    options.throwIfStopped();
    options.report(0.6);
    const Shape shape{picture.width, picture.height, 1, picture.channels};
    checkAffordable(path, shape, bytes.size(), options);

    Image image{Buffer(shape)};
    SourceInfo& source = image.source;
    source.format = name;
    source.transfer = TransferFunction::sRgb;
    source.straightAlpha = image.alphaChannel() >= 0;
    const bool wide = picture.bytesPerSample == 2;
    for (const auto& c : image.channelNames()) source.storedChannels.push_back({c, wide ? "uint16" : "uint8"});
    wide ? copyStored<std::uint16_t>(picture, image) : copyStored<std::uint8_t>(picture, image);
    // OpenCV scales texts of at most 8 bits to the largest byte, and no other PNM.
    const bool pnmBytes = name == "PNM" && (bytes[1] == '5' || bytes[1] == '6');
    int maximum = wide ? 65535 : 255;
    if (wide ? peek.pnmMaximum > 255 : pnmBytes && peek.pnmMaximum > 0 && peek.pnmMaximum < 255) maximum = peek.pnmMaximum;
    if (peek.profile) readProfile(*peek.profile, image);
    decodeColours(image, decodingTable(source.transfer, source.gamma, maximum), StoredAlpha::straight, options);
    makeUpright(image, peek.orientation);
    if (!peek.jpegEnds) {
        source.incomplete = true;
        source.warnings.emplace_back("The file ends too early: a part of the picture may be missing");
    }
    return image;
}

}  // namespace

void writeJpeg(const Image& image, const std::vector<int>& channels, AtomicFile& file, const SaveOptions& options,
               std::vector<std::string>& notes) {
    const View<const float> v = image.view();
    constexpr std::int64_t kLargestSide = 65500;  // of libjpeg
    if (v.shape.width > kLargestSide || v.shape.height > kLargestSide)
        throw Error(ErrorCode::usage, "The image is too large for JPEG", "a side has more than 65,500 pixels", "Save it as PNG or TIFF");
    const std::vector<int> blueFirst(channels.rbegin(), channels.rend());
    const RowPacker pack(v, blueFirst, 8, TransferFunction::sRgb, 1);
    PackedPicture picture{static_cast<int>(v.shape.width), static_cast<int>(v.shape.height), static_cast<int>(channels.size()), 1, {}};
    picture.samples.resize(pack.rowBytes() * static_cast<std::size_t>(v.shape.height));
    std::uint64_t clipped = 0;
    for (std::int64_t y = 0; y < v.shape.height; ++y) {
        options.throwIfStopped();
        clipped += pack(y, picture.samples.data() + static_cast<std::size_t>(y) * pack.rowBytes());
    }
    options.report(0.5);
    const std::vector<std::uint8_t> bytes = openCvCodec().encodeJpeg(picture);
    noteClipped(clipped, notes);
    file.write(bytes.data(), bytes.size());
}

Loader openCvLoader() {
    static const std::vector<std::string> extensions{"jpg", "jpeg", "webp", "bmp", "pgm", "ppm", "pbm", "pnm"};
    return {"JPEG, WebP, BMP, PNM", extensions,
            [](std::span<const std::uint8_t> head, const std::string& path) {
                return !formatOf(head).empty() || std::find(extensions.begin(), extensions.end(), lowerExtension(path)) != extensions.end();
            },
            load};
}

}  // namespace parallax
