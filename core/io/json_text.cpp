// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/json_text.hpp"

namespace parallax {

std::string jsonReason(const std::exception& e) {
    const std::string text = e.what();
    if (!text.starts_with("[json.exception.")) return text;
    const std::size_t end = text.find("] ");
    return end == std::string::npos ? text : text.substr(end + 2);
}

void KeyChecker::close() {
    levels_.pop_back();
    value();
}

void KeyChecker::value() {
    if (!levels_.empty() && levels_.back().array) ++levels_.back().index;
}

void KeyChecker::key(const std::string& name) {
    Level& level = levels_.back();
    level.key = name;
    if (level.keys.insert(name).second || !message_.empty()) return;
    const std::string place = path();
    message_ = "line " + std::to_string(line_) + ": the key '" + name + "' is repeated" + (place.empty() ? "" : " in " + place);
}

/// Path of the current object: "steps[0].parameters".
std::string KeyChecker::path() const {
    std::string text;
    for (std::size_t i = 0; i + 1 < levels_.size(); ++i) {
        const Level& level = levels_[i];
        if (level.array) text += "[" + std::to_string(level.index) + "]";
        else text += (text.empty() ? "" : ".") + level.key;
    }
    return text;
}

}  // namespace parallax
