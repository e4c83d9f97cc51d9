// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/sweeps/scaling.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace parallax {

double AmdahlFit::largestSpeedup() const { return serialShare > 0 ? 1 / serialShare : std::numeric_limits<double>::infinity(); }

std::optional<AmdahlFit> fitAmdahl(std::span<const ThreadTime> times) {
    // T = a + b / p, divided by the measured T: 1 = a u + b v, so that short times weigh as much as long ones.
    double uu = 0, uv = 0, vv = 0, u1 = 0, v1 = 0, fewest = 0, most = 0;
    std::size_t count = 0;
    for (const ThreadTime& t : times) {
        if (!(t.threads > 0) || !(t.time > 0) || !std::isfinite(t.time)) continue;
        const double u = 1 / t.time, v = 1 / (t.threads * t.time);
        uu += u * u, uv += u * v, vv += v * v, u1 += u, v1 += v;
        fewest = count == 0 ? t.threads : std::min(fewest, t.threads);
        most = std::max(most, t.threads);
        ++count;
    }
    if (count < 2 || !(most > fewest)) return std::nullopt;
    const double determinant = uu * vv - uv * uv;
    double a = determinant > 0 ? (u1 * vv - v1 * uv) / determinant : 0;
    double b = determinant > 0 ? (v1 * uu - u1 * uv) / determinant : 0;
    // Superlinear or negative scaling: clamp to the range of the model.
    if (a < 0) a = 0, b = v1 / vv;
    if (b < 0) b = 0, a = u1 / uu;
    AmdahlFit fit;
    fit.oneThread = a + b;
    fit.serialShare = a / (a + b);
    double squares = 0;
    for (const ThreadTime& t : times)
        if (t.threads > 0 && t.time > 0 && std::isfinite(t.time)) squares += std::pow(1 - fit.time(t.threads) / t.time, 2);
    fit.residual = std::sqrt(squares / static_cast<double>(count));
    return fit;
}

std::vector<ScalingPoint> scalingOf(std::span<const ThreadTime> times) {
    const auto base = std::min_element(times.begin(), times.end(), [](const auto& a, const auto& b) { return a.threads < b.threads; });
    std::vector<ScalingPoint> points;
    for (const ThreadTime& t : times) {
        const double speedup = t.time > 0 ? base->threads * base->time / t.time : 0;
        points.push_back({t.threads, speedup, t.threads > 0 ? speedup / t.threads : 0});
    }
    return points;
}

}  // namespace parallax
