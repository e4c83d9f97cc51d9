// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/image/image.hpp"

namespace parallax {

/// Samples are stored as light ^ (1 / exponent); 1 is linear.
void useExponent(SourceInfo& source, double exponent);
/// Takes the tone curve of an ICC profile if it is a plain power, and warns that the rest of the profile is not applied.
void useProfile(SourceInfo& source, std::span<const std::uint8_t> profile, const std::string& name, bool grey);

}  // namespace parallax
