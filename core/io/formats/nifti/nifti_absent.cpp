// SPDX-License-Identifier: GPL-3.0-or-later
// Replaces nifti_read.cpp and nifti_write.cpp if niftilib was not found.
#include <cstring>

#include "core/image/error.hpp"
#include "core/io/formats.hpp"
#include "core/io/formats/nifti/nifti.hpp"
#include "core/io/refuse.hpp"

namespace parallax {
namespace {

class NiftiRefuser final : public Loader {
public:
    std::string format() const override { return "NIfTI"; }
    std::vector<std::string> extensions() const override { return {}; }
    bool recognises(std::span<const std::uint8_t> head, const std::string& path) const override {
        return path.ends_with(".nii") || path.ends_with(".nii.gz") ||
               (head.size() >= 348 && (std::memcmp(head.data() + 344, "n+1", 3) == 0 || std::memcmp(head.data() + 344, "ni1", 3) == 0));
    }
    Image load(const std::string& path, const LoadOptions&) const override {
        refuseFile(path, "NIfTI is not supported: " + whyNoNifti(), "Install libnifti2-dev and build again");
    }
};

}  // namespace

bool hasNifti() { return false; }
std::string whyNoNifti() { return "this build has no niftilib (Debian package libnifti2-dev)"; }

std::unique_ptr<Loader> makeNiftiLoader() { return std::make_unique<NiftiRefuser>(); }

void writeNifti(const Image&, AtomicFile&, bool, const SaveOptions&, std::vector<std::string>&) {
    throw Error(ErrorCode::usage, "Cannot write NIfTI files", whyNoNifti(), "Install libnifti2-dev and build again, or save as .raw");
}

}  // namespace parallax
