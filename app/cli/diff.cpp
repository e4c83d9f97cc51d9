// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/cli/arguments.hpp"
#include "app/cli/console.hpp"
#include "app/cli/exit_codes.hpp"
#include "core/image/difference.hpp"

namespace parallax::cli {
namespace {

nlohmann::ordered_json number(double v) {
    if (std::isfinite(v)) return v;
    return std::isnan(v) ? "nan" : v > 0 ? "inf" : "-inf";
}

/// Do two volumes lie at the same places? Nothing is known of images.
std::optional<bool> samePlaces(const Image& a, const Image& b) {
    if (!a.geometry || !b.geometry) return std::nullopt;
    const Shape& s = a.shape();
    return parallax::samePlaces(*a.geometry, *b.geometry, static_cast<std::size_t>(s.width), static_cast<std::size_t>(s.height),
                                static_cast<std::size_t>(s.depth));
}

int diff(const std::string& pathA, const std::string& pathB, double tolerance, bool json) {
    const ImagePtr a = loadInput(pathA, 0), b = loadInput(pathB, 0);
    if (a->channelNames() != b->channelNames()) printMessage("note: the channels have different names; they are compared in order");
    const DifferenceMetrics m = compareViews(a->view(), b->view());
    const std::optional<bool> places = samePlaces(*a, *b);
    if (places && !*places) printMessage("note: the volumes lie at different places in space; their samples are compared in order");
    const bool within = tolerance < 0 || m.within(tolerance);
    if (json) {
        nlohmann::ordered_json worst = nlohmann::ordered_json::array();
        for (const WorstPixel& w : m.worst)
            worst.push_back({{"x", w.x},
                             {"y", w.y},
                             {"z", w.z},
                             {"channel", a->channelNames()[static_cast<std::size_t>(w.channel)]},
                             {"a", number(w.a)},
                             {"b", number(w.b)}});
        nlohmann::ordered_json j{{"schema", "parallax.diff"},
                                 {"schema_version", 1},
                                 {"max_abs", number(m.maxAbs)},
                                 {"mean_abs", number(m.meanAbs)},
                                 {"rmse", number(m.rmse)},
                                 {"relative_l2", number(m.relativeL2)},
                                 {"psnr_db", number(m.psnr)},
                                 {"peak", number(m.peak)},
                                 {"nan_mismatches", m.nanMismatches},
                                 {"infinity_mismatches", m.infinityMismatches},
                                 {"compared", m.compared},
                                 {"worst", worst},
                                 {"within_tolerance", within}};
        if (places) j["same_geometry"] = *places;
        if (tolerance >= 0) j["tolerance"] = tolerance;
        printData(j.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
    } else {
        std::string text = fmt::format(
            "max abs      {:.6g}\nmean abs     {:.6g}\nRMSE         {:.6g}\nrelative L2  {:.6g}\nPSNR         {:.2f} dB (peak {:.6g})\nNaN "
            "only in one: {}, infinity only in one: {}, of {} sample{}\n",
            m.maxAbs, m.meanAbs, m.rmse, m.relativeL2, m.psnr, m.peak, m.nanMismatches, m.infinityMismatches, a->shape().samples(),
            a->shape().samples() == 1 ? "" : "s");
        for (const WorstPixel& w : m.worst)
            text += fmt::format("  at {},{}{} {}: {:.9g} and {:.9g}\n", w.x, w.y, a->shape().depth > 1 ? fmt::format(",{}", w.z) : "",
                                a->channelNames()[static_cast<std::size_t>(w.channel)], w.a, w.b);
        printData(text);
    }
    if (!within) printMessage(fmt::format("parallax-cli: the images differ by more than {:g}", tolerance));
    return within ? kSuccess : kDisagreement;
}

}  // namespace

void addDiff(CLI::App& app, Action& chosen) {
    struct Arguments {
        std::string a, b;
        double tolerance = -1;
        bool json = false;
    };
    auto a = std::make_shared<Arguments>();
    CLI::App* sub = app.add_subcommand("diff", "How far two images or volumes are apart, and where");
    sub->add_option("a", a->a, "Image or volume")->required()->type_name("A");
    sub->add_option("b", a->b, "Image or volume")->required()->type_name("B");
    sub->add_option("--tolerance", a->tolerance, "Fail (7) when a sample differs by more, or a NaN or infinity is in one only")
        ->transform(realNumber(0, std::numeric_limits<double>::max()))
        ->type_name("ABS");
    sub->add_flag("--json", a->json, "Machine-readable output");
    sub->callback([=, &chosen] { chosen = [=] { return diff(a->a, a->b, a->tolerance, a->json); }; });
}

}  // namespace parallax::cli
