// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>

#include "app/cli/arguments.hpp"
#include "app/cli/console.hpp"
#include "app/cli/exit_codes.hpp"
#include "core/image/error.hpp"
#include "core/image/orientation.hpp"
#include "core/io/formats/dicom/dicom.hpp"
#include "core/io/loader.hpp"

namespace parallax::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Place {
    std::int64_t x = 0, y = 0, z = 0;
};

Place parsePlace(const std::string& text) {
    Place p;
    std::int64_t* const targets[] = {&p.x, &p.y, &p.z};
    const char *at = text.data(), *const end = text.data() + text.size();
    int n = 0;
    while (n < 3) {
        const auto [next, error] = std::from_chars(at, end, *targets[n]);
        if (error != std::errc{}) break;
        ++n;
        at = next;
        if (at == end || *at != ',') break;
        ++at;
    }
    if (n < 2 || at != end) throw Error(ErrorCode::usage, "'" + text + "' is no place", "it is written X,Y or X,Y,Z");
    return p;
}

Json number(double v) { return std::isnan(v) ? Json("nan") : std::isinf(v) ? Json(v > 0 ? "inf" : "-inf") : Json(v); }

Json window(const Window& w) { return {w.minX, w.minY, w.maxX, w.maxY}; }

/// What the numbers at places are: not those of the file, where that has sRGB or straight alpha.
std::string meaningOfValues(const Image& image) {
    // Samples of scanners, and what only looks like a picture, are what the file says.
    if (image.geometry) return image.geometry->unit.empty() ? "as in the file, after its rescaling" : image.geometry->unit;
    return image.alphaChannel() >= 0 ? "linear light, colours multiplied by alpha" : "linear light";
}

/// How many samples a channel has in the file: subsampled ones stand where both coordinates are multiples.
std::uint64_t storedSamples(const Image& image, const StoredChannel& c) {
    const Shape& s = image.shape();
    const auto along = [](std::int64_t first, std::int64_t count, std::int64_t step) {
        const auto below = [step](std::int64_t i) { return i >= 0 ? i / step : -((step - 1 - i) / step); };  // rounded down
        return step > 0 ? below(first + count - 1) - below(first - 1) : count;
    };
    return static_cast<std::uint64_t>(along(image.dataWindow ? image.dataWindow->minX : 0, s.width, c.samplingX) *
                                      along(image.dataWindow ? image.dataWindow->minY : 0, s.height, c.samplingY) * s.depth);
}

/// Places are pixel-space coordinates: those of the data window, when the file has one.
Json sampleAt(const Image& image, const Place& p) {
    const std::int64_t x = p.x - (image.dataWindow ? image.dataWindow->minX : 0), y = p.y - (image.dataWindow ? image.dataWindow->minY : 0);
    const Shape& s = image.shape();
    if (x < 0 || y < 0 || p.z < 0 || x >= s.width || y >= s.height || p.z >= s.depth)
        throw Error(ErrorCode::usage, fmt::format("The place {},{},{} lies outside of the image", p.x, p.y, p.z));
    Json values = Json::object();
    for (std::int64_t c = 0; c < s.channels; ++c)
        values[image.channelNames()[static_cast<std::size_t>(c)]] = number(static_cast<double>(image.view().at(x, y, p.z, c)));
    Json sample{{"x", p.x}, {"y", p.y}, {"z", p.z}, {"values", std::move(values)}};
    if (image.geometry)
        sample["position"] = positionOf(*image.geometry, static_cast<double>(p.x), static_cast<double>(p.y), static_cast<double>(p.z));
    return sample;
}

Json describeSeries(const SeriesInfo& s) {
    Json j{{"uid", s.uid},
           {"number", s.number},
           {"modality", s.modality},
           {"description", s.description},
           {"files", s.files},
           {"minimum_is_white", s.minimumIsWhite},
           {"tilt_degrees", s.tiltDegrees}};
    if (!s.sliceDistances.empty()) {
        const auto [least, most] = std::minmax_element(s.sliceDistances.begin(), s.sliceDistances.end());
        j["slice_distances"] = {{"min", *least}, {"max", *most}};
    }
    if (s.padding) j["padding"] = {{"value", *s.padding}, {"samples", s.paddingSamples}};
    return j;
}

/// Where the voxel axes of a volume go: towards the side of the patient that is nearest, and exactly where that is not all.
std::string axesText(const std::array<double, 9>& direction) {
    constexpr std::array<std::array<char, 2>, 3> kSides{{{'R', 'L'}, {'A', 'P'}, {'I', 'S'}}};
    std::string text = "axes";
    bool oblique = false;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        std::size_t nearest = 0;
        for (std::size_t i = 1; i < 3; ++i)
            if (std::fabs(direction[3 * i + axis]) > std::fabs(direction[3 * nearest + axis])) nearest = i;
        const double along = direction[3 * nearest + axis];
        oblique = oblique || std::fabs(along) < 1 - 1e-9;
        text += fmt::format("{} {} to {}", axis == 0 ? "" : ",", "xyz"[axis], kSides[nearest][along > 0 ? 1 : 0]);
    }
    if (oblique) {
        text += "; as columns";
        for (std::size_t row = 0; row < 3; ++row)
            text += fmt::format("{} {:.6g} {:.6g} {:.6g}", row == 0 ? "" : ";", direction[3 * row], direction[3 * row + 1],
                                direction[3 * row + 2]);
    }
    return text;
}

/// What only volumes have, and single slices of them.
void describeVolume(Json& j, const Image& image) {
    const Geometry& g = *image.geometry;
    j["spacing"] = g.spacing;
    j["origin"] = g.origin;
    j["direction"] = g.direction;
    j["orientation_known"] = orientationKnown(image);
    j["unit"] = g.unit;
    if (!g.slicePositions.empty()) j["slice_positions"] = g.slicePositions;
    j["series"] = image.source.series ? describeSeries(*image.source.series) : Json(nullptr);
    if (image.source.volumes > 1) {
        j["volume"] = image.source.volume;
        j["volumes"] = image.source.volumes;
    }
}

Json describe(const std::string& path, const Image& image, const std::vector<Place>& places) {
    const Shape& s = image.shape();
    Json channels = Json::array();
    for (std::size_t i = 0; i < image.source.storedChannels.size(); ++i) {
        const StoredChannel& c = image.source.storedChannels[i];
        const SampleStatistics st = i < image.source.storedStatistics.size() ? image.source.storedStatistics[i] : SampleStatistics{};
        const bool finite = st.nonFinite() == 0 || st.nonFinite() < storedSamples(image, c);
        Json j{{"name", c.name},
               {"type", c.type},
               {"min", finite ? number(st.min) : Json(nullptr)},
               {"max", finite ? number(st.max) : Json(nullptr)},
               {"mean", finite ? number(st.mean) : Json(nullptr)},
               {"nan", st.nan},
               {"inf", st.positiveInfinity + st.negativeInfinity}};
        if (c.samplingX != 1 || c.samplingY != 1) j["sampling"] = {c.samplingX, c.samplingY};
        channels.push_back(std::move(j));
    }
    Json j{{"path", path},
           {"kind", image.isVolume() ? "volume" : "image"},
           {"format", image.source.format},
           {"width", s.width},
           {"height", s.height},
           {"depth", s.depth},
           {"channels", std::move(channels)}};
    if (image.geometry) describeVolume(j, image);
    if (!image.source.windows.empty()) {
        j["windows"] = Json::array();
        for (const ValueWindow& w : image.source.windows)
            j["windows"].push_back({{"name", w.name}, {"centre", w.centre}, {"width", w.width}});
    }
    if (image.dataWindow) j["data_window"] = window(*image.dataWindow);
    if (image.displayWindow) j["display_window"] = window(*image.displayWindow);
    if (!image.source.parts.empty()) j["parts"] = image.source.parts;
    j["transfer"] = image.source.transfer == TransferFunction::linear ? "linear"
                    : image.source.transfer == TransferFunction::sRgb ? "sRGB"
                                                                      : fmt::format("gamma {}", image.source.gamma);
    Json metadata = Json::object();
    for (const MetadataEntry& e : image.metadata) metadata[e.name] = e.text;
    j["metadata"] = std::move(metadata);
    if (!image.source.personal.empty()) {
        j["patient"] = Json::object();
        for (const MetadataEntry& e : image.source.personal) j["patient"][e.name] = e.text;
    }
    if (image.source.incomplete) j["incomplete"] = true;
    j["warnings"] = image.source.warnings;
    if (!places.empty()) {
        j["sample_values"] = meaningOfValues(image);
        j["samples"] = Json::array();
        for (const Place& p : places) j["samples"].push_back(sampleAt(image, p));
    }
    return j;
}

/// Texts of files go to a terminal: what would steer it, or begin a line of its own, is written as \xNN.
std::string printable(const std::string& text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto at = [&](std::size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0U; };
        const unsigned c = at(i);
        const bool c1 = c == 0xc2 && at(i + 1) >= 0x80 && at(i + 1) < 0xa0;  // U+0080 to U+009F
        if (c >= 0x20 && c != 0x7f && !c1) {
            out += text[i];
            continue;
        }
        out += fmt::format("\\x{:02x}", c1 ? at(++i) : c);
    }
    return out;
}

std::string textOf(const Json& j) {
    const auto shown = [](const Json& v) {
        return v.is_string()         ? printable(v.get<std::string>())
               : v.is_number_float() ? fmt::format("{:.6g}", v.get<double>())
                                     : v.dump(-1, ' ', false, Json::error_handler_t::replace);
    };
    std::string text =
        fmt::format("{}\n  {}, {} x {}{}{}\n", shown(j["path"]), j["format"].get<std::string>(), j["width"].get<std::int64_t>(),
                    j["height"].get<std::int64_t>(), j["depth"] > 1 ? " x " + j["depth"].dump() : "",
                    j.contains("spacing") ? "" : ", " + j["transfer"].get<std::string>());  // measurements are no light
    if (j.contains("data_window") && j["data_window"] != j["display_window"])
        text += fmt::format("  data window {}, display window {}\n", j["data_window"].dump(), j["display_window"].dump());
    if (j.contains("spacing")) {
        const auto spacing = j["spacing"].get<std::array<double, 3>>(), origin = j["origin"].get<std::array<double, 3>>();
        text += fmt::format("  spacing {} x {} x {} mm, origin ({}, {}, {}) mm", spacing[0], spacing[1], spacing[2], origin[0], origin[1],
                            origin[2]);
        text += j["orientation_known"] == true ? " (LPS)\n  " + axesText(j["direction"].get<std::array<double, 9>>()) + "\n"
                                               : "\n  how it lies in the patient is not known\n";
        if (const Json& s = j["series"]; s.is_object())
            text += fmt::format("  series {}: {}{}{}, {} file{}, {}\n", s["number"].dump(), shown(s["modality"]),
                                s["description"].empty() || s["description"] == "" ? "" : ", ", shown(s["description"]), s["files"].dump(),
                                s["files"] == 1 ? "" : "s", shown(s["uid"]));
        if (j.contains("volumes")) text += fmt::format("  volume {} of {}, counted from 0\n", j["volume"].dump(), j["volumes"].dump());
    }
    if (j.contains("windows"))
        for (const Json& w : j["windows"])
            text += fmt::format("  window: centre {}, width {}{}{}\n", shown(w["centre"]), shown(w["width"]), w["name"] == "" ? "" : ", ",
                                shown(w["name"]));
    const std::string unit = j.contains("unit") && j["unit"] != "" ? " " + j["unit"].get<std::string>() : "";
    for (const Json& c : j["channels"]) {
        text += fmt::format("  {:<12} {:<7} ", shown(c["name"]), c["type"].get<std::string>());
        text += c["min"].is_null() ? std::string("no finite samples")
                                   : fmt::format("{} to {}{}, mean {}", shown(c["min"]), shown(c["max"]), unit, shown(c["mean"]));
        if (c["nan"] != 0 || c["inf"] != 0) text += fmt::format("; {} NaN, {} infinite", c["nan"].dump(), c["inf"].dump());
        text += "\n";
    }
    if (j.contains("parts") && j["parts"].size() > 1) text += "  parts: " + shown(j["parts"]) + "\n";
    for (const auto& [k, v] : j["metadata"].items())
        if (k != kOrientationEntry || v != kOrientationUnknown) text += fmt::format("  {}: {}\n", printable(k), shown(v));
    if (j.contains("patient"))
        for (const auto& [k, v] : j["patient"].items()) text += fmt::format("  patient: {}: {}\n", printable(k), shown(v));
    if (j.contains("samples"))
        for (const Json& s : j["samples"]) {
            text += fmt::format("  at {},{}{}", s["x"].dump(), s["y"].dump(), j["depth"] > 1 ? "," + s["z"].dump() : "");
            if (s.contains("position"))
                text += fmt::format(" ({:.6g}, {:.6g}, {:.6g} mm{})", s["position"][0].get<double>(), s["position"][1].get<double>(),
                                    s["position"][2].get<double>(), j["orientation_known"] == true ? " LPS" : "");
            text += ":";
            for (const auto& [k, v] : s["values"].items()) text += fmt::format(" {}={}", printable(k), shown(v));
            text += fmt::format(" ({})\n", shown(j["sample_values"]));
        }
    for (const Json& w : j["warnings"]) text += "  note: " + shown(w) + "\n";
    return text;
}

struct InfoArguments {
    std::vector<std::string> paths, at;
    bool json = false, patient = false;
};

/// Calls `found` for an image, or for each series of a folder. What cannot be read is said, and the others are still shown.
int forEachImage(const std::string& path, const LoadOptions& options, const std::function<void(const std::string&, const Image&)>& found) {
    std::error_code error;
    if (!std::filesystem::is_directory(path, error)) {
        found(path, openInput(path, options));
        return kSuccess;
    }
    const DicomFolder folder = scanDicomFolder(path, options, {0, 0.15});
    if (folder.series.empty()) {
        found(path, openInput(path, options));  // says why
        return kSuccess;
    }
    int result = kSuccess;
    for (const DicomSeries& series : folder.series) {
        const std::string name = folder.series.size() > 1 ? path + "#" + series.id : path;
        try {
            Image image = loadDicomSeries(name, series, options, {0.15, 1});
            noteUnusable(folder, image.source.warnings);
            found(name, image);
        } catch (const Error& e) {
            if (e.code() == ErrorCode::cancelled) throw;
            printMessage(std::string("parallax-cli: ") + e.what());
            if (result == kSuccess) result = exitCodeOf(e.code());
        }
    }
    return result;
}

int info(const InfoArguments& a) {
    std::vector<Place> places;
    for (const auto& at : a.at) places.push_back(parsePlace(at));
    Json items = Json::array();
    std::string text;
    int result = kSuccess;
    LoadOptions options = loadOptions(0);
    options.patientData = a.patient;
    for (const std::string& path : a.paths) {
        int one = kSuccess;
        try {
            one = forEachImage(path, options, [&](const std::string& name, const Image& image) {
                const Json item = describe(name, image, places);
                text += textOf(item);
                items.push_back(item);
            });
        } catch (const Error& e) {
            // The others are still shown.
            if (e.code() == ErrorCode::cancelled) throw;
            printMessage(std::string("parallax-cli: ") + e.what());
            one = exitCodeOf(e.code());
        }
        endProgress();
        if (result == kSuccess) result = one;
    }
    printData(a.json ? Json{{"schema", "parallax.info"}, {"schema_version", 1}, {"items", items}}.dump(2, ' ', false,
                                                                                                       Json::error_handler_t::replace) +
                           "\n"
                     : text);
    return result;
}

}  // namespace

void addInfo(CLI::App& app, Action& chosen) {
    auto a = std::make_shared<InfoArguments>();
    CLI::App* sub = app.add_subcommand("info", "What files hold");
    sub->add_option("path", a->paths, "Files, folders with DICOM series, or generated images")->required()->type_name("PATH...");
    sub->add_option("--at", a->at, "Also the sample values at a place, in pixel coordinates of the file; repeatable")
        ->type_name("X,Y[,Z]")
        ->allow_extra_args(false);
    sub->add_flag("--patient", a->patient, "Also who the patient is (names, dates, institution), and names of files in notes");
    sub->add_flag("--json", a->json, "Machine-readable output");
    sub->callback([=, &chosen] { chosen = [=] { return info(*a); }; });
}

}  // namespace parallax::cli
