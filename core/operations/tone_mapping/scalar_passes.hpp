// SPDX-License-Identifier: GPL-3.0-or-later
// The passes as plain loops: in double the reference, in float the scalar baseline.
#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "core/image/host/host_vector.hpp"
#include "core/operations/tone_mapping/formulas.hpp"
#include "core/operations/tone_mapping/host_execution.hpp"

namespace parallax {

template <class T>
class ScalarToneMapping : public HostToneMapping {
public:
    explicit ScalarToneMapping(ToneMappingPlan given) : HostToneMapping(std::move(given)) {
        for (int i = 0; i < 3; ++i) weights_.c[i] = static_cast<T>(plan().weights.c[i]);
        for (const ToneScale& scale : plan().scales) scaleWeights_.emplace_back(scale.weights.begin(), scale.weights.end());
    }

    static constexpr std::int64_t kBandRows = 128;
    /// Buffers of one band of the local operator.
    static std::uint64_t bandBytes(const ToneMappingPlan& plan, const Shape& shape) {
        if (plan.parameters.op != ToneOperator::local) return 0;
        const auto rows = static_cast<std::uint64_t>(std::min(kBandRows, shape.height));
        const auto radius = static_cast<std::uint64_t>(plan.scales.back().radius), width = static_cast<std::uint64_t>(shape.width);
        return sizeof(T) * (2 * (rows + 2 * radius) * width + 4 * rows * width + width + 2 * radius) + rows * width;
    }

protected:
    struct Pixel {
        T c[3];
        T luminance;
    };

    /// Without changes.
    Pixel raw(const Input& in, std::int64_t x, std::int64_t y) const {
        Pixel p{};
        for (int i = 0; i < plan().channels(); ++i) p.c[i] = static_cast<T>(in.at(x, y, 0, plan().colour[static_cast<std::size_t>(i)]));
        p.luminance = tone::luminance(weights_, p.c, plan().channels());
        return p;
    }
    static bool finite(const Pixel& p) { return std::fabs(p.luminance) < std::numeric_limits<float>::max(); }
    /// With infinities replaced.
    Pixel bounded(const Input& in, std::int64_t x, std::int64_t y, T limit) const {
        Pixel p = raw(in, x, y);
        if (finite(p)) return p;
        for (int i = 0; i < plan().channels(); ++i) p.c[i] = tone::withoutInfinity(p.c[i], limit);
        p.luminance = tone::luminance(weights_, p.c, plan().channels());
        return p;
    }
    /// Photoreceptor: scaled to [0, 1].
    Pixel scaled(Pixel p, const ToneConstants& k) const {
        for (int i = 0; i < plan().channels(); ++i) p.c[i] = tone::positive((p.c[i] - static_cast<T>(k.low)) * static_cast<T>(k.perRange));
        p.luminance = tone::luminance(weights_, p.c, plan().channels());
        return p;
    }

    template <class F>
    static void forPixels(const Input& in, RowRange rows, F&& f) {
        for (std::int64_t y = rows.first; y < rows.last; ++y)
            for (std::int64_t x = 0; x < in.shape.width; ++x) f(x, y);
    }

    void addSamples(const Input& in, RowRange rows, ToneStatistics& s) override {
        forPixels(in, rows, [&](std::int64_t x, std::int64_t y) {
            const Pixel p = raw(in, x, y);
            if (!finite(p)) return;
            for (int i = 0; i < plan().channels(); ++i) s.samples.add(static_cast<double>(p.c[i]));
            s.luminance.add(static_cast<double>(std::fabs(p.luminance)));
        });
    }

    void addLuminance(const Input& in, RowRange rows, const ToneConstants& k, ToneStatistics& s) override {
        const bool receptor = parameters().op == ToneOperator::photoreceptor;
        const T delta = static_cast<T>(parameters().delta), floor = static_cast<T>(plan().controls.receptorFloor()),
                added = static_cast<T>(plan().controls.receptorDelta());
        forPixels(in, rows, [&](std::int64_t x, std::int64_t y) {
            Pixel p = raw(in, x, y);
            if (!finite(p)) return;
            if (receptor) p = scaled(p, k);
            const T luminance = std::fabs(p.luminance);
            s.luminance.add(static_cast<double>(luminance));
            s.logarithms.add(static_cast<double>(receptor ? std::log(tone::receptorLight(luminance, added, floor))
                                                          : tone::brightness(luminance, delta)));
            for (int i = 0; receptor && i < plan().channels(); ++i) s.channelSums[i] += static_cast<double>(p.c[i]);
        });
    }

    void addBrightness(const Input& in, RowRange rows, const BinScale<double>& given, Histogram& histogram) override {
        const BinScale<T> scale{static_cast<T>(given.first), static_cast<T>(given.perUnit), given.bins};
        const T delta = static_cast<T>(parameters().delta);
        forPixels(in, rows, [&](std::int64_t x, std::int64_t y) {
            const Pixel p = raw(in, x, y);
            if (finite(p)) histogram.add(scale.binOf(tone::brightness(std::fabs(p.luminance), delta)));
        });
    }

    /// The photoreceptor's response to a scaled pixel.
    T receptor(const Pixel& p, int channel, const ToneConstants& k) const {
        const T adapted = tone::adaptation(p.c[channel], p.luminance, static_cast<T>(k.average[channel]),
                                           static_cast<T>(parameters().chromatic), static_cast<T>(parameters().light));
        return tone::photoreceptor(p.c[channel], adapted, static_cast<T>(k.f), static_cast<T>(k.m));
    }

    void addMapped(const Input& in, RowRange rows, const ToneConstants& k, Reduction& mapped) override {
        forPixels(in, rows, [&](std::int64_t x, std::int64_t y) {
            const Pixel p = scaled(bounded(in, x, y, static_cast<T>(k.limit)), k);
            if (p.luminance == p.luminance)
                for (int i = 0; i < plan().channels(); ++i) mapped.add(static_cast<double>(receptor(p, i, k)));
        });
    }

    /// Returns whether it is brighter than white.
    bool store(const Output& out, std::int64_t x, std::int64_t y, const T (&value)[3]) const {
        bool brighter = false;
        for (int i = 0; i < plan().channels(); ++i) {
            brighter = brighter || value[i] > static_cast<T>(tone::kBrighterThanWhite);
            out.at(x, y, 0, plan().colour[static_cast<std::size_t>(i)]) = static_cast<float>(encodedValue(parameters(), value[i]));
        }
        return brighter;
    }

    void mapByFactor(const Pixel& p, T factor, T (&value)[3]) const {
        const T saturation = static_cast<T>(parameters().saturation);
        for (int i = 0; i < plan().channels(); ++i) value[i] = factor * tone::saturated(p.c[i], p.luminance, saturation);
    }
    void mapReceptor(const Pixel& p, const ToneConstants& k, T (&value)[3]) const {
        for (int i = 0; i < plan().channels(); ++i)
            value[i] = (receptor(p, i, k) - static_cast<T>(k.mappedLow)) * static_cast<T>(k.mappedPerRange);
        const T saturation = static_cast<T>(parameters().saturation), luminance = tone::luminance(weights_, value, plan().channels());
        if (!plan().grey())
            for (int i = 0; i < plan().channels(); ++i) value[i] = tone::saturated(value[i], luminance, saturation);
    }
    void mapHistogram(const Pixel& p, const AdjustmentCurve& curve, T (&value)[3]) const {
        const T delta = static_cast<T>(parameters().delta), saturation = static_cast<T>(parameters().saturation);
        const T display = displayed(curve, std::fabs(p.luminance));
        for (int i = 0; i < plan().channels(); ++i)
            value[i] = plan().grey() ? std::copysign(display, p.luminance)
                                     : tone::coloured(display, p.c[i], p.luminance, delta, static_cast<T>(plan().largestRatio), saturation);
    }
    T displayed(const AdjustmentCurve& curve, T luminance) const {
        if (curve.linear > 0) return luminance * static_cast<T>(curve.linear);
        const BinScale<T> scale{static_cast<T>(curve.scale.first), static_cast<T>(curve.scale.perUnit), curve.scale.bins};
        const T position = scale.position(tone::brightness(luminance, static_cast<T>(parameters().delta)));
        const int bin = scale.binAt(position);
        const T below = static_cast<T>(curve.cumulative[static_cast<std::size_t>(bin)]);
        const T above = static_cast<T>(curve.cumulative[static_cast<std::size_t>(bin) + 1]);
        return tone::displayed(below + (above - below) * (position - static_cast<T>(bin)), static_cast<T>(curve.logRange),
                               static_cast<T>(curve.perRange));
    }

    std::int64_t map(const Input& in, const Output& out, RowRange rows, const ToneConstants& k, const AdjustmentCurve* curve) override {
        std::int64_t brighter = 0;
        forPixels(in, rows, [&](std::int64_t x, std::int64_t y) {
            const Pixel p = bounded(in, x, y, static_cast<T>(k.limit));
            T value[3] = {p.luminance, p.luminance, p.luminance};
            if (p.luminance != p.luminance) store(out, x, y, value);  // a NaN in one channel
            else if (curve) mapHistogram(p, *curve, value);
            else if (parameters().op == ToneOperator::photoreceptor) mapReceptor(scaled(p, k), k, value);
            else mapByFactor(p, tone::globalFactor(std::fabs(p.luminance), static_cast<T>(k.q), static_cast<T>(k.k)), value);
            brighter += store(out, x, y, value);
        });
        return brighter;
    }

    std::int64_t localRows() const override { return kBandRows; }

    void localRowsAre(const SurroundRows& rows) override { rows_ = rows; }

    void localBegins(const Input& in, const ToneConstants& k, RunContext& context) override {
        if (rows_.above + rows_.below == 0) return;
        // Other parts reach no further into this one than `reach` rows from each end.
        width_ = in.shape.width;
        const std::int64_t end = std::min(rows_.reach, rows_.own);
        ends_.resize(static_cast<std::size_t>(2 * end * width_));
        halo_.resize(static_cast<std::size_t>((rows_.above + rows_.below) * width_));
        for (std::int64_t row = 0; row < 2 * end; ++row) {
            context.throwIfStopped();
            setLuminance(in, row < end ? row : rows_.own - 2 * end + row, k, ends_.data() + row * width_);
        }
    }
    View<float> luminanceRows(std::int64_t first, std::int64_t count) override {
        constexpr std::int64_t kFloats = sizeof(T) / sizeof(float);
        const std::int64_t end = std::min(rows_.reach, rows_.own);
        T* const data = first < 0 || first >= rows_.own
                            ? haloRow(first)
                            : ends_.data() + (first + count <= end ? first : first - rows_.own + 2 * end) * width_;
        return denseView(reinterpret_cast<float*>(data), Shape{width_ * kFloats, count, 1, 1});
    }

    std::int64_t mapLocal(const Input& in, const Output& out, RowRange rows, const ToneConstants& k, int,
                          const RunContext& context) override {
        const std::int64_t width = in.shape.width, margin = plan().scales.back().radius;
        const auto at = [width](HostVector<T>& plane, std::int64_t row) { return plane.data() + row * width; };
        const auto size = static_cast<std::size_t>(rows.count() * width);
        HostVector<T> luminance(static_cast<std::size_t>((rows.count() + 2 * margin) * width)), across(luminance.size());
        for (std::int64_t row = 0; row < rows.count() + 2 * margin; ++row) {
            const std::int64_t y = std::clamp<std::int64_t>(rows.first - margin + row, -rows_.above, rows_.own + rows_.below - 1);
            if (y >= 0 && y < rows_.own) setLuminance(in, y, k, at(luminance, row));
            else std::copy_n(haloRow(y), width, at(luminance, row));
        }
        HostVector<T> smaller(size), larger(size), surround(size), chosen(size);
        HostVector<char> open(size, 1);
        for (std::size_t i = 0; i < plan().scales.size(); ++i) {
            blur(luminance, across, larger, rows.count(), width, margin, i, context);
            if (i == 0) {
                surround = larger;
            } else {
                const T sharpening = static_cast<T>(k.sharpening[i - 1]), epsilon = static_cast<T>(parameters().epsilon);
                for (std::size_t j = 0; j < size; ++j) {
                    open[j] = open[j] && tone::activity(smaller[j], larger[j], sharpening) <= epsilon;
                    if (!open[j]) continue;
                    surround[j] = smaller[j];
                    chosen[j] = static_cast<T>(i - 1);
                }
            }
            smaller.swap(larger);
        }
        std::int64_t brighter = 0;
        const T perScale = parameters().scales > 1 ? T(1) / static_cast<T>(parameters().scales - 1) : T(0);
        for (std::int64_t y = rows.first; y < rows.last; ++y)
            for (std::int64_t x = 0; x < width; ++x) {
                const Pixel p = bounded(in, x, y, static_cast<T>(k.limit));
                const auto j = static_cast<std::size_t>((y - rows.first) * width + x);
                T value[3] = {p.luminance, p.luminance, p.luminance};
                if (parameters().output == ToneOutput::scale || p.luminance != p.luminance) {
                    const T shown = p.luminance == p.luminance ? chosen[j] * perScale : p.luminance;
                    for (const int c : plan().colour) out.at(x, y, 0, c) = static_cast<float>(shown);
                    continue;
                }
                mapByFactor(p, tone::localFactor(surround[j], static_cast<T>(k.q)), value);
                brighter += store(out, x, y, value);
            }
        return brighter;
    }

private:
    void setLuminance(const Input& in, std::int64_t y, const ToneConstants& k, T* to) const {
        for (std::int64_t x = 0; x < in.shape.width; ++x) {
            const T l = std::fabs(bounded(in, x, y, static_cast<T>(k.limit)).luminance);
            // A pixel without a luminance counts as middle grey for its neighbours.
            to[x] = l == l ? l : static_cast<T>(k.logAverage);
        }
    }
    /// A row above or below the part.
    T* haloRow(std::int64_t y) { return halo_.data() + (y < 0 ? rows_.above + y : rows_.above + y - rows_.own) * width_; }

    /// One Gaussian: rows first, then columns.
    void blur(HostVector<T>& luminance, HostVector<T>& across, HostVector<T>& result, std::int64_t rows, std::int64_t width,
              std::int64_t margin, std::size_t scale, const RunContext& context) const {
        const std::vector<T>& weights = scaleWeights_[scale];
        const std::int64_t radius = plan().scales[scale].radius;
        std::vector<T> padded(static_cast<std::size_t>(width + 2 * radius));
        for (std::int64_t row = margin - radius; row < rows + margin + radius; ++row) {
            context.throwIfStopped();
            const T* line = luminance.data() + row * width;
            T* sum = across.data() + row * width;
            for (std::int64_t x = 0; x < width + 2 * radius; ++x)
                padded[static_cast<std::size_t>(x)] = line[std::clamp<std::int64_t>(x - radius, 0, width - 1)];
            std::fill_n(sum, width, T(0));
            for (std::int64_t tap = 0; tap <= 2 * radius; ++tap)
                for (std::int64_t x = 0; x < width; ++x)
                    sum[x] += weights[static_cast<std::size_t>(tap)] * padded[static_cast<std::size_t>(x + tap)];
        }
        for (std::int64_t row = 0; row < rows; ++row) {
            context.throwIfStopped();
            T* sum = result.data() + row * width;
            std::fill_n(sum, width, T(0));
            for (std::int64_t tap = 0; tap <= 2 * radius; ++tap) {
                const T* line = across.data() + (row + margin - radius + tap) * width;
                for (std::int64_t x = 0; x < width; ++x) sum[x] += weights[static_cast<std::size_t>(tap)] * line[x];
            }
        }
    }

    tone::ColourWeights<T> weights_;
    std::vector<std::vector<T>> scaleWeights_;
    typename HostToneMapping::SurroundRows rows_;
    std::int64_t width_ = 0;
    std::vector<T> ends_, halo_;  // luminance of the first and the last rows of a part, and of those above and below it
};

}  // namespace parallax
