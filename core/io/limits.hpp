// SPDX-License-Identifier: GPL-3.0-or-later
// What a file may ask for before anything is allocated.
#pragma once

#include <cstdint>
#include <string>

#include "core/image/shape.hpp"

namespace parallax {

/// How many bytes of float samples one byte of a file can stand for. Deflate shrinks at most 1032 times; with half or 8-bit
/// samples that is about 4128.
constexpr std::uint64_t kDeflateRatio = 4200;
/// For codecs that spend almost nothing on an even image.
constexpr std::uint64_t kStrongRatio = 131072;
/// No bound is known: only memory counts.
constexpr std::uint64_t kAnyRatio = 0;

/// Throws Error(input) when a file of `fileBytes` cannot possibly hold the samples. Small images pass always: they cost nothing.
void checkHeld(const std::string& path, const Shape& shape, std::uint64_t fileBytes, std::uint64_t largestRatio);
/// Throws Error(memory) when the samples as float do not fit into available memory.
void checkFitsMemory(const std::string& path, const Shape& shape);
/// Both.
void checkPlausible(const std::string& path, const Shape& shape, std::uint64_t fileBytes, std::uint64_t largestRatio);

}  // namespace parallax
