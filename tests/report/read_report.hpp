// SPDX-License-Identifier: GPL-3.0-or-later
// Reading of reports by their tests.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace parallax {

/// RFC 4180, written for these tests alone.
inline std::vector<std::vector<std::string>> parseCsv(const std::string& text) {
    std::vector<std::vector<std::string>> rows(1, std::vector<std::string>(1));
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        std::string& field = rows.back().back();
        if (quoted) {
            if (c == '"' && i + 1 < text.size() && text[i + 1] == '"') field += text[++i];
            else if (c == '"') quoted = false;
            else field += c;
        } else if (c == '"') quoted = true;
        else if (c == ',') rows.back().emplace_back();
        else if (c == '\n') rows.emplace_back(1);
        else if (c != '\r') field += c;
    }
    rows.pop_back();
    return rows;
}

inline std::size_t column(const std::vector<std::string>& header, const std::string& name) {
    return static_cast<std::size_t>(std::find(header.begin(), header.end(), name) - header.begin());
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace parallax
