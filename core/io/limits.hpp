// SPDX-License-Identifier: GPL-3.0-or-later
// What a file may ask for before anything is allocated.
#pragma once

#include <cstdint>
#include <string>

#include "parallax/image/shape.hpp"

namespace parallax {

/// Throws Error(memory) when the samples do not fit into available memory, and Error(input) when a file of `fileBytes`
/// cannot possibly hold them: the best of the formats shrink an even image about a thousandfold.
void checkPlausible(const std::string& path, const Shape& shape, std::uint64_t fileBytes);

}  // namespace parallax
