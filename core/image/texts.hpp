// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of messages and numbers, independent of the locale.
#pragma once

#include <charconv>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <system_error>

namespace parallax {

/// "a, b, c": the items of a list, or what `textOf` (a member or a function) returns for each.
template <class List, class TextOf = std::identity>
std::string joined(const List& list, std::string_view between = ", ", TextOf textOf = {}) {
    std::string all;
    for (bool first = true; const auto& item : list) {
        if (!first) all += between;
        first = false;
        all += std::invoke(textOf, item);
    }
    return all;
}

/// "1 row", "2 rows".
inline std::string counted(std::int64_t count, const std::string& what) {
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

/// "48 MiB", rounded up.
inline std::string mebibytes(std::uint64_t bytes) { return std::to_string((bytes + (1U << 20) - 1) >> 20) + " MiB"; }

/// Whether the whole text is a number of type T; `value` is that number. A plus sign or blanks are not accepted.
template <class T>
bool parseNumber(std::string_view text, T& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size();
}

}  // namespace parallax
