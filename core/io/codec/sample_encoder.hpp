// SPDX-License-Identifier: GPL-3.0-or-later
// Stored integers to linear light and back.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/image/image.hpp"

namespace parallax {

/// Linear light of every stored value 0 .. maximum.
std::vector<float> decodingTable(TransferFunction transfer, double gamma, int maximum);
/// Stored value of a linear sample: the inverse of the table. NaN gives 0; beyond 0 .. 1 is clipped.
int encodeSample(double linear, TransferFunction transfer, double gamma, int maximum);

/// encodeSample for many samples, without a power a sample.
class SampleEncoder {
public:
    SampleEncoder(TransferFunction transfer, double gamma, int maximum);

    int operator()(float linear) {
        if (linear >= 0 && linear <= 1) return inRange(linear);
        ++outside_;
        return linear > 1 ? maximum_ : 0;
    }
    /// Samples so far that were NaN or beyond 0 .. 1.
    std::uint64_t outside() const { return outside_; }

private:
    int inRange(float linear) const;
    int maximum_;
    std::uint64_t outside_ = 0;
    std::vector<float> thresholds_;         ///< [k]: the smallest sample that is stored as k + 1
    std::vector<std::uint16_t> firstCode_;  ///< of the samples that share their upper bits
};

/// Says so if samples were clipped.
void noteClipped(std::uint64_t samples, std::vector<std::string>& notes);

}  // namespace parallax
