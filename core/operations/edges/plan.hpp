// SPDX-License-Identifier: GPL-3.0-or-later
// Everything that an implementation needs to know of a problem, and what all implementations declare alike.
#pragma once

#include <string>

#include "core/engine/backend/implementation.hpp"
#include "core/operations/convolution/kernel.hpp"
#include "core/operations/edges/parameters.hpp"

namespace parallax {

struct EdgesPlan : ConvolutionSettings {  ///< alpha is copied, all other channels are filtered
    bool acrossSlices = false;            ///< axes=xyz: the gradient has three components
    DerivativeFactors factors;            ///< three weights each, those of `convolve`

    int components() const { return acrossSlices ? 3 : 2; }
    int taps() const { return acrossSlices ? 27 : 9; }
    double smoothingSum() const;  ///< of the weights that smooth along one axis
    /// Sum of the magnitudes of the weights of a component.
    double absoluteSum() const;
    /// Upper bound of the gradient's magnitude for samples of at most `largest`.
    double largestMagnitude(double largest) const;
};
EdgesPlan planEdges(const Problem& problem);

/// Float arithmetic multiplies samples by the first and results by the second, so that no sum exceeds the range of float.
inline constexpr float kEdgeScale = 0x1p-10F, kEdgeInverseScale = 0x1p10F;

/// Smoothing for float arithmetic: side, middle, side. The derivative is -1, 0, 1.
struct EdgeWeights {
    explicit EdgeWeights(const EdgesPlan& plan)
        : side(static_cast<float>(plan.factors.smoothing[0])), middle(static_cast<float>(plan.factors.smoothing[1])) {}
    float side, middle;
};

class EdgesImplementation : public Implementation {
public:
    std::string operation() const override { return "edges"; }
    Support supports(const Problem&) const override { return {}; }
    StripSupport strips(const Problem& problem) const override;
    /// The bounds that follow the samples are made plane by plane.
    bool errsLocally(const Problem& problem) const override;
};

}  // namespace parallax
