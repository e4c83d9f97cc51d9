// SPDX-License-Identifier: GPL-3.0-or-later
// The levels of a transform on the device, one after the other in a stream: nothing waits for the host.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/engine/run/run_context.hpp"
#include "core/operations/wavelet/layout.hpp"
#include "core/operations/wavelet/progress_share.hpp"
#include "gpu/operations/wavelet/kernels/launchers.hpp"
#include "gpu/operations/wavelet/wavelet.hpp"
#include "gpu/runtime/launch_pacer.hpp"
#include "gpu/runtime/memory/device_buffer.hpp"
#include "gpu/session.hpp"

namespace parallax::gpu {

/// Why the kernels cannot do this transform, or yes.
Support waveletSupports(const WaveletPlan& plan);

/// Filters in float. What a tap is rounded by goes to the next smaller one of its phase (even or odd), so that a phase sums up to what it
/// should but for the rounding of its smallest tap: then flat parts come back as they were, whatever the number of passes. No tap is
/// changed by more than the largest one is rounded, and zeros stay 0.
std::vector<float> roundedTaps(const std::vector<double>& taps);

/// A box of the mosaic of a plan as kernels take it.
BandBox boxOf(const WaveletBand& band);

class DeviceTransform {
public:
    /// `forward`, `inverse`: what it will be used for.
    DeviceTransform(const WaveletPlan& plan, WaveletVariant variant, const CudaSession& session, bool forward, bool inverse);

    /// Each enqueues the transform of one channel. Gaps of the mosaic are filled; the inverse does not look at them. Rows of a mosaic must
    /// follow each other without gaps, as in buffers of a session.
    void forward(const View<const float>& image, const View<float>& mosaic, const RunContext& context, ProgressShare& progress);
    void inverse(const View<const float>& mosaic, const View<float>& image, const RunContext& context, ProgressShare& progress);

    /// A part along z of a plan of one level: other numbers along z in the place of the plan's, none of them larger. Samples and mosaic
    /// lie without gaps; the approximation goes into the corner of the mosaic, or comes from there.
    struct PartAlongZ {
        int samples = 1;  ///< slices of the finer side
        int count = 1;    ///< coefficients of a band, of which a forward part may leave the last ones out
        int detail = 1;   ///< where details begin in the mosaic
    };
    void forwardPart(const PartAlongZ& part, const float* samples, float* mosaic, const RunContext& context, ProgressShare& progress);
    void inversePart(const PartAlongZ& part, const float* mosaic, float* samples, const RunContext& context, ProgressShare& progress);

    /// The plan is of the levels behind the first `before` ones of `whole`, or of a part of such a level along z. Kernels whose sums are in
    /// another order are chosen as for `whole`, so that bits are those of a transform in one go.
    void chooseAsFor(const WaveletPlan& whole, int before) { whole_ = whole, before_ = before; }

    /// Units of progress of one channel in one direction.
    std::int64_t forwardUnits() const;
    std::int64_t inverseUnits() const;
    /// Parts along z of the tuned kernels, for trials; 0: chosen by a rule.
    void setChunks(int chunks) { chunks_ = chunks; }
    /// Of the tuned kernels this one for all levels, where there is one that can do it (else the compact one); without, it is chosen by
    /// size.
    void setKernel(FusedKernel kernel) { kernel_ = kernel; }

    /// Whether it waits for the device, because a pass is divided into launches of which few may be in flight.
    static bool isPaced(const WaveletPlan& plan, WaveletVariant variant);
    static std::uint64_t deviceBytes(const WaveletPlan& plan, WaveletVariant variant, bool forward, bool inverse);

private:
    /// Does `fused` have kernels for this plan? What it has none for is done by passes with filters in constant memory.
    static bool isFused(const WaveletPlan& plan, WaveletVariant variant);
    /// What a level reads and writes: the mosaic on one side, where `low` says where the approximation is, on the other what is finer.
    struct Sides {
        Strided<const float> in, inLow;
        Strided<float> out, outLow;
    };
    /// Of all of a level, whose sums are in another order with FusedKernel::zFirst: follows from the whole plan and the device alone.
    bool filtersZFirst(int level, bool forward) const;
    FusedKernel fusedKernel(const FusedLevel& level, bool forward, bool zFirst) const;
    /// Without sides. `part`: of the level; null: all of it.
    FusedLevel fusedLevel(int level, bool forward, const PartAlongZ* part) const;
    /// The passes of a level in their order, without pointers.
    std::vector<AxisPass> passes(int level, bool forward, const PartAlongZ* part = nullptr) const;
    /// `early`: FusedLevel::early, where the device can.
    void runLevel(int level, bool forward, const PartAlongZ* part, const Sides& sides, bool early, const RunContext& context,
                  ProgressShare& progress);
    std::int64_t units(bool forward) const;
    /// Rows of a pass in one launch.
    static std::int64_t rowsAtOnce(const AxisPass& pass, bool forward);
    /// The approximation that a level leaves for the next one.
    Strided<float> approximation(int level, bool forward);
    void runPass(AxisPass pass, bool forward, const RunContext& context, ProgressShare& progress);

    WaveletPlan plan_, whole_;
    int before_ = 0;  ///< levels of `whole_` before the plan's
    bool fused_;
    FusedAbility forwardAbility_, inverseAbility_;
    FilterMemory memory_;
    cudaStream_t stream_;
    int multiprocessors_, chunks_ = 0;
    std::optional<FusedKernel> kernel_;
    std::vector<float> analysis_, synthesis_;  ///< low-pass taps, then high-pass taps
    DeviceBuffer<float> analysisOnDevice_, synthesisOnDevice_;
    DeviceBuffer<float> approximations_[2];  ///< of levels 1, 3, ... and 2, 4, ..., but not of the last
    DeviceBuffer<float> between_[2];         ///< of the passes of a level
    bool fillsGaps_, clearsEarly_ = false;
    std::vector<BandBox> gaps_;  ///< that the kernels of the levels leave alone
    DeviceBuffer<BandBox> gapsOnDevice_;
    LaunchPacer pacer_;
};

}  // namespace parallax::gpu
