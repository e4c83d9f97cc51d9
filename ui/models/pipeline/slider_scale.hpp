// SPDX-License-Identifier: GPL-3.0-or-later
// Maps values to slider positions and back: linear, logarithmic, or logarithmic on both sides of zero for wide ranges.
#pragma once

#include "core/engine/operation/parameter_table.hpp"

namespace parallax::ui {

class SliderScale {
public:
    static constexpr int kSteps = 1000;

    explicit SliderScale(const ParameterInfo& info);
    /// Positions on the slider: 0 .. steps().
    int steps() const { return steps_; }
    int toPosition(double value) const;
    double toValue(int position) const;

private:
    enum class Kind { linear, ratio, symmetricRatio };
    Kind kind_ = Kind::linear;
    double minimum_, maximum_;
    bool integer_;
    int steps_;
};

}  // namespace parallax::ui
