// SPDX-License-Identifier: GPL-3.0-or-later
// Conversions from views to cv::Mat without copying, and from OpenCV's exceptions to Error.
#pragma once

#include <limits>
#include <new>
#include <opencv2/core.hpp>

#include "core/image/error.hpp"
#include "core/image/view.hpp"

namespace parallax {

/// A slice fits in a cv::Mat, whose sizes are 32-bit.
inline bool fitsMat(const Shape& shape) {
    constexpr std::int64_t limit = std::numeric_limits<int>::max();
    return shape.width <= limit && shape.height <= limit;
}

/// One slice of one channel, sharing its samples.
inline cv::Mat toMat(const View<float>& view, std::int64_t z, std::int64_t channel) {
    return cv::Mat(static_cast<int>(view.shape.height), static_cast<int>(view.shape.width), CV_32FC1, view.row(0, z, channel),
                   static_cast<std::size_t>(view.rowStride) * sizeof(float));
}
/// The Mat must not be written: OpenCV has no read-only type.
inline const cv::Mat toMat(const View<const float>& view, std::int64_t z, std::int64_t channel) {
    return cv::Mat(static_cast<int>(view.shape.height), static_cast<int>(view.shape.width), CV_32FC1,
                   const_cast<float*>(view.row(0, z, channel)), static_cast<std::size_t>(view.rowStride) * sizeof(float));
}

/// Calls f and turns exceptions of OpenCV into Error.
template <class F>
auto translateOpencvErrors(F&& f) {
    try {
        return f();
    } catch (const cv::Exception& e) {
        if (e.code == cv::Error::StsNoMem) throw Error(ErrorCode::memory, "OpenCV ran out of memory", e.err, "Use a smaller image");
        throw Error(ErrorCode::failed, "OpenCV failed in " + e.func, e.err);
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::memory, "OpenCV ran out of memory", {}, "Use a smaller image");
    }
}

/// Called before each run, since the number is that of the whole process.
inline void setOpencvThreads(int threads) { cv::setNumThreads(threads); }

}  // namespace parallax
