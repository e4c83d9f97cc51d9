// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/library_versions.hpp"

#include <OpenEXRConfig.h>
#include <png.h>
#include <tiffio.h>
#include <zlib.h>

#include "core/image/error.hpp"
#include "core/io/codec/deflate.hpp"
#include "core/io/formats/opencv/opencv_codec.hpp"

namespace parallax {
namespace {

std::string openCvVersion() {
    try {
        return openCvCodec().version;
    } catch (const Error&) {
        return "not available";
    }
}

/// Returns the number alone from "LIBTIFF, Version 4.5.0", which a copyright notice follows.
std::string tiffVersion() {
    const std::string text = TIFFLIB_VERSION_STR;
    const std::size_t first = text.find_first_of("0123456789");
    return first == std::string::npos ? text : text.substr(first, text.find_first_not_of("0123456789.", first) - first);
}

}  // namespace

std::vector<LibraryVersion> libraryVersions() {
    std::vector<LibraryVersion> list{{"OpenEXR", OPENEXR_VERSION_STRING, "BSD-3-Clause"},
                                     {"libpng", png_get_libpng_ver(nullptr), "libpng-2.0"},
                                     {"libtiff", tiffVersion(), "libtiff"},
                                     {"OpenCV", openCvVersion(), "Apache-2.0"},
                                     {"zlib", zlibVersion(), "Zlib"}};
    if (const std::string isal = isalVersion(); !isal.empty()) list.push_back({"ISA-L", isal, "BSD-3-Clause"});
#ifdef PARALLAX_GDCM_VERSION
    list.push_back({"GDCM", PARALLAX_GDCM_VERSION, "BSD-3-Clause"});
#endif
#ifdef PARALLAX_NIFTI_VERSION
    list.push_back({"niftilib", PARALLAX_NIFTI_VERSION, "public domain"});
#endif
    return list;
}

}  // namespace parallax
