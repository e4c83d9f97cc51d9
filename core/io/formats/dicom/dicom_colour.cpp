// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/formats/dicom/dicom_colour.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "core/image/error.hpp"
#include "core/io/codec/stored_colours.hpp"
#include "core/io/formats/dicom/dicom_frames.hpp"
#include "core/io/formats/opencv/opencv_codec.hpp"
#include "core/io/refuse.hpp"

namespace parallax {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr char kRle[] = "1.2.840.10008.1.2.5", kJpegBaseline[] = "1.2.840.10008.1.2.4.50", kJpegExtended[] = "1.2.840.10008.1.2.4.51";

[[noreturn]] void refuse(const std::string& why, const std::string& advice = kGetIntactCopy) {
    throw Error(ErrorCode::input, "", why, advice);
}

/// Codes of three components.
struct Codes {
    Bytes bytes;
    int bytesPerSample = 1;
    bool swapped = false;              ///< big-endian
    std::size_t pixel = 3, plane = 1;  ///< samples from a pixel to the next, and from a component to the next
    bool ybr = false;

    std::uint32_t at(std::size_t sample) const {
        if (bytesPerSample == 1) return bytes[sample];
        const std::uint32_t a = bytes[2 * sample], b = bytes[2 * sample + 1];
        return swapped ? a << 8 | b : b << 8 | a;
    }
    std::uint32_t at(std::size_t i, std::size_t component) const { return at(i * pixel + component * plane); }
};

/// Pairs of pixels, Y Y Cb Cr, as pixels of their own.
Bytes withOwnColours(const Bytes& pairs) {
    Bytes all;
    all.reserve(pairs.size() / 2 * 3);
    for (std::size_t i = 0; i + 4 <= pairs.size(); i += 4)
        for (const std::size_t y : {i, i + 1}) all.insert(all.end(), {pairs[y], pairs[i + 2], pairs[i + 3]});
    return all;
}

Codes uncompressed(const DicomSlice& s, const LoadOptions& options) {
    Codes codes;
    codes.bytes = readDicomPixels(s, options);
    if (codes.bytes.size() < s.bytes()) refuse("its samples are truncated");
    codes.bytesPerSample = s.bitsAllocated / 8;
    codes.swapped = s.header.bigEndian();
    if (codes.swapped && s.bitsAllocated == 8 && s.header.pixels()->words)
        for (std::size_t i = 0; i + 1 < codes.bytes.size(); i += 2) std::swap(codes.bytes[i], codes.bytes[i + 1]);
    codes.bytes.resize(s.bytes());  // without padding
    codes.ybr = s.photometric == "YBR_FULL" || s.photometric == "YBR_FULL_422";
    if (s.photometric == "YBR_FULL_422") codes.bytes = withOwnColours(codes.bytes);
    else if (s.planar) codes.pixel = 1, codes.plane = static_cast<std::size_t>(s.width * s.height);
    return codes;
}

/// Decodes a segment of RLE (PS3.5 annex G.3.1) to `n` bytes, `stride` apart.
void decodeSegment(std::span<const std::uint8_t> in, std::uint8_t* out, std::size_t n, std::size_t stride) {
    std::size_t at = 0, done = 0;
    while (done < n) {
        if (at >= in.size()) refuse("its compressed samples end early");
        const auto control = static_cast<std::int8_t>(in[at++]);
        if (control == -128) continue;
        const bool repeats = control < 0;
        const std::size_t count = std::min<std::size_t>(n - done, static_cast<std::size_t>(repeats ? 1 - control : control + 1));
        if (in.size() - at < (repeats ? 1 : count)) refuse("its compressed samples end early");
        for (std::size_t i = 0; i < count; ++i) out[(done + i) * stride] = in[repeats ? at : at + i];
        at += repeats ? 1 : count;
        done += count;
    }
}

/// Segments of bytes: those of red from the highest to the lowest, then green, then blue.
Codes decodedRle(const DicomSlice& s, const Bytes& stream) {
    Codes codes;
    codes.bytesPerSample = s.bitsAllocated / 8;
    codes.ybr = s.photometric != "RGB";
    const auto pixels = static_cast<std::size_t>(s.width * s.height), width = static_cast<std::size_t>(codes.bytesPerSample);
    codes.pixel = 1, codes.plane = pixels;
    codes.bytes.resize(3 * pixels * width);
    const auto offset = [&](std::size_t i) {
        return i > 3 * width ? stream.size()
                             : std::size_t{stream[4 * i]} | std::size_t{stream[4 * i + 1]} << 8 | std::size_t{stream[4 * i + 2]} << 16 |
                                   std::size_t{stream[4 * i + 3]} << 24;
    };
    for (std::size_t i = 0; i < 3 * width; ++i) {
        const std::size_t from = offset(i + 1), to = offset(i + 2), component = i / width, byte = width - 1 - i % width;
        decodeSegment(std::span(stream).subspan(from, to - from), codes.bytes.data() + component * pixels * width + byte, pixels, width);
    }
    return codes;
}

/// Whether a JPEG stream says that it is YCbCr (JFIF, or Adobe's segment) or is not; without a word, the header of the image decides.
bool isYcc(std::span<const std::uint8_t> stream, bool otherwise) {
    for (std::size_t at = 2; at + 4 <= stream.size() && stream[at] == 0xff;) {
        const std::uint8_t marker = stream[at + 1];
        const std::size_t length = std::size_t{stream[at + 2]} << 8 | stream[at + 3], data = at + 4;
        const auto begins = [&](std::string_view name) {
            return length >= 2 + name.size() && data + name.size() <= stream.size() &&
                   std::equal(name.begin(), name.end(), stream.begin() + static_cast<std::ptrdiff_t>(data),
                              [](char a, std::uint8_t b) { return static_cast<std::uint8_t>(a) == b; });
        };
        if (marker == 0xe0 && begins("JFIF")) return true;
        if (marker == 0xee && begins("Adobe") && length >= 14 && data + 12 <= stream.size()) return stream[data + 11] != 0;
        if (marker == 0xda || length < 2) break;
        at += 2 + length;
    }
    return otherwise;
}

Codes decodedJpeg(const DicomSlice& s, const FrameLayout& layout, const Bytes& joined) {
    int bits = 0;
    Bytes stream = checkedStream(layout, joined, bits);
    if (bits != 8) refuse("its compressed colours have " + std::to_string(bits) + " bits", "Convert it to an uncompressed transfer syntax");
    // The checked stream has no segments of applications. Adobe's says how the colours are stored.
    const bool ycc = isYcc(joined, s.photometric != "RGB");
    const std::uint8_t adobe[] = {0xff, 0xee, 0, 14, 'A', 'd', 'o', 'b', 'e', 0, 100, 0, 0, 0, 0, static_cast<std::uint8_t>(ycc ? 1 : 0)};
    stream.insert(stream.begin() + 2, std::begin(adobe), std::end(adobe));
    PackedPicture picture;
    try {
        picture = openCvCodec().decode(stream);
    } catch (const std::runtime_error& e) {
        refuse(std::string("its compressed samples are damaged: ") + e.what());
    }
    if (picture.width != s.width || picture.height != s.height || picture.channels != 3 || picture.bytesPerSample != 1)
        refuse("its compressed samples do not match its header");
    Codes codes;
    codes.bytes = std::move(picture.samples);
    for (std::size_t i = 0; i + 3 <= codes.bytes.size(); i += 3) std::swap(codes.bytes[i], codes.bytes[i + 2]);  // from blue first
    return codes;
}

Codes codesOf(const DicomSlice& s, const LoadOptions& options) {
    const std::string& ts = s.header.transferSyntax();
    const bool encapsulated = s.header.pixels()->encapsulated;
    if (isUncompressed(ts) == encapsulated) refuse("its samples do not match its transfer syntax " + nameOfTransferSyntax(ts));
    if (!encapsulated && s.photometric.starts_with("YBR_") && !s.photometric.starts_with("YBR_FULL"))
        refuse("its samples are '" + s.photometric + "', which only JPEG 2000 has");
    if (!encapsulated) return uncompressed(s, options);
    const FrameLayout layout{ts, s.width, s.height, s.bitsAllocated, 3};
    const Bytes items = readDicomPixels(s, options);
    if (ts == kJpegBaseline || ts == kJpegExtended) return decodedJpeg(s, layout, joinItems(items));
    int bits = 0;
    if (ts == kRle) return decodedRle(s, checkedStream(layout, joinItems(items), bits));
    DecodedFrame frame = decodeFrame(layout, items);
    if (frame.bytesPerSample != s.bitsAllocated / 8) refuse("its compressed samples do not match its header");
    Codes codes;
    codes.bytes = std::move(frame.bytes);
    codes.bytesPerSample = frame.bytesPerSample;
    codes.ybr = s.photometric.starts_with("YBR_FULL");
    return codes;
}

/// Fills R, G, B with codes from 0 to `maximum`.
void fillFromCodes(const DicomSlice& s, const Codes& codes, std::uint32_t maximum, Image& image) {
    const View<float> v = image.view();
    const double half = (static_cast<double>(maximum) + 1) / 2, most = maximum;
    const auto rounded = [most](double code) { return static_cast<float>(std::clamp(std::floor(code + 0.5), 0.0, most)); };
    for (std::int64_t y = 0; y < s.height; ++y)
        for (std::int64_t x = 0; x < s.width; ++x) {
            const auto i = static_cast<std::size_t>(y * s.width + x);
            std::array<double, 3> c{};
            for (std::size_t k = 0; k < 3; ++k) c[k] = std::min(codes.at(i, k), maximum);
            if (codes.ybr) {
                const double luma = c[0], blue = c[1] - half, red = c[2] - half;
                c = {luma + 1.402 * red, luma - 0.114 * 1.772 / 0.587 * blue - 0.299 * 1.402 / 0.587 * red, luma + 1.772 * blue};
            }
            for (std::size_t k = 0; k < 3; ++k) v.at(x, y, 0, static_cast<std::int64_t>(k)) = rounded(c[k]);
        }
}

struct Palette {
    std::array<std::vector<std::uint16_t>, 3> colours;
    double first = 0;  ///< index of the first colour; lower ones have it, too
    std::uint32_t maximum = 255;
};

/// One of the tables. They may be bytes or words, whatever their descriptor says.
std::vector<std::uint16_t> tableOf(const DicomHeader& h, DicomTag data, std::size_t entries, std::uint32_t maximum) {
    const std::string_view raw = h.raw(data);
    const bool words = raw.size() >= 2 * entries;
    if (!words && raw.size() < entries) refuse("its palette is truncated");
    std::vector<std::uint16_t> table(entries);
    for (std::size_t i = 0; i < entries; ++i) {
        const auto byte = [&](std::size_t at) { return static_cast<std::uint32_t>(static_cast<std::uint8_t>(raw[at])); };
        std::uint32_t v = !words ? byte(i) : h.bigEndian() ? byte(2 * i) << 8 | byte(2 * i + 1) : byte(2 * i + 1) << 8 | byte(2 * i);
        if (!words && maximum > 255) v *= 257;
        if (words && maximum == 255 && v > 255) v >>= 8;  // some writers use the upper byte
        table[i] = static_cast<std::uint16_t>(v);
    }
    return table;
}

Palette paletteOf(const DicomSlice& s) {
    const DicomHeader& h = s.header;
    const std::vector<double> descriptor = h.numbers(0x00281101);
    if (h.has(0x00281221)) refuse("its palette is segmented, which is not supported", "Convert it to RGB");
    if (descriptor.size() != 3) refuse("its header has no palette");
    Palette palette;
    const auto entries = static_cast<std::size_t>(static_cast<std::int64_t>(descriptor[0]) & 0xffff);
    palette.first = descriptor[1];
    palette.maximum = descriptor[2] > 8 ? 65535 : 255;
    constexpr std::array<DicomTag, 3> kTables{0x00281201, 0x00281202, 0x00281203};
    for (std::size_t k = 0; k < 3; ++k) palette.colours[k] = tableOf(h, kTables[k], entries == 0 ? 65536 : entries, palette.maximum);
    return palette;
}

void fillFromPalette(const DicomSlice& s, const Palette& palette, const LoadOptions& options, Image& image) {
    std::vector<float> indices(static_cast<std::size_t>(s.width * s.height));
    DicomSlice plain = s;
    plain.rescale = {};
    (void)readDicomSamples(plain, indices.data(), options);
    const View<float> v = image.view();
    const auto last = static_cast<double>(palette.colours[0].size() - 1);
    for (std::int64_t y = 0; y < s.height; ++y)
        for (std::int64_t x = 0; x < s.width; ++x) {
            const auto index = static_cast<double>(indices[static_cast<std::size_t>(y * s.width + x)]) - palette.first;
            const auto entry = static_cast<std::size_t>(std::clamp(index, 0.0, last));
            for (std::size_t k = 0; k < 3; ++k) v.at(x, y, 0, static_cast<std::int64_t>(k)) = static_cast<float>(palette.colours[k][entry]);
        }
}

}  // namespace

Image readDicomColours(const DicomSlice& s, const LoadOptions& options) {
    checkDicomLength(s);
    std::uint32_t maximum = (std::uint32_t{1} << s.bitsStored) - 1;
    Image image{Buffer(Shape{s.width, s.height, 1, 3})};
    try {
        if (s.samplesPerPixel == 1) {
            const Palette palette = paletteOf(s);
            maximum = palette.maximum;
            fillFromPalette(s, palette, options, image);
        } else {
            const Codes codes = codesOf(s, options);
            fillFromCodes(s, codes, maximum, image);
        }
    } catch (const Error& e) {
        if (e.code() == ErrorCode::cancelled || e.summary().starts_with("Cannot open")) throw;
        throw Error(e.code(), "Cannot open '" + s.path + "'", e.why(), e.whatToDo().empty() ? kGetIntactCopy : e.whatToDo());
    }
    SourceInfo& source = image.source;
    source.format = "DICOM";
    source.medical = true;
    source.transfer = TransferFunction::sRgb;
    if (!s.spacingKnown) image.pixelAspectRatio = 1 / s.aspect;
    for (const auto& c : image.channelNames()) source.storedChannels.push_back({c, maximum > 255 ? "uint16" : "uint8"});
    decodeColours(image, decodingTable(TransferFunction::sRgb, 1, static_cast<int>(maximum)), StoredAlpha::straight, options);
    return image;
}

}  // namespace parallax
