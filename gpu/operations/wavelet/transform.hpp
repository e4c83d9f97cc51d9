// SPDX-License-Identifier: GPL-3.0-or-later
// The levels of a transform on the device, enqueued in a stream without waiting for the host.
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

/// Returns whether the kernels support this transform, or the reason.
Support waveletSupports(const WaveletPlan& plan);

/// Returns filters in float. The rounding error of a tap is added to the next smaller one of its phase (even or odd), so that each phase
/// keeps its sum up to the rounding of its smallest tap: constant regions survive any number of passes. No tap changes by more than the
/// rounding error of the largest one, and zeros stay 0.
std::vector<float> roundedTaps(const std::vector<double>& taps);

/// Returns a box of the mosaic of a plan for the kernels.
BandBox boxOf(const WaveletBand& band);

class DeviceTransform {
public:
    /// `forward`, `inverse`: the directions that will be used.
    DeviceTransform(const WaveletPlan& plan, WaveletVariant variant, const CudaSession& session, bool forward, bool inverse);

    /// Each enqueues the transform of a channel. Gaps of the mosaic are set to 0; the inverse ignores them. Rows of a mosaic must be
    /// contiguous, as in buffers of a session.
    void forward(const View<const float>& image, const View<float>& mosaic, const RunContext& context, ProgressShare& progress);
    void inverse(const View<const float>& mosaic, const View<float>& image, const RunContext& context, ProgressShare& progress);

    /// A part along z of a plan of one level, with its own extents along z, which must not exceed the plan's. Samples and mosaic are
    /// contiguous; the approximation is in the corner of the mosaic.
    struct PartAlongZ {
        int samples = 1;  ///< slices of the finer side
        int count = 1;    ///< coefficients of a band; a forward part may leave out the last ones
        int detail = 1;   ///< first slice of the details in the mosaic
    };
    void runPart(bool forward, const PartAlongZ& part, const float* in, float* out, const RunContext& context);

    /// The memory of a level: the mosaic on one side, with the approximation at `low`, and the finer samples on the other. Inverse, the
    /// approximation has the row stride of the mosaic.
    struct Sides {
        Strided<const float> in, inLow;
        Strided<float> out, outLow;
    };
    /// The one level of a plan of one level.
    void runAlone(bool forward, const Sides& sides, const RunContext& context, ProgressShare& progress) {
        runLevel(1, forward, nullptr, sides, false, context, progress);
    }

    /// Says that the plan is that of the levels after the first `before` ones of `whole`, or of a part of such a level along z. Kernels
    /// with another order of summation are then chosen as for `whole`, which makes results bit-identical to a transform in one go.
    void chooseAsFor(const WaveletPlan& whole, int before) { whole_ = whole, before_ = before; }

    /// Units of progress per channel and direction.
    std::int64_t units(bool forward) const;
    /// Sets the number of parts along z of the tuned kernels, for trials; 0: automatic.
    void setChunks(int chunks) { chunks_ = chunks; }
    /// Forces a tuned kernel for all levels that it supports (compact for the others); without a value, the size decides.
    void setKernel(FusedKernel kernel) { kernel_ = kernel; }

    /// Whether it waits for the device, because a pass is divided into launches of which few may be in flight.
    static bool isPaced(const WaveletPlan& plan, WaveletVariant variant);
    static std::uint64_t deviceBytes(const WaveletPlan& plan, WaveletVariant variant, bool forward, bool inverse);

private:
    /// Returns whether `fused` has kernels for this plan; otherwise passes with filters in constant memory are used.
    static bool isFused(const WaveletPlan& plan, WaveletVariant variant);
    struct Direction {
        std::vector<float> filters;  ///< low-pass taps, then high-pass taps
        DeviceBuffer<float> onDevice;
        FusedAbility ability;
    };
    const Direction& direction(bool forward) const { return forward ? forward_ : inverse_; }
    /// Whether a level uses FusedKernel::zFirst, which sums in another order: follows from the whole plan and the device alone.
    bool filtersZFirst(int level, bool forward) const;
    FusedKernel fusedKernel(const FusedLevel& level, bool forward, bool zFirst) const;
    /// Makes a level without its memory. `part`: a part along z, or null for the whole level.
    FusedLevel fusedLevel(int level, bool forward, const PartAlongZ* part) const;
    /// `early`: FusedLevel::early, if the device supports it.
    void runLevel(int level, bool forward, const PartAlongZ* part, const Sides& sides, bool early, const RunContext& context,
                  ProgressShare& progress);
    /// Returns the approximation that a level passes to the next one.
    Strided<float> approximation(int level, bool forward);
    void runPass(AxisPass pass, bool forward, const RunContext& context, ProgressShare& progress);

    WaveletPlan plan_, whole_;
    int before_ = 0;  ///< number of levels of `whole_` before those of the plan
    bool fused_;
    FilterMemory memory_;
    cudaStream_t stream_;
    int multiprocessors_, chunks_ = 0;
    std::optional<FusedKernel> kernel_;
    Direction forward_, inverse_;
    DeviceBuffer<float> approximations_[2];  ///< of levels 1, 3, ... and 2, 4, ..., except the last one
    DeviceBuffer<float> between_[2];         ///< intermediate results of the passes of a level
    bool fillsGaps_, clearsEarly_ = false;
    std::vector<BandBox> gaps_;  ///< gaps that the kernels of the levels do not write
    DeviceBuffer<BandBox> gapsOnDevice_;
    LaunchPacer pacer_;
};

}  // namespace parallax::gpu
