// SPDX-License-Identifier: GPL-3.0-or-later
// The passes of the gradient operator as plain loops: in double the reference, in float the scalar baseline.
#pragma once

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "core/operations/tone_mapping/gradient_execution.hpp"

#include "core/image/host/host_vector.hpp"

namespace parallax {

template <class T>
class PlainGradientToneMapping final : public HostGradientToneMapping<T> {
    using Base = HostGradientToneMapping<T>;

public:
    using Base::Base;
    /// Bytes of the copy that white and black are found in.
    static std::uint64_t orderBytes(const GradientPlan& gradient) { return sizeof(double) * static_cast<std::uint64_t>(gradient.pixels()); }

protected:
    using Base::parameters, Base::part, Base::plan, Base::width;
    using Rows = RowTriple<const T*>;

    /// The colour of a pixel and its luminance; infinities count as `limit`.
    struct Pixel {
        T c[3] = {0, 0, 0}, luminance = 0;
    };
    Pixel pixel(const View<const float>& in, std::int64_t x, std::int64_t y, double limit) const {
        tone::ColourWeights<T> weights;
        for (int i = 0; i < 3; ++i) weights.c[i] = static_cast<T>(plan().weights.c[i]);
        Pixel p;
        for (int i = 0; i < plan().channels(); ++i)
            p.c[i] =
                tone::withoutInfinity(static_cast<T>(in.at(x, y, 0, plan().colour[static_cast<std::size_t>(i)])), static_cast<T>(limit));
        p.luminance = tone::luminance(weights, p.c, plan().channels());
        return p;
    }
    T relative(const Pixel& p, const ToneConstants& k) const {
        return tone::relativeLuminance(std::fabs(p.luminance), static_cast<T>(k.logAverage), static_cast<T>(parameters().delta));
    }

    void addLuminance(const View<const float>& in, std::int64_t y, T*, ToneStatistics& s) override {
        for (std::int64_t x = 0; x < width(); ++x) {
            const T luminance = std::fabs(pixel(in, x, y, std::numeric_limits<double>::infinity()).luminance);
            if (!(luminance < T(std::numeric_limits<float>::max()))) continue;
            s.luminance.add(static_cast<double>(luminance));
            s.logarithms.add(static_cast<double>(tone::brightness(luminance, static_cast<T>(parameters().delta))));
        }
    }

    void takeLogarithms(const View<const float>& in, std::int64_t y, const ToneConstants& k, T* row) override {
        for (std::int64_t x = 0; x < width(); ++x) {
            const Pixel p = pixel(in, x, y, k.limit);
            row[x] = std::log(p.luminance == p.luminance ? relative(p, k) : 1 + static_cast<T>(parameters().delta));
        }
    }

    void reduceRow(const T* const (&from)[5], std::int64_t count, T* to) override {
        for (std::int64_t x = 0; x < (count + 1) / 2; ++x) {
            to[x] = 0;
            for (std::int64_t j = 0; j < 5; ++j)
                for (std::int64_t i = 0; i < 5; ++i)
                    to[x] += static_cast<T>(tone::reductionWeight(i) * tone::reductionWeight(j)) *
                             from[j][std::clamp<std::int64_t>(2 * x + i - 2, 0, count - 1)];
        }
    }

    double magnitudes(const Rows& from, std::int64_t count, T* to) override {
        double sum = 0;
        for (std::int64_t x = 0; x < count; ++x) {
            const T across = from.own[std::min(x + 1, count - 1)] - from.own[std::max<std::int64_t>(x - 1, 0)];
            const T down = from.below[x] - from.above[x];
            to[x] = std::sqrt(across * across + down * down);
            sum += static_cast<double>(to[x]);
        }
        return sum;
    }

    void attenuateRow(T* row, std::int64_t count, const tone::Attenuation<T>& attenuation, const T* coarse, const T* nextCoarse) override {
        const std::int64_t last = (count + 1) / 2 - 1;
        for (std::int64_t x = 0; x < count; ++x) {
            row[x] = attenuation(row[x]);
            if (!coarse) continue;
            const std::int64_t left = x / 2, right = std::min(x / 2 + x % 2, last);
            row[x] *= (coarse[left] + coarse[right] + nextCoarse[left] + nextCoarse[right]) / 4;
        }
    }

    void divergenceRow(const Rows& h, const Rows& phi, std::int64_t count, bool first, bool last, double* to) override {
        // The attenuated gradient from one pixel to a neighbour; what flows out of a pixel counts as negative divergence.
        const auto flow = [](T own, T other, T ownPhi, T otherPhi) {
            return (static_cast<double>(own) - static_cast<double>(other)) * 0.5 *
                   (static_cast<double>(ownPhi) + static_cast<double>(otherPhi));
        };
        for (std::int64_t x = 0; x < count; ++x) {
            to[x] = 0;
            if (x > 0) to[x] += flow(h.own[x], h.own[x - 1], phi.own[x], phi.own[x - 1]);
            if (x + 1 < count) to[x] += flow(h.own[x], h.own[x + 1], phi.own[x], phi.own[x + 1]);
            if (!first) to[x] += flow(h.own[x], h.above[x], phi.own[x], phi.above[x]);
            if (!last) to[x] += flow(h.own[x], h.below[x], phi.own[x], phi.below[x]);
        }
    }

    /// On parts, the first one finds them for all.
    tone::DisplayRange rangeOf(const double* logarithms, const RunContext& context) override {
        Communicator* const communicator = part().communicator();
        if (!communicator) return rangeOfAll({logarithms, static_cast<std::size_t>(part().samples())}, context);
        tone::DisplayRange range;
        HostVector<double> all(communicator->rank() == 0 ? static_cast<std::size_t>(this->pixels()) : 0);
        part().gather(logarithms, all.data(), 0);
        if (communicator->rank() == 0) range = rangeOfAll(all, context);
        communicator->broadcast(std::as_writable_bytes(std::span(&range, 1)), 0);
        return range;
    }
    tone::DisplayRange rangeOfAll(std::span<const double> logarithms, const RunContext& context) const {
        HostVector<double> values;
        values.reserve(logarithms.size());
        std::copy_if(logarithms.begin(), logarithms.end(), std::back_inserter(values), [](double v) { return v == v; });
        if (values.empty()) return {};
        const auto ranked = [&](std::int64_t rank) {
            context.throwIfStopped();
            std::nth_element(values.begin(), values.begin() + rank, values.end());
            return values[static_cast<std::size_t>(rank)];
        };
        const auto n = static_cast<std::int64_t>(values.size());
        const double white = ranked(n - 1 - tone::clippedCount(parameters().clipWhite, n));
        return tone::DisplayRange::of(white, ranked(tone::clippedCount(parameters().clipBlack, n)));
    }

    std::int64_t mapRow(const View<const float>& in, const View<float>& out, std::int64_t y, const double* logarithms,
                        const ToneConstants& k, const tone::DisplayRange& range) override {
        std::int64_t brighter = 0;
        const T saturation = plan().grey() ? T(1) : static_cast<T>(parameters().saturation);
        for (std::int64_t x = 0; x < width(); ++x) {
            const Pixel p = pixel(in, x, y, k.limit);
            const T display =
                tone::displayOf(static_cast<T>(logarithms[x] - range.white), static_cast<T>(range.black), static_cast<T>(range.perRange()));
            bool above = false;
            for (int i = 0; i < plan().channels(); ++i) {
                T value = p.luminance;  // a NaN in one channel
                if (p.luminance == p.luminance)
                    value = tone::gradientColour(p.c[i], static_cast<T>(k.logAverage), relative(p, k), display,
                                                 static_cast<T>(plan().largestRatio + 1), saturation);
                above = above || value > T(tone::kBrighterThanWhite);
                out.at(x, y, 0, plan().colour[static_cast<std::size_t>(i)]) = static_cast<float>(encodedValue(parameters(), value));
            }
            brighter += above;
        }
        return brighter;
    }
};

}  // namespace parallax
