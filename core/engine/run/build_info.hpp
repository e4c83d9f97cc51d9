// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace parallax {

/// How this library was built. `stamp` must be equal in a program and its plug-ins.
struct BuildInfo {
    std::string version, git, buildType, compiler, flags, stamp, sanitizers;
    bool optimised() const { return buildType != "Debug" && sanitizers.empty(); }
};
const BuildInfo& buildInfo();

}  // namespace parallax
