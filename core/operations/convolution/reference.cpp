// SPDX-License-Identifier: GPL-3.0-or-later
// The oracle: written to be obviously right. Compiled without contraction, so that each product and sum rounds as written.
#include "core/operations/convolution/reference.hpp"

#include <algorithm>

#include "core/operations/convolution/kernel.hpp"
#include "core/operations/convolution/strips.hpp"

namespace parallax {
namespace {

class ReferenceExecution final : public Execution {
public:
    explicit ReferenceExecution(ConvolutionPlan plan) : plan_(std::move(plan)) {}

    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) override {
        const View<const float>& in = inputs[0];
        const View<float>& out = outputs[0];
        for (const int c : plan_.copied)
            for (std::int64_t z = 0; z < in.shape.depth; ++z)
                for (std::int64_t y = 0; y < in.shape.height; ++y) std::copy_n(in.row(y, z, c), in.shape.width, out.row(y, z, c));
        for (const int c : plan_.filtered)
            for (std::int64_t z = 0; z < in.shape.depth; ++z)
                for (std::int64_t y = 0; y < in.shape.height; ++y) {
                    context.throwIfStopped();
                    for (std::int64_t x = 0; x < in.shape.width; ++x) out.at(x, y, z, c) = pixel(in, x, y, z, c);
                    if (context.progress) context.progress->add();
                }
    }

    void runStrip(const StripPlan& plan, const Strip& strip, const View<const float>& in, const View<float>& out,
                  RunContext& context) override {
        // A band comes with its halo, so no sample that counts lies outside.
        const std::int64_t top = strip.whole ? 0 : plan.above;
        const StripPlanes planes = planesOf(plan_, plan.shape, strip);
        for (const int p : planes.copied)
            for (std::int64_t y = 0; y < out.shape.height; ++y) std::copy_n(in.row(y + top, 0, p), in.shape.width, out.row(y, 0, p));
        for (const int p : planes.filtered)
            for (std::int64_t y = 0; y < out.shape.height; ++y) {
                context.throwIfStopped();
                for (std::int64_t x = 0; x < in.shape.width; ++x) out.at(x, y, 0, p) = pixel(in, x, y + top, 0, p);
            }
    }

private:
    float pixel(const View<const float>& in, std::int64_t x, std::int64_t y, std::int64_t z, std::int64_t c) const {
        const Kernel& k = plan_.kernel;
        double sum = 0;
        for (int v = 0; v < k.height; ++v) {
            const std::int64_t sy = borderIndex(y + v - k.anchorY, in.shape.height, plan_.border);
            for (int u = 0; u < k.width; ++u) {
                const std::int64_t sx = borderIndex(x + u - k.anchorX, in.shape.width, plan_.border);
                const double sample = sx < 0 || sy < 0 ? static_cast<double>(plan_.borderValue) : static_cast<double>(in.at(sx, sy, z, c));
                sum += k.at(u, v) * sample;
            }
        }
        return static_cast<float>(sum + static_cast<double>(plan_.offset));
    }

    ConvolutionPlan plan_;
};

class ReferenceConvolution final : public Implementation {
public:
    std::string operation() const override { return "convolve"; }
    std::string variant() const override { return "serial"; }
    std::string summary() const override { return "Plain serial loops with double accumulation: the oracle, not a baseline for speed"; }
    Support supports(const Problem&) const override { return {}; }
    MemoryEstimate estimate(const Problem&) const override { return {.host = 8 * kMaximumKernelSize * kMaximumKernelSize, .device = 0}; }
    StripSupport strips(const Problem& problem) const override { return convolutionStrips(problem); }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext&) const override {
        return std::make_unique<ReferenceExecution>(planConvolution(problem));
    }
};

}  // namespace

std::unique_ptr<Implementation> makeReferenceConvolution() { return std::make_unique<ReferenceConvolution>(); }

}  // namespace parallax
