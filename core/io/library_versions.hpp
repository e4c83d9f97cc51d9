// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace parallax {

struct LibraryVersion {
    std::string name, version, licence;  ///< licence as an SPDX identifier
};
/// Libraries that read and write files, with the version of the loaded library where it reports one, else of its headers.
std::vector<LibraryVersion> libraryVersions();

}  // namespace parallax
