// SPDX-License-Identifier: GPL-3.0-or-later
#include "parallax/ui/bridge/signed_difference.hpp"

#include <cmath>

#include "parallax/image/error.hpp"

namespace parallax::ui {

Image signedDifference(const Image& a, const Image& b, const std::stop_token& stop) {
    const Shape shape = a.shape();
    Buffer buffer(Shape{shape.width, shape.height, 1, 1});
    for (std::int64_t y = 0; y < shape.height; ++y) {
        if ((y & 63) == 0 && stop.stop_requested()) throw Error(ErrorCode::cancelled, "Cancelled");
        float* out = buffer.view<float>().row(y);
        for (std::int64_t x = 0; x < shape.width; ++x) out[x] = 0;
        for (std::int64_t c = 0; c < shape.channels; ++c) {
            const float* first = a.view().row(y, 0, c);
            const float* second = b.view().row(y, 0, c);
            for (std::int64_t x = 0; x < shape.width; ++x) {
                if (first[x] == second[x] || (std::isnan(first[x]) && std::isnan(second[x]))) continue;
                const float d = second[x] - first[x];
                if (std::isnan(out[x])) continue;
                if (std::isnan(d) || std::fabs(d) > std::fabs(out[x])) out[x] = d;
            }
        }
    }
    return Image(std::move(buffer), {"B-A"});
}

}  // namespace parallax::ui
