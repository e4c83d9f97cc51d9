// SPDX-License-Identifier: GPL-3.0-or-later
// MetaImage (of ITK and elastix): .mha, and .mhd with the samples in another file.
// Documentation of the format: itk.org/Wiki/ITK/MetaIO/Documentation.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include "core/io/codec/text.hpp"
#include "core/io/formats.hpp"
#include "core/io/formats/described_volume.hpp"
#include "core/io/formats/sample_files.hpp"

namespace parallax {
namespace {

bool isTrue(const HeaderFields& h, std::initializer_list<const char*> names, bool otherwise) {
    const std::string* const text = h.find(names);
    return text && !text->empty() ? std::strchr("Tt1", text->front()) != nullptr : otherwise;
}

/// Parses the given number of values; empty if the field is missing.
std::vector<double> numbersOf(const HeaderFields& h, std::initializer_list<const char*> names, std::size_t wanted) {
    std::vector<double> all;
    const std::string* const text = h.find(names);
    if (!text) return all;
    for (const std::string& word : wordsOf(*text)) {
        const auto x = numberOf(word);
        if (!x || std::isnan(*x)) refuseFile(h.path, "'" + toUtf8(word) + "' in its header is not a number");
        all.push_back(*x);
    }
    if (all.size() != wanted)
        refuseFile(h.path, "its header has " + std::to_string(all.size()) + " numbers for " + *names.begin() + " where " +
                               std::to_string(wanted) + " are needed");
    return all;
}

struct Header : HeaderFields {
    std::vector<std::string> list;  ///< names of files behind "ElementDataFile = LIST"
};

Header readHeader(const std::string& path) {
    Header h;
    h.path = path;
    HeaderLines lines(path);
    while (const auto line = lines.next()) {
        if (trimmed(*line).empty()) continue;
        const std::size_t separator = line->find_first_of("=:");
        if (separator == std::string::npos)
            refuseFile(path, "a line of its header does not have the form NAME = VALUE", "Check that it is a MetaImage file");
        // As in ITK, the last of several lines of one name counts.
        h.values.insert_or_assign(lowerCase(trimmed(line->substr(0, separator))), trimmed(line->substr(separator + 1)));
        if (h.values.contains("elementdatafile")) {
            h.end = lines.position();
            if (announcesList(h.need("ElementDataFile"))) h.list = namesOfList(path, lines);
            return h;
        }
    }
    refuseFile(path, "its header has no ElementDataFile");
}

StoredType typeOf(const HeaderFields& h) {
    // MET_LONG always has four bytes.
    static const std::map<std::string, StoredType> kNames{
        {"met_char", StoredType::int8},         {"met_uchar", StoredType::uint8},   {"met_short", StoredType::int16},
        {"met_ushort", StoredType::uint16},     {"met_int", StoredType::int32},     {"met_uint", StoredType::uint32},
        {"met_long", StoredType::int32},        {"met_ulong", StoredType::uint32},  {"met_long_long", StoredType::int64},
        {"met_ulong_long", StoredType::uint64}, {"met_float", StoredType::float32}, {"met_double", StoredType::float64}};
    const std::string& text = h.need("ElementType");
    std::string name = lowerCase(text);
    // Arrays have ElementNumberOfChannels channels.
    if (name.ends_with("_array")) name.resize(name.size() - 6);
    const auto it = kNames.find(name);
    if (it == kNames.end()) refuseFile(h.path, "its header names the unknown sample type '" + toUtf8(text) + "'");
    return it->second;
}

/// Row i of the matrix is the direction of axis i in LPS; AnatomicalOrientation is ignored, as in ITK, whose defaults hold where only one
/// of origin and matrix is there.
void takeGeometry(const HeaderFields& h, std::size_t n, DescribedVolume& v) {
    const std::string* const unit = h.find({"distanceunits"});
    const double scale = unit ? v.millimetres(*unit) : 1;
    const std::vector<double> spacings = numbersOf(h, {"elementspacing", "elementsize"}, n);
    std::vector<double> origin = numbersOf(h, {"offset", "position", "origin"}, n),
                        matrix = numbersOf(h, {"transformmatrix", "rotation", "orientation"}, n * n);
    for (std::size_t i = 0; i < std::min<std::size_t>(n, 3) && !spacings.empty(); ++i) v.setSpacing(i, std::fabs(spacings[i]) * scale);
    if (n < 2 || (matrix.empty() && origin.empty())) return;
    if (matrix.empty()) {
        if (n > 2)
            v.warnings.emplace_back(
                "The header has no directions of axes; x to the left, y to the back and z to the head are assumed, as in ITK");
        matrix.assign(n * n, 0);
        for (std::size_t c = 0; c < n; ++c) matrix[c * n + c] = 1;
    }
    if (origin.empty()) origin.assign(n, 0);
    const std::size_t dimensions = std::min<std::size_t>(n, 3);
    Geometry lying = v.geometry;
    for (std::size_t c = 0; c < dimensions; ++c) {
        double square = 0;
        for (std::size_t r = 0; r < dimensions; ++r) square += matrix[c * n + r] * matrix[c * n + r];
        const double norm = std::sqrt(square);
        if (!(norm > 1e-9 && norm < 1e9)) {
            v.warnings.emplace_back("The directions of its axes are invalid; the orientation is unknown");
            return;
        }
        for (std::size_t r = 0; r < dimensions; ++r) lying.direction[3 * r + c] = matrix[c * n + r] / norm + 0.0;  // no negative zero
        lying.origin[c] = origin[c] * scale + 0.0;
    }
    v.geometry = lying;
    v.oriented = true;
    if (n == 2) v.assumeAxes(n);
}

void locateFiles(const Header& h, DescribedVolume& v) {
    const std::string& file = h.need("ElementDataFile");
    if (const std::string lower = lowerCase(file); lower == "local") {
        v.samplesPath = h.path;
        v.offset = h.end;
    } else if (!h.list.empty()) {
        v.setFiles(h.list);
    } else if (const auto names = namesOfPattern(h.path, file)) {
        v.setFiles(*names);
    } else {
        v.samplesPath = pathBeside(h.path, file);
    }
}

void locateSamples(const Header& h, DescribedVolume& v) {
    locateFiles(h, v);
    v.compressed = isTrue(h, {"compresseddata"}, false);
    if (v.compressed && !v.files.empty())
        refuseFile(h.path, "its samples are in several compressed files, which is not supported", "Save it as one file");
    if (!isTrue(h, {"binarydata"}, true))
        refuseFile(h.path, "its samples are written as text, which is not supported", "Save it with binary samples");
    const std::int64_t size = h.whole({"headersize"}, -1, 0, "HeaderSize");
    v.atEnd = size < 0 && !v.compressed;
    if (size > 0) v.offset = static_cast<std::uint64_t>(size);
    if (v.atEnd) v.offset = 0;
}

DescribedVolume volumeOf(const Header& h) {
    if (const std::string* const type = h.find({"objecttype"}); type && lowerCase(*type) != "image")
        refuseFile(h.path, "it describes an object of type '" + toUtf8(*type) + "', not an image", "Save it as an image");
    DescribedVolume v;
    v.format = "MetaImage";
    v.path = h.path;
    v.type = typeOf(h);
    const auto dimension = wholeNumberOf(h.need("NDims"));
    if (!dimension || *dimension < 1 || *dimension > 4)
        refuseFile(h.path, "its header has '" + toUtf8(h.need("NDims")) + "' dimensions; 1 to 4 are supported");
    const auto n = static_cast<std::size_t>(*dimension);
    std::int64_t* const extents[] = {&v.shape.width, &v.shape.height, &v.shape.depth, &v.volumes};
    const std::vector<std::string> words = wordsOf(h.need("DimSize"));
    if (words.size() != n)
        refuseFile(h.path, "its header has " + std::to_string(words.size()) + " sizes for " + std::to_string(n) + " dimensions");
    const std::vector<std::int64_t> sizes = sizesOf(h.path, words);
    for (std::size_t i = 0; i < n; ++i) *extents[i] = sizes[i];
    v.interleaved = h.whole({"elementnumberofchannels"}, 1, 1, "the number of channels");
    v.bigEndian = isTrue(h, {"binarydatabyteordermsb", "elementbyteordermsb"}, false);
    takeGeometry(h, n, v);
    locateSamples(h, v);
    for (const auto& [name, plain] : {std::pair{"elementtointensityfunctionslope", 1.0}, {"elementtointensityfunctionoffset", 0.0}})
        if (const auto values = numbersOf(h, {name}, 1); !values.empty() && values.front() != plain)
            v.warnings.emplace_back("The intensity function in its header is not applied, as in other readers");
    return v;
}

Image load(const std::string& path, const std::string& choice, const LoadOptions& options) {
    const Header h = readHeader(path);
    const DescribedVolume v = volumeOf(h);
    Image image = loadDescribed(v, choice, options);
    image.metadata.push_back({"compressed", "string", v.compressed ? "zlib" : "no", {}});
    // Free text may name the patient.
    if (options.patientData)
        for (const char* const name : {"name", "comment", "acquisitiondate", "studyid", "seriesid"})
            if (const std::string* const text = h.find({name})) image.source.personal.push_back({name, "string", toUtf8(*text), {}});
    return image;
}

}  // namespace

std::vector<std::string> sampleFilesOfMetaImage(const std::string& path) {
    DescribedVolume v;
    v.path = path;
    locateFiles(readHeader(path), v);
    return v.files.empty() ? std::vector{v.samplesPath} : v.files;
}

Loader metaImageLoader() {
    return {"MetaImage",
            {"mha", "mhd"},
            [](std::span<const std::uint8_t> head, const std::string& path) {
                return startsWith(head, "ObjectType") || startsWith(head, "NDims") || hasExtension(path, {"mha", "mhd"});
            },
            load,
            true};
}

}  // namespace parallax
