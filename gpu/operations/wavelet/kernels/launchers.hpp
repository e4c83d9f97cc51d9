// SPDX-License-Identifier: GPL-3.0-or-later
// What transform.cpp and shrinkage.cpp ask of the kernels. Compiles without nvcc.
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

// ---- the tuned transform: fused_parts.cuh and what includes it

/// Most taps of a filter that an unrolled kernel may have, and one of them.
inline constexpr int kLargestFusedTaps = 16;

/// What a forward kernel can fill with zeros: per row of coefficients, and so between a band and the details.
inline constexpr int kMostFilled = 128, kMostFilledGap = (kMostFilled - 23) / 3;

/// Which kernel makes a level of a volume.
enum class FusedKernel {
    wide,     ///< with tiles for large volumes, which take much shared memory
    medium,   ///< with narrower ones, for volumes that those would overhang, and for small ones
    compact,  ///< with small ones, for devices with little shared memory
    /// Filters along z first, for coarse levels and small volumes. Sums are in another order than those of the others, which all have the
    /// same bits. Has no sums of samples beyond the border.
    zFirst
};
inline constexpr int kFusedKernels = 4;

/// A box of a mosaic.
struct BandBox {
    std::int64_t first[3], extent[3];
};

/// One level along x, y and, unless it is left alone, z.
struct FusedLevel {
    Strided<const float> in;     ///< forward: the image or the approximation of the level before; inverse: the mosaic
    Strided<const float> inLow;  ///< inverse: the approximation, with the row stride of `in`, so that one offset serves both
    Strided<float> out;          ///< forward: the mosaic; inverse: the image or the approximation of the level before
    Strided<float> outLow;       ///< forward: where the approximation goes
    int samples[3] = {1, 1, 1};  ///< of the finer side
    int count[3] = {1, 1, 1};    ///< coefficients of a band
    int detail[3] = {0, 0, 0};   ///< where details begin in the mosaic
    /// Forward: writes zeros between a band and the details along x, behind rows of an approximation that is apart from the mosaic, and
    /// around its place there. For gaps of up to kMostFilledGap.
    bool fills = false;
    bool alongZ = false;
    ExtensionRule rule = ExtensionRule::zero;
    int taps = 2;
    /// Host memory, taps of each: decLo and decHi, or recLo and recHi.
    const float *lo = nullptr, *hi = nullptr;
    int multiprocessors = 1;
    FusedKernel kernel = FusedKernel::compact;
    /// May begin before the kernel before it in the stream, which is no other's, is done: it waits where it must. Details of the mosaic
    /// were there before the first of these kernels began, and none of them writes them. Forward, zFirst writes the zeros of `fills` in the
    /// mosaic before it waits: none before it writes anything else there or reads it, and what coarser levels write there they write later.
    bool early = false;
    /// FusedKernel::zFirst, inverse: lets the kernel after it begin, if that one is early, at its own end. Otherwise kernels let it begin
    /// when all of their blocks have.
    bool admitsLate = false;
    int chunks = 0;  ///< parts along z that blocks of their own make; 0: chosen by fusedChunks()
};
/// Is there an unrolled kernel for this many taps?
bool fusedHasTaps(int taps);
/// Each enqueues one kernel. Throw Error.
void launchFusedForward(const FusedLevel& level, cudaStream_t stream);
void launchFusedInverse(const FusedLevel& level, cudaStream_t stream);
/// What the device can do with the kernels of a filter.
struct FusedAbility {
    bool early = false;            ///< FusedLevel::early
    bool has[kFusedKernels] = {};  ///< is there a kernel of this kind, and the shared memory for it? compact: always
    bool can(FusedKernel k) const { return has[static_cast<int>(k)]; }
};
/// Loads the code that a launch will need, and lets it have the shared memory that it needs, of which a block may have `sharedBytes`.
FusedAbility prepareFusedForward(int taps, bool alongZ, int sharedBytes);
FusedAbility prepareFusedInverse(int taps, bool alongZ, int sharedBytes);

// ---- passes along one axis each: passes.cu

/// Where the kernels of the passes find the filters.
enum class FilterMemory { global, shared, constant };

/// Positions along an axis of a picture of bands: position i is at i, and from `split` on at i + jump. Bands that lie one behind the other
/// have the jump 0.
struct BandAxis {
    int split = 0;
    int jump = 0;
};

/// One pass along one axis. A picture of bands has, along this axis and those that were transformed before, the approximation at
/// [0, split) and the details from there on.
struct AxisPass {
    int axis = 0;  ///< 0, 1, 2: x, y, z
    Strided<const float> in;
    Strided<float> out;
    /// The approximation along all axes, where it is apart from the picture of bands (in the last pass forward, in the first one of the
    /// inverse); else without data.
    Strided<const float> inLow;
    Strided<float> outLow;
    int extent[3] = {1, 1, 1};  ///< positions: along `axis` samples of the finer side
    int count = 1;              ///< coefficients of a band along `axis`
    BandAxis bands[3];          ///< of the picture of bands: forward what is written, inverse what is read
    ExtensionRule rule = ExtensionRule::zero;
    int taps = 2;
    const float* filters = nullptr;      ///< device memory: decLo, decHi or recLo, recHi, taps each
    const float* hostFilters = nullptr;  ///< the same on the host
    std::int64_t first = 0, end = 0;     ///< rows of this launch, of passRows()
};
/// A thread makes both coefficients of a position, or one sample of the inverse, in some rows along x.
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

/// Boxes on the device, and how many blocks share one: by the size of the largest.
struct BandBoxes {
    const BandBox* data = nullptr;
    int count = 0;
    int blocks = 1;
    /// The one at `i` alone.
    BandBoxes only(std::size_t i) const { return {data + i, 1, blocks}; }
};
/// Threads of a block of the kernels that walk over boxes, each warp a piece of a row at a time.
inline constexpr int kBoxThreads = 256, kBoxPiece = 1024;
/// Blocks that share a box: two for each multiprocessor of a large device, fewer for small ones.
inline constexpr int kMostBoxBlocks = 264;
inline int blocksOfBox(const BandBox& box) {
    const std::int64_t pieces = (box.extent[0] + kBoxPiece - 1) / kBoxPiece * box.extent[1] * box.extent[2], each = 2 * kBoxThreads / 32;
    const std::int64_t blocks = (pieces + each - 1) / each;
    return static_cast<int>(blocks < 1 ? 1 : blocks > kMostBoxBlocks ? kMostBoxBlocks : blocks);
}

/// Fills boxes with 0, by `blocks` blocks. `early`: may begin before the kernel before it in the stream, which leaves the boxes alone, is
/// done; it ends after that.
void launchClear(const Strided<float>& mosaic, const BandBoxes& boxes, int blocks, cudaStream_t stream, bool early = false);
/// Can it begin early?
bool preloadClear();
/// Beside the first level one block per multiprocessor, beside the last one kClearBlocks: ../NOTES.md.
inline constexpr int kClearThreads = 128, kClearBlocks = 528;

struct BoxExtent {
    std::int64_t width = 0, rows = 1, slices = 1;
};
/// Copies a box; both sides must not overlap.
void launchCopy(const Strided<float>& to, const Strided<const float>& from, const BoxExtent& extent, cudaStream_t stream);
void preloadCopy();

// ---- statistics.cu

struct BandMoments {
    double squares;       ///< sum over the finite coefficients
    std::int64_t finite;  ///< how many
    float largest;        ///< magnitude
    float unused;
};
/// Moments of each band, the same bits each time. `partial` has room for count * blocks, `moments` for count.
void launchMoments(const Strided<const float>& mosaic, const BandBoxes& boxes, BandMoments* partial, BandMoments* moments,
                   cudaStream_t stream);

/// Exact order statistics of magnitudes by counting bits of the floats from the highest down, as their order is that of their bits.
struct Selected {
    std::int64_t finite;  ///< samples that are neither NaN nor infinite
    float low, high;      ///< magnitudes of the two ranks
};
enum class SelectedRanks {
    median,  ///< the two middle ones, the same one of an odd number
    largest  ///< the one that is the last of the `kept` largest, both the same
};
inline constexpr int kSelectionBits[] = {11, 10, 10};
inline constexpr int kSelectionBuckets = 1 << 11;
/// Device memory that a selection works in.
struct SelectionState {
    unsigned long long buckets[2][kSelectionBuckets];
    unsigned prefix[2];          ///< bits found so far of the two ranks
    unsigned long long rank[2];  ///< within the samples that have this prefix
    Selected result;
};
/// Of all samples of the boxes together. `kept` is what SelectedRanks::largest asks for. The result is `state->result`; without a
/// finite sample, or with kept 0, low and high are 0.
void launchSelection(const Strided<const float>& mosaic, const BandBoxes& boxes, SelectedRanks ranks, std::int64_t kept,
                     SelectionState* state, cudaStream_t stream);

/// What happens to a band: coefficients are thresholded, and finite ones with a magnitude in [from, to] are counted.
struct BandThreshold {
    float threshold = 0, from = 1, to = 0;
};
struct ShrinkCounts {
    unsigned long long zero, ambiguous;
};
/// Thresholds bands in place as shrunk() does, and adds to `counts`. All of it is device memory.
void launchShrink(const Strided<float>& mosaic, const BandBoxes& boxes, const BandThreshold* thresholds, ShrinkageMethod method,
                  ShrinkCounts* counts, cudaStream_t stream);
/// The threshold of wavelet-compress from what was selected, for each of `count` bands: what is kept begins at keptFrom(selected->low), and
/// rounding could decide within slack + relative * selected->low of it. Everything goes where `kept` is 0; nothing is ambiguous then, nor
/// where all finite coefficients are kept.
void launchKeepThreshold(const Selected* selected, std::int64_t kept, double slack, double relative, BandThreshold* thresholds, int count,
                         cudaStream_t stream);
void preloadStatistics();

}  // namespace parallax::gpu
