// SPDX-License-Identifier: GPL-3.0-or-later
// Picks the kernel of the variant `direct`: unrolled for square odd centred windows up to 15, by the window, the image and its
// alignment as tuning.hpp says; else any size.
#include "parallax/gpu/operations/convolution/launchers.hpp"
#include "parallax/gpu/operations/convolution/tuning.hpp"

namespace parallax::gpu {
namespace {

enum class Path { blocked, staged, fineBlocked, fineStaged };

Path choosePath(const ConvolutionLaunch& l, bool aligned) {
    const DirectTuning tuning = directTuning(l.kernelWidth);
    const bool fills = fillsDevice(l, kBlockedColumns, tuning.rows * tuning.warps, tuning.blocks);
    aligned = aligned && l.columns.line.covers && l.rows.line.covers;  // the blocked kernels ask no table
    if (fills) return aligned && l.kernelWidth <= kLargestBlockedWindow ? Path::blocked : Path::staged;
    return aligned && l.kernelWidth <= kLargestFineWindow ? Path::fineBlocked : Path::fineStaged;
}

// Kernels that no path leads to are not compiled.
template <int K>
void launchOn(Path path, const ConvolutionLaunch& launch, cudaStream_t stream) {
    if constexpr (K <= kLargestBlockedWindow)
        if (path == Path::blocked) return launchRegisterBlocked<K>(launch, stream);
    if constexpr (K <= kLargestFineWindow)
        if (path == Path::fineBlocked) return launchFineBlocked<K>(launch, stream);
    if (path == Path::fineStaged) return launchFineStaged<K>(launch, stream);
    launchStaged<K>(launch, stream);
}

template <int K>
void preloadOn(Path path) {
    if constexpr (K <= kLargestBlockedWindow)
        if (path == Path::blocked) return preloadRegisterBlocked<K>();
    if constexpr (K <= kLargestFineWindow)
        if (path == Path::fineBlocked) return preloadFineBlocked<K>();
    if (path == Path::fineStaged) return preloadFineStaged<K>();
    preloadStaged<K>();
}

}  // namespace

bool directIsUnrolled(const ConvolutionLaunch& launch) {
    return withUnrolledSize(launch, []<int K>() {});
}

void launchDirect(const ConvolutionLaunch& launch, cudaStream_t stream) {
    const Path path = choosePath(launch, rowsAreAligned(launch.planes));
    if (!withUnrolledSize(launch, [&]<int K>() { launchOn<K>(path, launch, stream); })) launchAnySize(launch, stream);
}

void preloadDirect(const ConvolutionLaunch& launch) {
    // Alignment is known only with the buffers; dense ones are aligned exactly when the width is.
    const Path path = choosePath(launch, launch.planes.width % 4 == 0);
    if (!withUnrolledSize(launch, [&]<int K>() { preloadOn<K>(path); })) preloadAnySize(launch);
}

}  // namespace parallax::gpu
