// SPDX-License-Identifier: GPL-3.0-or-later
// convolve / cuda / npp: NVIDIA's own filter as a peer. Runs only its function and refuses what that does not support.
#include <algorithm>
#include <limits>
#include <optional>

#include "gpu/operations/convolution/planes.hpp"
#include "gpu/runtime/libraries/npp.hpp"
#include "gpu/runtime/memory/staging_engine.hpp"

namespace parallax::gpu {
namespace {

class NppExecution final : public Execution {
public:
    NppExecution(ConvolutionPlan plan, const CudaSession& session)
        : plan_(std::move(plan)), weights_(session.allocator(), std::span<const float>(reversed(plan_.kernel)), session.stream()) {
        // NPP convolves: stored weight i multiplies the sample at + anchor - i. Reversed weights correlate, with the anchor counted from
        // the other end.
        arguments_.reversedWeights = weights_.data();
        arguments_.kernelWidth = plan_.kernel.width;
        arguments_.kernelHeight = plan_.kernel.height;
        arguments_.anchorX = plan_.kernel.right();
        arguments_.anchorY = plan_.kernel.bottom();
        // Loads the library before the first timed run.
        (void)NppFilter(session.device(), session.stream());
    }

    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) override {
        const View<const float>& in = inputs[0];
        const View<float>& out = outputs[0];
        const CudaSession& session = cudaSession(context);
        const CurrentDevice current(session.device());
        context.throwIfStopped();
        copyChannels(plan_.copied, in, out, session.stream(), context);
        if (!filter_ || stream_ != session.stream()) {
            filter_.emplace(session.device(), session.stream());
            stream_ = session.stream();
        }
        NppFilterArguments a = arguments_;
        a.inRowStride = in.rowStride;
        a.outRowStride = out.rowStride;
        a.width = static_cast<int>(in.shape.width);
        a.height = static_cast<int>(in.shape.height);
        for (const int c : plan_.filtered)
            for (std::int64_t z = 0; z < in.shape.depth; ++z) {
                context.throwIfStopped();
                a.in = in.row(0, z, c);
                a.out = out.row(0, z, c);
                filter_->run(a);
                if (context.progress) context.progress->add(in.shape.height);
            }
    }

private:
    static std::vector<float> reversed(const Kernel& kernel) {
        std::vector<float> weights = kernel.floatWeights();
        std::reverse(weights.begin(), weights.end());
        return weights;
    }

    ConvolutionPlan plan_;
    DeviceBuffer<float> weights_;
    NppFilterArguments arguments_;
    std::optional<NppFilter> filter_;
    cudaStream_t stream_ = nullptr;
};

class NppConvolution final : public Implementation {
public:
    std::string operation() const override { return "convolve"; }
    std::string variant() const override { return "npp"; }
    std::string summary() const override { return "NVIDIA Performance Primitives: FilterBorder, one call per plane; a peer, if installed"; }
    Support supports(const Problem& problem) const override {
        if (const Support fits = axesFit(problem.shape); !fits) return fits;
        const ConvolutionPlan plan = planConvolution(problem);
        if (const Support fits = weightsFitFloat(plan.kernel); !fits) return fits;
        if (plan.border != BorderMode::replicate) return Support::no("NPP's FilterBorder supports only the border mode 'replicate'");
        if (plan.offset != 0) return Support::no("NPP's FilterBorder supports no offset");
        if (problem.shape.width > std::numeric_limits<int>::max() / 4) return Support::no("NPP limits rows to 2^31 bytes");
        if (const NppState& state = nppState(); !state.loaded) return Support::no("NPP is not available: " + state.reason);
        return {};
    }
    MemoryEstimate estimate(const Problem& problem) const override {
        const auto taps = static_cast<std::uint64_t>(planConvolution(problem).kernel.taps());
        return {.host = taps * (sizeof(float) + sizeof(double)) + stagingBytes(), .device = taps * sizeof(float)};
    }
    RowPadding acceptsPadding(const Problem&) const override { return {true, true}; }
    StripSupport strips(const Problem&) const override { return StripSupport::no("NPP needs whole planes"); }
    Support recording(const Problem&) const override { return Support::no("NPP does not document whether its work can be recorded"); }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext& context) const override {
        const CudaSession& session = cudaSession(context);
        const CurrentDevice current(session.device());
        return std::make_unique<NppExecution>(planConvolution(problem), session);
    }
};

}  // namespace

std::unique_ptr<Implementation> makeNppConvolution() { return std::make_unique<NppConvolution>(); }

}  // namespace parallax::gpu
