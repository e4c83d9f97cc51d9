// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters of an operation as a struct of C: its declaration for kernels, and its bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/engine/operation/operation.hpp"

namespace parallax::user {

/// The text of parallax/ID.h: constants of the choices, the struct parallax_ID, and the entries of a kernel.
std::string headerOf(const Operation& operation);

/// A member of the struct of parameters for one problem.
struct ParameterMember {
    enum class Kind { whole, real, text, array };
    std::string name;
    Kind kind = Kind::whole;
    std::size_t word = 0;                ///< of the struct: that of the value, or of the pointer
    std::int64_t value = 0;              ///< whole
    std::int64_t width = 0, height = 0;  ///< array
};
std::vector<ParameterMember> membersOf(const Operation& operation, const Problem& problem);
/// The constants of the choices: {"CONVOLVE_BORDER_WRAP", 4}.
std::vector<std::pair<std::string, std::int64_t>> constantsOf(const Operation& operation);

/// A parameter as a member of that struct: "border_value"; a key that is a word of C++ gets a '_' at its end.
std::string memberNameOf(std::string_view key);

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
