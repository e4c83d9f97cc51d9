// SPDX-License-Identifier: GPL-3.0-or-later
// Unknown orientation: a volume can have a spacing but no known orientation in the patient. Loaders record this in the metadata, which
// steps keep and the window shows.
#pragma once

#include <algorithm>

#include "core/image/image.hpp"

namespace parallax {

inline constexpr const char* kOrientationEntry = "orientation";
inline constexpr const char* kOrientationUnknown = "not known";

inline void setOrientationUnknown(Image& image) { image.metadata.push_back({kOrientationEntry, "string", kOrientationUnknown, {}}); }

/// Origin and direction come from the file. Otherwise they are a convention and only distances are meaningful.
inline bool orientationKnown(const Image& image) {
    return image.geometry && std::none_of(image.metadata.begin(), image.metadata.end(), [](const MetadataEntry& e) {
               return e.name == kOrientationEntry && e.text == kOrientationUnknown;
           });
}

}  // namespace parallax
