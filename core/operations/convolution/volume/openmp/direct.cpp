// SPDX-License-Identifier: GPL-3.0-or-later
// convolve / openmp / direct with axes=xyz: the sum over all taps. The slices that a window needs stay in the cache with their borders; the
// hot loop of the plane takes the rows of all of them, a group of chunks of the kernel for each slice.
#include "core/operations/convolution/volume/openmp/choice.hpp"
#include "core/operations/convolution/volume/openmp/implementations.hpp"
#include "core/operations/convolution/volume/openmp/tiles.hpp"

namespace parallax {
namespace {

struct DirectSizes {
    explicit DirectSizes(const Kernel3d& k, const Shape& shape)
        : layout(k, shape, k.size[2], true),
          ringSamples(k.size[2] * layout.inputRows * layout.paddedPitch),
          rowsOfSlice(kBlockRows + k.size[1] - 1),
          rowPointers(k.size[2] * rowsOfSlice) {}
    VolumeLayout layout;
    std::int64_t ringSamples, rowsOfSlice, rowPointers;
};

class VolumeDirectExecution final : public VolumeExecution {
public:
    VolumeDirectExecution(const Problem& problem, const VolumePlan& plan, const DirectSizes& sizes, const RunContext& context)
        : VolumeExecution(problem, plan, sizes.layout, sizes.ringSamples, 0, sizes.rowPointers, context), rowsOfSlice_(sizes.rowsOfSlice) {
        const Kernel3d& k = *plan_.kernel;
        const std::vector<float> weights = k.floatWeights();
        const auto plane = static_cast<std::size_t>(k.size[0]) * static_cast<std::size_t>(k.size[1]);
        for (int w = 0; w < k.size[2]; ++w)
            for (KernelChunk& chunk :
                 splitKernel(std::span(weights).subspan(static_cast<std::size_t>(w) * plane, plane), k.size[0], k.size[1])) {
                // The rows of a slice follow those of the one before.
                chunk.v += w * static_cast<int>(rowsOfSlice_);
                chunks_.push_back(std::move(chunk));
            }
    }

protected:
    void filter(const VolumeTask& task, VolumeWorkspace& w, const RunContext& context) const override {
        const Kernel3d& k = *plan_.kernel;
        const std::int64_t depth = k.size[2];
        FilterBlock block{.rows = w.rows.data(),
                          .out = w.out.data(),
                          .columns = roundedColumns(task),
                          .chunks = chunks_.data(),
                          .chunkCount = static_cast<int>(chunks_.size()),
                          .offset = plan_.offset,
                          .stream = task.stream};
        std::int64_t loaded = task.z - k.before(2);  // the next input slice
        for (std::int64_t z = task.z; z < task.zEnd; ++z) {
            for (; loaded <= z + k.after(2); ++loaded) {
                if (context.stopped()) return;
                for (std::int64_t y = 0; y < task.rows + k.size[1] - 1; ++y) copyInputRow(task, y, loaded, ringRow(w, loaded, y));
            }
            for (std::int64_t y = 0; y < task.rows; y += kBlockRows) {
                if (context.stopped()) return;
                for (std::int64_t s = 0; s < depth; ++s)
                    for (std::int64_t j = 0; j < rowsOfSlice_; ++j)
                        w.rows[static_cast<std::size_t>(s * rowsOfSlice_ + j)] = ringRow(w, z - k.before(2) + s, y + j);
                for (std::size_t r = 0; r < kBlockRows; ++r) setOutput(task, y + static_cast<std::int64_t>(r), z, r, w);
                filterBlock(block);
                for (std::size_t r = 0; r < kBlockRows; ++r) finishOutput(task, y + static_cast<std::int64_t>(r), z, r, w);
            }
            addProgress(task, 1, context);
        }
    }

private:
    float* ringRow(VolumeWorkspace& w, std::int64_t z, std::int64_t y) const {
        const std::int64_t depth = plan_.kernel->size[2], slot = (z % depth + depth) % depth;
        return w.ring.data() + (slot * layout_.inputRows + y) * layout_.paddedPitch;
    }

    std::int64_t rowsOfSlice_;
    std::vector<KernelChunk> chunks_;
};

class VolumeDirect final : public Implementation {
public:
    std::string operation() const override { return "convolve"; }
    std::string variant() const override { return "direct"; }
    std::string summary() const override {
        return "the same hot loop over the rows of all slices that a window needs, which stay in the cache while a thread walks along z";
    }
    Support supports(const Problem& problem) const override { return weightsFitFloat(planVolumeConvolution(problem)); }
    Preference preference(const Problem& problem, int) const override { return openmpVolumePreference(OpenmpVolumeForm::direct, problem); }
    MemoryEstimate estimate(const Problem& problem) const override {
        const VolumePlan plan = planVolumeConvolution(problem);
        const DirectSizes sizes(*plan.kernel, problem.shape);
        return estimateVolume(plan, sizes.ringSamples, 0, sizes.rowPointers, sizes.layout);
    }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext& context) const override {
        const VolumePlan plan = planVolumeConvolution(problem);
        return std::make_unique<VolumeDirectExecution>(problem, plan, DirectSizes(*plan.kernel, problem.shape), context);
    }
};

}  // namespace

std::unique_ptr<Implementation> makeOpenmpVolumeDirect() { return std::make_unique<VolumeDirect>(); }

}  // namespace parallax
