// SPDX-License-Identifier: GPL-3.0-or-later
// The description of the convolution: everything generic is derived from it.
#include "core/operations/convolution/convolution.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/engine/operation/capabilities.hpp"
#include "core/engine/operation/kernel_values.hpp"
#include "core/operations/convolution/kernel.hpp"
#include "core/operations/convolution/local_maximum.hpp"
#include "core/operations/convolution/volume/plan.hpp"

namespace parallax {
namespace {

std::vector<ParameterChoice> kernelChoices() {
    return {{"box", "Box", "Mean over the window"},
            {"gaussian", "Gaussian", "Smooth blur"},
            {"sharpen", "Sharpen", "Adds the difference from a box blur"},
            {"unsharp", "Unsharp mask", "Adds the difference from a Gaussian blur"},
            {"laplacian", "Laplacian",
             "Second derivative; responds to edges and spots. From size 5 on the mean around the pixel minus the pixel"},
            {"log", "Laplacian of Gaussian",
             "Second derivative of a blurred image. A window below 8 sigma, as with sigma from the size, cuts the kernel off"},
            {"sobel-x", "Sobel x", "Derivative along x, smoothed along y"},
            {"sobel-y", "Sobel y", "Derivative along y, smoothed along x"},
            {"sobel-z", "Sobel z", "Derivative along z, smoothed along x and y; needs axes=xyz"},
            {"scharr-x", "Scharr x", "Derivative along x with better rotational symmetry; size 3"},
            {"scharr-y", "Scharr y", "Derivative along y with better rotational symmetry; size 3"},
            {"scharr-z", "Scharr z", "Derivative along z with better rotational symmetry; size 3, needs axes=xyz"},
            {"prewitt-x", "Prewitt x", "Derivative along x, mean along y"},
            {"prewitt-y", "Prewitt y", "Derivative along y, mean along x"},
            {"prewitt-z", "Prewitt z", "Derivative along z, mean along x and y; needs axes=xyz"},
            {"emboss", "Emboss", "Relief, lit from the given angle: rims that face it brighten"},
            {"motion", "Motion blur",
             "Mean along a line of the given size and angle. An even size lies between two rows and spreads over both"},
            {"custom", "Custom", "Your own weights"}};
}

}  // namespace

std::vector<ParameterChoice> borderModeChoices() {
    return {{"replicate", "Replicate", "Repeats the edge sample: aaa|abcd|ddd"},
            {"constant", "Constant", "The border value: vvv|abcd|vvv"},
            {"reflect", "Reflect", "Mirrored, edge sample repeated: cba|abcd|dcb"},
            {"reflect101", "Reflect 101", "Mirrored, edge sample not repeated: dcb|abcd|cba"},
            {"wrap", "Wrap", "Periodic: bcd|abcd|abc"}};
}

const ParameterTable<ConvolutionParameters>& convolutionParameterTable() {
    using P = ConvolutionParameters;
    static const ParameterTable<P> table{
        choice(&P::kernel, "kernel", "Kernel", kernelChoices(),
               "Weights of the window. All kernels but 'custom' are generated for the given size."),
        choice(&P::axes, "axes", "Axes",
               {{"xy", "Slices (x, y)", "Each slice of a volume is filtered on its own"},
                {"xyz", "Volume (x, y, z)", "The window extends across slices as well; emboss and motion exist in slices only"}},
               "Axes along which the window extends. Images have x and y; for volumes choose between slices and three dimensions."),
        integer(&P::size, "size", "Size", 1, kMaximumKernelSize, "px",
                "Width and height of the window, with axes=xyz also its depth. The cost grows with its square or cube. Derivatives and "
                "sharpening need an odd size.")
            .shownIf("kernel", {"box", "gaussian", "sharpen", "unsharp", "laplacian", "log", "sobel-x", "sobel-y", "sobel-z", "scharr-x",
                                "scharr-y", "scharr-z", "prewitt-x", "prewitt-y", "prewitt-z", "emboss", "motion"}),
        real(&P::sigma, "sigma", "Sigma", 0, 64, "",
             "Standard deviation of the Gaussian, in the unit of 'sigma-unit'. 0 derives it from the size: 0.3 ((size - 1) / 2 - 1) + 0.8 "
             "samples, OpenCV's formula; OpenCV itself takes rounded tables for sizes up to 9. A window of about 6 sigma contains 99.7 % "
             "of the weight.")
            .minimumMeans("from size")
            .shownIf("kernel", {"gaussian", "unsharp", "log"}),
        choice(&P::sigmaUnit, "sigma-unit", "Sigma unit",
               {{"px", "Samples", "Pixels or voxels, the same number along each axis"},
                {"mm", "Millimetres", "The same distance along each axis, by the voxel spacing of the volume"}},
               "Unit of sigma. In mm a window on anisotropic voxels has a different sigma along each axis. An image, or a volume without "
               "geometry, counts as 1 mm.")
            .shownIf("kernel", {"gaussian", "unsharp", "log"}),
        real(&P::amount, "amount", "Amount", 0, 10, "", "Factor for the difference from the blurred image.")
            .shownIf("kernel", {"sharpen", "unsharp"}),
        real(&P::angle, "angle", "Angle", -360, 360, "deg", "Direction, counter-clockwise from the positive x axis.")
            .shownIf("kernel", {"emboss", "motion"}),
        text(&P::weights, "weights", "Weights",
             "Rows of numbers, one per line or ended by ';', as pasted from NumPy, MATLAB or ImageJ; at most 127 x 127. With axes=xyz "
             "slices "
             "follow each other, separated by '|' or an empty line.")
            .multiline()
            .editor("kernel", "0 0 0\n0 1 0\n0 0 0")
            .shownIf("kernel", {"custom"}),
        choice(&P::normalise, "normalise", "Normalise",
               {{"auto", "Automatic", "Generated kernels yes, your own weights no"},
                {"true", "On", "The sum of the weights becomes 1"},
                {"false", "Off", "Weights stay as they are"}},
               "Divide the weights by their sum, which keeps the brightness. Kernels with a sum of zero are left unchanged."),
        real(&P::scale, "scale", "Scale", kUnitScale, kLargestScale, "",
             "Factor for all weights, applied after normalising. 'unit' makes the response of a derivative 1: to a ramp that rises by 1 a "
             "pixel (Sobel 8, 128, 1.6 for sizes 3, 5, 7 without it; Scharr 32; Prewitt 6, 50, 196), or of a second derivative to "
             "x^2 / 2 (Laplacian 1 for size 3, about size^2 / 24 for larger ones).")
            .minimumWord("unit"),
        real(&P::offset, "offset", "Offset", -1e6, 1e6, "",
             "Added to every filtered sample, for example to see negative values of a derivative."),
        choice(&P::border, "border", "Border", borderModeChoices(), "Values of samples outside of the image."),
        real(&P::borderValue, "border-value", "Border value", -1e6, 1e6, "", "Value of samples outside of the image.")
            .shownIf("border", {"constant"}),
        integer(&P::anchorX, "anchor-x", "Anchor x", -1, kMaximumKernelSize - 1, "px",
                "Column of the kernel that is placed on the pixel, from 0; -1 is the centre, size / 2.")
            .minimumMeans("centre"),
        integer(&P::anchorY, "anchor-y", "Anchor y", -1, kMaximumKernelSize - 1, "px",
                "Row of the kernel that is placed on the pixel, from 0; -1 is the centre, size / 2.")
            .minimumMeans("centre"),
        integer(&P::anchorZ, "anchor-z", "Anchor z", -1, kMaximumKernelSize - 1, "px",
                "Slice of the kernel that is placed on the voxel, from 0; -1 is the centre, size / 2.")
            .minimumMeans("centre")
            .shownIf("axes", {"xyz"}),
        boolean(&P::flip, "flip", "Flip kernel",
                "Rotate the kernel by 180 degrees (convolution). Off: correlation, as in OpenCV and most tools."),
        text(&P::channels, "channels", "Channels", "'all', or names separated by commas, such as R,G. Other channels are copied."),
        choice(&P::alpha, "alpha", "Alpha", {{"filter", "Filter", "Filters alpha like the colours"}, {"keep", "Keep", "Copies alpha"}},
               "Treatment of the alpha channel. Colours are premultiplied internally, so filtering both is right for blurs."),
    };
    return table;
}

namespace {

/// The properties of a window that the description uses, in slices or in three dimensions.
struct Outline : ConvolutionSettings {
    std::int64_t taps = 1;
    double absoluteSum = 0;
    Reach reach;
};

Outline outlineOf(const Problem& problem) {
    if (filtersAcrossSlices(problem)) {
        const VolumePlan plan = planVolumeConvolution(problem);
        const Kernel3d& k = *plan.kernel;
        const auto reach = [&](int axis) { return std::max(k.before(axis), k.after(axis)); };
        return {plan, k.taps(), plan.absoluteSum, {.x = reach(0), .y = reach(1), .z = reach(2)}};
    }
    const ConvolutionPlan plan = planConvolution(problem);
    const Kernel& k = plan.kernel;
    return {plan, k.taps(), k.absoluteSum(), {.x = std::max(k.left(), k.right()), .y = std::max(k.top(), k.bottom())}};
}

/// Largest error of a sample in float32, given the largest magnitude of the samples under the kernel.
class ErrorBound {
public:
    explicit ErrorBound(const Outline& window) {
        // Roundings of varied samples cancel and grow with sqrt(n); those of a flat image under equal weights all go the same way
        // while the sum stays in one binade: n / 4 on average.
        const auto n = static_cast<double>(window.taps);
        perSample_ = (8 + 2 * std::sqrt(n) + n / 4) * 0x1p-24 * window.absoluteSum;
        // The offset comes last: one rounding here, one of the reference. Products below the smallest normal float may be lost.
        fixed_ = 0x1p-23 * std::fabs(static_cast<double>(window.offset)) + n * static_cast<double>(std::numeric_limits<float>::min());
    }
    double operator()(double largest) const { return perSample_ * largest + fixed_; }

private:
    double perSample_, fixed_;
};

/// Sum of the custom weights before normalising and scaling, and that of their magnitudes.
std::pair<double, double> sumsOfText(ConvolutionParameters p) {
    p.normalise = Normalisation::off;
    p.scale = 1;
    if (p.axes == WindowAxes::xyz) {
        const Kernel3d k = makeKernel3d(p);
        return {k.sum(), k.absoluteSum()};
    }
    const Kernel k = makeKernel(p);
    return {k.sum(), k.absoluteSum()};
}

/// Says along which axes a window of a sigma in mm cuts a Gaussian off below 2 sigma to either side, where 5 % of the weight is missing.
std::vector<std::string> notesOnSigma(const ConvolutionParameters& p, const Problem& problem) {
    if (p.sigmaUnit == SigmaUnit::pixels || p.sigma <= 0) return {};
    if (p.kernel != KernelKind::gaussian && p.kernel != KernelKind::unsharp && p.kernel != KernelKind::log) return {};
    const std::size_t axes = p.axes == WindowAxes::xyz ? 3 : 2;
    double most = 0;
    for (std::size_t axis = 0; axis < axes; ++axis) most = std::max(most, p.sigma / problem.spacing[axis]);
    if (p.size >= 4 * most) return {};
    return {"Sigma is " + toText(ParameterValue(static_cast<double>(static_cast<float>(most)))) +
            " samples along the axis of the finest spacing, and the window of " + std::to_string(p.size) +
            " cuts the Gaussian off. A size of about 6 sigma contains 99.7 % of the weight."};
}

class Convolution final : public Operation, public HasNotes, public HasLocalTolerance, public GivesKernelValues {
public:
    std::string id() const override { return "convolve"; }
    std::string title() const override { return "Convolution"; }
    std::string help() const override {
        return "Replaces each sample by a weighted sum of its neighbourhood: blur, sharpen, detect edges, or use your own weights. Volumes "
               "are filtered slice by slice, or in three dimensions with axes=xyz. A NaN or infinity under the window reaches the result, "
               "under a weight of 0 as well.";
    }
    const ParameterTableBase& parameters() const override { return convolutionParameterTable(); }
    void check(const Problem& problem) const override { (void)outlineOf(problem); }

    std::vector<std::string> notes(const Problem& problem) const override {
        const auto& p = problem.parameters.as<ConvolutionParameters>();
        if (p.kernel != KernelKind::custom) return notesOnSigma(p, problem);
        if (p.scale == kUnitScale) return {};
        const bool normalised = isNormalised(p), byDefault = p.normalise == Normalisation::automatic;
        const auto [sum, magnitude] = sumsOfText(p);
        if (std::fabs(sum) <= 1e-6 * magnitude) return {};
        const std::string text = "The weights sum to " + toText(ParameterValue(static_cast<double>(static_cast<float>(sum))));
        if (!normalised && byDefault && std::fabs(sum - 1) > 1e-6)
            return {text + " and are used as they are. normalise=true divides them by their sum, which keeps the brightness."};
        if (normalised && sum < 0) return {text + ": normalising inverts the image. normalise=false uses them as they are."};
        if (normalised && std::fabs(sum) < 0.05 * magnitude)
            return {text + ", little against their magnitudes: normalising magnifies noise. normalise=false uses them as they are."};
        return {};
    }

    Work work(const Problem& problem) const override {
        const Outline window = outlineOf(problem);
        const double voxels = static_cast<double>(problem.shape.pixels());
        return {.flops = 2.0 * static_cast<double>(window.taps) * voxels * static_cast<double>(window.filtered.size()),
                .bytes = 8.0 * voxels * static_cast<double>(problem.shape.channels)};
    }

    Tolerance tolerance(const Problem& problem) const override {
        const Outline window = outlineOf(problem);
        return {ErrorBound(window)(largestSample(problem, window)),
                "float32 sums of " + std::to_string(window.taps) +
                    " products: (8 + 2 sqrt(n) + n / 4) 2^-24 sum|K| max|in| + 2^-23 |offset|; max|in| under the kernel, of the image for "
                    "transforms and volumes in three dimensions"};
    }
    LocalBounds localBounds(const Problem& problem, std::int64_t channel, LocalBounds input) const override {
        ConvolutionPlan plan = planConvolution(problem);  // of a plane: see ByAxes::errsLocally()
        if (std::find(plan.copied.begin(), plan.copied.end(), static_cast<int>(channel)) != plan.copied.end()) return input;
        const Shape shape{problem.shape.width, problem.shape.height, 1, 1};
        const ErrorBound bound(outlineOf(problem));
        const double gain = plan.kernel.absoluteSum(), offset = std::fabs(static_cast<double>(plan.offset));
        LocalBounds output{largestUnderKernel(plan, denseView<const float>(input.magnitudes.data(), shape)), {}};
        plan.borderValue = 0;  // it is exact
        output.tolerances = largestUnderKernel(plan, denseView<const float>(input.tolerances.data(), shape));
        for (std::size_t i = 0; i < output.magnitudes.size(); ++i) {
            const auto largest = static_cast<double>(output.magnitudes[i]), deviation = static_cast<double>(output.tolerances[i]);
            output.magnitudes[i] = static_cast<float>(gain * largest + offset);
            output.tolerances[i] = static_cast<float>(gain * deviation + bound(largest));
        }
        return output;
    }

    double gain(const Problem& problem) const override { return std::max(1.0, outlineOf(problem).absoluteSum); }

    double largestOutput(const Problem& problem) const override {
        const Outline window = outlineOf(problem);
        const double copied = window.copied.empty() ? 0 : problem.statistics.maxAbs();
        return std::max(copied, largestSum(problem, window));
    }

    Reach reach(const Problem& problem) const override { return outlineOf(problem).reach; }
    int borderWidth(const Problem& problem) const override {
        const Reach r = reach(problem);
        return static_cast<int>(std::max(r.x, r.y));
    }

    std::vector<KernelValue> kernelValues(const Problem& problem) const override {
        if (filtersAcrossSlices(problem))
            throw Error(ErrorCode::usage, "Kernels of users cannot filter in three dimensions",
                        "they get the weights of a window in a slice", "Set axes=xy, or choose another backend");
        const ConvolutionPlan plan = planConvolution(problem);
        const Kernel& k = plan.kernel;
        return {
            {.key = "taps",
             .help = "Weights of the window, with flip, normalise and scale applied: sample (x + u - left, y + v - above) counts "
                     "taps(u, v) times",
             .isArray = true,
             .width = k.width,
             .height = k.height,
             .values = k.floatWeights()},
            {.key = "left", .help = "Columns of the window before the pixel", .number = k.left()},
            {.key = "above", .help = "Rows of the window above the pixel", .number = k.top()},
            channelFlags("filtered", "For each channel 1 if it is filtered, or 0 if it is copied", problem.shape.channels, plan.filtered)};
    }
    std::vector<SampleProblem> sampleProblems() const override {
        return makeSampleProblems<ConvolutionParameters>(
            {{"gaussian 5", {}},
             {"gaussian 7 sigma 2", {.size = 7, .sigma = 2}},
             {"box 4 (even) wrap", {.kernel = KernelKind::box, .size = 4, .border = BorderMode::wrap}},
             {"sobel x reflect", {.kernel = KernelKind::sobelX, .size = 3, .border = BorderMode::reflect}},
             {"motion 15", {.kernel = KernelKind::motion, .size = 15, .angle = 30}},
             {"custom 2 x 3 flipped",
              {.kernel = KernelKind::custom, .weights = "1 2; 3 4; 5 6", .border = BorderMode::constant, .borderValue = 0.5, .flip = true}},
             {"gaussian 5 in three dimensions", {.axes = WindowAxes::xyz, .size = 5}},
             {"sobel z wrap", {.kernel = KernelKind::sobelZ, .axes = WindowAxes::xyz, .size = 3, .border = BorderMode::wrap}},
             {"custom 3 x 1 x 2",
              {.kernel = KernelKind::custom, .axes = WindowAxes::xyz, .weights = "1 2 1 | 3 -1 0.5", .border = BorderMode::reflect}},
             {"unsharp keeps alpha",
              {.kernel = KernelKind::unsharp, .size = 5, .border = BorderMode::reflect101, .alpha = AlphaPolicy::keep}}},
            convolutionParameterTable());
    }

private:
    static double largestSample(const Problem& problem, const Outline& window) {
        return std::max(problem.statistics.maxAbs(), std::fabs(static_cast<double>(window.borderValue)));
    }
    /// Returns an upper bound of filtered samples, with the border value and the offset.
    static double largestSum(const Problem& problem, const Outline& window) {
        return window.absoluteSum * largestSample(problem, window) + std::fabs(static_cast<double>(window.offset));
    }
};

}  // namespace

std::unique_ptr<Operation> makeConvolution() { return std::make_unique<Convolution>(); }

}  // namespace parallax
