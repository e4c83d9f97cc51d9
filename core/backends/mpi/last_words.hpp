// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace parallax {

/// Why ranks have ended, as their launcher or a rank wrote it.
struct LastWords {
    std::string text;     ///< one line; empty if nothing was written
    std::string advice;   ///< what to do about it; empty if unknown
    bool ofRank = false;  ///< a rank wrote it
    std::string lost;     ///< "rank 2 on node7", if the launcher says that it was killed or has crashed
};
LastWords lastWordsOf(const std::string& output);

}  // namespace parallax
