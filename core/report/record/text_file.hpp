// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace parallax {

/// Reads a small file. Throws Error(input) if it is missing, a folder, unreadable or larger than 256 MiB.
std::string readTextFile(const std::string& path);

}  // namespace parallax
