// SPDX-License-Identifier: GPL-3.0-or-later
// Text from files, made fit for screens and reports.
#pragma once

#include <string>
#include <string_view>

namespace parallax {

/// The text if it is valid UTF-8, else its bytes taken as Latin-1. Ends at a zero byte.
std::string toUtf8(std::string_view bytes);

}  // namespace parallax
