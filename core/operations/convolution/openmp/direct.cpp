// SPDX-License-Identifier: GPL-3.0-or-later
// convolve / openmp / direct: the sum over all taps, blocks of rows and vectors in registers.
#include "core/operations/convolution/openmp/choice.hpp"
#include "core/operations/convolution/openmp/implementations.hpp"
#include "core/operations/convolution/openmp/tiles.hpp"

namespace parallax {
namespace {

class DirectExecution final : public TiledExecution {
public:
    DirectExecution(const Problem& problem, const RunContext& context)
        : TiledExecution(problem, planConvolution(problem), 0, context),
          chunks_(splitKernel(plan_.kernel.floatWeights(), plan_.kernel.width, plan_.kernel.height)) {}

protected:
    void filterStrip(const StripTask& task, TileWorkspace& w, const RunContext& context) const override {
        FilterBlock block{.rows = w.rows.data(),
                          .out = w.outRows.data(),
                          .columns = columnsOf(*task.strip),
                          .chunks = chunks_.data(),
                          .chunkCount = static_cast<int>(chunks_.size()),
                          .offset = plan_.offset,
                          .stream = task.stream && !task.strip->edges};
        const std::int64_t overlap = layout_.inputRows - kBlockRows;
        for (std::int64_t y = task.firstRow; y < task.lastRow; y += kBlockRows) {
            if (context.stopped()) return;
            const std::int64_t base = y - task.firstRow;
            for (std::int64_t j = 0; j < layout_.inputRows; ++j)
                w.rows[static_cast<std::size_t>(j)] =
                    inputRow(task, base + j, (base + j) % layout_.inputRows, base == 0 || j >= overlap, w);
            setOutputRows(task, y, w);
            setAhead(task, base + layout_.inputRows, kBlockRows, block, w);
            filterBlock(block);
            copyEdges(task, y, w);
        }
    }

private:
    std::vector<KernelChunk> chunks_;
};

class DirectConvolution final : public Implementation {
public:
    std::string operation() const override { return "convolve"; }
    std::string variant() const override { return "direct"; }
    std::string summary() const override {
        return "Sum over all taps: blocks of rows and vectors held in registers, threads over bands of rows; no use is made of "
               "separable kernels";
    }
    Support supports(const Problem& problem) const override { return weightsFitFloat(planConvolution(problem).kernel); }
    Preference preference(const Problem& problem, int) const override { return openmpPreference(OpenmpConvolution::direct, problem); }
    MemoryEstimate estimate(const Problem& problem) const override { return estimateTiles(problem, 0); }
    StripSupport strips(const Problem& problem) const override { return convolutionStrips(problem); }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext& context) const override {
        return std::make_unique<DirectExecution>(problem, context);
    }
};

}  // namespace

std::unique_ptr<Implementation> makeOpenmpDirectConvolution() { return std::make_unique<DirectConvolution>(); }

}  // namespace parallax
