// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters of an operation as a struct of C: its declaration for kernels, and its bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/engine/operation/operation.hpp"

namespace parallax::user {

/// The text of parallax/ID.h: constants of the choices, the struct parallax_ID, and the entries of a kernel.
std::string headerOf(const Operation& operation);

/// "parallax_wavelet_denoise".
std::string structNameOf(const Operation& operation);

/// The struct and what its pointers point to. Members are 8 bytes each: int64_t, double, or a pointer; a parallax_array is three of them.
struct PackedParameters {
    std::vector<std::uint64_t> words;     ///< of the struct; a pointer is an offset in `data`
    std::vector<std::uint64_t> pointers;  ///< indices of the words that are pointers
    std::vector<std::byte> data;          ///< texts, ended by 0, and arrays of float, aligned to 64 bytes
    /// Three counts (words, pointers, bytes of data), the spacing as three doubles, the words, the pointers, the data.
    std::vector<std::byte> bytes(const std::array<double, 3>& spacing) const;
};
PackedParameters packed(const Operation& operation, const Problem& problem);

}  // namespace parallax::user
