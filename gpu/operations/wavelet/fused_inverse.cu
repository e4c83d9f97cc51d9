// SPDX-License-Identifier: GPL-3.0-or-later
#include "parallax/gpu/operations/wavelet/fused_inverse.cuh"

namespace parallax::gpu {
namespace {

template <int Taps>
using Volumes = FusedInverse<Taps, true, fusedInverseTuning(Taps)>;
template <int Taps>
using CompactVolumes = FusedInverse<Taps, true, fusedCompactTuning(Taps)>;
template <int Taps>
using Slices = FusedInverse<Taps, false, fusedSliceTuning(Taps)>;

}  // namespace

void launchFusedInverse(const FusedLevel& level, cudaStream_t stream) {
    withFusedTaps(level.taps, [&]<int Taps>() {
        if (!level.alongZ) Slices<Taps>::launch(level, stream);
        else if (level.compact) CompactVolumes<Taps>::launch(level, stream);
        else Volumes<Taps>::launch(level, stream);
    });
}

FusedAbility prepareFusedInverse(int taps, bool alongZ, int sharedBytes) {
    FusedAbility ability;
    withFusedTaps(taps, [&]<int Taps>() {
        ability.roomy = alongZ && Volumes<Taps>::kSharedBytes <= sharedBytes;
        ability.early = alongZ ? CompactVolumes<Taps>::prepare() : Slices<Taps>::prepare();
        if (ability.roomy) ability.early = Volumes<Taps>::prepare() && ability.early;
    });
    return ability;
}

}  // namespace parallax::gpu
