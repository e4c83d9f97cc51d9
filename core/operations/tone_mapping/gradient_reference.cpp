// SPDX-License-Identifier: GPL-3.0-or-later
// The passes of the gradient operator as plain loops in double.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/operations/tone_mapping/gradient_execution.hpp"
#include "core/operations/tone_mapping/gradient_reference.hpp"

namespace parallax {
namespace {

class ReferenceGradient final : public HostGradientToneMapping<double> {
public:
    using HostGradientToneMapping<double>::HostGradientToneMapping;

protected:
    using Rows = RowTriple<const double*>;

    /// The colour of a pixel and its luminance; infinities count as `limit`.
    struct Pixel {
        double c[3] = {0, 0, 0}, luminance = 0;
    };
    Pixel pixel(const View<const float>& in, std::int64_t x, std::int64_t y, double limit) const {
        Pixel p;
        for (int i = 0; i < plan().channels(); ++i)
            p.c[i] = tone::withoutInfinity(static_cast<double>(in.at(x, y, 0, plan().colour[static_cast<std::size_t>(i)])), limit);
        p.luminance = tone::luminance(plan().weights, p.c, plan().channels());
        return p;
    }
    double relative(const Pixel& p, const ToneConstants& k) const {
        return tone::relativeLuminance(std::fabs(p.luminance), k.logAverage, parameters().delta);
    }

    void addLuminance(const View<const float>& in, std::int64_t y, double*, ToneStatistics& s) override {
        for (std::int64_t x = 0; x < width(); ++x) {
            const double luminance = std::fabs(pixel(in, x, y, std::numeric_limits<double>::infinity()).luminance);
            if (!(luminance < double{std::numeric_limits<float>::max()})) continue;
            s.luminance.add(luminance);
            s.logarithms.add(tone::brightness(luminance, parameters().delta));
        }
    }

    void takeLogarithms(const View<const float>& in, std::int64_t y, const ToneConstants& k, double* row) override {
        for (std::int64_t x = 0; x < width(); ++x) {
            const Pixel p = pixel(in, x, y, k.limit);
            row[x] = std::log(p.luminance == p.luminance ? relative(p, k) : 1 + parameters().delta);
        }
    }

    void reduceRow(const double* const (&from)[5], std::int64_t width, double* to) override {
        for (std::int64_t x = 0; x < (width + 1) / 2; ++x) {
            to[x] = 0;
            for (std::int64_t j = 0; j < 5; ++j)
                for (std::int64_t i = 0; i < 5; ++i)
                    to[x] += tone::reductionWeight(i) * tone::reductionWeight(j) *
                             from[j][std::clamp<std::int64_t>(2 * x + i - 2, 0, width - 1)];
        }
    }

    double magnitudes(const Rows& from, std::int64_t width, double* to) override {
        double sum = 0;
        for (std::int64_t x = 0; x < width; ++x) {
            const double across = from.own[std::min(x + 1, width - 1)] - from.own[std::max<std::int64_t>(x - 1, 0)];
            const double down = from.below[x] - from.above[x];
            to[x] = std::sqrt(across * across + down * down);
            sum += to[x];
        }
        return sum;
    }

    void attenuateRow(double* row, std::int64_t width, const tone::Attenuation<double>& attenuation, const double* coarse,
                      const double* nextCoarse) override {
        const std::int64_t last = (width + 1) / 2 - 1;
        for (std::int64_t x = 0; x < width; ++x) {
            row[x] = attenuation(row[x]);
            if (!coarse) continue;
            const std::int64_t left = x / 2, right = std::min(x / 2 + x % 2, last);
            row[x] *= (coarse[left] + coarse[right] + nextCoarse[left] + nextCoarse[right]) / 4;
        }
    }

    void divergenceRow(const Rows& h, const Rows& phi, std::int64_t width, bool first, bool last, double* to) override {
        // The attenuated gradient from one pixel to a neighbour; what flows out of a pixel counts as negative divergence.
        const auto flow = [](double own, double other, double ownPhi, double otherPhi) {
            return (own - other) * 0.5 * (ownPhi + otherPhi);
        };
        for (std::int64_t x = 0; x < width; ++x) {
            to[x] = 0;
            if (x > 0) to[x] += flow(h.own[x], h.own[x - 1], phi.own[x], phi.own[x - 1]);
            if (x + 1 < width) to[x] += flow(h.own[x], h.own[x + 1], phi.own[x], phi.own[x + 1]);
            if (!first) to[x] += flow(h.own[x], h.above[x], phi.own[x], phi.above[x]);
            if (!last) to[x] += flow(h.own[x], h.below[x], phi.own[x], phi.below[x]);
        }
    }

    tone::DisplayRange rangeOf(double* logarithms, std::int64_t count, const RunContext&) override {
        std::vector<double> sorted;
        std::copy_if(logarithms, logarithms + count, std::back_inserter(sorted), [](double v) { return v == v; });
        if (sorted.empty()) return {};
        std::sort(sorted.begin(), sorted.end());
        const auto n = static_cast<std::int64_t>(sorted.size());
        return tone::DisplayRange::of(sorted[static_cast<std::size_t>(n - 1 - tone::clippedCount(parameters().clipWhite, n))],
                                      sorted[static_cast<std::size_t>(tone::clippedCount(parameters().clipBlack, n))]);
    }

    std::int64_t mapRow(const View<const float>& in, const View<float>& out, std::int64_t y, const double* logarithms,
                        const ToneConstants& k, const tone::DisplayRange& range) override {
        std::int64_t brighter = 0;
        const double saturation = plan().grey() ? 1 : parameters().saturation;
        for (std::int64_t x = 0; x < width(); ++x) {
            const Pixel p = pixel(in, x, y, k.limit);
            const double display = tone::displayOf(logarithms[x] - range.white, range.black, range.perRange());
            bool above = false;
            for (int i = 0; i < plan().channels(); ++i) {
                double value = p.luminance;  // a NaN in one channel
                if (p.luminance == p.luminance)
                    value = tone::gradientColour(p.c[i], k.logAverage, relative(p, k), display, plan().largestRatio + 1, saturation);
                above = above || value > tone::kBrighterThanWhite;
                out.at(x, y, 0, plan().colour[static_cast<std::size_t>(i)]) = static_cast<float>(encodedValue(parameters(), value));
            }
            brighter += above;
        }
        return brighter;
    }
};

}  // namespace

std::uint64_t referenceGradientBytes(const ToneMappingPlan& plan, const Shape& shape) {
    const GradientPlan gradient = planGradient(plan, shape);
    // Sorting comes after the solve, whose memory is free by then.
    return HostGradientToneMapping<double>::bytes(gradient) + solvers::referenceDirectMethod().bytes(gradient.stencil.shape, 1, false);
}

std::unique_ptr<Execution> makeReferenceGradient(const Problem& problem) {
    return std::make_unique<ReferenceGradient>(problem, solvers::referenceDirectMethod().make());
}

}  // namespace parallax
