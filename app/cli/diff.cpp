// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "app/cli/arguments.hpp"
#include "app/cli/console.hpp"
#include "app/cli/exit_codes.hpp"
#include "app/cli/output.hpp"
#include "app/cli/progress_display.hpp"
#include "core/image/difference.hpp"
#include "core/image/image.hpp"
#include "core/image/texts.hpp"
#include "core/io/atomic_file.hpp"
#include "core/io/codec/text.hpp"
#include "core/io/saver.hpp"
#include "core/metrics/image_metrics.hpp"
#include "core/report/record/record_json.hpp"

namespace parallax::cli {
namespace {

/// Whether two volumes have the same geometry; nothing for images.
std::optional<bool> sameGeometry(const Image& a, const Image& b) {
    if (!a.geometry || !b.geometry) return std::nullopt;
    const Shape& s = a.shape();
    return parallax::sameGeometry(*a.geometry, *b.geometry, static_cast<std::size_t>(s.width), static_cast<std::size_t>(s.height),
                                  static_cast<std::size_t>(s.depth));
}

struct DiffArguments {
    std::string a, b, map, mapKind = "absolute", range = "auto";
    double tolerance = -1, pixelsPerDegree = 67;
    int threads = 0;
    LightArgument light;
    bool json = false, force = false;

    ImageMetricOptions metricOptions() const {
        const DynamicRange dynamic = range == "ldr"   ? DynamicRange::standard
                                     : range == "hdr" ? DynamicRange::high
                                                      : DynamicRange::automatic;
        return {.range = dynamic, .pixelsPerDegree = pixelsPerDegree};
    }
    ErrorMap errorMap() const { return mapKind == "ssim" ? ErrorMap::ssim : mapKind == "flip" ? ErrorMap::flip : ErrorMap::absolute; }
};

/// Calls work(context), with progress on a terminal; Ctrl-C stops it.
template <class F>
auto withProgress(const DiffArguments& arguments, const std::string& what, F&& work) {
    Progress progress;
    RunContext context{.stop = interruption(), .progress = &progress, .threads = arguments.threads};
    const ProgressDisplay display(progress, what);
    return work(context);
}

void addTo(Json& j, const ImageMetrics& m) {
    if (m.ssim) j["ssim"] = jsonOf(*m.ssim);
    if (m.ssimLinear) {
        j["ssim_linear"] = jsonOf(*m.ssimLinear);
        j["ssim_linear_range"] = jsonOf(m.linearRange);
    }
    if (m.flip) {
        const FlipMetrics& f = *m.flip;
        Json flip{{"kind", m.highDynamicRange ? "hdr" : "ldr"},
                  {"mean", jsonOf(f.mean)},
                  {"min", jsonOf(f.minimum)},
                  {"weighted_quartile_1", jsonOf(f.weightedQuartile1)},
                  {"weighted_median", jsonOf(f.weightedMedian)},
                  {"weighted_quartile_3", jsonOf(f.weightedQuartile3)},
                  {"max", jsonOf(f.maximum)},
                  {"pixels_per_degree", jsonOf(f.pixelsPerDegree)}};
        if (m.highDynamicRange) {
            flip["start_exposure"] = jsonOf(f.startExposure);
            flip["stop_exposure"] = jsonOf(f.stopExposure);
            flip["exposures"] = f.exposures;
        }
        j["flip"] = std::move(flip);
    }
    Json classes = Json::array();
    for (std::size_t k = 0; k < UlpMetrics::kClasses; ++k)
        if (m.ulp.counts[k] > 0) classes.push_back({{"up_to", UlpMetrics::bound(k)}, {"samples", m.ulp.counts[k]}});
    j["ulp"] = {{"largest", m.ulp.largest}, {"compared", m.ulp.compared}, {"distribution", std::move(classes)}};
}

std::string textOf(const ImageMetrics& m) {
    std::string text;
    if (m.ssim) text += fmt::format("SSIM         {:.6f} (display-encoded luminance)\n", *m.ssim);
    if (m.ssimLinear) text += fmt::format("SSIM         {:.6f} (linear, range {:.6g})\n", *m.ssimLinear, m.linearRange);
    if (m.flip) {
        const FlipMetrics& f = *m.flip;
        text += fmt::format(
            "{:<12} {:.6f} mean, {:.4f} weighted median, {:.4f} to {:.4f} weighted quartiles, {:.4f} max ({:g} pixels per degree",
            m.highDynamicRange ? "HDR-FLIP" : "FLIP", f.mean, f.weightedMedian, f.weightedQuartile1, f.weightedQuartile3, f.maximum,
            f.pixelsPerDegree);
        if (m.highDynamicRange)
            text += fmt::format(", {} exposures from {:.2f} to {:.2f} EV", f.exposures, f.startExposure, f.stopExposure);
        text += ")\n";
    }
    const auto percent = [&](std::size_t k) { return 100 * m.ulp.shareWithin(k); };
    text += fmt::format("ULP          {} max; {:.4g} % equal, {:.4g} % within 1, {:.4g} % within 4, {:.4g} % within 256\n", m.ulp.largest,
                        percent(0), percent(1), percent(3), percent(9));
    return text;
}

Json jsonOf(const DifferenceMetrics& m, const Image& a) {
    using parallax::jsonOf;
    Json worst = Json::array();
    for (const WorstPixel& w : m.worst)
        worst.push_back({{"x", w.x},
                         {"y", w.y},
                         {"z", w.z},
                         {"channel", a.channelNames()[static_cast<std::size_t>(w.channel)]},
                         {"a", jsonOf(w.a)},
                         {"b", jsonOf(w.b)}});
    return Json{{"schema", "parallax.diff"},
                {"schema_version", 1},
                {"max_abs", jsonOf(m.maxAbs)},
                {"mean_abs", jsonOf(m.meanAbs)},
                {"rmse", jsonOf(m.rmse)},
                {"relative_l2", jsonOf(m.relativeL2)},
                {"psnr_db", jsonOf(m.psnr)},
                {"peak", jsonOf(m.peak)},
                {"nan_mismatches", m.nanMismatches},
                {"infinity_mismatches", m.infinityMismatches},
                {"compared", m.compared},
                {"worst", worst}};
}

std::string textOf(const DifferenceMetrics& m, const ImageMetrics& metrics, const Image& a) {
    std::string text = fmt::format(
        "max abs      {:.6g}\nmean abs     {:.6g}\nRMSE         {:.6g}\nrelative L2  {:.6g}\nPSNR         {:.2f} dB (peak {:.6g})\n",
        m.maxAbs, m.meanAbs, m.rmse, m.relativeL2, m.psnr, m.peak);
    text += textOf(metrics);
    text += fmt::format("in one image only: {} NaN, {} infinite, of {}\n", m.nanMismatches, m.infinityMismatches,
                        counted(a.shape().samples(), "sample"));
    for (const WorstPixel& w : m.worst)
        text += fmt::format("  at {},{}{} {}: {:.9g} and {:.9g}\n", w.x, w.y, a.shape().depth > 1 ? fmt::format(",{}", w.z) : "",
                            a.channelNames()[static_cast<std::size_t>(w.channel)], w.a, w.b);
    return text;
}

void saveMap(const Image& a, const Image& b, const DiffArguments& arguments) {
    const Image map = withProgress(arguments, "Making the error map", [&](RunContext& context) {
        return makeErrorMap(a, b, arguments.errorMap(), arguments.metricOptions(), context);
    });
    SaveOptions options{.overwrite = arguments.force, .threads = arguments.threads};
    options.stop = interruption();
    for (const std::string& note : saveImage(map, arguments.map, options)) printMessage("note: " + note);
}

/// The peak of the PSNR does not depend on the order of both. Encoded values have that of their codes, 1.
DifferenceMetrics differenceOf(const Image& a, const Image& b) {
    double peak = a.source.encoded ? 1 : 0;
    for (const Image* image : {&a, &b}) peak = std::max(peak, computeStatistics(*image).maxAbs());
    return compareViews(a.view(), b.view(), {.peak = peak > 0 ? peak : 1});
}

int diff(const DiffArguments& arguments) {
    if (!arguments.map.empty()) {
        checkSavable(arguments.map);
        for (const std::string& file : filesOf(arguments.map)) checkWritable(file, arguments.force);
    }
    const ImagePtr a = loadInput(arguments.a, arguments.threads), b = loadInput(arguments.b, arguments.threads);
    if (a->channelNames() != b->channelNames()) printMessage("note: the channels have different names; they are compared by index");
    if (!arguments.map.empty()) checkHolds(arguments.map, Shape{a->shape().width, a->shape().height, a->shape().depth, 1});
    const DifferenceMetrics m = differenceOf(*arguments.light.applied(a), *arguments.light.applied(b));
    const ImageMetrics metrics = withProgress(
        arguments, "Comparing", [&](RunContext& context) { return computeImageMetrics(*a, *b, arguments.metricOptions(), context); });
    if (!arguments.map.empty()) saveMap(*a, *b, arguments);
    const std::optional<bool> aligned = sameGeometry(*a, *b);
    if (aligned && !*aligned) printMessage("note: the volumes have different geometries; samples are compared by index");
    const bool within = arguments.tolerance < 0 || m.within(arguments.tolerance);
    if (arguments.json) {
        Json j = jsonOf(m, *a);
        addTo(j, metrics);
        j["within_tolerance"] = within;
        j["light"] = arguments.light.light;
        if (aligned) j["same_geometry"] = *aligned;
        if (arguments.tolerance >= 0) j["tolerance"] = arguments.tolerance;
        if (!arguments.map.empty()) j["map"] = {{"path", arguments.map}, {"kind", arguments.mapKind}};
        printJson(j);
    } else {
        printData(printable(textOf(m, metrics, *a), "\n"));
    }
    if (!within) printError(fmt::format("the difference exceeds the tolerance of {:g}", arguments.tolerance));
    return within ? kSuccess : kDisagreement;
}

}  // namespace

void addDiff(CLI::App& app, Action& chosen) {
    auto a = std::make_shared<DiffArguments>();
    CLI::App* sub = app.add_subcommand("diff", "Compare two images or volumes: differences of samples, PSNR, SSIM, FLIP, ULP distance");
    addExamples(*sub, {"diff a.exr b.exr", "diff reference.nii.gz result.nii.gz --tolerance 1e-5 --json",
                       "diff reference.exr render.exr --map flip.exr --map-kind flip"});
    sub->add_option("a", a->a, "Image or volume")->required()->type_name("A");
    sub->add_option("b", a->b, "Image or volume")->required()->type_name("B");
    sub->add_option("--tolerance", a->tolerance,
                    "Fail with exit code 7 if a sample differs by more, or is NaN or infinite in one image only")
        ->transform(realNumber(0, std::numeric_limits<double>::max()))
        ->type_name("ABS");
    sub->add_option("--range", a->range, "FLIP and SSIM of standard or high dynamic range [auto: hdr if a colour of A exceeds 1]")
        ->check(oneOf({"auto", "ldr", "hdr"}))
        ->type_name("auto|ldr|hdr");
    sub->add_option("--ppd", a->pixelsPerDegree, "Pixels per degree of the observer, for FLIP [67]")
        ->transform(realNumber(FlipOptions::kMinPixelsPerDegree, FlipOptions::kMaxPixelsPerDegree))
        ->type_name("N");
    sub->add_option("--map", a->map, "Save a map of the errors, one channel that is 0 where A and B agree")->type_name("FILE");
    sub->add_option("--map-kind", a->mapKind, "Error of the map: largest |B - A| of the channels, 1 - SSIM, or FLIP [absolute]")
        ->check(oneOf({"absolute", "ssim", "flip"}))
        ->type_name("absolute|ssim|flip");
    sub->add_flag("--force", a->force, "Replace an existing map");
    a->light.add(*sub);
    sub->add_option("--threads", a->threads, "Threads; 0: all usable ones [0]")->transform(wholeNumber(0, 4096))->type_name("N");
    addAllowLarge(*sub);
    sub->add_flag("--json", a->json, "Print JSON to standard output");
    sub->callback([=, &chosen] { chosen = [=] { return diff(*a); }; });
}

}  // namespace parallax::cli
