// SPDX-License-Identifier: GPL-3.0-or-later
// Parts, layers and views of an OpenEXR file: FILE#PART[.LAYER], FILE#LAYER, FILE#VIEW.
#pragma once

#include <string>
#include <vector>

namespace parallax {

struct ExrChoice {
    std::string choice;       ///< text after '#'
    std::string description;  ///< "part 1, 640 x 480, R G B A", "layer, R G B"
};
/// What can be chosen of a file; empty if it has one part without layers. At most kMaxEntries. Throws Error(input).
std::vector<ExrChoice> exrChoices(const std::string& path);

}  // namespace parallax
