// SPDX-License-Identifier: GPL-3.0-or-later
// NRRD ("nearly raw raster data", of Teem and 3D Slicer): .nrrd, and .nhdr with the samples in another file.
// Definition of the file format: teem.sourceforge.net/nrrd/format.html.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <utility>

#include "core/io/codec/byte_source.hpp"
#include "core/io/codec/bzip2.hpp"
#include "core/io/codec/text.hpp"
#include "core/io/formats.hpp"
#include "core/io/formats/described_volume.hpp"
#include "core/io/formats/sample_files.hpp"

namespace parallax {
namespace {

constexpr std::int64_t kMaxDimensions = 16;  // NRRD_DIM_MAX

struct Header : HeaderFields {
    std::string version;
    std::vector<std::pair<std::string, std::string>> others;  ///< keys with values, and comments: free text
    std::vector<std::string> list;                            ///< names of files behind "data file: LIST"
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
        h.add(name, line->substr(colon + 1));
        if (const std::string field = lowerCase(trimmed(name)); field != "data file" && field != "datafile") continue;
        if (!announcesList(std::string(trimmed(std::string_view(*line).substr(colon + 1))))) continue;
        // Followed by one file name per line.
        h.list = namesOfList(path, lines);
        break;
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
    const std::string* const text = h.find({field});
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

/// Whether an axis has only the fourth number of a space with time.
bool isAlongTime(const std::vector<double>& direction) {
    return direction.size() == 4 && direction[0] == 0 && direction[1] == 0 && direction[2] == 0 && direction[3] != 0;
}

Axes axesOf(const Header& h, const std::vector<std::int64_t>& sizes, const std::vector<std::vector<double>>& directions) {
    const std::vector<std::string> kinds = wordsOfAxes(h, "kinds", sizes.size());
    Axes axes;
    std::vector<std::size_t> others;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const bool spatial =
            !directions.empty() ? !directions[i].empty() && !isAlongTime(directions[i]) : kinds.empty() || maybeSpatial(kinds[i]);
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

/// Signs that convert a named space, also one with time, to LPS, if it can be converted.
std::optional<std::array<double, 3>> signsOf(const std::string& space) {
    std::string s = lowerCase(space);
    if (s.ends_with("-time")) s.resize(s.size() - 5);
    if (s == "left-posterior-superior" || s == "lps" || s == "lpst") return std::array<double, 3>{1, 1, 1};
    if (s == "right-anterior-superior" || s == "ras" || s == "rast") return std::array<double, 3>{-1, -1, 1};
    if (s == "left-anterior-superior" || s == "las" || s == "last") return std::array<double, 3>{1, -1, 1};
    return {};
}

/// `dimension`: of the space. The third number is 0 in a plane; a fourth one is a time.
std::array<double, 3> originOf(const Header& h, std::size_t dimension) {
    const std::string* const text = h.find({"space origin"});
    const std::vector<double> origin = text ? vectorOf(h, *text) : std::vector<double>{};
    if (origin.empty()) return {};
    if (origin.size() != dimension) refuseFile(h.path, "the origin in its header does not have one number for each dimension of its space");
    return {origin[0], origin[1], dimension > 2 ? origin[2] : 0};
}

/// Spacing and direction from the vectors of the spatial axes; no direction if the space is not one of the patient.
void takeDirections(const Header& h, const Axes& axes, const std::vector<std::vector<double>>& directions, DescribedVolume& v) {
    const std::size_t dimension = directions[axes.spatial.front()].size(), n = std::min<std::size_t>(dimension, 3);
    std::vector<double> scale(3, 1);
    if (const std::string* const units = h.find({"space units"})) {
        const std::vector<std::string> words = wordsOf(*units);
        for (std::size_t k = 0; k < std::min(n, words.size()); ++k) scale[k] = v.millimetres(words[k]);
    }
    const std::string* const space = h.find({"space"});
    // As in ITK, a space without a name is LPS.
    const auto signs = space ? signsOf(*space) : std::array<double, 3>{1, 1, 1};
    v.oriented = signs.has_value() && dimension <= 4 && axes.spatial.size() > 1 && axes.spatial.size() <= dimension;
    if (space && !signs)
        v.warnings.push_back("Directions and origin are not used: the space '" + toUtf8(*space) + "' has no orientation in the patient");
    std::array<std::array<double, 3>, 3> columns{};
    for (std::size_t i = 0; i < axes.spatial.size(); ++i) {
        const std::vector<double>& d = directions[axes.spatial[i]];
        if (d.size() != dimension) refuseFile(h.path, "the vectors in its header have different lengths");
        double square = 0;
        for (std::size_t k = 0; k < n; ++k) square += d[k] * scale[k] * d[k] * scale[k];
        const double norm = std::sqrt(square);
        if (!v.setSpacing(i, norm)) v.oriented = false;
        if (v.oriented)
            for (std::size_t k = 0; k < n; ++k) columns[i][k] = (*signs)[k] * d[k] * scale[k] / norm;
    }
    if (!v.oriented) return;
    if (dimension == 2) columns[2] = {0, 0, 1};
    else if (axes.spatial.size() == 2)
        for (std::size_t k = 0; k < 3; ++k)
            columns[2][k] = columns[0][(k + 1) % 3] * columns[1][(k + 2) % 3] - columns[0][(k + 2) % 3] * columns[1][(k + 1) % 3];
    const std::array<double, 3> origin = originOf(h, dimension);
    for (std::size_t r = 0; r < 3; ++r) {
        v.geometry.origin[r] = (*signs)[r] * origin[r] * scale[r] + 0.0;  // no negative zero
        for (std::size_t c = 0; c < 3; ++c) v.geometry.direction[3 * r + c] = columns[c][r] + 0.0;
    }
    if (!space) v.assumeAxes(dimension);
}

/// Position of the first sample along each axis. A minimum is that of the first cell, unless the axis has its samples at nodes.
void takeAxisMinima(const Header& h, std::size_t dimension, const Axes& axes, DescribedVolume& v) {
    const auto either = [&](const char* field, const char* other) {
        const std::vector<std::string> words = wordsOfAxes(h, field, dimension);
        return words.empty() ? wordsOfAxes(h, other, dimension) : words;
    };
    const std::vector<std::string> minima = either("axis mins", "axismins"), centres = either("centerings", "centers"),
                                   units = wordsOfAxes(h, "units", dimension);
    for (std::size_t i = 0; i < axes.spatial.size() && !minima.empty(); ++i) {
        const std::size_t axis = axes.spatial[i];
        const auto x = numberOf(minima[axis]);
        if (!x || !std::isfinite(*x)) continue;
        const bool node = !centres.empty() && lowerCase(centres[axis]) == "node";
        v.geometry.origin[i] = *x * (units.empty() ? 1 : v.millimetres(units[axis])) + (node ? 0 : v.geometry.spacing[i] / 2);
    }
}

void takeSpacings(const Header& h, std::size_t dimension, const Axes& axes, DescribedVolume& v) {
    const std::vector<std::string> spacings = wordsOfAxes(h, "spacings", dimension), units = wordsOfAxes(h, "units", dimension);
    if (spacings.empty()) return;
    for (std::size_t i = 0; i < axes.spatial.size(); ++i) {
        const auto x = numberOf(spacings[axes.spatial[i]]);
        const double scale = units.empty() ? 1 : v.millimetres(units[axes.spatial[i]]);
        if (!x || !std::isnan(*x)) v.setSpacing(i, x ? std::fabs(*x) * scale : 0);  // NaN: unknown
    }
    takeAxisMinima(h, dimension, axes, v);
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

void locateFiles(const Header& h, DescribedVolume& v) {
    v.samplesPath = h.path;
    v.offset = h.end;
    if (const std::string* const file = h.find({"data file", "datafile"})) {
        v.offset = 0;
        if (!h.list.empty()) v.setFiles(h.list);
        else if (const auto names = namesOfPattern(h.path, *file)) v.setFiles(*names);
        else v.samplesPath = pathBeside(h.path, *file);
    } else if (lowerExtension(h.path) == "nhdr") {
        refuseFile(h.path, "its header names no file with samples");
    }
}

void locateSamples(const Header& h, DescribedVolume& v) {
    locateFiles(h, v);
    const std::string encoding = lowerCase(h.need("encoding"));
    v.bzip2 = encoding == "bzip2" || encoding == "bz2";
    v.compressed = v.bzip2 || encoding == "gzip" || encoding == "gz";
    if ((!v.compressed && encoding != "raw") || (v.bzip2 && !hasBzip2()))
        refuseFile(h.path,
                   "its samples are stored with the encoding '" + toUtf8(encoding) + "', " +
                       (v.bzip2 ? "and " + whyNoBzip2() : "which is not supported"),
                   "Save it with the encoding raw or gzip");
    const std::int64_t lines = h.whole({"line skip", "lineskip"}, 0, 0, "'line skip'"),
                       bytes = h.whole({"byte skip", "byteskip"}, v.compressed ? 0 : -1, 0, "'byte skip'");
    if (lines > 0 && !v.files.empty()) refuseFile(h.path, "it skips lines in several files, which is not supported", "Save it as one file");
    if (lines > 0 && !v.samplesPath.empty()) v.offset = behindLines(h, v, lines);
    v.atEnd = bytes < 0;
    if (v.atEnd) v.offset = 0;
    else if (v.compressed) v.inflatedOffset = static_cast<std::uint64_t>(bytes);
    else v.offset += static_cast<std::uint64_t>(bytes);
}

DescribedVolume volumeOf(const Header& h) {
    DescribedVolume v;
    v.format = "NRRD";
    v.path = h.path;
    v.type = typeOf(h);
    const auto dimension = wholeNumberOf(h.need("dimension"));
    if (!dimension || *dimension < 1 || *dimension > kMaxDimensions)
        refuseFile(h.path, "its header gives it '" + toUtf8(h.need("dimension")) + "' dimensions");
    const auto n = static_cast<std::size_t>(*dimension);
    (void)h.need("sizes");
    const std::vector<std::int64_t> sizes = sizesOf(h.path, wordsOfAxes(h, "sizes", n));
    std::vector<std::vector<double>> directions;
    for (const std::string& word : wordsOfAxes(h, "space directions", n)) directions.push_back(vectorOf(h, word));
    const Axes axes = axesOf(h, sizes, directions);
    std::int64_t* const extents[] = {&v.shape.width, &v.shape.height, &v.shape.depth};
    for (std::size_t i = 0; i < axes.spatial.size(); ++i) *extents[i] = sizes[axes.spatial[i]];
    v.interleaved = axes.before;
    v.volumes = axes.behind;
    if (directions.empty()) takeSpacings(h, n, axes, v);
    else takeDirections(h, axes, directions, v);
    if (const std::string* const unit = h.find({"sample units", "sampleunits"}); unit && unit->size() <= 16)
        v.geometry.unit = toUtf8(*unit);
    locateSamples(h, v);
    const std::string* const endian = h.find({"endian"});
    v.bigEndian = endian && lowerCase(*endian) == "big";
    if (bytesOf(v.type) > 1 && !v.bigEndian && (!endian || lowerCase(*endian) != "little"))
        refuseFile(h.path, "its header has no byte order (endian: little or big)");
    return v;
}

Image load(const std::string& path, const std::string& choice, const LoadOptions& options) {
    const Header h = readHeader(path);
    const DescribedVolume v = volumeOf(h);
    Image image = loadDescribed(v, choice, options);
    image.metadata.push_back({"version", "string", h.version, {}});
    image.metadata.push_back({"encoding", "string", v.bzip2 ? "bzip2" : v.compressed ? "gzip" : "raw", {}});
    if (const std::string* const space = h.find({"space"}); space && v.oriented)
        image.metadata.push_back({"space", "string", lowerCase(*space), {}});
    // Free text may name the patient.
    if (options.patientData) {
        if (const std::string* const content = h.find({"content"}))
            image.source.personal.push_back({"content", "string", toUtf8(*content), {}});
        for (const auto& [key, value] : h.others)
            image.source.personal.push_back({key.empty() ? "comment" : toUtf8(key), "string", toUtf8(value), {}});
    }
    return image;
}

}  // namespace

std::vector<std::string> sampleFilesOfNrrd(const std::string& path) {
    DescribedVolume v;
    v.path = path;
    locateFiles(readHeader(path), v);
    return v.files.empty() ? std::vector{v.samplesPath} : v.files;
}

Loader nrrdLoader() {
    return {"NRRD",
            {"nrrd", "nhdr"},
            [](std::span<const std::uint8_t> head, const std::string& path) {
                return startsWith(head, "NRRD") || hasExtension(path, {"nrrd", "nhdr"});
            },
            load,
            true};
}

}  // namespace parallax
