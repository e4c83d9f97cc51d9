// SPDX-License-Identifier: GPL-3.0-or-later
// Suggests size and type of a file of raw samples from its name and its size, without reading it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/io/formats/raw/raw.hpp"

namespace parallax {

/// Suggestions, best first: at least one, at most kMaxRawGuesses. Sizes, type and byte order in the name come first, as in
/// "512x512x78_int16.raw" or "512_512_78-s16be.bin" (numbers not joined by x only if they fill the file). Otherwise sizes that fill the
/// file: cubes, then square slices of usual sizes, with int16, float and uint8 first. Only the first suggestion may not fill the file.
constexpr std::size_t kMaxRawGuesses = 12;
std::vector<RawRequest> guessRaw(const std::string& path, std::uint64_t fileBytes);

/// Whether the name has a width and a height.
bool nameTellsSize(const std::string& path, std::uint64_t fileBytes);

/// Requests that fill the file and differ from this one in one of depth, type, offset, height or width, in this order.
std::vector<RawRequest> fittingRaw(const RawRequest& request, std::uint64_t fileBytes);

/// Little-endian float32 without a header, with the width and height of the request and the depth that fills the file, if there is one.
RawRequest flatFloatRaw(const RawRequest& request, std::uint64_t fileBytes);

}  // namespace parallax
