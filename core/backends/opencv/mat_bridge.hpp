// SPDX-License-Identifier: GPL-3.0-or-later
// One plane of a view as a cv::Mat over the same memory.
#pragma once

#include <opencv2/core.hpp>

#include "parallax/image/error.hpp"
#include "parallax/image/view.hpp"

namespace parallax {

inline cv::Mat asMat(const View<const float>& v, std::int64_t z, std::int64_t c) {
    return {static_cast<int>(v.shape.height), static_cast<int>(v.shape.width), CV_32F, const_cast<float*>(v.row(0, z, c)),
            static_cast<std::size_t>(v.rowStride) * sizeof(float)};
}

/// Calls f and translates OpenCV's exceptions.
template <class F>
auto withOpenCv(F&& f) {
    try {
        return f();
    } catch (const cv::Exception& e) {
        if (e.code == cv::Error::StsNoMem) throw Error(ErrorCode::memory, "OpenCV ran out of memory", e.err);
        throw Error(ErrorCode::failed, "OpenCV failed", e.err);
    }
}

}  // namespace parallax
