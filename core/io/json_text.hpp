// SPDX-License-Identifier: GPL-3.0-or-later
// JSON that users may have written, or that may be made to do harm. The standard leaves the meaning of repeated keys open and parsers
// silently take the last one; here they are an error, as a repeated parameter on the command line is.
#pragma once

#include <exception>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>

namespace parallax {

/// Its text: "line 7: the key 'size' is repeated in steps[0].parameters".
struct RepeatedKey : std::runtime_error {
    using std::runtime_error::runtime_error;
    static constexpr const char* kAdvice = "Remove all but one of them";
};

/// The message of an exception, without the name and number that the JSON library puts in front.
std::string jsonReason(const std::exception& e);

/// Throws RepeatedKey if an object has a key twice, and std::runtime_error for what would take memory or time out of proportion: deep
/// nesting, more than a million lists and objects, and objects of thousands of keys. Text that is not JSON passes.
void checkJson(std::string_view text);

/// Checks and parses a text. Throws Json::parse_error if it is not JSON, and what checkJson() throws.
template <class Json>
Json parseJson(std::string_view text) {
    checkJson(text);
    return Json::parse(text);
}

}  // namespace parallax
