// SPDX-License-Identifier: GPL-3.0-or-later
extern "C" {
#include <nifti2_io.h>
}

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "core/image/error.hpp"
#include "core/image/orientation.hpp"
#include "core/io/codec/byte_source.hpp"
#include "core/io/codec/gzip.hpp"
#include "core/io/codec/stored_samples.hpp"
#include "core/io/codec/text.hpp"
#include "core/io/formats.hpp"
#include "core/io/formats/nifti/nifti.hpp"
#include "core/io/formats/several_volumes.hpp"
#include "core/io/limits.hpp"
#include "core/io/refuse.hpp"

namespace parallax {
namespace {

namespace fs = std::filesystem;

/// Checked fields of the header: none can cause large allocations or reads outside the file.
struct NiftiHeader {
    std::string path, samplesPath;
    bool swapped = false, pair = false, compressed = false;
    int version = 1;
    std::array<std::int64_t, 8> dim{};
    StoredType type = StoredType::float32;
    std::uint64_t offset = 0;
    std::unique_ptr<nifti_image, void (*)(nifti_image*)> nim{nullptr, nifti_image_free};
};

template <class T>
T swapIf(bool swap, T v) {
    if (!swap) return v;
    auto bytes = std::bit_cast<std::array<std::uint8_t, sizeof(T)>>(v);
    std::reverse(bytes.begin(), bytes.end());
    return std::bit_cast<T>(bytes);
}

StoredType typeOf(const std::string& path, int datatype) {
    switch (datatype) {
        case DT_UINT8: return StoredType::uint8;
        case DT_INT8: return StoredType::int8;
        case DT_INT16: return StoredType::int16;
        case DT_UINT16: return StoredType::uint16;
        case DT_INT32: return StoredType::int32;
        case DT_UINT32: return StoredType::uint32;
        case DT_INT64: return StoredType::int64;
        case DT_UINT64: return StoredType::uint64;
        case DT_FLOAT32: return StoredType::float32;
        case DT_FLOAT64: return StoredType::float64;
        case DT_BINARY: refuseFile(path, "its samples are single bits, which is not supported", "Convert them to uint8");
        case DT_COMPLEX64:
        case DT_COMPLEX128:
        case DT_COMPLEX256: refuseFile(path, "its samples are complex, which is not supported", "Save their magnitude");
        case DT_RGB24:
        case DT_RGBA32: refuseFile(path, "its samples are colours, which is not supported", "Save one channel");
        case DT_FLOAT128: refuseFile(path, "its samples are 128-bit floats, which is not supported", "Convert them to float32");
        default: refuseFile(path, "its header names the unknown sample type " + std::to_string(datatype));
    }
}

/// Checks before niftilib is called, since its own checks print on the terminal.
template <class Header>
void decodeHeader(NiftiHeader& h, Header raw) {
    const bool swap = h.swapped;
    for (std::size_t i = 0; i < 8; ++i) h.dim[i] = static_cast<std::int64_t>(swapIf(swap, raw.dim[i]));
    if (h.dim[0] < 1 || h.dim[0] > 7) refuseFile(h.path, "its header has " + std::to_string(h.dim[0]) + " dimensions");
    for (std::size_t i = 1; i < 8; ++i) {
        if (static_cast<std::int64_t>(i) > h.dim[0]) h.dim[i] = 1;
        // Some writers store an extent of 0 for unused dimensions beyond the third.
        if (i > 3 && h.dim[i] == 0) h.dim[i] = 1;
        if (h.dim[i] < 1)
            refuseFile(h.path, "dimension " + std::to_string(i) + " of its header has the extent " + std::to_string(h.dim[i]));
    }
    h.type = typeOf(h.path, swapIf(swap, raw.datatype));
    const auto offset = static_cast<double>(swapIf(swap, raw.vox_offset));
    const double least = h.pair ? 0 : static_cast<double>(sizeof(Header));
    if (!(offset >= 0 && offset < 1e15)) refuseFile(h.path, "the offset of the samples in its header is outside the file");
    h.offset = static_cast<std::uint64_t>(std::max(offset, least));
    raw.vox_offset = swapIf(swap, static_cast<decltype(raw.vox_offset)>(sizeof(Header) + 4));  // ours is used
    for (std::size_t i = 0; i < 8; ++i)
        raw.dim[i] =
            swapIf(swap, static_cast<std::remove_reference_t<decltype(raw.dim[i])>>(i == 0 ? 3 : std::min<std::int64_t>(h.dim[i], 2)));
    if constexpr (sizeof(Header) == sizeof(nifti_1_header)) h.nim.reset(nifti_convert_n1hdr2nim(raw, nullptr));
    else h.nim.reset(nifti_convert_n2hdr2nim(raw, nullptr));
    if (!h.nim) refuseFile(h.path, "its header is invalid");
}

std::string otherHalf(const std::string& path, const char* from, const char* to) {
    std::string other = path;
    const auto at = other.rfind(from);
    if (at != std::string::npos) other.replace(at, std::strlen(from), to);
    return other;
}

NiftiHeader readHeader(const std::string& given) {
    NiftiHeader h;
    h.path = given;
    std::error_code error;
    if (given.ends_with(".img") || given.ends_with(".img.gz")) {
        // The header of a pair is in the other file.
        for (const std::string& other : {otherHalf(given, ".img", ".hdr"), otherHalf(given, ".img.gz", ".hdr")})
            if (other != given && fs::exists(other, error)) {
                h.path = other;
                break;
            }
    }
    std::array<std::uint8_t, sizeof(nifti_2_header)> head{};
    GzipReader file(h.path);
    const std::size_t n = file.read(head.data(), head.size(), true);
    std::int32_t size = 0;
    if (n >= 4) std::memcpy(&size, head.data(), 4);
    h.swapped = size != 348 && size != 540;
    size = swapIf(h.swapped, size);
    if ((size != 348 && size != 540) || n < static_cast<std::size_t>(size))
        refuseFile(given, "it has no NIfTI header: its first number is neither 348 nor 540", "Check that it is a NIfTI file");
    h.version = size == 348 ? 1 : 2;
    const char* const magic = reinterpret_cast<const char*>(head.data()) + (h.version == 1 ? 344 : 4);
    const char number = h.version == 1 ? '1' : '2';
    if (magic[0] != 'n' || (magic[1] != '+' && magic[1] != 'i') || magic[2] != number || magic[3] != 0)
        refuseFile(given,
                   h.version == 1 ? "it is an Analyze 7.5 file, or damaged: NIfTI's signature is missing" : "NIfTI's signature is damaged",
                   "Convert it to NIfTI");
    h.pair = magic[1] == 'i';
    if (h.version == 1) {
        nifti_1_header raw;
        std::memcpy(&raw, head.data(), sizeof(raw));
        decodeHeader(h, raw);
    } else {
        nifti_2_header raw;
        std::memcpy(&raw, head.data(), sizeof(raw));
        decodeHeader(h, raw);
    }
    h.samplesPath = h.path;
    if (h.pair) {
        if (h.path == given && given.ends_with(".nii"))
            refuseFile(given, "it is the header of a pair with the name of a single file", "Rename it to .hdr");
        h.samplesPath = otherHalf(h.path, ".hdr", ".img");
        if (!fs::exists(h.samplesPath, error) && fs::exists(h.samplesPath + ".gz", error)) h.samplesPath += ".gz";
        if (h.samplesPath == h.path || !fs::is_regular_file(h.samplesPath, error))
            refuseFile(given, "the file '" + fs::path(h.samplesPath).filename().string() + "' with its samples is missing",
                       "Keep both files in one folder");
    }
    std::array<std::uint8_t, 2> first{};
    (void)ByteSource(h.samplesPath).read(0, first.data(), 2);
    h.compressed = first[0] == 0x1f && first[1] == 0x8b;
    return h;
}

/// Transform from index to mm in RAS.
struct Transform {
    std::array<std::array<double, 4>, 3> m{};
};

Transform transformOf(const nifti_dmat44& from) {
    Transform t;
    for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t c = 0; c < 4; ++c) t.m[r][c] = from.m[r][c];
    return t;
}

bool usable(const Transform& t) {
    for (const auto& row : t.m)
        for (const double v : row)
            if (!(std::fabs(v) < 1e9)) return false;
    for (std::size_t c = 0; c < 3; ++c)
        if (!(std::hypot(t.m[0][c], t.m[1][c], t.m[2][c]) > 1e-9)) return false;
    return true;
}

/// Largest distance between two transforms at the corners of the volume.
double disagreement(const Transform& a, const Transform& b, const NiftiHeader& h) {
    double worst = 0;
    for (int corner = 0; corner < 8; ++corner) {
        std::array<double, 3> d{};
        for (std::size_t r = 0; r < 3; ++r) {
            d[r] = a.m[r][3] - b.m[r][3];
            for (std::size_t c = 0; c < 3; ++c)
                if (corner >> c & 1) d[r] += (a.m[r][c] - b.m[r][c]) * static_cast<double>(h.dim[c + 1] - 1);
        }
        worst = std::max(worst, std::hypot(d[0], d[1], d[2]));
    }
    return worst;
}

bool saysOrientation(const NiftiHeader& h) {
    return (h.nim->sform_code > 0 && usable(transformOf(h.nim->sto_xyz))) || (h.nim->qform_code > 0 && usable(transformOf(h.nim->qto_xyz)));
}

Geometry geometryOf(const NiftiHeader& h, std::vector<std::string>& warnings) {
    const nifti_image& n = *h.nim;
    std::array<double, 3> pixdim{};
    for (std::size_t i = 0; i < 3; ++i) {
        const double v = std::fabs(n.pixdim[i + 1]);
        pixdim[i] = v > 1e-9 && v < 1e9 ? v : 1;
        if (!(v > 1e-9 && v < 1e9)) warnings.push_back("The spacing of axis " + std::to_string(i + 1) + " is invalid; 1 mm is assumed");
    }
    const Transform s = transformOf(n.sto_xyz), q = transformOf(n.qto_xyz);
    const bool hasS = n.sform_code > 0 && usable(s), hasQ = n.qform_code > 0 && usable(q);
    Transform t;
    if (hasS) {
        t = s;
        if (const double d = hasQ ? disagreement(s, q, h) : 0; d > 0.1)
            warnings.push_back("The two orientations in the header (sform and qform) differ by up to " + std::to_string(d) +
                               " mm; sform is used");
    } else if (hasQ) {
        t = q;
    } else {
        // Convention of Analyze, as in other readers: x to the left, origin in the centre.
        for (std::size_t i = 0; i < 3; ++i) {
            t.m[i][i] = i == 0 ? -pixdim[i] : pixdim[i];
            t.m[i][3] = -t.m[i][i] * static_cast<double>(h.dim[i + 1] - 1) / 2;
        }
        warnings.emplace_back("The header has no orientation; x to the left and the origin in the centre are assumed");
    }
    const double scale = n.xyz_units == NIFTI_UNITS_METER ? 1000 : n.xyz_units == NIFTI_UNITS_MICRON ? 1e-3 : 1;
    Geometry g;
    for (std::size_t c = 0; c < 3; ++c) {
        const double norm = std::hypot(t.m[0][c], t.m[1][c], t.m[2][c]);
        // The number in the header if both agree up to the rounding of the matrix.
        const double spacing = std::fabs(norm - pixdim[c]) <= 1e-5 * pixdim[c] ? pixdim[c] : norm;
        g.spacing[c] = spacing * scale;
        for (std::size_t r = 0; r < 3; ++r) {
            const double v = (r < 2 ? -1 : 1) * t.m[r][c] / norm;  // RAS to LPS
            g.direction[3 * r + c] = v == 0 ? 0 : v;
        }
    }
    for (std::size_t r = 0; r < 3; ++r) {
        const double v = (r < 2 ? -1 : 1) * t.m[r][3] * scale;
        g.origin[r] = v == 0 ? 0 : v;
    }
    return g;
}

/// Reads one volume from an inflated stream.
void readCompressed(const NiftiHeader& h, std::uint64_t from, const Rescale& rescale, Image& image, const LoadOptions& options) {
    GzipReader file(h.samplesPath);
    file.skip(from, options);
    StoredStream stream{h.type, h.swapped, rescale};
    stream.read = [&](void* to, std::size_t bytes) { (void)file.read(to, bytes); };
    stream.position = [&] { return file.position(); };
    readStoredStream(stream, image, options);
    // Reads to the end to verify the checksum.
    std::uint8_t beyond = 0;
    (void)file.read(&beyond, 1, true);
}

void addMetadata(Image& image, const NiftiHeader& h, const Rescale& rescale) {
    const nifti_image& n = *h.nim;
    const auto add = [&](const char* name, const std::string& text) { image.metadata.push_back({name, "string", text, {}}); };
    add("version", std::to_string(h.version));
    add("qform", nifti_xform_string(n.qform_code));
    add("sform", nifti_xform_string(n.sform_code));
    add("units", nifti_units_string(n.xyz_units));
    if (!(rescale == Rescale{})) {
        add("scl_slope", std::to_string(rescale.slope));
        add("scl_inter", std::to_string(rescale.intercept));
    }
}

class NiftiLoader final : public Loader {
public:
    std::string format() const override { return "NIfTI"; }
    std::vector<std::string> extensions() const override { return {"nii", "nii.gz", "img"}; }
    bool recognises(std::span<const std::uint8_t> head, const std::string& path) const override {
        const auto has = [&](std::size_t at, const char* text) {
            return head.size() >= at + 4 && std::memcmp(head.data() + at, text, 3) == 0 && head[at + 3] == 0;
        };
        if (has(344, "n+1") || has(344, "ni1") || has(4, "n+2") || has(4, "ni2")) return true;
        const std::string lower = lowerExtension(path);
        return lower == "nii" || lower == "nii.gz" || lower == "img" || lower == "img.gz" || lower == "hdr.gz";
    }

    Image load(const std::string& path, const LoadOptions& options) const override { return loadVolume(path, {}, options); }
    Image loadChosen(const std::string& path, const std::string& choice, const LoadOptions& options) const override {
        return loadVolume(path, choice, options);
    }

private:
    static Image loadVolume(const std::string& path, const std::string& choice, const LoadOptions& options) {
        const NiftiHeader h = readHeader(path);
        // Extents are below 2^63, their product may not be.
        std::int64_t volumes = 1;
        for (std::size_t i = 4; i < 8; ++i)
            if (__builtin_mul_overflow(volumes, h.dim[i], &volumes))
                refuseFile(path, "its header declares more samples than 64 bits can count");
        const std::int64_t chosen = chosenVolume(path, choice, volumes);
        const Shape shape{h.dim[1], h.dim[2], h.dim[3], 1};
        const std::uint64_t fileBytes = fs::file_size(h.samplesPath);
        checkPlausible(path, shape, fileBytes, h.compressed ? kDeflateRatio : 4);
        const std::uint64_t bytes = static_cast<std::uint64_t>(shape.samples()) * bytesOf(h.type);
        std::uint64_t before = 0, end = 0;
        if (__builtin_mul_overflow(bytes, static_cast<std::uint64_t>(chosen), &before) ||
            __builtin_add_overflow(before, h.offset, &before) || __builtin_add_overflow(before, bytes, &end) ||
            (!h.compressed && end > fileBytes))
            refuseFile(path, "its header declares " + std::to_string(end) + " bytes and the file has " + std::to_string(fileBytes));
        const double slope = h.nim->scl_slope, inter = h.nim->scl_inter;
        // A slope of 0 means none.
        const Rescale rescale = slope != 0 && std::isfinite(slope) ? Rescale{slope, std::isfinite(inter) ? inter : 0} : Rescale{};

        Image image{Buffer(shape)};
        image.source.format = h.version == 1 ? "NIfTI-1" : "NIfTI-2";
        image.geometry = geometryOf(h, image.source.warnings);
        if (h.compressed) readCompressed(h, before, rescale, image, options);
        else readStoredBlock(h.samplesPath, {h.type, h.swapped, before, rescale}, image, options);
        noteVolume(image, chosen, volumes, choice);
        if (h.nim->cal_max > h.nim->cal_min)
            image.source.windows.push_back({"", (h.nim->cal_max + h.nim->cal_min) / 2, h.nim->cal_max - h.nim->cal_min});
        if (!saysOrientation(h)) setOrientationUnknown(image);
        addMetadata(image, h, rescale);
        // Free text may name the patient.
        const auto personal = [&](const char* name, const char* text, std::size_t most) {
            if (options.patientData && text[0]) image.source.personal.push_back({name, "string", toUtf8({text, strnlen(text, most)}), {}});
        };
        personal("descrip", h.nim->descrip, sizeof(h.nim->descrip));
        personal("aux_file", h.nim->aux_file, sizeof(h.nim->aux_file));
        personal("intent_name", h.nim->intent_name, sizeof(h.nim->intent_name));
        return image;
    }
};

}  // namespace

std::unique_ptr<Loader> makeNiftiLoader() { return std::make_unique<NiftiLoader>(); }

}  // namespace parallax
