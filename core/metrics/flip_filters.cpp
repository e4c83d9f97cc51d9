// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/flip_filters.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace parallax {
namespace {

constexpr double kPi = std::numbers::pi;

/// Term a sqrt(pi / b) exp(-pi^2 x^2 / b) of a contrast sensitivity, x in degrees.
struct Term {
    double a, b;
};
constexpr Term kAchromatic{1, 0.0047}, kRedGreen{1, 0.0053}, kBlueYellow[2] = {{34.1, 0.04}, {13.5, 0.025}};
constexpr double kFeatureWidth = 0.082;  // degrees

std::vector<double> gaussian(const Term& term, double pixelsPerDegree, int radius) {
    std::vector<double> w;
    for (int k = 0; k <= radius; ++k) {
        const double x = k / pixelsPerDegree;
        w.push_back(std::exp(-kPi * kPi * x * x / term.b));
    }
    return w;
}

double wholeSum(const std::vector<double>& half) {
    double sum = half[0];
    for (std::size_t k = 1; k < half.size(); ++k) sum += 2 * half[k];
    return sum;
}

HalfFilter scaled(const std::vector<double>& w, double factor) {
    HalfFilter out;
    for (const double v : w) out.push_back(static_cast<float>(v * factor));
    return out;
}

void makeContrastSensitivity(FlipFilters& f, double pixelsPerDegree) {
    // Three standard deviations of the widest Gaussian, for all.
    f.radius = static_cast<int>(std::ceil(3 * std::sqrt(kBlueYellow[0].b / (2 * kPi * kPi)) * pixelsPerDegree));
    const auto normalised = [&](const Term& term) {
        const std::vector<double> w = gaussian(term, pixelsPerDegree, f.radius);
        return scaled(w, 1 / wholeSum(w));
    };
    f.achromatic = normalised(kAchromatic);
    f.redGreen = normalised(kRedGreen);
    while (f.colourRadius < f.radius && f.redGreen[static_cast<std::size_t>(f.colourRadius) + 1] > 0x1p-24F * f.redGreen[0])
        ++f.colourRadius;
    double shares[2], total = 0;
    for (int i = 0; i < 2; ++i) {
        const double sum = wholeSum(gaussian(kBlueYellow[i], pixelsPerDegree, f.radius));
        shares[i] = kBlueYellow[i].a * std::sqrt(kPi / kBlueYellow[i].b) * sum * sum;
        total += shares[i];
    }
    for (int i = 0; i < 2; ++i) {
        const std::vector<double> w = gaussian(kBlueYellow[i], pixelsPerDegree, f.radius);
        f.blueYellow[i] = scaled(w, 1 / wholeSum(w));
        f.blueYellowAcross[i] = scaled(w, shares[i] / (total * wholeSum(w)));
    }
}

/// Positive weights sum to 1, negative ones to -1.
void makeFeatures(FlipFilters& f, double pixelsPerDegree) {
    const double deviation = 0.5 * kFeatureWidth * pixelsPerDegree;
    f.featureRadius = static_cast<int>(std::ceil(3 * deviation));
    std::vector<double> g, edge, point;
    double edgeSum = 0, positive = 0, negative = 0;
    for (int k = 0; k <= f.featureRadius; ++k) {
        const double value = std::exp(-k * k / (2 * deviation * deviation));
        g.push_back(value);
        edge.push_back(k * value);
        point.push_back((k * k / (deviation * deviation) - 1) * value);
        edgeSum += edge.back();
        (point.back() > 0 ? positive : negative) += (k == 0 ? 1 : 2) * std::fabs(point.back());
    }
    for (double& w : point) w /= w > 0 ? positive : negative;
    f.gaussian = scaled(g, 1 / wholeSum(g));
    f.edge = scaled(edge, edgeSum > 0 ? 1 / edgeSum : 0);
    f.point = scaled(point, 1);
}

}  // namespace

FlipFilters makeFlipFilters(double pixelsPerDegree) {
    FlipFilters f;
    makeContrastSensitivity(f, pixelsPerDegree);
    makeFeatures(f, pixelsPerDegree);
    // One length for all, so that one loop serves several filters.
    f.radius = std::max(f.radius, f.featureRadius);
    for (HalfFilter* filter : {&f.achromatic, &f.redGreen, &f.blueYellow[0], &f.blueYellow[1], &f.blueYellowAcross[0],
                               &f.blueYellowAcross[1], &f.gaussian, &f.edge, &f.point})
        filter->resize(static_cast<std::size_t>(f.radius) + 1);
    return f;
}

}  // namespace parallax
