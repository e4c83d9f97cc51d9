// SPDX-License-Identifier: GPL-3.0-or-later
// Checks of the sizes in a header, before memory is allocated.
#pragma once

#include <cstdint>
#include <string>

#include "core/image/shape.hpp"

namespace parallax {

/// Maximum bytes of float samples per byte of a file. Deflate compresses at most 1,032 times; with 8-bit samples that makes 4,128.
constexpr std::uint64_t kDeflateRatio = 4200;
/// For codecs that store a uniform image in almost no bytes.
constexpr std::uint64_t kStrongRatio = 131072;
/// No known bound: only available memory is checked.
constexpr std::uint64_t kAnyRatio = 0;

/// Throws Error(input) if a file of `fileBytes` cannot hold the samples. Images of up to 16 MiB always pass.
void checkHeld(const std::string& path, const Shape& shape, std::uint64_t fileBytes, std::uint64_t largestRatio);
/// Throws Error(memory) if the samples do not fit into available memory as float.
void checkFitsMemory(const std::string& path, const Shape& shape);
/// Checks both.
void checkPlausible(const std::string& path, const Shape& shape, std::uint64_t fileBytes, std::uint64_t largestRatio);

}  // namespace parallax
