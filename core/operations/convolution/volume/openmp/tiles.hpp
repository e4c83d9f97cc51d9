// SPDX-License-Identifier: GPL-3.0-or-later
// Traversal of a volume, common to the direct and the separable form. A thread takes a band of rows and walks along z, strip of columns by
// strip of columns; the slices that a window needs stay in its second cache, so that each sample goes through memory once. Rows are copied
// into the workspace with their borders, so that no hot loop knows of borders; both forms use the hot loop of the plane, filterBlock().
#pragma once

#include <memory>
#include <vector>

#include "core/operations/convolution/openmp/tiles.hpp"
#include "core/operations/convolution/volume/plan.hpp"
#include "core/primitives/blocks.hpp"

namespace parallax {

/// Tile of a thread in x and y, and the floats of its workspace.
struct VolumeLayout {
    /// `slices` stay in the workspace, with the halo of rows if `haloRows`.
    VolumeLayout(const Kernel3d& kernel, const Shape& shape, int slices, bool haloRows);

    std::int64_t columns = 0;      ///< of a strip, in whole granules
    std::int64_t strips = 0;       ///< strips of a row
    std::int64_t rows = 0;         ///< of a band, in whole blocks of kBlockRows
    std::int64_t inputRows = 0;    ///< that a band reads, in whole blocks
    std::int64_t paddedPitch = 0;  ///< of input rows with their borders
    std::int64_t pitch = 0;        ///< of filtered rows
};

/// Some output samples of a channel: a strip of a band, in some slices.
struct VolumeTask {
    View<const float> in;  ///< the channel
    View<float> out;
    std::int64_t x = 0, columns = 0;  ///< first and number of columns
    std::int64_t y = 0, rows = 0;
    std::int64_t z = 0, zEnd = 0;
    bool lastStrip = false;  ///< counts for progress
    bool stream = false;     ///< rows can be stored past the caches
};

/// Buffers of one thread. `ring` and `rowFiltered` are as large as the form needs.
struct alignas(CacheLineAllocator<char>::kLine) VolumeWorkspace {
    VolumeWorkspace(const VolumeLayout& layout, std::int64_t ringSamples, std::int64_t rowSamples, std::int64_t rowPointers);
    Scratch ring, rowFiltered, outRows;
    CacheLineVector<const float*> rows;
    CacheLineVector<float*> out;
};

class VolumeExecution : public Execution {
public:
    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) override;

protected:
    /// `ringSamples`, `rowSamples` and `rowPointers` are the sizes of the buffers of a workspace.
    VolumeExecution(const Problem& problem, VolumePlan plan, VolumeLayout layout, std::int64_t ringSamples, std::int64_t rowSamples,
                    std::int64_t rowPointers, const RunContext& context);

    /// Filters a task. Returns early if the run is stopped.
    virtual void filter(const VolumeTask& task, VolumeWorkspace& w, const RunContext& context) const = 0;

    /// Columns that are computed.
    static std::int64_t roundedColumns(const VolumeTask& task) { return roundUp(task.columns, kColumnGranule); }
    /// Copies input row y of the band, counted from the first one that its windows reach, in slice z of the volume or outside of it.
    void copyInputRow(const VolumeTask& task, std::int64_t y, std::int64_t z, float* to) const;
    /// Sets the target of output row r of a block: the volume where all columns of the granules exist, else a row of scratch.
    void setOutput(const VolumeTask& task, std::int64_t y, std::int64_t z, std::size_t r, VolumeWorkspace& w) const;
    /// Copies the rows of a block that were computed in scratch.
    void finishOutput(const VolumeTask& task, std::int64_t y, std::int64_t z, std::size_t r, const VolumeWorkspace& w) const;
    void addProgress(const VolumeTask& task, std::int64_t slices, const RunContext& context) const;

    VolumePlan plan_;
    VolumeLayout layout_;

private:
    bool large_;  ///< results do not stay in the caches
    std::vector<std::unique_ptr<VolumeWorkspace>> workspaces_;
};

/// Memory of a VolumeExecution.
MemoryEstimate estimateVolume(const VolumePlan& plan, std::int64_t ringSamples, std::int64_t rowSamples, std::int64_t rowPointers,
                              const VolumeLayout& layout);

}  // namespace parallax
