// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/convolution/volume/openmp/tiles.hpp"

#include <algorithm>

#include "core/backends/openmp/parallel.hpp"
#include "core/operations/convolution/openmp/tuning.hpp"
#include "core/operations/convolution/volume/openmp/tuning.hpp"
#include "core/primitives/blocks.hpp"

namespace parallax {
namespace {

/// Rows of a whole number of cache lines, an odd one: rows one above the other never meet in the same set of the cache.
constexpr std::int64_t oddPitch(std::int64_t samples) { return roundUp(samples, 2 * kColumnGranule) + kColumnGranule; }

constexpr std::int64_t roundDown(std::int64_t n, std::int64_t unit) { return n / unit * unit; }

}  // namespace

VolumeLayout::VolumeLayout(const Kernel3d& kernel, const Shape& shape, int slices, bool haloRows) {
    const std::int64_t halo = kernel.size[1] - 1, kept = haloRows ? halo : 0;
    const std::int64_t widest =
        std::clamp(roundDown(kVolumeTileSamples / (slices * (kFewestTileRows + kept)), kColumnStep), kNarrowestTile, kWidestTile);
    strips = divideUp(shape.width, widest);
    columns = roundUp(divideUp(shape.width, strips), kColumnGranule);
    strips = divideUp(shape.width, columns);
    const std::int64_t fit = roundDown(kVolumeTileSamples / (slices * columns) - kept, kBlockRows);
    rows = std::min(std::clamp(fit, kFewestTileRows, kMaxTileRows), roundUp(shape.height, kBlockRows));
    inputRows = roundUp(rows + halo, kBlockRows);
    paddedPitch = oddPitch(columns + kernel.size[0] - 1);
    pitch = oddPitch(columns);
}

VolumeWorkspace::VolumeWorkspace(const VolumeLayout& layout, std::int64_t ringSamples, std::int64_t rowSamples, std::int64_t rowPointers)
    : ring(ringSamples),
      rowFiltered(rowSamples),
      outRows(kBlockRows * layout.pitch),
      rows(static_cast<std::size_t>(rowPointers)),
      out(kBlockRows) {}

VolumeExecution::VolumeExecution(const Problem& problem, VolumePlan plan, VolumeLayout layout, std::int64_t ringSamples,
                                 std::int64_t rowSamples, std::int64_t rowPointers, const RunContext& context)
    : plan_(std::move(plan)), layout_(layout), large_(problem.shape.samples() * static_cast<std::int64_t>(sizeof(float)) >= kStreamBytes) {
    workspaces_.resize(static_cast<std::size_t>(effectiveThreads(context)));
    const auto bytes = static_cast<std::uint64_t>(ringSamples + rowSamples) * sizeof(float);
    onEachWorker(effectiveThreads(context), bytes, [&](int worker) {
        workspaces_[static_cast<std::size_t>(worker)] = std::make_unique<VolumeWorkspace>(layout_, ringSamples, rowSamples, rowPointers);
    });
}

void VolumeExecution::run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) {
    const View<const float>& in = inputs[0];
    const View<float>& out = outputs[0];
    const Shape& shape = in.shape;
    copyPlanes(plan_.copied, in, out, static_cast<int>(workspaces_.size()), context);

    const std::int64_t bands = divideUp(shape.height, layout_.rows), channels = static_cast<std::int64_t>(plan_.filtered.size());
    const int threads = effectiveThreads(context);
    const std::int64_t requested = threads > 1 ? divideUp(kVolumeTasksPerThread * threads, std::max<std::int64_t>(bands * channels, 1)) : 1;
    const std::int64_t mostSlabs = std::max<std::int64_t>(1, shape.depth / (kSlicesPerHalo * plan_.kernel->size[2]));
    const std::int64_t slabs = std::min(requested, mostSlabs);
    parallelTasks(context, bands * slabs * channels, static_cast<int>(workspaces_.size()), [&](std::int64_t index, int worker) {
        const int c = plan_.filtered[static_cast<std::size_t>(index / (bands * slabs))];
        const std::int64_t slab = index / bands % slabs;
        VolumeTask task{.in = in.channel(c), .out = out.channel(c)};
        task.y = index % bands * layout_.rows;
        task.rows = std::min(layout_.rows, shape.height - task.y);
        task.z = shape.depth * slab / slabs;
        task.zEnd = shape.depth * (slab + 1) / slabs;
        task.stream = large_ && reinterpret_cast<std::uintptr_t>(task.out.data) % 64 == 0 && out.rowStride % kColumnGranule == 0 &&
                      out.sliceStride % kColumnGranule == 0;
        for (std::int64_t strip = 0; strip < layout_.strips && !context.stopped(); ++strip) {
            task.x = strip * layout_.columns;
            task.columns = std::min(layout_.columns, shape.width - task.x);
            task.lastStrip = strip + 1 == layout_.strips;
            filter(task, *workspaces_[static_cast<std::size_t>(worker)], context);
        }
        if (task.stream) finishStreaming();
    });
}

void VolumeExecution::copyInputRow(const VolumeTask& task, std::int64_t y, std::int64_t z, float* to) const {
    const Kernel3d& k = *plan_.kernel;
    copyBorderedRow(task.in, plan_, task.x - k.before(0), task.columns + k.size[0] - 1, task.y - k.before(1) + y, z, to);
}

void VolumeExecution::setOutput(const VolumeTask& task, std::int64_t y, std::int64_t z, std::size_t r, VolumeWorkspace& w) const {
    const bool inVolume = y < task.rows && z < task.zEnd && task.columns % kColumnGranule == 0;
    w.out[r] = inVolume ? task.out.row(task.y + y, z) + task.x : w.outRows.data() + static_cast<std::int64_t>(r) * layout_.pitch;
}

void VolumeExecution::finishOutput(const VolumeTask& task, std::int64_t y, std::int64_t z, std::size_t r, const VolumeWorkspace& w) const {
    if (task.columns % kColumnGranule == 0 || y >= task.rows || z >= task.zEnd) return;
    std::copy_n(w.out[r], task.columns, task.out.row(task.y + y, z) + task.x);
}

void VolumeExecution::addProgress(const VolumeTask& task, std::int64_t slices, const RunContext& context) const {
    if (task.lastStrip && context.progress) context.progress->add(task.rows * slices);
}

MemoryEstimate estimateVolume(const VolumePlan& plan, std::int64_t ringSamples, std::int64_t rowSamples, std::int64_t rowPointers,
                              const VolumeLayout& layout) {
    const auto workers = static_cast<std::uint64_t>(effectiveThreads({}));
    constexpr std::uint64_t others = 1024;  // the alignment of buffers, the objects themselves
    const std::uint64_t each = static_cast<std::uint64_t>(ringSamples + rowSamples + kBlockRows * layout.pitch) * sizeof(float) +
                               static_cast<std::uint64_t>(rowPointers) * sizeof(float*) + others;
    return {.host = workers * each + static_cast<std::uint64_t>(plan.kernel->taps()) * (sizeof(float) + sizeof(double)), .device = 0};
}

}  // namespace parallax
