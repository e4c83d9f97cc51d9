// SPDX-License-Identifier: GPL-3.0-or-later
// Maps values to slider positions and back. The range of a slider follows from the default of the parameter and from the open image, so
// that it holds the useful values; boxes accept the whole range of the parameter.
#pragma once

#include "core/engine/operation/parameter_table.hpp"
#include "ui/models/pipeline/value_scale.hpp"

namespace parallax::ui {

/// Ranges up to about three decades are linear in steps of 1, 2 or 5. Others are logarithmic: three decades around the default; for
/// parameters in units of the samples, the values of the image, on both sides of zero if the parameter can be negative.
class SliderScale {
public:
    static constexpr int kSteps = 1000;

    explicit SliderScale(const ParameterInfo& info, const ValueScale& image = {});
    /// Positions on the slider: 0 .. steps().
    int steps() const { return steps_; }
    /// Positions that an arrow key moves.
    int singleStep() const { return integer_ || steps_ <= 100 ? 1 : 5; }
    double minimum() const { return minimum_; }
    double maximum() const { return maximum_; }
    /// Values beyond the ends are at the ends.
    int toPosition(double value) const;
    double toValue(int position) const;

private:
    enum class Kind {
        linear,
        ratio,
        zeroAndRatio,   ///< position 0 is zero, the others are ratios
        symmetricRatio  ///< about linear up to lowest_, ratios beyond
    };
    void setLinear();

    Kind kind_ = Kind::linear;
    double minimum_, maximum_;
    double lowest_ = 1;  ///< value at position 1 of zeroAndRatio; end of the linear part of symmetricRatio
    double step_ = 0;    ///< of real values on a linear scale
    bool integer_;
    int steps_ = kSteps;
};

}  // namespace parallax::ui
