// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cerrno>
#include <cstring>
#include <string>

#include "core/image/error.hpp"

namespace parallax {

inline constexpr const char* kGetIntactCopy = "Get an intact copy of the file";

/// Throws Error(input): "Cannot open 'x.exr': WHY. ADVICE".
[[noreturn]] inline void refuseFile(const std::string& path, const std::string& why, const std::string& advice = kGetIntactCopy) {
    throw Error(ErrorCode::input, "Cannot open '" + path + "'", why, advice);
}

/// Refuses a file that could not be opened, for the reason `number` of errno.
[[noreturn]] inline void refuseUnopened(const std::string& path, int number) {
    if (number == ENOENT) refuseFile(path, "the file does not exist", "Check the name");
    refuseFile(path, std::strerror(number), "Check its permissions");
}

/// What to do about an error of the system while writing.
inline const char* adviceOnWriting(int number) {
    switch (number) {
        case ENOSPC:
        case EDQUOT: return "Free some space or choose another folder";
        case ENAMETOOLONG: return "Choose a shorter name";
        case ELOOP: return "Choose another name";
        default: return "Choose another folder";
    }
}

}  // namespace parallax
