// SPDX-License-Identifier: GPL-3.0-or-later
// From linear samples to the 256 steps of the screen, by the settings of the view.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>

#include "ui/models/view/view_state.hpp"

namespace parallax::ui {

/// Encoded steps by the upper bits of a value's float pattern: 512 entries for a factor of two keep the error below a quarter
/// of a step, and it is the only way to do millions of values between two frames on one core.
class EncodingTable {
public:
    EncodingTable(DisplayEncoding encoding, double gamma);
    /// Of a scaled value; NaN must be handled before.
    std::uint8_t operator()(float v) const {
        if (!(v > 0)) return 0;
        if (v >= 1.0F) return 255;
        const std::uint32_t pattern = std::bit_cast<std::uint32_t>(v);
        return pattern < kLowest ? lowest_ : table_[(pattern - kLowest) >> kShift];
    }

private:
    static constexpr int kOctaves = 24, kShift = 14;
    static constexpr std::uint32_t kLowest = (127U - kOctaves) << 23;
    std::array<std::uint8_t, std::size_t{kOctaves} << 9> table_{};
    std::uint8_t lowest_ = 0;
};

class DisplayCurve {
public:
    /// May be called by any thread; the table of the last gamma is kept.
    explicit DisplayCurve(const DisplaySettings& settings);
    /// 0 is black and 1 white.
    float scaled(float v) const { return v * gain_ + offset_; }
    std::uint8_t encoded(float scaled) const { return (*table_)(scaled); }
    /// Nothing for NaN.
    int step(float v) const { return std::isnan(v) ? -1 : encoded(scaled(v)); }

private:
    std::shared_ptr<const EncodingTable> table_;
    float gain_, offset_;
};

/// The settings with which `black` becomes black and `white` white. Needs black < white.
DisplaySettings withLevels(DisplaySettings settings, double black, double white);
/// What is shown as black and as white.
double blackOf(const DisplaySettings& settings);
double whiteOf(const DisplaySettings& settings);

}  // namespace parallax::ui
