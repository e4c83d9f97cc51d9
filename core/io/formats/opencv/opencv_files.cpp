// SPDX-License-Identifier: GPL-3.0-or-later
// JPEG, WebP, BMP and PNM through OpenCV. EXIF orientation is not applied, so that measurements and comparisons see the stored samples.
#include "core/io/formats/opencv/opencv_files.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>

#include "core/image/error.hpp"
#include "core/io/codec/colour_decoding.hpp"
#include "core/io/codec/sample_encoder.hpp"
#include "core/io/formats.hpp"
#include "core/io/formats/opencv/opencv_codec.hpp"
#include "core/io/header_peek.hpp"
#include "core/io/limits.hpp"
#include "core/io/refuse.hpp"

namespace parallax {

const OpenCvCodec& openCvCodec() { return libraryModule<OpenCvCodec>("opencv_codec"); }

namespace {

bool starts(std::span<const std::uint8_t> head, std::string_view s, std::size_t at = 0) {
    return head.size() >= at + s.size() && std::memcmp(head.data() + at, s.data(), s.size()) == 0;
}

std::string formatOf(std::span<const std::uint8_t> h) {
    using namespace std::string_view_literals;
    if (starts(h, "\xff\xd8\xff"sv)) return "JPEG";
    if (starts(h, "RIFF"sv) && starts(h, "WEBP"sv, 8)) return "WebP";
    if (starts(h, "BM"sv)) return "BMP";
    if (h.size() > 2 && h[0] == 'P' && h[1] >= '1' && h[1] <= '6') return "PNM";
    return {};
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

PackedPicture decode(const std::string& path, const std::vector<std::uint8_t>& bytes) {
    if (bytes.size() > std::numeric_limits<int>::max()) refuseFile(path, "it is larger than 2 GiB", "Save it as TIFF or PNG");
    PackedPicture picture;
    try {
        picture = openCvCodec().decode(bytes);
    } catch (const std::runtime_error& e) {
        refuseFile(path, e.what());
    }
    if (picture.channels > 4) refuseFile(path, "it has " + std::to_string(picture.channels) + " channels; at most 4 are supported");
    return picture;
}

class OpenCvLoader final : public Loader {
public:
    std::string format() const override { return "JPEG, WebP, BMP, PNM"; }
    std::vector<std::string> extensions() const override { return {"jpg", "jpeg", "webp", "bmp", "pgm", "ppm", "pbm", "pnm"}; }
    bool recognises(std::span<const std::uint8_t> head, const std::string& path) const override {
        const auto known = extensions();
        return !formatOf(head).empty() || std::find(known.begin(), known.end(), lowerExtension(path)) != known.end();
    }

    Image load(const std::string& path, const LoadOptions& options) const override {
        std::vector<std::uint8_t> bytes = readAll(path);
        const std::string name = formatOf(bytes);
        if (name.empty()) refuseFile(path, "its first bytes match no supported format, despite its name");
        const HeaderPeek peek = peekHeader(name, bytes);
        // OpenCV allocates what a header asks for before it looks at the data.
        if (peek.width > 0 && peek.height > 0) checkPlausible(path, {peek.width, peek.height, 1, 3}, bytes.size(), ratioOf(name));
        options.throwIfStopped();
        const bool text = name == "PNM" && bytes[1] <= '3';
        // OpenCV reads numbers of a text until something else follows the last one.
        if (text) bytes.push_back('\n');
        const PackedPicture picture = decode(path, bytes);
        options.throwIfStopped();
        options.report(0.6);
        const Shape shape{picture.width, picture.height, 1, picture.channels};
        checkPlausible(path, shape, 0, kAnyRatio);

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
        decodeColours(image, decodingTable(TransferFunction::sRgb, 1, maximum), StoredAlpha::straight, options);
        if (peek.orientation != 1) source.warnings.push_back(orientationWarning(peek.orientation));
        if (!peek.jpegEnds) {
            source.incomplete = true;
            source.warnings.emplace_back("The file ends too early: a part of the picture may be missing");
        }
        return image;
    }
};

}  // namespace

void writeJpeg(const Image& image, const std::vector<int>& channels, AtomicFile& file, const SaveOptions& options,
               std::vector<std::string>& notes) {
    const View<const float> v = image.view();
    constexpr std::int64_t kLargestSide = 65500;  // of libjpeg
    if (v.shape.width > kLargestSide || v.shape.height > kLargestSide)
        throw Error(ErrorCode::usage, "The image is too large for JPEG", "a side has more than 65,500 pixels", "Save it as PNG or TIFF");
    const int n = static_cast<int>(channels.size());
    PackedPicture picture{static_cast<int>(v.shape.width), static_cast<int>(v.shape.height), n, 1, {}};
    picture.samples.resize(static_cast<std::size_t>(v.shape.pixels() * n));
    SampleEncoder encode(TransferFunction::sRgb, 1, 255);
    for (int y = 0; y < picture.height; ++y) {
        if (options.stop.stop_requested()) throw Error(ErrorCode::cancelled, "Saving was cancelled");
        for (int c = 0; c < n; ++c) {
            const float* from = v.row(y, 0, channels[static_cast<std::size_t>(c)]);
            std::uint8_t* to = picture.samples.data() + static_cast<std::ptrdiff_t>(y) * picture.width * n + packedChannel(c, n);
            for (int x = 0; x < picture.width; ++x) to[x * n] = static_cast<std::uint8_t>(encode(from[x]));
        }
    }
    if (options.progress) options.progress(0.5);
    const std::vector<std::uint8_t> bytes = openCvCodec().encodeJpeg(picture);
    noteClipped(encode.outside(), notes);
    file.write(bytes.data(), bytes.size());
}

std::unique_ptr<Loader> makeOpenCvLoader() { return std::make_unique<OpenCvLoader>(); }

}  // namespace parallax
