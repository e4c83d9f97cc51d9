// SPDX-License-Identifier: GPL-3.0-or-later
// Replaces nifti_read.cpp and nifti_write.cpp if niftilib was not found.
#include "core/image/error.hpp"
#include "core/io/formats.hpp"

namespace parallax {

bool hasNifti() { return false; }
std::string whyNoNifti() { return "this build has no niftilib (Debian package libnifti2-dev)"; }

Loader niftiLoader() {
    return {"NIfTI",
            {},
            [](std::span<const std::uint8_t> head, const std::string& path) {
                return hasExtension(path, {"nii", "nii.gz"}) || startsWith(head, "n+1", 344) || startsWith(head, "ni1", 344);
            },
            [](const std::string& path, const std::string&, const LoadOptions&) -> Image {
                refuseFile(path, "NIfTI is not supported: " + whyNoNifti(), "Install libnifti2-dev and build again");
            },
            true};
}

void writeNifti(const Image&, AtomicFile&, bool, const SaveOptions&, std::vector<std::string>&) {
    throw Error(ErrorCode::usage, "Cannot write NIfTI files", whyNoNifti(), "Install libnifti2-dev and build again, or save as .raw");
}

std::vector<NiftiType> niftiTypes(const Image&, const SaveOptions&) { return {NiftiType::float32}; }
std::vector<std::uint8_t> niftiHeader(const Image&, NiftiType, std::vector<std::string>&) {
    throw Error(ErrorCode::usage, "Cannot write NIfTI files", whyNoNifti(), "Install libnifti2-dev and build again, or save as .raw");
}
bool storeNifti(NiftiType, const float*, std::size_t, void*) { return false; }

}  // namespace parallax
