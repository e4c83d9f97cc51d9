// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/json_text.hpp"

#include <cstddef>
#include <cstdint>
#include <ranges>
#include <set>
#include <vector>

namespace parallax {
namespace {

/// Follows the events of a parser and keeps a message on the first repeated key.
class JsonChecker final : public nlohmann::json_sax<nlohmann::json> {
public:
    /// The characters of a text, whose lines are counted as they are read: events of the parser come without their position.
    auto counted(std::string_view text) {
        return std::views::transform(text, [this](char c) {
            if (c == '\n') ++line_;
            return c;
        });
    }
    const std::string& message() const { return message_; }  ///< empty: no key is repeated

    bool null() override { return value(); }
    bool boolean(bool) override { return value(); }
    bool number_integer(std::int64_t) override { return value(); }
    bool number_unsigned(std::uint64_t) override { return value(); }
    bool number_float(double, const std::string&) override { return value(); }
    bool string(std::string&) override { return value(); }
    bool binary(nlohmann::json::binary_t&) override { return value(); }
    bool start_object(std::size_t) override { return open(false); }
    bool start_array(std::size_t) override { return open(true); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool key(std::string& name) override;
    bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) override { return false; }

private:
    struct Level {
        bool array;
        std::size_t index;  ///< of the current value, in an array
        std::string key;    ///< the current one, in an object
        std::set<std::string> keys;
    };
    bool open(bool array);
    bool close() {
        levels_.pop_back();
        return value();
    }
    bool value() {
        if (!levels_.empty() && levels_.back().array) ++levels_.back().index;
        return true;
    }
    std::string path() const;

    std::size_t line_ = 1, opened_ = 0;
    std::vector<Level> levels_;
    std::string message_;
};

bool JsonChecker::open(bool array) {
    // What Parallax writes has a dozen levels; each costs memory and, at the end, stack.
    constexpr std::size_t kDeepest = 100;
    if (levels_.size() > kDeepest) throw std::runtime_error("its values are nested more than " + std::to_string(kDeepest) + " deep");
    // "[]," takes fifty bytes of memory. What Parallax writes has some lists for each measurement.
    constexpr std::size_t kMaxOpened = 1000000;
    if (++opened_ > kMaxOpened) throw std::runtime_error("it has more than " + std::to_string(kMaxOpened) + " lists and objects");
    levels_.push_back({array, 0, {}, {}});
    return true;
}

bool JsonChecker::key(std::string& name) {
    Level& level = levels_.back();
    level.key = name;
    // The library compares each key of an object with all before it.
    constexpr std::size_t kMaxKeys = 2000;
    if (level.keys.size() >= kMaxKeys) throw std::runtime_error("an object has more than " + std::to_string(kMaxKeys) + " keys");
    if (level.keys.insert(name).second || !message_.empty()) return true;
    const std::string place = path();
    message_ = "line " + std::to_string(line_) + ": the key '" + name + "' is repeated" + (place.empty() ? "" : " in " + place);
    return true;
}

/// Path of the current object: "steps[0].parameters".
std::string JsonChecker::path() const {
    std::string text;
    for (std::size_t i = 0; i + 1 < levels_.size(); ++i) {
        const Level& level = levels_[i];
        if (level.array) text += "[" + std::to_string(level.index) + "]";
        else text += (text.empty() ? "" : ".") + level.key;
    }
    return text;
}

}  // namespace

std::string jsonReason(const std::exception& e) {
    const std::string text = e.what();
    if (!text.starts_with("[json.exception.")) return text;
    const std::size_t end = text.find("] ");
    return end == std::string::npos ? text : text.substr(end + 2);
}

void checkJson(std::string_view text) {
    JsonChecker checker;
    const auto counted = checker.counted(text);
    // A parser that is given a function builds values with it, and looks through a list again for each of its values.
    if (nlohmann::json::sax_parse(counted.begin(), counted.end(), &checker) && !checker.message().empty())
        throw RepeatedKey(checker.message());
}

}  // namespace parallax
