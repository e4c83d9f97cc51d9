// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/image/difference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

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

/// Largest error / tolerance of a row of finite samples, and where it is.
struct RowShare {
    double share = 0;
    std::int64_t x = 0;
    std::uint64_t beyond = 0;
};

RowShare compareWithTolerances(const float* a, const float* b, const float* tolerance, std::int64_t n) {
    RowShare r;
    for (std::int64_t i = 0; i < n; ++i) {
        if (!isFinite(a[i]) || !isFinite(b[i])) continue;
        const double error = std::fabs(static_cast<double>(b[i]) - static_cast<double>(a[i])), allowed = static_cast<double>(tolerance[i]);
        if (error == 0) continue;
        r.beyond += error > allowed;
        const double share = allowed > 0 ? error / allowed : kInfinity;
        if (share > r.share) r = {share, i, r.beyond};
    }
    return r;
}

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

/// Sums over the rows of two images.
class Comparison {
public:
    explicit Comparison(const DifferenceOptions& options) : options_(options), worst_(options.worstCount) {}

    /// `frame`: columns at both ends of the row that border modes influence.
    void addRow(const float* a, const float* b, std::int64_t width, std::int64_t frame, const WorstPixel& start) {
        const std::int64_t left = std::min(frame, width), right = std::max(left, width - frame);
        double rowMax = 0;
        bool allFinite = true;
        const auto part = [&](std::int64_t from, std::int64_t to, Sums& sums) {
            if (from >= to) return;
            const RowResult r = compareRow(a + from, b + from, to - from);
            sums.add(r.sums);
            referenceSquares_ += r.referenceSquares;
            rowMax = std::max(rowMax, r.sums.maxAbs);
            allFinite = allFinite && r.allFinite;
        };
        part(0, left, border_);
        part(left, right, interior_);
        part(right, width, border_);
        const bool counts = options_.tolerance && !options_.localTolerance && rowMax > *options_.tolerance;
        if (allFinite && !counts && !worst_.wants(rowMax)) return;
        for (std::int64_t x = 0; x < width; ++x) {
            const WorstPixel p{x, start.y, start.z, start.channel, static_cast<double>(a[x]), static_cast<double>(b[x])};
            if (!isFinite(a[x]) || !isFinite(b[x])) {
                if (std::isnan(a[x]) != std::isnan(b[x])) ++m_.nanMismatches;
                else if (!std::isnan(a[x]) && a[x] != b[x]) ++m_.infinityMismatches;
            } else if (counts && p.error() > *options_.tolerance) {
                ++beyond_;
            }
            worst_.add(p);
        }
    }

    /// `tolerances` of the samples of the row.
    void addLocal(const float* a, const float* b, const float* tolerances, std::int64_t width, const WorstPixel& start) {
        const RowShare row = compareWithTolerances(a, b, tolerances, width);
        beyond_ += row.beyond;
        if (row.share <= (m_.closest ? m_.closest->share : 0)) return;
        m_.closest = {{row.x, start.y, start.z, start.channel, static_cast<double>(a[row.x]), static_cast<double>(b[row.x])}, row.share};
    }

    /// All but the peak.
    DifferenceMetrics result() {
        Sums all = border_;
        all.add(interior_);
        m_.maxAbs = all.maxAbs;
        m_.meanAbs = all.count ? all.abs / static_cast<double>(all.count) : 0;
        m_.rmse = all.rmse();
        m_.relativeL2 = all.squares == 0 ? 0 : referenceSquares_ > 0 ? std::sqrt(all.squares / referenceSquares_) : kInfinity;
        m_.compared = all.count;
        m_.maxAbsBorder = border_.maxAbs;
        m_.rmseBorder = border_.rmse();
        m_.maxAbsInterior = interior_.maxAbs;
        m_.rmseInterior = interior_.rmse();
        if (options_.tolerance || options_.localTolerance) m_.beyond = beyond_;
        m_.worst = worst_.take();
        return std::move(m_);
    }

private:
    const DifferenceOptions& options_;
    Sums border_, interior_;
    double referenceSquares_ = 0;
    std::uint64_t beyond_ = 0;
    DifferenceMetrics m_;
    WorstList worst_;
};

}  // namespace

DifferenceMetrics compareViews(View<const float> a, View<const float> b, const DifferenceOptions& options) {
    const Shape& s = a.shape;
    if (s != b.shape)
        throw Error(ErrorCode::usage, "Images of different size cannot be compared", sizeText(s) + " against " + sizeText(b.shape));
    const std::int64_t frame = std::max<std::int64_t>(0, options.borderWidth);
    Comparison comparison(options);
    std::vector<float> tolerances(options.localTolerance ? static_cast<std::size_t>(s.width * s.height) : 0);
    for (std::int64_t c = 0; c < s.channels; ++c)
        for (std::int64_t z = 0; z < s.depth; ++z) {
            if (options.localTolerance) options.localTolerance(z, c, tolerances);
            for (std::int64_t y = 0; y < s.height; ++y) {
                const float *rowA = a.row(y, z, c), *rowB = b.row(y, z, c);
                comparison.addRow(rowA, rowB, s.width, y < frame || y >= s.height - frame ? s.width : frame, {0, y, z, c});
                if (options.localTolerance) comparison.addLocal(rowA, rowB, tolerances.data() + y * s.width, s.width, {0, y, z, c});
            }
        }
    DifferenceMetrics m = comparison.result();
    m.borderWidth = frame;
    m.peak = options.peak ? *options.peak : findPeak(a);
    m.psnr = m.rmse > 0 ? 20 * std::log10(m.peak / m.rmse) : kInfinity;
    return m;
}

}  // namespace parallax
