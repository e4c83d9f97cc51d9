// SPDX-License-Identifier: GPL-3.0-or-later
// example-scale / cuda / simple: one kernel from image to image.
#include "gpu/operations/example_scale/example_scale.hpp"

#include "core/operations/example_scale/parameters.hpp"
#include "gpu/operations/example_scale/kernel.hpp"
#include "gpu/runtime/cuda_check.hpp"
#include "gpu/session.hpp"

namespace parallax::gpu {
namespace {

class ExampleScaleExecution final : public Execution {
public:
    explicit ExampleScaleExecution(const ExampleScaleParameters& p)
        : factor_(static_cast<float>(p.factor)), offset_(static_cast<float>(p.offset)) {}

    // Both views are on the device. The engine has uploaded the input, downloads the result and waits for the stream.
    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) override {
        const CudaSession& session = cudaSession(context);
        const CurrentDevice current(session.device());
        const Shape& shape = inputs[0].shape;
        launchExampleScale(inputs[0], outputs[0], factor_, offset_, session.stream());
        if (context.progress) context.progress->add(shape.height * shape.depth * shape.channels);
    }

private:
    float factor_, offset_;
};

class ExampleScale final : public Implementation {
public:
    std::string operation() const override { return "example-scale"; }
    std::string variant() const override { return "simple"; }
    std::string summary() const override { return "One thread for each sample"; }
    Support supports(const Problem&) const override { return {}; }
    MemoryEstimate estimate(const Problem&) const override { return {}; }
    // One launch, always the same, and nothing waits: a CUDA graph can repeat it.
    Support recording(const Problem&) const override { return {}; }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext& context) const override {
        const CurrentDevice current(cudaSession(context).device());
        preloadExampleScale();
        return std::make_unique<ExampleScaleExecution>(problem.parameters.as<ExampleScaleParameters>());
    }
};

}  // namespace

std::unique_ptr<Implementation> makeExampleScale() { return std::make_unique<ExampleScale>(); }

}  // namespace parallax::gpu
