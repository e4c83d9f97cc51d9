// SPDX-License-Identifier: GPL-3.0-or-later
// JSON that a person may have written. Its standard leaves open what a key means that an object holds twice, and parsers take the last
// one in silence: here it is an error, as a parameter is that the command line gives twice.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace parallax {

/// "line 7: the key 'size' stands twice in steps[0].parameters", of the first one; nothing if there is none, or if the text is no JSON from
/// some place before it on.
std::optional<std::string> repeatedKey(std::string_view text);

struct RepeatedKey : std::runtime_error {
    using std::runtime_error::runtime_error;
    static constexpr const char* kAdvice = "Keep the one that is meant";
};
/// Throws Json::parse_error if it is no JSON, RepeatedKey with the text of repeatedKey() if there is one.
template <class Json>
Json parseJson(std::string_view text) {
    Json json = Json::parse(text);
    if (const auto repeated = repeatedKey(text)) throw RepeatedKey(*repeated);
    return json;
}

}  // namespace parallax
