// SPDX-License-Identifier: GPL-3.0-or-later
#include "parallax/ui/models/region_figures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "parallax/image/error.hpp"

namespace parallax::ui {

double RegionFigures::rms() const { return finite > 0 ? std::sqrt(energy / static_cast<double>(finite)) : 0; }
double RegionFigures::largest() const { return finite > 0 ? std::max(std::fabs(low), std::fabs(high)) : 0; }

double RegionFigures::middle() const {
    // Of details the mean is a small part of what they are; half is far from both.
    return std::fabs(mean) > 0.5 * rms() ? mean : 0;
}

double RegionFigures::spread() const {
    const double square = rms() * rms();
    return middle() == 0 ? rms() : std::sqrt(std::max(0.0, square - mean * mean));
}

double RegionFigures::reach() const { return finite > 0 ? std::max(high - middle(), middle() - low) : 0; }

RegionFigures figuresOf(const View<const float>& channel, const Region& region, const std::stop_token& stop) {
    RegionFigures f;
    f.low = std::numeric_limits<double>::infinity();
    f.high = -f.low;
    double sum = 0;
    for (std::int64_t z = 0; z < region.extent[2]; ++z)
        for (std::int64_t y = 0; y < region.extent[1]; ++y) {
            if (stop.stop_requested()) throw Error(ErrorCode::cancelled, "Cancelled");
            const float* row = channel.row(region.origin[1] + y, region.origin[2] + z) + region.origin[0];
            // A row apart: sums of millions of samples would lose the small ones.
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
    return f;
}

double viewedReach(const std::vector<RegionFigures>& figures, std::size_t region) {
    if (figures[region].middle() != 0) return figures[region].reach();
    double reach = 0;
    for (const RegionFigures& f : figures)
        if (f.middle() == 0) reach = std::max(reach, f.reach());
    return reach;
}

std::vector<double> automaticGains(const std::vector<RegionFigures>& figures) {
    std::vector<double> gains;
    for (std::size_t i = 0; i < figures.size(); ++i) {
        const double spread = figures[i].spread();
        gains.push_back(spread > 0 ? std::clamp(viewedReach(figures, i) / (3 * spread), 1.0, 1e6) : 1);
    }
    return gains;
}

}  // namespace parallax::ui
