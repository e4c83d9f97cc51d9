// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/pipeline/slider_scale.hpp"

#include <algorithm>
#include <cmath>

namespace parallax::ui {
namespace {

constexpr double kWide = 5000;        // a linear slider over such a range would jump
constexpr double kAround = 1000;      // ratio of the ends to the default
constexpr double kDecades = 1e6;      // largest ratio of the ends
constexpr double kFactorRange = 100;  // of factors that may be negative, as a multiple of their default

/// Rounds to three significant digits, the precision of a slider.
double handy(double value) {
    if (value == 0) return 0;
    const double unit = std::pow(10.0, std::floor(std::log10(std::fabs(value))) - 2);
    return unit < 1 ? std::round(value / unit) / std::round(1 / unit) : std::round(value / unit) * unit;
}

/// The least of 1, 2, 5, 10, ... times a power of ten that is not below `value`.
double roundStep(double value) {
    const double power = std::pow(10.0, std::floor(std::log10(value)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= value * (1 - 1e-9)) return factor * power;
    return 10 * power;
}

double defaultOf(const ParameterInfo& info) {
    if (const auto* integer = std::get_if<std::int64_t>(&info.defaultValue)) return static_cast<double>(*integer);
    const auto* real = std::get_if<double>(&info.defaultValue);
    return real ? *real : 0;
}

}  // namespace

SliderScale::SliderScale(const ParameterInfo& info, const ValueScale& image)
    : minimum_(info.minimum), maximum_(info.maximum), integer_(info.kind == ParameterKind::integer) {
    const double initial = defaultOf(info);
    if (integer_) {
        if (minimum_ >= 1 && maximum_ / minimum_ >= kAround) kind_ = Kind::ratio;
        else maximum_ = std::min(maximum_, std::max(kSteps + minimum_, 2 * image.extent));
    } else if (info.logarithmic && minimum_ > 0) {
        kind_ = Kind::ratio;
        minimum_ = std::max(minimum_, initial / kAround);
        maximum_ = std::min(maximum_, initial * kAround);
    } else if (maximum_ - minimum_ > kWide && minimum_ == 0) {
        kind_ = Kind::zeroAndRatio;
        maximum_ = std::min(maximum_, std::max(image.largest, initial));
        lowest_ = std::max(image.typical / kAround, maximum_ / kDecades);
    } else if (maximum_ - minimum_ > kWide && minimum_ < 0 && maximum_ > 0) {
        kind_ = Kind::symmetricRatio;
        const double end = initial == 0 ? image.largest : kFactorRange * std::fabs(initial);
        lowest_ = std::max(initial == 0 ? image.typical : std::fabs(initial), end / kDecades);
        minimum_ = std::max(minimum_, -end);
        maximum_ = std::min(maximum_, end);
    }
    if (kind_ == Kind::linear) setLinear();
}

void SliderScale::setLinear() {
    if (integer_) {
        steps_ = static_cast<int>(std::min<double>(kSteps, maximum_ - minimum_));
        return;
    }
    step_ = roundStep((maximum_ - minimum_) / kSteps);
    steps_ = static_cast<int>(std::lround((maximum_ - minimum_) / step_));
}

int SliderScale::toPosition(double value) const {
    value = std::clamp(value, minimum_, maximum_);
    double t = 0;
    switch (kind_) {
        case Kind::linear: t = (value - minimum_) / (maximum_ - minimum_); break;
        case Kind::ratio: t = std::log(value / minimum_) / std::log(maximum_ / minimum_); break;
        case Kind::zeroAndRatio:
            if (value <= 0) return 0;
            return 1 + static_cast<int>(
                           std::lround((steps_ - 1) * std::log(std::max(value, lowest_) / lowest_) / std::log(maximum_ / lowest_)));
        case Kind::symmetricRatio: t = 0.5 + 0.5 * std::asinh(value / lowest_) / std::asinh(maximum_ / lowest_); break;
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
        case Kind::zeroAndRatio: value = lowest_ * std::pow(maximum_ / lowest_, (position - 1.0) / (steps_ - 1)); break;
        case Kind::symmetricRatio: value = lowest_ * std::sinh((2 * t - 1) * std::asinh(maximum_ / lowest_)); break;
    }
    if (integer_) value = std::round(value);
    else if (step_ > 0) value = step_ < 1 ? std::round(value / step_) / std::round(1 / step_) : std::round(value / step_) * step_;
    else value = handy(value);
    return std::clamp(value, minimum_, maximum_);
}

}  // namespace parallax::ui
