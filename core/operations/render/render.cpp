// SPDX-License-Identifier: GPL-3.0-or-later
// The description of volume rendering.
#include "core/operations/render/render.hpp"

#include <algorithm>
#include <cmath>

#include "core/engine/operation/capabilities.hpp"
#include "core/operations/render/formulas.hpp"
#include "core/operations/render/plan.hpp"

namespace parallax {

const ParameterTable<RenderParameters>& renderParameterTable() {
    using P = RenderParameters;
    constexpr int kMaxPixels = 32768;
    const auto clip = [](double P::*member, const char* key, const char* title, const char* help) {
        return real(member, key, title, 0, 1, "", help);
    };
    static const ParameterTable<P> table{
        choice(&P::mode, "mode", "Mode",
               {{"maximum", "Maximum intensity", "The largest value on each ray, in the unit of the volume"},
                {"minimum", "Minimum intensity", "The smallest value on each ray, in the unit of the volume"},
                {"mean", "Mean intensity", "The mean of the values on each ray, as an X-ray image shows them"},
                {"surface", "Surface", "The first place on each ray that reaches the threshold, shaded by its gradient"},
                {"transfer", "Transfer function", "Colours and opacities of all values on each ray, from front to back"}},
               "How the values on a ray become a pixel."),
        real(&P::threshold, "threshold", "Threshold", -1e6, 1e6, "", "Value of the surface, in the unit of the volume.")
            .shownIf("mode", {"surface"})
            .pickable(),
        text(&P::curve, "curve", "Transfer function",
             "Nodes VALUE:OPACITY:#RRGGBB with ascending values, separated by blanks. The opacity, 0 to 1, is that of a layer as thick as "
             "the finest spacing; the colour is white if left out.")
            .editor("transfer", "")
            .shownIf("mode", {"transfer"}),
        boolean(&P::shading, "shading", "Shading", "Multiplies colours by the light that the gradient reflects to the viewer.")
            .shownIf("mode", {"transfer"}),
        choice(&P::view, "view", "View",
               {{"xy", "Along z", "x to the right, y down, as slices are shown; patients from the feet"},
                {"xz", "Along y", "x to the right, z up; patients from the front"},
                {"yz", "Along x", "y to the right, z up; patients from their left"}},
               "Direction of view before the camera is turned."),
        real(&P::azimuth, "azimuth", "Azimuth", -360, 360, "deg",
             "Turns the camera around the vertical axis of the picture, to the right."),
        real(&P::elevation, "elevation", "Elevation", -360, 360, "deg", "Turns the camera upwards, after the azimuth."),
        real(&P::roll, "roll", "Roll", -360, 360, "deg",
             "Turns the camera around the direction of view, so that the picture turns clockwise."),
        real(&P::zoom, "zoom", "Zoom", 0.01, 100, "", "Magnification; at 1 the volume fits into the picture in a view that is not turned.")
            .logarithmic(),
        real(&P::panX, "pan-x", "Pan right", -10, 10, "", "Moves the volume to the right by this share of the picture's width."),
        real(&P::panY, "pan-y", "Pan down", -10, 10, "", "Moves the volume down by this share of the picture's height."),
        real(&P::fieldOfView, "fov", "Field of view", 0, 120, "deg",
             "Angle of the longer side of the picture at a zoom of 1, for a view in perspective. Parallel: distance does not change sizes.")
            .minimumWord("parallel"),
        real(&P::step, "step", "Step", 0.05, 8, "voxel",
             "Distance of the samples on a ray, in units of the finest spacing. 0.5 and less show fine structures better, and take longer.")
            .logarithmic(),
        integer(&P::width, "width", "Width", 0, kMaxPixels, "px",
                "Width of the picture. Auto: from the height, or one pixel for each sample of the longest side of the volume.")
            .minimumWord("auto"),
        integer(&P::height, "height", "Height", 0, kMaxPixels, "px",
                "Height of the picture. Auto: from the width and the proportions of the volume.")
            .minimumWord("auto"),
        clip(&P::clipX0, "clip-x0", "Clip x from", "The volume is shown from here on, as a share of its extent along x."),
        clip(&P::clipX1, "clip-x1", "Clip x to", "The volume is shown up to here, as a share of its extent along x."),
        clip(&P::clipY0, "clip-y0", "Clip y from", "The volume is shown from here on, as a share of its extent along y."),
        clip(&P::clipY1, "clip-y1", "Clip y to", "The volume is shown up to here, as a share of its extent along y."),
        clip(&P::clipZ0, "clip-z0", "Clip z from", "The volume is shown from here on, as a share of its extent along z."),
        clip(&P::clipZ1, "clip-z1", "Clip z to", "The volume is shown up to here, as a share of its extent along z."),
    };
    return table;
}

namespace {

class Render final : public Operation,
                     public HasPresets,
                     public PicksParameters,
                     public ChangesQuantity,
                     public EstimatesReference,
                     public HasNotes {
public:
    std::string id() const override { return "render"; }
    std::string title() const override { return "Volume rendering"; }
    std::string help() const override {
        return "Makes a picture of a volume: maximum, minimum or mean intensity, a shaded surface, or colours and opacities of a transfer "
               "function, seen by a camera. NaN and infinite samples are left out. Where a ray meets nothing, projections have the "
               "smallest "
               "value of the volume, other pictures are black.";
    }
    const ParameterTableBase& parameters() const override { return renderParameterTable(); }
    void check(const Problem& problem) const override { (void)planRender(problem); }
    Shape outputShape(const Problem& problem) const override { return planRender(problem).output; }

    // Trilinear interpolation of the samples of rays through the depth of the volume.
    Work work(const Problem& problem) const override {
        const RenderPlan plan = planRender(problem);
        const Shape& out = plan.output;
        double deepest = 0;
        for (int a = 0; a < 3; ++a)
            deepest += std::fabs(plan.frame.direction[a]) * (plan.frame.upper[a] - plan.frame.lower[a]) * plan.frame.spacing[a];
        constexpr double kFlops = 24;  // of a sample
        const auto channels = static_cast<double>(plan.isProjection() ? out.channels : 1);
        return {.flops = kFlops * static_cast<double>(out.pixels()) * channels * std::max(1.0, deepest / plan.frame.step),
                .bytes = sizeof(float) * static_cast<double>(problem.shape.samples() + out.samples())};
    }

    /// Clamped indices, weights and tests of eight neighbours in double; shaded samples of a transfer function have six more around them.
    double referenceFlops(const Problem& problem) const override {
        const RenderParameters& p = problem.parameters.as<RenderParameters>();
        return work(problem).flops * 6 * (p.mode == RenderMode::transfer && p.shading ? 4 : 1);
    }

    Tolerance tolerance(const Problem& problem) const override {
        const RenderPlan plan = planRender(problem);
        const SampleStatistics& s = problem.statistics;
        const auto samples = static_cast<double>(plan.mostSamples);
        // Of interpolated values: positions have 23 bits behind the point and exact sums of 32; where samples are left out, the others
        // are divided by a third of the weight or more. Three times two values are mixed.
        const double range = s.max - s.min, position = 0x1p-23 + (samples + 1) * 0x1p-32;
        const double value = 3 * position * range * (s.nonFinite() > 0 ? 8 : 1) + 0x1p-21 * s.maxAbs();
        const double leftOut = s.nonFinite() > 0 ? leftOutShare(problem, plan, position) : 0;
        const std::string interpolated = "float32: positions and trilinear interpolation are rounded";
        switch (plan.parameters.mode) {
            case RenderMode::maximum:
            case RenderMode::minimum: return {value, interpolated, leftOut};
            case RenderMode::mean: return {value + (34 + samples / 32) * 0x1p-24 * s.maxAbs(), interpolated + ", and so are sums", leftOut};
            default: break;
        }
        // Differences of two values over two samples, in units of the gradient that fades.
        const double relative = value / render::contrast(s.min, s.max);
        const double light = 2 * static_cast<double>(render::kDiffuse) * std::sqrt(3.0) / render::kSoftGradient * relative;
        if (plan.parameters.mode == RenderMode::surface)
            return {2 * light + 0x1p-20, interpolated + ", and move the surface and its gradient; rays that graze the surface may miss it",
                    leftOut + kGrazing};
        const render::TransferTable& table = plan.table;
        const double entry = value * table.perUnit + 0x1p-12;
        return {2 * samples * (entry * table.largestOpacityStep + 0x1p-23) + entry * table.largestColourStep +
                    (plan.parameters.shading ? light : 0) + 2 * static_cast<double>(render::kOpaque),
                interpolated + ", and move values along the transfer function; rays end when nearly all light is absorbed", leftOut};
    }
    // Surfaces and transfer functions may react to the smallest differences: then steps are better judged one by one.
    double gain(const Problem& problem) const override { return planRender(problem).isProjection() ? 1 : 1e9; }
    double largestOutput(const Problem& problem) const override {
        return planRender(problem).isProjection() ? problem.statistics.maxAbs() : 1;
    }
    Reach reach(const Problem& problem) const override {
        return {.x = problem.shape.width - 1, .y = problem.shape.height - 1, .z = problem.shape.depth - 1};
    }

    std::vector<ParameterPreset> presets() const override {
        const auto transfer = [](std::string key, std::string title, std::string help, std::string curve) {
            return ParameterPreset{std::move(key), std::move(title), std::move(help), {{"mode", "transfer"}, {"curve", std::move(curve)}}};
        };
        return {transfer("bone", "CT: bone", "Bones, for values in HU.", "180:0:#a8683f 350:0.15:#e6cfa8 1200:0.7:#fffdf4"),
                transfer("soft-tissue", "CT: soft tissue", "Skin, muscles and organs, for values in HU.",
                         "-200:0:#5a2418 -20:0.04:#b0563c 60:0.12:#d8906e 250:0.2:#f0dcc4 1200:0.7:#ffffff"),
                transfer("lung", "CT: lung", "Lungs and airways, for values in HU.",
                         "-980:0:#16324f -900:0.004:#3a6ea5 -700:0.03:#8fb3d9 -500:0.06:#e8b89a -350:0:#e8b89a"),
                transfer("vessels", "CT: vessels", "Vessels with contrast agent, and bones, for values in HU.",
                         "130:0:#701010 220:0.15:#cc3322 400:0.35:#f0b890 1200:0.7:#fff8ec"),
                {"bone-surface", "CT: bone surface", "The surface at 300 HU.", {{"mode", "surface"}, {"threshold", "300"}}}};
    }
    double pickedValue(const Problem&, std::string_view, std::span<const float> samples) const override {
        return samples.empty() ? NAN : static_cast<double>(samples.front());
    }
    bool changesQuantity(const ParameterBlock& parameters) const override {
        return parameters.as<RenderParameters>().mode >= RenderMode::surface;
    }
    std::vector<std::string> notes(const Problem& problem) const override {
        std::vector<std::string> notes;
        const RenderPlan plan = planRender(problem);
        if (problem.shape.depth == 1) notes.emplace_back("The input is an image: it is rendered as a volume of one slice.");
        if (plan.parameters.mode == RenderMode::surface && problem.statistics.max < plan.parameters.threshold)
            notes.emplace_back("The threshold exceeds every sample: there is no surface.");
        return notes;
    }

    std::vector<SampleProblem> sampleProblems() const override {
        return makeSampleProblems<RenderParameters>(
            {{"maximum", {}},
             {"maximum, turned",
              {.view = RenderView::xz, .azimuth = 30, .elevation = 20, .zoom = 1.3, .panX = 0.05, .step = 0.7, .width = 63, .height = 47}},
             {"minimum, in perspective",
              {.mode = RenderMode::minimum, .azimuth = -50, .elevation = 35, .roll = 10, .fieldOfView = 40, .width = 40}},
             {"mean, clipped",
              {.mode = RenderMode::mean,
               .view = RenderView::yz,
               .azimuth = 120,
               .panY = -0.1,
               .height = 49,
               .clipX0 = 0.2,
               .clipY1 = 0.9,
               .clipZ0 = 0.1,
               .clipZ1 = 0.7}},
             {"surface", {.mode = RenderMode::surface, .azimuth = 25, .elevation = 15, .width = 61, .height = 64}},
             {"transfer function",
              {.mode = RenderMode::transfer,
               .curve = "0.2:0:#204080 0.5:0.1:#c06040 1:0.6:#ffffff",
               .azimuth = 40,
               .step = 0.5,
               .width = 45}},
             {"transfer function, without shading",
              {.mode = RenderMode::transfer, .shading = false, .view = RenderView::xz, .elevation = -60, .height = 33}}},
            renderParameterTable());
    }

private:
    /// Share of rays that graze a surface within rounding errors, or meet it where its gradient nearly vanishes.
    static constexpr double kGrazing = 2e-4;

    /// Share of the rays of which rounding decides whether a sample is left out: each has this many neighbours of samples that are not
    /// finite, and their weights are within rounding errors of the limit.
    static double leftOutShare(const Problem& problem, const RenderPlan& plan, double position) {
        const double share = static_cast<double>(problem.statistics.nonFinite()) / static_cast<double>(problem.shape.samples());
        const double perRay = static_cast<double>(plan.mostSamples) * 8 * share * 6 * position;
        return std::min(0.01, std::max(perRay, 1 / static_cast<double>(plan.output.samples())));
    }
};

}  // namespace

std::unique_ptr<Operation> makeRender() { return std::make_unique<Render>(); }

}  // namespace parallax
