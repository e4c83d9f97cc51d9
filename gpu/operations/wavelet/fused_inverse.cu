// SPDX-License-Identifier: GPL-3.0-or-later
#include "parallax/gpu/operations/wavelet/fused_inverse.cuh"

namespace parallax::gpu {
namespace {

template <int Taps>
using Volumes = FusedInverse<Taps, true, fusedInverseTuning(Taps)>;
template <int Taps>
using Slices = FusedInverse<Taps, false, fusedSliceTuning(Taps)>;

}  // namespace

void launchFusedInverse(const FusedLevel& level, cudaStream_t stream) {
    withFusedTaps(level.taps, [&]<int Taps>() {
        if (level.alongZ) Volumes<Taps>::launch(level, stream);
        else Slices<Taps>::launch(level, stream);
    });
}

bool prepareFusedInverse(int taps, bool alongZ) {
    bool early = false;
    withFusedTaps(taps, [&]<int Taps>() { early = alongZ ? Volumes<Taps>::prepare() : Slices<Taps>::prepare(); });
    return early;
}

}  // namespace parallax::gpu
