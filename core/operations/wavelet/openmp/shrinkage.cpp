// SPDX-License-Identifier: GPL-3.0-or-later
// wavelet-denoise and wavelet-compress / openmp / simd.
#include <algorithm>
#include <atomic>

#include "core/backends/openmp/parallel.hpp"
#include "core/operations/wavelet/openmp/implementations.hpp"
#include "core/operations/wavelet/openmp/statistics.hpp"
#include "core/operations/wavelet/openmp/transform.hpp"
#include "core/operations/wavelet/parts/round_trip.hpp"
#include "core/operations/wavelet/shrinkage.hpp"

namespace parallax {
namespace {

/// Common to denoising and compression.
class TiledChange : public CoefficientChange<float> {
public:
    TiledChange(const Problem& problem, const WaveletPlan& plan, std::vector<int> filtered, int threads)
        : problem_(problem),
          plan_(plan),
          filtered_(std::move(filtered)),
          threads_(threads),
          selection_(threads),
          gains_(waveletGains(plan)),
          coefficientError_(largestError(plan, gains_, problem.statistics.maxAbs())) {}
    double dataTolerance() const override { return dataTolerance_; }

protected:
    /// Coefficients with magnitudes in [from, to] are counted as ambiguous.
    struct BandThreshold {
        float threshold = 0, from = 1, to = 0;
    };
    ShrinkCount shrinkAll(const View<float>& mosaic, const std::vector<BandThreshold>& thresholds, const Shrinkage& shrinkage,
                          RunContext& context) {
        std::atomic<std::int64_t> zero = 0, ambiguous = 0;
        parallelTasks(context, static_cast<std::int64_t>(parts_.size()), threads_, [&](std::int64_t task, int) {
            const BandPart& part = parts_[static_cast<std::size_t>(task)];
            const WaveletBand& band = bands_[part.band];
            const BandThreshold& t = thresholds[part.band];
            ShrinkCount count;
            forRows(mosaic, band, part, [&](float* row) {
                const ShrinkCount c = shrinkRow(row, band.extent[0], t.threshold, shrinkage, t.from, t.to);
                count.zero += c.zero;
                count.ambiguous += c.ambiguous;
            });
            zero.fetch_add(count.zero, std::memory_order_relaxed);
            ambiguous.fetch_add(count.ambiguous, std::memory_order_relaxed);
        });
        return {group_.sum(zero.load()), group_.sum(ambiguous.load())};
    }
    /// `bands`: with the extents of the coefficients to change.
    void divide(std::vector<WaveletBand> bands) {
        bands_ = std::move(bands);
        parts_ = partsOf(bands_);
        dataTolerance_ = 0;
    }

    Problem problem_;
    WaveletPlan plan_;
    std::vector<int> filtered_;
    int threads_;
    std::vector<WaveletBand> bands_;
    std::vector<BandPart> parts_;
    MagnitudeSelection selection_;
    WaveletGains gains_;
    double coefficientError_;
    double dataTolerance_ = 0;

private:
    /// Passes are in double, as those of the reference.
    static double largestError(const WaveletPlan& plan, const WaveletGains& gains, double magnitude) {
        const StoredError error = coefficientError(plan, gains, magnitude);
        // The bound in double is loose if a border mode makes samples large; the tolerance for float holds as well.
        return std::min(error.relative * gains.forward * magnitude + error.absolute, forwardTolerance(plan, magnitude).absolute);
    }
};

class TiledDenoise final : public TiledChange {
public:
    TiledDenoise(const Problem& problem, const DenoisePlan& plan, int threads)
        : TiledChange(problem, plan.wavelet, plan.filtered, threads), denoise_(plan) {}

    void change(const View<float>& mosaic, int channel, RunContext& context) override {
        const std::vector<BandStatistics> statistics = statisticsOf(mosaic, context);
        const Thresholds t = findThresholds(denoise_, statistics, coefficientError_);
        const bool hard = denoise_.parameters.method == ShrinkageMethod::hard;
        std::vector<BandThreshold> thresholds(bands_.size());
        double flip = 0;
        for (std::size_t b = 0; b < bands_.size(); ++b) {
            thresholds[b].threshold = static_cast<float>(t.threshold[b]);
            if (!hard) continue;
            // Within this distance rounding decides whether a coefficient stays.
            const double slack = coefficientError_ + 0x1p-23 * std::min(t.threshold[b], 1e30);
            thresholds[b].from = static_cast<float>(t.low[b] - slack);
            thresholds[b].to = static_cast<float>(t.high[b] + slack);
            flip = std::max(flip, std::min(t.high[b] + slack, statistics[b].largest + slack));
        }
        const ShrinkCount count = shrinkAll(mosaic, thresholds, denoise_.parameters.shrinkage(), context);
        zero_ += count.zero;
        for (const WaveletBand& band : denoise_.bands) all_ += band.samples();
        dataTolerance_ = std::max(
            dataTolerance_, thresholdTolerance(denoise_, gains_, t, statistics) + decisionTolerance(plan_, gains_, count.ambiguous, flip));
        addStatistics(statistics_, denoise_, t, statistics, statisticSuffix(problem_, filtered_, channel));
    }

    void end() override {
        if (all_ > 0) statistics_.push_back({"zero", 100 * static_cast<double>(zero_) / static_cast<double>(all_), {}, {}});
    }

private:
    void restart(const WaveletPlan& own) override {
        zero_ = all_ = 0;
        std::vector<WaveletBand> bands = own.bands();
        std::erase_if(bands, [](const WaveletBand& band) { return band.details == 0; });
        divide(std::move(bands));
    }

    std::vector<BandStatistics> statisticsOf(const View<float>& mosaic, const RunContext& context) {
        std::vector<BandStatistics> statistics(bands_.size());
        if (denoise_.needsEnergy() || denoise_.estimatesNoise()) {
            const std::vector<RowMoments> moments = momentsOf(mosaic, bands_, parts_, group_, context, threads_);
            for (std::size_t b = 0; b < bands_.size(); ++b) {
                statistics[b].finite = moments[b].finite;
                statistics[b].largest = static_cast<double>(moments[b].largest);
                if (moments[b].finite > 0) statistics[b].meanSquare = moments[b].squares / static_cast<double>(moments[b].finite);
            }
        } else {
            for (BandStatistics& s : statistics) s.largest = std::numeric_limits<double>::max();
        }
        if (!denoise_.estimatesNoise()) return statistics;
        const bool eachLevel = denoise_.parameters.noiseSource == NoiseSource::eachLevel;
        for (std::size_t l = 0; l < (eachLevel ? denoise_.noiseBands.size() : 1); ++l) {
            const std::size_t b = denoise_.noiseBands[l];
            const auto zero = static_cast<float>(zeroDetail(plan_, bands_[b].level, problem_.statistics.maxAbs()));
            std::vector<bool> chosen(bands_.size(), false);
            chosen[b] = true;
            const std::int64_t n = selection_.count(mosaic, bands_, parts_, chosen, zero, group_, context);
            statistics[b].leftOut = statistics[b].finite - n;
            if (n == 0) continue;
            const auto [low, high] = selection_.at((n - 1) / 2, n / 2);
            statistics[b].median = (static_cast<double>(low) + static_cast<double>(high)) / 2;
        }
        return statistics;
    }

    DenoisePlan denoise_;
    std::int64_t zero_ = 0, all_ = 0;
};

class TiledCompress final : public TiledChange {
public:
    TiledCompress(const Problem& problem, const CompressPlan& plan, int threads)
        : TiledChange(problem, plan.wavelet, plan.filtered, threads), kept_(plan.kept) {}

    void change(const View<float>& mosaic, int channel, RunContext& context) override {
        const std::int64_t finite = selection_.count(mosaic, bands_, parts_, std::vector<bool>(bands_.size(), true), -1, group_, context);
        const std::int64_t wanted = std::min(kept_, finite);
        finite_ += finite;
        float smallest = 0, from = std::numeric_limits<float>::infinity();
        if (wanted > 0) {
            smallest = selection_.at(finite - wanted, finite - wanted).first;
            from = keptFrom(smallest);
            statistics_.push_back({"smallest",
                                   static_cast<double>(smallest),
                                   "Smallest kept coefficient" + statisticSuffix(problem_, filtered_, channel),
                                   {}});
        }
        // The threshold and each coefficient may be off by rounding.
        const double slack = 2 * coefficientError_ + 0x1p-22 * static_cast<double>(smallest);
        const BandThreshold t{from, static_cast<float>(static_cast<double>(from) - slack),
                              static_cast<float>(static_cast<double>(from) + slack)};
        // Rounding decides nothing if all coefficients are kept, or none.
        const bool decided = wanted == finite || wanted == 0;
        const ShrinkCount count = shrinkAll(mosaic, std::vector<BandThreshold>(bands_.size(), decided ? BandThreshold{from} : t),
                                            {ShrinkageMethod::hard}, context);
        stayed_ += from > 0 ? finite - count.zero : finite;
        dataTolerance_ = std::max(dataTolerance_, decisionTolerance(plan_, gains_, count.ambiguous, static_cast<double>(smallest) + slack));
    }

    void end() override {
        if (finite_ > 0) statistics_.push_back({"kept", 100 * static_cast<double>(stayed_) / static_cast<double>(finite_), {}, {}});
    }

private:
    void restart(const WaveletPlan& own) override {
        stayed_ = finite_ = 0;
        divide(own.bands());
    }

    std::int64_t kept_;
    std::int64_t stayed_ = 0, finite_ = 0;
};

/// Transform, change of the mosaic, inverse for the filtered channels of a whole image; the others are copied.
class RoundTripExecution final : public Execution {
public:
    RoundTripExecution(const WaveletPlan& plan, std::vector<int> filtered, std::vector<int> copied,
                       std::unique_ptr<CoefficientChange<float>> change, int threads)
        : plan_(plan),
          filtered_(std::move(filtered)),
          copied_(std::move(copied)),
          threads_(threads),
          change_(std::move(change)),
          transform_(plan, threads, true, true),
          mosaic_({plan.mosaic.width, plan.mosaic.height, plan.mosaic.depth, 1}) {}

    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) override {
        const View<const float>& in = inputs[0];
        const View<float>& out = outputs[0];
        copyPlanes(copied_, in, out, threads_, context);
        const auto channels = static_cast<std::int64_t>(filtered_.size());
        ProgressShare progress(context.progress, in.shape.height * in.shape.depth * channels, transform_.units() * channels);
        change_->begin(plan_, {});
        for (const int c : filtered_) {
            transform_.forward(in.channel(c), mosaic_.view<float>(), context, progress);
            change_->change(mosaic_.view<float>(), c, context);
            transform_.inverse(std::as_const(mosaic_).view<float>(), out.channel(c), context, progress);
        }
        change_->end();
    }
    std::vector<Statistic> statistics(RunContext&) override { return change_->statistics(); }
    double dataTolerance() const override { return change_->dataTolerance(); }

    static std::uint64_t bytes(const WaveletPlan& plan, int threads) {
        return TiledTransform::bytes(plan, threads, true, true) + MagnitudeSelection::bytes(threads) + momentBytes(plan.bands()) +
               static_cast<std::uint64_t>(plan.mosaic.pixels()) * sizeof(float);
    }

private:
    WaveletPlan plan_;
    std::vector<int> filtered_, copied_;
    int threads_;
    std::unique_ptr<CoefficientChange<float>> change_;
    TiledTransform transform_;
    Buffer mosaic_;
};

/// Plan: DenoisePlan or CompressPlan.
template <class Plan, class PlanChange>
class SimdRoundTrip final : public Implementation, public PreparesParts {
public:
    SimdRoundTrip(const char* operation, const char* between, Plan (*plan)(const Problem&))
        : operation_(operation), between_(between), plan_(plan) {}
    std::string operation() const override { return operation_; }
    std::string variant() const override { return "simd"; }
    std::string summary() const override { return std::string("The transforms of 'dwt' and 'idwt', and between them ") + between_; }
    Support supports(const Problem&) const override { return {}; }
    MemoryEstimate estimate(const Problem& problem) const override {
        return {.host = RoundTripExecution::bytes(plan_(problem).wavelet, effectiveThreads({})), .device = 0};
    }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext& context) const override {
        const Plan plan = plan_(problem);
        const int threads = effectiveThreads(context);
        return std::make_unique<RoundTripExecution>(plan.wavelet, plan.filtered, plan.copied,
                                                    std::make_unique<PlanChange>(problem, plan, threads), threads);
    }
    Distribution distribution(const Problem&) const override { return {.halo = StripSupport::withoutHalo(), .phases = true}; }
    std::unique_ptr<Execution> preparePart(const Problem& problem, RunContext& context) const override {
        const Plan plan = plan_(problem);
        return std::make_unique<PartRoundTrip<float>>(plan.wavelet, plan.filtered, plan.copied, std::make_unique<TiledPasses>(true, true),
                                                      std::make_unique<PlanChange>(problem, plan, effectiveThreads(context)));
    }

private:
    const char *operation_, *between_;
    Plan (*plan_)(const Problem&);
};

}  // namespace

std::unique_ptr<Implementation> makeOpenmpWaveletDenoise() {
    return std::make_unique<SimdRoundTrip<DenoisePlan, TiledDenoise>>(
        "wavelet-denoise", "exact medians by counting bits and thresholds by vector instructions", planDenoise);
}
std::unique_ptr<Implementation> makeOpenmpWaveletCompress() {
    return std::make_unique<SimdRoundTrip<CompressPlan, TiledCompress>>(
        "wavelet-compress", "the exact smallest coefficient to keep, by counting bits", planCompress);
}

}  // namespace parallax
