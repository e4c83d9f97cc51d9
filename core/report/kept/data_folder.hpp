// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace parallax {

/// $XDG_DATA_HOME/parallax/NAME, or ~/.local/share/parallax/NAME; empty without a home folder. The window uses the same folders.
std::string dataFolder(const std::string& name);
/// $XDG_CONFIG_HOME/parallax/NAME, or ~/.config/parallax/NAME; empty without a home folder.
std::string configurationFile(const std::string& name);
/// Creates a folder and those above it; false if that fails.
bool createFolder(const std::string& folder);

}  // namespace parallax
