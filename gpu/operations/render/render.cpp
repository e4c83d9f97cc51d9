// SPDX-License-Identifier: GPL-3.0-or-later
// render / cuda / bricks: one thread for each ray, which leaves out bricks that cannot change its pixel.
#include "gpu/operations/render/render.hpp"

#include <cstdint>
#include <limits>

#include "core/operations/render/plan.hpp"
#include "gpu/operations/render/kernels.hpp"
#include "gpu/runtime/cuda_check.hpp"
#include "gpu/runtime/memory/device_buffer.hpp"
#include "gpu/session.hpp"

namespace parallax::gpu {
namespace {

struct BrickCounts {
    std::int64_t along[3];
    explicit BrickCounts(const Shape& shape)
        : along{(shape.width + kBrick - 1) / kBrick, (shape.height + kBrick - 1) / kBrick, (shape.depth + kBrick - 1) / kBrick} {}
    std::int64_t all() const { return along[0] * along[1] * along[2]; }
};

class RenderExecution final : public Execution {
public:
    RenderExecution(const RenderPlan& plan, const Shape& shape, const CudaSession& session)
        : isProjection_(plan.isProjection()),
          keys_(session.allocator(), static_cast<std::size_t>(BrickCounts(shape).all())),
          facts_(session.allocator(), 1),
          entries_(session.allocator(), std::span(plan.table.entries), session.stream()),
          opaque_(session.allocator(), std::span(plan.table.opaque), session.stream()) {
        setup_ = {.frame = plan.frame,
                  .mode = plan.parameters.mode,
                  .threshold = static_cast<float>(plan.parameters.threshold),
                  .shading = plan.parameters.shading,
                  .finestSpacing = plan.finestSpacing,
                  .table = {.low = plan.table.low,
                            .perUnit = plan.table.perUnit,
                            .entries = reinterpret_cast<const float4*>(entries_.data()),
                            .opaque = opaque_.data()},
                  .keys = keys_.data(),
                  .facts = facts_.data()};
        const BrickCounts bricks(shape);
        for (int a = 0; a < 3; ++a) {
            setup_.bricks[a] = static_cast<int>(bricks.along[a]);
            setup_.halfPerSpacing[a] = static_cast<float>(0.5 / plan.frame.spacing[a]);
        }
    }

    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) override {
        const CudaSession& session = cudaSession(context);
        const CurrentDevice current(session.device());
        for (std::int64_t c = 0; c < inputs[0].shape.channels; ++c) {
            context.throwIfStopped();
            launchRender(setup_, inputs[0].channel(c), isProjection_ ? outputs[0].channel(c) : outputs[0], session.stream());
        }
        if (context.progress) context.progress->add(outputs[0].shape.height * outputs[0].shape.channels);
    }

private:
    bool isProjection_;
    DeviceBuffer<float> keys_;
    DeviceBuffer<VolumeFacts> facts_;
    DeviceBuffer<float> entries_;
    DeviceBuffer<std::int32_t> opaque_;
    RenderSetup setup_;
};

class Render final : public Implementation {
public:
    std::string operation() const override { return "render"; }
    std::string variant() const override { return "bricks"; }
    std::string summary() const override {
        return "One thread for each ray, which leaves out bricks of 8 x 8 x 8 cells that cannot change its pixel";
    }
    Support supports(const Problem& problem) const override {
        const std::int64_t most = std::numeric_limits<std::int32_t>::max() / 2;
        if (problem.shape.width * problem.shape.height > most || problem.shape.depth > most)
            return Support::no("Its indices within a slice have 32 bits: slices of up to 2^30 samples");
        return {};
    }
    MemoryEstimate estimate(const Problem& problem) const override {
        const render::TransferTable& table = planRender(problem).table;
        return {.device = static_cast<std::uint64_t>(BrickCounts(problem.shape).all()) * sizeof(float) + sizeof(VolumeFacts) +
                          table.entries.size() * sizeof(float) + table.opaque.size() * sizeof(std::int32_t)};
    }
    StripSupport strips(const Problem&) const override { return StripSupport::no("Rays cross the whole volume"); }
    // The same launches each time, and nothing waits.
    Support recording(const Problem&) const override { return {}; }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext& context) const override {
        const CudaSession& session = cudaSession(context);
        const CurrentDevice current(session.device());
        const RenderPlan plan = planRender(problem);
        preloadRender(plan.parameters.mode);
        return std::make_unique<RenderExecution>(plan, problem.shape, session);
    }
};

}  // namespace

std::unique_ptr<Implementation> makeRender() { return std::make_unique<Render>(); }

}  // namespace parallax::gpu
