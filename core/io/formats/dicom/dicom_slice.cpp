// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/formats/dicom/dicom_slice.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "core/image/error.hpp"
#include "core/io/codec/byte_source.hpp"
#include "core/io/formats/dicom/dicom_frames.hpp"
#include "core/io/limits.hpp"
#include "core/io/refuse.hpp"

namespace parallax {
namespace {

/// Describes an object without pixel data by its modality.
std::string withoutImage(const std::string& modality, const std::string& sopClass) {
    if (sopClass == "1.2.840.10008.1.3.10") return "it is a DICOMDIR, an index of other files";
    const std::pair<const char*, const char*> kinds[] = {
        {"RTSTRUCT", "an RT structure set"}, {"RTPLAN", "an RT plan"},   {"SR", "a structured report"}, {"PR", "a presentation state"},
        {"KO", "a key object selection"},    {"RWV", "a value mapping"}, {"REG", "a registration"}};
    for (const auto& [key, title] : kinds)
        if (modality == key) return std::string("it is ") + title + " and holds no image";
    return "it holds no image";
}

double dot(const double* a, const double* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

std::optional<std::array<double, 6>> orientationOf(const DicomHeader& h) {
    const std::vector<double> v = h.numbers(0x00200037);
    if (v.size() != 6) return std::nullopt;
    std::array<double, 6> o{};
    std::copy(v.begin(), v.end(), o.begin());
    for (const std::size_t start : {std::size_t{0}, std::size_t{3}}) {
        const double length = std::sqrt(dot(o.data() + start, o.data() + start));
        if (!(std::fabs(length - 1) < 0.01)) return std::nullopt;
        for (std::size_t i = start; i < start + 3; ++i) o[i] /= length;
    }
    if (!(std::fabs(dot(o.data(), o.data() + 3)) < 0.01)) return std::nullopt;
    return o;
}

void readSpacing(DicomSlice& s) {
    const auto usable = [](const std::vector<double>& v) { return v.size() >= 2 && v[0] > 0 && v[1] > 0 && v[0] < 1e6 && v[1] < 1e6; };
    std::vector<double> v = s.header.numbers(0x00280030);
    if (!usable(v)) {
        v = s.header.numbers(0x00181164);
        s.spacingOfDetector = usable(v);
    }
    s.spacingKnown = usable(v);
    // Stored as row spacing, then column spacing.
    if (s.spacingKnown) {
        s.pixelSpacing = {v[1], v[0]};
        return;
    }
    // Vertical size, then horizontal size (PS3.3 C.7.6.3.1.7).
    v = s.header.numbers(0x00280034);
    if (!usable(v)) return;
    s.aspect = v[0] / v[1];
    s.pixelSpacing = {1, s.aspect};
}

void readMeaning(DicomSlice& s) {
    const DicomHeader& h = s.header;
    const std::optional<double> doseGridScaling = h.number(0x3004000e);  // PS3.3 C.8.8.3
    s.rescale = {doseGridScaling.value_or(h.number(0x00281053).value_or(1)), h.number(0x00281052).value_or(0)};
    s.slopeWasZero = s.rescale.slope == 0;
    if (s.slopeWasZero) s.rescale.slope = 1;  // as in other viewers
    const std::string type = h.text(0x00281054);
    // CT without a rescale type has Hounsfield units (PS3.3 C.11.1.1.2); "US" (unspecified) has none, as in localizers.
    if (doseGridScaling) s.unit = h.text(0x30040002) == "GY" ? "Gy" : "";
    else if (!type.empty() && type != "US") s.unit = type;
    else if (s.modality == "CT" && type.empty() && h.has(0x00281052)) s.unit = "HU";
    else s.unit = h.text(0x00541001);
    const auto asStored = [&](DicomTag tag) -> std::optional<double> {
        const auto v = h.number(tag);
        if (!v) return std::nullopt;
        // Some writers store it with the wrong signedness.
        if (s.isSigned && *v > 32767 && s.bitsAllocated == 16) return *v - 65536;
        if (!s.isSigned && *v < 0 && s.bitsAllocated == 16) return *v + 65536;
        return v;
    };
    s.padding = asStored(0x00280120);
    s.paddingLimit = asStored(0x00280121);
    const std::vector<double> centres = h.numbers(0x00281050), widths = h.numbers(0x00281051);
    for (std::size_t i = 0; i < std::min(centres.size(), widths.size()); ++i)
        if (widths[i] > 0) s.windows.push_back({h.text(0x00281055, i), centres[i], widths[i]});
}

/// Shifts the used bits of each sample down and extends their sign, in place.
template <class T>
void useBits(std::uint8_t* bytes, std::size_t n, int stored, int high, bool isSigned, bool swapped) {
    using Unsigned = std::make_unsigned_t<T>;
    constexpr int kWidth = 8 * static_cast<int>(sizeof(T));
    const int up = kWidth - 1 - high, down = kWidth - stored;
    for (std::size_t i = 0; i < n; ++i) {
        Unsigned u;
        std::memcpy(&u, bytes + i * sizeof(T), sizeof(T));
        if constexpr (sizeof(T) == 2) u = swapped ? __builtin_bswap16(u) : u;
        if constexpr (sizeof(T) == 4) u = swapped ? __builtin_bswap32(u) : u;
        u = static_cast<Unsigned>(u << up);
        u = isSigned ? static_cast<Unsigned>(static_cast<T>(u) >> down) : static_cast<Unsigned>(u >> down);
        std::memcpy(bytes + i * sizeof(T), &u, sizeof(T));
    }
}

StoredType typeOf(int bytes, bool isSigned) {
    if (bytes == 1) return isSigned ? StoredType::int8 : StoredType::uint8;
    if (bytes == 2) return isSigned ? StoredType::int16 : StoredType::uint16;
    return isSigned ? StoredType::int32 : StoredType::uint32;
}

/// Checks samples per pixel and photometric interpretation.
void checkColours(DicomSlice& s, std::int64_t samples) {
    const std::string& p = s.photometric;
    if (p.empty()) refuseFile(s.path, "its header has no photometric interpretation");
    // Decoders of JPEG 2000 turn the last two into RGB.
    const bool three = p == "RGB" || p == "YBR_FULL" || p == "YBR_FULL_422" || p == "YBR_RCT" || p == "YBR_ICT";
    const bool one = p == "MONOCHROME1" || p == "MONOCHROME2" || p == "PALETTE COLOR";
    if (!(samples == 3 && three) && !(samples == 1 && one))
        refuseFile(s.path,
                   "its samples are '" + p + "' with " + std::to_string(samples) +
                       " per pixel; grey, RGB, YBR_FULL, YBR_FULL_422 and PALETTE COLOR are supported",
                   "Convert it to PNG");
    s.samplesPerPixel = static_cast<int>(samples);
}

/// Reads the attributes that all frames of a file share.
DicomSlice readCommon(const std::string& path, const LoadOptions& options) {
    DicomSlice s;
    s.path = path;
    s.header = DicomHeader::read(path, options);
    const DicomHeader& h = s.header;
    const auto integer = [&](DicomTag tag, double otherwise) {
        const double v = h.number(tag).value_or(otherwise);
        return v > -1e15 && v < 1e15 ? static_cast<std::int64_t>(v) : std::int64_t{0};
    };
    s.modality = h.text(0x00080060);
    if (!h.pixels()) refuseFile(path, withoutImage(s.modality, h.text(0x00080016)), "Give an image, or a folder with a series of them");
    s.seriesUid = h.text(0x0020000e);
    s.instanceUid = h.text(0x00080018);
    s.photometric = h.text(0x00280004);
    s.seriesNumber = integer(0x00200011, 0);
    s.instanceNumber = integer(0x00200013, 0);
    if (h.has(0x00280008)) {
        s.frames = integer(0x00280008, -1);
        if (s.frames < 0) refuseFile(path, "its number of frames '" + h.text(0x00280008) + "' is not a number");
        s.frames = std::max<std::int64_t>(1, s.frames);
    }
    s.width = integer(0x00280011, 0);
    s.height = integer(0x00280010, 0);
    if (s.width <= 0 || s.height <= 0) refuseFile(path, "its header has no size");
    checkColours(s, integer(0x00280002, 1));
    s.planar = s.samplesPerPixel == 3 && integer(0x00280006, 0) == 1;
    s.bitsAllocated = static_cast<int>(std::clamp<std::int64_t>(integer(0x00280100, 0), 0, 1000));
    s.bitsStored = static_cast<int>(std::clamp<std::int64_t>(integer(0x00280101, s.bitsAllocated), 0, 1000));
    s.highBit = static_cast<int>(std::clamp<std::int64_t>(integer(0x00280102, s.bitsStored - 1), -1, 1000));
    s.isSigned = integer(0x00280103, 0) == 1;
    if (s.bitsAllocated != 8 && s.bitsAllocated != 16 && s.bitsAllocated != 32)
        refuseFile(path, "its samples have " + std::to_string(s.bitsAllocated) + " bits; 8, 16 and 32 are supported",
                   "Convert it to 16 bits");
    if (s.bitsStored < 1 || s.bitsStored > s.bitsAllocated || s.highBit < s.bitsStored - 1 || s.highBit >= s.bitsAllocated)
        refuseFile(path, "its header declares " + std::to_string(s.bitsStored) + " bits up to bit " + std::to_string(s.highBit) + " of " +
                             std::to_string(s.bitsAllocated));
    if (s.isColour() && (s.bitsAllocated > 16 || s.isSigned || s.highBit != s.bitsStored - 1))
        refuseFile(path, "its colours are not unsigned numbers of at most 16 bits", "Convert it to PNG");
    if (s.photometric == "YBR_FULL_422" && (s.width % 2 != 0 || s.bitsAllocated != 8))
        refuseFile(path, "its colours (YBR_FULL_422) need an even width and 8 bits");
    return s;
}

/// Reads the attributes that each frame may have for itself.
void readOwn(DicomSlice& s) {
    constexpr double kFarthest = 1e7;  // mm; larger positions are ignored
    const std::vector<double> p = s.header.numbers(0x00200032);
    s.position.reset();
    if (p.size() == 3 && std::all_of(p.begin(), p.end(), [](double v) { return std::fabs(v) < kFarthest; }))
        s.position = Vector3{p[0], p[1], p[2]};
    s.orientation = orientationOf(s.header);
    readSpacing(s);
    readMeaning(s);
}

/// Divides the pixel data among the frames. Throws Error(input) if they are too short.
std::vector<DicomPart> partsOf(const DicomSlice& common) {
    const DicomPixels& place = *common.header.pixels();
    const auto n = static_cast<std::uint64_t>(common.frames);
    if (n > kMaxFrames) refuseFile(common.path, "it declares more than " + std::to_string(kMaxFrames) + " frames");
    if (common.header.deflated() && place.encapsulated) refuseFile(common.path, "its deflated part holds compressed samples");
    if (place.encapsulated) {
        try {
            ByteSource file(common.path);
            return framesOfItems(
                place.length, [&](std::uint64_t from, void* to, std::size_t bytes) { return file.read(place.offset + from, to, bytes); },
                n);
        } catch (const Error& e) {
            refuseFile(common.path, e.why(), e.whatToDo());
        }
    }
    const std::uint64_t bytes = common.bytes();
    if (bytes > place.length / n)
        refuseFile(common.path, "its samples are truncated (expected " + std::to_string(n) + " frames of " + std::to_string(bytes) +
                                    " bytes, found " + std::to_string(place.length) + " bytes)");
    if (common.header.bigEndian() && common.bitsAllocated == 8 && place.words && bytes % 2 != 0)
        refuseFile(common.path, "its frames begin within 16-bit words, which is not supported", "Convert it to Explicit VR Little Endian");
    std::vector<DicomPart> parts(n);
    for (std::uint64_t i = 0; i < n; ++i) parts[i] = {i * bytes, bytes};
    return parts;
}

/// Distances of the frames of an RT dose from the first one, in mm (PS3.3 C.8.8.3.2); empty if there are none.
std::vector<double> frameOffsets(const DicomSlice& common) {
    std::vector<double> offsets = common.header.numbers(0x3004000c);
    if (offsets.size() != static_cast<std::size_t>(common.frames) || offsets.front() != 0) offsets.clear();
    return offsets;
}

}  // namespace

Vector3 DicomSlice::normal() const {
    if (!orientation) return {0, 0, 1};
    const auto& o = *orientation;
    return {o[1] * o[5] - o[2] * o[4], o[2] * o[3] - o[0] * o[5], o[0] * o[4] - o[1] * o[3]};
}

std::vector<DicomSlice> readDicomSlices(const std::string& path, const LoadOptions& options) {
    const DicomSlice common = readCommon(path, options);
    const auto n = static_cast<std::size_t>(common.frames);
    if (const std::size_t described = common.header.describedFrames(); described > 0 && described != n)
        refuseFile(path, "it has " + std::to_string(n) + " frames and describes " + std::to_string(described));
    std::vector<DicomPart> parts;
    if (n > 1) parts = partsOf(common);
    const std::vector<double> offsets = n > 1 ? frameOffsets(common) : std::vector<double>{};
    std::vector<DicomSlice> slices(n, common);
    for (std::size_t i = 0; i < n; ++i) {
        DicomSlice& s = slices[i];
        if (common.header.enhanced()) s.header = common.header.ofFrame(i);
        s.frame = static_cast<std::int64_t>(i);
        readOwn(s);
        if (n == 1) break;
        s.part = parts[i];
        if (!offsets.empty() && s.position) {
            const Vector3 normal = s.normal();
            for (std::size_t k = 0; k < 3; ++k) (*s.position)[k] += offsets[i] * normal[k];
        } else if (common.header.describedFrames() == 0) {
            s.position.reset();  // that of the first frame
        }
    }
    return slices;
}

std::vector<std::uint8_t> readDicomPixels(const DicomSlice& s, const LoadOptions& options) {
    if (s.frames == 1) return s.header.readPixels(options);
    std::vector<std::uint8_t> bytes = s.header.readPixels(s.part.offset, s.part.length, options);
    if (s.header.pixels()->encapsulated) bytes.insert(bytes.begin(), {0xfe, 0xff, 0x00, 0xe0, 0, 0, 0, 0});  // an empty offset table
    return bytes;
}

void checkDicomLength(const DicomSlice& s) {
    const DicomPixels& place = *s.header.pixels();
    if (s.frames > 1 || !isUncompressed(s.header.transferSyntax()) || place.encapsulated || place.length >= s.bytes()) return;
    refuseFile(s.path,
               "its samples are truncated (expected " + std::to_string(s.bytes()) + " bytes, found " + std::to_string(place.length) + ")");
}

SampleCounts readDicomSamples(const DicomSlice& s, float* to, const LoadOptions& options) {
    checkDicomLength(s);
    const auto n = static_cast<std::size_t>(s.width * s.height);
    const std::string& ts = s.header.transferSyntax();
    const DicomPixels& place = *s.header.pixels();
    DecodedFrame frame;
    int stored = s.bitsStored, high = s.highBit;
    bool swapped = false;
    try {
        if (isUncompressed(ts)) {
            frame.bytesPerSample = s.bitsAllocated / 8;
            if (place.encapsulated)
                throw Error(ErrorCode::input, "", "its samples are compressed, but its transfer syntax is " + nameOfTransferSyntax(ts));
            frame.bytes = readDicomPixels(s, options);
            swapped = s.header.bigEndian();
            if (swapped && s.bitsAllocated == 8 && place.words)
                for (std::size_t i = 0; i + 1 < frame.bytes.size(); i += 2) std::swap(frame.bytes[i], frame.bytes[i + 1]);
        } else {
            if (!place.encapsulated)
                throw Error(ErrorCode::input, "",
                            nameOfTransferSyntax(ts) == ts
                                ? "its transfer syntax " + ts + " is not supported"
                                : "its samples are uncompressed, but its transfer syntax is " + nameOfTransferSyntax(ts));
            frame = decodeFrame({ts, s.width, s.height, s.bitsAllocated}, readDicomPixels(s, options));
            // A stream may have more bits than the header declares, or fewer than it allocates.
            stored = std::min(std::max(stored, frame.bits == s.bitsAllocated ? stored : frame.bits), 8 * frame.bytesPerSample);
            high = std::max(std::min(high, 8 * frame.bytesPerSample - 1), stored - 1);
        }
    } catch (const Error& e) {
        throw Error(e.code(), "Cannot open '" + s.path + "'", e.why(), e.whatToDo().empty() ? kGetIntactCopy : e.whatToDo());
    }
    std::uint8_t* const bytes = frame.bytes.data();
    switch (frame.bytesPerSample) {
        case 1: useBits<std::int8_t>(bytes, n, stored, high, s.isSigned, false); break;
        case 2: useBits<std::int16_t>(bytes, n, stored, high, s.isSigned, swapped); break;
        default: useBits<std::int32_t>(bytes, n, stored, high, s.isSigned, swapped); break;
    }
    SampleCounts counts;
    counts.inexact = toFloat(typeOf(frame.bytesPerSample, s.isSigned), false, bytes, n, s.rescale, to);
    if (!s.padding) return counts;
    const double a = *s.padding * s.rescale.slope + s.rescale.intercept;
    const double b = s.paddingLimit.value_or(*s.padding) * s.rescale.slope + s.rescale.intercept;
    const auto low = static_cast<float>(std::min(a, b)), top = static_cast<float>(std::max(a, b));
    for (std::size_t i = 0; i < n; ++i) counts.padding += to[i] >= low && to[i] <= top;
    return counts;
}

StoredType storedTypeOf(const DicomSlice& s) { return typeOf(s.bitsAllocated / 8, s.isSigned); }

}  // namespace parallax
