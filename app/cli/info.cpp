// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <functional>

#include "app/cli/arguments.hpp"
#include "app/cli/console.hpp"
#include "app/cli/exit_codes.hpp"
#include "app/cli/output.hpp"
#include "core/image/error.hpp"
#include "core/image/orientation.hpp"
#include "core/image/regular_grid.hpp"
#include "core/image/texts.hpp"
#include "core/io/codec/text.hpp"
#include "core/io/formats/dicom/dicom.hpp"
#include "core/io/formats/exr/exr_choices.hpp"
#include "core/io/loader.hpp"
#include "core/io/sample_budget.hpp"
#include "core/report/record/record_json.hpp"

namespace parallax::cli {
namespace {

struct Position {
    std::int64_t x = 0, y = 0, z = 0;
};

Position parsePosition(const std::string& text) {
    Position p;
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
    if (n < 2 || at != end) throw Error(ErrorCode::usage, "'" + text + "' is not a position", "expected X,Y or X,Y,Z");
    return p;
}

Json window(const Window& w) { return {w.minX, w.minY, w.maxX, w.maxY}; }

/// Meaning of the sample values: they differ from those of the file where it has sRGB or straight alpha.
std::string meaningOfValues(const Image& image) {
    if (image.geometry) return image.geometry->unit.empty() ? "as in the file, rescaled" : image.geometry->unit;
    return image.alphaChannel() >= 0 ? "linear light, colours multiplied by alpha" : "linear light";
}

/// Number of samples of a channel in the file: a subsampled one has them where both coordinates are multiples.
std::uint64_t storedSamples(const Image& image, const StoredChannel& c) {
    const Shape& s = image.shape();
    const auto along = [](std::int64_t first, std::int64_t count, std::int64_t step) {
        const auto below = [step](std::int64_t i) { return i >= 0 ? i / step : -((step - 1 - i) / step); };  // rounded down
        return step > 0 ? below(first + count - 1) - below(first - 1) : count;
    };
    return static_cast<std::uint64_t>(along(image.dataWindow ? image.dataWindow->minX : 0, s.width, c.samplingX) *
                                      along(image.dataWindow ? image.dataWindow->minY : 0, s.height, c.samplingY) * s.depth);
}

/// `p` in pixel coordinates of the file: those of the data window if it has one.
Json sampleAt(const Image& image, const Position& p) {
    const std::int64_t x = p.x - (image.dataWindow ? image.dataWindow->minX : 0), y = p.y - (image.dataWindow ? image.dataWindow->minY : 0);
    const Shape& s = image.shape();
    if (x < 0 || y < 0 || p.z < 0 || x >= s.width || y >= s.height || p.z >= s.depth)
        throw Error(ErrorCode::usage, fmt::format("Position {},{},{} is outside the image", p.x, p.y, p.z));
    Json values = Json::object();
    for (std::int64_t c = 0; c < s.channels; ++c)
        values[image.channelNames()[static_cast<std::size_t>(c)]] = jsonOf(static_cast<double>(image.view().at(x, y, p.z, c)));
    Json sample{{"x", p.x}, {"y", p.y}, {"z", p.z}, {"values", std::move(values)}};
    if (image.geometry)
        sample["position"] = positionOf(*image.geometry, static_cast<double>(p.x), static_cast<double>(p.y), static_cast<double>(p.z));
    return sample;
}

/// `patient`: with the texts that may identify the patient.
Json describeSeries(const SeriesInfo& s, bool patient) {
    const auto personal = [patient](const std::string& text) { return patient ? Json(text) : Json(nullptr); };
    Json j{{"uid", personal(s.uid)},
           {"number", s.number},
           {"modality", s.modality},
           {"description", personal(s.description)},
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

/// Directions of the voxel axes: the nearest side of the patient, and for oblique volumes the exact vectors.
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

/// Properties of volumes and of single slices.
void describeVolume(Json& j, const Image& image, bool patient) {
    const Geometry& g = *image.geometry;
    j["spacing"] = g.spacing;
    j["origin"] = g.origin;
    j["direction"] = g.direction;
    j["orientation_known"] = orientationKnown(image);
    j["unit"] = g.unit;
    if (const std::string why = irregularityOf(image); !why.empty()) j["irregular"] = why;
    if (!g.slicePositions.empty()) j["slice_positions"] = g.slicePositions;
    j["series"] = image.source.series ? describeSeries(*image.source.series, patient) : Json(nullptr);
    if (image.source.volumes > 1) {
        j["volume"] = image.source.volume;
        j["volumes"] = image.source.volumes;
    }
}

Json describe(const std::string& path, const Image& image, const std::vector<Position>& positions, bool patient) {
    const Shape& s = image.shape();
    const bool read = !image.samples().empty();
    Json channels = Json::array();
    for (std::size_t i = 0; i < image.source.storedChannels.size(); ++i) {
        const StoredChannel& c = image.source.storedChannels[i];
        const SampleStatistics st = i < image.source.storedStatistics.size() ? image.source.storedStatistics[i] : SampleStatistics{};
        const bool finite = read && (st.nonFinite() == 0 || st.nonFinite() < storedSamples(image, c));
        Json j{{"name", c.name},
               {"type", c.type},
               {"min", finite ? jsonOf(st.min) : Json(nullptr)},
               {"max", finite ? jsonOf(st.max) : Json(nullptr)},
               {"mean", finite ? jsonOf(st.mean) : Json(nullptr)},
               {"nan", read ? Json(st.nan) : Json(nullptr)},
               {"inf", read ? Json(st.positiveInfinity + st.negativeInfinity) : Json(nullptr)}};
        if (c.samplingX != 1 || c.samplingY != 1) j["sampling"] = {c.samplingX, c.samplingY};
        channels.push_back(std::move(j));
    }
    Json j{{"path", path},
           {"kind", image.isVolume() ? "volume" : "image"},
           {"format", image.source.format},
           {"width", s.width},
           {"height", s.height},
           {"depth", s.depth},
           {"statistics", read},
           {"channels", std::move(channels)}};
    if (image.geometry) describeVolume(j, image, patient);
    if (!image.source.windows.empty()) {
        j["windows"] = Json::array();
        for (const ValueWindow& w : image.source.windows)
            j["windows"].push_back({{"name", w.name}, {"centre", w.centre}, {"width", w.width}});
    }
    if (image.dataWindow) j["data_window"] = window(*image.dataWindow);
    if (image.displayWindow) j["display_window"] = window(*image.displayWindow);
    if (!image.source.parts.empty()) j["parts"] = image.source.parts;
    if (image.source.format == "OpenEXR") {
        const std::string file = splitChoice(path).path;
        for (const ExrChoice& c : exrChoices(file))
            j["choices"].push_back({{"input", file + "#" + c.choice}, {"choice", c.choice}, {"description", c.description}});
    }
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
    if (!positions.empty()) {
        j["sample_values"] = meaningOfValues(image);
        j["samples"] = Json::array();
        for (const Position& p : positions) j["samples"].push_back(sampleAt(image, p));
    }
    return j;
}

std::string shown(const Json& v) {
    return v.is_string()         ? printable(v.get<std::string>())
           : v.is_number_float() ? fmt::format("{:.6g}", v.get<double>())
                                 : v.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Nine digits tell every float from its neighbours.
std::string sampleValue(const Json& v) { return v.is_number() ? fmt::format("{:.9g}", v.get<double>()) : shown(v); }

/// ", " and the text; empty for null and for an empty text.
std::string further(const Json& text) { return text.is_string() && text != "" ? ", " + shown(text) : std::string(); }

std::string volumeText(const Json& j) {
    const auto spacing = j["spacing"].get<std::array<double, 3>>(), origin = j["origin"].get<std::array<double, 3>>();
    std::string text = fmt::format("  spacing {} x {} x {} mm, origin ({}, {}, {}) mm", spacing[0], spacing[1], spacing[2], origin[0],
                                   origin[1], origin[2]);
    text += j["orientation_known"] == true ? " (LPS)\n  " + axesText(j["direction"].get<std::array<double, 9>>()) + "\n"
                                           : "\n  orientation unknown\n";
    if (const Json& s = j["series"]; s.is_object())
        text += fmt::format("  series {}: {}{}, {}{}\n", s["number"].dump(), shown(s["modality"]), further(s["description"]),
                            counted(s["files"].get<std::int64_t>(), "file"), further(s["uid"]));
    if (j.contains("volumes")) text += fmt::format("  volume {} of {} (first is 0)\n", j["volume"].dump(), j["volumes"].dump());
    return text;
}

std::string channelText(const Json& c, const std::string& unit, bool statistics) {
    std::string text = fmt::format("  {:<12} {:<7} ", shown(c["name"]), c["type"].get<std::string>());
    if (!statistics) return text + "samples not read\n";
    text += c["min"].is_null() ? std::string("no finite samples")
                               : fmt::format("{} to {}{}, mean {}", shown(c["min"]), shown(c["max"]), unit, shown(c["mean"]));
    if (c["nan"] != 0 || c["inf"] != 0) text += fmt::format("; {} NaN, {} infinite", c["nan"].dump(), c["inf"].dump());
    return text + "\n";
}

std::string sampleText(const Json& j, const Json& sample) {
    std::string text = fmt::format("  at {},{}{}", sample["x"].dump(), sample["y"].dump(), j["depth"] > 1 ? "," + sample["z"].dump() : "");
    if (sample.contains("position")) {
        const auto p = sample["position"].get<std::array<double, 3>>();
        text += fmt::format(" ({:.6g}, {:.6g}, {:.6g} mm{})", p[0], p[1], p[2], j["orientation_known"] == true ? " LPS" : "");
    }
    text += ":";
    for (const auto& [k, v] : sample["values"].items()) text += fmt::format(" {}={}", printable(k), sampleValue(v));
    return text + fmt::format(" ({})\n", shown(j["sample_values"]));
}

std::string textOf(const Json& j) {
    std::string text =
        fmt::format("{}\n  {}, {} x {}{}{}\n", shown(j["path"]), j["format"].get<std::string>(), j["width"].get<std::int64_t>(),
                    j["height"].get<std::int64_t>(), j["depth"] > 1 ? " x " + j["depth"].dump() : "",
                    j.contains("spacing") ? "" : ", " + j["transfer"].get<std::string>());  // volumes have no transfer function
    if (j.contains("data_window") && j["data_window"] != j["display_window"])
        text += fmt::format("  data window {}, display window {}\n", j["data_window"].dump(), j["display_window"].dump());
    if (j.contains("spacing")) text += volumeText(j);
    if (j.contains("windows"))
        for (const Json& w : j["windows"])
            text += fmt::format("  window: centre {}, width {}{}{}\n", shown(w["centre"]), shown(w["width"]), w["name"] == "" ? "" : ", ",
                                shown(w["name"]));
    const std::string unit = j.contains("unit") && j["unit"] != "" ? " " + j["unit"].get<std::string>() : "";
    for (const Json& c : j["channels"]) text += channelText(c, unit, j["statistics"] == true);
    if (j.contains("parts") && j["parts"].size() > 1) text += "  parts: " + shown(j["parts"]) + "\n";
    if (j.contains("choices"))
        for (const Json& c : j["choices"]) text += fmt::format("  #{}: {}\n", shown(c["choice"]), shown(c["description"]));
    for (const auto& [k, v] : j["metadata"].items())
        if (k != kOrientationEntry || v != kOrientationUnknown) text += fmt::format("  {}: {}\n", printable(k), shown(v));
    if (j.contains("patient"))
        for (const auto& [k, v] : j["patient"].items()) text += fmt::format("  patient: {}: {}\n", printable(k), shown(v));
    if (j.contains("samples"))
        for (const Json& s : j["samples"]) text += sampleText(j, s);
    for (const Json& w : j["warnings"]) text += "  note: " + shown(w) + "\n";
    if (j.contains("irregular"))
        text += "  note: " + shown(j["irregular"]) + "; 'parallax-cli run --resample' puts them on a regular grid\n";
    return text;
}

struct InfoArguments {
    std::vector<std::string> paths, at;
    bool json = false, patient = false, statistics = false, headers = false;
};

/// Calls `visit` for an image, or for each series of a folder. Reports what cannot be read and goes on; returns the first exit code.
int forEachImage(const std::string& path, const LoadOptions& options, const std::function<void(const std::string&, const Image&)>& visit) {
    std::error_code error;
    if (!std::filesystem::is_directory(path, error)) {
        visit(path, openInput(path, options));
        return kSuccess;
    }
    const DicomFolder folder = scanDicomFolder(path, options, {0, 0.15});
    if (folder.series.empty()) {
        visit(path, openInput(path, options));  // throws with the reason
        return kSuccess;
    }
    int result = kSuccess;
    for (const DicomSeries& series : folder.series) {
        const std::string name = folder.series.size() > 1 ? path + "#" + series.id : path;
        try {
            Image image = loadDicomSeries(name, series, options, {0.15, 1});
            noteUnusable(folder, image.source.warnings);
            visit(name, image);
        } catch (const Error& e) {
            if (e.code() == ErrorCode::cancelled) throw;
            printError(e.what());
            if (result == kSuccess) result = exitCodeOf(e.code());
        }
    }
    return result;
}

int info(const InfoArguments& a) {
    std::vector<Position> positions;
    for (const auto& at : a.at) positions.push_back(parsePosition(at));
    const bool all = a.statistics || !positions.empty();
    if (!all) setSampleBudget(a.headers ? 0 : kUnpackedToDescribe);
    Json items = Json::array();
    std::string text;
    int result = kSuccess;
    LoadOptions options = loadOptions(0);
    options.patientData = a.patient;
    options.unpacked = kUnpackedToDescribe;
    for (const std::string& path : a.paths) {
        int one = kSuccess;
        try {
            one = forEachImage(path, options, [&](const std::string& name, const Image& image) {
                const Json item = describe(name, image, positions, a.patient);
                text += textOf(item);
                items.push_back(item);
            });
        } catch (const Error& e) {
            if (e.code() == ErrorCode::cancelled) throw;
            printError(e.what());
            one = exitCodeOf(e.code());
        }
        endProgress();
        if (result == kSuccess) result = one;
    }
    if (a.json) printJson({{"schema", "parallax.info"}, {"schema_version", 1}, {"items", items}});
    else printData(text);
    return result;
}

}  // namespace

void addInfo(CLI::App& app, Action& chosen) {
    auto a = std::make_shared<InfoArguments>();
    CLI::App* sub = app.add_subcommand("info", "Describe files: size, channels, metadata, statistics");
    addExamples(*sub, {"info scan.nii.gz", "info photo.exr --at 120,80", "info dicom-folder --json"});
    sub->add_option("path", a->paths, "Files, DICOM folders or generated images")->required()->type_name("PATH...");
    CLI::Option* const at = sub->add_option("--at", a->at, "Print the samples at a position, in pixel coordinates of the file; repeatable")
                                ->type_name("X,Y[,Z]")
                                ->allow_extra_args(false);
    CLI::Option* const statistics =
        sub->add_flag("--statistics", a->statistics, "Read all samples for their range and mean [of up to 256 MiB, or with --at]");
    sub->add_flag("--header", a->headers, "Read no samples: no statistics")->excludes(statistics)->excludes(at);
    sub->add_flag_callback(
        "--allow-large", [] { allowLargeFiles(true); }, "Describe files that unpack to more than 100 times their size [up to 256 MiB]");
    sub->add_flag("--patient", a->patient, "Show patient data (names, dates, institution) and file names in notes");
    sub->add_flag("--json", a->json, "Print JSON to standard output");
    sub->callback([=, &chosen] { chosen = [=] { return info(*a); }; });
}

}  // namespace parallax::cli
