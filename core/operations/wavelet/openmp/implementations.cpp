// SPDX-License-Identifier: GPL-3.0-or-later
// dwt and idwt / openmp / simd.
#include "core/operations/wavelet/openmp/implementations.hpp"
#include "core/operations/wavelet/openmp/transform.hpp"
#include "core/operations/wavelet/parts/transform_execution.hpp"

namespace parallax {
namespace {

class TransformExecution final : public Execution {
public:
    TransformExecution(WaveletPlan plan, bool inverse, int threads)
        : plan_(std::move(plan)), inverse_(inverse), transform_(plan_, threads, !inverse, inverse) {}
    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) override {
        const Shape& s = inverse_ ? plan_.image : plan_.mosaic;
        ProgressShare progress(context.progress, s.height * s.depth * s.channels, transform_.units() * s.channels);
        for (std::int64_t c = 0; c < s.channels; ++c) {
            if (inverse_) transform_.inverse(inputs[0].channel(c), outputs[0].channel(c), context, progress);
            else transform_.forward(inputs[0].channel(c), outputs[0].channel(c), context, progress);
        }
    }

private:
    WaveletPlan plan_;
    bool inverse_;
    TiledTransform transform_;
};

class SimdTransform final : public Implementation, public PreparesParts {
public:
    explicit SimdTransform(bool inverse) : inverse_(inverse) {}
    std::string operation() const override { return inverse_ ? "idwt" : "dwt"; }
    std::string variant() const override { return "simd"; }
    std::string summary() const override {
        return "Rows, columns and slices in one pass over memory: tiles that stay in the cache, vector instructions along rows, threads "
               "over tiles";
    }
    Support supports(const Problem&) const override { return {}; }
    MemoryEstimate estimate(const Problem& problem) const override {
        return {.host = TiledTransform::bytes(planOf(problem), effectiveThreads({}), !inverse_, inverse_), .device = 0};
    }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext& context) const override {
        return std::make_unique<TransformExecution>(planOf(problem), inverse_, effectiveThreads(context));
    }
    Distribution distribution(const Problem&) const override { return {.halo = StripSupport::withoutHalo(), .phases = true}; }
    std::unique_ptr<Execution> preparePart(const Problem& problem, RunContext&) const override {
        return std::make_unique<PartTransformExecution>(planOf(problem), inverse_, std::make_unique<TiledPasses>(!inverse_, inverse_));
    }

private:
    WaveletPlan planOf(const Problem& problem) const { return inverse_ ? planInverse(problem) : planForward(problem); }
    bool inverse_;
};

}  // namespace

std::unique_ptr<Implementation> makeOpenmpWaveletTransform() { return std::make_unique<SimdTransform>(false); }
std::unique_ptr<Implementation> makeOpenmpInverseWaveletTransform() { return std::make_unique<SimdTransform>(true); }

}  // namespace parallax
