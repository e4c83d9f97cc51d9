// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace parallax::app {

/// What --version prints: version and build of `program`, backends with compilers and runtimes, libraries.
std::string versionText(const std::string& program);

}  // namespace parallax::app
