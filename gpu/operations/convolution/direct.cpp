// SPDX-License-Identifier: GPL-3.0-or-later
// Picks the kernel of the variant `direct`: unrolled for square odd centred windows up to 15, by the window, the image and its
// alignment as tuning.hpp says; else any size.
#include <cstdint>

#include "parallax/gpu/operations/convolution/launchers.hpp"
#include "parallax/gpu/operations/convolution/tuning.hpp"

namespace parallax::gpu {
namespace {

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

enum class Path { blocked, fine, staged };

Path choosePath(const ConvolutionLaunch& l, bool aligned) {
    if (!aligned || l.kernelWidth > kLargestBlockedWindow) return Path::staged;
    const DirectTuning tuning = directTuning(l.kernelWidth);
    const std::int64_t columns = (l.planes.width + 127) / 128, blockRows = tuning.rows * tuning.warps;
    const std::int64_t blocks = columns * ((l.planes.rowEnd - l.planes.rowBegin + blockRows - 1) / blockRows) * l.planes.depth;
    if (blocks >= std::int64_t{l.multiprocessors} * tuning.blocks) return Path::blocked;
    return l.kernelWidth <= kLargestFineWindow ? Path::fine : Path::staged;
}

// Kernels that no path leads to are not compiled.
template <int K>
void launchOn(Path path, const ConvolutionLaunch& launch, cudaStream_t stream) {
    if constexpr (K <= kLargestBlockedWindow)
        if (path == Path::blocked) return launchRegisterBlocked<K>(launch, stream);
    if constexpr (K <= kLargestFineWindow)
        if (path == Path::fine) return launchFineBlocked<K>(launch, stream);
    launchStaged<K>(launch, stream);
}

template <int K>
void preloadOn(Path path) {
    if constexpr (K <= kLargestBlockedWindow)
        if (path == Path::blocked) return preloadRegisterBlocked<K>();
    if constexpr (K <= kLargestFineWindow)
        if (path == Path::fine) return preloadFineBlocked<K>();
    preloadStaged<K>();
}

}  // namespace

bool directIsUnrolled(const ConvolutionLaunch& launch) {
    return withSize(launch, []<int K>() {});
}

void launchDirect(const ConvolutionLaunch& launch, cudaStream_t stream) {
    const Path path = choosePath(launch, rowsAreAligned(launch.planes));
    if (!withSize(launch, [&]<int K>() { launchOn<K>(path, launch, stream); })) launchAnySize(launch, stream);
}

void preloadDirect(const ConvolutionLaunch& launch) {
    // Alignment is known only with the buffers; dense ones are aligned exactly when the width is.
    const Path path = choosePath(launch, launch.planes.width % 4 == 0);
    if (!withSize(launch, [&]<int K>() { preloadOn<K>(path); })) preloadAnySize(launch);
}

}  // namespace parallax::gpu
