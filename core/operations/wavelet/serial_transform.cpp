// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/wavelet/serial_transform.hpp"

#include <algorithm>

namespace parallax {
namespace {

Shape boxShape(const WaveletPlan& plan) {
    std::array<std::int64_t, 3> e{};
    // Bands of a later level may be longer than those of the first: short signals grow towards the length of the filter.
    for (std::size_t a = 0; a < 3; ++a) {
        e[a] = plan.axes[a].count[0];
        for (std::size_t l = 1; plan.axes[a].transformed && l < plan.axes[a].count.size(); ++l)
            e[a] = std::max(e[a], 2 * plan.axes[a].count[l]);
    }
    return {e[0], e[1], e[2], 1};
}

double valueAt(std::span<const double> x, std::int64_t i, WaveletMode rule) {
    const auto e = extendedSample<std::int64_t>(i, static_cast<std::int64_t>(x.size()), rule);
    double value = 0;
    for (int k = 0; k < e.count; ++k) value += e.factor[k] * x[static_cast<std::size_t>(e.index[k])];
    return value;
}

}  // namespace

void analyseLine(const WaveletPlan& plan, std::span<const double> x, std::int64_t first, std::span<double> lo, std::span<double> hi) {
    const FilterBank& b = plan.bank;
    const int shift = analysisShift(b.taps(), plan.mode);
    for (std::size_t o = 0; o < lo.size(); ++o) {
        double low = 0, high = 0;
        for (int j = 0; j < b.taps(); ++j) {
            const double value = valueAt(x, 2 * (first + static_cast<std::int64_t>(o)) + shift - j, plan.mode);
            low += b.decLo[static_cast<std::size_t>(j)] * value;
            high += b.decHi[static_cast<std::size_t>(j)] * value;
        }
        lo[o] = low;
        hi[o] = high;
    }
}

void synthesiseLine(const WaveletPlan& plan, std::span<const double> lo, std::span<const double> hi, std::int64_t first,
                    std::span<double> x) {
    const FilterBank& b = plan.bank;
    const SynthesisPhase phase = synthesisPhase(b.taps(), plan.mode);
    const auto n = static_cast<std::int64_t>(lo.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        const std::int64_t at = first + static_cast<std::int64_t>(i) + phase.offset, pair = at / 2, p = at % 2;
        double value = 0;
        for (std::int64_t j = 0; j < b.taps() / 2; ++j) {
            std::int64_t o = pair + phase.shift - j;
            if (plan.mode == WaveletMode::periodization) o = (o % n + n) % n;
            const auto tap = static_cast<std::size_t>(2 * j + p), k = static_cast<std::size_t>(o);
            value += b.recLo[tap] * lo[k] + b.recHi[tap] * hi[k];
        }
        x[i] = value;
    }
}

SerialTransform::SerialTransform(const WaveletPlan& plan) : plan_(plan) {
    const Shape shape = boxShape(plan);
    box_.resize(checkedBytes(shape, SampleType::float64) / sizeof(double));
    view_ = denseView(box_.data(), shape);
}

std::uint64_t SerialTransform::bytes(const WaveletPlan& plan) {
    const Shape box = boxShape(plan);
    return static_cast<std::uint64_t>(box.samples() + 4 * (box.width + box.height + box.depth) + 4 * plan.taps()) * sizeof(double);
}

std::int64_t SerialTransform::lines() const {
    std::int64_t lines = 0;
    for (std::size_t l = 1; l <= static_cast<std::size_t>(plan_.levels); ++l) {
        std::array<std::int64_t, 3> extent{};
        for (std::size_t a = 0; a < 3; ++a) extent[a] = plan_.axes[a].count[l - 1];
        for (std::size_t a = 0; a < 3; ++a) {
            if (!plan_.axes[a].transformed) continue;
            lines += extent[(a + 1) % 3] * extent[(a + 2) % 3];
            extent[a] = 2 * plan_.axes[a].count[l];
        }
    }
    return lines;
}

/// f(line): samples along `axis` from 0 on, a stride apart, for all lines within the extent of the other axes.
template <class F>
void SerialTransform::forEachLine(std::size_t axis, const std::array<std::int64_t, 3>& extent, const LineDone& done, F&& f) {
    const std::int64_t strides[] = {1, view_.rowStride, view_.sliceStride};
    const std::size_t inner = axis == 0 ? 1 : 0, outer = axis == 2 ? 1 : 2;
    for (std::int64_t v = 0; v < extent[outer]; ++v)
        for (std::int64_t u = 0; u < extent[inner]; ++u) {
            f(view_.data + u * strides[inner] + v * strides[outer], strides[axis]);
            done();
        }
}

/// f(sample of the mosaic, sample of the box) for every band of a level, the approximation only at the last one.
template <class T, class F>
void SerialTransform::forBandsOfLevel(View<T> mosaic, int level, F&& f) {
    for (const WaveletBand& band : plan_.bands()) {
        if (band.level != level) continue;
        const auto at = [&](std::size_t a) { return band.details >> a & 1U ? plan_.axes[a].count[static_cast<std::size_t>(level)] : 0; };
        for (std::int64_t z = 0; z < band.extent[2]; ++z)
            for (std::int64_t y = 0; y < band.extent[1]; ++y)
                for (std::int64_t x = 0; x < band.extent[0]; ++x)
                    f(mosaic.at(band.origin[0] + x, band.origin[1] + y, band.origin[2] + z), view_.at(at(0) + x, at(1) + y, at(2) + z));
    }
}

template <class T>
void SerialTransform::forward(View<const float> image, View<T> mosaic, const LineDone& done) {
    for (std::int64_t z = 0; z < mosaic.shape.depth; ++z)
        for (std::int64_t y = 0; y < mosaic.shape.height; ++y) std::fill_n(mosaic.row(y, z), mosaic.shape.width, T(0));
    for (std::int64_t z = 0; z < image.shape.depth; ++z)
        for (std::int64_t y = 0; y < image.shape.height; ++y) std::copy_n(image.row(y, z), image.shape.width, view_.row(y, z));
    std::vector<double> x, lo, hi;
    for (int level = 1; level <= plan_.levels; ++level) {
        const auto l = static_cast<std::size_t>(level);
        std::array<std::int64_t, 3> extent{};
        for (std::size_t a = 0; a < 3; ++a) extent[a] = plan_.axes[a].count[l - 1];
        for (std::size_t a = 0; a < 3; ++a) {
            if (!plan_.axes[a].transformed) continue;
            x.resize(static_cast<std::size_t>(extent[a]));
            lo.resize(static_cast<std::size_t>(plan_.axes[a].count[l]));
            hi.resize(lo.size());
            forEachLine(a, extent, done, [&](double* first, std::int64_t stride) {
                for (std::size_t i = 0; i < x.size(); ++i) x[i] = first[static_cast<std::int64_t>(i) * stride];
                analyseLine(plan_, x, 0, lo, hi);
                for (std::size_t i = 0; i < lo.size(); ++i) {
                    first[static_cast<std::int64_t>(i) * stride] = lo[i];
                    first[static_cast<std::int64_t>(lo.size() + i) * stride] = hi[i];
                }
            });
            extent[a] = 2 * plan_.axes[a].count[l];
        }
        forBandsOfLevel(mosaic, level, [](T& coefficient, double& sample) { coefficient = static_cast<T>(sample); });
    }
}

template <class T>
void SerialTransform::inverse(View<const T> mosaic, View<float> image, const LineDone& done) {
    std::vector<double> x, lo, hi;
    for (int level = plan_.levels; level >= 1; --level) {
        const auto l = static_cast<std::size_t>(level);
        forBandsOfLevel(mosaic, level, [](const T& coefficient, double& sample) { sample = static_cast<double>(coefficient); });
        std::array<std::int64_t, 3> extent{};
        for (std::size_t a = 0; a < 3; ++a) extent[a] = plan_.axes[a].count[l] * (plan_.axes[a].transformed ? 2 : 1);
        for (std::size_t a = 3; a-- > 0;) {
            if (!plan_.axes[a].transformed) continue;
            x.resize(static_cast<std::size_t>(plan_.axes[a].count[l - 1]));
            lo.resize(static_cast<std::size_t>(plan_.axes[a].count[l]));
            hi.resize(lo.size());
            forEachLine(a, extent, done, [&](double* first, std::int64_t stride) {
                for (std::size_t i = 0; i < lo.size(); ++i) {
                    lo[i] = first[static_cast<std::int64_t>(i) * stride];
                    hi[i] = first[static_cast<std::int64_t>(lo.size() + i) * stride];
                }
                synthesiseLine(plan_, lo, hi, 0, x);
                for (std::size_t i = 0; i < x.size(); ++i) first[static_cast<std::int64_t>(i) * stride] = x[i];
            });
            extent[a] = plan_.axes[a].count[l - 1];
        }
    }
    for (std::int64_t z = 0; z < image.shape.depth; ++z)
        for (std::int64_t y = 0; y < image.shape.height; ++y)
            for (std::int64_t i = 0; i < image.shape.width; ++i) image.at(i, y, z) = static_cast<float>(view_.at(i, y, z));
}

template void SerialTransform::forward(View<const float>, View<float>, const LineDone&);
template void SerialTransform::forward(View<const float>, View<double>, const LineDone&);
template void SerialTransform::inverse(View<const float>, View<float>, const LineDone&);
template void SerialTransform::inverse(View<const double>, View<float>, const LineDone&);

}  // namespace parallax
