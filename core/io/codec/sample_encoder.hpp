// SPDX-License-Identifier: GPL-3.0-or-later
// Conversion between stored integers and linear light.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/image/image.hpp"

namespace parallax {

/// Returns the linear light of each stored value 0 .. maximum.
std::vector<float> decodingTable(TransferFunction transfer, double gamma, int maximum);
/// Returns the stored value of a linear sample, the inverse of the table. NaN gives 0; values outside 0 .. 1 are clipped.
int encodeSample(double linear, TransferFunction transfer, double gamma, int maximum);

/// Fast encodeSample() by table look-up.
class SampleEncoder {
public:
    SampleEncoder(TransferFunction transfer, double gamma, int maximum);

    int operator()(float linear) {
        if (linear >= 0 && linear <= 1) return inRange(linear);
        ++outside_;
        return linear > 1 ? maximum_ : 0;
    }
    /// Number of samples so far that were NaN or outside 0 .. 1.
    std::uint64_t outside() const { return outside_; }

private:
    int inRange(float linear) const;
    int maximum_;
    std::uint64_t outside_ = 0;
    std::vector<float> thresholds_;         ///< [k]: the smallest sample that is stored as k + 1
    std::vector<std::uint16_t> firstCode_;  ///< first code of the floats that share their upper bits
};

/// Adds a note if samples were clipped.
void noteClipped(std::uint64_t samples, std::vector<std::string>& notes);

}  // namespace parallax
