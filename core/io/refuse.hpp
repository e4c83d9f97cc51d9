// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/image/error.hpp"

namespace parallax {

inline constexpr const char* kGetIntactCopy = "Get an intact copy of the file";

/// Throws Error(input): "Cannot open 'x.exr': WHY. ADVICE".
[[noreturn]] inline void refuseFile(const std::string& path, const std::string& why, const std::string& advice = kGetIntactCopy) {
    throw Error(ErrorCode::input, "Cannot open '" + path + "'", why, advice);
}

}  // namespace parallax
