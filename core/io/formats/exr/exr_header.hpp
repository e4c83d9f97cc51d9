// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace parallax {

/// Walks the headers of an OpenEXR file before OpenEXR reads them, since it allocates what an attribute declares. Returns the offset behind
/// the headers, where the tables of chunks begin. Throws Error(input) for sizes beyond the end of the file and beyond limits.hpp. Files
/// that have no OpenEXR signature are left to OpenEXR, which names the reason: 0.
std::uint64_t checkExrHeaders(const std::string& path);

}  // namespace parallax
