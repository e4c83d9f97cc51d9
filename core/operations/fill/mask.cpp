// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/fill/mask.hpp"

namespace parallax::filling {
namespace {

template <class IsKnown>
bool all(const float* samples, std::int64_t count, IsKnown&& isKnown) {
    // Without an early end, so that it becomes vector code.
    int others = 0;
    for (std::int64_t x = 0; x < count; ++x) others |= isKnown(samples[x]) ? 0 : 1;
    return others == 0;
}

/// Whether a glance at the samples shows that all are known, as in most rows.
bool allKnown(const Criterion& c, const float* row, const float* alpha, std::int64_t width) {
    const double t = c.threshold;
    const auto finite = [](float v) { return isFinite(v); };
    switch (c.missing) {
        case MissingSamples::nan:
        case MissingSamples::nonFinite: break;
        case MissingSamples::above: return all(row, width, [t](float v) { return static_cast<double>(v) < t && v >= -FLT_MAX; });
        case MissingSamples::below: return all(row, width, [t](float v) { return static_cast<double>(v) > t && v <= FLT_MAX; });
        case MissingSamples::transparent: return all(row, width, finite) && all(alpha, width, [](float a) { return !(a <= 0); });
        case MissingSamples::fireflies:
            return all(row, width, [&c](float v) { return v >= -FLT_MAX && v <= FLT_MAX && !isFarBelow(0, v, c); });
    }
    return all(row, width, finite);
}

}  // namespace

RowCounts classifyRow(const FillPlan& plan, const View<const float>& in, std::int64_t y, std::int64_t z, int c, Kind* kinds) {
    const Criterion& criterion = plan.criterion;
    const float* const row = in.row(y, z, c);
    const float* const alpha = plan.alphaChannel >= 0 ? in.row(y, z, plan.alphaChannel) : nullptr;
    const std::int64_t width = in.shape.width;
    RowCounts counts;
    if (allKnown(criterion, row, alpha, width)) return counts;
    for (std::int64_t x = 0; x < width; ++x) {
        Kind kind = kindOf(row[x], alpha ? alpha[x] : 1.0F, criterion);
        if (kind == Kind::known && criterion.missing == MissingSamples::fireflies &&
            isFirefly(row[x], x, y, width, in.shape.height, criterion, [&](std::int64_t i, std::int64_t j) { return in.at(i, j, z, c); }))
            kind = Kind::missing;
        kinds[x] = kind;
        counts.missing += kind == Kind::missing ? 1 : 0;
        counts.unusable += kind == Kind::unusable ? 1 : 0;
    }
    return counts;
}

}  // namespace parallax::filling
