// SPDX-License-Identifier: GPL-3.0-or-later
// convolve / openmp / fft: the correlation theorem on tiles (overlap-save; Stockham, High-speed convolution and correlation, 1966;
// Oppenheim and Schafer, Discrete-Time Signal Processing, section 8.7), so that memory stays bounded and work in the cache. Two
// tiles at a time are the real and the imaginary part of one complex transform: the kernel is real, so they stay apart. Samples
// outside the image follow the border mode as a tile is read. NaN and infinities, which a transform would spread over the tile, are
// left out of it; their effect on the results follows from the signs of the weights (not_finite.hpp). A part has tiles of its own, from
// its first row on, so that bits depend on the number of parts.
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/backends/openmp/cache_line_allocator.hpp"
#include "core/backends/openmp/parallel.hpp"
#include "core/engine/parts/part_rows.hpp"
#include "core/operations/convolution/convolution.hpp"
#include "core/operations/convolution/openmp/choice.hpp"
#include "core/operations/convolution/openmp/fft_kernels.hpp"
#include "core/operations/convolution/openmp/fft_lines.hpp"
#include "core/operations/convolution/openmp/implementations.hpp"
#include "core/operations/convolution/openmp/not_finite.hpp"
#include "core/operations/convolution/openmp/tiles.hpp"
#include "core/operations/convolution/openmp/tuning.hpp"
#include "core/operations/convolution/strips.hpp"
#include "core/primitives/blocks.hpp"

namespace parallax {
namespace {

/// Complex samples from row to row of a tile and from column to column: whole cache lines, an odd number of them, so that neighbours
/// never meet in the same set of the cache.
constexpr std::int64_t linePitch(std::int64_t n) { return (n + 15) / 16 * 16 + 8; }

/// The exponent of a power of 2 near the value; 0 for 0.
int exponentOf(double value) { return value > 0 && std::isfinite(value) ? std::ilogb(value) : 0; }

/// Floats of the complex samples that one thread works on: a tile, some of its columns, a line of it.
std::int64_t tileFloats(const FftTile& t) { return 2 * linePitch(t.width) * t.height; }
std::int64_t columnFloats(const FftTile& t) { return 2 * linePitch(t.height) * kColumnsTogether; }
/// Half of the kernel's transform: weights are real, so the other half is its mirror image.
std::int64_t spectrumFloats(const FftTile& t) { return 2 * linePitch(t.height) * (t.width / 2 + kColumnsTogether); }
std::int64_t lineFloats(const FftTile& t) { return 2 * linePitch(std::max(t.width, t.height)); }

/// One of the two tiles of a transform.
struct Slot {
    bool used = false;                     ///< has a tile
    int channel = 0;                       ///< of the input
    std::int64_t z = 0;                    ///< slice of the input
    View<float> out;                       ///< the plane, of the part
    std::int64_t x = 0, y = 0;             ///< of its first result, in the part
    std::int64_t columns = 0, rows = 0;    ///< results, fewer than the tile gives at the right and lower edge
    bool inside = false;                   ///< all columns that it needs lie in the image
    CacheLineVector<std::int64_t> source;  ///< column of the image for each of the tile, else
    CacheLineVector<float> row, unused;
    NotFinite notFinite;
};

struct alignas(CacheLineAllocator<char>::kLine) Worker {
    explicit Worker(const FftTile& tile, const Kernel& kernel)
        : samples(tileFloats(tile)),
          columns(columnFloats(tile)),
          line(lineFloats(tile)),
          slots{Slot{.notFinite = NotFinite(kernel)}, Slot{.notFinite = NotFinite(kernel)}} {
        for (Slot& s : slots) {
            s.source.resize(static_cast<std::size_t>(tile.width));
            s.row.resize(static_cast<std::size_t>(tile.width));
            s.unused.resize(static_cast<std::size_t>(tile.width));
        }
    }
    Scratch samples, columns, line;
    Slot slots[2];
};

std::uint64_t bytesPerWorker(const FftTile& t, const Kernel& kernel) {
    const auto floats = static_cast<std::uint64_t>(tileFloats(t) + columnFloats(t) + lineFloats(t) + 8 * t.width);
    return floats * sizeof(float) + 2 * NotFinite::bytes(kernel, t.columns, t.rows);
}

/// The samples that a run works on.
struct Samples {
    const PartRows& rows;         ///< of the image, addressed by its coordinates
    std::int64_t row = 0, z = 0;  ///< the first own row and slice
};

/// Rows outside of the part that its windows reach, by the border mode.
PartRows::Needs neededRows(const ConvolutionPlan& plan, const Shape& image) {
    if (image.depth > 1) return neighboursUpTo(0, image);
    return [height = image.height, kernel = plan.kernel, border = plan.border](const PartRange& own) {
        std::vector<std::int64_t> needed;
        for (std::int64_t y = own.first - kernel.top(); y < own.last + kernel.bottom(); ++y) {
            const std::int64_t row = borderIndex(y, height, border);
            if (row >= 0 && (row < own.first || row >= own.last)) needed.push_back(row);
        }
        std::sort(needed.begin(), needed.end());
        std::vector<PartRange> ranges;
        for (const std::int64_t row : needed) {
            if (ranges.empty() || row > ranges.back().last) ranges.push_back({row, row});
            ranges.back().last = row + 1;
        }
        return ranges;
    };
}

class FftExecution final : public Execution, public PartExecution {
public:
    FftExecution(const Problem& problem, ConvolutionPlan plan, const RunContext& context)
        : plan_(std::move(plan)),
          tile_(chooseFftTile(openmpConvolutionFacts(problem))),
          alongRows_(tile_.width),
          alongColumns_(tile_.height),
          spectrum_(spectrumFloats(tile_)) {
        // Samples and weights near 1, by powers of 2, which round nothing: no sum over a tile overflows.
        const double magnitude = std::max(problem.statistics.maxAbs(), std::fabs(static_cast<double>(plan_.borderValue)));
        constexpr int limit = 126;  // the inverse of 2^126 is a float, too
        const int inExponent = std::clamp(exponentOf(magnitude), -limit, limit);
        const int kernelExponent = exponentOf(plan_.kernel.absoluteSum());
        inScale_ = std::scalbn(1.0F, -inExponent);
        // The factor of the inverse may exceed the range of one float.
        const int outExponent = std::clamp(inExponent + kernelExponent, -2 * limit, 2 * limit);
        outScale1_ = std::scalbn(1.0F, outExponent / 2);
        outScale2_ = std::scalbn(1.0F, outExponent - outExponent / 2);
        workers_.resize(static_cast<std::size_t>(effectiveThreads(context)));
        onEachWorker(effectiveThreads(context), bytesPerWorker(tile_, plan_.kernel),
                     [&](int worker) { workers_[static_cast<std::size_t>(worker)] = std::make_unique<Worker>(tile_, plan_.kernel); });
        transformKernel(kernelExponent);
    }

    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) override {
        const PartRows rows(inputs[0]);
        filter(inputs[0], {rows}, outputs[0], context);
    }
    void runPart(const ImagePart& part, const View<const float>& input, const View<float>& output, Communicator& communicator,
                 RunContext& context) override {
        const PartRows rows(part, input, neededRows(plan_, part.image), communicator);
        if (part.range.empty()) return;
        filter(input, {rows, part.slices() ? 0 : part.range.first, part.slices() ? part.range.first : 0}, output, context);
    }

private:
    void filter(const View<const float>& in, const Samples& samples, const View<float>& out, RunContext& context) {
        const int threads = static_cast<int>(workers_.size());
        copyPlanes(plan_.copied, in, out, threads, context);
        const std::int64_t plane = tile_.across * divideUp(out.shape.height, tile_.rows), depth = out.shape.depth;
        const std::int64_t tiles = plane * depth * static_cast<std::int64_t>(plan_.filtered.size());
        parallelTasks(context, (tiles + 1) / 2, threads, [&](std::int64_t pair, int worker) {
            Worker& w = *workers_[static_cast<std::size_t>(worker)];
            for (std::int64_t i = 0; i < 2; ++i) {
                Slot& slot = w.slots[i];
                slot.rows = 0;
                const std::int64_t tile = 2 * pair + i;
                slot.used = tile < tiles;
                if (!slot.used) continue;
                slot.channel = plan_.filtered[static_cast<std::size_t>(tile / plane / depth)];
                const std::int64_t z = tile / plane % depth;
                slot.z = samples.z + z;
                slot.out = out.channel(slot.channel);
                slot.out.data = slot.out.row(0, z);
                place(slot, tile % plane);
            }
            transform(w, samples, context);
            if (!context.progress || context.stopped()) return;
            // A row of results is done when its last tile is.
            for (const Slot& slot : w.slots)
                if (slot.used && slot.x + slot.columns == slot.out.shape.width) context.progress->add(slot.rows);
        });
    }

    void place(Slot& s, std::int64_t tile) const {
        const std::int64_t width = s.out.shape.width, height = s.out.shape.height;
        s.x = tile % tile_.across * tile_.columns;
        s.y = tile / tile_.across * tile_.rows;
        s.columns = std::min<std::int64_t>(tile_.columns, width - s.x);
        s.rows = std::min<std::int64_t>(tile_.rows, height - s.y);
        s.notFinite.clear();
        const std::int64_t first = s.x - plan_.kernel.left();
        s.inside = first >= 0 && first + tile_.width <= width;
        if (s.inside) return;
        for (std::int64_t i = 0; i < s.columns + plan_.kernel.width - 1; ++i)
            s.source[static_cast<std::size_t>(i)] = borderIndex(first + i, width, plan_.border);
    }

    /// Returns row y of a tile; nullptr below all windows of its results.
    const float* tileRow(Slot& s, const Samples& samples, std::int64_t y) const {
        if (y >= s.rows + plan_.kernel.height - 1) return nullptr;
        const std::int64_t sy = borderIndex(samples.row + s.y - plan_.kernel.top() + y, samples.rows.shape().height, plan_.border);
        const float* row = sy < 0 ? nullptr : samples.rows.row(sy, s.z, s.channel);
        if (s.inside && sy >= 0) return row + s.x - plan_.kernel.left();
        const auto used = static_cast<std::size_t>(s.columns + plan_.kernel.width - 1);
        for (std::size_t i = 0; i < used; ++i) {
            const bool constant = sy < 0 || (!s.inside && s.source[i] < 0);
            s.row[i] =
                constant ? plan_.borderValue : row[s.inside ? s.x - plan_.kernel.left() + static_cast<std::int64_t>(i) : s.source[i]];
        }
        std::fill(s.row.begin() + static_cast<std::ptrdiff_t>(used), s.row.end(), 0.0F);
        return s.row.data();
    }

    void transform(Worker& w, const Samples& samples, const RunContext& context) const {
        const std::int64_t pitch = linePitch(tile_.width);
        for (std::int64_t y = 0; y < tile_.height; ++y) {
            if (y % 16 == 0 && context.stopped()) return;
            float* to = w.samples.data() + 2 * y * pitch;
            const float* rows[2] = {w.slots[0].used ? tileRow(w.slots[0], samples, y) : nullptr,
                                    w.slots[1].used ? tileRow(w.slots[1], samples, y) : nullptr};
            if (!rows[0] && !rows[1]) {
                std::fill_n(to, 2 * pitch, 0.0F);
                continue;
            }
            for (int i = 0; i < 2; ++i)
                if (!rows[i]) {
                    std::fill(w.slots[i].row.begin(), w.slots[i].row.end(), 0.0F);
                    rows[i] = w.slots[i].row.data();
                }
            if (packRows(rows[0], rows[1], inScale_, tile_.width, w.line.data()))
                for (int i = 0; i < 2; ++i)
                    if (w.slots[i].used) w.slots[i].notFinite.addRow(rows[i], tile_.width, y, w.slots[i].columns, w.slots[i].rows);
            alongRows_.forward(w.line.data(), to);
        }
        for (std::int64_t x = 0; x < tile_.width; x += kColumnsTogether) {
            if (context.stopped()) return;
            correlateColumns(w, x);
        }
        const std::int64_t rows = std::max(w.slots[0].rows, w.slots[1].rows);
        for (std::int64_t y = 0; y < rows; ++y) {
            if (y % 16 == 0 && context.stopped()) return;
            alongRows_.inverse(w.samples.data() + 2 * y * pitch, w.line.data());
            storeRow(w, w.line.data(), y);
        }
    }

    void correlateColumns(Worker& w, std::int64_t x) const {
        const std::int64_t pitch = linePitch(tile_.width), length = linePitch(tile_.height);
        takeColumns(w.samples.data() + 2 * x, pitch, tile_.height, w.columns.data(), length);
        for (std::int64_t c = 0; c < kColumnsTogether; ++c) {
            float* column = w.columns.data() + 2 * c * length;
            alongColumns_.forward(column, w.line.data());
            const std::int64_t opposite = tile_.width - x - c;
            if (x + c <= tile_.width / 2) multiplyComplex(w.line.data(), spectrum_.data() + 2 * (x + c) * length, tile_.height);
            else multiplyOpposite(w.line.data(), spectrum_.data() + 2 * opposite * length, tile_.height);
            alongColumns_.inverse(w.line.data(), column);
        }
        putColumns(w.columns.data(), length, tile_.height, w.samples.data() + 2 * x, pitch);
    }

    void storeRow(Worker& w, const float* from, std::int64_t y) const {
        // Columns that both tiles have, then those of only one.
        float* to[2];
        std::int64_t count[2];
        for (int i = 0; i < 2; ++i) {
            Slot& s = w.slots[i];
            const bool has = s.used && y < s.rows;
            count[i] = has ? s.columns : 0;
            to[i] = has ? s.out.row(s.y + y) + s.x : nullptr;
        }
        const std::int64_t common = std::min(count[0], count[1]);
        if (common > 0) unpackRows(from, outScale1_, outScale2_, plan_.offset, common, to[0], to[1]);
        for (int i = 0; i < 2; ++i) {
            if (count[i] > common) {
                float* other = w.slots[1 - i].unused.data();
                float* rest = to[i] + common;
                unpackRows(from + 2 * common, outScale1_, outScale2_, plan_.offset, count[i] - common, i == 0 ? rest : other,
                           i == 0 ? other : rest);
            }
            if (count[i] > 0) w.slots[i].notFinite.apply(to[i], y, count[i]);
        }
    }

    /// Half of the conjugate transform of the kernel, column after column, divided by the scale of both transforms.
    void transformKernel(int kernelExponent) {
        const Kernel& k = plan_.kernel;
        const std::int64_t pitch = linePitch(tile_.width), length = linePitch(tile_.height);
        Worker& w = *workers_.front();
        const double factor = std::scalbn(1.0, -kernelExponent) / (static_cast<double>(tile_.width) * tile_.height);
        float *samples = w.samples.data(), *line = w.line.data();
        std::fill_n(samples, tileFloats(tile_), 0.0F);
        for (int v = 0; v < k.height; ++v) {
            std::fill_n(line, lineFloats(tile_), 0.0F);
            for (int u = 0; u < k.width; ++u) line[2 * u] = static_cast<float>(k.at(u, v) * factor);
            alongRows_.forward(line, samples + 2 * v * pitch);
        }
        for (std::int64_t x = 0; x <= tile_.width / 2; x += kColumnsTogether) {
            takeColumns(samples + 2 * x, pitch, tile_.height, w.columns.data(), length);
            for (std::int64_t c = 0; c < kColumnsTogether; ++c) {
                float* column = spectrum_.data() + 2 * (x + c) * length;
                alongColumns_.forward(w.columns.data() + 2 * c * length, column);
                for (std::int64_t y = 0; y < tile_.height; ++y) column[2 * y + 1] *= -1;
                std::copy_n(column, 2, column + 2 * tile_.height);
            }
        }
        std::fill_n(samples, tileFloats(tile_), 0.0F);
    }

    ConvolutionPlan plan_;
    FftTile tile_;
    LineTransform alongRows_, alongColumns_;
    Scratch spectrum_;
    float inScale_ = 1, outScale1_ = 1, outScale2_ = 1;
    std::vector<std::unique_ptr<Worker>> workers_;
};

class FftConvolution final : public Implementation {
public:
    std::string operation() const override { return "convolve"; }
    std::string variant() const override { return "fft"; }
    std::string summary() const override {
        return "By Fourier transforms (FFTW) of tiles that overlap, two at a time: the time hardly depends on the size of the kernel";
    }
    Support supports(const Problem& problem) const override { return fftSupports(problem); }
    Preference preference(const Problem& problem, int) const override { return openmpPreference(OpenmpConvolution::fft, problem); }
    MemoryEstimate estimate(const Problem& problem) const override {
        const ConvolutionPlan plan = planConvolution(problem);
        const int threads = effectiveThreads({});
        const FftTile t = chooseFftTile(openmpConvolutionFacts(problem));
        return {.host = static_cast<std::uint64_t>(threads) * bytesPerWorker(t, plan.kernel) +
                        static_cast<std::uint64_t>(spectrumFloats(t)) * sizeof(float),
                .device = 0};
    }
    bool errsLocally(const Problem&) const override { return false; }
    StripSupport strips(const Problem&) const override { return StripSupport::no("The tiles of its transforms lie over the whole image"); }
    Distribution distribution(const Problem& problem) const override {
        return {.halo = convolutionStrips(problem), .phases = true, .sameBits = false};
    }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext& context) const override {
        return std::make_unique<FftExecution>(problem, planConvolution(problem), context);
    }
};

}  // namespace

Support fftSupports(const Problem& problem) {
    if (!fftwState().there) return Support::no(fftwState().reason);
    const ConvolutionPlan plan = planConvolution(problem);
    const Kernel& kernel = plan.kernel;
    if (const Support fits = weightsFitFloat(kernel); !fits) return fits;
    // Rounding of a transform of N samples grows with log N relative to the whole tile, however small the kernel (Gentleman and
    // Sande 1966; Higham 2002, ch. 24); the tolerance grows with the kernel.
    static const std::unique_ptr<Operation> operation = makeConvolution();
    const double magnitude = std::max(problem.statistics.maxAbs(), std::fabs(static_cast<double>(plan.borderValue)));
    const double largestTile = static_cast<double>(largestFftExtent(kernel.width)) * largestFftExtent(kernel.height);
    const double roundings = kFftRoundings + std::log2(largestTile);
    const double ofOffset = 0x1p-23 * std::fabs(static_cast<double>(plan.offset));
    if (roundings * 0x1p-24 * kernel.absoluteSum() * magnitude + ofOffset > operation->tolerance(problem).absolute)
        return Support::no("The kernel has so few taps that the rounding errors of a transform may exceed the tolerance");
    return {};
}

std::unique_ptr<Implementation> makeOpenmpFftConvolution() { return std::make_unique<FftConvolution>(); }

}  // namespace parallax
