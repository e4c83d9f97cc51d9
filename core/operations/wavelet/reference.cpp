// SPDX-License-Identifier: GPL-3.0-or-later
// The reference: the definition in serial loops. Compiled without contraction, so that each product and sum rounds as written.
#include "core/operations/wavelet/reference.hpp"

#include <algorithm>
#include <cmath>

#include "core/operations/wavelet/parts/serial_passes.hpp"
#include "core/operations/wavelet/parts/transform_execution.hpp"
#include "core/operations/wavelet/serial_transform.hpp"
#include "core/operations/wavelet/shrinkage.hpp"

namespace parallax {
namespace {

std::int64_t rowsOf(const Shape& s) { return s.height * s.depth * s.channels; }

class TransformExecution final : public Execution {
public:
    TransformExecution(WaveletPlan plan, bool inverse) : plan_(std::move(plan)), inverse_(inverse), serial_(plan_) {}
    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) override {
        const std::int64_t channels = plan_.image.channels;
        ProgressShare progress(context.progress, rowsOf(inverse_ ? plan_.image : plan_.mosaic), serial_.lines() * channels);
        const auto done = [&] {
            context.throwIfStopped();
            progress.add(1);
        };
        for (std::int64_t c = 0; c < channels; ++c) {
            if (inverse_) serial_.inverse(inputs[0].channel(c), outputs[0].channel(c), done);
            else serial_.forward(inputs[0].channel(c), outputs[0].channel(c), done);
        }
    }

private:
    WaveletPlan plan_;
    bool inverse_;
    SerialTransform serial_;
};

/// Transform, change of the mosaic, inverse for the filtered channels; the others are copied.
class RoundTripExecution : public Execution {
public:
    RoundTripExecution(const Problem& problem, WaveletPlan plan, std::vector<int> filtered, std::vector<int> copied)
        : problem_(problem),
          plan_(std::move(plan)),
          filtered_(std::move(filtered)),
          copied_(std::move(copied)),
          serial_(plan_),
          mosaic_({plan_.mosaic.width, plan_.mosaic.height, plan_.mosaic.depth, 1}, SampleType::float64) {}

    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) override {
        const View<const float>& in = inputs[0];
        const View<float>& out = outputs[0];
        statistics_.clear();
        for (const int c : copied_)
            for (std::int64_t z = 0; z < in.shape.depth; ++z)
                for (std::int64_t y = 0; y < in.shape.height; ++y) {
                    context.throwIfStopped();
                    std::copy_n(in.row(y, z, c), in.shape.width, out.row(y, z, c));
                    if (context.progress) context.progress->add();
                }
        const auto channels = static_cast<std::int64_t>(filtered_.size());
        ProgressShare progress(context.progress, in.shape.height * in.shape.depth * channels, 2 * serial_.lines() * channels);
        const auto done = [&] {
            context.throwIfStopped();
            progress.add(1);
        };
        begin();
        for (const int c : filtered_) {
            serial_.forward(in.channel(c), mosaic_.view<double>(), done);
            change(mosaic_.view<double>(), c, context);
            serial_.inverse(std::as_const(mosaic_).view<double>(), out.channel(c), done);
        }
        end();
    }
    std::vector<Statistic> statistics(RunContext&) override { return statistics_; }

protected:
    virtual void begin() {}
    virtual void change(View<double> mosaic, int channel, RunContext& context) = 0;
    virtual void end() {}

    template <class F>
    static void forBand(const View<double>& mosaic, const WaveletBand& band, F&& f) {
        for (std::int64_t z = 0; z < band.extent[2]; ++z)
            for (std::int64_t y = 0; y < band.extent[1]; ++y)
                for (std::int64_t x = 0; x < band.extent[0]; ++x) f(mosaic.at(band.origin[0] + x, band.origin[1] + y, band.origin[2] + z));
    }

    Problem problem_;
    WaveletPlan plan_;
    std::vector<int> filtered_, copied_;
    SerialTransform serial_;
    Buffer mosaic_;
    std::vector<Statistic> statistics_;
};

class DenoiseExecution final : public RoundTripExecution {
public:
    DenoiseExecution(const Problem& problem, DenoisePlan plan)
        : RoundTripExecution(problem, plan.wavelet, plan.filtered, plan.copied), denoise_(std::move(plan)) {}

private:
    void begin() override { zero_ = all_ = 0; }
    void change(View<double> mosaic, int channel, RunContext& context) override {
        std::vector<BandStatistics> statistics;
        for (std::size_t b = 0; b < denoise_.bands.size(); ++b) {
            context.throwIfStopped();
            const bool median = denoise_.estimatesNoise() &&
                                std::find(denoise_.noiseBands.begin(), denoise_.noiseBands.end(), b) != denoise_.noiseBands.end();
            const double zero = zeroDetail(plan_, denoise_.bands[b].level, problem_.statistics.maxAbs());
            statistics.push_back(statisticsOf(mosaic, denoise_.bands[b], median, zero));
        }
        const Thresholds thresholds = findThresholds(denoise_, statistics, 0);
        for (std::size_t b = 0; b < denoise_.bands.size(); ++b) {
            context.throwIfStopped();
            forBand(mosaic, denoise_.bands[b], [&](double& d) {
                d = shrunk(d, thresholds.threshold[b], denoise_.parameters.method);
                ++all_;
                zero_ += d == 0;
            });
        }
        addStatistics(statistics_, denoise_, thresholds, statistics, statisticSuffix(problem_, filtered_, channel));
    }
    void end() override {
        if (all_ > 0) statistics_.push_back({"zero", 100 * static_cast<double>(zero_) / static_cast<double>(all_), {}, {}});
    }

    static BandStatistics statisticsOf(const View<double>& mosaic, const WaveletBand& band, bool median, double zero) {
        BandStatistics s;
        std::vector<double> magnitudes;
        double sum = 0;
        forBand(mosaic, band, [&](double d) {
            if (!std::isfinite(d)) return;
            ++s.finite;
            s.largest = std::max(s.largest, std::fabs(d));
            sum += d * d;
            if (median && std::fabs(d) > zero) magnitudes.push_back(std::fabs(d));
        });
        if (s.finite > 0) s.meanSquare = sum / static_cast<double>(s.finite);
        if (median) s.leftOut = s.finite - static_cast<std::int64_t>(magnitudes.size());
        if (magnitudes.empty()) return s;
        std::sort(magnitudes.begin(), magnitudes.end());
        s.median = (magnitudes[(magnitudes.size() - 1) / 2] + magnitudes[magnitudes.size() / 2]) / 2;
        return s;
    }

    DenoisePlan denoise_;
    std::int64_t zero_ = 0, all_ = 0;
};

class CompressExecution final : public RoundTripExecution {
public:
    CompressExecution(const Problem& problem, CompressPlan plan)
        : RoundTripExecution(problem, plan.wavelet, plan.filtered, plan.copied), compress_(std::move(plan)) {}

private:
    void begin() override { kept_ = finite_ = 0; }
    void change(View<double> mosaic, int channel, RunContext& context) override {
        std::vector<double> magnitudes;
        for (const WaveletBand& band : compress_.bands) {
            context.throwIfStopped();
            forBand(mosaic, band, [&](double d) {
                if (std::isfinite(d)) magnitudes.push_back(std::fabs(d));
            });
        }
        std::sort(magnitudes.begin(), magnitudes.end(), std::greater<>());
        const auto wanted = std::min(static_cast<std::size_t>(compress_.kept), magnitudes.size());
        const double from = wanted == 0 ? std::numeric_limits<double>::infinity() : keptFrom(magnitudes[wanted - 1]);
        for (const WaveletBand& band : compress_.bands)
            forBand(mosaic, band, [&](double& d) {
                if (!std::isfinite(d)) return;
                ++finite_;
                if (std::fabs(d) < from) d = 0;
                else ++kept_;
            });
        if (wanted > 0)
            statistics_.push_back(
                {"smallest", magnitudes[wanted - 1], "Smallest kept coefficient" + statisticSuffix(problem_, filtered_, channel), {}});
    }
    void end() override {
        if (finite_ > 0) statistics_.push_back({"kept", 100 * static_cast<double>(kept_) / static_cast<double>(finite_), {}, {}});
    }

    CompressPlan compress_;
    std::int64_t kept_ = 0, finite_ = 0;
};

/// The implementation of one of the operations.
class SerialWavelet : public Implementation {
public:
    explicit SerialWavelet(const char* operation) : operation_(operation) {}
    std::string operation() const final { return operation_; }
    std::string variant() const final { return "serial"; }
    std::string summary() const final { return "One line after the other in double precision: the oracle, not a baseline for speed"; }
    Support supports(const Problem&) const final { return {}; }

private:
    const char* operation_;
};

class ReferenceTransform final : public SerialWavelet, public PreparesParts {
public:
    explicit ReferenceTransform(bool inverse) : SerialWavelet(inverse ? "idwt" : "dwt"), inverse_(inverse) {}
    MemoryEstimate estimate(const Problem& problem) const override {
        return {.host = SerialTransform::bytes(planOf(problem)), .device = 0};
    }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext&) const override {
        return std::make_unique<TransformExecution>(planOf(problem), inverse_);
    }
    Distribution distribution(const Problem&) const override { return {.halo = StripSupport::withoutHalo(), .phases = true}; }
    std::unique_ptr<Execution> preparePart(const Problem& problem, RunContext&) const override {
        return std::make_unique<PartTransformExecution>(planOf(problem), inverse_, std::make_unique<SerialPasses<float>>());
    }

private:
    WaveletPlan planOf(const Problem& problem) const { return inverse_ ? planInverse(problem) : planForward(problem); }
    bool inverse_;
};

/// Plan: DenoisePlan or CompressPlan.
template <class Plan, class PlanExecution>
class ReferenceRoundTrip final : public SerialWavelet {
public:
    ReferenceRoundTrip(const char* operation, Plan (*plan)(const Problem&)) : SerialWavelet(operation), plan_(plan) {}
    MemoryEstimate estimate(const Problem& problem) const override {
        // The mosaic and the sorted magnitudes are double.
        const WaveletPlan plan = plan_(problem).wavelet;
        return {.host = SerialTransform::bytes(plan) + 2 * sizeof(double) * static_cast<std::uint64_t>(plan.mosaic.pixels()), .device = 0};
    }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext&) const override {
        return std::make_unique<PlanExecution>(problem, plan_(problem));
    }

private:
    Plan (*plan_)(const Problem&);
};

}  // namespace

std::unique_ptr<Implementation> makeReferenceWaveletTransform() { return std::make_unique<ReferenceTransform>(false); }
std::unique_ptr<Implementation> makeReferenceInverseWaveletTransform() { return std::make_unique<ReferenceTransform>(true); }
std::unique_ptr<Implementation> makeReferenceWaveletDenoise() {
    return std::make_unique<ReferenceRoundTrip<DenoisePlan, DenoiseExecution>>("wavelet-denoise", planDenoise);
}
std::unique_ptr<Implementation> makeReferenceWaveletCompress() {
    return std::make_unique<ReferenceRoundTrip<CompressPlan, CompressExecution>>("wavelet-compress", planCompress);
}

}  // namespace parallax
