// SPDX-License-Identifier: GPL-3.0-or-later
// The vector code of rendering: packets of neighbouring rays, one in each lane, that take their samples in step.
#pragma once

#include <cstdint>

#include "core/operations/render/parameters.hpp"
#include "core/operations/render/rays.hpp"

namespace parallax::rendering {

/// Bricks of 8 x 8 x 8 cells. A cell lies between two samples along each axis; brick i reads samples 8 i to 8 i + 8.
inline constexpr int kBrickBits = 3, kBrick = 1 << kBrickBits;
/// Groups of 4 x 4 x 4 bricks: packets cross empty regions in longer steps than bricks allow, whose borders their rays reach one by one.
inline constexpr int kGroupBits = 2, kGroup = 1 << kGroupBits;
inline constexpr int kMaxLanes = 16;

/// Keys of the bricks or of the groups.
struct KeyGrid {
    int count[3] = {1, 1, 1};
    /// For each a number that samples of interest exceed: the largest sample, or the smallest times -1 for minima; with a transfer
    /// function 1 if any opacity is above 0, else 0.
    const float* keys = nullptr;
};

/// One channel of the volume and what its bricks hold. Indices of samples have 31 bits.
struct Volume {
    const float* samples = nullptr;
    int size[3] = {1, 1, 1};
    int rowStride = 0, sliceStride = 0;
    KeyGrid bricks, groups;
    bool hasGaps = false;             ///< samples that are not finite
    float smallest = 0, largest = 0;  ///< of the finite ones; 0 if there are none
};

/// Numbers of the mode, in float.
struct Numbers {
    RenderMode mode = RenderMode::maximum;
    float threshold = 0;
    float halfPerSpacing[3] = {};  ///< 1 / (2 spacing), per mm
    float soft = 0;                ///< see softGradient()
    bool shading = true;
    float low = 0, perUnit = 0;  ///< of the transfer table
    const float* entries = nullptr;
};

/// Rays of neighbouring pixels. Lanes without a pixel have no samples.
struct Packet {
    std::int64_t start[3][kMaxLanes], delta[3][kMaxLanes];  ///< as FixedRay
    std::int32_t samples[kMaxLanes];
    float direction[3][kMaxLanes], facing[kMaxLanes];
};

/// Pixels of a packet along x and y; their product is the number of lanes.
struct PacketShape {
    int width = 1, height = 1;
};
PacketShape packetShape();

/// Value of each lane (maximum, minimum, mean), or light (surface), or R, G, B: colour[0] alone, or all three.
void renderPacket(const Volume& volume, const Numbers& numbers, const Packet& packet, float (*colour)[kMaxLanes]);

/// Smallest and largest finite sample of each column of rows; starts from the values in `low` and `high`. Returns whether all samples are
/// finite.
bool extendRanges(const float* row, std::int64_t width, float* low, float* high);

}  // namespace parallax::rendering
