// SPDX-License-Identifier: GPL-3.0-or-later
// The transform as defined, line by line in double precision, for the reference and for sample inputs.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "core/operations/wavelet/layout.hpp"

#include "core/image/host/host_vector.hpp"

namespace parallax {

/// Coefficients `first`, `first` + 1, ... of a line of samples.
void analyseLine(const WaveletPlan& plan, std::span<const double> x, std::int64_t first, std::span<double> lo, std::span<double> hi);
/// Samples `first`, `first` + 1, ... of a line with these coefficients.
void synthesiseLine(const WaveletPlan& plan, std::span<const double> lo, std::span<const double> hi, std::int64_t first,
                    std::span<double> x);

class SerialTransform {
public:
    /// Called after each line along an axis, to stop (by an exception) and to count.
    using LineDone = std::function<void()>;

    explicit SerialTransform(const WaveletPlan& plan);

    /// One channel of an image into one of a mosaic, gaps included. T is float or double.
    template <class T>
    void forward(View<const float> image, View<T> mosaic, const LineDone& done);
    /// One channel of a mosaic into one of an image; gaps are ignored. T is float or double.
    template <class T>
    void inverse(View<const T> mosaic, View<float> image, const LineDone& done);

    /// Calls of `done` for one channel in one direction.
    std::int64_t lines() const;
    /// Bytes that an object takes.
    static std::uint64_t bytes(const WaveletPlan& plan);

private:
    template <class F>
    void forEachLine(std::size_t axis, const std::array<std::int64_t, 3>& extent, const LineDone& done, F&& f);
    template <class T, class F>
    void forBandsOfLevel(View<T> mosaic, int level, F&& f);

    const WaveletPlan& plan_;
    /// Bands of a level side by side: along each axis the approximation from 0 and the details from count[level] on.
    HostVector<double> box_;
    View<double> view_;
};

}  // namespace parallax
