// SPDX-License-Identifier: GPL-3.0-or-later
// dwt and idwt / openmp / simd.
#include "core/operations/wavelet/openmp/implementations.hpp"
#include "core/operations/wavelet/openmp/transform.hpp"

namespace parallax {
namespace {

constexpr const char* kSummary =
    "Rows, columns and slices in one pass over memory: tiles that stay in the cache, vector instructions along rows, threads over tiles";

class ForwardExecution final : public Execution {
public:
    ForwardExecution(const WaveletPlan& plan, int threads) : plan_(plan), transform_(plan, threads, true, false) {}
    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) override {
        const Shape& s = plan_.mosaic;
        ProgressShare progress(context.progress, s.height * s.depth * s.channels, transform_.forwardUnits() * s.channels);
        for (std::int64_t c = 0; c < s.channels; ++c) transform_.forward(inputs[0].channel(c), outputs[0].channel(c), context, progress);
    }

private:
    WaveletPlan plan_;
    TiledTransform transform_;
};

class InverseExecution final : public Execution {
public:
    InverseExecution(const WaveletPlan& plan, int threads) : plan_(plan), transform_(plan, threads, false, true) {}
    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) override {
        const Shape& s = plan_.image;
        ProgressShare progress(context.progress, s.height * s.depth * s.channels, transform_.inverseUnits() * s.channels);
        for (std::int64_t c = 0; c < s.channels; ++c) transform_.inverse(inputs[0].channel(c), outputs[0].channel(c), context, progress);
    }

private:
    WaveletPlan plan_;
    TiledTransform transform_;
};

class Forward final : public Implementation {
public:
    std::string operation() const override { return "dwt"; }
    std::string variant() const override { return "simd"; }
    std::string summary() const override { return kSummary; }
    Support supports(const Problem&) const override { return {}; }
    MemoryEstimate estimate(const Problem& problem) const override {
        return {.host = TiledTransform::bytes(planOf(problem), effectiveThreads({}), true, false), .device = 0};
    }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext& context) const override {
        return std::make_unique<ForwardExecution>(planOf(problem), effectiveThreads(context));
    }

private:
    static WaveletPlan planOf(const Problem& problem) { return planForward(problem); }
};

class Inverse final : public Implementation {
public:
    std::string operation() const override { return "idwt"; }
    std::string variant() const override { return "simd"; }
    std::string summary() const override { return kSummary; }
    Support supports(const Problem&) const override { return {}; }
    MemoryEstimate estimate(const Problem& problem) const override {
        return {.host = TiledTransform::bytes(planInverse(problem), effectiveThreads({}), false, true), .device = 0};
    }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext& context) const override {
        return std::make_unique<InverseExecution>(planInverse(problem), effectiveThreads(context));
    }
};

}  // namespace

std::unique_ptr<Implementation> makeOpenmpWaveletTransform() { return std::make_unique<Forward>(); }
std::unique_ptr<Implementation> makeOpenmpInverseWaveletTransform() { return std::make_unique<Inverse>(); }

}  // namespace parallax
