// SPDX-License-Identifier: GPL-3.0-or-later
// MetaImage (of ITK and elastix): .mha, and .mhd with the samples in another file.
// Documentation of the format: itk.org/Wiki/ITK/MetaIO/Documentation.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>

#include "core/image/error.hpp"
#include "core/io/codec/text.hpp"
#include "core/io/formats.hpp"
#include "core/io/formats/described_volume.hpp"

namespace parallax {
namespace {

struct Header {
    std::string path;
    std::map<std::string, std::string> fields;  ///< by lower-case names
    std::uint64_t end = 0;                      ///< bytes up to the samples, if these follow

    /// Finds the first of several names.
    const std::string* find(std::initializer_list<const char*> names) const {
        for (const char* const name : names)
            if (const auto it = fields.find(name); it != fields.end()) return &it->second;
        return nullptr;
    }
    const std::string& need(const char* name, const char* shown) const {
        const std::string* const text = find({name});
        if (!text) refuseFile(path, std::string("its header has no ") + shown);
        return *text;
    }
    bool isTrue(std::initializer_list<const char*> names, bool otherwise) const {
        const std::string* const text = find(names);
        if (!text || text->empty()) return otherwise;
        const char c = text->front();
        return c == 'T' || c == 't' || c == '1';
    }
    /// Parses the given number of values; empty if the field is missing.
    std::vector<double> numbers(std::initializer_list<const char*> names, std::size_t wanted) const {
        std::vector<double> all;
        const std::string* const text = find(names);
        if (!text) return all;
        for (const std::string& word : wordsOf(*text)) {
            const auto x = numberOf(word);
            if (!x || std::isnan(*x)) refuseFile(path, "'" + toUtf8(word) + "' in its header is not a number");
            all.push_back(*x);
        }
        if (all.size() != wanted)
            refuseFile(path, "its header has " + std::to_string(all.size()) + " numbers for " + *names.begin() + " where " +
                                 std::to_string(wanted) + " are needed");
        return all;
    }
};

Header readHeader(const std::string& path) {
    Header h;
    h.path = path;
    HeaderLines lines(path);
    while (const auto line = lines.next()) {
        if (trimmed(*line).empty()) continue;
        const std::size_t equals = line->find('=');
        if (equals == std::string::npos)
            refuseFile(path, "a line of its header does not have the form NAME = VALUE", "Check that it is a MetaImage file");
        const std::string name = lowerCase(trimmed(std::string_view(*line).substr(0, equals)));
        if (!h.fields.emplace(name, trimmed(std::string_view(*line).substr(equals + 1))).second)
            refuseFile(path, "its header says '" + toUtf8(name) + "' twice");
        if (name == "elementdatafile") {
            h.end = lines.position();
            return h;
        }
    }
    refuseFile(path, "its header has no ElementDataFile");
}

StoredType typeOf(const Header& h) {
    // MET_LONG always has four bytes.
    static const std::map<std::string, StoredType> kNames{
        {"met_char", StoredType::int8},         {"met_uchar", StoredType::uint8},   {"met_short", StoredType::int16},
        {"met_ushort", StoredType::uint16},     {"met_int", StoredType::int32},     {"met_uint", StoredType::uint32},
        {"met_long", StoredType::int32},        {"met_ulong", StoredType::uint32},  {"met_long_long", StoredType::int64},
        {"met_ulong_long", StoredType::uint64}, {"met_float", StoredType::float32}, {"met_double", StoredType::float64}};
    const std::string& text = h.need("elementtype", "ElementType");
    std::string name = lowerCase(text);
    // Arrays have ElementNumberOfChannels channels.
    if (name.ends_with("_array")) name.resize(name.size() - 6);
    const auto it = kNames.find(name);
    if (it == kNames.end()) refuseFile(h.path, "its header names the unknown sample type '" + toUtf8(text) + "'");
    return it->second;
}

double millimetres(const Header& h, std::vector<std::string>& warnings) {
    const std::string* const unit = h.find({"distanceunits"});
    const std::string u = unit ? lowerCase(*unit) : "mm";
    if (u == "mm" || u == "?" || u.empty()) return 1;
    if (u == "um") return 1e-3;
    if (u == "cm") return 10;
    if (u == "m") return 1000;
    warnings.push_back("The unit '" + toUtf8(*unit) + "' of its distances is unknown; mm are assumed");
    return 1;
}

/// Row i of the matrix is the direction of axis i in LPS; AnatomicalOrientation is ignored, as in ITK.
void takeGeometry(const Header& h, std::size_t n, DescribedVolume& v, std::vector<std::string>& warnings) {
    Geometry& g = v.geometry.emplace();
    const double scale = millimetres(h, warnings);
    const std::vector<double> spacings = h.numbers({"elementspacing", "elementsize"}, n),
                              origin = h.numbers({"offset", "position", "origin"}, n),
                              matrix = h.numbers({"transformmatrix", "rotation", "orientation"}, n * n);
    for (std::size_t i = 0; i < std::min<std::size_t>(n, 3) && !spacings.empty(); ++i) {
        const double spacing = std::fabs(spacings[i]) * scale;
        if (spacing > 1e-9 && spacing < 1e9) g.spacing[i] = spacing;
        else warnings.push_back("The spacing of axis " + std::to_string(i + 1) + " is invalid; 1 mm is assumed");
    }
    if (n < 3 || matrix.empty() || origin.empty()) return;
    Geometry lying = g;
    for (std::size_t c = 0; c < 3; ++c) {
        const double norm = std::hypot(matrix[c * n], matrix[c * n + 1], matrix[c * n + 2]);
        if (!(norm > 1e-9 && norm < 1e9)) {
            warnings.emplace_back("The directions of its axes are invalid; the orientation is unknown");
            return;
        }
        for (std::size_t r = 0; r < 3; ++r) lying.direction[3 * r + c] = matrix[c * n + r] / norm + 0.0;  // no negative zero
        lying.origin[c] = origin[c] * scale + 0.0;
    }
    g = lying;
    v.oriented = true;
}

void locateSamples(const Header& h, DescribedVolume& v) {
    const std::string& file = h.need("elementdatafile", "ElementDataFile");
    if (const std::string lower = lowerCase(file); lower == "local") {
        v.samplesPath = h.path;
        v.offset = h.end;
    } else if (lower.starts_with("list") || file.find('%') != std::string::npos) {
        refuseFile(h.path, "its samples are in several files, which is not supported", "Save it as one file");
    } else {
        v.samplesPath = pathBeside(h.path, file);
    }
    v.compressed = h.isTrue({"compresseddata"}, false);
    if (!h.isTrue({"binarydata"}, true))
        refuseFile(h.path, "its samples are written as text, which is not supported", "Save it with binary samples");
    const std::string* const text = h.find({"headersize"});
    const auto size = text ? wholeNumberOf(*text) : 0;
    if (!size || *size < -1) refuseFile(h.path, "HeaderSize in its header is invalid");
    if (*size > 0) v.offset = static_cast<std::uint64_t>(*size);
    v.atEnd = *size < 0 && !v.compressed;
    if (v.atEnd) v.offset = 0;
}

class MetaImageLoader final : public Loader {
public:
    std::string format() const override { return "MetaImage"; }
    std::vector<std::string> extensions() const override { return {"mha", "mhd"}; }
    bool recognises(std::span<const std::uint8_t> head, const std::string& path) const override {
        const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
        const std::string extension = lowerExtension(path);
        return text.starts_with("ObjectType") || text.starts_with("NDims") || extension == "mha" || extension == "mhd";
    }
    Image load(const std::string& path, const LoadOptions& options) const override { return loadChosen(path, {}, options); }
    Image loadChosen(const std::string& path, const std::string& choice, const LoadOptions& options) const override {
        const Header h = readHeader(path);
        if (const std::string* const type = h.find({"objecttype"}); type && lowerCase(*type) != "image")
            refuseFile(path, "it describes an object of type '" + toUtf8(*type) + "', not an image", "Save it as an image");
        DescribedVolume v;
        v.path = path;
        v.type = typeOf(h);
        const auto dimension = wholeNumberOf(h.need("ndims", "NDims"));
        if (!dimension || *dimension < 1 || *dimension > 4)
            refuseFile(path, "its header has '" + toUtf8(h.need("ndims", "NDims")) + "' dimensions; 1 to 4 are supported");
        const auto n = static_cast<std::size_t>(*dimension);
        std::int64_t* const extents[] = {&v.shape.width, &v.shape.height, &v.shape.depth, &v.volumes};
        const std::vector<std::string> sizes = wordsOf(h.need("dimsize", "DimSize"));
        if (sizes.size() != n)
            refuseFile(path, "its header has " + std::to_string(sizes.size()) + " sizes for " + std::to_string(n) + " dimensions");
        for (std::size_t i = 0; i < n; ++i) {
            const auto size = wholeNumberOf(sizes[i]);
            if (!size || *size < 1) refuseFile(path, "'" + toUtf8(sizes[i]) + "' in its header is not a size");
            *extents[i] = *size;
        }
        if (const std::string* const channels = h.find({"elementnumberofchannels"})) {
            const auto count = wholeNumberOf(*channels);
            if (!count || *count < 1) refuseFile(path, "'" + toUtf8(*channels) + "' in its header is not a number of channels");
            v.interleaved = *count;
        }
        v.bigEndian = h.isTrue({"binarydatabyteordermsb", "elementbyteordermsb"}, false);
        std::vector<std::string> warnings;
        takeGeometry(h, n, v, warnings);
        locateSamples(h, v);
        for (const auto& [name, plain] : {std::pair{"elementtointensityfunctionslope", 1.0}, {"elementtointensityfunctionoffset", 0.0}})
            if (const auto values = h.numbers({name}, 1); !values.empty() && values.front() != plain)
                warnings.emplace_back("The intensity function in its header is not applied, as in other readers");

        Image image = loadDescribed(v, choice, options);
        image.source.format = "MetaImage";
        image.source.warnings.insert(image.source.warnings.begin(), warnings.begin(), warnings.end());
        image.metadata.push_back({"compressed", "string", v.compressed ? "zlib" : "no", {}});
        // Free text may name the patient.
        if (options.patientData)
            for (const char* const name : {"name", "comment", "acquisitiondate", "studyid", "seriesid"})
                if (const std::string* const text = h.find({name})) image.source.personal.push_back({name, "string", toUtf8(*text), {}});
        return image;
    }
};

}  // namespace

std::unique_ptr<Loader> makeMetaImageLoader() { return std::make_unique<MetaImageLoader>(); }

}  // namespace parallax
