// SPDX-License-Identifier: GPL-3.0-or-later
// Maps linear samples to the 256 levels of the screen by the display settings, rounded or dithered.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>

#include "ui/models/view/view_state.hpp"

namespace parallax::ui {

/// A table of encoded levels, indexed by the upper bits of a float: 512 entries per octave keep the error below a quarter of a level,
/// and one core maps millions of values within a frame.
class EncodingTable {
public:
    EncodingTable(DisplayEncoding encoding, double gamma);
    /// Encodes a scaled value, which must not be NaN.
    std::uint8_t operator()(float v) const {
        if (!(v > 0)) return 0;
        if (v >= 1.0F) return 255;
        const std::uint32_t pattern = std::bit_cast<std::uint32_t>(v);
        return pattern < kLowest ? lowest_ : table_[(pattern - kLowest) >> kShift];
    }
    /// The level without rounding, from 0 to 255.
    float exact(float v) const {
        if (!(v > 0)) return 0;
        if (v >= 1.0F) return 255;
        const std::uint32_t pattern = std::bit_cast<std::uint32_t>(v);
        if (pattern < kLowest) return exact_[0] * (v / std::bit_cast<float>(kLowest));
        const std::uint32_t index = (pattern - kLowest) >> kExactShift;
        const auto part = static_cast<float>(pattern & ((1U << kExactShift) - 1)) * (1.0F / (1U << kExactShift));
        return exact_[index] + part * (exact_[index + 1] - exact_[index]);
    }

private:
    static constexpr int kOctaves = 24, kShift = 14;
    static constexpr std::uint32_t kLowest = (127U - kOctaves) << 23;
    std::array<std::uint8_t, std::size_t{kOctaves} << 9> table_{};
    std::uint8_t lowest_ = 0;
    /// At the lower end of each part of an octave; linear between them.
    static constexpr int kExactShift = 17;
    std::array<float, (std::size_t{kOctaves} << (23 - kExactShift)) + 1> exact_{};
};

/// The threshold from 0 to 1 of a pixel in ordered dithering (Bayer 1973): in each square of 8 x 8 pixels every multiple of 1/64 occurs
/// once.
float ditherThreshold(std::int64_t x, std::int64_t y);

class DisplayCurve {
public:
    /// Thread safe; caches the table of the last gamma.
    explicit DisplayCurve(const DisplaySettings& settings);
    /// Scales so that 0 is black and 1 white.
    float scaled(float v) const { return v * gain_ + offset_; }
    std::uint8_t encoded(float scaled) const { return (*table_)(scaled); }
    /// One of the two levels beside the exact one; over 8 x 8 pixels they have its mean.
    std::uint8_t dithered(float scaled, float threshold) const { return static_cast<std::uint8_t>(table_->exact(scaled) + threshold); }
    /// The level of a sample; -1 for NaN.
    int step(float v) const { return std::isnan(v) ? -1 : encoded(scaled(v)); }

private:
    std::shared_ptr<const EncodingTable> table_;
    float gain_, offset_;
};

/// Returns settings that show `black` as black and `white` as white. Needs black < white.
DisplaySettings withLevels(DisplaySettings settings, double black, double white);
/// The values shown as black and as white.
double blackOf(const DisplaySettings& settings);
double whiteOf(const DisplaySettings& settings);

}  // namespace parallax::ui
