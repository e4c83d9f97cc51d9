// SPDX-License-Identifier: GPL-3.0-or-later
// What opening a file says, for tests of file formats.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "core/image/error.hpp"
#include "core/io/loader.hpp"

namespace parallax::test {

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

inline bool warns(const Image& image, const std::string& part) {
    return std::any_of(image.source.warnings.begin(), image.source.warnings.end(), [&](const std::string& w) { return contains(w, part); });
}

/// The whole message of the error that opening gives; empty if it opens.
inline std::string refusal(const std::string& input, ErrorCode code = ErrorCode::input, const LoadOptions& options = {}) {
    try {
        (void)openInput(input, options);
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), code) << e.what();
        EXPECT_FALSE(code == ErrorCode::input && e.why().empty()) << e.what();
        return e.what();
    }
    return {};
}

}  // namespace parallax::test
