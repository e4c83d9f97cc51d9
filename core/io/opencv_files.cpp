// SPDX-License-Identifier: GPL-3.0-or-later
// JPEG, TIFF, WebP, BMP and PNM through OpenCV. EXIF orientation is ignored on purpose: samples come as
// they are stored, so that measurements and comparisons see the same image everywhere.
#include "parallax/io/opencv_files.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <opencv2/core.hpp>
#include <opencv2/core/utils/logger.hpp>
#include <opencv2/imgcodecs.hpp>

#include "parallax/image/error.hpp"
#include "parallax/io/formats.hpp"
#include "parallax/io/header_peek.hpp"
#include "parallax/io/limits.hpp"
#include "parallax/io/sample_encoder.hpp"

namespace parallax {
namespace {

bool starts(std::span<const std::uint8_t> head, std::string_view s, std::size_t at = 0) {
    return head.size() >= at + s.size() && std::memcmp(head.data() + at, s.data(), s.size()) == 0;
}

std::string formatOf(std::span<const std::uint8_t> h) {
    using namespace std::string_view_literals;
    if (starts(h, "\xff\xd8\xff"sv)) return "JPEG";
    if (starts(h, "II*\0"sv) || starts(h, "MM\0*"sv)) return "TIFF";
    if (starts(h, "RIFF"sv) && starts(h, "WEBP"sv, 8)) return "WebP";
    if (starts(h, "BM"sv)) return "BMP";
    if (h.size() > 2 && h[0] == 'P' && h[1] >= '1' && h[1] <= '6') return "PNM";
    return {};
}

/// How the alpha of a file relates to its colours.
enum class StoredAlpha {
    straight,    ///< colours are independent of alpha
    associated,  ///< linear colours times alpha, as inside
    encoded      ///< encoded colours times alpha: taken apart before they are decoded
};

template <class T>
void fill(const cv::Mat& mat, Image& image, const std::vector<float>* table, StoredAlpha stored) {
    const View<float> v = image.view();
    const int channels = mat.channels();
    // OpenCV has blue first.
    const std::array<int, 4> order = channels >= 3 ? std::array<int, 4>{2, 1, 0, 3} : std::array<int, 4>{0, 1, 2, 3};
    const bool alpha = channels == 2 || channels == 4;
    const std::size_t maximum = table ? table->size() - 1 : 1;
    for (std::int64_t y = 0; y < v.shape.height; ++y) {
        const T* row = mat.ptr<T>(static_cast<int>(y));
        for (std::int64_t x = 0; x < v.shape.width; ++x) {
            const T* p = row + x * channels;
            const float a = alpha ? static_cast<float>(p[channels - 1]) / static_cast<float>(maximum) : 1.0F;
            for (int c = 0; c < channels; ++c) {
                const T s = p[order[static_cast<std::size_t>(c)]];
                float value = a;
                if (alpha && c == channels - 1) {
                } else if (!table) {
                    value = static_cast<float>(s) * (stored == StoredAlpha::straight ? a : 1);
                } else {
                    auto code = std::min(static_cast<std::size_t>(s), maximum);
                    if (stored == StoredAlpha::encoded && a > 0)
                        code = std::min(maximum, static_cast<std::size_t>(std::lround(static_cast<double>(s) / static_cast<double>(a))));
                    value = (*table)[code] * a;
                }
                v.at(x, y, 0, c) = value;
            }
        }
    }
}

template <class T>
std::vector<SampleStatistics> storedStatistics(const cv::Mat& mat) {
    const int channels = mat.channels();
    std::vector<SampleStatistics> all;
    std::vector<float> row(static_cast<std::size_t>(mat.cols));
    for (int c = 0; c < channels; ++c) {
        const int source = channels >= 3 && c < 3 ? 2 - c : c;
        SampleStatistics s;
        std::uint64_t finite = 0;
        for (int y = 0; y < mat.rows; ++y) {
            for (int x = 0; x < mat.cols; ++x) row[static_cast<std::size_t>(x)] = static_cast<float>(mat.ptr<T>(y)[x * channels + source]);
            const SampleStatistics r = computeStatistics(denseView<const float>(row.data(), Shape{mat.cols, 1}));
            const std::uint64_t n = static_cast<std::uint64_t>(mat.cols) - r.nonFinite();
            if (n) {
                s.min = finite ? std::min(s.min, r.min) : r.min;
                s.max = finite ? std::max(s.max, r.max) : r.max;
                s.mean += r.mean * static_cast<double>(n);
            }
            finite += n;
            s.nan += r.nan;
            s.positiveInfinity += r.positiveInfinity;
            s.negativeInfinity += r.negativeInfinity;
        }
        if (finite) s.mean /= static_cast<double>(finite);
        all.push_back(s);
    }
    return all;
}

class OpenCvLoader final : public Loader {
public:
    OpenCvLoader() { cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT); }
    std::string format() const override { return "JPEG, TIFF, WebP, BMP, PNM"; }
    std::vector<std::string> extensions() const override {
        return {"jpg", "jpeg", "tif", "tiff", "webp", "bmp", "pgm", "ppm", "pbm", "pnm"};
    }
    bool recognises(std::span<const std::uint8_t> head, const std::string& path) const override {
        const auto known = extensions();
        return !formatOf(head).empty() || std::find(known.begin(), known.end(), lowerExtension(path)) != known.end();
    }

    Image load(const std::string& path, const LoadOptions& options) const override {
        std::ifstream file(path, std::ios::binary);
        std::vector<std::uint8_t> bytes(std::filesystem::file_size(path));
        file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
        if (file.gcount() != static_cast<std::streamsize>(bytes.size())) refuse(path, "it could not be read to its end");
        const std::string name = formatOf(bytes);
        if (name.empty()) refuse(path, "its first bytes belong to no format that Parallax knows, whatever its name says");
        const HeaderPeek peek = peekHeader(name, bytes);
        // OpenCV allocates what a header asks for before it looks at the data.
        if (peek.width > 0 && peek.height > 0) checkPlausible(path, {peek.width, peek.height, 1, 3}, bytes.size(), ratioOf(name));
        options.throwIfStopped();
        cv::Mat mat;
        std::string why = "its data are damaged or of a kind that is not supported";
        try {
            mat = cv::imdecode(bytes, cv::IMREAD_UNCHANGED);
        } catch (const cv::Exception& e) {
            if (e.code == cv::Error::StsNoMem)
                throw Error(ErrorCode::memory, "'" + path + "' does not fit into memory", e.err, "Use a smaller image");
            why = e.err;
        }
        if (mat.empty()) refuse(path, why);
        if (mat.channels() > 4) refuse(path, "it has " + std::to_string(mat.channels()) + " channels, at most 4 are supported");
        bytes = {};
        options.throwIfStopped();
        options.report(0.7);
        checkPlausible(path, {mat.cols, mat.rows, 1, mat.channels()}, 0, kAnyRatio);

        Image image{Buffer(Shape{mat.cols, mat.rows, 1, mat.channels()})};
        SourceInfo& source = image.source;
        source.format = name;
        const bool integer = mat.depth() == CV_8U || mat.depth() == CV_16U;
        const bool alpha = mat.channels() == 2 || mat.channels() == 4;
        source.transfer = integer ? TransferFunction::sRgb : TransferFunction::linear;
        const StoredAlpha stored = storedAlpha(name, peek, mat.depth());
        source.straightAlpha = alpha && stored == StoredAlpha::straight;
        const std::string type = mat.depth() == CV_8U    ? "uint8"
                                 : mat.depth() == CV_16U ? "uint16"
                                 : mat.depth() == CV_64F ? "double"
                                                         : "float";
        for (const auto& c : image.channelNames()) source.storedChannels.push_back({c, type});
        if (mat.depth() == CV_8U) {
            const auto table = decodingTable(TransferFunction::sRgb, 1, 255);
            fill<std::uint8_t>(mat, image, &table, stored);
            source.storedStatistics = storedStatistics<std::uint8_t>(mat);
        } else if (mat.depth() == CV_16U) {
            // 10- or 12-bit PNM: OpenCV leaves the samples as they are.
            const int maximum = name == "PNM" && peek.pnmMaximum > 255 ? peek.pnmMaximum : 65535;
            const auto table = decodingTable(TransferFunction::sRgb, 1, maximum);
            fill<std::uint16_t>(mat, image, &table, stored);
            source.storedStatistics = storedStatistics<std::uint16_t>(mat);
        } else if (mat.depth() == CV_32F) {
            fill<float>(mat, image, nullptr, stored);
            source.storedStatistics = storedStatistics<float>(mat);
        } else if (mat.depth() == CV_64F) {
            fill<double>(mat, image, nullptr, stored);
            source.storedStatistics = storedStatistics<double>(mat);
            source.warnings.emplace_back("Samples are stored in double precision and were rounded to float");
        } else {
            refuse(path, "its sample type (signed or 32-bit integers) is not supported", "Convert it to 16-bit or float");
        }
        if (peek.orientation != 1)
            source.warnings.emplace_back("The file asks to be turned or mirrored for viewing (orientation " +
                                         std::to_string(peek.orientation) + "); samples are shown as they are stored");
        if (peek.tiffMorePages && name == "TIFF") source.warnings.emplace_back("The file has several pages; the first one is shown");
        if (!peek.jpegEnds) {
            source.incomplete = true;
            source.warnings.emplace_back("The file ends too early: a part of the picture may be missing");
        }
        return image;
    }

private:
    [[noreturn]] static void refuse(const std::string& path, const std::string& why,
                                    const std::string& advice = "Get the file again from its source") {
        throw Error(ErrorCode::input, "'" + path + "' cannot be read", why, advice);
    }

    static std::uint64_t ratioOf(const std::string& format) {
        if (format == "JPEG") return 4 * kDeflateRatio;  // progressive files spend 6 bits on 256 even pixels
        // An even page or picture costs next to nothing in fax and WebP compression.
        if (format == "TIFF" || format == "WebP") return kAnyRatio;
        return format == "PNM" ? 128 : kDeflateRatio;
    }

    /// OpenCV reads 8-bit TIFF through libtiff's RGBA interface, which multiplies unassociated alpha into the colours.
    static StoredAlpha storedAlpha(const std::string& format, const HeaderPeek& peek, int depth) {
        if (format != "TIFF") return StoredAlpha::straight;
        constexpr int kAssociated = 1, kUnassociated = 2;
        if (depth == CV_32F || depth == CV_64F) return peek.tiffAlpha == kUnassociated ? StoredAlpha::straight : StoredAlpha::associated;
        if (peek.tiffAlpha == kAssociated || (peek.tiffAlpha == kUnassociated && depth == CV_8U)) return StoredAlpha::encoded;
        return StoredAlpha::straight;
    }
};

}  // namespace

void writeOpenCv(const Image& image, const std::vector<int>& channels, const std::string& extension, AtomicFile& file,
                 const SaveOptions& options, std::vector<std::string>& notes) {
    const View<const float> v = image.view();
    constexpr std::int64_t kLargestSide = std::int64_t{1} << 30;
    if (v.shape.width > kLargestSide || v.shape.height > kLargestSide)
        throw Error(ErrorCode::usage, "The image is too large for " + extension);
    // TIFF has grey with alpha, but OpenCV does not write it.
    const std::vector<int> chosen = channels.size() == 2 ? std::vector<int>{channels[0], channels[0], channels[0], channels[1]} : channels;
    const int n = static_cast<int>(chosen.size());
    bool floats = options.depth == StoredDepth::float32 || options.depth == StoredDepth::half;
    int maximum = 65535;
    if (extension == "tif" && options.depth == StoredDepth::automatic) {
        const auto& stored = image.source.storedChannels;
        floats = stored.empty() || !stored[0].type.starts_with("uint") || stored[0].type == "uint";
        if (!floats && stored[0].type != "uint16") maximum = 255;
    }
    if (extension == "jpg") floats = false;
    if (extension == "jpg" || options.depth == StoredDepth::uint8) maximum = 255;
    const int type = floats ? CV_32F : maximum == 255 ? CV_8U : CV_16U;
    const bool alpha = n == 4;
    SampleEncoder encodeColour(TransferFunction::sRgb, 1, maximum), encodeAlpha(TransferFunction::linear, 1, maximum);
    cv::Mat mat;
    std::vector<std::uint8_t> bytes;
    try {
        mat.create(static_cast<int>(v.shape.height), static_cast<int>(v.shape.width), CV_MAKETYPE(type, n));
        for (int y = 0; y < mat.rows; ++y) {
            if (options.stop.stop_requested()) throw Error(ErrorCode::cancelled, "Saving was cancelled");
            for (int x = 0; x < mat.cols; ++x) {
                const float a = alpha ? v.at(x, y, 0, chosen.back()) : 1.0F;
                for (int c = 0; c < n; ++c) {
                    const int target = n >= 3 && c < 3 ? 2 - c : c;
                    const float s = v.at(x, y, 0, chosen[static_cast<std::size_t>(c)]);
                    if (floats) {
                        mat.ptr<float>(y)[x * n + target] = s;
                        continue;
                    }
                    const int stored = alpha && c == n - 1 ? encodeAlpha(a) : encodeColour(alpha ? (a > 0 ? s / a : 0) : s);
                    if (type == CV_8U) mat.ptr<std::uint8_t>(y)[x * n + target] = static_cast<std::uint8_t>(stored);
                    else mat.ptr<std::uint16_t>(y)[x * n + target] = static_cast<std::uint16_t>(stored);
                }
            }
        }
        if (options.progress) options.progress(0.5);
        std::vector<int> settings;
        if (extension == "jpg") settings = {cv::IMWRITE_JPEG_QUALITY, 95};
        // Otherwise OpenCV stores float colours as LogLuv, which loses most of their digits.
        constexpr int kLzw = 5;
        if (extension == "tif") settings = {cv::IMWRITE_TIFF_COMPRESSION, kLzw};
        if (!cv::imencode("." + extension, mat, bytes, settings))
            throw Error(ErrorCode::output, "The image cannot be encoded as " + extension);
    } catch (const cv::Exception& e) {
        throw Error(ErrorCode::output, "The image cannot be encoded as " + extension, e.err);
    }
    noteClipped(encodeColour.outside() + encodeAlpha.outside(), notes);
    file.write(bytes.data(), bytes.size());
}

std::unique_ptr<Loader> makeOpenCvLoader() { return std::make_unique<OpenCvLoader>(); }

}  // namespace parallax
