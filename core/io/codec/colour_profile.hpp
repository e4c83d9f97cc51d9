// SPDX-License-Identifier: GPL-3.0-or-later
// What files say of their colours: tone curve and primaries.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/image/image.hpp"

namespace parallax {

/// Samples are stored as light ^ (1 / exponent); 1 is linear.
void useExponent(SourceInfo& source, double exponent);
/// Takes the tone curve of an ICC profile if it is a plain power, and warns that the rest of the profile is not applied.
void useProfile(SourceInfo& source, std::span<const std::uint8_t> profile, const std::string& name, bool grey);

/// Returns the linear light of each stored value 0 .. maximum by a transfer characteristic of ITU-T H.273: that of ITU-R BT.709 (1, 6, 14,
/// 15), where the peak is 1; PQ (16) and HLG (18) of ITU-R BT.2100, where 1 is the reference white of ITU-R BT.2408, 203 cd/m2 or 75 % of
/// the signal, and HLG gives the light of the scene. Empty for others.
std::vector<float> decodingTableOf(int transferCharacteristic, int maximum);

/// Whether a profile is that of sRGB by its name.
bool namesSrgb(std::span<const std::uint8_t> profile);

/// CIE x and y of white and of R, G and B.
struct Primaries {
    std::array<double, 2> white, red, green, blue;
};

/// Returns the primaries stored in the metadata, of EXR or PNG; nothing if they are missing or those of Rec. 709 and sRGB, the default.
std::optional<Primaries> unusualPrimaries(const Image& image);
/// Text of metadata on chromaticities that the file names, but not by numbers that are known.
inline constexpr const char* kUnknownPrimaries = "unknown";
bool hasUnknownPrimaries(const Image& image);

}  // namespace parallax
