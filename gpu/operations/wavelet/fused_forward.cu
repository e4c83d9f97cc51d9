// SPDX-License-Identifier: GPL-3.0-or-later
#include "parallax/gpu/operations/wavelet/fused_forward.cuh"

namespace parallax::gpu {
namespace {

template <int Taps>
using Volumes = FusedForward<Taps, true, fusedForwardTuning(Taps)>;
template <int Taps>
using Slices = FusedForward<Taps, false, fusedSliceTuning(Taps)>;

struct Nothing {
    template <int Taps>
    void operator()() const {
        static_assert(Taps <= kLargestFusedTaps);
    }
};

}  // namespace

bool fusedHasTaps(int taps) { return withFusedTaps(taps, Nothing{}); }

void launchFusedForward(const FusedLevel& level, cudaStream_t stream) {
    withFusedTaps(level.taps, [&]<int Taps>() {
        if (level.alongZ) Volumes<Taps>::launch(level, stream);
        else Slices<Taps>::launch(level, stream);
    });
}

bool prepareFusedForward(int taps, bool alongZ) {
    bool early = false;
    withFusedTaps(taps, [&]<int Taps>() { early = alongZ ? Volumes<Taps>::prepare() : Slices<Taps>::prepare(); });
    return early;
}

}  // namespace parallax::gpu
