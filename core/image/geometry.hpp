// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string>

namespace parallax {

/// Where a volume lies in space. Patient axes are LPS (x to the left, y to the back, z to the head), lengths in mm.
struct Geometry {
    std::array<double, 3> spacing{1, 1, 1};                      ///< mm between sample centres along x, y, z
    std::array<double, 3> origin{0, 0, 0};                       ///< mm, centre of sample (0, 0, 0)
    std::array<double, 9> direction{1, 0, 0, 0, 1, 0, 0, 0, 1};  ///< columns are the axis directions, row major
    std::string unit;                                            ///< of the samples, as in "HU"; empty if unknown
};

}  // namespace parallax
