// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/convolution/openmp/tiles.hpp"

#include <algorithm>
#include <cstring>

#include "core/backends/openmp/parallel.hpp"
#include "core/operations/convolution/openmp/tuning.hpp"
#include "core/primitives/blocks.hpp"

namespace parallax {
namespace {

/// Rows of a whole number of cache lines, an odd one: rows one above the other never meet in the same set of the cache.
constexpr std::int64_t scratchPitch(std::int64_t samples) { return roundUp(samples, 2 * kColumnGranule) + kColumnGranule; }

}  // namespace

Scratch::Scratch(std::int64_t samples) : buffer_(Shape{std::max<std::int64_t>(samples, 1), 1, 1, 1}) {
    std::fill_n(data(), buffer_.shape().width, 0.0F);
}

TileLayout::TileLayout(const Kernel& kernel, std::int64_t width, int termCount) : terms(termCount) {
    inputRows = kBlockRows + kernel.height - 1;
    // Strips in the middle begin at a multiple of 16 samples, so that stores are aligned wherever rows are.
    left = roundUp(kernel.left(), kColumnGranule);
    const std::int64_t middle = std::max<std::int64_t>((width - kernel.right() - left) / kColumnGranule, 0) * kColumnGranule;
    if (middle == 0) left = width;
    right = width - left - middle;
    rightOffset = right > 0 ? left + (left > 0 ? kernel.width - 1 : 0) : left;
    edgeColumns = roundUp(rightOffset + right, kColumnGranule);
    edgeSamples = left + right == 0 ? 0 : rightOffset + right + kernel.width - 1;
    paddedPitch = scratchPitch(edgeColumns + kernel.width - 1);

    // Equal strips: a narrow last one would lose more to its ends.
    const std::int64_t most = std::clamp(kBlockSamples / inputRows, kNarrowestStrip, kWidestStrip);
    const std::int64_t each = middle > 0 ? roundUp(divideUp(middle, divideUp(middle, most)), kColumnStep) : 0;
    for (std::int64_t x = left; x < left + middle; x += each) strips.push_back({x, std::min(x + each, left + middle)});
    if (left + right > 0) strips.push_back({.edges = true});
    widest = std::max(std::min(each, middle), edgeColumns);
    if (terms > 0) {
        ringRows = roundUp(inputRows, kBlockRows) + kBlockRows;
        ringPitch = scratchPitch(widest);
    }
}

std::int64_t TileLayout::samples() const {
    const std::int64_t constantRow = std::max(widest, edgeColumns) + paddedPitch;
    return inputRows * paddedPitch + constantRow + kBlockRows * edgeColumns + widest + terms * ringRows * ringPitch;
}

std::uint64_t TileLayout::bytesPerWorker() const {
    const std::int64_t pointers = (std::max(terms, 1) + 1) * inputRows + kBlockRows;
    constexpr std::uint64_t others = 1024;  // the alignment of five buffers, the objects themselves
    return static_cast<std::uint64_t>(samples()) * sizeof(float) + static_cast<std::uint64_t>(pointers) * sizeof(float*) + others;
}

TileWorkspace::TileWorkspace(const TileLayout& layout, float borderValue)
    : padded(layout.inputRows * layout.paddedPitch),
      constantRow(std::max(layout.widest, layout.edgeColumns) + layout.paddedPitch),
      edgeOut(kBlockRows * layout.edgeColumns),
      unused(layout.widest),
      ring(layout.terms * layout.ringRows * layout.ringPitch),
      rows(static_cast<std::size_t>(std::max(layout.terms, 1) * layout.inputRows)),
      ahead(static_cast<std::size_t>(layout.inputRows)),
      outRows(kBlockRows) {
    std::fill_n(constantRow.data(), std::max(layout.widest, layout.edgeColumns) + layout.paddedPitch, borderValue);
}

TiledExecution::TiledExecution(const Problem& problem, ConvolutionPlan plan, int terms, const RunContext& context)
    : plan_(std::move(plan)),
      layout_(plan_.kernel, problem.shape.width, terms),
      large_(problem.shape.samples() * static_cast<std::int64_t>(sizeof(float)) >= kStreamBytes) {
    const std::int64_t width = problem.shape.width, reach = plan_.kernel.left();
    for (std::int64_t i = 0; i < layout_.edgeSamples; ++i) {
        const std::int64_t column =
            i < layout_.rightOffset || layout_.right == 0 ? i - reach : width - layout_.right + i - layout_.rightOffset - reach;
        edgeSource_.push_back(borderIndex(column, width, plan_.border));
    }
    workspaces_.resize(static_cast<std::size_t>(effectiveThreads(context)));
    onEachWorker(effectiveThreads(context), layout_.bytesPerWorker(), [&](int worker) {
        workspaces_[static_cast<std::size_t>(worker)] = std::make_unique<TileWorkspace>(layout_, plan_.borderValue);
    });
}

void TiledExecution::run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) {
    copyPlanes(plan_.copied, inputs[0], outputs[0], static_cast<int>(workspaces_.size()), context);
    filterPlanes(inputs[0], outputs[0], plan_.filtered, 0, context);
}

void TiledExecution::runStrip(const StripPlan& plan, const Strip& strip, const View<const float>& in, const View<float>& out,
                              RunContext& context) {
    const StripPlanes planes = planesOf(plan_, plan.shape, strip);
    const std::int64_t top = strip.whole ? 0 : plan.above;
    View<const float> same = in;
    same.data += top * in.rowStride;
    same.shape.height = out.shape.height;
    copyPlanes(planes.copied, same, out, static_cast<int>(workspaces_.size()), context);
    filterPlanes(in, out, planes.filtered, top, context);
}

void TiledExecution::filterPlanes(const View<const float>& in, const View<float>& out, const std::vector<int>& channels, std::int64_t top,
                                  RunContext& context) const {
    const std::int64_t depth = in.shape.depth, height = out.shape.height;
    const std::int64_t planes = depth * static_cast<std::int64_t>(channels.size());
    // Bands as high as the kernel at least, so that reading the rows between two bands twice costs little.
    const std::int64_t highest = std::max<std::int64_t>(kBandRows, roundUp(plan_.kernel.height, kBlockRows));
    const int threads = effectiveThreads(context);
    const std::int64_t wanted = threads > 1 ? divideUp(kBandsPerThread * threads, std::max<std::int64_t>(planes, 1)) : 1;
    const std::int64_t bandRows = std::clamp<std::int64_t>(roundUp(divideUp(height, wanted), kBlockRows), kBlockRows, highest);
    const std::int64_t bands = divideUp(height, bandRows);
    parallelTasks(context, bands * planes, static_cast<int>(workspaces_.size()), [&](std::int64_t index, int worker) {
        const int c = channels[static_cast<std::size_t>(index / (bands * depth))];
        const std::int64_t z = index / bands % depth;
        StripTask task;
        task.in = in.channel(c);
        task.in.data = task.in.row(0, z);
        task.out = out.channel(c);
        task.out.data = task.out.row(0, z) - top * out.rowStride;  // rows are counted as in the input
        task.firstRow = top + index % bands * bandRows;
        task.lastRow = std::min(top + height, task.firstRow + bandRows);
        task.large = large_;
        task.stream = large_ && reinterpret_cast<std::uintptr_t>(task.out.data) % 64 == 0 && task.out.rowStride % kColumnGranule == 0;
        for (std::size_t i = 0; i < layout_.strips.size(); ++i) {
            task.strip = &layout_.strips[i];
            task.next = i + 1 < layout_.strips.size() && !layout_.strips[i + 1].edges ? &layout_.strips[i + 1] : nullptr;
            filterStrip(task, *workspaces_[static_cast<std::size_t>(worker)], context);
        }
        if (task.stream) finishStreaming();
        if (context.progress && !context.stopped()) context.progress->add(task.lastRow - task.firstRow);
    });
}

std::int64_t TiledExecution::columnsOf(const ColumnStrip& strip) const {
    return strip.edges ? layout_.edgeColumns : strip.last - strip.first;
}

const float* TiledExecution::inputRow(const StripTask& task, std::int64_t index, std::int64_t slot, bool isNew, TileWorkspace& w) const {
    const std::int64_t y = borderIndex(task.firstRow - plan_.kernel.top() + index, task.in.shape.height, plan_.border);
    if (y < 0) return w.constantRow.data();
    const float* row = task.in.row(y);
    if (!task.strip->edges) return row + task.strip->first - plan_.kernel.left();
    float* padded = w.padded.data() + slot * layout_.paddedPitch;
    if (!isNew) return padded;
    const std::int64_t* source = edgeSource_.data();
    if (plan_.border == BorderMode::constant) {
        for (std::int64_t i = 0; i < layout_.edgeSamples; ++i) padded[i] = source[i] < 0 ? plan_.borderValue : row[source[i]];
    } else {
        for (std::int64_t i = 0; i < layout_.edgeSamples; ++i) padded[i] = row[source[i]];
    }
    return padded;
}

void TiledExecution::setOutputRows(const StripTask& task, std::int64_t y, TileWorkspace& w) const {
    for (int r = 0; r < kBlockRows; ++r)
        w.outRows[static_cast<std::size_t>(r)] = task.strip->edges      ? w.edgeOut.data() + r * layout_.edgeColumns
                                                 : y + r < task.lastRow ? task.out.row(y + r) + task.strip->first
                                                                        : w.unused.data();
}

void TiledExecution::copyEdges(const StripTask& task, std::int64_t y, TileWorkspace& w) const {
    if (!task.strip->edges) return;
    for (std::int64_t r = 0; r < kBlockRows && y + r < task.lastRow; ++r) {
        const float* from = w.outRows[static_cast<std::size_t>(r)];
        float* to = task.out.row(y + r);
        std::memcpy(to, from, static_cast<std::size_t>(layout_.left) * sizeof(float));
        std::memcpy(to + task.out.shape.width - layout_.right, from + layout_.rightOffset,
                    static_cast<std::size_t>(layout_.right) * sizeof(float));
    }
}

void TiledExecution::setAhead(const StripTask& task, std::int64_t index, std::int64_t count, FilterBlock& block, TileWorkspace& w) const {
    block.ahead = w.ahead.data();
    block.aheadRows = 0;
    if (!task.large || task.strip->edges) return;
    std::int64_t column = task.strip->first - plan_.kernel.left();
    if (index >= task.lastRow - task.firstRow + plan_.kernel.height - 1) {
        if (!task.next) return;
        column = task.next->first - plan_.kernel.left();
        index = 0;
        count = layout_.inputRows;
    }
    for (std::int64_t i = index; i < index + count; ++i) {
        const std::int64_t y = borderIndex(task.firstRow - plan_.kernel.top() + i, task.in.shape.height, plan_.border);
        if (y >= 0) w.ahead[static_cast<std::size_t>(block.aheadRows++)] = task.in.row(y) + column;
    }
}

MemoryEstimate estimateTiles(const Problem& problem, int terms) {
    const Kernel kernel = planConvolution(problem).kernel;
    const auto workers = static_cast<std::uint64_t>(effectiveThreads({}));
    const TileLayout layout(kernel, problem.shape.width, terms);
    return {.host = workers * layout.bytesPerWorker() + 2 * sizeof(float) * static_cast<std::uint64_t>(kernel.taps()) +
                    static_cast<std::uint64_t>(layout.edgeSamples) * sizeof(std::int64_t),
            .device = 0};
}

}  // namespace parallax
