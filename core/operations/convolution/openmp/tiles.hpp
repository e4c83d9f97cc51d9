// SPDX-License-Identifier: GPL-3.0-or-later
// The walk over an image that the direct and the separable form share: bands of rows for the threads, strips of columns for the
// caches, borders outside of the hot loop. The image is never copied as a whole: rows outside are pointers to the row that stands
// for them, and only the few columns along the left and right edge go through a small padded buffer.
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
    std::int64_t first = 0, last = 0;  ///< not of the edges
    bool edges = false;
};

/// How an image is cut, and the sizes that both the estimate of memory and the workspaces follow from. `terms` of a separable
/// kernel are the columns times rows whose sum it is; 0 is the direct form.
struct TileLayout {
    TileLayout(const Kernel& kernel, std::int64_t width, int terms);

    std::int64_t inputRows = 0;        ///< that a block of kBlockRows rows reads
    std::int64_t left = 0, right = 0;  ///< output columns of the edges
    std::int64_t rightOffset = 0;      ///< where the right ones begin among the computed columns of the edges
    std::int64_t edgeColumns = 0;      ///< that are computed for the edges, in whole granules
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

/// What one thread needs, made once.
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
    /// Input row firstRow - top + index of the band, from the strip's first column minus the kernel's reach on. Of the edges it
    /// is written to `slot` of the padded rows if `isNew`, or else found there.
    const float* inputRow(const StripTask& task, std::int64_t index, std::int64_t slot, bool isNew, TileWorkspace& w) const;
    /// Where the block of row y writes: the image, or scratch rows for rows below the band and for the edges.
    void setOutputRows(const StripTask& task, std::int64_t y, TileWorkspace& w) const;
    void copyEdges(const StripTask& task, std::int64_t y, TileWorkspace& w) const;
    /// Input rows [index, index + count) of the band, or the first ones of the next strip where they lie beyond the band: what to
    /// fetch while this block is computed.
    void setAhead(const StripTask& task, std::int64_t index, std::int64_t count, FilterBlock& block, TileWorkspace& w) const;

    ConvolutionPlan plan_;
    TileLayout layout_;

private:
    /// Rows of the output come from those of the input that lie `top` rows further down.
    void filterPlanes(const View<const float>& in, const View<float>& out, const std::vector<int>& channels, std::int64_t top,
                      RunContext& context) const;

    std::vector<std::int64_t> edgeSource_;  ///< column of the image for each sample of a padded row, -1: the constant
    std::vector<std::unique_ptr<TileWorkspace>> workspaces_;
};

/// Channels that are not filtered.
void copyPlanes(const std::vector<int>& channels, const View<const float>& in, const View<float>& out, int workers, RunContext& context);

/// Memory of that.
MemoryEstimate estimateTiles(const Problem& problem, int terms);

/// Why the weights cannot be 32-bit floats, or yes.
Support weightsFitFloat(const Kernel& kernel);

}  // namespace parallax
