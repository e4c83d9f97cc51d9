// SPDX-License-Identifier: GPL-3.0-or-later
// NRRD ("nearly raw raster data", of Teem and 3D Slicer): .nrrd, and .nhdr with the samples in another file.
// Definition of the file format: teem.sourceforge.net/nrrd/format.html.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <utility>

#include "core/image/error.hpp"
#include "core/io/codec/byte_source.hpp"
#include "core/io/codec/text.hpp"
#include "core/io/formats.hpp"
#include "core/io/formats/described_volume.hpp"

namespace parallax {
namespace {

constexpr std::int64_t kMaxDimensions = 16;  // NRRD_DIM_MAX

struct Header {
    std::string path, version;
    std::map<std::string, std::string> fields;                ///< by lower-case names
    std::vector<std::pair<std::string, std::string>> others;  ///< keys with values, and comments: free text
    std::uint64_t end = 0;                                    ///< bytes up to the samples, if these follow

    const std::string* find(const char* name, const char* alternative = nullptr) const {
        auto it = fields.find(name);
        if (it == fields.end() && alternative) it = fields.find(alternative);
        return it == fields.end() ? nullptr : &it->second;
    }
    const std::string& need(const char* name) const {
        const std::string* const text = find(name);
        if (!text) refuseFile(path, std::string("its header has no '") + name + "'");
        return *text;
    }
};

Header readHeader(const std::string& path) {
    Header h;
    h.path = path;
    HeaderLines lines(path);
    const std::string magic = lines.next().value_or("");
    h.version = magic.size() == 8 && magic.starts_with("NRRD000") ? magic.substr(7) : "";
    if (h.version < "1" || h.version > "5")
        refuseFile(path, "it does not begin with NRRD0001 to NRRD0005", "Check that it is an NRRD file");
    while (const auto line = lines.next()) {
        if (line->empty()) break;
        if (line->front() == '#') {
            h.others.emplace_back("", std::string(trimmed(std::string_view(*line).substr(1))));
            continue;
        }
        // "field: value" or "key:=value", by the first colon.
        const std::size_t colon = line->find(':');
        if (colon == std::string::npos) refuseFile(path, "a line of its header is neither a field nor a key with a value");
        const std::string name = line->substr(0, colon);
        if (line->compare(colon, 2, ":=") == 0) {
            h.others.emplace_back(name, line->substr(colon + 2));
            continue;
        }
        const std::string value(trimmed(std::string_view(*line).substr(colon + 1)));
        if (!h.fields.emplace(lowerCase(trimmed(name)), value).second) refuseFile(path, "its header says '" + toUtf8(name) + "' twice");
        // Followed by one file name per line.
        if (lowerCase(name) == "data file" && lowerCase(value).starts_with("list")) break;
    }
    h.end = lines.position();
    return h;
}

StoredType typeOf(const Header& h) {
    static const std::map<std::string, StoredType> kNames{
        {"char", StoredType::int8},      {"int8", StoredType::int8},     {"uchar", StoredType::uint8},      {"uint8", StoredType::uint8},
        {"short", StoredType::int16},    {"int16", StoredType::int16},   {"ushort", StoredType::uint16},    {"uint16", StoredType::uint16},
        {"int", StoredType::int32},      {"int32", StoredType::int32},   {"uint", StoredType::uint32},      {"uint32", StoredType::uint32},
        {"longlong", StoredType::int64}, {"int64", StoredType::int64},   {"ulonglong", StoredType::uint64}, {"uint64", StoredType::uint64},
        {"float", StoredType::float32},  {"double", StoredType::float64}};
    const std::string text = lowerCase(h.need("type"));
    // Types have their C names ("unsigned short int"), or a fixed size with "_t".
    std::string name = text;
    if (name.ends_with("_t")) name.resize(name.size() - 2);
    if (name.ends_with(" int") && name != "signed int" && name != "unsigned int") name.resize(name.size() - 4);
    if (name.starts_with("signed ")) name.erase(0, 7);
    if (name.starts_with("unsigned ")) name.replace(0, 9, "u");
    std::erase(name, ' ');
    const auto it = kNames.find(name);
    if (it != kNames.end()) return it->second;
    if (text == "block") refuseFile(h.path, "its samples are opaque blocks of bytes");
    refuseFile(h.path, "its header names the unknown sample type '" + toUtf8(text) + "'");
}

/// Returns one word for each axis, or none.
std::vector<std::string> wordsOfAxes(const Header& h, const char* field, std::size_t axes) {
    const std::string* const text = h.find(field);
    if (!text) return {};
    std::vector<std::string> words = wordsOf(*text);
    if (words.size() != axes)
        refuseFile(h.path, "its header has " + std::to_string(words.size()) + " words for '" + field + "', and " + std::to_string(axes) +
                               (axes == 1 ? " axis" : " axes"));
    return words;
}

/// Parses "(1,0,0)"; empty for "none".
std::vector<double> vectorOf(const Header& h, const std::string& word) {
    if (lowerCase(word) == "none") return {};
    const auto refuse = [&] { refuseFile(h.path, "'" + toUtf8(word) + "' in its header is not a vector"); };
    if (word.size() < 3 || word.front() != '(' || word.back() != ')') refuse();
    std::vector<double> v;
    for (std::size_t begin = 1; begin < word.size();) {
        const std::size_t end = std::min(word.find(',', begin), word.size() - 1);
        const auto x = numberOf(std::string_view(word).substr(begin, end - begin));
        if (!x || std::isnan(*x)) refuse();
        else v.push_back(*x);
        begin = end + 1;
    }
    return v;
}

/// Axes of the array that are directions in space, and the size of the others.
struct Axes {
    std::vector<std::size_t> spatial;  ///< up to three
    std::int64_t before = 1, behind = 1;
};

/// Kinds of axes in space, or unspecified ones.
bool maybeSpatial(const std::string& kind) {
    const std::string k = lowerCase(kind);
    return k == "domain" || k == "space" || k == "???" || k == "none";
}

Axes axesOf(const Header& h, const std::vector<std::int64_t>& sizes, const std::vector<std::vector<double>>& directions) {
    const std::vector<std::string> kinds = wordsOfAxes(h, "kinds", sizes.size());
    Axes axes;
    std::vector<std::size_t> others;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const bool spatial = !directions.empty() ? !directions[i].empty() : kinds.empty() || maybeSpatial(kinds[i]);
        if (spatial && axes.spatial.size() < 3) axes.spatial.push_back(i);
        else others.push_back(i);
    }
    if (axes.spatial.empty()) refuseFile(h.path, "it has no spatial axis", "Save its samples with spatial axes");
    for (const std::size_t i : others) {
        std::int64_t* const count = i < axes.spatial.front() ? &axes.before : &axes.behind;
        if (i > axes.spatial.front() && i < axes.spatial.back() && sizes[i] > 1)
            refuseFile(h.path, "axis " + std::to_string(i + 1) + " is not spatial and lies between two spatial ones",
                       "Save it with that axis first or last");
        if (__builtin_mul_overflow(*count, sizes[i], count)) refuseFile(h.path, "its header declares more samples than 64 bits can count");
    }
    return axes;
}

/// Signs that convert a named space to LPS, if it can be converted.
std::optional<std::array<double, 3>> signsOf(const std::string& space) {
    const std::string s = lowerCase(space);
    if (s == "left-posterior-superior" || s == "lps") return std::array<double, 3>{1, 1, 1};
    if (s == "right-anterior-superior" || s == "ras") return std::array<double, 3>{-1, -1, 1};
    if (s == "left-anterior-superior" || s == "las") return std::array<double, 3>{1, -1, 1};
    return {};
}

/// Millimetres per unit of length: 1 without a unit, 0 if it is unknown.
double millimetres(const std::string& unit) {
    const std::string u = lowerCase(unit);
    if (u.empty() || u == "???" || u == "mm" || u == "millimeter" || u == "millimeters" || u == "millimetre") return 1;
    if (u == "cm") return 10;
    if (u == "m") return 1000;
    if (u == "um" || u == "\xc2\xb5m" || u == "\xce\xbcm" || u == "micron" || u == "microns") return 1e-3;
    if (u == "nm") return 1e-6;
    return 0;
}

/// Spacing and direction from the vectors of the spatial axes; no direction if the space is not three-dimensional in the patient.
void takeDirections(const Header& h, const Axes& axes, const std::vector<std::vector<double>>& directions, DescribedVolume& v,
                    std::vector<std::string>& warnings) {
    Geometry& g = v.geometry.emplace();
    const std::size_t n = directions[axes.spatial.front()].size();
    std::vector<double> scale(n, 1);
    if (const std::string* const units = h.find("space units")) {
        const std::vector<std::string> words = wordsOf(*units);
        for (std::size_t k = 0; k < std::min(n, words.size()); ++k) {
            scale[k] = millimetres(words[k]);
            if (scale[k] == 0) {
                scale[k] = 1;
                warnings.push_back("The unit '" + toUtf8(words[k]) + "' of its distances is unknown; mm are assumed");
            }
        }
    }
    const std::string* const space = h.find("space");
    const auto signs = n == 3 && space ? signsOf(*space) : std::nullopt;
    v.oriented = signs.has_value() && axes.spatial.size() > 1;
    std::array<std::array<double, 3>, 3> columns{};
    for (std::size_t i = 0; i < axes.spatial.size(); ++i) {
        const std::vector<double>& d = directions[axes.spatial[i]];
        if (d.size() != n) refuseFile(h.path, "the vectors in its header have different lengths");
        double square = 0;
        for (std::size_t k = 0; k < n; ++k) square += d[k] * scale[k] * d[k] * scale[k];
        const double norm = std::sqrt(square);
        const bool sensible = norm > 1e-9 && norm < 1e9;
        g.spacing[i] = sensible ? norm : 1;
        if (!sensible) {
            warnings.push_back("The spacing of axis " + std::to_string(i + 1) + " is invalid; 1 mm is assumed");
            v.oriented = false;
        }
        if (v.oriented)
            for (std::size_t k = 0; k < 3; ++k) columns[i][k] = (*signs)[k] * d[k] * scale[k] / norm;
    }
    if (!v.oriented) return;
    if (axes.spatial.size() == 2)
        for (std::size_t k = 0; k < 3; ++k)
            columns[2][k] = columns[0][(k + 1) % 3] * columns[1][(k + 2) % 3] - columns[0][(k + 2) % 3] * columns[1][(k + 1) % 3];
    std::vector<double> origin(3);
    if (const std::string* const text = h.find("space origin")) {
        const std::vector<double> given = vectorOf(h, std::string(trimmed(*text)));
        if (!given.empty() && given.size() != 3)
            refuseFile(h.path, "the origin in its header does not have one number for each dimension of its space");
        if (!given.empty()) origin = given;
    }
    for (std::size_t r = 0; r < 3; ++r) {
        g.origin[r] = (*signs)[r] * origin[r] * scale[r] + 0.0;  // no negative zero
        for (std::size_t c = 0; c < 3; ++c) g.direction[3 * r + c] = columns[c][r] + 0.0;
    }
}

void takeSpacings(const Header& h, std::size_t dimension, const Axes& axes, DescribedVolume& v, std::vector<std::string>& warnings) {
    Geometry& g = v.geometry.emplace();
    const std::vector<std::string> spacings = wordsOfAxes(h, "spacings", dimension), units = wordsOfAxes(h, "units", dimension);
    if (spacings.empty()) return;
    for (std::size_t i = 0; i < axes.spatial.size(); ++i) {
        const auto x = numberOf(spacings[axes.spatial[i]]);
        double scale = units.empty() ? 1 : millimetres(units[axes.spatial[i]]);
        if (scale == 0) {
            warnings.push_back("The unit '" + toUtf8(units[axes.spatial[i]]) + "' of its distances is unknown; mm are assumed");
            scale = 1;
        }
        const double spacing = x ? std::fabs(*x) * scale : 0;
        if (spacing > 1e-9 && spacing < 1e9) g.spacing[i] = spacing;
        else if (!x || !std::isnan(*x))  // NaN: unknown
            warnings.push_back("The spacing of axis " + std::to_string(i + 1) + " is invalid; 1 mm is assumed");
    }
}

/// Offset behind the lines to skip in the file with the samples.
std::uint64_t behindLines(const Header& h, const DescribedVolume& v, std::int64_t lines) {
    std::uint64_t at = v.offset;
    ByteSource file(v.samplesPath);
    std::array<char, 4096> part{};
    while (lines > 0) {
        const std::size_t got = file.read(at, part.data(), part.size());
        if (got == 0) refuseFile(h.path, "its header skips more lines than the file has");
        const void* const end = std::memchr(part.data(), '\n', got);
        if (!end) {
            at += got;
            continue;
        }
        at += static_cast<std::uint64_t>(static_cast<const char*>(end) - part.data()) + 1;
        --lines;
    }
    return at;
}

void locateSamples(const Header& h, DescribedVolume& v) {
    v.samplesPath = h.path;
    v.offset = h.end;
    if (const std::string* const file = h.find("data file", "datafile")) {
        if (lowerCase(*file).starts_with("list") || file->find('%') != std::string::npos)
            refuseFile(h.path, "its samples are in several files, which is not supported", "Save it as one file");
        v.samplesPath = pathBeside(h.path, *file);
        v.offset = 0;
    } else if (lowerExtension(h.path) == "nhdr") {
        refuseFile(h.path, "its header names no file with samples");
    }
    const std::string encoding = lowerCase(h.need("encoding"));
    v.compressed = encoding == "gzip" || encoding == "gz";
    if (!v.compressed && encoding != "raw")
        refuseFile(h.path, "its samples are stored with the encoding '" + toUtf8(encoding) + "', which is not supported",
                   "Save it with the encoding raw or gzip");
    const auto skip = [&](const char* name, const char* alternative, std::int64_t least) -> std::int64_t {
        const std::string* const text = h.find(name, alternative);
        const auto n = text ? wholeNumberOf(*text) : 0;
        if (!n || *n < least) refuseFile(h.path, std::string("'") + name + "' in its header is invalid");
        return *n;
    };
    const std::int64_t lines = skip("line skip", "lineskip", 0), bytes = skip("byte skip", "byteskip", v.compressed ? 0 : -1);
    if (lines > 0 && !v.samplesPath.empty()) v.offset = behindLines(h, v, lines);
    v.atEnd = bytes < 0;
    if (v.atEnd) v.offset = 0;
    else if (v.compressed) v.inflatedOffset = static_cast<std::uint64_t>(bytes);
    else v.offset += static_cast<std::uint64_t>(bytes);
}

class NrrdLoader final : public Loader {
public:
    std::string format() const override { return "NRRD"; }
    std::vector<std::string> extensions() const override { return {"nrrd", "nhdr"}; }
    bool recognises(std::span<const std::uint8_t> head, const std::string& path) const override {
        const std::string extension = lowerExtension(path);
        return (head.size() >= 4 && std::memcmp(head.data(), "NRRD", 4) == 0) || extension == "nrrd" || extension == "nhdr";
    }
    Image load(const std::string& path, const LoadOptions& options) const override { return loadChosen(path, {}, options); }
    Image loadChosen(const std::string& path, const std::string& choice, const LoadOptions& options) const override {
        const Header h = readHeader(path);
        DescribedVolume v;
        v.path = path;
        v.type = typeOf(h);
        const auto dimension = wholeNumberOf(h.need("dimension"));
        if (!dimension || *dimension < 1 || *dimension > kMaxDimensions)
            refuseFile(path, "its header gives it '" + toUtf8(h.need("dimension")) + "' dimensions");
        const auto n = static_cast<std::size_t>(*dimension);
        (void)h.need("sizes");
        std::vector<std::int64_t> sizes;
        for (const std::string& word : wordsOfAxes(h, "sizes", n)) {
            const auto size = wholeNumberOf(word);
            if (!size || *size < 1) refuseFile(path, "'" + toUtf8(word) + "' in its header is not a size");
            sizes.push_back(*size);
        }
        std::vector<std::vector<double>> directions;
        for (const std::string& word : wordsOfAxes(h, "space directions", n)) directions.push_back(vectorOf(h, word));
        const Axes axes = axesOf(h, sizes, directions);
        std::int64_t* const extents[] = {&v.shape.width, &v.shape.height, &v.shape.depth};
        for (std::size_t i = 0; i < axes.spatial.size(); ++i) *extents[i] = sizes[axes.spatial[i]];
        v.interleaved = axes.before;
        v.volumes = axes.behind;
        std::vector<std::string> warnings;
        if (directions.empty()) takeSpacings(h, n, axes, v, warnings);
        else takeDirections(h, axes, directions, v, warnings);
        if (const std::string* const unit = h.find("sample units", "sampleunits"); unit && unit->size() <= 16)
            v.geometry->unit = toUtf8(*unit);
        locateSamples(h, v);
        const std::string* const endian = h.find("endian");
        if (bytesOf(v.type) > 1 && (!endian || (lowerCase(*endian) != "little" && lowerCase(*endian) != "big")))
            refuseFile(path, "its header has no byte order (endian: little or big)");
        v.bigEndian = endian && lowerCase(*endian) == "big";

        Image image = loadDescribed(v, choice, options);
        image.source.format = "NRRD";
        image.source.warnings.insert(image.source.warnings.begin(), warnings.begin(), warnings.end());
        image.metadata.push_back({"version", "string", h.version, {}});
        image.metadata.push_back({"encoding", "string", v.compressed ? "gzip" : "raw", {}});
        if (v.oriented) image.metadata.push_back({"space", "string", lowerCase(h.need("space")), {}});
        // Free text may name the patient.
        if (options.patientData) {
            if (const std::string* const content = h.find("content"))
                image.source.personal.push_back({"content", "string", toUtf8(*content), {}});
            for (const auto& [key, value] : h.others)
                image.source.personal.push_back({key.empty() ? "comment" : toUtf8(key), "string", toUtf8(value), {}});
        }
        return image;
    }
};

}  // namespace

std::unique_ptr<Loader> makeNrrdLoader() { return std::make_unique<NrrdLoader>(); }

}  // namespace parallax
