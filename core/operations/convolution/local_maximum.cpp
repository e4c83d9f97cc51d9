// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/convolution/local_maximum.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace parallax {
namespace {

/// Replaces each of `count` lines of `length` values by the largest of itself and the window - 1 lines behind it, where these exist.
/// Windows double, so that it takes log(window) passes.
void slidingMaximum(float* values, std::int64_t count, int window, std::int64_t length) {
    for (int covered = 1; covered < window;) {
        const int step = std::min(covered, window - covered);
        for (std::int64_t i = 0; i < (count - step) * length; ++i) values[i] = std::max(values[i], values[i + step * length]);
        covered += step;
    }
}

float magnitude(float sample) {
    const float m = std::fabs(sample);
    return m <= std::numeric_limits<float>::max() ? m : 0;
}

}  // namespace

std::vector<float> largestUnderKernel(const ConvolutionPlan& plan, const View<const float>& plane) {
    const Kernel& k = plan.kernel;
    const std::int64_t width = plane.shape.width, height = plane.shape.height;
    const float outside = std::fabs(plan.borderValue);
    std::vector<float> line(static_cast<std::size_t>(width + k.width - 1)),
        padded(static_cast<std::size_t>((height + k.height - 1) * width));
    const auto rowOf = [&](std::int64_t y) { return padded.data() + (y + k.top()) * width; };
    for (std::int64_t y = 0; y < height; ++y) {
        const float* row = plane.row(y);
        for (std::int64_t x = -k.left(); x < width + k.right(); ++x) {
            const std::int64_t from = borderIndex(x, width, plan.border);
            line[static_cast<std::size_t>(x + k.left())] = from < 0 ? outside : magnitude(row[from]);
        }
        slidingMaximum(line.data(), width + k.width - 1, k.width, 1);
        std::copy_n(line.data(), width, rowOf(y));
    }
    for (std::int64_t y = -k.top(); y < height + k.bottom(); ++y) {
        if (y >= 0 && y < height) continue;
        const std::int64_t from = borderIndex(y, height, plan.border);
        if (from < 0) std::fill_n(rowOf(y), width, outside);
        else std::copy_n(rowOf(from), width, rowOf(y));
    }
    slidingMaximum(padded.data(), height + k.height - 1, k.height, width);
    padded.resize(static_cast<std::size_t>(width * height));
    return padded;
}

}  // namespace parallax
