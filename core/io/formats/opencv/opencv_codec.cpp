// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/formats/opencv/opencv_codec.hpp"

#include <cstring>
#include <iostream>
#include <mutex>
#include <new>
#include <opencv2/core.hpp>
#include <opencv2/core/utils/logger.hpp>
#include <opencv2/imgcodecs.hpp>
#include <stdexcept>
#include <streambuf>

namespace parallax {
namespace {

constexpr const char* kDamaged = "its data are damaged or of a kind that is not supported";
constexpr const char* kNotEncoded = "JPEG cannot hold it";

/// The texts of OpenCV are about its own code, such as "size.width <= CV_IO_MAX_IMAGE_WIDTH".
[[noreturn]] void rethrow(const cv::Exception& e, const char* reason) {
    if (e.code == cv::Error::StsNoMem) throw std::bad_alloc();
    throw std::runtime_error(reason);
}

/// Discards what the decoders of OpenCV write to std::cerr, past its logger, while any thread decodes. This program writes to stderr.
class QuietErrors {
public:
    QuietErrors() {
        const std::lock_guard lock(mutex());
        if (users_++ == 0) before_ = std::cerr.rdbuf(&sink());
    }
    ~QuietErrors() {
        const std::lock_guard lock(mutex());
        if (--users_ == 0) std::cerr.rdbuf(before_);
    }
    QuietErrors(const QuietErrors&) = delete;
    QuietErrors& operator=(const QuietErrors&) = delete;

private:
    class Sink final : public std::streambuf {
        int overflow(int c) override { return traits_type::not_eof(c); }
    };
    static Sink& sink() {
        static Sink instance;
        return instance;
    }
    static std::mutex& mutex() {
        static std::mutex instance;
        return instance;
    }
    static inline int users_ = 0;
    static inline std::streambuf* before_ = nullptr;
};

PackedPicture decode(std::span<const std::uint8_t> file) {
    cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT);
    const QuietErrors quiet;
    try {
        const cv::Mat encoded(1, static_cast<int>(file.size()), CV_8U, const_cast<std::uint8_t*>(file.data()));
        const cv::Mat mat = cv::imdecode(encoded, cv::IMREAD_UNCHANGED);
        if (mat.empty()) throw std::runtime_error(kDamaged);
        if (mat.depth() != CV_8U && mat.depth() != CV_16U) throw std::runtime_error("its sample type is not supported");
        PackedPicture picture{mat.cols, mat.rows, mat.channels(), mat.depth() == CV_16U ? 2 : 1, {}};
        const std::size_t row = static_cast<std::size_t>(mat.cols) * mat.elemSize();
        picture.samples.resize(row * static_cast<std::size_t>(mat.rows));
        for (int y = 0; y < mat.rows; ++y) std::memcpy(picture.samples.data() + static_cast<std::size_t>(y) * row, mat.ptr(y), row);
        return picture;
    } catch (const cv::Exception& e) {
        rethrow(e, kDamaged);
    }
}

std::vector<std::uint8_t> encodeJpeg(const PackedPicture& picture) {
    try {
        const cv::Mat mat(picture.height, picture.width, CV_MAKETYPE(CV_8U, picture.channels),
                          const_cast<std::uint8_t*>(picture.samples.data()));
        std::vector<std::uint8_t> bytes;
        if (!cv::imencode(".jpg", mat, bytes, {cv::IMWRITE_JPEG_QUALITY, 95})) throw std::runtime_error(kNotEncoded);
        return bytes;
    } catch (const cv::Exception& e) {
        rethrow(e, kNotEncoded);
    }
}

const OpenCvCodec kCodec{{PARALLAX_BUILD_STAMP}, CV_VERSION, decode, encodeJpeg};

}  // namespace
}  // namespace parallax

PARALLAX_MODULE_ENTRY(parallax::kCodec)
