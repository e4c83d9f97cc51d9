// SPDX-License-Identifier: GPL-3.0-or-later
// NIfTI-1 and -2: .nii, .nii.gz, and pairs of .hdr and .img. niftilib parses headers and orientations. Samples are read here, since
// niftilib reads all at once, cannot be cancelled and replaces NaN by 0.
extern "C" {
#include <nifti2_io.h>
}

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <memory>
#include <utility>

#include "core/io/codec/byte_source.hpp"
#include "core/io/codec/gzip.hpp"
#include "core/io/codec/text.hpp"
#include "core/io/formats.hpp"
#include "core/io/formats/described_volume.hpp"

namespace parallax {
namespace {

namespace fs = std::filesystem;

/// A volume whose header was checked: none of its fields can cause large allocations or reads outside the file.
struct NiftiVolume : DescribedVolume {
    bool swapped = false, pair = false;
    int version = 1;
    std::int64_t times = 1;               ///< extent of the fourth dimension
    double timeStep = 0, timeOffset = 0;  ///< in the time unit of the header
    std::unique_ptr<nifti_image, void (*)(nifti_image*)> nim{nullptr, nifti_image_free};
};

bool isGzip(const std::string& path) {
    std::array<std::uint8_t, 2> first{};
    return ByteSource(path).read(0, first.data(), 2) == 2 && startsWith(first, "\x1f\x8b");
}

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
void decodeHeader(NiftiVolume& v, Header raw) {
    const auto number = [&](auto stored) { return static_cast<std::int64_t>(swapIf(v.swapped, stored)); };
    const std::int64_t dimensions = number(raw.dim[0]);
    if (dimensions < 1 || dimensions > 7) refuseFile(v.path, "its header has " + std::to_string(dimensions) + " dimensions");
    std::array<std::int64_t, 8> dim{};
    for (std::size_t i = 1; i < 8; ++i) {
        dim[i] = static_cast<std::int64_t>(i) > dimensions ? 1 : number(raw.dim[i]);
        // Some writers store an extent of 0 for unused dimensions beyond the third.
        if (i > 3 && dim[i] == 0) dim[i] = 1;
        if (dim[i] < 1) refuseFile(v.path, "dimension " + std::to_string(i) + " of its header has the extent " + std::to_string(dim[i]));
        // Extents are below 2^63, their product may not be.
        if (i > 3 && __builtin_mul_overflow(v.volumes, dim[i], &v.volumes))
            refuseFile(v.path, "its header declares more samples than 64 bits can count");
    }
    v.shape = {dim[1], dim[2], dim[3], 1};
    v.times = dim[4];
    v.timeStep = static_cast<double>(swapIf(v.swapped, raw.pixdim[4]));
    v.timeOffset = static_cast<double>(swapIf(v.swapped, raw.toffset));
    v.type = typeOf(v.path, swapIf(v.swapped, raw.datatype));
    const auto offset = static_cast<double>(swapIf(v.swapped, raw.vox_offset));
    if (!(offset >= 0 && offset < 1e15)) refuseFile(v.path, "the offset of the samples in its header is outside the file");
    v.offset = static_cast<std::uint64_t>(std::max(offset, v.pair ? 0 : static_cast<double>(sizeof(Header))));
    // niftilib only gets values that are not used.
    raw.vox_offset = swapIf(v.swapped, static_cast<decltype(raw.vox_offset)>(sizeof(Header) + 4));
    for (std::size_t i = 0; i < 8; ++i)
        raw.dim[i] =
            swapIf(v.swapped, static_cast<std::remove_reference_t<decltype(raw.dim[i])>>(i == 0 ? 3 : std::min<std::int64_t>(dim[i], 2)));
    if constexpr (sizeof(Header) == sizeof(nifti_1_header)) v.nim.reset(nifti_convert_n1hdr2nim(raw, nullptr));
    else v.nim.reset(nifti_convert_n2hdr2nim(raw, nullptr));
    if (!v.nim) refuseFile(v.path, "its header is invalid");
}

template <class Header>
void decodeHeader(NiftiVolume& v, const std::uint8_t* bytes) {
    Header raw;
    std::memcpy(&raw, bytes, sizeof(raw));
    decodeHeader(v, raw);
}

std::string otherHalf(const std::string& path, const char* from, const char* to) {
    std::string other = path;
    const auto at = other.rfind(from);
    if (at != std::string::npos) other.replace(at, std::strlen(from), to);
    return other;
}

/// Returns the path of the file with the header, which is another one for a pair.
std::string headerPathOf(const std::string& given) {
    std::error_code error;
    if (given.ends_with(".img") || given.ends_with(".img.gz"))
        for (const std::string& other : {otherHalf(given, ".img", ".hdr"), otherHalf(given, ".img.gz", ".hdr")})
            if (other != given && fs::exists(other, error)) return other;
    return given;
}

std::string samplesPathOf(const std::string& given, const std::string& header, bool pair) {
    if (!pair) return header;
    if (header == given && given.ends_with(".nii"))
        refuseFile(given, "it is the header of a pair with the name of a single file", "Rename it to .hdr");
    std::error_code error;
    std::string samples = otherHalf(header, ".hdr", ".img");
    if (!fs::exists(samples, error) && fs::exists(samples + ".gz", error)) samples += ".gz";
    if (samples == header || !fs::is_regular_file(samples, error))
        refuseFile(given, "the file '" + fs::path(samples).filename().string() + "' with its samples is missing",
                   "Keep both files in one folder");
    return samples;
}

NiftiVolume readHeader(const std::string& given) {
    NiftiVolume v;
    v.path = given;
    v.mayEndEarly = true;
    const std::string headerPath = headerPathOf(given);
    std::array<std::uint8_t, sizeof(nifti_2_header)> head{};
    const std::size_t n = isGzip(headerPath) ? InflateReader(headerPath, 0).readSome(head.data(), head.size())
                                             : ByteSource(headerPath).read(0, head.data(), head.size());
    std::int32_t size = 0;
    std::memcpy(&size, head.data(), 4);
    v.swapped = size != 348 && size != 540;
    v.bigEndian = v.swapped != (std::endian::native == std::endian::big);
    size = swapIf(v.swapped, size);
    if ((size != 348 && size != 540) || n < static_cast<std::size_t>(size))
        refuseFile(given, "it has no NIfTI header: its first number is neither 348 nor 540", "Check that it is a NIfTI file");
    v.version = size == 348 ? 1 : 2;
    v.format = v.version == 1 ? "NIfTI-1" : "NIfTI-2";
    const std::string_view magic(reinterpret_cast<const char*>(head.data()) + (v.version == 1 ? 344 : 4), 4);
    const std::string number = std::to_string(v.version) + '\0';
    v.pair = magic == "ni" + number;
    if (!v.pair && magic != "n+" + number)
        refuseFile(given,
                   v.version == 1 ? "it is an Analyze 7.5 file, or damaged: NIfTI's signature is missing" : "NIfTI's signature is damaged",
                   "Convert it to NIfTI");
    if (v.version == 1) decodeHeader<nifti_1_header>(v, head.data());
    else decodeHeader<nifti_2_header>(v, head.data());
    v.samplesPath = samplesPathOf(given, headerPath, v.pair);
    v.compressed = isGzip(v.samplesPath);
    if (v.compressed) v.inflatedOffset = std::exchange(v.offset, 0);
    // A slope of 0 means none.
    const double slope = v.nim->scl_slope, intercept = v.nim->scl_inter;
    if (slope != 0 && std::isfinite(slope)) v.rescale = {slope, std::isfinite(intercept) ? intercept : 0};
    return v;
}

double columnLength(const nifti_dmat44& t, std::size_t c) { return std::hypot(t.m[0][c], t.m[1][c], t.m[2][c]); }

/// Whether a header names a transform from index to mm in RAS with valid numbers.
bool usable(int code, const nifti_dmat44& t) {
    for (std::size_t r = 0; r < 3; ++r)
        for (const double v : t.m[r])
            if (!(std::fabs(v) < 1e9)) return false;
    for (std::size_t c = 0; c < 3; ++c)
        if (!(columnLength(t, c) > 1e-9)) return false;
    return code > 0;
}

/// Largest distance between two transforms at the corners of the volume.
double disagreement(const nifti_dmat44& a, const nifti_dmat44& b, const Shape& shape) {
    const std::array<std::int64_t, 3> extents{shape.width, shape.height, shape.depth};
    double worst = 0;
    for (int corner = 0; corner < 8; ++corner) {
        std::array<double, 3> d{};
        for (std::size_t r = 0; r < 3; ++r) {
            d[r] = a.m[r][3] - b.m[r][3];
            for (std::size_t c = 0; c < 3; ++c)
                if (corner >> c & 1) d[r] += (a.m[r][c] - b.m[r][c]) * static_cast<double>(extents[c] - 1);
        }
        worst = std::max(worst, std::hypot(d[0], d[1], d[2]));
    }
    return worst;
}

/// Transform from index to mm in RAS. `spacing` is that of the header.
nifti_dmat44 transformOf(NiftiVolume& v, const std::array<double, 3>& spacing) {
    const nifti_image& n = *v.nim;
    const bool hasS = usable(n.sform_code, n.sto_xyz), hasQ = usable(n.qform_code, n.qto_xyz);
    v.oriented = hasS || hasQ;
    if (const double d = hasS && hasQ ? disagreement(n.sto_xyz, n.qto_xyz, v.shape) : 0; d > 0.1)
        v.warnings.push_back("The two orientations in the header (sform and qform) differ by up to " + std::to_string(d) +
                             " mm; sform is used");
    if (v.oriented) return hasS ? n.sto_xyz : n.qto_xyz;
    // Convention of Analyze, as in other readers: x to the left, origin in the centre.
    const std::array<std::int64_t, 3> extents{v.shape.width, v.shape.height, v.shape.depth};
    nifti_dmat44 t{};
    for (std::size_t i = 0; i < 3; ++i) {
        t.m[i][i] = i == 0 ? -spacing[i] : spacing[i];
        t.m[i][3] = -t.m[i][i] * static_cast<double>(extents[i] - 1) / 2;
    }
    v.warnings.emplace_back("The header has no orientation; x to the left and the origin in the centre are assumed");
    return t;
}

void takeGeometry(NiftiVolume& v) {
    for (std::size_t i = 0; i < 3; ++i) v.setSpacing(i, std::fabs(v.nim->pixdim[i + 1]));
    const std::array<double, 3> pixdim = v.geometry.spacing;
    const nifti_dmat44 t = transformOf(v, pixdim);
    const double scale = v.nim->xyz_units == NIFTI_UNITS_METER ? 1000 : v.nim->xyz_units == NIFTI_UNITS_MICRON ? 1e-3 : 1;
    // From RAS to LPS, without negative zeros.
    const auto lps = [](std::size_t row, double x) { return (row < 2 ? -x : x) + 0.0; };
    for (std::size_t c = 0; c < 3; ++c) {
        const double norm = columnLength(t, c);
        // The number in the header if both agree up to the rounding of the matrix.
        v.geometry.spacing[c] = scale * (std::fabs(norm - pixdim[c]) <= 1e-5 * pixdim[c] ? pixdim[c] : norm);
        for (std::size_t r = 0; r < 3; ++r) v.geometry.direction[3 * r + c] = lps(r, t.m[r][c] / norm);
    }
    for (std::size_t r = 0; r < 3; ++r) v.geometry.origin[r] = lps(r, t.m[r][3] * scale);
}

/// "7.5 s": the time of a volume; empty if the header does not tell.
std::string timeText(const NiftiVolume& v, std::int64_t volume) {
    const int unit = v.nim->time_units;
    const bool known = unit == NIFTI_UNITS_SEC || unit == NIFTI_UNITS_MSEC || unit == NIFTI_UNITS_USEC;
    const double time = v.timeOffset + static_cast<double>(volume % v.times) * v.timeStep;
    if (!known || v.times < 2 || !(v.timeStep > 0) || !std::isfinite(time)) return {};
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), time, std::chars_format::general, 6).ptr;
    return std::string(text.data(), end) + ' ' + nifti_units_string(unit);
}

void addMetadata(Image& image, const NiftiVolume& v) {
    const nifti_image& n = *v.nim;
    const auto add = [&](const char* name, const std::string& text) { image.metadata.push_back({name, "string", text, {}}); };
    add("version", std::to_string(v.version));
    add("qform", nifti_xform_string(n.qform_code));
    add("sform", nifti_xform_string(n.sform_code));
    add("units", nifti_units_string(n.xyz_units));
    if (const std::string time = timeText(v, image.source.volume); !time.empty()) add("time", time);
    if (v.rescale == Rescale{}) return;
    add("scl_slope", std::to_string(v.rescale.slope));
    add("scl_inter", std::to_string(v.rescale.intercept));
}

Image load(const std::string& path, const std::string& choice, const LoadOptions& options) {
    NiftiVolume v = readHeader(path);
    takeGeometry(v);
    Image image = loadDescribed(v, choice, options);
    const nifti_image& n = *v.nim;
    if (n.cal_max > n.cal_min) image.source.windows.push_back({"", (n.cal_max + n.cal_min) / 2, n.cal_max - n.cal_min});
    addMetadata(image, v);
    // Free text may name the patient.
    const auto personal = [&](const char* name, std::string_view field) {
        const std::string text = toUtf8(field);
        if (options.patientData && !text.empty()) image.source.personal.push_back({name, "string", text, {}});
    };
    personal("descrip", {n.descrip, sizeof(n.descrip)});
    personal("aux_file", {n.aux_file, sizeof(n.aux_file)});
    personal("intent_name", {n.intent_name, sizeof(n.intent_name)});
    return image;
}

}  // namespace

Loader niftiLoader() {
    return {"NIfTI",
            {"nii", "nii.gz", "img"},
            [](std::span<const std::uint8_t> head, const std::string& path) {
                using namespace std::string_view_literals;
                return startsWith(head, "n+1\0"sv, 344) || startsWith(head, "ni1\0"sv, 344) || startsWith(head, "n+2\0"sv, 4) ||
                       startsWith(head, "ni2\0"sv, 4) || hasExtension(path, {"nii", "nii.gz", "img", "img.gz", "hdr.gz"});
            },
            load,
            true};
}

}  // namespace parallax
