// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace parallax {

std::string lowerCase(std::string_view text);
/// Removes blanks at both ends.
std::string_view trimmed(std::string_view text);
/// Returns the texts between separators: one more than there are separators.
std::vector<std::string> split(std::string_view text, char separator);
/// Returns the text up to a zero byte: unchanged if it is valid UTF-8, else converted from Latin-1.
std::string toUtf8(std::string_view bytes);
/// Text from elsewhere for a terminal: control characters, except for those in `kept`, and bytes that are not UTF-8 are written as \xNN.
std::string printable(const std::string& text, std::string_view kept = {});

}  // namespace parallax
