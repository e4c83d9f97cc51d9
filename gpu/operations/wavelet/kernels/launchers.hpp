// SPDX-License-Identifier: GPL-3.0-or-later
// Launchers of the kernels of transform.cpp and shrinkage.cpp. Compiles without nvcc.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "core/operations/wavelet/extension.hpp"
#include "core/operations/wavelet/shrink_rule.hpp"

namespace parallax::gpu {

/// Samples along x, y and z; x has stride 1.
template <class T>
struct Strided {
    T* data = nullptr;
    std::int64_t rowStride = 0, sliceStride = 0;
};
inline Strided<const float> readOnly(const Strided<float>& s) { return {s.data, s.rowStride, s.sliceStride}; }

/// Returns whether samples beyond the border are sums of samples.
constexpr bool sumsSamples(WaveletMode rule) {
    return rule == WaveletMode::smooth || rule == WaveletMode::antisymmetric || rule == WaveletMode::antireflect;
}

// ---- the tuned transform: fused_parts.cuh and the files that include it

/// Largest number of taps of all filters, and of filters with unrolled kernels.
inline constexpr int kLargestFusedTaps = 16;

/// Zeros that a forward kernel can write per row of coefficients, and the widest gap between a band and the details that follows.
inline constexpr int kMaxFilled = 128, kMaxFilledGap = (kMaxFilled - 23) / 3;

/// The kernel of a level of a volume.
enum class FusedKernel {
    wide,     ///< tiles for large volumes, with much shared memory
    medium,   ///< narrower tiles, for volumes that wide ones would overhang, and small volumes
    compact,  ///< small tiles, for devices with little shared memory
    /// Filters along z first, for coarse levels and small volumes. Sums in another order than the other kernels, which are bit-identical.
    /// Does not support extension modes that sum samples.
    zFirst
};
inline constexpr int kFusedKernels = 4;

/// A box of a mosaic.
struct BandBox {
    std::int64_t first[3], extent[3];
};

/// One level along x, y and, if transformed, z.
struct FusedLevel {
    Strided<const float> in;     ///< forward: the image or the previous level's approximation; inverse: the mosaic
    Strided<const float> inLow;  ///< inverse: the approximation, with the row stride of `in`, so that one offset serves both
    Strided<float> out;          ///< forward: the mosaic; inverse: the image or the finer level's approximation
    Strided<float> outLow;       ///< forward: the approximation
    int samples[3] = {1, 1, 1};  ///< of the finer side
    int count[3] = {1, 1, 1};    ///< coefficients of a band
    int detail[3] = {0, 0, 0};   ///< first detail in the mosaic
    /// Forward: writes zeros between a band and the details along x, behind rows of an approximation outside the mosaic, and around its
    /// position there. For gaps of up to kMaxFilledGap.
    bool fills = false;
    bool alongZ = false;
    WaveletMode rule = WaveletMode::zero;
    int taps = 2;
    /// Host memory, `taps` each: decLo and decHi, or recLo and recHi.
    const float *lo = nullptr, *hi = nullptr;
    int multiprocessors = 1;
    FusedKernel kernel = FusedKernel::compact;
    /// May begin before the previous kernel of the stream, another one of this transform, is complete; it waits where necessary. Details of
    /// the mosaic were complete before the first of these kernels, and none of them writes those. Forward, zFirst writes the zeros of
    /// `fills` in the mosaic before it waits: no earlier kernel accesses them, and coarser levels overwrite them later.
    bool early = false;
    /// FusedKernel::zFirst, inverse: lets an early next kernel begin at its own end. Other kernels let it begin when all of their blocks
    /// have begun.
    bool admitsLate = false;
    int chunks = 0;  ///< parts along z, computed by separate blocks; 0: fusedChunks() decides
};
/// Returns whether there is an unrolled kernel for this many taps.
bool fusedHasTaps(int taps);
/// Each enqueues one kernel. Throws Error.
void launchFusedForward(const FusedLevel& level, cudaStream_t stream);
void launchFusedInverse(const FusedLevel& level, cudaStream_t stream);
/// The kernels of a filter that the device supports.
struct FusedAbility {
    bool early = false;            ///< FusedLevel::early
    bool has[kFusedKernels] = {};  ///< whether this kernel exists and its shared memory suffices; compact: always
    bool can(FusedKernel k) const { return has[static_cast<int>(k)]; }
};
/// Loads the kernels of a filter and reserves their shared memory; a block may have `sharedBytes`.
FusedAbility prepareFusedForward(int taps, bool alongZ, int sharedBytes);
FusedAbility prepareFusedInverse(int taps, bool alongZ, int sharedBytes);

// ---- passes along one axis: passes.cu

/// The memory of the filters of the passes.
enum class FilterMemory { global, shared, constant };

/// Positions along an axis of an array of bands: position i is at i, from `split` on at i + jump. Adjacent bands have jump 0.
struct BandAxis {
    int split = 0;
    int jump = 0;
};

/// One pass along one axis. Along this axis and those transformed before, an array of bands has the approximation at [0, split) and the
/// details after it.
struct AxisPass {
    int axis = 0;  ///< 0, 1, 2: x, y, z
    Strided<const float> in;
    Strided<float> out;
    /// The approximation along all axes if it is outside the array of bands (last forward pass, first inverse pass); otherwise without
    /// data.
    Strided<const float> inLow;
    Strided<float> outLow;
    int extent[3] = {1, 1, 1};  ///< positions: along `axis` samples of the finer side
    int count = 1;              ///< coefficients of a band along `axis`
    BandAxis bands[3];          ///< of the array of bands: the output forward, the input of the inverse
    WaveletMode rule = WaveletMode::zero;
    int taps = 2;
    const float* filters = nullptr;      ///< device memory: decLo, decHi or recLo, recHi, taps each
    const float* hostFilters = nullptr;  ///< the same on the host
    std::int64_t first = 0, end = 0;     ///< rows of this launch, out of passRows()
};
/// A thread computes both coefficients of a position, or one sample of the inverse.
inline int passColumns(const AxisPass& pass, bool forward) { return pass.axis == 0 && forward ? pass.count : pass.extent[0]; }
inline std::int64_t passRows(const AxisPass& pass, bool forward) {
    std::int64_t rows = 1;
    for (int a = 1; a < 3; ++a) rows *= a == pass.axis && forward ? pass.count : pass.extent[a];
    return rows;
}
void launchForwardPass(const AxisPass& pass, FilterMemory memory, cudaStream_t stream);
void launchInversePass(const AxisPass& pass, FilterMemory memory, cudaStream_t stream);
void preloadPasses(FilterMemory memory);

// ---- mosaic.cu

/// Boxes on the device, and the number of blocks per box, by the size of the largest.
struct BandBoxes {
    const BandBox* data = nullptr;
    int count = 0;
    int blocks = 1;
    /// Returns only box `i`.
    BandBoxes only(std::size_t i) const { return {data + i, 1, blocks}; }
};
/// Threads per block of the kernels over boxes; each warp takes a piece of a row at a time.
inline constexpr int kBoxThreads = 256, kBoxPiece = 1024;
/// Blocks per box: two per multiprocessor of a large device, fewer for small boxes.
inline constexpr int kMaxBoxBlocks = 264;
inline int blocksOfBox(const BandBox& box) {
    const std::int64_t pieces = (box.extent[0] + kBoxPiece - 1) / kBoxPiece * box.extent[1] * box.extent[2], each = 2 * kBoxThreads / 32;
    const std::int64_t blocks = (pieces + each - 1) / each;
    return static_cast<int>(blocks < 1 ? 1 : blocks > kMaxBoxBlocks ? kMaxBoxBlocks : blocks);
}

/// Sets boxes to 0, by `blocks` blocks. `early`: may begin before the previous kernel of the stream, which does not access the boxes, is
/// complete, but ends after it.
void launchClear(const Strided<float>& mosaic, const BandBoxes& boxes, int blocks, cudaStream_t stream, bool early = false);
/// Returns whether it can begin early.
bool preloadClear();
/// Beside the first level one block per multiprocessor, beside the last one kClearBlocks: ../NOTES.md.
inline constexpr int kClearThreads = 128, kClearBlocks = 528;

struct BoxExtent {
    std::int64_t width = 0, rows = 1, slices = 1;
};
/// Copies a box; source and target must not overlap.
void launchCopy(const Strided<float>& to, const Strided<const float>& from, const BoxExtent& extent, cudaStream_t stream);
void preloadCopy();

// ---- statistics.cu

struct BandMoments {
    double squares;       ///< sum over the finite coefficients
    std::int64_t finite;  ///< number of finite coefficients
    float largest;        ///< magnitude
    float unused;
};
/// Computes the moments of each band, reproducibly. `partial` has room for count * blocks, `moments` for count.
void launchMoments(const Strided<const float>& mosaic, const BandBoxes& boxes, BandMoments* partial, BandMoments* moments,
                   cudaStream_t stream);

/// Exact order statistics of magnitudes by a radix selection on the bits of the floats, which have the same order.
struct Selected {
    std::int64_t finite;  ///< counted samples, which are neither NaN nor infinite
    float low, high;      ///< magnitudes of the two ranks
};
enum class SelectedRanks {
    median,  ///< the two middle ranks, equal for odd counts
    largest  ///< both ranks: the last of the `kept` largest
};
inline constexpr int kSelectionBits[] = {11, 10, 10};
inline constexpr int kSelectionDigits = 3;
inline constexpr int kSelectionBuckets = 1 << 11;
/// Device memory of a selection.
struct SelectionState {
    unsigned long long buckets[2][kSelectionBuckets];
    unsigned prefix[2];          ///< bits of the two ranks found so far
    unsigned long long rank[2];  ///< among the samples with this prefix
    Selected result;
};
/// Selects among the samples of all boxes with magnitudes above `above`, all if it is negative; `kept`: for SelectedRanks::largest. The
/// result is `state->result`; without a finite sample, or with kept 0, low and high are 0.
void launchSelection(const Strided<const float>& mosaic, const BandBoxes& boxes, SelectedRanks ranks, float above, std::int64_t kept,
                     SelectionState* state, cudaStream_t stream);

/// Its steps, for samples in several memories: for each digit all launchCount(), then launchFind().
void startSelection(SelectionState* state, cudaStream_t stream);
void launchCount(const Strided<const float>& mosaic, const BandBoxes& boxes, float above, int digit, SelectionState* state,
                 cudaStream_t stream);
void launchFind(int digit, SelectedRanks ranks, std::int64_t kept, SelectionState* state, cudaStream_t stream);

/// The threshold of a band. Finite coefficients with a magnitude in [from, to] are counted.
struct BandThreshold {
    float threshold = 0, from = 1, to = 0;
};
struct ShrinkCounts {
    unsigned long long zero, ambiguous;
};
/// Thresholds bands in place by shrunk() and adds to `counts`. All arguments are device memory.
void launchShrink(const Strided<float>& mosaic, const BandBoxes& boxes, const BandThreshold* thresholds, const Shrinkage& shrinkage,
                  ShrinkCounts* counts, cudaStream_t stream);
/// Computes the threshold of wavelet-compress from a selection, for each of `count` bands: coefficients from keptFrom(selected->low) on are
/// kept, and those within slack + relative * selected->low of it are ambiguous. None are kept if `kept` is 0; none are ambiguous then, or
/// if all finite coefficients are kept.
void launchKeepThreshold(const Selected* selected, std::int64_t kept, double slack, double relative, BandThreshold* thresholds, int count,
                         cudaStream_t stream);
void preloadStatistics();

}  // namespace parallax::gpu
