// SPDX-License-Identifier: GPL-3.0-or-later
// convolve / openmp / simd and separable: bands of rows for the threads, strips of columns for the caches, borders
// outside of the hot loop. The image is never copied as a whole: rows outside are pointers to the row that stands for
// them, and only the few columns along the left and right edge go through a small padded buffer.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "parallax/backends/openmp/parallel.hpp"
#include "parallax/operations/convolution/kernel.hpp"
#include "parallax/operations/convolution/openmp_convolution.hpp"
#include "parallax/operations/convolution/openmp_kernels.hpp"

namespace parallax {
namespace {

constexpr std::int64_t kBandRows = 128;
constexpr std::int64_t kCopyRows = 256;
/// Strips are as wide as the rows of a block fit into a part of the second cache: long runs suit the prefetchers.
constexpr std::int64_t kBlockSamples = (std::int64_t{128} << 10) / static_cast<std::int64_t>(sizeof(float));
constexpr std::int64_t kNarrowestStrip = 512, kWidestStrip = 4096;
/// Larger results do not stay in the caches anyway: storing past them saves reading each line before it is written.
constexpr std::int64_t kStreamBytes = std::int64_t{16} << 20;

constexpr std::int64_t roundUp(std::int64_t n, std::int64_t unit) { return (n + unit - 1) / unit * unit; }

/// Columns [first, last) of the output; buffered ones take their input from a padded copy of those columns.
struct Strip {
    std::int64_t first = 0, last = 0;
    bool buffered = false;
};

std::vector<Strip> makeStrips(std::int64_t width, const Kernel& kernel, std::int64_t strip) {
    std::vector<Strip> strips;
    const auto cut = [&](std::int64_t first, std::int64_t last, bool buffered) {
        for (; first < last; first += strip) strips.push_back({first, std::min(first + strip, last), buffered});
    };
    // Direct strips start at a multiple of 16 samples, so that stores are aligned wherever rows are.
    const std::int64_t left = roundUp(kernel.left(), kColumnGranule);
    const std::int64_t direct = (width - kernel.right() - left) / kColumnGranule * kColumnGranule;
    if (direct <= 0) {
        cut(0, width, true);
    } else {
        cut(0, left, true);
        cut(left, left + direct, false);
        cut(left + direct, width, true);
    }
    return strips;
}

/// 64-byte aligned floats.
class Scratch {
public:
    explicit Scratch(std::int64_t samples) : buffer_(Shape{std::max<std::int64_t>(samples, 1), 1, 1, 1}) {}
    float* data() { return static_cast<float*>(buffer_.data()); }

private:
    Buffer buffer_;
};

/// Sizes that both the estimate and the workspace follow from.
struct Layout {
    std::int64_t strip = 0;      ///< columns of the widest strip
    std::int64_t row = 0;        ///< of scratch for a strip: the same in whole granules
    std::int64_t inputRow = 0;   ///< of a padded row
    std::int64_t inputRows = 0;  ///< that a block reads
    std::int64_t ringRows = 0;   ///< of the row-filtered rows; 0: not separable
    Layout(const Kernel& kernel, bool separable) {
        inputRows = vectorRows() + kernel.height - 1;
        strip = std::clamp(kBlockSamples / inputRows, kNarrowestStrip, kWidestStrip) / vectorColumns() * vectorColumns();
        row = roundUp(strip, kColumnGranule);
        inputRow = roundUp(row + kernel.width, kColumnGranule);
        if (separable) ringRows = roundUp(inputRows, vectorRows()) + vectorRows();
    }
    std::int64_t samples() const { return (inputRows + 1) * inputRow + (kMaximumVectorRows + 1 + ringRows) * row; }
    std::uint64_t bytesPerWorker() const {
        return static_cast<std::uint64_t>(samples()) * sizeof(float) + static_cast<std::uint64_t>(inputRows) * sizeof(float*) + 256;
    }
};

/// What one thread needs, made once.
struct Workspace {
    Workspace(const Layout& layout, float borderValue)
        : padded(layout.inputRows * layout.inputRow),
          constantRow(layout.inputRow),
          out(kMaximumVectorRows * layout.row),
          unused(layout.row),
          ring(layout.ringRows * layout.row),
          rows(static_cast<std::size_t>(layout.inputRows)),
          outRows(kMaximumVectorRows) {
        std::fill_n(constantRow.data(), layout.inputRow, borderValue);
    }
    Scratch padded, constantRow, out, unused, ring;
    std::vector<const float*> rows;
    std::vector<float*> outRows;
};

/// The walk over bands, strips and blocks; what is done to a block is up to the derived class.
class TiledExecution : public Execution {
public:
    TiledExecution(const Problem& problem, ConvolutionPlan plan, bool separable, const RunContext& context)
        : plan_(std::move(plan)), layout_(plan_.kernel, separable), strips_(makeStrips(problem.shape.width, plan_.kernel, layout_.strip)) {
        for (int i = 0; i < effectiveThreads(context); ++i) workspaces_.push_back(std::make_unique<Workspace>(layout_, plan_.borderValue));
    }

    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) override {
        const View<const float>& in = inputs[0];
        const View<float>& out = outputs[0];
        const int workers = static_cast<int>(workspaces_.size());
        const std::int64_t depth = in.shape.depth;
        const std::int64_t height = in.shape.height;

        const std::int64_t copies = (height + kCopyRows - 1) / kCopyRows;
        parallelTasks(context, copies * depth * static_cast<std::int64_t>(plan_.copied.size()), workers, [&](std::int64_t task, int) {
            const int c = plan_.copied[static_cast<std::size_t>(task / (copies * depth))];
            const std::int64_t z = task / copies % depth;
            const std::int64_t first = task % copies * kCopyRows, last = std::min(height, first + kCopyRows);
            for (std::int64_t y = first; y < last; ++y)
                std::memcpy(out.row(y, z, c), in.row(y, z, c), static_cast<std::size_t>(in.shape.width) * sizeof(float));
            if (context.progress) context.progress->add(last - first);
        });

        // Bands as high as the kernel at least, so that reading the rows between two bands twice costs little.
        const std::int64_t high = std::max<std::int64_t>(kBandRows, roundUp(plan_.kernel.height, kMaximumVectorRows));
        const std::int64_t planes = depth * static_cast<std::int64_t>(plan_.filtered.size());
        const std::int64_t wanted =
            effectiveThreads(context) > 1 ? (4 * effectiveThreads(context) + planes - 1) / std::max<std::int64_t>(planes, 1) : 1;
        const std::int64_t bandRows = std::clamp<std::int64_t>(roundUp((height + wanted - 1) / wanted, vectorRows()), vectorRows(), high);
        const std::int64_t bands = (height + bandRows - 1) / bandRows;
        const bool large = out.shape.samples() * static_cast<std::int64_t>(sizeof(float)) >= kStreamBytes;
        parallelTasks(context, bands * planes, workers, [&](std::int64_t task, int worker) {
            const int c = plan_.filtered[static_cast<std::size_t>(task / (bands * depth))];
            const std::int64_t z = task / bands % depth;
            View<const float> from = in.channel(c);
            View<float> to = out.channel(c);
            from.data = from.row(0, z);
            to.data = to.row(0, z);
            const std::int64_t first = task % bands * bandRows, last = std::min(height, first + bandRows);
            const bool stream = large && reinterpret_cast<std::uintptr_t>(to.data) % 64 == 0 && to.rowStride % kColumnGranule == 0;
            for (const Strip& strip : strips_)
                filterStrip(from, to, strip, first, last, stream, *workspaces_[static_cast<std::size_t>(worker)], context);
            if (stream) finishStreaming();
            if (context.progress && !context.stopped()) context.progress->add(last - first);
        });
    }

protected:
    virtual void filterStrip(const View<const float>& in, const View<float>& out, const Strip& strip, std::int64_t firstRow,
                             std::int64_t lastRow, bool stream, Workspace& w, const RunContext& context) const = 0;

    /// Input row y (any distance outside) from the strip's first column minus the kernel's reach on; `slot` of the
    /// padded buffer if the strip is a buffered one.
    const float* inputRow(const View<const float>& in, const Strip& strip, std::int64_t y, std::int64_t slot, Workspace& w) const {
        const std::int64_t sy = borderIndex(y, in.shape.height, plan_.border);
        if (sy < 0) return w.constantRow.data();
        const float* row = in.row(sy);
        const std::int64_t first = strip.first - plan_.kernel.left();
        if (!strip.buffered) return row + first;
        float* padded = w.padded.data() + slot * layout_.inputRow;
        const std::int64_t width = in.shape.width;
        const std::int64_t end = strip.last + plan_.kernel.right();
        const std::int64_t insideFirst = std::clamp<std::int64_t>(first, 0, width), insideEnd = std::clamp<std::int64_t>(end, 0, width);
        const auto outside = [&](std::int64_t from, std::int64_t to) {
            for (std::int64_t x = from; x < to; ++x) {
                const std::int64_t sx = borderIndex(x, width, plan_.border);
                padded[x - first] = sx < 0 ? plan_.borderValue : row[sx];
            }
        };
        outside(first, std::min(end, insideFirst));
        if (insideEnd > insideFirst)
            std::memcpy(padded + (insideFirst - first), row + insideFirst,
                        static_cast<std::size_t>(insideEnd - insideFirst) * sizeof(float));
        outside(std::max(first, insideEnd), end);
        // Whole vectors are read: what lies behind must be a number, so that nothing undefined is computed with.
        const std::int64_t used = roundUp(strip.last - strip.first, kColumnGranule) + plan_.kernel.width - 1;
        std::fill(padded + (end - first), padded + std::max(used, end - first), 0.0F);
        return padded;
    }

    /// Where a block writes: the image, or a scratch row for rows below the band and for buffered strips.
    void setOutputRows(const View<float>& out, const Strip& strip, std::int64_t y, std::int64_t lastRow, Workspace& w) const {
        for (int r = 0; r < vectorRows(); ++r)
            w.outRows[static_cast<std::size_t>(r)] = strip.buffered    ? w.out.data() + r * layout_.row
                                                     : y + r < lastRow ? out.row(y + r) + strip.first
                                                                       : w.unused.data();
    }
    void copyBuffered(const View<float>& out, const Strip& strip, std::int64_t y, std::int64_t lastRow, Workspace& w) const {
        if (!strip.buffered) return;
        for (std::int64_t r = 0; r < vectorRows() && y + r < lastRow; ++r)
            std::memcpy(out.row(y + r) + strip.first, w.outRows[static_cast<std::size_t>(r)],
                        static_cast<std::size_t>(strip.last - strip.first) * sizeof(float));
    }

    ConvolutionPlan plan_;
    Layout layout_;

private:
    std::vector<Strip> strips_;
    std::vector<std::unique_ptr<Workspace>> workspaces_;
};

class SimdExecution final : public TiledExecution {
public:
    SimdExecution(const Problem& problem, const RunContext& context)
        : TiledExecution(problem, planConvolution(problem), false, context),
          chunks_(splitKernel(plan_.kernel.floatWeights(), plan_.kernel.width, plan_.kernel.height)) {}

protected:
    void filterStrip(const View<const float>& in, const View<float>& out, const Strip& strip, std::int64_t firstRow, std::int64_t lastRow,
                     bool stream, Workspace& w, const RunContext& context) const override {
        FilterBlock block{.rows = w.rows.data(),
                          .out = w.outRows.data(),
                          .columns = roundUp(strip.last - strip.first, kColumnGranule),
                          .chunks = chunks_.data(),
                          .chunkCount = static_cast<int>(chunks_.size()),
                          .offset = plan_.offset,
                          .stream = stream && !strip.buffered};
        for (std::int64_t y = firstRow; y < lastRow; y += vectorRows()) {
            if (context.stopped()) return;
            for (std::int64_t j = 0; j < layout_.inputRows; ++j)
                w.rows[static_cast<std::size_t>(j)] = inputRow(in, strip, y + j - plan_.kernel.top(), j, w);
            setOutputRows(out, strip, y, lastRow, w);
            filterBlock(block);
            copyBuffered(out, strip, y, lastRow, w);
        }
    }

private:
    std::vector<KernelChunk> chunks_;
};

/// Rows are filtered first, into a ring of as many rows as the column pass needs; both are the same hot loop.
class SeparableExecution final : public TiledExecution {
public:
    SeparableExecution(const Problem& problem, const SeparableKernel& s, const RunContext& context)
        : TiledExecution(problem, planConvolution(problem), true, context),
          row_(splitKernel(std::vector<float>(s.row.begin(), s.row.end()), plan_.kernel.width, 1)),
          column_(splitKernel(std::vector<float>(s.column.begin(), s.column.end()), 1, plan_.kernel.height)) {}

protected:
    void filterStrip(const View<const float>& in, const View<float>& out, const Strip& strip, std::int64_t firstRow, std::int64_t lastRow,
                     bool stream, Workspace& w, const RunContext& context) const override {
        const std::int64_t columns = roundUp(strip.last - strip.first, kColumnGranule);
        const int rows = vectorRows();
        const auto ringRow = [&](std::int64_t i) { return w.ring.data() + i % layout_.ringRows * layout_.row; };
        std::int64_t done = 0;  // row-filtered rows, counted from firstRow - top
        for (std::int64_t y = firstRow; y < lastRow; y += rows) {
            const std::int64_t base = y - firstRow;
            for (; done < base + layout_.inputRows; done += rows) {
                if (context.stopped()) return;
                for (int r = 0; r < rows; ++r) {
                    w.rows[static_cast<std::size_t>(r)] = inputRow(in, strip, firstRow - plan_.kernel.top() + done + r, r, w);
                    w.outRows[static_cast<std::size_t>(r)] = ringRow(done + r);
                }
                filterBlock({.rows = w.rows.data(),
                             .out = w.outRows.data(),
                             .columns = columns,
                             .chunks = row_.data(),
                             .chunkCount = static_cast<int>(row_.size())});
            }
            for (std::int64_t j = 0; j < layout_.inputRows; ++j) w.rows[static_cast<std::size_t>(j)] = ringRow(base + j);
            setOutputRows(out, strip, y, lastRow, w);
            filterBlock({.rows = w.rows.data(),
                         .out = w.outRows.data(),
                         .columns = columns,
                         .chunks = column_.data(),
                         .chunkCount = static_cast<int>(column_.size()),
                         .offset = plan_.offset,
                         .stream = stream && !strip.buffered});
            copyBuffered(out, strip, y, lastRow, w);
        }
    }

private:
    std::vector<KernelChunk> row_, column_;
};

MemoryEstimate estimateTiled(const Problem& problem, bool separable) {
    const Kernel kernel = makeKernel(problem.parameters.as<ConvolutionParameters>());
    const auto workers = static_cast<std::uint64_t>(effectiveThreads({}));
    return {.host = workers * Layout(kernel, separable).bytesPerWorker() + 2 * sizeof(float) * static_cast<std::uint64_t>(kernel.taps()),
            .device = 0};
}

Support weightsFitFloat(const Kernel& kernel) {
    for (const double w : kernel.weights)
        if (std::fabs(w) > static_cast<double>(std::numeric_limits<float>::max()))
            return Support::no("A weight of the kernel is beyond the range of 32-bit floats");
    return {};
}

class SimdConvolution final : public Implementation {
public:
    std::string operation() const override { return "convolve"; }
    std::string variant() const override { return "simd"; }
    std::string summary() const override {
        return "Direct sum over all taps: blocks of rows and vectors held in registers, threads over bands of rows; no use is made of "
               "separable kernels";
    }
    Support supports(const Problem& problem) const override {
        return weightsFitFloat(makeKernel(problem.parameters.as<ConvolutionParameters>()));
    }
    MemoryEstimate estimate(const Problem& problem) const override { return estimateTiled(problem, false); }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext& context) const override {
        return std::make_unique<SimdExecution>(problem, context);
    }
};

class SeparableConvolution final : public Implementation {
public:
    std::string operation() const override { return "convolve"; }
    std::string variant() const override { return "separable"; }
    std::string summary() const override {
        return "For kernels that are a column times a row: filters rows, then columns, in one pass over strips that stay in the cache";
    }
    Support supports(const Problem& problem) const override {
        const Kernel kernel = makeKernel(problem.parameters.as<ConvolutionParameters>());
        if (const Support fits = weightsFitFloat(kernel); !fits) return fits;
        const auto factors = separate(kernel);
        if (!factors) return Support::no("The kernel is not a column times a row (its rank is above 1)");
        // separate() compares each weight with the largest one; many small weights may still be off by much together.
        double error = 0;
        bool zerosAgree = true;
        for (int v = 0; v < kernel.height; ++v)
            for (int u = 0; u < kernel.width; ++u) {
                const double c = factors->column[static_cast<std::size_t>(v)], r = factors->row[static_cast<std::size_t>(u)];
                error += std::fabs(c * r - kernel.at(u, v));
                zerosAgree = zerosAgree && (static_cast<float>(c) == 0 || static_cast<float>(r) == 0) == (kernel.at(u, v) == 0);
            }
        if (error > 0x1p-23 * kernel.absoluteSum())
            return Support::no("The kernel is a column times a row only to less than float accuracy");
        if (!zerosAgree && problem.statistics.nonFinite() > 0)
            return Support::no("The image has infinities or NaN, and the factors of this kernel have their zeros elsewhere");
        return {};
    }
    MemoryEstimate estimate(const Problem& problem) const override { return estimateTiled(problem, true); }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext& context) const override {
        const auto factors = separate(makeKernel(problem.parameters.as<ConvolutionParameters>()));
        if (!factors) throw Error(ErrorCode::unavailable, "The kernel is not a column times a row");
        return std::make_unique<SeparableExecution>(problem, *factors, context);
    }
};

}  // namespace

std::unique_ptr<Implementation> makeOpenmpSimdConvolution() { return std::make_unique<SimdConvolution>(); }
std::unique_ptr<Implementation> makeOpenmpSeparableConvolution() { return std::make_unique<SeparableConvolution>(); }

}  // namespace parallax
