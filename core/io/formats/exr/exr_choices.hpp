// SPDX-License-Identifier: GPL-3.0-or-later
// Parts, layers and views of an OpenEXR file: FILE#PART[.LAYER], FILE#LAYER, FILE#VIEW.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace parallax {

enum class ExrChoiceKind : std::uint8_t { part, layer, view };

struct ExrChoice {
    std::string choice;       ///< text after '#'
    std::string description;  ///< "part 1, 640 x 480, R G B A", "layer, R G B"
    ExrChoiceKind kind = ExrChoiceKind::part;
    int part = 0;                        ///< number of the part, from 0, that it is or belongs to
    std::int64_t width = 0, height = 0;  ///< data window of that part, pixels
    std::vector<std::string> channels;   ///< UTF-8, without the name of the layer or view
};
/// What can be chosen of a file; empty if it has one part without layers. At most kMaxEntries. Throws Error(input).
std::vector<ExrChoice> exrChoices(const std::string& path);

}  // namespace parallax
