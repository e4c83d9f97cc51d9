// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/json_text.hpp"

#include <cstddef>
#include <iterator>
#include <set>
#include <vector>

namespace parallax {
namespace {

using Json = nlohmann::json;

/// Counts the lines that the parser has read: events come without a place.
struct CountingIterator {
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;
    const char* at = nullptr;
    std::size_t* line = nullptr;
    reference operator*() const { return *at; }
    CountingIterator& operator++() {
        if (*at == '\n') ++*line;
        ++at;
        return *this;
    }
    CountingIterator operator++(int) {
        const CountingIterator before = *this;
        ++*this;
        return before;
    }
    friend bool operator==(const CountingIterator& a, const CountingIterator& b) { return a.at == b.at; }
};

class Keys {
public:
    explicit Keys(const std::size_t& line) : line_(&line) {}
    std::optional<std::string> found;

    bool null() { return value(); }
    bool boolean(bool) { return value(); }
    bool number_integer(Json::number_integer_t) { return value(); }
    bool number_unsigned(Json::number_unsigned_t) { return value(); }
    bool number_float(Json::number_float_t, const std::string&) { return value(); }
    bool string(const std::string&) { return value(); }
    bool binary(const Json::binary_t&) { return value(); }
    bool start_object(std::size_t) { return open(false); }
    bool end_object() { return close(); }
    bool start_array(std::size_t) { return open(true); }
    bool end_array() { return close(); }
    bool key(const std::string& name) {
        Level& here = levels_.back();
        if (!here.keys.insert(name).second) {
            const std::string place = path();
            found = "line " + std::to_string(*line_) + ": the key '" + name + "' stands twice" + (place.empty() ? "" : " in " + place);
            return false;
        }
        here.key = name;
        return true;
    }
    bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) { return false; }

private:
    struct Level {
        bool array;
        std::size_t index;  ///< of the value that is read, in an array
        std::string key;    ///< in an object
        std::set<std::string> keys;
    };
    bool value() {
        if (!levels_.empty() && levels_.back().array) ++levels_.back().index;
        return true;
    }
    bool open(bool array) {
        levels_.push_back({array, 0, {}, {}});
        return true;
    }
    bool close() {
        levels_.pop_back();
        return value();
    }
    /// Of the object that is read: "steps[0].parameters".
    std::string path() const {
        std::string text;
        for (std::size_t i = 0; i + 1 < levels_.size(); ++i) {
            const Level& level = levels_[i];
            if (level.array) text += "[" + std::to_string(level.index) + "]";
            else text += (text.empty() ? "" : ".") + level.key;
        }
        return text;
    }
    const std::size_t* line_;
    std::vector<Level> levels_;
};

}  // namespace

std::optional<std::string> repeatedKey(std::string_view text) {
    std::size_t line = 1;
    Keys keys(line);
    (void)Json::sax_parse(CountingIterator{text.data(), &line}, CountingIterator{text.data() + text.size(), &line}, &keys);
    return keys.found;
}

}  // namespace parallax
