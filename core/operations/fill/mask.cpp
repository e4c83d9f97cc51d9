// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/fill/mask.hpp"

#include <algorithm>
#include <bit>
#include <vector>

namespace parallax::filling {
namespace {

template <class IsKnown>
bool all(const float* samples, std::int64_t count, IsKnown&& isKnown) {
    // Without an early end, so that it becomes vector code.
    int others = 0;
    for (std::int64_t x = 0; x < count; ++x) others |= isKnown(samples[x]) ? 0 : 1;
    return others == 0;
}

/// Integer arithmetic, since comparisons of floats may trap and so do not become vector code.
bool allFinite(const float* samples, std::int64_t count) {
    constexpr std::uint32_t magnitude = 0x7fffffff, infinity = 0x7f800000;
    std::uint32_t others = 0;
    for (std::int64_t x = 0; x < count; ++x)
        others |= static_cast<std::int32_t>(std::bit_cast<std::uint32_t>(samples[x]) & magnitude) >= static_cast<std::int32_t>(infinity)
                      ? 1U
                      : 0U;
    return others == 0;
}

/// Returns true only if all samples of a row are known. Fast, and true for most rows; fireflies may make it false for known samples.
bool allKnown(const Criterion& c, const float* row, const float* alpha, std::int64_t width) {
    const double t = c.threshold;
    switch (c.missing) {
        case MissingSamples::nan:
        case MissingSamples::nonFinite: break;
        case MissingSamples::above: return all(row, width, [t](float v) { return static_cast<double>(v) < t && v >= -FLT_MAX; });
        case MissingSamples::below: return all(row, width, [t](float v) { return static_cast<double>(v) > t && v <= FLT_MAX; });
        case MissingSamples::transparent: return allFinite(row, width) && all(alpha, width, [](float a) { return !(a <= 0); });
        case MissingSamples::fireflies:
            return all(row, width, [&c](float v) { return v >= -FLT_MAX && v <= FLT_MAX && !isFarBelow(0, v, c); });
    }
    return allFinite(row, width);
}

/// Smallest sample in the window of each sample of a row, without NaN. Most samples are not far above even that one.
void smallestInWindow(const PartRows& in, std::int64_t y, std::int64_t z, int c, std::int64_t radius, std::vector<float>& smallest) {
    thread_local std::vector<float> ofColumns;
    const std::int64_t width = in.shape().width;
    smallest.assign(static_cast<std::size_t>(width), FLT_MAX);
    ofColumns.assign(static_cast<std::size_t>(width), FLT_MAX);
    const auto lower = [](float* to, const float* from, std::int64_t count) {
        for (std::int64_t x = 0; x < count; ++x) to[x] = from[x] < to[x] ? from[x] : to[x];
    };
    for (std::int64_t j = std::max<std::int64_t>(y - radius, 0); j <= std::min(y + radius, in.shape().height - 1); ++j)
        lower(ofColumns.data(), in.row(j, z, c), width);
    for (std::int64_t d = 0; d <= std::min(radius, width - 1); ++d) {
        lower(smallest.data(), ofColumns.data() + d, width - d);
        lower(smallest.data() + d, ofColumns.data(), width - d);
    }
}

}  // namespace

RowCounts classifyRow(const FillPlan& plan, const PartRows& in, std::int64_t y, std::int64_t z, int c, Kind* kinds) {
    const Criterion& criterion = plan.criterion;
    const float* const row = in.row(y, z, c);
    const float* const alpha = plan.alphaChannel >= 0 ? in.row(y, z, plan.alphaChannel) : nullptr;
    const std::int64_t width = in.shape().width;
    RowCounts counts;
    if (allKnown(criterion, row, alpha, width)) return counts;
    const bool ofFireflies = criterion.missing == MissingSamples::fireflies;
    thread_local std::vector<float> smallest;
    if (ofFireflies) smallestInWindow(in, y, z, c, criterion.radius, smallest);
    const auto at = [&](std::int64_t i, std::int64_t j) { return in.row(j, z, c)[i]; };
    for (std::int64_t x = 0; x < width; ++x) {
        Kind kind = kindOf(row[x], alpha ? alpha[x] : 1.0F, criterion);
        if (ofFireflies && kind == Kind::known && isFarBelow(smallest[static_cast<std::size_t>(x)], row[x], criterion) &&
            isFirefly(row[x], x, y, width, in.shape().height, criterion, at))
            kind = Kind::missing;
        kinds[x] = kind;
        counts.missing += kind == Kind::missing ? 1 : 0;
        counts.unusable += kind == Kind::unusable ? 1 : 0;
    }
    return counts;
}

}  // namespace parallax::filling
