// SPDX-License-Identifier: GPL-3.0-or-later
// JSON that users may have written. The standard leaves the meaning of repeated keys open and parsers silently take the last one; here
// they are an error, as a repeated parameter on the command line is.
#pragma once

#include <cstddef>
#include <exception>
#include <nlohmann/json.hpp>
#include <ranges>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace parallax {

/// Its text: "line 7: the key 'size' is repeated in steps[0].parameters".
struct RepeatedKey : std::runtime_error {
    using std::runtime_error::runtime_error;
    static constexpr const char* kAdvice = "Remove all but one of them";
};

/// The message of an exception, without the name and number that the JSON library puts in front.
std::string jsonReason(const std::exception& e);

/// Follows the events of a parser and keeps a message on the first repeated key.
class KeyChecker {
public:
    /// The characters of a text, whose lines are counted as they are read: events of the parser come without their position.
    auto counted(std::string_view text) {
        return std::views::transform(text, [this](char c) {
            if (c == '\n') ++line_;
            return c;
        });
    }
    void open(bool array) { levels_.push_back({array, 0, {}, {}}); }
    void close();
    void value();
    void key(const std::string& name);
    const std::string& message() const { return message_; }  ///< empty: no key is repeated

private:
    struct Level {
        bool array;
        std::size_t index;  ///< of the current value, in an array
        std::string key;    ///< the current one, in an object
        std::set<std::string> keys;
    };
    std::string path() const;
    std::size_t line_ = 1;
    std::vector<Level> levels_;
    std::string message_;
};

/// Throws Json::parse_error if the text is not JSON, RepeatedKey if an object has a key twice, std::runtime_error for deep nesting.
template <class Json>
Json parseJson(std::string_view text) {
    KeyChecker keys;
    // What Parallax writes has a dozen levels; each costs memory and, at the end, stack.
    constexpr int kDeepest = 100;
    const auto follow = [&](int depth, typename Json::parse_event_t event, Json& parsed) {
        using Event = typename Json::parse_event_t;
        if (depth > kDeepest) throw std::runtime_error("its values are nested more than " + std::to_string(kDeepest) + " deep");
        switch (event) {
            case Event::object_start: keys.open(false); break;
            case Event::array_start: keys.open(true); break;
            case Event::object_end:
            case Event::array_end: keys.close(); break;
            case Event::key: keys.key(parsed.template get_ref<const std::string&>()); break;
            case Event::value: keys.value(); break;
        }
        return true;
    };
    const auto counted = keys.counted(text);
    Json json = Json::parse(counted.begin(), counted.end(), follow);
    if (!keys.message().empty()) throw RepeatedKey(keys.message());
    return json;
}

}  // namespace parallax
