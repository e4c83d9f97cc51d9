// SPDX-License-Identifier: GPL-3.0-or-later
#include "parallax/io/library_versions.hpp"

#include <OpenEXRConfig.h>
#include <png.h>

#include <opencv2/core/utility.hpp>

namespace parallax {

std::vector<LibraryVersion> libraryVersions() {
    return {{"OpenEXR", OPENEXR_VERSION_STRING, "BSD-3-Clause"},
            {"libpng", png_get_libpng_ver(nullptr), "libpng-2.0"},
            {"OpenCV", cv::getVersionString(), "Apache-2.0"}};
}

}  // namespace parallax
