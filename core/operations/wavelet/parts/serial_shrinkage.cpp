// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/wavelet/parts/serial_shrinkage.hpp"

#include <algorithm>
#include <cmath>

namespace parallax {
namespace {

template <class F>
void forBand(const View<double>& mosaic, const WaveletBand& band, F&& f) {
    for (std::int64_t z = 0; z < band.extent[2]; ++z)
        for (std::int64_t y = 0; y < band.extent[1]; ++y)
            for (std::int64_t x = 0; x < band.extent[0]; ++x)
                f(mosaic.at(band.origin[0] + x, band.origin[1] + y, band.origin[2] + z), z * band.extent[1] + y);
}

/// Finite coefficients of a row.
struct RowSums {
    std::int64_t finite = 0;
    double largest = 0, squares = 0;
    void add(const RowSums& r) {
        finite += r.finite;
        largest = std::max(largest, r.largest);
        squares += r.squares;
    }
};

class SerialDenoise final : public CoefficientChange<double> {
public:
    SerialDenoise(const Problem& problem, const DenoisePlan& plan) : problem_(problem), plan_(plan) {}

    void change(const View<double>& mosaic, int channel, RunContext& context) override {
        std::vector<BandStatistics> statistics;
        for (std::size_t b = 0; b < bands_.size(); ++b) {
            context.throwIfStopped();
            const bool median =
                plan_.estimatesNoise() && std::find(plan_.noiseBands.begin(), plan_.noiseBands.end(), b) != plan_.noiseBands.end();
            const double zero = zeroDetail(plan_.wavelet, bands_[b].level, problem_.statistics.maxAbs());
            statistics.push_back(statisticsOf(mosaic, bands_[b], median, zero));
        }
        const Thresholds thresholds = findThresholds(plan_, statistics, 0);
        std::int64_t zero = 0;
        for (std::size_t b = 0; b < bands_.size(); ++b) {
            context.throwIfStopped();
            forBand(mosaic, bands_[b], [&](double& d, std::int64_t) {
                d = shrunk(d, thresholds.threshold[b], plan_.parameters.shrinkage());
                zero += d == 0;
            });
            all_ += plan_.bands[b].samples();
        }
        zero_ += group_.sum(zero);
        addStatistics(statistics_, plan_, thresholds, statistics, statisticSuffix(problem_, plan_.filtered, channel));
    }
    void end() override {
        if (all_ > 0) statistics_.push_back({"zero", 100 * static_cast<double>(zero_) / static_cast<double>(all_), {}, {}});
    }

private:
    void restart(const WaveletPlan& own) override {
        zero_ = all_ = 0;
        bands_ = own.bands();
        std::erase_if(bands_, [](const WaveletBand& band) { return band.details == 0; });
    }

    BandStatistics statisticsOf(const View<double>& mosaic, const WaveletBand& band, bool median, double zero) const {
        std::vector<double> magnitudes;
        std::vector<RowSums> rows(static_cast<std::size_t>(band.extent[1] * band.extent[2]));
        forBand(mosaic, band, [&](double d, std::int64_t row) {
            if (!std::isfinite(d)) return;
            rows[static_cast<std::size_t>(row)].add({1, std::fabs(d), d * d});
            if (median && std::fabs(d) > zero) magnitudes.push_back(std::fabs(d));
        });
        const RowSums all = sumOfRows(rows, band.extent, group_);
        BandStatistics s;
        s.finite = all.finite;
        s.largest = all.largest;
        if (s.finite > 0) s.meanSquare = all.squares / static_cast<double>(s.finite);
        if (!median) return s;
        const std::int64_t n = group_.sum(static_cast<std::int64_t>(magnitudes.size()));
        s.leftOut = s.finite - n;
        if (n == 0) return s;
        std::sort(magnitudes.begin(), magnitudes.end());
        s.median = (sampleOfRank(magnitudes, (n - 1) / 2, group_) + sampleOfRank(magnitudes, n / 2, group_)) / 2;
        return s;
    }

    Problem problem_;
    DenoisePlan plan_;
    std::vector<WaveletBand> bands_;
    std::int64_t zero_ = 0, all_ = 0;
};

class SerialCompress final : public CoefficientChange<double> {
public:
    SerialCompress(const Problem& problem, const CompressPlan& plan) : problem_(problem), plan_(plan) {}

    void change(const View<double>& mosaic, int channel, RunContext& context) override {
        std::vector<double> magnitudes;
        for (const WaveletBand& band : bands_) {
            context.throwIfStopped();
            forBand(mosaic, band, [&](double d, std::int64_t) {
                if (std::isfinite(d)) magnitudes.push_back(std::fabs(d));
            });
        }
        std::sort(magnitudes.begin(), magnitudes.end());
        const std::int64_t finite = group_.sum(static_cast<std::int64_t>(magnitudes.size())), wanted = std::min(plan_.kept, finite);
        const double smallest = wanted == 0 ? 0 : sampleOfRank(magnitudes, finite - wanted, group_);
        const double from = wanted == 0 ? std::numeric_limits<double>::infinity() : keptFrom(smallest);
        std::int64_t kept = 0;
        for (const WaveletBand& band : bands_)
            forBand(mosaic, band, [&](double& d, std::int64_t) {
                if (!std::isfinite(d)) return;
                if (std::fabs(d) < from) d = 0;
                else ++kept;
            });
        finite_ += finite;
        kept_ += group_.sum(kept);
        if (wanted > 0)
            statistics_.push_back(
                {"smallest", smallest, "Smallest kept coefficient" + statisticSuffix(problem_, plan_.filtered, channel), {}});
    }
    void end() override {
        if (finite_ > 0) statistics_.push_back({"kept", 100 * static_cast<double>(kept_) / static_cast<double>(finite_), {}, {}});
    }

private:
    void restart(const WaveletPlan& own) override {
        kept_ = finite_ = 0;
        bands_ = own.bands();
    }

    Problem problem_;
    CompressPlan plan_;
    std::vector<WaveletBand> bands_;
    std::int64_t kept_ = 0, finite_ = 0;
};

}  // namespace

std::unique_ptr<CoefficientChange<double>> makeSerialChange(const Problem& problem, const DenoisePlan& plan) {
    return std::make_unique<SerialDenoise>(problem, plan);
}
std::unique_ptr<CoefficientChange<double>> makeSerialChange(const Problem& problem, const CompressPlan& plan) {
    return std::make_unique<SerialCompress>(problem, plan);
}

}  // namespace parallax
