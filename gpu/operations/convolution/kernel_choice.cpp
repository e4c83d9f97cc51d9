// SPDX-License-Identifier: GPL-3.0-or-later
// Chooses the kernel of the variants `direct` and `separable`: for square, odd, centred windows up to 15 an unrolled one, by window, image
// size and alignment (tuning.hpp); otherwise the one for any size.
#include "gpu/operations/convolution/kernels/launchers.hpp"
#include "gpu/operations/convolution/kernels/tuning.hpp"

namespace parallax::gpu {
namespace {

constexpr bool blockedExists(int size, Fit fit) {
    return size <= (fit == Fit::tiny ? kLargestTinyBlockedWindow : fit == Fit::small ? kLargestSmallBlockedWindow : kLargestBlockedWindow);
}

/// The register-blocked kernels read no table of the border mode.
bool blockedCanRead(const ConvolutionLaunch& l, bool aligned) { return aligned && l.columns.line.covers && l.rows.line.covers; }

struct Path {
    bool blocked;  ///< otherwise staged
    Fit fit;
};
Path choosePath(const ConvolutionLaunch& l, bool aligned) {
    const double fill = blocksForEach(l, kBlockedColumns, kFitRows);
    if (!blockedCanRead(l, aligned))
        return {false, fill < kUnalignedBounds.tiny ? Fit::tiny : fill < kUnalignedBounds.staged ? Fit::small : Fit::large};
    const FitBounds bounds = fitBounds(l.kernelWidth);
    if (fill < bounds.tiny) return {true, Fit::tiny};
    if (fill < bounds.staged) return {false, Fit::small};
    return {true, fill < bounds.small ? Fit::small : Fit::large};
}

/// Calls f.operator()<Kernels>() for the kernels of a launch.
template <class F>
void withDirect(const ConvolutionLaunch& l, bool aligned, F&& f) {
    const Path path = choosePath(l, aligned);
    const bool unrolled = withUnrolledSize(l, [&]<int K>() {
        const auto withFit = [&]<Fit Is>() {
            if constexpr (blockedExists(K, Is))
                if (path.blocked) return f.template operator()<RegisterBlocked<K, Is>>();
            f.template operator()<Staged<K, Is>>();
        };
        switch (path.fit) {
            case Fit::tiny: return withFit.template operator()<Fit::tiny>();
            case Fit::small: return withFit.template operator()<Fit::small>();
            case Fit::large: return withFit.template operator()<Fit::large>();
        }
    });
    if (!unrolled) f.template operator()<AnySize>();
}

template <class F>
void withSeparable(const ConvolutionLaunch& l, bool aligned, F&& f) {
    const double fill = blocksForEach(l, kBlockedColumns, kFitRows);
    const SeparableBounds bounds = separableBounds(l.kernelWidth);
    const bool unrolled = blockedCanRead(l, aligned) && fill >= bounds.anySize && withUnrolledSize(l, [&]<int K>() {
                              if (fill < bounds.small) f.template operator()<SeparableBlocked<K, Fit::small>>();
                              else f.template operator()<SeparableBlocked<K, Fit::large>>();
                          });
    if (!unrolled) f.template operator()<SeparableAnySize>();
}

/// Calls f(aligned) for the alignments that a launch may find, which is known only with the buffers.
template <class F>
void forAlignments(const ConvolutionLaunch& l, F&& f) {
    f(true);
    if (l.planes.width % 4 != 0) f(false);
}

}  // namespace

void launchDirect(const ConvolutionLaunch& l, cudaStream_t stream) {
    withDirect(l, rowsAreAligned(l.planes), [&]<class Kernels>() { Kernels::launch(l, stream); });
}
void preloadDirect(const ConvolutionLaunch& l) {
    forAlignments(l, [&](bool aligned) { withDirect(l, aligned, [&]<class Kernels>() { Kernels::preload(l); }); });
}

void launchSeparable(const ConvolutionLaunch& l, cudaStream_t stream) {
    withSeparable(l, rowsAreAligned(l.planes), [&]<class Kernels>() { Kernels::launch(l, stream); });
}
void preloadSeparable(const ConvolutionLaunch& l) {
    forAlignments(l, [&](bool aligned) { withSeparable(l, aligned, [&]<class Kernels>() { Kernels::preload(l); }); });
}

}  // namespace parallax::gpu
