// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/volume/volume_slice.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/image/error.hpp"

namespace parallax::ui {
namespace {

struct Largest {
    static float join(float a, float b) { return b > a || std::isnan(b) ? b : a; }
};
struct Least {
    static float join(float a, float b) { return b < a || std::isnan(b) ? b : a; }
};
struct Strongest {
    static float join(float a, float b) { return std::fabs(b) > std::fabs(a) || std::isnan(b) ? b : a; }
};
struct Sum {
    static float join(float a, float b) { return a + b; }
};

/// Joins slices sample by sample. NaN persists: a comparison with it is false, a sum with it is NaN.
template <class Rule>
void joinAlong(const float* from, std::int64_t width, std::int64_t strideU, std::int64_t slices, std::int64_t strideN, float* to) {
    if (strideN == 1) {
        // Contiguous along the line of sight: each pixel is a run of samples.
        for (std::int64_t u = 0; u < width; ++u) {
            const float* run = from + u * strideU;
            float joined = run[0];
            for (std::int64_t k = 1; k < slices; ++k) joined = Rule::join(joined, run[k]);
            to[u] = joined;
        }
        return;
    }
    for (std::int64_t u = 0; u < width; ++u) to[u] = from[u * strideU];
    for (std::int64_t k = 1; k < slices; ++k) {
        const float* slice = from + k * strideN;
        for (std::int64_t u = 0; u < width; ++u) to[u] = Rule::join(to[u], slice[u * strideU]);
    }
}

template <class Rule>
void joinAll(std::int64_t first, std::int64_t last, const std::function<const float*(std::int64_t)>& plane, std::vector<float>& out) {
    // Pieces that fit into the L1 cache.
    constexpr std::int64_t kPiece = 4096;
    const auto count = static_cast<std::int64_t>(out.size());
    for (std::int64_t at = 0; at < count; at += kPiece) {
        const std::int64_t n = std::min(kPiece, count - at);
        float* to = out.data() + at;
        std::copy_n(plane(first) + at, n, to);
        for (std::int64_t k = first + 1; k <= last; ++k) {
            const float* slice = plane(k) + at;
            for (std::int64_t i = 0; i < n; ++i) to[i] = Rule::join(to[i], slice[i]);
        }
    }
}

}  // namespace

std::int64_t samplesRead(const View<const float>& volume, const SliceRequest& r) {
    const std::array<std::int64_t, 3> counts{volume.shape.width, volume.shape.height, volume.shape.depth};
    const std::int64_t slices = r.mode == SlabMode::slice ? 1 : r.last - r.first + 1;
    return counts[static_cast<std::size_t>(r.u)] * counts[static_cast<std::size_t>(r.v)] * slices;
}

void extractSlice(const View<const float>& volume, const SliceRequest& r, PlaneSlice& out, const std::stop_token& stop) {
    const std::array<std::int64_t, 3> counts{volume.shape.width, volume.shape.height, volume.shape.depth};
    const std::array<std::int64_t, 3> strides{1, volume.rowStride, volume.sliceStride};
    const auto of = [](const std::array<std::int64_t, 3>& values, int axis) { return values[static_cast<std::size_t>(axis)]; };
    const std::int64_t first = std::clamp<std::int64_t>(r.first, 0, of(counts, r.n) - 1);
    const std::int64_t last = r.mode == SlabMode::slice ? first : std::clamp<std::int64_t>(r.last, first, of(counts, r.n) - 1);
    const std::int64_t slices = last - first + 1, strideU = of(strides, r.u), strideN = of(strides, r.n);
    out.width = of(counts, r.u);
    out.height = of(counts, r.v);
    out.samples.resize(static_cast<std::size_t>(out.width * out.height));
    for (std::int64_t y = 0; y < out.height; ++y) {
        if (stop.stop_requested()) throw Error(ErrorCode::cancelled, "Cancelled");
        const float* from = volume.data + first * strideN + y * of(strides, r.v);
        float* to = out.samples.data() + y * out.width;
        if (slices == 1 && strideU == 1) {
            std::copy_n(from, out.width, to);
        } else if (slices == 1) {
            for (std::int64_t u = 0; u < out.width; ++u) to[u] = from[u * strideU];
        } else if (r.mode == SlabMode::mean) {
            joinAlong<Sum>(from, out.width, strideU, slices, strideN, to);
            const float part = 1.0F / static_cast<float>(slices);
            for (std::int64_t u = 0; u < out.width; ++u) to[u] *= part;
        } else if (r.magnitude) {
            joinAlong<Strongest>(from, out.width, strideU, slices, strideN, to);
        } else if (r.mode == SlabMode::maximum) {
            joinAlong<Largest>(from, out.width, strideU, slices, strideN, to);
        } else {
            joinAlong<Least>(from, out.width, strideU, slices, strideN, to);
        }
    }
}

void joinPlanes(const SliceRequest& r, std::int64_t first, std::int64_t last, const std::function<const float*(std::int64_t)>& plane,
                PlaneSlice& out) {
    if (first == last) {
        std::copy_n(plane(first), out.samples.size(), out.samples.data());
    } else if (r.mode == SlabMode::mean) {
        joinAll<Sum>(first, last, plane, out.samples);
        const float part = 1.0F / static_cast<float>(last - first + 1);
        for (float& v : out.samples) v *= part;
    } else if (r.magnitude) {
        joinAll<Strongest>(first, last, plane, out.samples);
    } else if (r.mode == SlabMode::maximum) {
        joinAll<Largest>(first, last, plane, out.samples);
    } else {
        joinAll<Least>(first, last, plane, out.samples);
    }
}

}  // namespace parallax::ui
