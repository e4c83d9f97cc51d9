// SPDX-License-Identifier: GPL-3.0-or-later
// The reference: the definition in serial loops. Compiled without contraction, so that each product and sum rounds as written.
#include "core/operations/convolution/volume/reference.hpp"

#include <algorithm>

#include "core/operations/convolution/volume/plan.hpp"

namespace parallax {
namespace {

class ReferenceVolumeExecution final : public Execution {
public:
    explicit ReferenceVolumeExecution(VolumePlan plan) : plan_(std::move(plan)) {}

    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) override {
        const View<const float>& in = inputs[0];
        const View<float>& out = outputs[0];
        const Shape& shape = in.shape;
        for (const int c : plan_.copied)
            for (std::int64_t z = 0; z < shape.depth; ++z)
                for (std::int64_t y = 0; y < shape.height; ++y) {
                    std::copy_n(in.row(y, z, c), shape.width, out.row(y, z, c));
                    if (context.progress) context.progress->add();
                }
        for (const int c : plan_.filtered)
            for (std::int64_t z = 0; z < shape.depth; ++z)
                for (std::int64_t y = 0; y < shape.height; ++y) {
                    for (std::int64_t x = 0; x < shape.width; ++x) {
                        context.throwIfStopped();
                        out.at(x, y, z, c) = voxel(in.channel(c), x, y, z);
                    }
                    if (context.progress) context.progress->add();
                }
    }

private:
    float voxel(const View<const float>& in, std::int64_t x, std::int64_t y, std::int64_t z) const {
        const Kernel3d& k = *plan_.kernel;
        double sum = 0;
        for (int w = 0; w < k.size[2]; ++w) {
            const std::int64_t sz = borderIndex(z + w - k.anchor[2], in.shape.depth, plan_.border);
            for (int v = 0; v < k.size[1]; ++v) {
                const std::int64_t sy = borderIndex(y + v - k.anchor[1], in.shape.height, plan_.border);
                for (int u = 0; u < k.size[0]; ++u) {
                    const std::int64_t sx = borderIndex(x + u - k.anchor[0], in.shape.width, plan_.border);
                    const bool outside = sx < 0 || sy < 0 || sz < 0;
                    sum += k.at(u, v, w) * static_cast<double>(outside ? plan_.borderValue : in.at(sx, sy, sz));
                }
            }
        }
        return static_cast<float>(sum + static_cast<double>(plan_.offset));
    }

    VolumePlan plan_;
};

class ReferenceVolumeConvolution final : public Implementation {
public:
    std::string operation() const override { return "convolve"; }
    std::string variant() const override { return "serial"; }
    std::string summary() const override { return "the same in three nested loops"; }
    Support supports(const Problem&) const override { return {}; }
    MemoryEstimate estimate(const Problem& problem) const override {
        return {.host = sizeof(double) * static_cast<std::uint64_t>(planVolumeConvolution(problem).kernel->taps()), .device = 0};
    }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext&) const override {
        return std::make_unique<ReferenceVolumeExecution>(planVolumeConvolution(problem));
    }
};

}  // namespace

std::unique_ptr<Implementation> makeReferenceVolumeConvolution() { return std::make_unique<ReferenceVolumeConvolution>(); }

}  // namespace parallax
