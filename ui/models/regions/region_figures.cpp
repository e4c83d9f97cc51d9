// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/regions/region_figures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/image/error.hpp"

namespace parallax::ui {

double RegionFigures::rms() const { return finite > 0 ? std::sqrt(energy / static_cast<double>(finite)) : 0; }
double RegionFigures::largest() const { return finite > 0 ? std::max(std::fabs(low), std::fabs(high)) : 0; }

double RegionFigures::reach() const { return finite > 0 ? std::max(high - middle, middle - low) : 0; }

namespace {

constexpr std::int64_t kSamples = 20000;  // enough for a quantile within one per cent
constexpr double kTypicalPart = 0.95;
/// A region with a median above this fraction of its typical magnitude is an approximation.
constexpr double kFarFromZero = 0.2;

/// The quantile of the values. Reorders them.
double quantile(std::vector<double>& values, double part) {
    const auto at = static_cast<std::size_t>(std::lround(part * static_cast<double>(values.size() - 1)));
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(at), values.end());
    return values[at];
}

/// Returns some finite samples, spread evenly over the region.
std::vector<double> spreadSamples(const View<const float>& channel, const Region& r) {
    std::vector<double> values;
    // An odd step takes different columns of each row.
    const std::int64_t step = std::max<std::int64_t>(1, r.samples() / kSamples) | 1;
    for (std::int64_t i = 0; i < r.samples(); i += step) {
        const double v = static_cast<double>(channel.at(r.origin[0] + i % r.extent[0], r.origin[1] + i / r.extent[0] % r.extent[1],
                                                        r.origin[2] + i / (r.extent[0] * r.extent[1])));
        if (std::isfinite(v)) values.push_back(v);
    }
    return values;
}

}  // namespace

RegionFigures figuresOf(const View<const float>& channel, const Region& region, const std::stop_token& stop) {
    RegionFigures f;
    f.low = std::numeric_limits<double>::infinity();
    f.high = -f.low;
    double sum = 0;
    for (std::int64_t z = 0; z < region.extent[2]; ++z)
        for (std::int64_t y = 0; y < region.extent[1]; ++y) {
            if (stop.stop_requested()) throw Error(ErrorCode::cancelled, "Cancelled");
            const float* row = channel.row(region.origin[1] + y, region.origin[2] + z) + region.origin[0];
            // Sums by row keep the precision of small samples.
            double rowSum = 0, rowEnergy = 0;
            float low = std::numeric_limits<float>::infinity(), high = -low;
            std::int64_t finite = 0, zero = 0;
            for (std::int64_t x = 0; x < region.extent[0]; ++x) {
                const float v = row[x];
                if (!std::isfinite(v)) continue;
                ++finite;
                zero += v == 0;
                rowSum += static_cast<double>(v);
                rowEnergy += static_cast<double>(v) * static_cast<double>(v);
                low = std::min(low, v);
                high = std::max(high, v);
            }
            f.finite += finite;
            f.zero += zero;
            sum += rowSum;
            f.energy += rowEnergy;
            f.low = std::min(f.low, static_cast<double>(low));
            f.high = std::max(f.high, static_cast<double>(high));
        }
    if (f.finite == 0) f.low = f.high = 0;
    else f.mean = sum / static_cast<double>(f.finite);
    std::vector<double> values = spreadSamples(channel, region);
    if (values.empty()) return f;
    std::vector<double> distances;
    for (const double v : values) distances.push_back(std::fabs(v));
    const double median = quantile(values, 0.5);
    if (std::fabs(median) > kFarFromZero * quantile(distances, kTypicalPart)) {
        f.middle = median;
        for (std::size_t i = 0; i < values.size(); ++i) distances[i] = std::fabs(values[i] - median);
    }
    f.typical = quantile(distances, kTypicalPart);
    return f;
}

double viewedReach(const std::vector<RegionFigures>& figures, std::size_t region) {
    if (figures[region].middle != 0) return figures[region].reach();
    double reach = 0;
    for (const RegionFigures& f : figures)
        if (f.middle == 0) reach = std::max(reach, f.reach());
    return reach;
}

std::vector<double> automaticGains(const std::vector<RegionFigures>& figures) {
    std::vector<double> gains;
    for (std::size_t i = 0; i < figures.size(); ++i) {
        // If nearly all samples are exactly 0, use the RMS.
        const double typical = figures[i].typical > 0 ? figures[i].typical : 3 * figures[i].rms();
        gains.push_back(typical > 0 ? std::clamp(viewedReach(figures, i) / typical, 1.0, 1e6) : 1);
    }
    return gains;
}

}  // namespace parallax::ui
