// SPDX-License-Identifier: GPL-3.0-or-later
// The reference: the definition in serial loops. Compiled without contraction, so that each product and sum rounds as written.
#include "core/operations/wavelet/reference.hpp"

#include <algorithm>

#include "core/operations/wavelet/parts/round_trip.hpp"
#include "core/operations/wavelet/parts/serial_passes.hpp"
#include "core/operations/wavelet/parts/serial_shrinkage.hpp"
#include "core/operations/wavelet/parts/transform_execution.hpp"
#include "core/operations/wavelet/serial_transform.hpp"

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
class RoundTripExecution final : public Execution {
public:
    RoundTripExecution(const WaveletPlan& plan, std::vector<int> filtered, std::vector<int> copied,
                       std::unique_ptr<CoefficientChange<double>> change)
        : plan_(plan),
          filtered_(std::move(filtered)),
          copied_(std::move(copied)),
          change_(std::move(change)),
          serial_(plan_),
          mosaic_({plan_.mosaic.width, plan_.mosaic.height, plan_.mosaic.depth, 1}, SampleType::float64) {}

    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) override {
        const View<const float>& in = inputs[0];
        const View<float>& out = outputs[0];
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
        change_->begin(plan_, {});
        for (const int c : filtered_) {
            serial_.forward(in.channel(c), mosaic_.view<double>(), done);
            change_->change(mosaic_.view<double>(), c, context);
            serial_.inverse(std::as_const(mosaic_).view<double>(), out.channel(c), done);
        }
        change_->end();
    }
    std::vector<Statistic> statistics(RunContext&) override { return change_->statistics(); }

private:
    WaveletPlan plan_;
    std::vector<int> filtered_, copied_;
    std::unique_ptr<CoefficientChange<double>> change_;
    SerialTransform serial_;
    Buffer mosaic_;
};

/// The implementation of one of the operations.
class SerialWavelet : public Implementation, public PreparesParts {
public:
    explicit SerialWavelet(const char* operation) : operation_(operation) {}
    std::string operation() const final { return operation_; }
    std::string variant() const final { return "serial"; }
    std::string summary() const final { return "One line after the other in double precision: the oracle, not a baseline for speed"; }
    Support supports(const Problem&) const final { return {}; }
    Distribution distribution(const Problem&) const final { return {.halo = StripSupport::withoutHalo(), .phases = true}; }

private:
    const char* operation_;
};

class ReferenceTransform final : public SerialWavelet {
public:
    explicit ReferenceTransform(bool inverse) : SerialWavelet(inverse ? "idwt" : "dwt"), inverse_(inverse) {}
    MemoryEstimate estimate(const Problem& problem) const override {
        return {.host = SerialTransform::bytes(planOf(problem)), .device = 0};
    }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext&) const override {
        return std::make_unique<TransformExecution>(planOf(problem), inverse_);
    }
    std::unique_ptr<Execution> preparePart(const Problem& problem, RunContext&) const override {
        return std::make_unique<PartTransformExecution>(planOf(problem), inverse_, std::make_unique<SerialPasses<float>>());
    }

private:
    WaveletPlan planOf(const Problem& problem) const { return inverse_ ? planInverse(problem) : planForward(problem); }
    bool inverse_;
};

/// Plan: DenoisePlan or CompressPlan.
template <class Plan>
class ReferenceRoundTrip final : public SerialWavelet {
public:
    ReferenceRoundTrip(const char* operation, Plan (*plan)(const Problem&)) : SerialWavelet(operation), plan_(plan) {}
    MemoryEstimate estimate(const Problem& problem) const override {
        // The mosaic and the sorted magnitudes are double.
        const WaveletPlan plan = plan_(problem).wavelet;
        return {.host = SerialTransform::bytes(plan) + 2 * sizeof(double) * static_cast<std::uint64_t>(plan.mosaic.pixels()), .device = 0};
    }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext&) const override {
        const Plan plan = plan_(problem);
        return std::make_unique<RoundTripExecution>(plan.wavelet, plan.filtered, plan.copied, makeSerialChange(problem, plan));
    }
    std::unique_ptr<Execution> preparePart(const Problem& problem, RunContext&) const override {
        const Plan plan = plan_(problem);
        return std::make_unique<PartRoundTrip<double>>(plan.wavelet, plan.filtered, plan.copied, std::make_unique<SerialPasses<double>>(),
                                                       makeSerialChange(problem, plan));
    }

private:
    Plan (*plan_)(const Problem&);
};

}  // namespace

std::unique_ptr<Implementation> makeReferenceWaveletTransform() { return std::make_unique<ReferenceTransform>(false); }
std::unique_ptr<Implementation> makeReferenceInverseWaveletTransform() { return std::make_unique<ReferenceTransform>(true); }
std::unique_ptr<Implementation> makeReferenceWaveletDenoise() {
    return std::make_unique<ReferenceRoundTrip<DenoisePlan>>("wavelet-denoise", planDenoise);
}
std::unique_ptr<Implementation> makeReferenceWaveletCompress() {
    return std::make_unique<ReferenceRoundTrip<CompressPlan>>("wavelet-compress", planCompress);
}

}  // namespace parallax
