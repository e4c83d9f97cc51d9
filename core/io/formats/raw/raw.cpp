// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/formats/raw/raw.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/image/error.hpp"
#include "core/image/orientation.hpp"
#include "core/io/codec/text.hpp"
#include "core/io/formats.hpp"
#include "core/io/formats/described_volume.hpp"
#include "core/io/formats/raw/raw_guess.hpp"
#include "core/io/json_text.hpp"
#include "core/io/limits.hpp"
#include "core/io/sample_budget.hpp"

namespace parallax {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::string_view kPrefix = "raw:";
constexpr char kSchema[] = "parallax.raw-volume";
constexpr char kForm[] = "raw:WxH[xD][,type=T][,endian=little|big][,offset=BYTES][,spacing=XxYxZ][,origin=XxYxZ][,unit=U]:FILE";

[[noreturn]] void usage(std::string_view text, const std::string& why) {
    throw Error(ErrorCode::usage, "Invalid raw input '" + std::string(text) + "'", why, std::string("Write ") + kForm);
}

template <class T>
bool parseWhole(const std::string& text, T& value) {
    const char* const end = text.data() + text.size();
    const auto [next, error] = std::from_chars(text.data(), end, value);
    return error == std::errc{} && next == end && !text.empty();
}

/// Parses three lengths, such as "0.5x0.5x2".
std::array<double, 3> parseTriple(std::string_view whole, const std::string& key, const std::string& text) {
    const std::vector<std::string> parts = split(text, 'x');
    std::array<double, 3> v{};
    bool good = parts.size() == 3;
    for (std::size_t i = 0; good && i < 3; ++i) good = parseWhole(parts[i], v[i]) && std::isfinite(v[i]);
    if (!good) usage(whole, key + " needs three numbers, such as " + key + "=0.5x0.5x2");
    return v;
}

std::string tripleText(const std::array<double, 3>& v) {
    std::string text;
    for (const double x : v) {
        std::array<char, 32> number{};
        const auto end = std::to_chars(number.data(), number.data() + number.size(), x).ptr;
        text += (text.empty() ? "" : "x") + std::string(number.data(), end);
    }
    return text;
}

std::uint64_t bytesOfFile(const std::string& path) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (!fs::exists(status)) refuseUnopened(path, ENOENT);
    if (!fs::is_regular_file(status))
        throw Error(ErrorCode::input, "Cannot open '" + path + "'", "it is not an ordinary file", "Give a file");
    return fs::file_size(path);
}

/// Loads the samples of a shape from an offset.
Image readBlock(const RawRequest& r, const Shape& shape, std::uint64_t offset, const LoadOptions& options) {
    Image image{sampleBuffer(shape, options.part)};
    image.source.format = "raw";
    image.geometry = r.geometry;
    if (!r.oriented) setOrientationUnknown(image);
    if (image.samples().empty()) image.source.storedChannels = {{image.channelNames().front(), nameOf(r.type)}};
    else {
        const std::uint64_t before = firstSampleOfPart(shape, options) * bytesOf(r.type);
        readStoredBlock(r.path, {r.type, r.bigEndian != (std::endian::native == std::endian::big), offset + before, {}}, image, options);
    }
    return image;
}

Image load(const std::string& path, const std::string&, const LoadOptions& options) {
    if (lowerExtension(path) != "raw") return loadRaw(readRawDescription(path), options);
    if (const std::string description = describingFile(path); !description.empty()) return loadImage(description, options);
    const std::uint64_t holds = bytesOfFile(path);
    const RawRequest guess = guessRaw(path, holds).front();
    refuseFile(path, "the size and type of raw samples are needed, and there is no '" + rawDescriptionPath(path) + "'",
               (sizeOf(guess).fits(holds) ? "Open " + toText(guess) + " if that fits, or " : std::string("Open ")) + kForm);
}

/// A text as JSON holds it: bytes that are not UTF-8 are replaced.
std::string inJson(const std::string& text) {
    return nlohmann::json::parse(nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

}  // namespace

Loader rawLoader() {
    return {"raw",
            {"raw", "raw.json"},
            [](std::span<const std::uint8_t> head, const std::string& path) {
                return isRawDescription({reinterpret_cast<const char*>(head.data()), head.size()}) || hasExtension(path, {"raw"});
            },
            load};
}

bool isRaw(std::string_view text) { return text.starts_with(kPrefix); }

RawRequest parseRaw(std::string_view text) {
    if (!isRaw(text)) usage(text, "it does not begin with 'raw:'");
    const std::string_view rest = text.substr(kPrefix.size());
    const std::size_t colon = rest.find(':');
    if (colon == std::string_view::npos || colon + 1 == rest.size()) usage(text, "the file is missing");
    RawRequest r;
    r.path = rest.substr(colon + 1);
    const std::vector<std::string> parts = split(rest.substr(0, colon), ',');
    const std::vector<std::string> extents = split(parts.front(), 'x');
    std::int64_t* const sizes[] = {&r.shape.width, &r.shape.height, &r.shape.depth};
    if (extents.size() < 2 || extents.size() > 3) usage(text, "the size needs a width, a height and optionally a depth");
    for (std::size_t i = 0; i < extents.size(); ++i)
        if (!parseWhole(extents[i], *sizes[i]) || *sizes[i] < 1) usage(text, "'" + extents[i] + "' is no size");
    for (std::size_t i = 1; i < parts.size(); ++i) {
        const std::size_t equals = parts[i].find('=');
        if (equals == std::string::npos) usage(text, "'" + parts[i] + "' has no '='");
        const std::string key = parts[i].substr(0, equals), value = parts[i].substr(equals + 1);
        if (std::any_of(parts.begin() + 1, parts.begin() + static_cast<std::ptrdiff_t>(i),
                        [&](const std::string& other) { return other.starts_with(key + "="); }))
            usage(text, "'" + key + "' is written twice");
        if (key == "type") r.type = storedTypeOf(value);
        else if (key == "endian" && (value == "little" || value == "big")) r.bigEndian = value == "big";
        else if (key == "endian") usage(text, "endian must be little or big");
        else if (key == "offset") {
            if (!parseWhole(value, r.offset)) usage(text, "'" + value + "' is no number of bytes");
        } else if (key == "spacing") {
            r.geometry.spacing = parseTriple(text, key, value);
            for (const double s : r.geometry.spacing)
                if (!(s > 0)) usage(text, "spacing must be positive");
        } else if (key == "origin") r.geometry.origin = parseTriple(text, key, value);
        else if (key == "unit") r.geometry.unit = value;
        else usage(text, "'" + key + "' is unknown; keys are type, endian, offset, spacing, origin and unit");
    }
    (void)checkedBytes(r.shape, SampleType::float32);
    return r;
}

std::string toText(const RawRequest& r) {
    const Geometry standard;
    std::string text = std::string(kPrefix) + std::to_string(r.shape.width) + "x" + std::to_string(r.shape.height) +
                       (r.shape.depth > 1 ? "x" + std::to_string(r.shape.depth) : "") + ",type=" + nameOf(r.type);
    if (r.bigEndian) text += ",endian=big";
    if (r.offset > 0) text += ",offset=" + std::to_string(r.offset);
    if (r.geometry.spacing != standard.spacing) text += ",spacing=" + tripleText(r.geometry.spacing);
    if (r.geometry.origin != standard.origin) text += ",origin=" + tripleText(r.geometry.origin);
    if (!r.geometry.unit.empty()) text += ",unit=" + r.geometry.unit;
    return text + ":" + r.path;
}

RawSize sizeOf(const RawRequest& r) {
    RawSize size{.samples = bytesOf(r.type)};
    bool overflow = false;
    for (const std::int64_t extent : {r.shape.width, r.shape.height, r.shape.depth})
        overflow = __builtin_mul_overflow(size.samples, static_cast<std::uint64_t>(extent), &size.samples) || overflow;
    overflow = __builtin_add_overflow(size.samples, r.offset, &size.needed) || overflow;
    size.countable = !overflow;
    return size;
}

Image loadRaw(const RawRequest& r, const LoadOptions& options) {
    const std::uint64_t holds = bytesOfFile(r.path);
    (void)checkedBytes(r.shape, SampleType::float64);
    const RawSize size = sizeOf(r);
    if (!size.fits(holds)) {
        std::string advice = "Check the size and the type";
        if (size.countable && holds > size.needed)
            advice += ", or give offset=" + std::to_string(holds - size.samples) + " if the file begins with a header";
        throw Error(ErrorCode::input, "Cannot open '" + r.path + "'",
                    "the file has " + std::to_string(holds) + " bytes, but " + std::to_string(r.shape.width) + " x " +
                        std::to_string(r.shape.height) + " x " + std::to_string(r.shape.depth) + " samples of type " + nameOf(r.type) +
                        (r.offset > 0 ? " after " + std::to_string(r.offset) + " bytes" : "") + " need " +
                        (size.countable ? std::to_string(size.needed) : "more than can be counted"),
                    advice);
    }
    checkHeld(r.path, r.shape, holds, 4);
    checkAffordable(r.path, shapeToRead(r.shape, options.part), holds, options);
    Image image = readBlock(r, r.shape, r.offset, options);
    for (const Fact& fact : r.facts) image.metadata.push_back({fact.name, "string", fact.text, {}});
    return image;
}

Image loadRawSlice(const RawRequest& r, std::int64_t z, const LoadOptions& options) {
    const std::uint64_t holds = bytesOfFile(r.path);
    RawRequest before = r;  // including this slice
    before.shape.depth = z;
    const RawSize first = sizeOf(before);
    before.shape.depth = z + 1;
    const RawSize last = sizeOf(before);
    if (z < 0 || z >= r.shape.depth || !last.countable || last.needed > holds)
        throw Error(ErrorCode::input, "Cannot open '" + r.path + "'",
                    "slice " + std::to_string(z) + " ends beyond the " + std::to_string(holds) + " bytes of the file",
                    "Check the size, the type and the offset");
    const Shape slice{r.shape.width, r.shape.height, 1, 1};
    checkPlausible(r.path, slice, holds, 4, options);
    return readBlock(r, slice, first.needed, options);
}

std::string rawDescriptionPath(const std::string& path) { return path + ".json"; }

std::string describingFile(const std::string& path) {
    std::error_code error;
    if (std::string description = rawDescriptionPath(path); fs::exists(description, error)) return description;
    for (const char* const extension : {".mhd", ".nhdr"}) {
        const std::string header = fs::path(path).replace_extension(extension).string();
        if (!fs::is_regular_file(header, error)) continue;
        std::string text(1 << 14, '\0');
        std::ifstream file(header, std::ios::binary);
        file.read(text.data(), static_cast<std::streamsize>(text.size()));
        text.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, file.gcount())));
        if (text.find(fs::path(path).filename().string()) != std::string::npos) return header;
    }
    return {};
}

bool isRawDescription(std::string_view head) {
    const std::size_t first = head.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && head[first] == '{' && head.find(kSchema) != std::string_view::npos;
}

RawRequest readRawDescription(const std::string& path) {
    constexpr std::uintmax_t kLargest = kMaxTextBytes;  // positions of a million slices
    const auto refuse = [&](const std::string& why) -> Error {
        return {ErrorCode::input, "Cannot open '" + path + "'", why, kGetIntactCopy};
    };
    std::error_code error;
    const std::uintmax_t bytes = fs::file_size(path, error);
    if (error) throw refuse(error.message());
    if (bytes > kLargest) throw refuse("the description is larger than 16 MiB");
    std::ifstream file(path, std::ios::binary);
    std::string content(static_cast<std::size_t>(bytes), '\0');
    file.read(content.data(), static_cast<std::streamsize>(bytes));
    content.resize(static_cast<std::size_t>(file.gcount()));
    RawRequest r;
    try {
        const nlohmann::json j = parseJson<nlohmann::json>(content);
        if (j.at("schema") != kSchema) throw refuse("its schema is not " + std::string(kSchema));
        if (j.at("schema_version").get<int>() > 1) throw refuse("it was written by a newer version");
        std::string data = j.at("data");
        // JSON cannot hold a name that is not UTF-8: it is that of the description.
        const std::string own = fs::path(path).stem().string();
        if (data == inJson(own)) data = own;
        r.path = pathBeside(path, data);
        if (r.path.empty()) throw refuse("it names a file in another folder");
        r.shape = {j.at("width").get<std::int64_t>(), j.at("height").get<std::int64_t>(), j.at("depth").get<std::int64_t>(), 1};
        for (const std::int64_t extent : {r.shape.width, r.shape.height, r.shape.depth})
            if (extent < 1) throw refuse("an extent is less than 1");
        r.type = storedTypeOf(j.at("type").get<std::string>());
        const std::string endian = j.value("endian", "little");
        if (endian != "little" && endian != "big") throw refuse("endian must be little or big");
        r.bigEndian = endian == "big";
        r.offset = j.value("offset", std::uint64_t{0});
        Geometry& g = r.geometry;
        if (j.contains("spacing")) g.spacing = j["spacing"].get<std::array<double, 3>>();
        if (j.contains("origin")) g.origin = j["origin"].get<std::array<double, 3>>();
        r.oriented = j.contains("direction");
        if (r.oriented) g.direction = j["direction"].get<std::array<double, 9>>();
        if (j.contains("slice_positions")) g.slicePositions = j["slice_positions"].get<std::vector<double>>();
        g.unit = j.value("unit", "");
        if (j.contains("facts"))
            for (const auto& [name, text] : j["facts"].items()) {
                // Only facts that Parallax wrote: other names could be taken for metadata of another format.
                if (!name.starts_with(kFactPrefix)) throw refuse("'" + name + "' is not a fact about samples");
                r.facts.push_back({name, text.get<std::string>()});
            }
        for (const double s : g.spacing)
            if (!(s > 0 && std::isfinite(s))) throw refuse("its spacing is not positive");
        if (!g.slicePositions.empty() && g.slicePositions.size() != static_cast<std::size_t>(r.shape.depth))
            throw refuse("it has " + std::to_string(g.slicePositions.size()) + " positions for " + std::to_string(r.shape.depth) +
                         " slices");
    } catch (const nlohmann::json::exception& e) {
        throw refuse(jsonReason(e));
    } catch (const RepeatedKey& e) {
        throw Error(ErrorCode::input, "Cannot open '" + path + "'", e.what(), RepeatedKey::kAdvice);
    } catch (const Error& e) {
        if (e.code() == ErrorCode::usage) throw refuse(e.why().empty() ? e.summary() : e.summary() + ", " + e.why());
        throw;
    }
    return r;
}

void saveRaw(const Image& image, const std::string& path, const SaveOptions& options) {
    AtomicFile samples(path, options.overwrite);
    saveRawWith(image, path, options, samples, [&] { writeSamples(image, samples, options); });
}

void saveRawWith(const Image& image, const std::string& path, const SaveOptions& options, AtomicFile& samples,
                 const std::function<void()>& write) {
    static_assert(std::endian::native == std::endian::little, "samples are written in native byte order");
    const Shape& s = image.shape();
    const Geometry g = image.geometry.value_or(Geometry{});
    Json j{{"schema", kSchema},
           {"schema_version", 1},
           {"data", fs::path(path).filename().string()},
           {"width", s.width},
           {"height", s.height},
           {"depth", s.depth},
           {"type", "float32"},
           {"endian", "little"},
           {"offset", 0},
           {"order", "sample (x, y, z) is number z * height * width + y * width + x"},
           {"spacing", g.spacing},
           {"origin", g.origin}};
    // An unknown orientation is left out, since readers trust a direction.
    if (orientationKnown(image)) {
        j["direction"] = g.direction;
        j["axes"] = "LPS, mm";
    }
    if (!g.slicePositions.empty()) j["slice_positions"] = g.slicePositions;
    if (!g.unit.empty()) j["unit"] = g.unit;
    // Facts are needed to undo a transform. Other metadata are left out, since they may identify a patient.
    for (const MetadataEntry& e : image.metadata)
        if (e.name.starts_with(kFactPrefix)) j["facts"][e.name] = e.text;
    AtomicFile description(rawDescriptionPath(path), options.overwrite);
    const std::string text = j.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
    description.write(text);
    write();
    samples.sync();
    description.sync();
    // An end in between leaves samples without a description, never new samples under an old one.
    std::error_code none;
    if (const fs::path old = fs::canonical(rawDescriptionPath(path), none); !none) fs::remove(old, none);
    samples.commit();
    description.commit();
}

}  // namespace parallax
