// SPDX-License-Identifier: GPL-3.0-or-later
// A filter of columns in host memory, as a whole and in strips, for tests of their division.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "core/engine/run/strips.hpp"
#include "core/image/buffer.hpp"
#include "core/operations/convolution/borders.hpp"

namespace parallax::test {

inline constexpr BorderMode kRules[] = {BorderMode::replicate, BorderMode::constant, BorderMode::reflect, BorderMode::reflect101,
                                        BorderMode::wrap};

inline StripSupport supportFor(std::int64_t height, int above, int below, BorderMode rule) {
    return {true, {}, above, below, [=](std::int64_t row) { return borderIndex(row, height, rule); }, 0.5F};
}

/// Different weights, so that every row and its position count.
inline float weight(int v) { return static_cast<float>(v * v + 1); }

inline void filterInOneGo(const View<const float>& in, const View<float>& out, const StripSupport& s) {
    for (std::int64_t c = 0; c < in.shape.channels; ++c)
        for (std::int64_t z = 0; z < in.shape.depth; ++z)
            for (std::int64_t y = 0; y < in.shape.height; ++y)
                for (std::int64_t x = 0; x < in.shape.width; ++x) {
                    float sum = 0;
                    for (int v = -s.above; v <= s.below; ++v) {
                        std::int64_t row = y + v;
                        if (row < 0 || row >= in.shape.height) row = s.rowFor(row);
                        sum += weight(v + s.above) * (row < 0 ? s.fill : in.at(x, row, z, c));
                    }
                    out.at(x, y, z, c) = sum;
                }
}

/// Filters a strip in host memory.
inline void filterStrip(const StripPlan& plan, const Strip& strip, const View<const float>& in, const View<float>& out,
                        const StripSupport& s) {
    if (strip.whole) return filterInOneGo(in, out, s);
    for (std::int64_t y = 0; y < strip.rows; ++y)
        for (std::int64_t x = 0; x < plan.shape.width; ++x) {
            float sum = 0;
            for (int v = 0; v <= s.above + s.below; ++v) sum += weight(v) * in.at(x, y + v);
            out.at(x, y) = sum;
        }
}

/// Copies the input of each strip together, runs it, and copies its output into the image.
template <class F>
void forStrips(const StripPlan& plan, const View<const float>& in, const View<float>& out, F&& run) {
    const std::int64_t width = plan.shape.width, height = plan.shape.height;
    for (const Strip& strip : plan.strips) {
        Buffer input(plan.inputShape(strip)), output(plan.outputShape(strip));
        std::vector<RowRun> runs{{0, height * strip.planes, false}};
        if (!strip.whole) runs = inputRuns(plan, strip);
        float* to = input.view().data;
        for (const RowRun& r : runs) {
            if (r.first < 0) std::fill_n(to, r.count * width, plan.fill);
            else
                std::memcpy(to, in.data + (strip.plane * height + r.first) * width,
                            static_cast<std::size_t>(r.count * width) * sizeof(float));
            to += r.count * width;
        }
        ASSERT_EQ(to, input.view().data + input.shape().samples());
        run(strip, std::as_const(input).view(), output.view());
        std::memcpy(out.data + (strip.plane * height + strip.row) * width, output.data(), output.bytes());
    }
}

}  // namespace parallax::test
