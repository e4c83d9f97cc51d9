// SPDX-License-Identifier: GPL-3.0-or-later
// convolve / openmp / separable: kernels that are a column times a row, or the sum of two such. Rows are filtered first, into a
// ring of as many rows as the column pass needs, so that the image goes through memory once; both passes are the same hot loop.
#include <cmath>
#include <limits>

#include "core/operations/convolution/kernel_analysis.hpp"
#include "core/operations/convolution/openmp/choice.hpp"
#include "core/operations/convolution/openmp/implementations.hpp"
#include "core/operations/convolution/openmp/tiles.hpp"

namespace parallax {
namespace {

constexpr const char* kHigherRank = "The kernel is neither a column times a row nor the sum of two such (its rank is not 1 or 2)";

std::vector<SeparableKernel> termsOf(const Kernel& kernel) {
    if (auto one = rankOne(kernel)) return {std::move(one->factors)};
    if (auto two = rankTwo(kernel)) return {std::move(two->terms[0]), std::move(two->terms[1])};
    throw Error(ErrorCode::unavailable, kHigherRank);
}

class SeparableExecution final : public TiledExecution {
public:
    SeparableExecution(const Problem& problem, const std::vector<SeparableKernel>& terms, const RunContext& context)
        : TiledExecution(problem, planConvolution(problem), static_cast<int>(terms.size()), context) {
        for (std::size_t t = 0; t < terms.size(); ++t) {
            rows_.push_back(splitKernel(std::vector<float>(terms[t].row.begin(), terms[t].row.end()), plan_.kernel.width, 1));
            for (KernelChunk& chunk :
                 splitKernel(std::vector<float>(terms[t].column.begin(), terms[t].column.end()), 1, plan_.kernel.height)) {
                // The rows of the second term follow those of the first.
                chunk.v += static_cast<int>(t) * static_cast<int>(layout_.inputRows);
                columns_.push_back(std::move(chunk));
            }
        }
    }

protected:
    void filterStrip(const StripTask& task, TileWorkspace& w, const RunContext& context) const override {
        constexpr std::int64_t block = kBlockRows;
        const auto ringRow = [&](std::size_t term, std::int64_t i) {
            return w.ring.data() + (static_cast<std::int64_t>(term) * layout_.ringRows + i % layout_.ringRows) * layout_.ringPitch;
        };
        FilterBlock rowPass{.rows = w.rows.data(), .out = w.outRows.data(), .columns = columnsOf(*task.strip)};
        FilterBlock columnPass = rowPass;
        columnPass.chunks = columns_.data();
        columnPass.chunkCount = static_cast<int>(columns_.size());
        columnPass.offset = plan_.offset;
        columnPass.stream = task.stream && !task.strip->edges;
        std::int64_t done = 0;  // row-filtered rows, counted from firstRow - top
        for (std::int64_t y = task.firstRow; y < task.lastRow; y += block) {
            const std::int64_t base = y - task.firstRow;
            for (; done < base + layout_.inputRows; done += block) {
                if (context.stopped()) return;
                for (int r = 0; r < block; ++r) w.rows[static_cast<std::size_t>(r)] = inputRow(task, done + r, r, true, w);
                for (std::size_t term = 0; term < rows_.size(); ++term) {
                    for (int r = 0; r < block; ++r) w.outRows[static_cast<std::size_t>(r)] = ringRow(term, done + r);
                    rowPass.chunks = rows_[term].data();
                    rowPass.chunkCount = static_cast<int>(rows_[term].size());
                    if (term == 0) setAhead(task, done + block, block, rowPass, w);
                    filterBlock(rowPass);
                    rowPass.aheadRows = 0;
                }
            }
            for (std::size_t term = 0; term < rows_.size(); ++term)
                for (std::int64_t j = 0; j < layout_.inputRows; ++j)
                    w.rows[term * static_cast<std::size_t>(layout_.inputRows) + static_cast<std::size_t>(j)] = ringRow(term, base + j);
            setOutputRows(task, y, w);
            filterBlock(columnPass);
            copyEdges(task, y, w);
        }
    }

private:
    std::vector<std::vector<KernelChunk>> rows_;  ///< of each term
    std::vector<KernelChunk> columns_;            ///< of all terms
};

class SeparableConvolution final : public Implementation {
public:
    std::string operation() const override { return "convolve"; }
    std::string variant() const override { return "separable"; }
    std::string summary() const override {
        return "For kernels that are a column times a row, or two such: filters rows, then columns, in one pass over strips that stay in "
               "the cache";
    }
    Support supports(const Problem& problem) const override { return separableTerms(problem).support; }
    Preference preference(const Problem& problem, int) const override { return openmpPreference(OpenmpConvolution::separable, problem); }
    MemoryEstimate estimate(const Problem& problem) const override { return estimateTiles(problem, 2); }
    StripSupport strips(const Problem& problem) const override { return convolutionStrips(problem); }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext& context) const override {
        return std::make_unique<SeparableExecution>(problem, termsOf(planConvolution(problem).kernel), context);
    }
};

/// Roundings of a sum of n products, in units of 2^-24, as the tolerance of the operation counts them.
double roundings(double n) { return 2 * std::sqrt(n) + n / 4; }

bool fitFloat(const SeparableKernel& factors) {
    for (const double c : factors.column)
        if (std::fabs(c) > static_cast<double>(std::numeric_limits<float>::max())) return false;
    return true;
}

}  // namespace

SeparableTerms separableTerms(const Problem& problem) {
    const Kernel kernel = planConvolution(problem).kernel;
    if (const Support fits = weightsFitFloat(kernel); !fits) return {0, fits};
    constexpr const char* tooLarge = "A factor of this kernel is beyond the range of 32-bit floats";
    const std::uint64_t infinities = problem.statistics.positiveInfinity + problem.statistics.negativeInfinity;
    if (const auto one = rankOne(kernel)) {
        if (!fitFloat(one->factors)) return {0, Support::no(tooLarge)};
        // 0 times infinity is NaN, wherever the zero stands. A NaN reaches the same results either way.
        if (!one->sameZeros && infinities > 0)
            return {0, Support::no("The image has infinities, and the factors of this kernel have their zeros elsewhere")};
        return {1, {}};
    }
    const auto two = rankTwo(kernel);
    if (!two) return {0, Support::no(kHigherRank)};
    if (!fitFloat(two->terms[0]) || !fitFloat(two->terms[1])) return {0, Support::no(tooLarge)};
    // Both terms would be infinite, of different signs perhaps, where the kernel has one weight.
    if (infinities > 0) return {0, Support::no("The image has infinities, which do not survive a sum of two separable kernels")};
    const double width = kernel.width, height = kernel.height;
    if (two->growth * (8 + roundings(width) + roundings(height)) > 8 + roundings(width * height))
        return {0, Support::no("The two terms of this kernel cancel so far that their rounding errors might exceed the tolerance")};
    return {2, {}};
}

std::unique_ptr<Implementation> makeOpenmpSeparableConvolution() { return std::make_unique<SeparableConvolution>(); }

}  // namespace parallax
