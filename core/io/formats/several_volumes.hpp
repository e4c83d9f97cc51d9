// SPDX-License-Identifier: GPL-3.0-or-later
// Files that hold several volumes, of which one is opened: FILE#N, from 0.
#pragma once

#include <cstdint>
#include <string>

#include "core/image/image.hpp"

namespace parallax {

/// The volume that what follows the '#' asks for: the first if that is empty. Throws Error(input) for one that is not there.
std::int64_t chosenVolume(const std::string& path, const std::string& choice, std::int64_t volumes);
/// Says in the image which one it is, and warns where nobody chose. `what` they are: "volumes", "values for each sample".
void noteVolume(Image& image, std::int64_t chosen, std::int64_t volumes, const std::string& choice, const char* what = "volumes");

}  // namespace parallax
