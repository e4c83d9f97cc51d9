// SPDX-License-Identifier: GPL-3.0-or-later
// Filters of the rows of a PNG (PNG specification, third edition, section 9): each byte is replaced by its difference from a prediction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace parallax {

enum class PngFilter : std::uint8_t { none, sub, up, average, paeth };

/// Filters one row. `above`: the row before, as stored samples; null for none, which only `none` and `sub` allow. `distance`: bytes of a
/// pixel.
void filterPngRow(PngFilter filter, std::span<const std::uint8_t> row, const std::uint8_t* above, std::size_t distance, std::uint8_t* to);

/// Returns the filter with the smallest sum of absolute differences. `thorough`: of all filters, otherwise of `sub` and `up`.
PngFilter choosePngFilter(std::span<const std::uint8_t> row, const std::uint8_t* above, std::size_t distance, bool thorough,
                          std::span<std::uint8_t> work);

/// Bytes that may be read and written behind a row by unfilterPngRow().
constexpr std::size_t kPngRowPadding = 8;

/// Restores a row in place. `above`: the restored row before, or zeros. Both have kPngRowPadding bytes more. `distance`: 1 to 8.
void unfilterPngRow(PngFilter filter, std::span<std::uint8_t> row, const std::uint8_t* above, std::size_t distance);

}  // namespace parallax
