// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/pipeline/slider_scale.hpp"

#include <algorithm>
#include <cmath>

namespace parallax::ui {
namespace {

/// Rounds to three significant digits, the precision of a slider.
double handy(double value) {
    if (value == 0) return 0;
    const double unit = std::pow(10.0, std::floor(std::log10(std::fabs(value))) - 2);
    return std::round(value / unit) * unit;
}

}  // namespace

SliderScale::SliderScale(const ParameterInfo& info)
    : minimum_(info.minimum), maximum_(info.maximum), integer_(info.kind == ParameterKind::integer), steps_(kSteps) {
    if (info.logarithmic && minimum_ > 0) kind_ = Kind::ratio;
    else if (minimum_ < 0 && maximum_ > 0 && maximum_ - minimum_ > 5000) kind_ = Kind::symmetricRatio;
    else if (integer_ && maximum_ - minimum_ <= kSteps) steps_ = static_cast<int>(maximum_ - minimum_);
}

int SliderScale::toPosition(double value) const {
    value = std::clamp(value, minimum_, maximum_);
    double t = 0;
    switch (kind_) {
        case Kind::linear: t = (value - minimum_) / (maximum_ - minimum_); break;
        case Kind::ratio: t = std::log(value / minimum_) / std::log(maximum_ / minimum_); break;
        case Kind::symmetricRatio: {
            const double low = std::asinh(10 * minimum_), high = std::asinh(10 * maximum_);
            t = (std::asinh(10 * value) - low) / (high - low);
            break;
        }
    }
    return static_cast<int>(std::lround(t * steps_));
}

double SliderScale::toValue(int position) const {
    if (position <= 0) return minimum_;
    if (position >= steps_) return maximum_;
    const double t = static_cast<double>(position) / steps_;
    double value = 0;
    switch (kind_) {
        case Kind::linear: value = minimum_ + t * (maximum_ - minimum_); break;
        case Kind::ratio: value = minimum_ * std::pow(maximum_ / minimum_, t); break;
        case Kind::symmetricRatio: {
            const double low = std::asinh(10 * minimum_), high = std::asinh(10 * maximum_);
            value = std::sinh(low + t * (high - low)) / 10;
            break;
        }
    }
    value = integer_ ? std::round(value) : handy(value);
    return std::clamp(value, minimum_, maximum_);
}

}  // namespace parallax::ui
