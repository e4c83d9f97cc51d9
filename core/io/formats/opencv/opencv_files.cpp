// SPDX-License-Identifier: GPL-3.0-or-later
// JPEG, TIFF, WebP, BMP and PNM through OpenCV. EXIF orientation is ignored on purpose: samples come as
// they are stored, so that measurements and comparisons see the same image everywhere.
#include "core/io/formats/opencv/opencv_files.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <opencv2/core.hpp>
#include <opencv2/core/utils/logger.hpp>
#include <opencv2/imgcodecs.hpp>

#include "core/image/error.hpp"
#include "core/io/codec/sample_encoder.hpp"
#include "core/io/formats.hpp"
#include "core/io/formats/tiff/tiff_directory.hpp"
#include "core/io/header_peek.hpp"
#include "core/io/limits.hpp"

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
        if (starts(bytes, std::string_view("II+\0", 4)) || starts(bytes, std::string_view("MM\0+", 4)))
            refuse(path, "it is a BigTIFF, which is not supported", "Save it as TIFF");
        if (name.empty()) refuse(path, "its first bytes belong to no format that Parallax knows, whatever its name says");
        const HeaderPeek peek = peekHeader(name, bytes);
        // OpenCV allocates what a header asks for before it looks at the data.
        if (peek.width > 0 && peek.height > 0) checkPlausible(path, {peek.width, peek.height, 1, 3}, bytes.size(), ratioOf(name));
        options.throwIfStopped();
        std::vector<std::string> notes;
        const TiffSamples tiffSamples = name == "TIFF" ? prepareTiff(path, bytes, notes) : TiffSamples{};
        // OpenCV reads numbers of a text until something else follows the last one.
        if (name == "PNM" && bytes[1] <= '3') bytes.push_back('\n');
        // Of binary files with 8 bits it does not scale the samples by the largest one, of texts it does.
        const bool pnmBytes = name == "PNM" && (bytes[1] == '5' || bytes[1] == '6') && peek.pnmMaximum > 0 && peek.pnmMaximum < 255;
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
        if (tiffSamples.whiteIsZero) {
            if (mat.depth() == CV_16U) cv::bitwise_not(mat, mat);
            else if (mat.depth() != CV_8U) notes.emplace_back("The file says that 0 is white; floats are taken as light all the same");
        }
        options.throwIfStopped();
        options.report(0.7);
        checkPlausible(path, {mat.cols, mat.rows, 1, mat.channels()}, 0, kAnyRatio);

        Image image{Buffer(Shape{mat.cols, mat.rows, 1, mat.channels()})};
        SourceInfo& source = image.source;
        source.format = name;
        source.warnings = std::move(notes);
        const bool integer = mat.depth() == CV_8U || mat.depth() == CV_16U;
        const bool alpha = mat.channels() == 2 || mat.channels() == 4;
        source.transfer = integer ? TransferFunction::sRgb : TransferFunction::linear;
        const StoredAlpha stored = integer ? tiffSamples.integers : tiffSamples.floats;
        source.straightAlpha = alpha && stored == StoredAlpha::straight;
        const std::string type = mat.depth() == CV_8U    ? "uint8"
                                 : mat.depth() == CV_16U ? "uint16"
                                 : mat.depth() == CV_64F ? "double"
                                                         : "float";
        for (const auto& c : image.channelNames()) source.storedChannels.push_back({c, type});
        if (mat.depth() == CV_8U) {
            const auto table = decodingTable(TransferFunction::sRgb, 1, pnmBytes ? peek.pnmMaximum : 255);
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

    struct TiffSamples {
        bool whiteIsZero = false;
        StoredAlpha integers = StoredAlpha::straight, floats = StoredAlpha::straight;  ///< by what OpenCV decodes them to
    };
    /// What OpenCV does not read as a file says is refused, said in `notes`, or the file in memory says something else.
    static TiffSamples prepareTiff(const std::string& path, std::vector<std::uint8_t>& bytes, std::vector<std::string>& notes) {
        TiffDirectory directory(bytes);
        const std::uint32_t bits = directory.first(tiff::bitsPerSample).value_or(1);
        const std::uint32_t samples = directory.first(tiff::samplesPerPixel).value_or(1);
        const std::uint32_t photometric = directory.first(tiff::photometric).value_or(tiff::kBlackIsZero);
        const std::uint32_t alpha = directory.first(tiff::extraSamples).value_or(0);
        const bool grey = photometric == tiff::kWhiteIsZero || photometric == tiff::kBlackIsZero;
        if (bits > 8 && samples > 1 && directory.first(tiff::planes) == tiff::kSeparatePlanes)
            refuse(path, "its channels stand one after the other (PlanarConfiguration 2), which is read with 8 bits only",
                   "Save it with interleaved channels");
        if (grey && bits <= 16 && samples > 2)
            refuse(path, "it does not say what its " + std::to_string(samples) + " channels are (PhotometricInterpretation is grey)",
                   "Save it as RGB, or its channels one by one");
        if (bits > 8 && photometric > tiff::kRgb && photometric <= tiff::kLargestCommonPhotometric)
            refuse(path,
                   "its samples are not red, green and blue (PhotometricInterpretation " + std::to_string(photometric) +
                       "), which is read with 8 bits only",
                   "Convert it to RGB");
        if (grey && samples == 2) notes.emplace_back(alpha ? "Its alpha is not read, only grey is" : "Its second channel is not read");
        // OpenCV turns and mirrors what is to be shown so.
        directory.replace(tiff::orientation, 1);
        TiffSamples is{.whiteIsZero = photometric == tiff::kWhiteIsZero};
        is.floats = alpha == tiff::kUnassociatedAlpha ? StoredAlpha::straight : StoredAlpha::associated;
        if (alpha == tiff::kAssociatedAlpha) is.integers = StoredAlpha::encoded;
        if (alpha == tiff::kUnassociatedAlpha && bits == 8) {
            // OpenCV reads 8 bits through libtiff's RGBA interface, which multiplies colours by unassociated alpha and rounds them to 8
            // bits again: dark ones beside a small alpha would be lost. Associated samples it leaves alone.
            if (photometric == tiff::kRgb && samples == 4) directory.replace(tiff::extraSamples, tiff::kAssociatedAlpha);
            else is.integers = StoredAlpha::encoded;
        }
        return is;
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
    // OpenCV does not say what the fourth sample is, and readers do not agree on what it is then.
    if (extension == "tif" && alpha)
        TiffDirectory(bytes).add(tiff::extraSamples, floats ? tiff::kAssociatedAlpha : tiff::kUnassociatedAlpha);
    noteClipped(encodeColour.outside() + encodeAlpha.outside(), notes);
    file.write(bytes.data(), bytes.size());
}

std::unique_ptr<Loader> makeOpenCvLoader() { return std::make_unique<OpenCvLoader>(); }

}  // namespace parallax
