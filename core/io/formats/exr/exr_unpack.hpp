// SPDX-License-Identifier: GPL-3.0-or-later
// The byte formats of OpenEXR blocks that are decoded here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace parallax {

inline constexpr const char* kExrWrongSize = "a block does not have the size of its samples";

/// A little-endian number.
template <class T>
T exrNumber(const std::uint8_t* bytes) {
    T value = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i) value = static_cast<T>(value | static_cast<T>(bytes[i]) << (8 * i));
    return value;
}

/// Expands run lengths (`runs`) or inflates, then undoes the predictor. `raw` must have the size of the block; `work` is scratch memory.
/// Throws std::runtime_error for damaged blocks.
void unpackExr(bool runs, const std::vector<std::uint8_t>& packed, std::vector<std::uint8_t>& work, std::vector<std::uint8_t>& raw);

/// Converts samples of an Imf::PixelType.
void exrFloats(int type, const std::uint8_t* in, std::int64_t n, float* out);

}  // namespace parallax
