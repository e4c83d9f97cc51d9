// SPDX-License-Identifier: GPL-3.0-or-later
// The reference: the definition in serial loops. Compiled without contraction, so that each product and sum rounds as written.
#include "core/operations/convolution/reference.hpp"

#include <algorithm>

#include "core/operations/convolution/kernel.hpp"
#include "core/operations/convolution/strips.hpp"

namespace parallax {
namespace {

class ReferenceExecution final : public RowsExecution<ConvolutionPlan> {
public:
    using RowsExecution::RowsExecution;

private:
    void runRows(const View<const float>& in, const View<float>& out, const StripPlanes& planes, std::int64_t top,
                 RunContext& context) override {
        for (const int c : planes.copied)
            for (std::int64_t z = 0; z < in.shape.depth; ++z)
                for (std::int64_t y = 0; y < out.shape.height; ++y) std::copy_n(in.row(y + top, z, c), in.shape.width, out.row(y, z, c));
        for (const int c : planes.filtered)
            for (std::int64_t z = 0; z < in.shape.depth; ++z)
                for (std::int64_t y = 0; y < out.shape.height; ++y) {
                    context.throwIfStopped();
                    for (std::int64_t x = 0; x < in.shape.width; ++x) out.at(x, y, z, c) = pixel(in, x, y + top, z, c);
                    if (context.progress) context.progress->add();
                }
    }

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
};

class ReferenceConvolution final : public Implementation {
public:
    std::string operation() const override { return "convolve"; }
    std::string variant() const override { return "serial"; }
    std::string summary() const override { return "Plain serial loops with double accumulation: the oracle, not a baseline for speed"; }
    Support supports(const Problem&) const override { return {}; }
    MemoryEstimate estimate(const Problem& problem) const override {
        return {.host = sizeof(double) * static_cast<std::uint64_t>(planConvolution(problem).kernel.taps()), .device = 0};
    }
    StripSupport strips(const Problem& problem) const override { return convolutionStrips(problem); }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext&) const override {
        return std::make_unique<ReferenceExecution>(planConvolution(problem));
    }
};

}  // namespace

std::unique_ptr<Implementation> makeReferenceConvolution() { return std::make_unique<ReferenceConvolution>(); }

}  // namespace parallax
