// SPDX-License-Identifier: GPL-3.0-or-later
// Expressions of whole numbers in the comments of a kernel: "(width + 31) / 32".
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>

namespace parallax::user {

using Names = std::map<std::string, std::int64_t, std::less<>>;

/// Says what is wrong with an expression, without its place.
class ExpressionError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The value of an expression with the operators of C on whole numbers: ?: || && == != < <= > >= + - * / % ! ( ), and the functions
/// min(a, b), max(a, b) and ceil(a, b), which is a / b rounded up. A name may contain dots: "taps.width". Throws ExpressionError: not an
/// expression, an unknown name, a division by zero, more than 64 bits.
std::int64_t evaluate(std::string_view text, const Names& names);

}  // namespace parallax::user
