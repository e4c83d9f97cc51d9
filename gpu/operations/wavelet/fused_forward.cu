// SPDX-License-Identifier: GPL-3.0-or-later
#include "parallax/gpu/operations/wavelet/fused_forward.cuh"

#include <type_traits>

#include "parallax/gpu/operations/wavelet/z_first_forward.cuh"

namespace parallax::gpu {
namespace {

template <int Taps>
using Kernels = FusedKernels<FusedForward<Taps, true, fusedForwardTuning(Taps)>,
                             std::conditional_t<(Taps <= kMostVariedTaps), FusedForward<Taps, true, fusedForwardMediumTuning()>, NoKernel>,
                             FusedForward<Taps, true, fusedCompactTuning(Taps)>, FusedForward<Taps, false, fusedSliceTuning(Taps)>,
                             std::conditional_t<(Taps <= kMostVariedTaps), ZFirstForward<Taps, zFirstForwardTuning()>, NoKernel>>;

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
