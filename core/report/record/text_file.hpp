// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>

namespace parallax {

/// Reads a small file. Throws Error(input) if it is missing, a folder, unreadable or larger than `most` bytes. Ten thousand samples of ten
/// backends take about 20 MB.
std::string readTextFile(const std::string& path, std::size_t most = std::size_t{64} << 20);

}  // namespace parallax
