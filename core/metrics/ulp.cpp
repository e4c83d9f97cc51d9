// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/ulp.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "core/metrics/metric_tasks.hpp"
#include "core/metrics/pixel_pair.hpp"

namespace parallax {
namespace {

/// Floats in ascending order as integers in ascending order; both zeros are 0.
std::int64_t position(float v) {
    const auto bits = std::bit_cast<std::int32_t>(v);
    return bits < 0 ? -static_cast<std::int64_t>(bits & 0x7fffffff) : static_cast<std::int64_t>(bits);
}

void addRow(const float* a, const float* b, std::int64_t n, UlpMetrics& m) {
    for (std::int64_t i = 0; i < n; ++i) {
        if (!std::isfinite(a[i]) || !std::isfinite(b[i])) {
            if (!(std::isnan(a[i]) && std::isnan(b[i])) && a[i] != b[i]) ++m.mismatches;
            continue;
        }
        const std::uint64_t d = ulpDistance(a[i], b[i]);
        ++m.compared;
        ++m.counts[d == 0 ? 0 : static_cast<std::size_t>(std::bit_width(d - 1)) + 1];
        m.largest = std::max(m.largest, d);
    }
}

}  // namespace

std::uint64_t ulpDistance(float a, float b) {
    const std::int64_t d = position(a) - position(b);
    return static_cast<std::uint64_t>(d < 0 ? -d : d);
}

double UlpMetrics::shareWithin(std::size_t k) const {
    std::uint64_t n = 0;
    for (std::size_t i = 0; i <= k && i < kClasses; ++i) n += counts[i];
    return compared > 0 ? static_cast<double>(n) / static_cast<double>(compared) : 1;
}

UlpMetrics ulpMetrics(View<const float> a, View<const float> b, RunContext& context) {
    requireSameShape({a, b});
    const Shape& s = a.shape;
    constexpr std::int64_t kRows = 32;  // of a task
    const std::int64_t bands = (s.height + kRows - 1) / kRows, tasks = bands * s.depth * s.channels;
    std::vector<UlpMetrics> parts(static_cast<std::size_t>(metricWorkers(context, tasks)));
    forEachTask(context, tasks, [&](std::int64_t task, int worker) {
        const std::int64_t z = task / bands % s.depth, c = task / (bands * s.depth), first = task % bands * kRows;
        for (std::int64_t y = first; y < std::min(s.height, first + kRows); ++y)
            addRow(a.row(y, z, c), b.row(y, z, c), s.width, parts[static_cast<std::size_t>(worker)]);
    });
    UlpMetrics all;
    for (const UlpMetrics& part : parts) {
        all.largest = std::max(all.largest, part.largest);
        all.compared += part.compared;
        all.mismatches += part.mismatches;
        for (std::size_t k = 0; k < UlpMetrics::kClasses; ++k) all.counts[k] += part.counts[k];
    }
    return all;
}

}  // namespace parallax
