// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/operations/wavelet/kernels/fused_inverse.cuh"

#include <type_traits>

#include "gpu/operations/wavelet/kernels/z_first_inverse.cuh"

namespace parallax::gpu {
namespace {

template <int Taps>
using Kernels = FusedKernels<
    FusedInverse<Taps, true, fusedInverseTuning(Taps)>,
    std::conditional_t<(Taps <= kMaxVariedTaps), FusedInverse<Taps, true, fusedInverseMediumTuning()>, NoKernel>,
    FusedInverse<Taps, true, fusedCompactTuning(Taps)>, FusedInverse<Taps, false, fusedSliceTuning(Taps)>,
    std::conditional_t<(Taps <= kMaxVariedTaps), ZFirstInverse<Taps, zFirstInverseTuning(), zFirstInverseLargeTuning()>, NoKernel>>;

}  // namespace

void launchFusedInverse(const FusedLevel& level, cudaStream_t stream) {
    withFusedTaps(level.taps, [&]<int Taps>() { Kernels<Taps>::launch(level, stream); });
}

FusedAbility prepareFusedInverse(int taps, bool alongZ, int sharedBytes) {
    FusedAbility ability;
    withFusedTaps(taps, [&]<int Taps>() { ability = Kernels<Taps>::prepare(alongZ, sharedBytes); });
    return ability;
}

}  // namespace parallax::gpu
