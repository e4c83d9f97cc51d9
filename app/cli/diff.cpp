// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <limits>
#include <optional>

#include "app/cli/arguments.hpp"
#include "app/cli/console.hpp"
#include "app/cli/exit_codes.hpp"
#include "app/cli/output.hpp"
#include "core/image/difference.hpp"
#include "core/image/texts.hpp"
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

int diff(const std::string& pathA, const std::string& pathB, double tolerance, bool json) {
    const ImagePtr a = loadInput(pathA, 0), b = loadInput(pathB, 0);
    if (a->channelNames() != b->channelNames()) printMessage("note: the channels have different names; they are compared by index");
    const DifferenceMetrics m = compareViews(a->view(), b->view());
    const std::optional<bool> aligned = sameGeometry(*a, *b);
    if (aligned && !*aligned) printMessage("note: the volumes have different geometries; samples are compared by index");
    const bool within = tolerance < 0 || m.within(tolerance);
    if (json) {
        Json worst = Json::array();
        for (const WorstPixel& w : m.worst)
            worst.push_back({{"x", w.x},
                             {"y", w.y},
                             {"z", w.z},
                             {"channel", a->channelNames()[static_cast<std::size_t>(w.channel)]},
                             {"a", jsonOf(w.a)},
                             {"b", jsonOf(w.b)}});
        Json j{{"schema", "parallax.diff"},
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
               {"worst", worst},
               {"within_tolerance", within}};
        if (aligned) j["same_geometry"] = *aligned;
        if (tolerance >= 0) j["tolerance"] = tolerance;
        printJson(j);
    } else {
        std::string text = fmt::format(
            "max abs      {:.6g}\nmean abs     {:.6g}\nRMSE         {:.6g}\nrelative L2  {:.6g}\nPSNR         {:.2f} dB (peak {:.6g})\n"
            "in one image only: {} NaN, {} infinite, of {}\n",
            m.maxAbs, m.meanAbs, m.rmse, m.relativeL2, m.psnr, m.peak, m.nanMismatches, m.infinityMismatches,
            counted(a->shape().samples(), "sample"));
        for (const WorstPixel& w : m.worst)
            text += fmt::format("  at {},{}{} {}: {:.9g} and {:.9g}\n", w.x, w.y, a->shape().depth > 1 ? fmt::format(",{}", w.z) : "",
                                a->channelNames()[static_cast<std::size_t>(w.channel)], w.a, w.b);
        printData(text);
    }
    if (!within) printMessage(fmt::format("parallax-cli: the difference exceeds the tolerance of {:g}", tolerance));
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
    CLI::App* sub = app.add_subcommand("diff", "Compare two images or volumes sample by sample");
    addExamples(*sub, {"diff a.exr b.exr", "diff reference.nii.gz result.nii.gz --tolerance 1e-5 --json"});
    sub->add_option("a", a->a, "Image or volume")->required()->type_name("A");
    sub->add_option("b", a->b, "Image or volume")->required()->type_name("B");
    sub->add_option("--tolerance", a->tolerance,
                    "Fail with exit code 7 if a sample differs by more, or is NaN or infinite in one image only")
        ->transform(realNumber(0, std::numeric_limits<double>::max()))
        ->type_name("ABS");
    sub->add_flag("--json", a->json, "Print JSON to standard output");
    sub->callback([=, &chosen] { chosen = [=] { return diff(a->a, a->b, a->tolerance, a->json); }; });
}

}  // namespace parallax::cli
