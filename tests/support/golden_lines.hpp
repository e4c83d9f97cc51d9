// SPDX-License-Identifier: GPL-3.0-or-later
// Golden values in lines of texts: "part | part | part".
#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace parallax::test {

/// The parts of each line of a file; empty if it cannot be opened.
inline std::vector<std::vector<std::string>> goldenLines(const std::string& path) {
    std::vector<std::vector<std::string>> lines;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        std::vector<std::string>& parts = lines.emplace_back();
        for (std::size_t begin = 0; begin != std::string::npos;) {
            const std::size_t end = line.find(" | ", begin);
            parts.push_back(line.substr(begin, end == std::string::npos ? end : end - begin));
            begin = end == std::string::npos ? end : end + 3;
        }
    }
    return lines;
}

/// The words of a text as numbers or texts.
template <class T>
std::vector<T> valuesIn(const std::string& text) {
    std::istringstream in(text);
    std::vector<T> all;
    for (T value{}; in >> value;) all.push_back(value);
    return all;
}

}  // namespace parallax::test
