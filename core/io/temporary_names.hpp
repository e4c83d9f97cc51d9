// SPDX-License-Identifier: GPL-3.0-or-later
// Files and folders that are being written, under hidden names.
#pragma once

#include <string>

namespace parallax {

/// Registers a file or a folder for removeUnfinishedFiles(). Thread-safe.
void addTemporaryName(const std::string& name);
void removeTemporaryName(const std::string& name);

/// A hidden name beside `target`, different for each call: ".name.PID-N.tmp". Shortened, since the name of the target may have the maximum
/// length.
std::string temporaryNameBeside(const std::string& target);

}  // namespace parallax
