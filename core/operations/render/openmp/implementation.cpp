// SPDX-License-Identifier: GPL-3.0-or-later
// render / openmp / packets: vectors of neighbouring rays, which leave out bricks that cannot change their pixels.
#include "core/operations/render/openmp/implementation.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/backends/openmp/parallel.hpp"
#include "core/operations/render/formulas.hpp"
#include "core/operations/render/openmp/bricks.hpp"
#include "core/operations/render/plan.hpp"

namespace parallax {
namespace {

using rendering::kMaxLanes;

class OpenmpExecution final : public Execution {
public:
    OpenmpExecution(RenderPlan plan, const Shape& shape) : plan_(std::move(plan)), bricks_(shape), packet_(rendering::packetShape()) {}

    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) override {
        for (std::int64_t c = 0; c < inputs[0].shape.channels; ++c) {
            const rendering::Volume volume = bricks_.describe(inputs[0].channel(c), plan_, context);
            const rendering::Numbers numbers = numbersOf(volume);
            const View<float>& out = outputs[0];
            // A task is a row of packets.
            const std::int64_t height = out.shape.height, rows = packet_.height;
            parallelTasks(context, (height + rows - 1) / rows, effectiveThreads(context), [&](std::int64_t task, int) {
                for (std::int64_t x = 0; x < out.shape.width && !context.stopped(); x += packet_.width)
                    render(volume, numbers, out, c, x, task * rows);
                if (context.progress)
                    context.progress->add(std::min(rows, height - task * rows) * (plan_.isProjection() ? 1 : out.shape.channels));
            });
        }
    }

private:
    rendering::Numbers numbersOf(const rendering::Volume& volume) const {
        rendering::Numbers n{.mode = plan_.parameters.mode,
                             .threshold = static_cast<float>(plan_.parameters.threshold),
                             .soft = static_cast<float>(render::softGradient(static_cast<double>(volume.smallest),
                                                                             static_cast<double>(volume.largest), plan_.finestSpacing)),
                             .shading = plan_.parameters.shading,
                             .low = static_cast<float>(plan_.table.low),
                             .perUnit = static_cast<float>(plan_.table.perUnit),
                             .entries = plan_.table.entries.data()};
        for (int a = 0; a < 3; ++a) n.halfPerSpacing[a] = static_cast<float>(0.5 / plan_.frame.spacing[a]);
        return n;
    }

    void render(const rendering::Volume& volume, const rendering::Numbers& numbers, const View<float>& out, std::int64_t channel,
                std::int64_t left, std::int64_t top) const {
        rendering::Packet packet{};
        const int lanes = packet_.width * packet_.height;
        for (int lane = 0; lane < lanes; ++lane) {
            const std::int64_t x = left + lane % packet_.width, y = top + lane / packet_.width;
            if (x >= out.shape.width || y >= out.shape.height) continue;
            const render::RayPath path = render::pathOf(plan_.frame, x, y);
            const render::FixedRay ray = render::fixedRay(path);
            packet.samples[lane] = path.samples;
            packet.facing[lane] = static_cast<float>(path.facing);
            for (int a = 0; a < 3; ++a) {
                packet.start[a][lane] = ray.start[a];
                packet.delta[a][lane] = ray.delta[a];
                packet.direction[a][lane] = static_cast<float>(path.direction[a]);
            }
        }
        float colour[3][kMaxLanes];
        rendering::renderPacket(volume, numbers, packet, colour);
        const int channels = plan_.isProjection() ? 1 : 3;
        for (int lane = 0; lane < lanes; ++lane) {
            const std::int64_t x = left + lane % packet_.width, y = top + lane / packet_.width;
            if (x >= out.shape.width || y >= out.shape.height) continue;
            for (int c = 0; c < channels; ++c) out.at(x, y, 0, channel + c) = pixel(colour, c, lane);
        }
    }

    float pixel(const float (*colour)[kMaxLanes], int c, int lane) const {
        return plan_.parameters.mode == RenderMode::surface ? render::surfaceColour(c) * colour[0][lane] : colour[c][lane];
    }

    RenderPlan plan_;
    rendering::Bricks bricks_;
    rendering::PacketShape packet_;
};

class OpenmpRender final : public Implementation {
public:
    std::string operation() const override { return "render"; }
    std::string variant() const override { return "packets"; }
    std::string summary() const override {
        return "Threads over rows of packets: vectors of rays, which leave out bricks of 8 x 8 x 8 cells, and groups of them, that cannot "
               "change their pixels";
    }
    Support supports(const Problem& problem) const override {
        // Rows may have gaps between them.
        if (problem.shape.pixels() > std::numeric_limits<std::int32_t>::max() / 2)
            return Support::no("Its vectors of indices have 32 bits: volumes of up to 2^30 samples");
        return {};
    }
    MemoryEstimate estimate(const Problem& problem) const override {
        return {.host = rendering::Bricks::bytes(problem.shape, effectiveThreads({}))};
    }
    StripSupport strips(const Problem&) const override { return StripSupport::no("Rays cross the whole volume"); }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext&) const override {
        return std::make_unique<OpenmpExecution>(planRender(problem), problem.shape);
    }
};

}  // namespace

std::unique_ptr<Implementation> makeOpenmpRender() { return std::make_unique<OpenmpRender>(); }

}  // namespace parallax
