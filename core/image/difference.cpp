// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/image/difference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/image/error.hpp"

namespace parallax {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool isFinite(float v) { return std::fabs(v) <= std::numeric_limits<float>::max(); }

/// Sums over one part of the image (all, border frame or interior).
struct Sums {
    double maxAbs = 0, abs = 0, squares = 0;
    std::uint64_t count = 0;

    double rmse() const { return count ? std::sqrt(squares / static_cast<double>(count)) : 0; }
    void add(const Sums& o) {
        maxAbs = std::max(maxAbs, o.maxAbs);
        abs += o.abs;
        squares += o.squares;
        count += o.count;
    }
};

struct RowResult {
    Sums sums;
    double referenceSquares = 0;
    bool allFinite = true;
};

/// The fast path: without branches on samples, so that compilers vectorise it.
RowResult compareRow(const float* a, const float* b, std::int64_t n) {
    RowResult r;
    double maxAbs = 0, abs = 0, squares = 0, reference = 0;
    std::int64_t good = 0;
    for (std::int64_t i = 0; i < n; ++i) {
        const bool ok = isFinite(a[i]) && isFinite(b[i]);
        const double va = ok ? static_cast<double>(a[i]) : 0.0;
        const double d = ok ? std::fabs(static_cast<double>(b[i]) - va) : 0.0;
        good += ok;
        maxAbs = d > maxAbs ? d : maxAbs;
        abs += d;
        squares += d * d;
        reference += va * va;
    }
    r.sums = {maxAbs, abs, squares, static_cast<std::uint64_t>(good)};
    r.referenceSquares = reference;
    r.allFinite = good == n;
    return r;
}

/// The largest errors so far.
class WorstList {
public:
    explicit WorstList(int capacity) : capacity_(static_cast<std::size_t>(std::max(0, capacity))) {}

    bool wants(double error) const { return error > 0 && (list_.size() < capacity_ || (capacity_ > 0 && error > list_.front().error())); }
    void add(const WorstPixel& p) {
        if (!wants(p.error())) return;
        if (list_.size() == capacity_) {
            std::pop_heap(list_.begin(), list_.end(), larger);
            list_.pop_back();
        }
        list_.push_back(p);
        std::push_heap(list_.begin(), list_.end(), larger);
    }
    std::vector<WorstPixel> take() {
        std::sort(list_.begin(), list_.end(), larger);
        return std::move(list_);
    }

private:
    static bool larger(const WorstPixel& a, const WorstPixel& b) { return a.error() > b.error(); }
    std::size_t capacity_;
    std::vector<WorstPixel> list_;  // a heap whose front is the smallest kept error
};

double findPeak(View<const float> a) {
    double peak = 0;
    for (std::int64_t c = 0; c < a.shape.channels; ++c)
        for (std::int64_t z = 0; z < a.shape.depth; ++z)
            for (std::int64_t y = 0; y < a.shape.height; ++y) {
                const float* row = a.row(y, z, c);
                float rowPeak = 0;
                for (std::int64_t x = 0; x < a.shape.width; ++x) {
                    const float v = std::fabs(row[x]);
                    rowPeak = v <= std::numeric_limits<float>::max() && v > rowPeak ? v : rowPeak;
                }
                peak = std::max(peak, static_cast<double>(rowPeak));
            }
    return peak > 0 ? peak : 1;
}

}  // namespace

double WorstPixel::error() const {
    if (std::isfinite(a) && std::isfinite(b)) return std::fabs(b - a);
    const bool same = (std::isnan(a) && std::isnan(b)) || a == b;
    return same ? 0 : kInfinity;
}

namespace {

std::string sizeText(const Shape& s) {
    return std::to_string(s.width) + " x " + std::to_string(s.height) + " x " + std::to_string(s.depth) + " with " +
           std::to_string(s.channels) + (s.channels == 1 ? " channel" : " channels");
}

}  // namespace

DifferenceMetrics compareViews(View<const float> a, View<const float> b, const DifferenceOptions& options) {
    const Shape& s = a.shape;
    if (s != b.shape)
        throw Error(ErrorCode::usage, "Images of different size cannot be compared", sizeText(s) + " against " + sizeText(b.shape));
    DifferenceMetrics m;
    m.borderWidth = std::max<std::int64_t>(0, options.borderWidth);
    const std::int64_t left = std::min(m.borderWidth, s.width);
    const std::int64_t right = std::max(left, s.width - m.borderWidth);
    Sums border, interior;
    double referenceSquares = 0;
    std::uint64_t beyond = 0;
    WorstList worst(options.worstCount);
    for (std::int64_t c = 0; c < s.channels; ++c)
        for (std::int64_t z = 0; z < s.depth; ++z)
            for (std::int64_t y = 0; y < s.height; ++y) {
                const float* ra = a.row(y, z, c);
                const float* rb = b.row(y, z, c);
                const bool inBand = y < m.borderWidth || y >= s.height - m.borderWidth;
                double rowMax = 0;
                bool allFinite = true;
                const auto part = [&](std::int64_t from, std::int64_t to, Sums& sums) {
                    if (from >= to) return;
                    const RowResult r = compareRow(ra + from, rb + from, to - from);
                    sums.add(r.sums);
                    referenceSquares += r.referenceSquares;
                    rowMax = std::max(rowMax, r.sums.maxAbs);
                    allFinite = allFinite && r.allFinite;
                };
                if (inBand) {
                    part(0, s.width, border);
                } else {
                    part(0, left, border);
                    part(left, right, interior);
                    part(right, s.width, border);
                }
                const bool counts = options.tolerance && rowMax > *options.tolerance;
                if (allFinite && !counts && !worst.wants(rowMax)) continue;
                for (std::int64_t x = 0; x < s.width; ++x) {
                    const WorstPixel p{x, y, z, c, static_cast<double>(ra[x]), static_cast<double>(rb[x])};
                    if (!isFinite(ra[x]) || !isFinite(rb[x])) {
                        if (std::isnan(ra[x]) != std::isnan(rb[x])) ++m.nanMismatches;
                        else if (!std::isnan(ra[x]) && ra[x] != rb[x]) ++m.infinityMismatches;
                    } else if (counts && p.error() > *options.tolerance) {
                        ++beyond;
                    }
                    worst.add(p);
                }
            }
    Sums all = border;
    all.add(interior);
    if (options.tolerance) m.beyond = beyond;
    m.compared = all.count;
    m.maxAbs = all.maxAbs;
    m.meanAbs = all.count ? all.abs / static_cast<double>(all.count) : 0;
    m.rmse = all.rmse();
    m.relativeL2 = all.squares == 0 ? 0 : referenceSquares > 0 ? std::sqrt(all.squares / referenceSquares) : kInfinity;
    m.peak = options.peak ? *options.peak : findPeak(a);
    m.psnr = m.rmse > 0 ? 20 * std::log10(m.peak / m.rmse) : kInfinity;
    m.maxAbsBorder = border.maxAbs;
    m.rmseBorder = border.rmse();
    m.maxAbsInterior = interior.maxAbs;
    m.rmseInterior = interior.rmse();
    m.worst = worst.take();
    return m;
}

}  // namespace parallax
