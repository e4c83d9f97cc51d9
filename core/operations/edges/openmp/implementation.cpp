// SPDX-License-Identifier: GPL-3.0-or-later
// edges / openmp / rows: the rows around each row are combined column by column into arrays that stay in the cache, then along x.
#include "core/operations/edges/openmp/implementation.hpp"

#include <algorithm>

#include "core/backends/openmp/cache_line_allocator.hpp"
#include "core/backends/openmp/parallel.hpp"
#include "core/operations/convolution/strips.hpp"
#include "core/operations/edges/openmp/kernels.hpp"
#include "core/primitives/blocks.hpp"

namespace parallax {
namespace {

constexpr std::int64_t kMargin = 16;  ///< samples before and after an array: one is read, the others keep it aligned

std::int64_t pitchOf(std::int64_t width) { return kMargin + divideUp(width, kMargin) * kMargin + kMargin; }

class OpenmpExecution final : public RowsExecution<EdgesPlan> {
public:
    OpenmpExecution(const EdgesPlan& plan, std::int64_t width, int workers)
        : RowsExecution(plan),
          weights_(plan),
          pitch_(pitchOf(width)),
          outside_(static_cast<std::size_t>(width), plan.borderValue),
          workspaces_(static_cast<std::size_t>(workers)) {
        const auto samples = static_cast<std::size_t>(plan.components() * pitch_);
        onEachWorker(workers, samples * sizeof(float), [&](int worker) { workspaces_[static_cast<std::size_t>(worker)].resize(samples); });
    }

private:
    void runRows(const View<const float>& in, const View<float>& out, const StripPlanes& planes, std::int64_t top,
                 RunContext& context) override {
        const auto workers = static_cast<int>(workspaces_.size());
        parallelRows(context, out.shape, planes.copied, workers, [&](std::int64_t y, std::int64_t z, int c, int) {
            std::copy_n(in.row(y + top, z, c), in.shape.width, out.row(y, z, c));
        });
        parallelRows(context, out.shape, planes.filtered, workers, [&](std::int64_t y, std::int64_t z, int c, int worker) {
            filterRow(in.channel(c), y + top, z, out.row(y, z, c), workspaces_[static_cast<std::size_t>(worker)].data() + kMargin);
        });
    }

    void filterRow(const View<const float>& in, std::int64_t y, std::int64_t z, float* out, float* workspace) const {
        const std::int64_t width = in.shape.width;
        EdgeColumns columns{.smooth = workspace, .alongY = workspace + pitch_};
        const float** row = columns.rows;
        if (plan_.acrossSlices) {
            columns.alongZ = workspace + 2 * pitch_;
            for (std::int64_t k = -1; k <= 1; ++k)
                for (std::int64_t j = -1; j <= 1; ++j) *row++ = rowAt(in, y + j, z + k);
        } else {
            for (std::int64_t j = -1; j <= 1; ++j) *row++ = rowAt(in, y + j, z);
        }
        combineEdgeRows(columns, width, weights_);
        const double smoothing = plan_.smoothingSum() * (plan_.acrossSlices ? plan_.smoothingSum() : 1);
        setOutside(columns.smooth, width, static_cast<float>(smoothing * static_cast<double>(plan_.borderValue * kEdgeScale)));
        setOutside(columns.alongY, width, 0);
        if (columns.alongZ) setOutside(columns.alongZ, width, 0);
        writeEdgeMagnitudes(columns, width, weights_, out);
    }

    const float* rowAt(const View<const float>& in, std::int64_t y, std::int64_t z) const {
        const std::int64_t sy = borderIndex(y, in.shape.height, plan_.border), sz = borderIndex(z, in.shape.depth, plan_.border);
        return sy < 0 || sz < 0 ? outside_.data() : in.row(sy, sz);
    }

    /// Sets the columns before and after an array; `constant`: what a column of border values gives.
    void setOutside(float* values, std::int64_t width, float constant) const {
        for (const std::int64_t x : {std::int64_t{-1}, width}) {
            const std::int64_t from = borderIndex(x, width, plan_.border);
            values[x] = from < 0 ? constant : values[from];
        }
    }

    EdgeWeights weights_;
    std::int64_t pitch_;
    std::vector<float> outside_;                      ///< a row beyond a constant border
    std::vector<CacheLineVector<float>> workspaces_;  ///< one for each worker: the arrays of EdgeColumns
};

class OpenmpEdges final : public EdgesImplementation {
public:
    std::string variant() const override { return "rows"; }
    std::string summary() const override {
        return "Threads over rows; the rows around each are combined along y and z, then along x, in vectors";
    }
    MemoryEstimate estimate(const Problem& problem) const override {
        const std::int64_t width = problem.shape.width, arrays = effectiveThreads({}) * planEdges(problem).components();
        return {.host = sizeof(float) * static_cast<std::uint64_t>(width + arrays * pitchOf(width)), .device = 0};
    }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext& context) const override {
        return std::make_unique<OpenmpExecution>(planEdges(problem), problem.shape.width, effectiveThreads(context));
    }
};

}  // namespace

std::unique_ptr<Implementation> makeOpenmpEdges() { return std::make_unique<OpenmpEdges>(); }

}  // namespace parallax
