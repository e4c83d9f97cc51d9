// SPDX-License-Identifier: GPL-3.0-or-later
// edges / cuda / simple: one kernel from channel to channel.
#include "gpu/operations/edges/edges.hpp"

#include "core/operations/convolution/strips.hpp"
#include "gpu/operations/edges/kernel.hpp"
#include "gpu/runtime/cuda_check.hpp"
#include "gpu/session.hpp"

namespace parallax::gpu {
namespace {

class EdgesExecution final : public Execution {
public:
    explicit EdgesExecution(const EdgesPlan& plan) : plan_(plan), weights_(plan) {}

    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) override {
        launch(inputs[0], outputs[0], {plan_.filtered, plan_.copied}, 0, context);
        const Shape& shape = inputs[0].shape;
        if (context.progress) context.progress->add(shape.height * shape.depth * shape.channels);
    }

    void runStrip(const StripPlan& plan, const Strip& strip, const View<const float>& in, const View<float>& out,
                  RunContext& context) override {
        // A strip includes its halo, so no window reaches beyond its rows.
        launch(in, out, planesOf(plan_, plan.shape, strip), strip.whole ? 0 : plan.above, context);
    }

private:
    /// Output row y is computed from the windows around input row y + top.
    void launch(const View<const float>& in, const View<float>& out, const StripPlanes& planes, std::int64_t top,
                RunContext& context) const {
        const CudaSession& session = cudaSession(context);
        const CurrentDevice current(session.device());
        const cudaStream_t stream = session.stream();
        for (const int c : planes.copied)
            for (std::int64_t z = 0; z < in.shape.depth; ++z)
                check(
                    cudaMemcpy2DAsync(out.row(0, z, c), bytes(out.rowStride), in.row(top, z, c), bytes(in.rowStride),
                                      bytes(out.shape.width), static_cast<std::size_t>(out.shape.height), cudaMemcpyDeviceToDevice, stream),
                    "A channel could not be copied");
        for (const int c : planes.filtered)
            launchEdges({in.channel(c), out.channel(c), top, weights_, plan_.border, plan_.borderValue}, plan_.acrossSlices, stream);
    }

    static std::size_t bytes(std::int64_t samples) { return static_cast<std::size_t>(samples) * sizeof(float); }

    EdgesPlan plan_;
    EdgeWeights weights_;
};

class CudaEdges final : public EdgesImplementation {
public:
    std::string variant() const override { return "simple"; }
    std::string summary() const override {
        return "A thread for four columns and eight rows, samples through L1; across slices it marches along z";
    }
    MemoryEstimate estimate(const Problem&) const override { return {}; }
    Support recording(const Problem&) const override { return {}; }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext& context) const override {
        const CurrentDevice current(cudaSession(context).device());
        preloadEdges();
        return std::make_unique<EdgesExecution>(planEdges(problem));
    }
};

}  // namespace

std::unique_ptr<Implementation> makeEdges() { return std::make_unique<CudaEdges>(); }

}  // namespace parallax::gpu
