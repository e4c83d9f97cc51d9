// SPDX-License-Identifier: GPL-3.0-or-later
// convolve / openmp / scalar: plain C++ loops with the same threads as the vector variant, borders kept out of the inner loop.
// With one thread it is the serial baseline.
#include <algorithm>

#include "core/backends/openmp/parallel.hpp"
#include "core/operations/convolution/kernel.hpp"
#include "core/operations/convolution/openmp/implementations.hpp"
#include "core/operations/convolution/strips.hpp"

namespace parallax {
namespace {

/// Taps between two checks of the stop token: a few milliseconds even with the largest kernel.
constexpr std::int64_t kTapsPerCheck = 8'000'000;

class ScalarExecution final : public RowsExecution<ConvolutionPlan> {
public:
    ScalarExecution(ConvolutionPlan plan, int workers)
        : RowsExecution(std::move(plan)), weights_(plan_.kernel.floatWeights()), workers_(workers) {}

private:
    void runRows(const View<const float>& in, const View<float>& out, const StripPlanes& planes, std::int64_t top,
                 RunContext& context) override {
        parallelRows(context, out.shape, planes.copied, workers_, [&](std::int64_t y, std::int64_t z, int c, int) {
            std::copy_n(in.row(y + top, z, c), in.shape.width, out.row(y, z, c));
        });
        const std::int64_t columnsPerCheck = std::max<std::int64_t>(1, kTapsPerCheck / plan_.kernel.taps());
        parallelRows(context, out.shape, planes.filtered, workers_, [&](std::int64_t y, std::int64_t z, int c, int) {
            for (std::int64_t x = 0; x < in.shape.width && !context.stopped(); x += columnsPerCheck)
                filterColumns(in, out.row(y, z, c), x, std::min(in.shape.width, x + columnsPerCheck), y + top, z, c);
        });
    }

    /// `y` is the row of the input.
    void filterColumns(const View<const float>& in, float* to, std::int64_t first, std::int64_t last, std::int64_t y, std::int64_t z,
                       int c) const {
        const Kernel& k = plan_.kernel;
        const bool rowsInside = y >= k.top() && y + k.bottom() < in.shape.height;
        const std::int64_t insideFirst = rowsInside ? std::clamp<std::int64_t>(k.left(), first, last) : last;
        const std::int64_t insideLast = std::clamp<std::int64_t>(in.shape.width - k.right(), insideFirst, last);
        for (std::int64_t x = first; x < insideFirst; ++x) to[x] = borderPixel(in, x, y, z, c);
        for (std::int64_t x = insideFirst; x < insideLast; ++x) {
            float sum = 0;
            const float* w = weights_.data();
            for (int v = 0; v < k.height; ++v, w += k.width) {
                const float* p = in.row(y + v - k.top(), z, c) + x - k.left();
                // A sum a row: a single one over thousands of equal products would round in one direction only.
                float rowSum = 0;
                for (int u = 0; u < k.width; ++u) rowSum += w[u] * p[u];
                sum += rowSum;
            }
            // Last: all sums before would be rounded to the precision of a large offset.
            to[x] = sum + plan_.offset;
        }
        for (std::int64_t x = insideLast; x < last; ++x) to[x] = borderPixel(in, x, y, z, c);
    }

    float borderPixel(const View<const float>& in, std::int64_t x, std::int64_t y, std::int64_t z, int c) const {
        const Kernel& k = plan_.kernel;
        float sum = 0;
        for (int v = 0; v < k.height; ++v) {
            const std::int64_t sy = borderIndex(y + v - k.top(), in.shape.height, plan_.border);
            float rowSum = 0;
            for (int u = 0; u < k.width; ++u) {
                const std::int64_t sx = borderIndex(x + u - k.left(), in.shape.width, plan_.border);
                const float sample = sx < 0 || sy < 0 ? plan_.borderValue : in.at(sx, sy, z, c);
                rowSum += weights_[static_cast<std::size_t>(v) * static_cast<std::size_t>(k.width) + static_cast<std::size_t>(u)] * sample;
            }
            sum += rowSum;
        }
        return sum + plan_.offset;
    }

    std::vector<float> weights_;
    int workers_;
};

class ScalarConvolution final : public Implementation {
public:
    std::string operation() const override { return "convolve"; }
    std::string variant() const override { return "scalar"; }
    std::string summary() const override {
        return "Plain loops, one pixel after the other, threads over rows; with one thread the serial baseline for speed";
    }
    Support supports(const Problem&) const override { return {}; }
    MemoryEstimate estimate(const Problem& problem) const override {
        return {.host = (sizeof(float) + sizeof(double)) * static_cast<std::uint64_t>(planConvolution(problem).kernel.taps()), .device = 0};
    }
    StripSupport strips(const Problem& problem) const override { return convolutionStrips(problem); }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext& context) const override {
        return std::make_unique<ScalarExecution>(planConvolution(problem), effectiveThreads(context));
    }
};

}  // namespace

std::unique_ptr<Implementation> makeOpenmpScalarConvolution() { return std::make_unique<ScalarConvolution>(); }

}  // namespace parallax
