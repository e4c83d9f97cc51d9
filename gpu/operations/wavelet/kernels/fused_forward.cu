// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/operations/wavelet/kernels/fused_forward.cuh"

#include <type_traits>

#include "gpu/operations/wavelet/kernels/z_first_forward.cuh"

namespace parallax::gpu {
namespace {

/// Boxes and blocks of several sizes, with bit-identical results.
template <int Taps>
struct ZFirst {
    using Single = ZFirstForward<Taps, zFirstForwardSingleTuning()>;
    using Small = ZFirstForward<Taps, zFirstForwardTuning()>;
    using Large = ZFirstForward<Taps, zFirstForwardLargeTuning()>;
    static constexpr int kSharedBytes = std::max({Single::kSharedBytes, Small::kSharedBytes, Large::kSharedBytes});
    static bool prepare() {
        const bool single = Single::prepare(), small = Small::prepare();
        return Large::prepare() && single && small;
    }
    static void launch(const FusedLevel& level, cudaStream_t stream) {
        const std::int64_t samples = std::int64_t{level.samples[0]} * level.samples[1] * level.samples[2];
        if (level.early && level.chunks == 0 && Single::boxes(level) <= level.multiprocessors) Single::launch(level, stream);
        else if (samples < kZFirstSmallSamples) Small::launch(level, stream);
        else Large::launch(level, stream);
    }
};

template <int Taps>
using Kernels = FusedKernels<FusedForward<Taps, true, fusedForwardTuning(Taps)>,
                             std::conditional_t<(Taps <= kMaxVariedTaps), FusedForward<Taps, true, fusedForwardMediumTuning()>, NoKernel>,
                             FusedForward<Taps, true, fusedCompactTuning(Taps)>, FusedForward<Taps, false, fusedSliceTuning(Taps)>,
                             std::conditional_t<(Taps <= kMaxVariedTaps), ZFirst<Taps>, NoKernel>>;

struct Nothing {
    template <int Taps>
    void operator()() const {
        static_assert(Taps <= kLargestFusedTaps);
    }
};

}  // namespace

bool fusedHasTaps(int taps) { return withFusedTaps(taps, Nothing{}); }

void launchFusedForward(const FusedLevel& level, cudaStream_t stream) {
    withFusedTaps(level.taps, [&]<int Taps>() { Kernels<Taps>::launch(level, stream); });
}

FusedAbility prepareFusedForward(int taps, bool alongZ, int sharedBytes) {
    FusedAbility ability;
    withFusedTaps(taps, [&]<int Taps>() { ability = Kernels<Taps>::prepare(alongZ, sharedBytes); });
    return ability;
}

}  // namespace parallax::gpu
