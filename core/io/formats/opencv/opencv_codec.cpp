// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/formats/opencv/opencv_codec.hpp"

#include <cstring>
#include <new>
#include <opencv2/core.hpp>
#include <opencv2/core/utils/logger.hpp>
#include <opencv2/imgcodecs.hpp>
#include <stdexcept>

namespace parallax {
namespace {

constexpr const char* kDamaged = "its data are damaged or of a kind that is not supported";

[[noreturn]] void rethrow(const cv::Exception& e) {
    if (e.code == cv::Error::StsNoMem) throw std::bad_alloc();
    throw std::runtime_error(e.err);
}

PackedPicture decode(std::span<const std::uint8_t> file) {
    cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT);
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
        rethrow(e);
    }
}

std::vector<std::uint8_t> encodeJpeg(const PackedPicture& picture) {
    try {
        const cv::Mat mat(picture.height, picture.width, CV_MAKETYPE(CV_8U, picture.channels),
                          const_cast<std::uint8_t*>(picture.samples.data()));
        std::vector<std::uint8_t> bytes;
        if (!cv::imencode(".jpg", mat, bytes, {cv::IMWRITE_JPEG_QUALITY, 95})) throw std::runtime_error("OpenCV gives no reason");
        return bytes;
    } catch (const cv::Exception& e) {
        rethrow(e);
    }
}

const OpenCvCodec kCodec{{PARALLAX_BUILD_STAMP}, CV_VERSION, decode, encodeJpeg};

}  // namespace
}  // namespace parallax

PARALLAX_MODULE_ENTRY(parallax::kCodec)
