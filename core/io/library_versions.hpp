// SPDX-License-Identifier: GPL-3.0-or-later
// What files are read and written with.
#pragma once

#include <string>
#include <vector>

namespace parallax {

struct LibraryVersion {
    std::string name, version, licence;  ///< licence as an SPDX identifier
};
/// Asked from the libraries that are loaded where they tell, else as compiled.
std::vector<LibraryVersion> libraryVersions();

}  // namespace parallax
