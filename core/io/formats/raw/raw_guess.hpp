// SPDX-License-Identifier: GPL-3.0-or-later
// Guesses the format of raw samples from name and size of the file, as proposals for the user. Does not read the file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/io/formats/raw/raw.hpp"

namespace parallax {

/// Best first, at least one, at most kMostRawGuesses. The name counts first, as in "512x512x78_int16.raw", "head_256x256x128_uint8.raw"
/// or "512_512_78-s16be.bin": a width and a height with perhaps a depth, a type, a byte order; what is not joined by x counts if it is
/// true. Without them, or where they leave something open, it is what fills the file: cubes, then square slices of usual sizes, with int16,
/// float and uint8 before others. Only the first may not fill the file, if nothing does.
constexpr std::size_t kMostRawGuesses = 12;
std::vector<RawRequest> guessRaw(const std::string& path, std::uint64_t fileBytes);

/// Does the name have a width and a height?
bool nameTellsSize(const std::string& path, std::uint64_t fileBytes);

/// Requests that fill a file and differ from this one in one thing: depth, type, offset, height or width, in this order.
std::vector<RawRequest> fittingRaw(const RawRequest& request, std::uint64_t fileBytes);

/// The flat file of floats: little-endian float32 without a header, sample (row, col) of slice `depth` at
/// depth * rows * cols + row * cols + col. Rows and columns are those of the request; the depth is what fills the file with them, if
/// there is one.
RawRequest flatFloatRaw(const RawRequest& request, std::uint64_t fileBytes);

}  // namespace parallax
