// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/formats/described_volume.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <memory>

#include "core/image/orientation.hpp"
#include "core/io/codec/byte_source.hpp"
#include "core/io/codec/bzip2.hpp"
#include "core/io/codec/inflate_points.hpp"
#include "core/io/codec/text.hpp"
#include "core/io/formats.hpp"
#include "core/io/formats/sample_files.hpp"
#include "core/io/large_file.hpp"
#include "core/io/limits.hpp"
#include "core/io/sample_budget.hpp"

namespace parallax {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLongestHeader = kMaxTextBytes;

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// Byte ranges of the samples.
struct Extent {
    std::uint64_t begin = 0;   ///< of the chosen volume, in the file or in the inflated data
    std::uint64_t volume = 0;  ///< bytes of one volume with all its interleaved values
    std::uint64_t all = 0;     ///< of all volumes
};

Extent extentOf(const DescribedVolume& v, std::int64_t chosen) {
    Extent e;
    bool overflow = false;
    const auto multiply = [&](std::uint64_t a, std::int64_t b) {
        overflow = __builtin_mul_overflow(a, static_cast<std::uint64_t>(b), &a) || overflow;
        return a;
    };
    e.volume = bytesOf(v.type);
    for (const std::int64_t extent : {v.shape.width, v.shape.height, v.shape.depth, v.interleaved}) e.volume = multiply(e.volume, extent);
    e.all = multiply(e.volume, v.volumes);
    const std::uint64_t before = e.volume * static_cast<std::uint64_t>(chosen / v.interleaved);  // less than `all`
    std::uint64_t end = 0;
    const std::uint64_t offset = !v.files.empty() ? 0 : v.compressed ? v.inflatedOffset : v.offset;
    overflow = __builtin_add_overflow(offset, before, &e.begin) || overflow;
    overflow = __builtin_add_overflow(e.begin, e.all, &end) || overflow;
    if (overflow) refuseFile(v.path, "its header declares more bytes than 64 bits can count");
    return e;
}

/// Whether parts can be read without the rest.
bool inParts(const DescribedVolume& v) { return !v.compressed && v.interleaved == 1 && v.files.empty(); }

/// Checks that the files can hold equal parts of the samples.
void checkFiles(const DescribedVolume& v, std::uint64_t all) {
    if (all % v.files.size() != 0)
        refuseFile(v.path, "its samples are in " + std::to_string(v.files.size()) + " files, which cannot hold equal parts of its " +
                               std::to_string(all) + " bytes");
    if (v.compressed) return;
    const std::uint64_t each = all / v.files.size();
    for (const std::string& file : v.files)
        if (const std::uint64_t bytes = fs::file_size(file); bytes < each || (!v.atEnd && bytes - each < v.offset))
            refuseFile(v.path, "'" + fs::path(file).filename().string() + "': its header declares " +
                                   std::to_string((v.atEnd ? 0 : v.offset) + each) + " bytes and the file has " + std::to_string(bytes));
}

/// Throws Error(input) for a file in another folder or a missing one.
void checkExists(const DescribedVolume& v, const std::string& file) {
    std::error_code error;
    if (file.empty()) refuseFile(v.path, "its samples are in another folder, which is not allowed", "Keep both files in one folder");
    if (!fs::is_regular_file(file, error))
        refuseFile(v.path, "the file '" + fs::path(file).filename().string() + "' with its samples is missing",
                   "Keep both files in one folder");
}

/// Checks the sizes in the header, and that the file holds the samples.
Extent checkedExtent(const DescribedVolume& v, std::int64_t chosen, const LoadOptions& options) {
    std::uint64_t fileBytes = 0;
    if (v.files.empty()) fileBytes = fs::file_size(v.samplesPath);
    for (const std::string& file : v.files) fileBytes += fs::file_size(file);
    checkHeld(v.path, v.shape, fileBytes, v.bzip2 ? kAnyRatio : v.compressed ? kDeflateRatio : 4);
    checkAffordable(v.path, inParts(v) ? shapeToRead(v.shape, options.part) : v.shape, fileBytes, options);
    Extent e = extentOf(v, chosen);
    if (v.compressed) {
        if (withinSampleBudget(v.shape) && e.begin + e.volume > unpackedAllowed(fileBytes, options))
            throw LargeFile(
                v.path, std::to_string((e.begin + e.volume) >> 20) + " MiB are to be inflated from " + std::to_string(fileBytes) + " bytes",
                e.begin + e.volume);
        if (!v.files.empty()) checkFiles(v, e.all);
        return e;
    }
    if (!v.files.empty()) {
        checkFiles(v, e.all);
        return e;
    }
    const std::uint64_t needed = v.mayEndEarly ? e.begin + e.volume : v.offset + e.all;
    if (v.atEnd && e.all <= fileBytes) e.begin += fileBytes - e.all;
    else if (v.atEnd || needed > fileBytes)
        refuseFile(v.path, (v.samplesPath == v.path ? "" : "'" + fs::path(v.samplesPath).filename().string() + "': ") +
                               std::string("its header declares ") + std::to_string(needed) + " bytes and the file has " +
                               std::to_string(fileBytes));
    return e;
}

/// Returns how many volumes there are to choose from.
std::int64_t checkedNumber(const DescribedVolume& v) {
    for (const std::int64_t extent : {v.shape.width, v.shape.height, v.shape.depth, v.interleaved, v.volumes})
        if (extent < 1) refuseFile(v.path, "its header has an extent of " + std::to_string(extent));
    if (v.files.empty()) checkExists(v, v.samplesPath);
    for (const std::string& file : v.files) checkExists(v, file);
    constexpr std::int64_t kMaxValues = 1 << 16;  // per sample, all of which are read together
    std::int64_t number = 0;
    if (v.interleaved > kMaxValues || __builtin_mul_overflow(v.interleaved, v.volumes, &number))
        refuseFile(v.path, "its header declares " + std::to_string(v.interleaved) + " values per sample");
    return number;
}

}  // namespace

HeaderLines::HeaderLines(const std::string& path) : path_(path), size_(ByteSource(path).size()) {}

void HeaderLines::fill() {
    const std::size_t old = text_.size(), more = std::max<std::size_t>(old, 1 << 14);
    if (old >= kLongestHeader) refuseFile(path_, "its header does not end within 16 MiB");
    text_.resize(old + more);
    const std::size_t got = ByteSource(path_).read(old, text_.data() + old, more);
    text_.resize(old + got);
    whole_ = got < more || text_.size() >= size_;
}

std::optional<std::string> HeaderLines::next() {
    std::size_t end = text_.find('\n', at_);
    for (std::size_t from = text_.size(); end == std::string::npos && !whole_; from = text_.size()) {
        fill();
        end = text_.find('\n', std::max<std::size_t>(from, at_));
    }
    if (at_ >= text_.size()) return {};
    std::string line = text_.substr(at_, end == std::string::npos ? end : end - at_);
    at_ = end == std::string::npos ? text_.size() : end + 1;
    if (line.ends_with('\r')) line.pop_back();
    if (line.find('\0') != std::string::npos) refuseFile(path_, "its header is no text");
    return line;
}

std::vector<std::string> wordsOf(std::string_view text) {
    std::vector<std::string> words;
    for (std::size_t i = 0; i < text.size();) {
        if (isBlank(text[i])) {
            ++i;
            continue;
        }
        const char close = text[i] == '(' ? ')' : text[i] == '"' ? '"' : 0;
        std::size_t end = close ? text.find(close, i + 1) : i;
        if (close) end = end == std::string_view::npos ? text.size() : end + 1;
        else
            while (end < text.size() && !isBlank(text[end])) ++end;
        std::string word(text.substr(i, end - i));
        if (close == '"') word = word.size() > 1 && word.back() == '"' ? word.substr(1, word.size() - 2) : word.substr(1);
        words.push_back(std::move(word));
        i = end;
    }
    return words;
}

std::optional<double> numberOf(std::string_view text) {
    text = trimmed(text);
    if (text.starts_with('+')) text.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || text.empty() || std::isinf(value)) return {};
    return value;
}

std::optional<std::int64_t> wholeNumberOf(std::string_view text) {
    text = trimmed(text);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || text.empty()) return {};
    return value;
}

std::string pathBeside(const std::string& description, const std::string& name) {
    std::string_view plain = name;
    if (plain.starts_with("./")) plain.remove_prefix(2);
    if (plain.empty() || plain == "." || plain == ".." || plain.find('/') != std::string_view::npos ||
        plain.find('\0') != std::string_view::npos)
        return {};
    return (fs::path(description).parent_path() / plain).string();
}

void HeaderFields::add(std::string_view name, std::string_view value) {
    const std::string lower = lowerCase(trimmed(name));
    if (!values.emplace(lower, trimmed(value)).second) refuseFile(path, "its header says '" + toUtf8(lower) + "' twice");
}

const std::string* HeaderFields::find(std::initializer_list<const char*> names) const {
    for (const char* const name : names)
        if (const auto it = values.find(name); it != values.end()) return &it->second;
    return nullptr;
}

const std::string& HeaderFields::need(const char* name) const {
    const auto it = values.find(lowerCase(name));
    if (it == values.end()) refuseFile(path, std::string("its header has no '") + name + "'");
    return it->second;
}

std::int64_t HeaderFields::whole(std::initializer_list<const char*> names, std::int64_t least, std::int64_t otherwise,
                                 const std::string& shown) const {
    const std::string* const text = find(names);
    const auto n = text ? wholeNumberOf(*text) : otherwise;
    if (!n || *n < least) refuseFile(path, shown + " in its header is invalid");
    return *n;
}

std::vector<std::int64_t> sizesOf(const std::string& path, const std::vector<std::string>& words) {
    std::vector<std::int64_t> sizes;
    for (const std::string& word : words) {
        const auto size = wholeNumberOf(word);
        if (!size || *size < 1) refuseFile(path, "'" + toUtf8(word) + "' in its header is not a size");
        sizes.push_back(*size);
    }
    return sizes;
}

void DescribedVolume::setFiles(const std::vector<std::string>& names) {
    files.clear();
    for (const std::string& name : names) files.push_back(pathBeside(path, name));
}

bool DescribedVolume::setSpacing(std::size_t axis, double spacing) {
    const bool sensible = spacing > 1e-9 && spacing < 1e9;
    geometry.spacing[axis] = sensible ? spacing : 1;
    if (!sensible) warnings.push_back("The spacing of axis " + std::to_string(axis + 1) + " is invalid; 1 mm is assumed");
    return sensible;
}

void DescribedVolume::assumeAxes(std::size_t dimensions) {
    oriented = dimensions > 2 || geometry.origin != Geometry{}.origin || geometry.direction != Geometry{}.direction;
    if (oriented)
        warnings.emplace_back(
            "The header does not name the space of its axes; x to the left, y to the back and z to the head are assumed, as in ITK");
}

double DescribedVolume::millimetres(const std::string& unit) {
    static const std::map<std::string, double> kUnits{{"", 1},           {"?", 1},           {"???", 1},          {"mm", 1},
                                                      {"millimeter", 1}, {"millimeters", 1}, {"millimetre", 1},   {"cm", 10},
                                                      {"m", 1000},       {"um", 1e-3},       {"\xc2\xb5m", 1e-3}, {"\xce\xbcm", 1e-3},
                                                      {"micron", 1e-3},  {"microns", 1e-3},  {"nm", 1e-6}};
    if (const auto it = kUnits.find(lowerCase(unit)); it != kUnits.end()) return it->second;
    warnings.push_back("The unit '" + toUtf8(unit) + "' of its distances is unknown; mm are assumed");
    return 1;
}

Image loadDescribed(const DescribedVolume& v, const std::string& choice, const LoadOptions& options) {
    const std::int64_t number = checkedNumber(v), chosen = chosenVolume(v.path, choice, number);
    const Extent extent = checkedExtent(v, chosen, options);
    Image image{inParts(v) ? sampleBuffer(v.shape, options.part) : sampleBuffer(v.shape)};
    image.source.format = v.format;
    image.source.warnings = v.warnings;
    image.geometry = v.geometry;
    const bool swapped = v.bigEndian != (std::endian::native == std::endian::big);
    StoredStream stream{v.type, swapped, v.rescale, v.interleaved, chosen % v.interleaved, {}};
    if (image.samples().empty()) {
        image.source.storedChannels = {{image.channelNames().front(), nameOf(v.type)}};
    } else if (!v.files.empty()) {
        SampleFiles files(v, extent.all / v.files.size());
        files.skip(extent.begin, options);
        stream.read = [&](void* to, std::size_t bytes) { files.read(to, bytes, options); };
        readStoredStream(stream, image, options);
    } else if (v.compressed) {
        const std::int64_t volume = chosen / v.interleaved;
        const bool isLast = volume + 1 == v.volumes;
        const auto readPacked = [&](CompressedStream& file) {
            stream.read = [&](void* to, std::size_t bytes) { file.read(to, bytes); };
            readStoredStream(stream, image, options);
            if (isLast) file.finish(options);
        };
        if (v.bzip2) {
            Bzip2Reader file(v.samplesPath, v.offset);
            file.skip(extent.begin, options);
            readPacked(file);
        } else {
            InflatedVolumes volumes(v.samplesPath, v.offset, v.inflatedOffset, extent.volume);
            readPacked(volumes.seek(static_cast<std::uint64_t>(volume), options));
            if (!isLast) volumes.keepEnd();
        }
    } else if (v.interleaved == 1) {
        const std::uint64_t before = firstSampleOfPart(v.shape, options) * bytesOf(v.type);
        readStoredBlock(v.samplesPath, {v.type, swapped, extent.begin + before, v.rescale}, image, options);
    } else {
        ByteSource file(v.samplesPath);
        std::uint64_t at = extent.begin;
        stream.read = [&](void* to, std::size_t bytes) {
            if (file.read(at, to, bytes) < bytes) refuseFile(v.path, "it is truncated: the last samples are missing");
            at += bytes;
        };
        readStoredStream(stream, image, options);
    }
    noteVolume(image, chosen, number, choice, v.volumes == 1 ? "values for each sample" : "volumes");
    if (!v.oriented) setOrientationUnknown(image);
    return image;
}

}  // namespace parallax
