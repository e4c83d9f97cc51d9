// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters of the convolution. Defaults are the member initialisers.
#pragma once

#include <string>

#include "core/engine/operation/parameter_table.hpp"
#include "core/operations/convolution/borders.hpp"

namespace parallax {

enum class KernelKind {
    box,
    gaussian,
    sharpen,
    unsharp,
    laplacian,
    log,
    sobelX,
    sobelY,
    sobelZ,
    scharrX,
    scharrY,
    scharrZ,
    prewittX,
    prewittY,
    prewittZ,
    emboss,
    motion,
    custom
};
/// Whether a kernel changes along z, and so exists in three dimensions only.
constexpr bool isAlongZ(KernelKind kind) {
    return kind == KernelKind::sobelZ || kind == KernelKind::scharrZ || kind == KernelKind::prewittZ;
}
/// xy: each slice of a volume is filtered on its own. xyz: windows extend across slices, see volume/.
enum class WindowAxes { xy, xyz };
enum class SigmaUnit { pixels, millimetres };
enum class Normalisation { automatic, on, off };
enum class AlphaPolicy { filter, keep };

inline constexpr int kMaximumKernelSize = 127;
inline constexpr double kLargestScale = 1e6, kUnitScale = -kLargestScale;  ///< "unit" in place of the smallest scale

struct ConvolutionParameters {
    KernelKind kernel = KernelKind::gaussian;
    WindowAxes axes = WindowAxes::xy;
    int size = 5;
    double sigma = 0;                              ///< 0: from the size, 0.3 ((size - 1) / 2 - 1) + 0.8 samples
    SigmaUnit sigmaUnit = SigmaUnit::pixels;       ///< of a positive sigma
    double amount = 1;                             ///< of sharpen and unsharp
    double angle = 0;                              ///< degrees, of motion and emboss
    std::string weights;                           ///< of the custom kernel
    int anchorX = -1, anchorY = -1, anchorZ = -1;  ///< -1: the centre, size / 2
    BorderMode border = BorderMode::replicate;
    double borderValue = 0;
    Normalisation normalise = Normalisation::automatic;  ///< automatic: on, but off for custom weights
    double scale = 1;                                    ///< kUnitScale: makes the response 1, see responseOf()
    double offset = 0;
    bool flip = false;
    std::string channels = "all";
    AlphaPolicy alpha = AlphaPolicy::filter;
};

const ParameterTable<ConvolutionParameters>& convolutionParameterTable();

}  // namespace parallax
