// SPDX-License-Identifier: GPL-3.0-or-later
// dwt and idwt / cuda, also on several devices.
#include "gpu/operations/wavelet/wavelet.hpp"

#include <numeric>

#include "core/engine/parts/part_execution.hpp"
#include "gpu/operations/wavelet/parts/part_transform.hpp"
#include "gpu/operations/wavelet/slab_transform.hpp"
#include "gpu/operations/wavelet/transform.hpp"
#include "gpu/runtime/device.hpp"
#include "gpu/runtime/memory/staging_engine.hpp"

namespace parallax::gpu {
namespace {

class TransformExecution final : public Execution {
public:
    TransformExecution(const WaveletPlan& plan, WaveletVariant variant, const CudaSession& session, bool forward)
        : plan_(plan), variant_(variant), forward_(forward) {
        // If the whole does not fit, the engine will ask for slabs.
        if (wholeBytes() <= freeDeviceMemory(session.device())) makeWhole(session);
    }
    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) override {
        const CudaSession& session = cudaSession(context);
        const CurrentDevice current(session.device());
        if (!whole_) makeWhole(session);
        const Shape& s = forward_ ? plan_.mosaic : plan_.image;
        ProgressShare progress(context.progress, s.height * s.depth * s.channels, whole_->units(forward_) * s.channels);
        for (std::int64_t c = 0; c < s.channels; ++c) {
            if (forward_) whole_->forward(inputs[0].channel(c), outputs[0].channel(c), context, progress);
            else whole_->inverse(inputs[0].channel(c), outputs[0].channel(c), context, progress);
        }
    }

    StripPlan prepareSlabs(const StripLimits& limits, std::uint64_t memory, RunContext& context) override {
        const CudaSession& session = cudaSession(context);
        const CurrentDevice current(session.device());
        whole_.reset();
        slabs_.reset();
        const auto bytes = [&](const WaveletPlan& part) { return DeviceTransform::deviceBytes(part, variant_, forward_, !forward_); };
        slabs_ = std::make_unique<SlabTransform>(planSlabs(plan_, forward_, limits, memory, bytes), variant_, session);
        return slabs_->plan();
    }
    void runStrip(const StripPlan&, const Strip& strip, const View<const float>& in, const View<float>& out, RunContext& context) override {
        slabs_->runStrip(strip, in, out, context);
    }

private:
    void makeWhole(const CudaSession& session) {
        whole_ = std::make_unique<DeviceTransform>(plan_, variant_, session, forward_, !forward_);
    }
    std::uint64_t wholeBytes() const {
        return DeviceTransform::deviceBytes(plan_, variant_, forward_, !forward_) +
               static_cast<std::uint64_t>(plan_.image.samples() + plan_.mosaic.samples()) * sizeof(float);
    }

    WaveletPlan plan_;
    WaveletVariant variant_;
    bool forward_;
    std::unique_ptr<DeviceTransform> whole_;
    std::unique_ptr<SlabTransform> slabs_;
};

/// A part of a transform on several devices. Coefficients stay where they are computed until the end of the step.
class TransformPart final : public Execution, public PartExecution, public KeepsOwnSamples {
public:
    TransformPart(const WaveletPlan& plan, WaveletVariant variant, const CudaSession& session, bool forward)
        : plan_(plan), forward_(forward), transform_(plan, variant, use(plan, forward), session) {}
    static PartTransform::Use use(const WaveletPlan& plan, bool forward) {
        std::vector<int> channels(static_cast<std::size_t>(plan.image.channels));
        std::iota(channels.begin(), channels.end(), 0);
        return {.forward = forward, .inverse = !forward, .channels = channels, .mosaics = static_cast<int>(channels.size())};
    }

    void run(std::span<const View<const float>>, std::span<const View<float>>, RunContext&) override {
        throw Error(ErrorCode::failed, "This execution is a part of a run on several devices");
    }
    void take(const ImagePart& part, const View<const float>& input, Communicator& communicator, RunContext&) override {
        (void)transform_.divide((forward_ ? part.range : part.result).count(), communicator);
        if (forward_) transform_.takeImage(input, communicator);
        else transform_.takeMosaic(input, part.range.count(), communicator);
    }
    void runPart(const ImagePart&, const View<const float>&, const View<float>& output, Communicator& communicator,
                 RunContext& context) override {
        const CurrentDevice current(cudaSession(context).device());
        const std::int64_t rows = output.shape.samples() == 0 ? 0 : output.shape.height * output.shape.depth * output.shape.channels;
        ProgressShare progress(context.progress, rows, transform_.units(forward_) * plan_.image.channels);
        for (int c = 0; c < plan_.image.channels; ++c) {
            if (forward_) transform_.forward(c, c, communicator, context, progress);
            else transform_.inverse(c, c, communicator, context, progress);
        }
    }
    /// The inverse of the step before.
    bool takesFrom(const KeepsOwnSamples& before) const override {
        const auto* const forward = dynamic_cast<const TransformPart*>(&before);
        if (!forward || !forward->forward_ || forward_) return false;
        const WaveletPlan& p = forward->plan_;
        return p.levels == plan_.levels && p.mode == plan_.mode && p.image == plan_.image && p.mosaic == plan_.mosaic &&
               p.bank.decLo.size() == plan_.bank.decLo.size() && transformedAlike(p);
    }
    void takeFrom(const ImagePart& part, KeepsOwnSamples& before, Communicator& communicator, RunContext&) override {
        (void)transform_.divide(part.result.count(), communicator);
        transform_.swapMosaics(dynamic_cast<TransformPart&>(before).transform_, communicator);
    }
    void give(const ImagePart& part, const View<float>& output, Communicator& communicator, RunContext&) override {
        if (forward_) transform_.giveMosaic(output, part.result.count(), communicator);
        else transform_.giveImage(output);
    }

private:
    bool transformedAlike(const WaveletPlan& other) const {
        for (std::size_t a = 0; a < 3; ++a)
            if (plan_.axes[a].transformed != other.axes[a].transformed) return false;
        return true;
    }

    WaveletPlan plan_;
    bool forward_;
    PartTransform transform_;
};

class Transform final : public Implementation, public PreparesParts {
public:
    Transform(WaveletVariant variant, bool forward) : info_(info(variant)), forward_(forward) {}
    std::string operation() const override { return forward_ ? "dwt" : "idwt"; }
    std::string variant() const override { return info_.name; }
    std::string summary() const override { return info_.summary; }
    Support supports(const Problem& problem) const override { return waveletSupports(planOf(problem)); }
    MemoryEstimate estimate(const Problem& problem) const override {
        return {.host = stagingBytes(), .device = DeviceTransform::deviceBytes(planOf(problem), info_.variant, forward_, !forward_)};
    }
    // Coefficients are dense: their offsets follow from the plan.
    RowPadding acceptsPadding(const Problem&) const override { return {forward_, !forward_}; }
    StripSupport strips(const Problem&) const override { return StripSupport::no("Coefficients do not correspond to rows of the image"); }
    Support slabs(const Problem&) const override { return {}; }
    Support recording(const Problem& problem) const override {
        return DeviceTransform::isPaced(planOf(problem), info_.variant)
                   ? Support::no("The transform is so long that it must wait between its parts")
                   : Support{};
    }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext& context) const override {
        const CudaSession& session = cudaSession(context);
        const CurrentDevice current(session.device());
        return std::make_unique<TransformExecution>(planOf(problem), info_.variant, session, forward_);
    }
    Distribution distribution(const Problem& problem) const override { return waveletDistribution(planOf(problem)); }
    std::unique_ptr<Execution> preparePart(const Problem& problem, RunContext& context) const override {
        return std::make_unique<TransformPart>(planOf(problem), info_.variant, cudaSession(context), forward_);
    }
    std::optional<std::uint64_t> deviceBytes(const Problem& problem, int parts) const override {
        const WaveletPlan plan = planOf(problem);
        return PartTransform::deviceBytes(plan, info_.variant, TransformPart::use(plan, forward_), parts);
    }

private:
    WaveletPlan planOf(const Problem& problem) const { return forward_ ? planForward(problem) : planInverse(problem); }
    const WaveletVariantInfo& info_;
    bool forward_;
};

}  // namespace

const WaveletVariantInfo& info(WaveletVariant variant) {
    static constexpr WaveletVariantInfo all[] = {
        {WaveletVariant::fused, "fused",
         "All axes in one pass over memory: tiles walk along z and are filtered along x and y in shared memory, along z in registers; "
         "filters without unrolled kernels and other choices of axes use the passes of 'constant'"},
        {WaveletVariant::constant, "constant",
         "Textbook: one kernel per axis, one thread per result, two buffers swapped; filters in constant memory"},
        {WaveletVariant::shared, "shared",
         "Textbook: one kernel per axis, one thread per result, two buffers swapped; filters copied to shared memory"},
        {WaveletVariant::global, "global",
         "Textbook: one kernel per axis, one thread per result, two buffers swapped; filters in global memory"}};
    return all[static_cast<int>(variant)];
}

std::unique_ptr<Implementation> makeWaveletTransform(WaveletVariant variant) { return std::make_unique<Transform>(variant, true); }
std::unique_ptr<Implementation> makeInverseWaveletTransform(WaveletVariant variant) { return std::make_unique<Transform>(variant, false); }

}  // namespace parallax::gpu
