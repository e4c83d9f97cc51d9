// SPDX-License-Identifier: GPL-3.0-or-later
// JPEG, WebP, BMP and PNM through OpenCV. EXIF orientation is not applied, so that measurements and comparisons see the stored samples.
#include "core/io/formats/opencv/opencv_files.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <opencv2/core.hpp>
#include <opencv2/core/utils/logger.hpp>
#include <opencv2/imgcodecs.hpp>

#include "core/image/error.hpp"
#include "core/io/codec/colour_decoding.hpp"
#include "core/io/codec/sample_encoder.hpp"
#include "core/io/formats.hpp"
#include "core/io/header_peek.hpp"
#include "core/io/limits.hpp"
#include "core/io/refuse.hpp"

namespace parallax {
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

/// Channel of OpenCV, which stores blue first, for a channel of an image.
int channelInMat(int channel, int channels) { return channels >= 3 && channel < 3 ? 2 - channel : channel; }

template <class T>
void copyStored(const cv::Mat& mat, Image& image) {
    const int channels = mat.channels();
    for (int c = 0; c < channels; ++c)
        for (int y = 0; y < mat.rows; ++y) {
            const T* from = mat.ptr<T>(y) + channelInMat(c, channels);
            float* to = image.view().row(y, 0, c);
            for (int x = 0; x < mat.cols; ++x) to[x] = static_cast<float>(from[x * channels]);
        }
}

std::vector<std::uint8_t> readAll(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::vector<std::uint8_t> bytes(std::filesystem::file_size(path));
    file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (file.gcount() != static_cast<std::streamsize>(bytes.size())) refuseFile(path, "it could not be read to its end");
    return bytes;
}

/// Throws Error(input, memory) unless it returns a matrix of 8- or 16-bit samples with 1 to 4 channels.
cv::Mat decode(const std::string& path, const std::vector<std::uint8_t>& bytes) {
    cv::Mat mat;
    std::string why = "its data are damaged or of a kind that is not supported";
    try {
        mat = cv::imdecode(bytes, cv::IMREAD_UNCHANGED);
    } catch (const cv::Exception& e) {
        if (e.code == cv::Error::StsNoMem)
            throw Error(ErrorCode::memory, "'" + path + "' does not fit into memory", e.err, "Use a smaller image");
        why = e.err;
    }
    if (mat.empty()) refuseFile(path, why);
    if (mat.channels() > 4) refuseFile(path, "it has " + std::to_string(mat.channels()) + " channels; at most 4 are supported");
    if (mat.depth() != CV_8U && mat.depth() != CV_16U) refuseFile(path, "its sample type is not supported", "Convert it to 8 or 16 bits");
    return mat;
}

class OpenCvLoader final : public Loader {
public:
    OpenCvLoader() { cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT); }
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
        const cv::Mat mat = decode(path, bytes);
        options.throwIfStopped();
        options.report(0.6);
        const Shape shape{mat.cols, mat.rows, 1, mat.channels()};
        checkPlausible(path, shape, 0, kAnyRatio);

        Image image{Buffer(shape)};
        SourceInfo& source = image.source;
        source.format = name;
        source.transfer = TransferFunction::sRgb;
        source.straightAlpha = image.alphaChannel() >= 0;
        const bool wide = mat.depth() == CV_16U;
        for (const auto& c : image.channelNames()) source.storedChannels.push_back({c, wide ? "uint16" : "uint8"});
        wide ? copyStored<std::uint16_t>(mat, image) : copyStored<std::uint8_t>(mat, image);
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
    SampleEncoder encode(TransferFunction::sRgb, 1, 255);
    std::vector<std::uint8_t> bytes;
    try {
        cv::Mat mat(static_cast<int>(v.shape.height), static_cast<int>(v.shape.width), CV_MAKETYPE(CV_8U, n));
        for (int y = 0; y < mat.rows; ++y) {
            if (options.stop.stop_requested()) throw Error(ErrorCode::cancelled, "Saving was cancelled");
            for (int c = 0; c < n; ++c) {
                const float* from = v.row(y, 0, channels[static_cast<std::size_t>(c)]);
                std::uint8_t* to = mat.ptr<std::uint8_t>(y) + channelInMat(c, n);
                for (int x = 0; x < mat.cols; ++x) to[x * n] = static_cast<std::uint8_t>(encode(from[x]));
            }
        }
        if (options.progress) options.progress(0.5);
        if (!cv::imencode(".jpg", mat, bytes, {cv::IMWRITE_JPEG_QUALITY, 95}))
            throw Error(ErrorCode::output, "The image cannot be encoded as JPEG");
    } catch (const cv::Exception& e) {
        throw Error(ErrorCode::output, "The image cannot be encoded as JPEG", e.err);
    }
    noteClipped(encode.outside(), notes);
    file.write(bytes.data(), bytes.size());
}

std::unique_ptr<Loader> makeOpenCvLoader() { return std::make_unique<OpenCvLoader>(); }

}  // namespace parallax
