// SPDX-License-Identifier: GPL-3.0-or-later
extern "C" {
#include <nifti2_io.h>
}

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <utility>

#include "core/image/error.hpp"
#include "core/image/orientation.hpp"
#include "core/io/codec/gzip.hpp"
#include "core/io/formats.hpp"
#include "core/io/formats/packed_samples.hpp"

namespace parallax {
namespace {

/// Whether the axes are orthogonal, which a quaternion requires.
bool isRotation(const Geometry& g) {
    for (std::size_t a = 0; a < 3; ++a)
        for (std::size_t b = a + 1; b < 3; ++b) {
            double dot = 0;
            for (std::size_t row = 0; row < 3; ++row) dot += g.direction[3 * row + a] * g.direction[3 * row + b];
            if (std::fabs(dot) > 1e-4) return false;
        }
    return true;
}

/// Code of the coordinate space: that of the transform which the reader used, or scanner space.
int spaceOf(const Image& image) {
    for (const char* const transform : {"sform", "qform"})
        for (const MetadataEntry& e : image.metadata)
            if (e.name == transform)
                for (const int code : {NIFTI_XFORM_SCANNER_ANAT, NIFTI_XFORM_ALIGNED_ANAT, NIFTI_XFORM_TALAIRACH, NIFTI_XFORM_MNI_152})
                    if (e.text == nifti_xform_string(code)) return code;
    return NIFTI_XFORM_SCANNER_ANAT;
}

void setSpacing(nifti_image& n, const Geometry& g) {
    n.dx = n.pixdim[1] = g.spacing[0];
    n.dy = n.pixdim[2] = g.spacing[1];
    n.dz = n.pixdim[3] = g.spacing[2];
    n.xyz_units = NIFTI_UNITS_MM;
}

void setOrientation(nifti_image& n, const Geometry& g, int space) {
    nifti_dmat44 m{};
    m.m[3][3] = 1;
    for (std::size_t row = 0; row < 3; ++row) {
        // From LPS to RAS.
        const double sign = row < 2 ? -1 : 1;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const double v = sign * g.direction[3 * row + axis] * g.spacing[axis];
            m.m[row][axis] = v == 0 ? 0 : v;  // no -0
        }
        m.m[row][3] = sign * g.origin[row];
    }
    n.sto_xyz = m;
    n.sform_code = space;
    n.qfac = 1;
    if (isRotation(g)) {
        n.qform_code = space;
        double dx = 0, dy = 0, dz = 0;
        nifti_dmat44_to_quatern(m, &n.quatern_b, &n.quatern_c, &n.quatern_d, &n.qoffset_x, &n.qoffset_y, &n.qoffset_z, &dx, &dy, &dz,
                                &n.qfac);
    }
}

template <class Header>
std::vector<std::uint8_t> bytesOfHeader(const Header& header) {
    // Four zeros: no extensions.
    std::vector<std::uint8_t> bytes(sizeof(Header) + 4, 0);
    std::memcpy(bytes.data(), &header, sizeof(Header));
    return bytes;
}

std::vector<std::uint8_t> headerOf(const Image& image, int type, std::vector<std::string>& notes) {
    const Shape& s = image.shape();
    const std::int64_t dims[8] = {3, s.width, s.height, s.depth, 1, 1, 1, 1};
    const std::unique_ptr<nifti_image, void (*)(nifti_image*)> n(nifti_make_new_nim(dims, type, 0), nifti_image_free);
    if (!n) throw std::bad_alloc();
    n->scl_slope = 1;
    n->scl_inter = 0;
    std::strncpy(n->descrip, "Parallax", sizeof(n->descrip) - 1);
    if (image.geometry) {
        setSpacing(*n, *image.geometry);
        if (orientationKnown(image)) setOrientation(*n, *image.geometry, spaceOf(image));
        // qform and sform stay 0, unknown: with another code readers would trust axes that are only a convention.
        else
            notes.push_back("The orientation in the patient is unknown and was saved as such (qform and sform 0), with the voxel spacing" +
                            std::string(image.geometry->origin == Geometry{}.origin ? "" : "; the origin was not saved"));
        if (!image.geometry->slicePositions.empty())
            notes.push_back("The uneven slice distances were not saved; the file has their median, " +
                            std::to_string(image.geometry->spacing[2]) + " mm; .raw keeps them");
    }
    const bool large = std::max({s.width, s.height, s.depth}) > 32767;
    if (large) {
        notes.emplace_back("Saved as NIfTI-2, since a side has more than 32,767 samples");
        nifti_2_header header{};
        n->nifti_type = NIFTI_FTYPE_NIFTI2_1;
        n->iname_offset = sizeof(header) + 4;
        if (nifti_convert_nim2n2hdr(n.get(), &header) != 0) throw Error(ErrorCode::failed, "niftilib made no header");
        std::memcpy(header.magic, "n+2\0\r\n\032\n", sizeof(header.magic));
        return bytesOfHeader(header);
    }
    nifti_1_header header{};
    n->nifti_type = NIFTI_FTYPE_NIFTI1_1;
    n->iname_offset = sizeof(header) + 4;
    if (nifti_convert_nim2n1hdr(n.get(), &header) != 0) throw Error(ErrorCode::failed, "niftilib made no header");
    return bytesOfHeader(header);
}

}  // namespace

bool hasNifti() { return true; }
std::string whyNoNifti() { return {}; }

std::vector<NiftiType> niftiTypes(const Image& image, const SaveOptions& options) {
    if (options.depth == StoredDepth::automatic && storedAsSmallIntegers(image))
        return {NiftiType::int16, NiftiType::uint16, NiftiType::float32};
    return {NiftiType::float32};
}

std::vector<std::uint8_t> niftiHeader(const Image& image, NiftiType type, std::vector<std::string>& notes) {
    return headerOf(image, type == NiftiType::int16 ? DT_INT16 : type == NiftiType::uint16 ? DT_UINT16 : DT_FLOAT32, notes);
}

bool storeNifti(NiftiType type, const float* in, std::size_t count, void* out) {
    if (type == NiftiType::int16) return storeIntegers(in, count, static_cast<std::int16_t*>(out));
    if (type == NiftiType::uint16) return storeIntegers(in, count, static_cast<std::uint16_t*>(out));
    std::memcpy(out, in, count * sizeof(float));
    return true;
}

void writeNifti(const Image& image, AtomicFile& file, bool compressed, const SaveOptions& options, std::vector<std::string>& notes) {
    const PackedSamples samples = packSamples(image, options);
    const int type = samples.type == StoredType::int16 ? DT_INT16 : samples.type == StoredType::uint16 ? DT_UINT16 : DT_FLOAT32;
    const std::vector<std::uint8_t> head = headerOf(image, type, notes);
    if (compressed) return writeGzip(file, head, samples.bytes, options);
    file.write(head.data(), head.size());
    writePacked(samples, file, options);
}

}  // namespace parallax
