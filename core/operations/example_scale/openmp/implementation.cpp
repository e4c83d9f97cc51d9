// SPDX-License-Identifier: GPL-3.0-or-later
// example-scale / openmp / rows: one task for each row. Every .cpp file in a folder `openmp` belongs to the openmp plug-in.
#include "core/operations/example_scale/openmp/implementation.hpp"

#include "core/backends/openmp/parallel.hpp"
#include "core/operations/example_scale/parameters.hpp"

namespace parallax {
namespace {

class OpenmpExecution final : public Execution {
public:
    explicit OpenmpExecution(const ExampleScaleParameters& p)
        : factor_(static_cast<float>(p.factor)), offset_(static_cast<float>(p.offset)) {}

    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) override {
        const View<const float>& in = inputs[0];
        const View<float>& out = outputs[0];
        const std::int64_t rows = in.shape.height, slices = in.shape.depth;
        // parallelTasks() distributes tasks over the threads of the context, stops on request and passes exceptions on.
        parallelTasks(context, rows * slices * in.shape.channels, effectiveThreads(context), [&](std::int64_t task, int) {
            const std::int64_t y = task % rows, z = task / rows % slices, c = task / rows / slices;
            const float* from = in.row(y, z, c);
            float* to = out.row(y, z, c);
            for (std::int64_t x = 0; x < in.shape.width; ++x) to[x] = factor_ * from[x] + offset_;  // vectorised by the compiler
            if (context.progress) context.progress->add();
        });
    }

    // Without a halo, a strip is an image like any other.
    void runStrip(const StripPlan&, const Strip&, const View<const float>& input, const View<float>& output, RunContext& context) override {
        run(std::span(&input, 1), std::span(&output, 1), context);
    }

private:
    float factor_, offset_;
};

class OpenmpExampleScale final : public Implementation {
public:
    std::string operation() const override { return "example-scale"; }
    std::string variant() const override { return "rows"; }
    std::string summary() const override { return "Threads over rows, vectorised by the compiler"; }
    Support supports(const Problem&) const override { return {}; }
    MemoryEstimate estimate(const Problem&) const override { return {}; }
    // For images larger than a device, and for several devices. Others state a halo, or nothing if they need the whole image.
    StripSupport strips(const Problem&) const override { return StripSupport::withoutHalo(); }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext&) const override {
        return std::make_unique<OpenmpExecution>(problem.parameters.as<ExampleScaleParameters>());
    }
};

}  // namespace

std::unique_ptr<Implementation> makeOpenmpExampleScale() { return std::make_unique<OpenmpExampleScale>(); }

}  // namespace parallax
