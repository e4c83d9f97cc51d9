// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "arguments.hpp"
#include "console.hpp"
#include "exit_codes.hpp"
#include "parallax/image/error.hpp"
#include "parallax/io/loader.hpp"

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

/// Places are pixel-space coordinates: those of the data window, when the file has one.
Json sampleAt(const Image& image, const Place& p) {
    const std::int64_t x = p.x - (image.dataWindow ? image.dataWindow->minX : 0), y = p.y - (image.dataWindow ? image.dataWindow->minY : 0);
    const Shape& s = image.shape();
    if (x < 0 || y < 0 || p.z < 0 || x >= s.width || y >= s.height || p.z >= s.depth)
        throw Error(ErrorCode::usage, fmt::format("The place {},{},{} lies outside of the image", p.x, p.y, p.z));
    Json values = Json::object();
    for (std::int64_t c = 0; c < s.channels; ++c)
        values[image.channelNames()[static_cast<std::size_t>(c)]] = number(static_cast<double>(image.view().at(x, y, p.z, c)));
    return {{"x", p.x}, {"y", p.y}, {"z", p.z}, {"values", std::move(values)}};
}

Json describe(const std::string& path, const Image& image, const std::vector<Place>& places) {
    const Shape& s = image.shape();
    Json channels = Json::array();
    for (std::size_t i = 0; i < image.source.storedChannels.size(); ++i) {
        const StoredChannel& c = image.source.storedChannels[i];
        const SampleStatistics st = i < image.source.storedStatistics.size() ? image.source.storedStatistics[i] : SampleStatistics{};
        Json j{{"name", c.name},
               {"type", c.type},
               {"min", number(st.min)},
               {"max", number(st.max)},
               {"mean", number(st.mean)},
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
    if (image.isVolume() && image.geometry) {
        j["spacing"] = image.geometry->spacing;
        j["origin"] = image.geometry->origin;
        j["direction"] = image.geometry->direction;
        j["unit"] = image.geometry->unit;
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
    if (image.source.incomplete) j["incomplete"] = true;
    j["warnings"] = image.source.warnings;
    if (!places.empty()) {
        j["samples"] = Json::array();
        for (const Place& p : places) j["samples"].push_back(sampleAt(image, p));
    }
    return j;
}

std::string textOf(const Json& j) {
    const auto shown = [](const Json& v) {
        return v.is_string()         ? v.get<std::string>()
               : v.is_number_float() ? fmt::format("{:.6g}", v.get<double>())
                                     : v.dump(-1, ' ', false, Json::error_handler_t::replace);
    };
    std::string text = fmt::format("{}\n  {}, {} x {}{}, {}\n", j["path"].get<std::string>(), j["format"].get<std::string>(),
                                   j["width"].get<std::int64_t>(), j["height"].get<std::int64_t>(),
                                   j["depth"] > 1 ? " x " + j["depth"].dump() : "", j["transfer"].get<std::string>());
    if (j.contains("data_window") && j["data_window"] != j["display_window"])
        text += fmt::format("  data window {}, display window {}\n", j["data_window"].dump(), j["display_window"].dump());
    for (const Json& c : j["channels"]) {
        text += fmt::format("  {:<12} {:<7} {} to {}, mean {}", c["name"].get<std::string>(), c["type"].get<std::string>(), shown(c["min"]),
                            shown(c["max"]), shown(c["mean"]));
        if (c["nan"] != 0 || c["inf"] != 0) text += fmt::format("; {} NaN, {} infinite", c["nan"].dump(), c["inf"].dump());
        text += "\n";
    }
    if (j.contains("parts") && j["parts"].size() > 1) text += "  parts: " + shown(j["parts"]) + "\n";
    for (const auto& [k, v] : j["metadata"].items()) text += fmt::format("  {}: {}\n", k, v.get<std::string>());
    if (j.contains("samples"))
        for (const Json& s : j["samples"]) {
            text += fmt::format("  at {},{}:", s["x"].dump(), s["y"].dump());
            for (const auto& [k, v] : s["values"].items()) text += fmt::format(" {}={}", k, shown(v));
            text += "\n";
        }
    for (const Json& w : j["warnings"]) text += "  note: " + w.get<std::string>() + "\n";
    return text;
}

int info(const std::vector<std::string>& paths, const std::vector<std::string>& at, bool json) {
    std::vector<Place> places;
    for (const auto& a : at) places.push_back(parsePlace(a));
    Json items = Json::array();
    std::string text;
    int result = kSuccess;
    for (const std::string& path : paths) {
        try {
            LoadOptions options;
            options.stop = interruption();
            const Json item = describe(path, openInput(path, options), places);
            text += textOf(item);
            items.push_back(item);
        } catch (const Error& e) {
            // The others are still shown.
            if (e.code() == ErrorCode::cancelled) throw;
            printMessage(std::string("parallax-cli: ") + e.what());
            if (result == kSuccess) result = exitCodeOf(e.code());
        }
    }
    printData(json ? Json{{"schema", "parallax.info"}, {"schema_version", 1}, {"items", items}}.dump(2, ' ', false,
                                                                                                     Json::error_handler_t::replace) +
                         "\n"
                   : text);
    return result;
}

}  // namespace

void addInfo(CLI::App& app, Action& chosen) {
    auto paths = std::make_shared<std::vector<std::string>>();
    auto at = std::make_shared<std::vector<std::string>>();
    auto json = std::make_shared<bool>(false);
    CLI::App* sub = app.add_subcommand("info", "What files hold");
    sub->add_option("path", *paths, "Files or generated images")->required()->type_name("PATH...");
    sub->add_option("--at", *at, "Also the sample values at a place, in pixel coordinates of the file; repeatable")
        ->type_name("X,Y[,Z]")
        ->allow_extra_args(false);
    sub->add_flag("--json", *json, "Machine-readable output");
    sub->callback([=, &chosen] { chosen = [=] { return info(*paths, *at, *json); }; });
}

}  // namespace parallax::cli
