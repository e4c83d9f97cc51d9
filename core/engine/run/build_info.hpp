// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace parallax {

/// Build of this library. A program and its plug-ins must have the same `stamp`.
struct BuildInfo {
    std::string version, git, buildType, compiler, flags, stamp, sanitizers;
    bool optimised() const { return buildType != "Debug" && sanitizers.empty(); }
};
const BuildInfo& buildInfo();

}  // namespace parallax
