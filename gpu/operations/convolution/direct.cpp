// SPDX-License-Identifier: GPL-3.0-or-later
// Picks the kernel of the variant `direct`: unrolled for square odd centred windows up to 15, aligned or not; else any size.
#include <cstdint>

#include "parallax/gpu/operations/convolution/launchers.hpp"

namespace parallax::gpu {
namespace {

bool rowsAreAligned(const Planes& p) {
    return p.width % 4 == 0 && p.inRowStride % 4 == 0 && p.inSliceStride % 4 == 0 && p.outRowStride % 4 == 0 && p.outSliceStride % 4 == 0 &&
           reinterpret_cast<std::uintptr_t>(p.in) % 16 == 0 && reinterpret_cast<std::uintptr_t>(p.out) % 16 == 0;
}

/// Calls f.operator()<K>() for the window's size; false if there is no such kernel.
template <class F>
bool withSize(const ConvolutionLaunch& l, F&& f) {
    if (l.kernelWidth != l.kernelHeight || l.anchorX != l.kernelWidth / 2 || l.anchorY != l.kernelHeight / 2) return false;
    switch (l.kernelWidth) {
        case 3: f.template operator()<3>(); return true;
        case 5: f.template operator()<5>(); return true;
        case 7: f.template operator()<7>(); return true;
        case 9: f.template operator()<9>(); return true;
        case 11: f.template operator()<11>(); return true;
        case 13: f.template operator()<13>(); return true;
        case 15: f.template operator()<15>(); return true;
        default: return false;
    }
}

}  // namespace

bool directIsUnrolled(const ConvolutionLaunch& launch) {
    return withSize(launch, []<int K>() {});
}

void launchDirect(const ConvolutionLaunch& launch, cudaStream_t stream) {
    const bool aligned = rowsAreAligned(launch.planes);
    const bool done = withSize(launch, [&]<int K>() {
        if (aligned) launchRegisterBlocked<K>(launch, stream);
        else launchStaged<K>(launch, stream);
    });
    if (!done) launchAnySize(launch, stream);
}

void preloadDirect(const ConvolutionLaunch& launch) {
    // Alignment is known only with the buffers; dense ones are aligned exactly when the width is.
    const bool aligned = launch.planes.width % 4 == 0;
    const bool done = withSize(launch, [&]<int K>() {
        if (aligned) preloadRegisterBlocked<K>();
        else preloadStaged<K>();
    });
    if (!done) preloadAnySize(launch);
}

}  // namespace parallax::gpu
