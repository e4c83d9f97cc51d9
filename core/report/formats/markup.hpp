// SPDX-License-Identifier: GPL-3.0-or-later
// Markup as a type of its own. Records come from elsewhere, so plain text becomes markup in one place only: where it is an argument of
// marked(), which escapes it.
#pragma once

#include <fmt/format.h>

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>

namespace parallax {

/// `Language` has a function `std::string escaped(std::string_view)`.
template <class Language>
struct Markup {
    std::string text;

    bool empty() const { return text.empty(); }
    Markup& operator+=(const Markup& more) {
        text += more.text;
        return *this;
    }
    friend Markup operator+(Markup a, const Markup& b) { return a += b; }
};

/// Type of an argument when it is formatted.
template <class Language, class A>
using MarkedArgument =
    std::conditional_t<std::same_as<A, Markup<Language>> || std::convertible_to<const A&, std::string_view>, std::string, A>;

template <class Language, class A>
MarkedArgument<Language, A> markedArgument(const A& argument) {
    if constexpr (std::same_as<A, Markup<Language>>) return argument.text;
    else if constexpr (std::convertible_to<const A&, std::string_view>) return Language::escaped(argument);
    else return argument;
}

/// fmt::format() for markup: `literal` is markup, texts among the arguments are escaped, Markup<Language> is taken as it is.
template <class Language, class... A>
Markup<Language> marked(fmt::format_string<MarkedArgument<Language, A>...> literal, const A&... arguments) {
    return {fmt::format(literal, markedArgument<Language>(arguments)...)};
}

}  // namespace parallax
