// SPDX-License-Identifier: GPL-3.0-or-later
// Samples can have distances without anybody knowing how they lie in the patient. Loaders say so among the metadata, which go with the
// image from step to step and are shown with it.
#pragma once

#include <algorithm>

#include "core/image/image.hpp"

namespace parallax {

inline constexpr const char* kOrientationEntry = "orientation";
inline constexpr const char* kOrientationUnknown = "not known";

inline void setOrientationUnknown(Image& image) { image.metadata.push_back({kOrientationEntry, "string", kOrientationUnknown, {}}); }

/// Do origin and direction come from the file? Else they are a convention, and only distances mean something.
inline bool orientationKnown(const Image& image) {
    return image.geometry && std::none_of(image.metadata.begin(), image.metadata.end(), [](const MetadataEntry& e) {
               return e.name == kOrientationEntry && e.text == kOrientationUnknown;
           });
}

}  // namespace parallax
