// SPDX-License-Identifier: GPL-3.0-or-later
// Chooses the kernel of the variant `direct`: for square, odd, centred windows up to 15 an unrolled one, by window, image size and
// alignment (tuning.hpp); otherwise the one for any size.
#include "gpu/operations/convolution/kernels/launchers.hpp"
#include "gpu/operations/convolution/kernels/tuning.hpp"

namespace parallax::gpu {
namespace {

struct Path {
    bool blocked;  ///< otherwise staged
    Fit fit;
};

constexpr bool blockedExists(int size, Fit fit) {
    return size <= (fit == Fit::tiny ? kLargestTinyBlockedWindow : fit == Fit::small ? kLargestSmallBlockedWindow : kLargestBlockedWindow);
}

Path choosePath(const ConvolutionLaunch& l, bool aligned) {
    const double fill = blocksForEach(l, kBlockedColumns, kFitRows);
    // The blocked kernels read no table.
    if (!aligned || !l.columns.line.covers || !l.rows.line.covers)
        return {false, fill < kUnalignedBounds.tiny ? Fit::tiny : fill < kUnalignedBounds.staged ? Fit::small : Fit::large};
    const FitBounds bounds = fitBounds(l.kernelWidth);
    if (fill < bounds.tiny) return {blockedExists(l.kernelWidth, Fit::tiny), Fit::tiny};
    if (fill < bounds.staged) return {false, Fit::small};
    const Fit fit = fill < bounds.small ? Fit::small : Fit::large;
    return {blockedExists(l.kernelWidth, fit), fit};
}

/// Calls f.operator()<blocked, fit>() for a path that has a kernel.
template <int K, class F>
void withKernel(Path path, F&& f) {
    const auto withFit = [&]<Fit Is>() {
        if constexpr (blockedExists(K, Is))
            if (path.blocked) return f.template operator()<true, Is>();
        f.template operator()<false, Is>();
    };
    switch (path.fit) {
        case Fit::tiny: return withFit.template operator()<Fit::tiny>();
        case Fit::small: return withFit.template operator()<Fit::small>();
        case Fit::large: return withFit.template operator()<Fit::large>();
    }
}

template <int K>
void launchOn(Path path, const ConvolutionLaunch& launch, cudaStream_t stream) {
    withKernel<K>(path, [&]<bool Blocked, Fit Is>() {
        if constexpr (Blocked) launchRegisterBlocked<K, Is>(launch, stream);
        else launchStaged<K, Is>(launch, stream);
    });
}

template <int K>
void preloadOn(Path path) {
    withKernel<K>(path, []<bool Blocked, Fit Is>() {
        if constexpr (Blocked) preloadRegisterBlocked<K, Is>();
        else preloadStaged<K, Is>();
    });
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
    // Alignment is known only with the buffers; dense buffers are aligned if and only if the width is.
    const Path path = choosePath(launch, launch.planes.width % 4 == 0);
    if (!withUnrolledSize(launch, [&]<int K>() { preloadOn<K>(path); })) preloadAnySize(launch);
}

}  // namespace parallax::gpu
