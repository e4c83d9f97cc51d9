// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace parallax {

/// The whole of a small file. Throws Error(input) when it is missing, a folder, not readable or too large to be meant.
std::string readTextFile(const std::string& path);

}  // namespace parallax
