// SPDX-License-Identifier: GPL-3.0-or-later
// Reads tests/oracles/metrics.txt: fields between '|', numbers between blanks.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "core/image/image.hpp"

namespace parallax {

inline std::vector<std::string> goldenFields(const std::string& line) {
    std::vector<std::string> parts;
    std::istringstream in(line);
    for (std::string part; std::getline(in, part, '|');) {
        const auto first = part.find_first_not_of(' ');
        parts.push_back(first == std::string::npos ? "" : part.substr(first, part.find_last_not_of(' ') - first + 1));
    }
    return parts;
}

inline std::vector<double> goldenNumbers(const std::string& text) {
    std::vector<double> values;
    std::istringstream in(text);
    for (std::string word; in >> word;) values.push_back(std::stod(word));
    return values;
}

/// `size`: width, height and channels.
inline Image goldenImage(const std::string& size, const std::string& samples) {
    const std::vector<double> s = goldenNumbers(size), values = goldenNumbers(samples);
    Image image{Buffer(Shape{static_cast<std::int64_t>(s[0]), static_cast<std::int64_t>(s[1]), 1, static_cast<std::int64_t>(s[2])})};
    for (std::size_t i = 0; i < values.size(); ++i) image.view().data[i] = static_cast<float>(values[i]);
    return image;
}

}  // namespace parallax
