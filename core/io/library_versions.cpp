// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/library_versions.hpp"

#include <OpenEXRConfig.h>
#include <png.h>
#include <tiffio.h>
#include <zlib.h>

#include <opencv2/core/utility.hpp>

namespace parallax {

std::vector<LibraryVersion> libraryVersions() {
    std::vector<LibraryVersion> list{{"OpenEXR", OPENEXR_VERSION_STRING, "BSD-3-Clause"},
                                     {"libpng", png_get_libpng_ver(nullptr), "libpng-2.0"},
                                     {"libtiff", TIFFLIB_VERSION_STR, "libtiff"},
                                     {"OpenCV", cv::getVersionString(), "Apache-2.0"},
                                     {"zlib", zlibVersion(), "Zlib"}};
#ifdef PARALLAX_GDCM_VERSION
    list.push_back({"GDCM", PARALLAX_GDCM_VERSION, "BSD-3-Clause"});
#endif
#ifdef PARALLAX_NIFTI_VERSION
    list.push_back({"niftilib", PARALLAX_NIFTI_VERSION, "public domain"});
#endif
    return list;
}

}  // namespace parallax
