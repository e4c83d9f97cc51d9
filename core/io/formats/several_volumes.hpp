// SPDX-License-Identifier: GPL-3.0-or-later
// Files that hold several volumes or pages, one of which is opened: FILE#N, from 0.
#pragma once

#include <cstdint>
#include <string>

#include "core/image/image.hpp"

namespace parallax {

/// Index of the volume that `choice`, the text after '#', names; 0 if it is empty. Throws Error(input) for an index out of range.
std::int64_t chosenVolume(const std::string& path, const std::string& choice, std::int64_t volumes, const std::string& what = "volume");
/// Sets SourceInfo::volume and volumes, and warns if there are several and `choice` is empty. `what`: "volumes", "pages".
void noteVolume(Image& image, std::int64_t chosen, std::int64_t volumes, const std::string& choice, const char* what = "volumes");

}  // namespace parallax
