// SPDX-License-Identifier: GPL-3.0-or-later
// convolve / openmp / scalar with axes=xyz: plain C++ loops, threads over rows. With one thread it is the serial baseline.
#include <algorithm>
#include <utility>
#include <vector>

#include "core/backends/openmp/parallel.hpp"
#include "core/operations/convolution/volume/openmp/implementations.hpp"

namespace parallax {
namespace {

/// Taps between two checks of the stop token: a few milliseconds even with the largest kernel.
constexpr std::int64_t kTapsPerCheck = 8'000'000;

class VolumeScalarExecution final : public Execution {
public:
    VolumeScalarExecution(VolumePlan plan, int workers)
        : plan_(std::move(plan)), weights_(plan_.kernel->floatWeights()), workers_(workers) {}

    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) override {
        const View<const float>& in = inputs[0];
        const View<float>& out = outputs[0];
        const std::int64_t height = in.shape.height, rows = height * in.shape.depth;
        const auto forRows = [&](const std::vector<int>& channels, const auto& row) {
            parallelTasks(context, rows * static_cast<std::int64_t>(channels.size()), workers_, [&](std::int64_t task, int) {
                if (context.stopped()) return;
                row(task % height, task / height % in.shape.depth, channels[static_cast<std::size_t>(task / rows)]);
                if (context.progress) context.progress->add();
            });
        };
        forRows(plan_.copied,
                [&](std::int64_t y, std::int64_t z, int c) { std::copy_n(in.row(y, z, c), in.shape.width, out.row(y, z, c)); });
        forRows(plan_.filtered, [&](std::int64_t y, std::int64_t z, int c) { filterRow(in.channel(c), out.row(y, z, c), y, z, context); });
    }

private:
    /// The rows of the window around the row (y, z), null for those of the border value.
    std::vector<const float*> rowsAround(const View<const float>& in, std::int64_t y, std::int64_t z) const {
        const Kernel3d& k = *plan_.kernel;
        std::vector<const float*> rows;
        for (int w = 0; w < k.size[2]; ++w) {
            const std::int64_t sz = borderIndex(z + w - k.anchor[2], in.shape.depth, plan_.border);
            for (int v = 0; v < k.size[1]; ++v) {
                const std::int64_t sy = borderIndex(y + v - k.anchor[1], in.shape.height, plan_.border);
                rows.push_back(sy < 0 || sz < 0 ? nullptr : in.row(sy, sz));
            }
        }
        return rows;
    }

    void filterRow(const View<const float>& in, float* to, std::int64_t y, std::int64_t z, const RunContext& context) const {
        const Kernel3d& k = *plan_.kernel;
        const std::int64_t width = in.shape.width, before = k.before(0), after = k.after(0);
        const std::vector<const float*> rows = rowsAround(in, y, z);
        const std::int64_t columnsPerCheck = std::max<std::int64_t>(1, kTapsPerCheck / k.taps());
        for (std::int64_t x = 0; x < width; ++x) {
            if (x % columnsPerCheck == 0 && context.stopped()) return;
            const bool inside = x >= before && x + after < width;
            float sum = 0;
            const float* weights = weights_.data();
            for (const float* row : rows) {
                // A sum a row: a single one over thousands of equal products would round in one direction only.
                float rowSum = 0;
                if (row && inside)
                    for (int u = 0; u < k.size[0]; ++u) rowSum += weights[u] * row[x + u - before];
                else
                    for (int u = 0; u < k.size[0]; ++u) {
                        const std::int64_t sx = row ? borderIndex(x + u - before, width, plan_.border) : -1;
                        rowSum += weights[u] * (sx < 0 ? plan_.borderValue : row[sx]);
                    }
                sum += rowSum;
                weights += k.size[0];
            }
            // Last: all sums before would be rounded to the precision of a large offset.
            to[x] = sum + plan_.offset;
        }
    }

    VolumePlan plan_;
    std::vector<float> weights_;
    int workers_;
};

class VolumeScalar final : public Implementation {
public:
    std::string operation() const override { return "convolve"; }
    std::string variant() const override { return "scalar"; }
    std::string summary() const override { return "the same loops over three axes"; }
    Support supports(const Problem& problem) const override { return weightsFitFloat(planVolumeConvolution(problem)); }
    MemoryEstimate estimate(const Problem& problem) const override {
        return {.host = (sizeof(float) + sizeof(double)) * static_cast<std::uint64_t>(planVolumeConvolution(problem).kernel->taps()),
                .device = 0};
    }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext& context) const override {
        return std::make_unique<VolumeScalarExecution>(planVolumeConvolution(problem), effectiveThreads(context));
    }
};

}  // namespace

std::unique_ptr<Implementation> makeOpenmpVolumeScalar() { return std::make_unique<VolumeScalar>(); }

}  // namespace parallax
