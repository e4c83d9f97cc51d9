// SPDX-License-Identifier: GPL-3.0-or-later
// Compiled once for each instruction set; the best one is chosen when the program runs.
//
// A block of R rows times N vectors of results stays in registers. Each input vector is loaded once for a tap column and
// meets every output row that it belongs to, so per multiply-add there is much less than one load.
#include "core/operations/convolution/openmp/kernels.hpp"

#include <algorithm>
#include <utility>

#include "core/backends/openmp/instructions.hpp"

#define HWY_DISABLED_TARGETS PARALLAX_UNUSED_SIMD_TARGETS
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/operations/convolution/openmp/kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace parallax {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<float, 16>;
using V = hn::Vec<D>;
constexpr int kLanes = static_cast<int>(hn::MaxLanes(D()));
constexpr int kRows = static_cast<int>(kBlockRows);
// The number of accumulators is what the registers hold beside the pixels and a weight: 32 registers with AVX-512, else 16.
constexpr int kVectors = kLanes >= 16 ? 6 : 3;

template <int N>
struct Accumulators {
    V v[kRows * N];
};
template <int N>
struct Pixels {
    V v[N];
};

template <int N, std::size_t... I>
HWY_INLINE Pixels<N> load(const float* p, std::index_sequence<I...>) {
    return {{hn::LoadU(D(), p + I * kLanes)...}};
}

template <int N, std::size_t... I>
HWY_INLINE Accumulators<N> broadcast(float value, std::index_sequence<I...>) {
    const V v = hn::Set(D(), value);
    return {{((void)I, v)...}};
}

template <int N, int Row, std::size_t... I>
HWY_INLINE void addTap(Accumulators<N>& a, const Pixels<N>& x, float weight, std::index_sequence<I...>) {
    const V w = hn::Set(D(), weight);
    ((a.v[Row * N + static_cast<int>(I)] = hn::MulAdd(x.v[I], w, a.v[Row * N + static_cast<int>(I)])), ...);
}

/// Makes the compiler keep loaded pixels in registers. It would rather read them again as an operand of each multiply-add, and
/// of those reads most cross a cache line, which takes the load ports twice: 73 instead of 100 GFLOP/s for 3 x 3, 103 instead of
/// 111 for 7 x 7, from the second cache of a Zen 4 whose limit is 118.
template <int N, std::size_t... I>
HWY_INLINE void keep(Pixels<N>& x, std::index_sequence<I...>) {
#if HWY_COMPILER_GCC_ACTUAL && HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR
    const auto one = [](V& v) { asm("" : "+v"(v.raw)); };
    (one(x.v[I]), ...);
#else
    (void)x;
#endif
}

/// One tap column of one input row for the output rows First, First + 1, ...; row r gets w[-r].
template <int N, int First, std::size_t... R>
HWY_INLINE void addColumn(Accumulators<N>& a, const float* p, const float* w, std::index_sequence<R...>) {
    Pixels<N> x = load<N>(p, std::make_index_sequence<static_cast<std::size_t>(N)>());
    if constexpr (sizeof...(R) > 1) keep<N>(x, std::make_index_sequence<static_cast<std::size_t>(N)>());
    (addTap<N, First + static_cast<int>(R)>(a, x, w[-(First + static_cast<int>(R))],
                                            std::make_index_sequence<static_cast<std::size_t>(N)>()),
     ...);
}

template <int N, int First, int End, int W, std::size_t... U>
HWY_INLINE void addColumns(Accumulators<N>& a, const float* p, const float* w, int height, std::index_sequence<U...>) {
    (addColumn<N, First>(a, p + U, w + static_cast<std::ptrdiff_t>(U) * height,
                         std::make_index_sequence<static_cast<std::size_t>(End - First)>()),
     ...);
}

/// Makes the compiler forget what it knows about a pointer. Otherwise it broadcasts each weight once for the whole
/// unrolled block, has no registers for them, and every multiply-add reads its weight from the stack.
HWY_INLINE const float* forget(const float* p) {
#if HWY_COMPILER_GCC || HWY_COMPILER_CLANG
    asm("" : "+r"(p));
#endif
    return p;
}

/// All taps of one input row; W > 0: that many columns, known at compile time.
template <int N, int First, int End, int W>
HWY_INLINE void addInputRow(Accumulators<N>& a, const float* p, const float* w, int width, int height) {
    w = forget(w);
    if constexpr (W > 0) {
        addColumns<N, First, End, W>(a, p, w, height, std::make_index_sequence<static_cast<std::size_t>(W)>());
    } else {
        for (int u = 0; u < width; ++u, ++p, w += height)
            addColumn<N, First>(a, p, w, std::make_index_sequence<static_cast<std::size_t>(End - First)>());
    }
}

/// Input rows of a chunk whose height H is less than the rows of the block: each has its own set of output rows.
template <int N, int H, int W, std::size_t... J>
HWY_INLINE void addLowChunk(Accumulators<N>& a, const float* const* rows, std::int64_t x, const float* w, int width,
                            std::index_sequence<J...>) {
    (addInputRow<N, std::max(0, static_cast<int>(J) - H + 1), std::min(kRows - 1, static_cast<int>(J)) + 1, W>(a, rows[J] + x, w + J, width,
                                                                                                               H),
     ...);
}

/// The first rows of a tall chunk reach output rows 0 .. J only.
template <int N, int W, std::size_t... J>
HWY_INLINE void addHead(Accumulators<N>& a, const float* const* rows, std::int64_t x, const KernelChunk& c, std::index_sequence<J...>) {
    (addInputRow<N, 0, static_cast<int>(J) + 1, W>(a, rows[J] + x, c.weights.data() + J, c.width, c.height), ...);
}
/// The last ones reach output rows J + 1 .. kRows - 1 only.
template <int N, int W, std::size_t... J>
HWY_INLINE void addTail(Accumulators<N>& a, const float* const* rows, std::int64_t x, const KernelChunk& c, std::index_sequence<J...>) {
    (addInputRow<N, static_cast<int>(J) + 1, kRows, W>(a, rows[static_cast<std::size_t>(c.height) + J] + x, c.weights.data() + c.height + J,
                                                       c.width, c.height),
     ...);
}

/// H: height, or 0 for any height >= kRows. W: width, or 0 for any.
template <int N, int H, int W>
HWY_INLINE void addChunk(Accumulators<N>& a, const float* const* rows, std::int64_t x, const KernelChunk& c) {
    if constexpr (H > 0) {
        addLowChunk<N, H, W>(a, rows, x, c.weights.data(), c.width, std::make_index_sequence<static_cast<std::size_t>(kRows + H - 1)>());
    } else {
        addHead<N, W>(a, rows, x, c, std::make_index_sequence<static_cast<std::size_t>(kRows - 1)>());
        for (int j = kRows - 1; j < c.height; ++j) addInputRow<N, 0, kRows, W>(a, rows[j] + x, c.weights.data() + j, c.width, c.height);
        addTail<N, W>(a, rows, x, c, std::make_index_sequence<static_cast<std::size_t>(kRows - 1)>());
    }
}

template <int N, std::size_t... I>
HWY_INLINE void storeRow(const Accumulators<N>& a, int row, float* out, bool stream, std::index_sequence<I...>) {
    if (stream) (hn::Stream(a.v[row * N + static_cast<int>(I)], D(), out + I * kLanes), ...);
    else (hn::StoreU(a.v[row * N + static_cast<int>(I)], D(), out + I * kLanes), ...);
}
template <int N, std::size_t... R>
HWY_INLINE void store(const Accumulators<N>& a, float* const* out, std::int64_t x, bool stream, std::index_sequence<R...>) {
    (storeRow<N>(a, static_cast<int>(R), out[R] + x, stream, std::make_index_sequence<static_cast<std::size_t>(N)>()), ...);
}

template <int N, std::size_t... I>
HWY_INLINE void addOffset(Accumulators<N>& a, float offset, std::index_sequence<I...>) {
    const V v = hn::Set(D(), offset);
    ((a.v[I] = hn::Add(a.v[I], v)), ...);
}

/// Sums of finished chunks, in the first cache.
template <int N>
struct Sums {
    alignas(64) float v[kRows * N * kLanes];
};
template <int N, std::size_t... I>
HWY_INLINE void save(const Accumulators<N>& a, Sums<N>& s, std::index_sequence<I...>) {
    (hn::Store(a.v[I], D(), s.v + I * kLanes), ...);
}
template <int N, std::size_t... I>
HWY_INLINE void addSaved(Accumulators<N>& a, const Sums<N>& s, std::index_sequence<I...>) {
    ((a.v[I] = hn::Add(a.v[I], hn::Load(D(), s.v + I * kLanes))), ...);
}

/// Prefetches the rows of the next block into the second cache, a part at each step along this block. Row after row, which suits the
/// hardware prefetchers: prefetching right below the current position would occupy the buffers that the loads need.
class Ahead {
public:
    Ahead(const FilterBlock& b, std::int64_t steps)
        : rows_(b.ahead),
          lines_((b.columns + kLine - 1) / kLine),
          step_((lines_ * b.aheadRows + steps - 1) / steps),
          left_(lines_ * b.aheadRows) {}
    HWY_INLINE void fetch() {
#if HWY_COMPILER_GCC || HWY_COMPILER_CLANG
        constexpr int read = 0, secondCache = 2;
        const std::int64_t count = std::min(step_, left_);
        left_ -= count;
        for (std::int64_t i = 0; i < count; ++i) {
            __builtin_prefetch(rows_[row_] + line_ * kLine, read, secondCache);
            if (++line_ < lines_) continue;
            line_ = 0;
            ++row_;
        }
#endif
    }

private:
    static constexpr std::int64_t kLine = 64 / sizeof(float);
    const float* const* rows_;
    std::int64_t lines_, step_, left_, line_ = 0;
    std::int64_t row_ = 0;
};

/// N vectors wide from column x on.
template <int N, int H, int W>
HWY_INLINE void filterColumns(const FilterBlock& b, std::int64_t x) {
    constexpr auto rows = std::make_index_sequence<static_cast<std::size_t>(kRows)>();
    constexpr auto all = std::make_index_sequence<static_cast<std::size_t>(kRows * N)>();
    Accumulators<N> a = broadcast<N>(0.0F, all);
    addChunk<N, H, W>(a, b.rows + b.chunks[0].v, x + b.chunks[0].u, b.chunks[0]);
    if (b.chunkCount > 1) {
        Sums<N> sums;
        save<N>(a, sums, all);
        for (int i = 1; i < b.chunkCount; ++i) {
            const KernelChunk& c = b.chunks[i];
            a = broadcast<N>(0.0F, all);
            // All chunks have the height H, or all are tall: see splitKernel().
            addChunk<N, H, W>(a, b.rows + c.v, x + c.u, c);
            addSaved<N>(a, sums, all);
            if (i + 1 < b.chunkCount) save<N>(a, sums, all);
        }
    }
    // Last: all sums before would be rounded to the precision of a large offset.
    if (b.offset != 0) addOffset<N>(a, b.offset, all);
    store<N>(a, b.out, x, b.stream, rows);
}

template <int H, int W>
HWY_NOINLINE void filterAll(const FilterBlock& b) {
    constexpr int wide = kVectors * kLanes;
    if (b.columns < wide) {
        // Narrow images and edges do not justify a loop for each width.
        for (std::int64_t x = 0; x + kLanes <= b.columns; x += kLanes) filterColumns<1, H, 0>(b, x);
        return;
    }
    Ahead ahead(b, (b.columns + wide - 1) / wide);
    for (std::int64_t x = 0; x < b.columns; x += wide) {
        ahead.fetch();
        // The last vector overlaps the previous one, to be of full width.
        filterColumns<kVectors, H, W>(b, std::min<std::int64_t>(x, b.columns - wide));
    }
}

template <int H>
HWY_INLINE void filterHeight(const FilterBlock& b) {
    // The most common sizes are unrolled: 1-D kernels and squares.
    const int width = b.chunks[0].width;
    if (b.chunkCount == 1 && width == H) return filterAll<H, H>(b);
    if (b.chunkCount == 1 && width == 1) return filterAll<H, 1>(b);
    return filterAll<H, 0>(b);
}

/// Any height from kRows on.
HWY_NOINLINE void filterTall(const FilterBlock& b) {
    bool narrow = true;
    for (int i = 0; i < b.chunkCount; ++i) narrow = narrow && b.chunks[i].width == 1;
    if (narrow) return filterAll<0, 1>(b);
    return filterAll<0, 0>(b);
}

void filterBlockImpl(const FilterBlock& b) {
    switch (b.chunks[0].height) {
        case 1: return filterHeight<1>(b);
        case 2: return filterHeight<2>(b);
        case 3: return filterHeight<3>(b);
        default: return filterTall(b);
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace parallax
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <hwy/cache_control.h>

namespace parallax {

HWY_EXPORT(filterBlockImpl);

void filterBlock(const FilterBlock& block) { HWY_DYNAMIC_DISPATCH(filterBlockImpl)(block); }
void finishStreaming() { hwy::FlushStream(); }

std::vector<KernelChunk> splitKernel(std::span<const float> weights, int width, int height) {
    constexpr int maximumTaps = 128;
    // Equal parts, so that no chunk is much smaller than the others and all heights stay on one side of kBlockRows.
    const int parts = (height + maximumTaps - 1) / maximumTaps;
    const int tallest = (height + parts - 1) / parts;
    const int columnsEach = std::max(1, maximumTaps / tallest);
    const int groups = (width + columnsEach - 1) / columnsEach;
    std::vector<KernelChunk> chunks;
    for (int part = 0; part < parts; ++part)
        for (int group = 0; group < groups; ++group) {
            KernelChunk c;
            c.v = height * part / parts;
            c.height = height * (part + 1) / parts - c.v;
            c.u = width * group / groups;
            c.width = width * (group + 1) / groups - c.u;
            for (int u = c.u; u < c.u + c.width; ++u)
                for (int v = c.v; v < c.v + c.height; ++v)
                    c.weights.push_back(
                        weights[static_cast<std::size_t>(v) * static_cast<std::size_t>(width) + static_cast<std::size_t>(u)]);
            chunks.push_back(std::move(c));
        }
    return chunks;
}

}  // namespace parallax
#endif
