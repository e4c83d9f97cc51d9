// SPDX-License-Identifier: GPL-3.0-or-later
// tonemap / cuda / fused, textbook, primitives, cub: statistics, constants and mapping follow each other in the session's stream. Nothing
// is downloaded before the statistics are requested, except on several devices: there the host combines what each pass found. In strips,
// each one adds to the statistics of those before it.
#include "gpu/operations/tone_mapping/tone_mapping.hpp"

#include <algorithm>
#include <optional>

#include "core/operations/tone_mapping/gradient_plan.hpp"
#include "gpu/operations/convolution/planes.hpp"
#include "gpu/operations/tone_mapping/execution.hpp"
#include "gpu/runtime/memory/staging_engine.hpp"

namespace parallax::gpu {
namespace {

struct VariantFacts {
    const char* name;
    const char* summary;
    std::optional<TonePrimitives> primitives;
};

/// In the order of ToneVariant.
const VariantFacts kVariants[] = {
    {"fused",
     "One pass over the image for all statistics of the next one, with several 16-byte loads in flight per thread; "
     "logarithms of products instead of sums of logarithms; the last block computes the constants, so that nothing waits for the "
     "host. Local operator: separable Gaussians with their windows in registers",
     std::nullopt},
    {"textbook",
     "Statistics by the textbook primitives: one plane per statistic, reduced by "
     "trees in shared memory, counted by "
     "atomic additions in global memory, scanned by sweeps up and down a tree",
     TonePrimitives{ReductionVariant::tree, HistogramVariant::globalAtomics, ScanVariant::blelloch}},
    {"primitives",
     "Statistics by the tuned primitives: one plane per statistic, reduced by warps in one launch, counted in "
     "private histograms, scanned by up-sweep and down-sweep of a tree",
     TonePrimitives{ReductionVariant::warp, HistogramVariant::privatised, ScanVariant::blelloch}},
    {"cub", "Statistics by CUB: one plane per statistic, then DeviceReduce, DeviceHistogram and DeviceScan",
     TonePrimitives{ReductionVariant::cub, HistogramVariant::cub, ScanVariant::cub}}};

class ToneMapping final : public Implementation {
public:
    ToneMapping(ToneVariant variant, std::uint64_t bandBytes) : facts_(kVariants[static_cast<int>(variant)]), bandBytes_(bandBytes) {}
    std::string operation() const override { return "tonemap"; }
    std::string variant() const override { return facts_.name; }
    std::string summary() const override { return facts_.summary; }
    Support supports(const Problem& problem) const override {
        if (const Support support = supportsPointwise(planToneMapping(problem)); !support) return support;
        return axesFit(problem.shape);
    }

    MemoryEstimate estimate(const Problem& problem) const override {
        const ToneMappingPlan plan = planToneMapping(problem);
        const std::int64_t pixels = problem.shape.pixels();
        int multiprocessors = 1;
        for (int device = 0; device < deviceCount(); ++device)
            multiprocessors = std::max(multiprocessors, deviceLimits(device).multiprocessors);
        MemoryEstimate e{.host = stagingBytes() + sizeof(ToneState),
                         .device = ToneMappingExecution::sharedBytes(plan, toneBlocks(pixels, multiprocessors))};
        if (plan.parameters.op == ToneOperator::local) {
            e.device += LocalPlan(plan, problem.shape, bandBytes_).bytes();
        }
        if (facts_.primitives) {
            const bool histogram = plan.parameters.op == ToneOperator::histogram;
            const TonePrimitiveMemory own = tonePrimitiveBytes(*facts_.primitives, pixels, histogram ? plan.parameters.bins : 0);
            e.device += static_cast<std::uint64_t>(pixels) * sizeof(float) + kTonePrimitiveResultBytes + own.reduction.bytes +
                        own.histogram.bytes + own.scan.bytes;
        }
        return e;
    }

    RowPadding acceptsPadding(const Problem& problem) const override {
        const bool isLocal = planToneMapping(problem).parameters.op == ToneOperator::local;
        const bool fast = isLocal || problem.shape.width >= kNarrowestPaddedRow;
        return {fast, fast};
    }
    Support slabs(const Problem&) const override { return facts_.primitives ? Support::no(kNeedWhole) : Support{}; }
    Distribution distribution(const Problem& problem) const override {
        if (facts_.primitives) return {.halo = StripSupport::no(kNeedWhole)};
        Distribution distribution{.halo = StripSupport::withoutHalo(), .phases = true, .sameBits = false};
        const ToneMappingPlan plan = planToneMapping(problem);
        if (plan.parameters.op == ToneOperator::local) distribution.halo.above = distribution.halo.below = plan.scales.back().radius;
        return distribution;
    }
    Support recording(const Problem& problem) const override {
        const ToneMappingPlan plan = planToneMapping(problem);
        if (plan.parameters.op == ToneOperator::local && LocalPlan(plan, problem.shape, bandBytes_).bands(problem.shape.height) > 1)
            return Support::no("The run is too long to be recorded, since it could not be cancelled");
        return {};
    }

    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext& context) const override {
        const CudaSession& session = cudaSession(context);
        const CurrentDevice current(session.device());
        return std::make_unique<ToneMappingExecution>(facts_.primitives, bandBytes_, problem, session);
    }

private:
    static constexpr const char* kNeedWhole = "The primitives gather statistics of a whole image";
    const VariantFacts& facts_;
    std::uint64_t bandBytes_;
};

}  // namespace

ToneSetup toneSetup(const ToneMappingPlan& plan, std::int64_t pixels) {
    const ToneMappingParameters& p = plan.parameters;
    ToneSetup s;
    static_cast<ToneControls&>(s) = plan.controls;
    for (int i = 0; i < 3; ++i) s.weights.c[i] = static_cast<float>(plan.weights.c[i]);
    s.op = p.op;
    s.delta = p.delta;
    s.light = p.light;
    s.displayRange = p.displayRange;
    s.coding = ToneCoding::of(p.encoding, p.gamma);
    s.pixels = pixels;
    s.saturation = static_cast<float>(p.saturation);
    s.epsilon = static_cast<float>(p.epsilon);
    s.largestRatio = static_cast<float>(plan.largestRatio);
    s.bins = p.bins;
    s.ceiling = p.ceiling;
    s.showScale = p.output == ToneOutput::scale;
    return s;
}

TonePlanes flattened(const TonePlanes& planes) {
    if (planes.inRowStride != planes.width || planes.outRowStride != planes.width) return planes;
    TonePlanes row = planes;
    row.width = planes.width * planes.height;
    row.height = 1;
    row.inRowStride = row.outRowStride = row.width;
    return row;
}

std::int64_t toneBlocks(std::int64_t pixels, int multiprocessors, const ToneMapTuning& tuning) {
    // 32-bit counters and sums of exponents suffice for 2^23 pixels per block.
    return std::max<std::int64_t>(std::int64_t{tuning.blocks} * std::max(multiprocessors, 1), (pixels >> 23) + 1);
}

std::unique_ptr<Implementation> makeToneMapping(ToneVariant variant, std::uint64_t bandBytes) {
    return std::make_unique<ToneMapping>(variant, bandBytes);
}

}  // namespace parallax::gpu
