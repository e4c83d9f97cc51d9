// SPDX-License-Identifier: GPL-3.0-or-later
// The folder of real files, which the repository does not carry: PARALLAX_TEST_DATA, or the default of the build.
#pragma once

#include <cstdlib>
#include <string>

namespace parallax::test {

inline std::string testDataFolder() {
    const char* path = std::getenv("PARALLAX_TEST_DATA");
    return path && *path ? path : PARALLAX_DEFAULT_TEST_DATA;
}

}  // namespace parallax::test
