// SPDX-License-Identifier: GPL-3.0-or-later
// convolve / openmp / separable with axes=xyz: three factors in one pass over memory. Each slice of a tile is filtered along x and y when
// it arrives; a ring keeps as many of them as four slices of the result need, which are then summed along z.
#include <algorithm>
#include <array>

#include "core/operations/convolution/volume/openmp/choice.hpp"
#include "core/operations/convolution/volume/openmp/implementations.hpp"
#include "core/operations/convolution/volume/openmp/tiles.hpp"

namespace parallax {
namespace {

/// Slices of a block of the pass along z.
constexpr int kBlockSlices = static_cast<int>(kBlockRows);

struct SeparableSizes {
    SeparableSizes(const Kernel3d& k, const Shape& shape)
        : slices(k.size[2] + kBlockSlices - 1),
          layout(k, shape, slices, false),
          ringSamples(slices * layout.rows * layout.pitch),
          rowSamples(layout.inputRows * layout.pitch + kBlockRows * layout.paddedPitch),
          rowPointers(kBlockRows + std::max(k.size[1], k.size[2]) - 1) {}
    int slices;
    VolumeLayout layout;
    std::int64_t ringSamples, rowSamples, rowPointers;
};

class VolumeSeparableExecution final : public VolumeExecution {
public:
    VolumeSeparableExecution(const Problem& problem, const VolumePlan& plan, const SeparableSizes& sizes, const RunContext& context)
        : VolumeExecution(problem, plan, sizes.layout, sizes.ringSamples, sizes.rowSamples, sizes.rowPointers, context),
          slices_(sizes.slices) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const std::vector<double>& factor = (*plan.factors)->factors[axis];
            const std::vector<float> weights(factor.begin(), factor.end());
            const int length = static_cast<int>(weights.size());
            chunks_[axis] = axis == 0 ? splitKernel(weights, length, 1) : splitKernel(weights, 1, length);
        }
    }

protected:
    void filter(const VolumeTask& task, VolumeWorkspace& w, const RunContext& context) const override {
        const Kernel3d& k = *plan_.kernel;
        FilterBlock block = blockOf(2, task, w);
        block.offset = plan_.offset;
        block.stream = task.stream;
        std::int64_t done = task.z - k.before(2);  // the next input slice
        for (std::int64_t z = task.z; z < task.zEnd; z += kBlockSlices) {
            const std::int64_t needed = std::min(z + kBlockSlices, task.zEnd) + k.after(2);
            for (; done < needed; ++done) {
                if (context.stopped()) return;
                filterSlice(task, done, w);
            }
            for (std::int64_t y = 0; y < task.rows; ++y) {
                for (std::int64_t s = 0; s < slices_; ++s) w.rows[static_cast<std::size_t>(s)] = ringRow(w, z - k.before(2) + s, y);
                for (std::size_t r = 0; r < kBlockSlices; ++r) setOutput(task, y, z + static_cast<std::int64_t>(r), r, w);
                filterBlock(block);
                for (std::size_t r = 0; r < kBlockSlices; ++r) finishOutput(task, y, z + static_cast<std::int64_t>(r), r, w);
            }
            addProgress(task, std::min<std::int64_t>(kBlockSlices, task.zEnd - z), context);
        }
    }

private:
    FilterBlock blockOf(std::size_t axis, const VolumeTask& task, VolumeWorkspace& w) const {
        return {.rows = w.rows.data(),
                .out = w.out.data(),
                .columns = roundedColumns(task),
                .chunks = chunks_[axis].data(),
                .chunkCount = static_cast<int>(chunks_[axis].size())};
    }

    /// Filters a slice along x and y into the ring.
    void filterSlice(const VolumeTask& task, std::int64_t z, VolumeWorkspace& w) const {
        const std::int64_t height = plan_.kernel->size[1];
        float* const padded = w.rowFiltered.data() + layout_.inputRows * layout_.pitch;
        const auto rowFiltered = [&](std::int64_t y) { return w.rowFiltered.data() + y * layout_.pitch; };
        const FilterBlock alongX = blockOf(0, task, w);
        for (std::int64_t y = 0; y < task.rows + height - 1; y += kBlockRows) {
            for (std::int64_t r = 0; r < kBlockRows; ++r) {
                copyInputRow(task, y + r, z, padded + r * layout_.paddedPitch);
                w.rows[static_cast<std::size_t>(r)] = padded + r * layout_.paddedPitch;
                w.out[static_cast<std::size_t>(r)] = rowFiltered(y + r);
            }
            filterBlock(alongX);
        }
        const FilterBlock alongY = blockOf(1, task, w);
        for (std::int64_t y = 0; y < task.rows; y += kBlockRows) {
            for (std::int64_t j = 0; j < kBlockRows + height - 1; ++j) w.rows[static_cast<std::size_t>(j)] = rowFiltered(y + j);
            for (std::int64_t r = 0; r < kBlockRows; ++r) w.out[static_cast<std::size_t>(r)] = ringRow(w, z, y + r);
            filterBlock(alongY);
        }
    }

    float* ringRow(VolumeWorkspace& w, std::int64_t z, std::int64_t y) const {
        const std::int64_t slot = (z % slices_ + slices_) % slices_;
        return w.ring.data() + (slot * layout_.rows + y) * layout_.pitch;
    }

    std::int64_t slices_;
    std::array<std::vector<KernelChunk>, 3> chunks_;
};

class VolumeSeparable final : public Implementation {
public:
    std::string operation() const override { return "convolve"; }
    std::string variant() const override { return "separable"; }
    std::string summary() const override {
        return "for products of three factors: slices are filtered along x and y as they arrive, and summed along z from the cache";
    }
    Support supports(const Problem& problem) const override { return separableInVolume(problem, planVolumeConvolution(problem)); }
    Preference preference(const Problem& problem, int) const override {
        return openmpVolumePreference(OpenmpVolumeForm::separable, problem);
    }
    MemoryEstimate estimate(const Problem& problem) const override {
        const VolumePlan plan = planVolumeConvolution(problem);
        const SeparableSizes sizes(*plan.kernel, problem.shape);
        return estimateVolume(plan, sizes.ringSamples, sizes.rowSamples, sizes.rowPointers, sizes.layout);
    }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext& context) const override {
        const VolumePlan plan = planVolumeConvolution(problem);
        return std::make_unique<VolumeSeparableExecution>(problem, plan, SeparableSizes(*plan.kernel, problem.shape), context);
    }
};

}  // namespace

std::unique_ptr<Implementation> makeOpenmpVolumeSeparable() { return std::make_unique<VolumeSeparable>(); }

}  // namespace parallax
