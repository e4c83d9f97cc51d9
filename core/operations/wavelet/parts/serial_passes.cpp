// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/wavelet/parts/serial_passes.hpp"

#include <algorithm>
#include <numeric>

#include "core/operations/wavelet/serial_transform.hpp"

namespace parallax {

template <class T>
void SerialPasses<T>::divide(const PartLevels& levels, int) {
    levels_ = &levels;
}

template <class T>
std::vector<std::int64_t> SerialPasses<T>::window(int level, const LineHalo& halo) const {
    const PartRange own = levels_->range(level);
    std::vector<std::int64_t> lines(halo.lines);
    const auto at = lines.insert(std::lower_bound(lines.begin(), lines.end(), own.first), static_cast<std::size_t>(own.count()), 0);
    std::iota(at, at + own.count(), own.first);
    return lines;
}

/// In the order of SerialTransform: along x, y, z, and back.
template <class T>
std::vector<typename SerialPasses<T>::Pass> SerialPasses<T>::passes(int level, bool inverse) const {
    const auto l = static_cast<std::size_t>(level);
    const auto& axes = levels_->own().axes;
    const int from = inverse ? level : level - 1;
    const auto lines =
        static_cast<std::int64_t>(window(from, inverse ? levels_->synthesisHalo(level) : levels_->analysisHalo(level)).size());
    std::vector<Pass> all;
    Extent extent{};
    for (std::size_t a = 0; a < 3; ++a) {
        extent[a] = a == levels_->axis() ? lines : axes[a].count[static_cast<std::size_t>(from)];
        if (inverse && axes[a].transformed) extent[a] *= 2;
    }
    for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t a = inverse ? 2 - i : i;
        if (!axes[a].transformed) continue;
        all.push_back({a, extent, inverse ? axes[a].count[l - 1] : 2 * axes[a].count[l]});
        extent[a] = all.back().after;
    }
    return all;
}

template <class T>
std::int64_t SerialPasses<T>::units(bool inverse) const {
    std::int64_t units = 0;
    for (int level = 1; level <= levels_->whole().levels; ++level) {
        if (levels_->range(inverse ? level - 1 : level).empty()) continue;
        for (const Pass& pass : passes(level, inverse)) units += pass.before[(pass.axis + 1) % 3] * pass.before[(pass.axis + 2) % 3];
    }
    return units;
}

template <class T>
void SerialPasses<T>::makeBox(const std::vector<Pass>& passes) {
    Extent extent{};
    for (const Pass& pass : passes)
        for (std::size_t a = 0; a < 3; ++a) extent[a] = std::max({extent[a], pass.before[a], a == pass.axis ? pass.after : 0});
    const Shape shape{extent[0], extent[1], extent[2], 1};
    box_.resize(std::max(box_.size(), checkedBytes(shape, SampleType::float64) / sizeof(double)));
    view_ = denseView(box_.data(), shape);
}

/// f(line): samples from 0 on, a stride apart, for all lines within the extent of the other axes.
template <class T>
template <class F>
void SerialPasses<T>::forEachLine(const Pass& pass, const RunContext& context, ProgressShare& progress, F&& f) {
    const std::int64_t strides[] = {1, view_.rowStride, view_.sliceStride};
    const std::size_t inner = pass.axis == 0 ? 1 : 0, outer = pass.axis == 2 ? 1 : 2;
    for (std::int64_t v = 0; v < pass.before[outer]; ++v)
        for (std::int64_t u = 0; u < pass.before[inner]; ++u) {
            f(view_.data + u * strides[inner] + v * strides[outer], strides[pass.axis]);
            context.throwIfStopped();
            progress.add(1);
        }
}

template <class T>
void SerialPasses<T>::analyse(int level, const typename LevelPasses<T>::Input& input, const View<T>& mosaic,
                              const View<double>& approximation, const RunContext& context, ProgressShare& progress) {
    const std::vector<Pass> all = passes(level, false);
    const std::vector<std::int64_t> lines = window(level - 1, levels_->analysisHalo(level));
    const std::size_t axis = levels_->axis();
    makeBox(all);
    const Extent& extent = all.front().before;
    for (std::int64_t z = 0; z < extent[2]; ++z)
        for (std::int64_t y = 0; y < extent[1]; ++y) {
            const std::int64_t atY = axis == 1 ? lines[static_cast<std::size_t>(y)] : y,
                               atZ = axis == 2 ? lines[static_cast<std::size_t>(z)] : z;
            if (level == 1) std::copy_n(input.image.row(atY, atZ), extent[0], view_.row(y, z));
            else std::copy_n(input.approximation.row(atY, atZ), extent[0], view_.row(y, z));
        }
    const WaveletPlan &whole = levels_->whole(), &own = levels_->own();
    std::vector<double> x, lo, hi;
    for (const Pass& pass : all) {
        const bool divided = pass.axis == axis;
        x.assign(static_cast<std::size_t>(whole.axes[pass.axis].count[static_cast<std::size_t>(level) - 1]), 0);
        lo.resize(static_cast<std::size_t>(pass.after / 2));
        hi.resize(lo.size());
        forEachLine(pass, context, progress, [&](double* first, std::int64_t stride) {
            // Only the lines of the window are read.
            for (std::int64_t i = 0; i < pass.before[pass.axis]; ++i)
                x[static_cast<std::size_t>(divided ? lines[static_cast<std::size_t>(i)] : i)] = first[i * stride];
            analyseLine(whole, x, divided ? levels_->range(level).first : 0, lo, hi);
            for (std::size_t i = 0; i < lo.size(); ++i) {
                first[static_cast<std::int64_t>(i) * stride] = lo[i];
                first[static_cast<std::int64_t>(lo.size() + i) * stride] = hi[i];
            }
        });
    }
    const Shape of = own.levelShape(level);
    for (const WaveletBand& band : own.bands()) {
        if (band.level != level) continue;
        const auto at = [&](unsigned a) { return band.details >> a & 1U ? own.axes[a].count[static_cast<std::size_t>(level)] : 0; };
        for (std::int64_t z = 0; z < of.depth; ++z)
            for (std::int64_t y = 0; y < of.height; ++y) {
                const double* const from = view_.row(at(1) + y, at(2) + z) + at(0);
                std::transform(from, from + of.width, mosaic.row(band.origin[1] + y, band.origin[2] + z) + band.origin[0],
                               [](double v) { return static_cast<T>(v); });
            }
    }
    if (!approximation.data) return;
    for (std::int64_t z = 0; z < of.depth; ++z)
        for (std::int64_t y = 0; y < of.height; ++y) std::copy_n(view_.row(y, z), of.width, approximation.row(y, z));
}

template <class T>
void SerialPasses<T>::synthesise(int level, const typename LevelPasses<T>::Bands& bands, const typename LevelPasses<T>::Output& output,
                                 const RunContext& context, ProgressShare& progress) {
    const std::vector<Pass> all = passes(level, true);
    const std::vector<std::int64_t> lines = window(level, levels_->synthesisHalo(level));
    const std::size_t axis = levels_->axis();
    makeBox(all);
    const WaveletPlan& whole = levels_->whole();
    // Extent of one band in the box.
    Extent extent = all.front().before;
    for (std::size_t a = 0; a < 3; ++a)
        if (whole.axes[a].transformed) extent[a] /= 2;
    for (unsigned details = 0; details < 8; ++details) {
        if (details > 0 && !bands.bands[details].given()) continue;
        const auto at = [&](unsigned a) { return details >> a & 1U ? extent[a] : 0; };
        for (std::int64_t z = 0; z < extent[2]; ++z)
            for (std::int64_t y = 0; y < extent[1]; ++y) {
                const std::int64_t atY = axis == 1 ? lines[static_cast<std::size_t>(y)] : y,
                                   atZ = axis == 2 ? lines[static_cast<std::size_t>(z)] : z;
                double* const to = view_.row(at(1) + y, at(2) + z) + at(0);
                if (details == 0 && bands.approximation.given()) std::copy_n(bands.approximation.row(atY, atZ), extent[0], to);
                else std::copy_n(bands.bands[details].row(atY, atZ), extent[0], to);
            }
    }
    std::vector<double> x, lo, hi;
    for (const Pass& pass : all) {
        const bool divided = pass.axis == axis;
        const std::int64_t half = pass.before[pass.axis] / 2;
        lo.assign(static_cast<std::size_t>(whole.axes[pass.axis].count[static_cast<std::size_t>(level)]), 0);
        hi.assign(lo.size(), 0);
        x.resize(static_cast<std::size_t>(pass.after));
        forEachLine(pass, context, progress, [&](double* first, std::int64_t stride) {
            for (std::int64_t i = 0; i < half; ++i) {
                const auto at = static_cast<std::size_t>(divided ? lines[static_cast<std::size_t>(i)] : i);
                lo[at] = first[i * stride];
                hi[at] = first[(half + i) * stride];
            }
            synthesiseLine(whole, lo, hi, divided ? levels_->range(level - 1).first : 0, x);
            for (std::size_t i = 0; i < x.size(); ++i) first[static_cast<std::int64_t>(i) * stride] = x[i];
        });
    }
    const Shape of = levels_->own().levelShape(level - 1);
    for (std::int64_t z = 0; z < of.depth; ++z)
        for (std::int64_t y = 0; y < of.height; ++y) {
            const double* const from = view_.row(y, z);
            if (output.approximation.data) std::copy_n(from, of.width, output.approximation.row(y, z));
            else std::transform(from, from + of.width, output.image.row(y, z), [](double v) { return static_cast<float>(v); });
        }
}

template class SerialPasses<float>;
template class SerialPasses<double>;

}  // namespace parallax
