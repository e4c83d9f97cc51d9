// SPDX-License-Identifier: GPL-3.0-or-later
// Traversal of an image, common to the direct and the separable form: bands of rows for the threads, strips of columns for the caches,
// borders outside of the hot loop. The image is never copied as a whole: rows outside are pointers to the rows that replace them, and
// only the few columns along the left and right edge go through a small padded buffer.
#pragma once

#include <memory>
#include <vector>

#include "core/backends/openmp/cache_line_allocator.hpp"
#include "core/engine/backend/implementation.hpp"
#include "core/operations/convolution/kernel.hpp"
#include "core/operations/convolution/openmp/kernels.hpp"
#include "core/operations/convolution/strips.hpp"

namespace parallax {

/// Output columns that are filtered together. Those along both edges are one strip of their own, which takes its input from
/// padded copies of the few columns that it needs.
struct ColumnStrip {
    std::int64_t first = 0, last = 0;  ///< unused for the edges
    bool edges = false;
};

/// Division of an image, and the sizes of workspaces for their allocation and the memory estimate. `terms` of a separable
/// kernel are the columns times rows whose sum it is; 0 is the direct form.
struct TileLayout {
    TileLayout(const Kernel& kernel, std::int64_t width, int terms);

    std::int64_t inputRows = 0;        ///< that a block of kBlockRows rows reads
    std::int64_t left = 0, right = 0;  ///< output columns of the edges
    std::int64_t rightOffset = 0;      ///< of the right ones among the computed columns of the edges
    std::int64_t edgeColumns = 0;      ///< computed for the edges, in whole granules
    std::int64_t edgeSamples = 0;      ///< of a padded row that come from the image; zeros follow
    std::int64_t paddedPitch = 0;      ///< of padded rows
    std::int64_t widest = 0;           ///< columns of the widest strip, in whole granules
    std::int64_t ringRows = 0;         ///< of row-filtered rows a term
    std::int64_t ringPitch = 0;
    int terms = 0;
    std::vector<ColumnStrip> strips;

    /// Floats of a workspace.
    std::int64_t samples() const;
    std::uint64_t bytesPerWorker() const;
};

/// 64-byte aligned floats, zeros at first.
class Scratch {
public:
    explicit Scratch(std::int64_t samples);
    float* data() { return static_cast<float*>(buffer_.data()); }
    const float* data() const { return static_cast<const float*>(buffer_.data()); }

private:
    Buffer buffer_;
};

/// Buffers of one thread.
struct alignas(CacheLineAllocator<char>::kLine) TileWorkspace {
    TileWorkspace(const TileLayout& layout, float borderValue);
    Scratch padded, constantRow, edgeOut, unused, ring;
    CacheLineVector<const float*> rows, ahead;
    CacheLineVector<float*> outRows;
};

/// One strip of one band of one plane.
struct StripTask {
    View<const float> in;  ///< the plane
    View<float> out;
    const ColumnStrip* strip = nullptr;
    const ColumnStrip* next = nullptr;  ///< that comes after this one in the same band, if it is no edge
    std::int64_t firstRow = 0, lastRow = 0;
    bool large = false;   ///< the image does not stay in the caches
    bool stream = false;  ///< and its rows are aligned, so that results can be stored past them
};

/// Walks over strips; the derived class filters them.
class TiledExecution : public Execution {
public:
    TiledExecution(const Problem& problem, ConvolutionPlan plan, int terms, const RunContext& context);
    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) override;
    void runStrip(const StripPlan& plan, const Strip& strip, const View<const float>& in, const View<float>& out,
                  RunContext& context) override;

protected:
    virtual void filterStrip(const StripTask& task, TileWorkspace& w, const RunContext& context) const = 0;

    /// Columns to compute for the strip.
    std::int64_t columnsOf(const ColumnStrip& strip) const;
    /// Returns input row firstRow - top + index of the band, from the strip's first column minus the kernel's reach. For the edges, a
    /// new row is written to `slot` of the padded rows; another one is there already.
    const float* inputRow(const StripTask& task, std::int64_t index, std::int64_t slot, bool isNew, TileWorkspace& w) const;
    /// Sets the targets of the block of row y: the image, or scratch rows for rows below the band and for the edges.
    void setOutputRows(const StripTask& task, std::int64_t y, TileWorkspace& w) const;
    void copyEdges(const StripTask& task, std::int64_t y, TileWorkspace& w) const;
    /// Sets the rows to prefetch while this block is computed: input rows [index, index + count) of the band, or the first ones of the
    /// next strip if they lie beyond the band.
    void setAhead(const StripTask& task, std::int64_t index, std::int64_t count, FilterBlock& block, TileWorkspace& w) const;

    ConvolutionPlan plan_;
    TileLayout layout_;
    bool large_;  ///< the whole image, of which this may be a part or a strip, does not stay in the caches

private:
    /// Rows of the output come from those of the input that lie `top` rows further down.
    void filterPlanes(const View<const float>& in, const View<float>& out, const std::vector<int>& channels, std::int64_t top,
                      RunContext& context) const;

    std::vector<std::int64_t> edgeSource_;  ///< column of the image for each sample of a padded row, -1: the constant
    std::vector<std::unique_ptr<TileWorkspace>> workspaces_;
};

/// Memory of a TiledExecution.
MemoryEstimate estimateTiles(const Problem& problem, int terms);

}  // namespace parallax
