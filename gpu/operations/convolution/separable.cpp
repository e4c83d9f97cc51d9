// SPDX-License-Identifier: GPL-3.0-or-later
// Picks the kernel of the variant `separable`: compile-time sizes for square odd centred windows up to 15, else any size.
#include "parallax/gpu/operations/convolution/launchers.hpp"

namespace parallax::gpu {
namespace {

/// Calls f.operator()<K>() for the window's size; false if there is no such kernel.
template <class F>
bool withSize(const ConvolutionLaunch& l, F&& f) {
    if (l.kernelWidth != l.kernelHeight || l.anchorX != l.kernelWidth / 2 || l.anchorY != l.kernelHeight / 2) return false;
    switch (l.kernelWidth) {
        case 1: f.template operator()<1>(); return true;
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

void launchSeparable(const ConvolutionLaunch& launch, cudaStream_t stream) {
    if (!withSize(launch, [&]<int K>() { launchSeparableSize<K>(launch, stream); })) launchSeparableAnySize(launch, stream);
}

void preloadSeparable(const ConvolutionLaunch& launch) {
    if (!withSize(launch, [&]<int K>() { preloadSeparableSize<K>(); })) preloadSeparableAnySize(launch);
}

}  // namespace parallax::gpu
