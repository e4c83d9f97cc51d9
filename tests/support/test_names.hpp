// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtest/gtest.h>

#include <cctype>
#include <string>

namespace parallax::test {

/// A text as a part of a test's name, which takes letters, digits and underscores only.
inline std::string asTestName(std::string text) {
    for (char& c : text)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    return text;
}
/// For INSTANTIATE_TEST_SUITE_P over texts.
inline std::string nameOf(const testing::TestParamInfo<std::string>& info) { return asTestName(info.param); }

}  // namespace parallax::test
