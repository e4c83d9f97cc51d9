// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace parallax {

/// Returns the text up to a zero byte: unchanged if it is valid UTF-8, else converted from Latin-1.
std::string toUtf8(std::string_view bytes);

}  // namespace parallax
